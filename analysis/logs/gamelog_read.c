/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the files of game logs, line by line; what a line holds is in gamelog_line.c.
 *
 * A torn last line is never believed, not even an announcement: it may be cut off anywhere.
 */
#include "analysis/logs/gamelog.h"
#include "analysis/logs/gamelog_line.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Adds the game on a line, unless it is there. */
static enum status line_add(struct gamelog *log, char *line, const char *path, size_t number,
			    struct why *why)
{
	struct gamelog_player player;
	struct gamelog_row row;
	struct why reason;

	enum status status = gamelog_parse(line, path, number, &player, &row, why);
	if (status != STATUS_OK)
		return status;
	status = gamelog_add(log, &player, &row, &reason);
	if (status != STATUS_OK)
		why_set(why, status, "%s:%zu: %s", path, number, reason.text);
	return status;
}

/* Takes in a line that tells the seconds of training; one that does not is like provenance. */
static enum status training_add(struct gamelog *log, const char *text, struct why *why)
{
	uint64_t config;
	double seconds;
	int length = 0;

	sscanf(text, "%16" SCNx64 " %lf%n", &config, &seconds, &length);
	if (length == 0 || text[length] || !(seconds >= 0 && isfinite(seconds)))
		return STATUS_OK;
	return gamelog_note_training(log, config, seconds, why);
}

/* Takes in a `#` line: an announcement, training, or provenance, which is for people. */
static enum status comment_add(struct gamelog *log, const char *line, struct why *why)
{
	size_t mark = strlen(gamelog_player_mark), training = strlen(gamelog_training_mark);

	if (strncmp(line, gamelog_training_mark, training) == 0)
		return training_add(log, line + training, why);

	if (strncmp(line, gamelog_player_mark, mark) != 0 || !line[mark])
		return STATUS_OK;
	return gamelog_announce(log, line + mark, why);
}

static enum status lines_read(struct gamelog *log, FILE *file, const char *path, struct why *why)
{
	enum status status = STATUS_OK;
	bool begun = false, torn = false;
	char *line = NULL;
	size_t room = 0, number = 0;
	ssize_t length;

	while (status == STATUS_OK && !torn && (length = getline(&line, &room, file)) > 0) {
		number++;
		torn = line[length - 1] != '\n';
		if (!torn)
			line[--length] = '\0';
		if (line[0] == '#') {
			status = torn ? STATUS_OK : comment_add(log, line, why);
			continue;
		}
		if (!begun)
			status = gamelog_check_header(line, torn, path, number, why);
		else if (strlen(line) != (size_t)length && !torn)
			status =
			    why_set(why, STATUS_INPUT, "%s:%zu: holds a zero byte", path, number);
		else if (!torn)
			status = line_add(log, line, path, number, why);
		begun = true;
	}
	if (status == STATUS_OK && lines_cut_short(file))
		status = why_file(why, path, "cannot be read");
	if (status == STATUS_OK)
		log->torn += torn;
	free(line);
	return status;
}

enum status gamelog_read(struct gamelog *log, const char *path, struct why *why)
{
	size_t count = log->count, duplicates = log->duplicates;
	FILE *file = fopen(path, "re");

	if (!file && errno == ENOENT)
		return why_set(why, STATUS_INPUT, "%s: no such game log", path);
	if (!file)
		return why_file(why, path, "cannot be read");
	enum status status = lines_read(log, file, path, why);
	fclose(file);
	if (status != STATUS_OK) {
		log->count = count;
		log->duplicates = duplicates;
		gamelog_index(log);
	}
	return status;
}
