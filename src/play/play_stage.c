/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a game is played for somebody to look at; see play_stage.h. */
#include "src/play/play_stage.h"

#include <stdarg.h>
#include <stdio.h>

void stage_init(struct stage *stage)
{
	*stage =
	    (struct stage){.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
}

void stage_fini(struct stage *stage)
{
	session_fini(&stage->session);
	pthread_cond_destroy(&stage->changed);
	pthread_mutex_destroy(&stage->lock);
}

enum status stage_begin(struct stage *stage, const struct game *game, const struct board *board,
			struct why *why, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(stage->title, sizeof stage->title, format, args);
	va_end(args);
	session_clear(&stage->session);
	stage->game = game;
	stage->remark[0] = '\0';
	stage->games++;
	stage->over = stage->next = false;
	stage->seconds = 0;
	return session_reach(&stage->session, board, 0, why);
}

enum status stage_move(struct stage *stage, int move, const struct thought *thought,
		       const struct board *board, uint64_t score, struct why *why)
{
	session_decide(&stage->session, move, thought);
	return session_reach(&stage->session, board, score, why);
}

void stage_end(struct stage *stage, const char *remark)
{
	snprintf(stage->remark, sizeof stage->remark, "%s", remark);
	stage->over = true;
}

void stage_fail(struct stage *stage, enum status status, const struct why *why)
{
	if (stage->status)
		return;
	stage->status = status;
	stage->why = *why;
}
