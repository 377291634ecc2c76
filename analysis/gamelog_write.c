/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the game log. A file is taken over in this order: lock it, read it to see that it is a
 * game log and where its last whole line ends, only then cut and append. Whatever goes wrong before
 * leaves it as it was.
 */
#include "analysis/gamelog.h"
#include "analysis/gamelog_line.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* What is in the file already. */
struct contents {
	bool header;
	off_t whole; /* bytes up to the end of the last whole line */
	off_t size;
};

static enum status contents_read(FILE *file, const char *path, struct contents *contents,
				 struct why *why)
{
	enum status status = STATUS_OK;
	char *line = NULL;
	size_t room = 0, number = 0;
	ssize_t length;

	*contents = (struct contents){0};
	while (status == STATUS_OK && (length = getline(&line, &room, file)) > 0) {
		bool torn = line[length - 1] != '\n';
		contents->size += length;
		number++;
		if (!torn)
			line[length - 1] = '\0';
		if (line[0] != '#' && !contents->header) {
			status = gamelog_check_header(line, torn, path, number, why);
			contents->header = !torn;
		}
		if (!torn)
			contents->whole = contents->size;
	}
	if (status == STATUS_OK && ferror(file))
		status = why_errno(why, "%s: cannot be read", path);
	free(line);
	return status;
}

/* One write(2). */
static enum status write_whole(const struct gamelog_writer *writer, const char *text, size_t length,
			       struct why *why)
{
	ssize_t written;

	do
		written = write(writer->fd, text, length);
	while (written < 0 && errno == EINTR);
	if (written < 0)
		return why_errno(why, "%s: cannot be written", writer->path);
	if ((size_t)written != length)
		return why_set(why, STATUS_SYSTEM,
			       "%s: only %zd of %zu bytes could be written; is the disk full?",
			       writer->path, written, length);
	return STATUS_OK;
}

static enum status header_write(const struct gamelog_writer *writer, const char *const *provenance,
				struct why *why)
{
	char *text = NULL;
	size_t length = 0;
	FILE *memory = open_memstream(&text, &length);

	if (!memory)
		return why_errno(why, "%s: cannot make its header", writer->path);
	for (; provenance && *provenance; provenance++)
		fprintf(memory, "# %s\n", *provenance);
	fprintf(memory, "%s\n", gamelog_header);
	enum status status = fclose(memory) == 0
				 ? write_whole(writer, text, length, why)
				 : why_errno(why, "%s: cannot make its header", writer->path);
	free(text);
	return status;
}

static enum status take_over(struct gamelog_writer *writer, const char *const *provenance,
			     struct why *why)
{
	struct contents contents;

	if (flock(writer->fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
		return why_set(why, STATUS_INPUT, "%s: another process is writing this game log",
			       writer->path);
	FILE *file = fopen(writer->path, "re");
	if (!file)
		return why_errno(why, "%s: cannot be read", writer->path);
	enum status status = contents_read(file, writer->path, &contents, why);
	fclose(file);
	if (status != STATUS_OK)
		return status;
	if (contents.whole < contents.size && ftruncate(writer->fd, contents.whole) != 0)
		return why_errno(why, "%s: cannot cut off its torn last line", writer->path);
	writer->cut = (size_t)(contents.size - contents.whole);
	return contents.header ? STATUS_OK : header_write(writer, provenance, why);
}

enum status gamelog_open(struct gamelog_writer *writer, const char *path,
			 const char *const *provenance, struct why *why)
{
	struct gamelog_writer w = {.fd = -1};

	if ((size_t)snprintf(w.path, sizeof w.path, "%s", path) >= sizeof w.path)
		return why_set(why, STATUS_INPUT, "%s: too long a path", path);
	w.fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (w.fd < 0)
		return why_errno(why, "%s: cannot be opened for writing", path);
	enum status status = take_over(&w, provenance, why);
	if (status == STATUS_OK)
		*writer = w;
	else
		close(w.fd);
	return status;
}

enum status gamelog_append_player(const struct gamelog_writer *writer, struct gamelog *log,
				  const char *label, struct why *why)
{
	char line[GAMELOG_LINE_MAX];
	size_t known = log->label_count;

	int length = snprintf(line, sizeof line, "%s%s\n", gamelog_player_mark, label);
	if (!gamelog_text_valid(label) || length >= GAMELOG_LINE_MAX)
		return why_set(why, STATUS_INPUT, "label '%.80s': too long, empty or not text",
			       label);
	enum status status = gamelog_announce(log, label, why);
	if (status != STATUS_OK || log->label_count == known)
		return status;
	return write_whole(writer, line, (size_t)length, why);
}

enum status gamelog_append_training(const struct gamelog_writer *writer, uint64_t config,
				    double seconds, struct why *why)
{
	char line[GAMELOG_LINE_MAX];
	int length = snprintf(line, sizeof line, "%s%016" PRIx64 " %.6f\n", gamelog_training_mark,
			      config, seconds);
	return write_whole(writer, line, (size_t)length, why);
}

enum status gamelog_append(const struct gamelog_writer *writer, const struct result *result,
			   struct why *why)
{
	char line[GAMELOG_LINE_MAX];
	size_t length;

	enum status status = gamelog_format(result, line, &length, why);
	return status == STATUS_OK ? write_whole(writer, line, length, why) : status;
}

enum status gamelog_close(struct gamelog_writer *writer, struct why *why)
{
	int fd = writer->fd;

	writer->fd = -1;
	if (fsync(fd) != 0 && errno != EINVAL) {
		enum status status = why_errno(why, "%s: cannot be written to disk", writer->path);
		close(fd);
		return status;
	}
	return close(fd) == 0 ? STATUS_OK : why_errno(why, "%s: cannot be closed", writer->path);
}
