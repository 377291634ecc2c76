/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A set of positions, and reading it from a file; see sweep_positions.h. */
#include "src/run/sweep_positions.h"
#include "base/append.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum status set_grow(struct positions *set, struct why *why)
{
	size_t room = set->room ? 2 * set->room : 64;
	struct position *grown = aligned_alloc(_Alignof(struct position), room * sizeof *grown);
	if (!grown)
		return why_errno(why, "%zu positions", room);
	if (set->n)
		memcpy(grown, set->position, set->n * sizeof *grown);
	free(set->position);
	set->position = grown;
	set->room = room;
	return STATUS_OK;
}

enum status positions_add(struct positions *set, const struct game *game, const struct board *board,
			  bool *added, struct why *why)
{
	struct position new = {.board = *board};
	board_canonical(game, board, &new.canonical);
	*added = false;
	for (size_t i = 0; i < set->n; i++)
		if (board_equal(&set->position[i].canonical, &new.canonical))
			return STATUS_OK;
	enum status status = set->n < set->room ? STATUS_OK : set_grow(set, why);
	if (status)
		return status;
	*added = true;
	set->position[set->n++] = new;
	return STATUS_OK;
}

void positions_fini(struct positions *set)
{
	free(set->position);
	*set = (struct positions){0};
}

/* Adds the position TEXT to the set of its shape, if it is one of COUNT. */
static enum status text_add(struct positions *sets, const struct game *const *games, size_t count,
			    const char *text, struct why *why)
{
	struct board board;
	bool added;
	int rows, cols;
	enum status status = board_parse(text, &board, &rows, &cols, why);
	if (status)
		return status;
	size_t i = 0;
	while (i < count && (games[i]->rows != rows || games[i]->cols != cols))
		i++;
	if (i == count)
		return STATUS_OK;
	status = board_read(games[i], text, &board, why);
	if (status)
		return status;
	if (games[i]->over(&board))
		return why_set(why, STATUS_INPUT, "position %s has no legal move", text);
	status = positions_add(&sets[i], games[i], &board, &added, why);
	if (!status && !added)
		status = why_set(why, STATUS_INPUT,
				 "position %s is there already, perhaps turned or mirrored", text);
	return status;
}

static enum status lines_read(struct positions *sets, const struct game *const *games, size_t count,
			      FILE *in, const char *path, struct why *why)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	enum status status = STATUS_OK;
	for (size_t n = 1; !status && (length = getline(&line, &size, in)) > 0; n++) {
		struct why reason;
		if (line[length - 1] != '\n' && lines_cut_short(in))
			break;
		if (strlen(line) != (size_t)length) {
			status = why_set(why, STATUS_INPUT, "%s:%zu: holds a NUL", path, n);
			break;
		}
		while (length > 0 && strchr(" \t\r\n", line[length - 1]))
			line[--length] = '\0';
		if (*line && *line != '#')
			status = text_add(sets, games, count, line, &reason);
		if (status)
			why_set(why, status, "%s:%zu: %s", path, n, reason.text);
	}
	if (!status && lines_cut_short(in))
		status = why_file(why, path, NULL);
	free(line);
	return status;
}

enum status positions_read(struct positions *sets, const struct game *const *games, size_t count,
			   const char *path, struct why *why)
{
	FILE *in = fopen(path, "r");
	if (!in) {
		bool missing = errno == ENOENT || errno == ENOTDIR;
		why_errno(why, "%s", path);
		return missing ? STATUS_INPUT : STATUS_SYSTEM;
	}
	enum status status = lines_read(sets, games, count, in, path, why);
	fclose(in);
	for (size_t i = 0; !status && i < count; i++)
		if (!sets[i].n)
			status = why_set(why, STATUS_INPUT, "%s: holds no position of %s", path,
					 games[i]->name);
	for (size_t i = 0; status && i < count; i++)
		positions_fini(&sets[i]);
	return status;
}
