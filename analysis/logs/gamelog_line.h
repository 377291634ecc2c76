/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the game log share: a line for its reader and its writer, and the index. */
#ifndef NXN_GAMELOG_LINE_H
#define NXN_GAMELOG_LINE_H

#include "analysis/logs/gamelog.h"

enum { GAMELOG_LINE_MAX = RESULT_NAME_MAX + RESULT_AGENT_MAX + 320 };

/* The header row, without a newline. */
extern const char gamelog_header[];

/* What a line that announces a label begins with. */
extern const char gamelog_player_mark[];

/* What a line that tells the seconds of training begins with. */
extern const char gamelog_training_mark[];

/* Makes the index of LOG anew, after rows were dropped. */
void gamelog_index(struct gamelog *log);

/* Whether a column can hold TEXT: it is not empty and has no control characters. */
bool gamelog_text_valid(const char *text);

/* The number of cells of a board by its name, "4x4", or 0 if that is no shape. */
int gamelog_board_size(const char *board);

/*
 * Takes LINE (without its newline) apart: it is cut into pieces, which PLAYER points to.
 * STATUS_INPUT, after "PATH:NUMBER: ".
 */
MUST_USE enum status gamelog_parse(char *line, const char *path, size_t number,
				   struct gamelog_player *player, struct gamelog_row *row,
				   struct why *why);

/* The line of RESULT with its newline, and its length. STATUS_INPUT if there can be none. */
MUST_USE enum status gamelog_format(const struct result *result, char line[GAMELOG_LINE_MAX],
				    size_t *length, struct why *why);

/*
 * Whether LINE, the first in a file that is no comment, may begin a log; STATUS_INPUT if not. What
 * is torn may be the beginning of a header row.
 */
MUST_USE enum status gamelog_check_header(const char *line, bool torn, const char *path,
					  size_t number, struct why *why);

#endif
