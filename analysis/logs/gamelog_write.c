/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the game log, in the manner of base/append.h: a file is read to see that it is a game log
 * and where its last whole line ends before anything in it is touched.
 */
#include "analysis/logs/gamelog.h"
#include "analysis/logs/gamelog_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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
	if (status == STATUS_OK && lines_cut_short(file))
		status = why_file(why, path, "cannot be read");
	free(line);
	return status;
}

static enum status take_over(struct append_file *to, const char *const *provenance, struct why *why)
{
	struct contents contents;

	enum status status = append_lock(to, "game log", why);
	if (status != STATUS_OK)
		return status;
	FILE *file = fopen(to->path, "re");
	if (!file)
		return why_file(why, to->path, "cannot be read");
	status = contents_read(file, to->path, &contents, why);
	fclose(file);
	if (status != STATUS_OK)
		return status;
	status = append_cut(to, contents.whole, contents.size - contents.whole, why);
	if (status != STATUS_OK || contents.header)
		return status;
	return append_head(to, NULL, provenance, gamelog_header, why);
}

enum status gamelog_open(struct gamelog_writer *writer, const char *path,
			 const char *const *provenance, struct why *why)
{
	struct gamelog_writer w;

	enum status status = append_open(&w.file, path, 0, why);
	if (status != STATUS_OK)
		return status;
	status = take_over(&w.file, provenance, why);
	if (status == STATUS_OK)
		*writer = w;
	else
		close(w.file.fd);
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
	return append_write(&writer->file, line, (size_t)length, why);
}

enum status gamelog_append_training(const struct gamelog_writer *writer, uint64_t config,
				    double seconds, struct why *why)
{
	char line[GAMELOG_LINE_MAX];
	int length = snprintf(line, sizeof line, "%s%016" PRIx64 " %.6f\n", gamelog_training_mark,
			      config, seconds);
	return append_write(&writer->file, line, (size_t)length, why);
}

enum status gamelog_append(const struct gamelog_writer *writer, const struct result *result,
			   struct why *why)
{
	char line[GAMELOG_LINE_MAX];
	size_t length;

	enum status status = gamelog_format(result, line, &length, why);
	return status == STATUS_OK ? append_write(&writer->file, line, length, why) : status;
}

enum status gamelog_close(struct gamelog_writer *writer, struct why *why)
{
	return append_close(&writer->file, why);
}
