/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The game that is watched; see shared_game.h. */
#include "src/play/shared_game.h"

#include "agents/play.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void shared_game_init(struct shared_game *shared)
{
	*shared = (struct shared_game){.lock = PTHREAD_MUTEX_INITIALIZER,
				       .changed = PTHREAD_COND_INITIALIZER};
}

void shared_game_fini(struct shared_game *shared)
{
	free(shared->ply);
	pthread_cond_destroy(&shared->changed);
	pthread_mutex_destroy(&shared->lock);
}

static enum status position_add(struct shared_game *shared, const struct board *board,
				uint64_t score, struct why *why)
{
	if (shared->plies == shared->capacity) {
		size_t more = 2 * shared->capacity + 256;
		struct ply *grown = reallocarray(shared->ply, more, sizeof *grown);
		if (!grown)
			return why_errno(why, "a game of %zu moves", more);
		shared->ply = grown;
		shared->capacity = more;
	}
	struct ply *ply = &shared->ply[shared->plies++];
	*ply = (struct ply){.board = *board, .score = score, .move = MOVE_NONE, .seconds = -1};
	decision_init(&ply->decision);
	return STATUS_OK;
}

enum status shared_game_begin(struct shared_game *shared, const struct game *game,
			      const struct board *board, struct why *why, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(shared->title, sizeof shared->title, format, args);
	va_end(args);
	shared->plies = 0;
	shared->game = game;
	shared->remark[0] = '\0';
	shared->games++;
	shared->over = shared->next = false;
	shared->seconds = 0;
	return position_add(shared, board, 0, why);
}

enum status shared_game_move(struct shared_game *shared, int move, const struct decision *decision,
			     double seconds, const struct board *board, uint64_t score,
			     struct why *why)
{
	struct ply *last = &shared->ply[shared->plies - 1];
	last->move = move;
	last->seconds = (float)seconds;
	if (decision)
		last->decision = *decision;
	return position_add(shared, board, score, why);
}

size_t shared_game_moves(const struct shared_game *shared)
{
	return shared->plies ? shared->plies - 1 : 0;
}

void shared_game_end(struct shared_game *shared, const char *remark)
{
	snprintf(shared->remark, sizeof shared->remark, "%s", remark);
	shared->over = true;
}

void shared_game_fail(struct shared_game *shared, enum status status, const struct why *why)
{
	if (shared->status)
		return;
	shared->status = status;
	shared->why = *why;
}
