/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The checkpoints of a learner; see checkpoints.h. A line is one write(2), and a line that cannot
 * be read is passed over: what it told is found out again. So that a torn one does not become the
 * beginning of the next, every line that is not the first begins with a newline of its own, and
 * empty lines say nothing.
 */
#include "src/run/checkpoints.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

enum { LINE_BYTES = 128 };

enum status checkpoint_append(const char *path, const struct checkpoint *point, struct why *why)
{
	char line[LINE_BYTES];
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return why_errno(why, "%s: cannot be written", path);
	const char *before = lseek(fd, 0, SEEK_END) > 0 ? "\n" : "";
	int length = snprintf(line, sizeof line, "%s%" PRIu64 " %.6f %" PRIu64 "\n", before,
			      point->trained, point->seconds, point->block);
	errno = ENOSPC; /* of a write that is cut short */
	bool written = write(fd, line, (size_t)length) == length && fsync(fd) == 0;
	enum status status = written ? STATUS_OK : why_errno(why, "%s: cannot be written", path);
	close(fd);
	return status;
}

/* Opens the file; NULL and STATUS_OK if there is none. */
static enum status file_open(const char *path, FILE **file, struct why *why)
{
	*file = fopen(path, "re");
	return *file || errno == ENOENT ? STATUS_OK : why_errno(why, "%s: cannot be read", path);
}

/* The next one; false after the last. */
static bool checkpoint_next(FILE *file, struct checkpoint *point)
{
	char line[LINE_BYTES];
	while (fgets(line, sizeof line, file)) {
		char end = '\0';
		if (sscanf(line, "%" SCNu64 " %lf %" SCNu64 "%c", &point->trained, &point->seconds,
			   &point->block, &end) == 4 &&
		    end == '\n' && isfinite(point->seconds))
			return true;
	}
	return false;
}

/* Closes the file, if there is one; whether all of it was read. */
static enum status file_close(const char *path, FILE *file, struct why *why)
{
	if (!file)
		return STATUS_OK;
	enum status status = ferror(file) ? why_errno(why, "%s: cannot be read", path) : STATUS_OK;
	fclose(file);
	return status;
}

enum status checkpoints_seconds(const char *path, uint64_t trained, double *seconds,
				struct why *why)
{
	FILE *file;
	struct checkpoint point;
	enum status status = file_open(path, &file, why);
	if (status)
		return status;
	*seconds = NAN;
	while (file && checkpoint_next(file, &point))
		if (point.trained == trained)
			*seconds = point.seconds;
	return file_close(path, file, why);
}

enum status checkpoints_ends(const char *path, uint64_t *ends, uint64_t count, struct why *why)
{
	FILE *file;
	struct checkpoint point;
	enum status status = file_open(path, &file, why);
	if (status)
		return status;
	while (file && checkpoint_next(file, &point))
		if (point.block >= 1 && point.block <= count)
			ends[point.block - 1] = point.trained;
	return file_close(path, file, why);
}
