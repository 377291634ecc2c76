/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The history of a game; see play_session.h. */
#include "src/play/play_session.h"

#include <math.h>
#include <stdlib.h>

void thought_init(struct thought *thought)
{
	*thought = (struct thought){.seconds = -1};
	for (int d = 0; d < DIRECTIONS; d++) {
		thought->value[d] = NAN;
		thought->chance[d] = NAN;
	}
}

struct thought thought_of(const struct decision *decision, double seconds)
{
	struct thought thought = {
	    .nodes = decision->nodes, .depth = decision->depth, .seconds = (float)seconds};
	for (int d = 0; d < DIRECTIONS; d++) {
		thought.value[d] = decision->value[d];
		thought.chance[d] = (float)decision->chance[d];
	}
	return thought;
}

bool thought_tells(const struct thought *thought)
{
	for (int d = 0; d < DIRECTIONS; d++)
		if (!isnan(thought->value[d]) || !isnan(thought->chance[d]))
			return true;
	return false;
}

enum status session_reach(struct session *session, const struct board *board, uint64_t score,
			  struct why *why)
{
	if (session->count == session->room) {
		size_t more = 2 * session->room + 256;
		struct moment *grown = reallocarray(session->moment, more, sizeof *grown);
		if (!grown)
			return why_errno(why, "a game of %zu moves", more);
		session->moment = grown;
		session->room = more;
	}
	struct moment *moment = &session->moment[session->count++];
	*moment = (struct moment){.board = *board, .score = score, .move = MOVE_NONE};
	thought_init(&moment->thought);
	return STATUS_OK;
}

void session_decide(struct session *session, int move, const struct thought *thought)
{
	struct moment *last = &session->moment[session->count - 1];
	last->move = move;
	last->thought = *thought;
}

void session_clear(struct session *session)
{
	session->count = 0;
}

size_t session_moves(const struct session *session)
{
	return session->count ? session->count - 1 : 0;
}

void session_fini(struct session *session)
{
	free(session->moment);
	*session = (struct session){0};
}
