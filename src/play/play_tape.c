/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Takes notes of a game; see play_tape.h. What appeared behind a move is seen in the next position. */
#include "src/play/play_tape.h"

#include <stdlib.h>

enum status tape_add(struct tape *tape, struct record_move move, struct why *why)
{
	if (tape->moves == tape->room) {
		size_t more = 2 * tape->room + 256;
		struct record_move *grown = reallocarray(tape->move, more, sizeof *grown);
		if (!grown)
			return why_errno(why, "a game of %zu moves", more);
		tape->move = grown;
		tape->room = more;
	}
	tape->move[tape->moves++] = move;
	return STATUS_OK;
}

/* The game has come to BOARD. */
static enum status tape_reach(struct tape *tape, const struct board *board, struct why *why)
{
	if (tape->begun)
		return tape_add(tape, record_move_of(tape->direction, &tape->after, board), why);
	tape->begun = true;
	tape->start = *board;
	return STATUS_OK;
}

bool tape_watch(void *context, const struct turn *turn, int move, const struct decision *decision)
{
	struct tape *tape = context;
	(void)decision;
	tape->status = tape_reach(tape, turn->board, NULL);
	tape->after = turn->moves.after[move];
	tape->direction = move;
	return tape->status == STATUS_OK;
}

enum status tape_end(struct tape *tape, const struct outcome *outcome, struct why *why)
{
	if (!tape->status)
		tape->status = tape_reach(tape, &outcome->last, NULL);
	if (tape->status)
		return why_set(why, tape->status, "a game of %zu moves: out of memory",
			       tape->moves);
	return STATUS_OK;
}

struct record tape_record(const struct tape *tape, const struct board *last, uint64_t score,
			  bool finished)
{
	return (struct record){.start = tape->start,
			       .moves = tape->moves,
			       .move = tape->move,
			       .score = score,
			       .max_exponent = board_max(last),
			       .finished = finished};
}

void tape_fini(struct tape *tape)
{
	free(tape->move);
	*tape = (struct tape){0};
}
