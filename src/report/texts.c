/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text files copied; see texts.h. What is held is a file without a name (memfd_create(2)), which a child
 * inherits: opening /dev/fd/N there is opening it anew.
 */
#include "src/report/texts.h"

#include "base/append.h"
#include "base/file.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static enum status text_append(FILE *out, const char *path, const char *loaded, struct why *why)
{
	FILE *file = fopen(path, "re");
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	enum status status = STATUS_OK;

	if (!file)
		return why_errno(why, "%s: cannot read", path);
	while (!status && (length = getline(&line, &size, file)) > 0) {
		if (loaded && strncmp(line, "load ", 5) == 0)
			status = text_append(out, loaded, NULL, why);
		else
			fwrite(line, 1, (size_t)length, out);
	}
	if (!status && lines_cut_short(file))
		status = why_errno(why, "%s: cannot read", path);
	free(line);
	fclose(file);
	return status;
}

enum status text_copy(const char *from, const char *loaded, const char *to, struct why *why)
{
	char part[FOLDER_PATH_MAX];
	enum status status = path_format(part, why, "%s.part", to);
	if (status)
		return status;

	FILE *out = fopen(part, "we");
	if (!out)
		return why_errno(why, "%s: cannot write", part);
	status = text_append(out, from, loaded, why);
	bool failed = ferror(out);
	if (fclose(out) != 0 || failed)
		status = status ? status : why_errno(why, "%s: cannot write", part);
	if (!status && rename(part, to) != 0)
		status = why_errno(why, "%s: cannot write", to);
	if (status)
		unlink(part);
	return status;
}

enum status held_open(struct held *held, const char *path, const char *loaded, struct why *why)
{
	*held = (struct held){.path = path};
	const int descriptor = memfd_create("nxn", 0);
	if (descriptor < 0 || !(held->file = fdopen(descriptor, "w"))) {
		const enum status status = why_errno(why, "%s: cannot be held in memory", path);
		if (descriptor >= 0)
			close(descriptor);
		return status;
	}
	snprintf(held->name, sizeof held->name, "/dev/fd/%d", descriptor);
	enum status status = text_append(held->file, path, loaded, why);
	if (!status && (fflush(held->file) != 0 || ferror(held->file)))
		status = why_errno(why, "%s: cannot be held in memory", path);
	if (status)
		held_close(held);
	return status;
}

void held_close(struct held *held)
{
	if (held->file)
		fclose(held->file);
	held->file = NULL;
}

/* The one of COUNT whose name LINE begins with, or NULL. */
static const struct held *held_at(const struct held *held, int count, const char *line)
{
	for (int i = 0; i < count; i++) {
		const size_t length = strlen(held[i].name);
		const char next = strncmp(line, held[i].name, length) == 0 ? line[length] : '0';
		if (next < '0' || next > '9')
			return &held[i];
	}
	return NULL;
}

void held_name(const struct held *held, int count, const char *line, char *text, size_t size)
{
	size_t used = 0;
	while (*line && used + 1 < size) {
		const struct held *here = held_at(held, count, line);
		const int n = here ? snprintf(text + used, size - used, "%s", here->path)
				   : snprintf(text + used, size - used, "%c", *line);
		used += (size_t)n < size - used ? (size_t)n : size - used - 1;
		line += here ? strlen(here->name) : 1;
	}
	text[used] = '\0';
}
