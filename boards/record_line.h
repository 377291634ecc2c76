/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A line of a record file to and from memory. */
#ifndef NXN_RECORD_LINE_H
#define NXN_RECORD_LINE_H

#include "boards/record.h"

/* What the first line of a record file is, without its newline. */
extern const char record_format_line[];

/* What the next parsed line may need again. Zeroed before the first. */
struct record_parser {
	struct game game; /* that of the line before, with its words */
	char shape[8], spawn[SPAWN_TEXT_MAX];
	struct record_move *move;
	size_t room;
};

/*
 * Takes TEXT, a game's line without its newline, apart: it is cut into pieces. PARSED points into it
 * and into PARSER. STATUS_INPUT says what is wrong, and with which move; STATUS_SYSTEM if memory
 * runs out.
 */
MUST_USE enum status record_parse(struct record_parser *parser, char *text,
				  struct record_line *parsed, struct why *why);
void record_parser_fini(struct record_parser *parser);

/*
 * The line of a game, with its newline, on the heap, and its length. STATUS_INPUT for a player's
 * name that a line cannot hold; STATUS_SYSTEM if memory runs out.
 */
MUST_USE enum status record_format(const struct record_line *line, char **text, size_t *length,
				   struct why *why);

#endif
