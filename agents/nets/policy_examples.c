/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a policy learns from: the moves of a batch of games, and of recorded ones.
 *
 * Recorded games are shown in turn. With credit=game they are games of the batch like others, so that
 * they are followed as long as they are better (Dedieu, Amar, section 4.1); for the first demo_only
 * batches they are all that is learned from. Other credit needs to know how likely a move was, which
 * of recorded ones nobody does: there they are for those batches only.
 */
#include "agents/nets/policy.h"

#include <stdlib.h>

double policy_potential(int reward, const struct board *board)
{
	switch (reward) {
	case REWARD_SUM:
		return (double)board_sum(board);
	case REWARD_MAX:
		return (double)((uint64_t)1 << board_max(board));
	default:
		return board_max(board) >= 11;
	}
}

/* ARRAY with room for SIZE bytes; as it was, and *ALL false, without memory. */
static void *room_grow(void *array, size_t size, bool *all)
{
	void *more = realloc(array, size);
	if (more)
		return more;
	*all = false;
	return array;
}

/* Room for N moves. */
static enum status examples_grow(struct examples *l, size_t n, struct why *why)
{
	if (n <= l->room)
		return STATUS_OK;
	const size_t room = n + n / 4;
	bool all = true;
	l->board = room_grow(l->board, 2 * room * sizeof *l->board, &all);
	l->out = room_grow(l->out, room * sizeof *l->out, &all);
	l->reward = room_grow(l->reward, room * sizeof *l->reward, &all);
	l->credit = room_grow(l->credit, room * sizeof *l->credit, &all);
	l->target = room_grow(l->target, room * sizeof *l->target, &all);
	l->chance = room_grow(l->chance, room * sizeof *l->chance, &all);
	l->legal = room_grow(l->legal, room, &all);
	l->move = room_grow(l->move, room, &all);
	l->order = room_grow(l->order, room * sizeof *l->order, &all);
	if (!all)
		return why_set(why, STATUS_SYSTEM, "out of memory for the moves of a batch");
	l->room = room;
	return STATUS_OK;
}

void examples_fini(struct examples *l)
{
	free(l->board);
	free(l->out);
	free(l->reward);
	free(l->credit);
	free(l->target);
	free(l->chance);
	free(l->legal);
	free(l->move);
	free(l->order);
	free(l->shown);
	*l = (struct examples){0};
}

/* What a game as a whole is worth. */
static double judge(int reward, double score, double moves, const struct board *last)
{
	if (reward == REWARD_SCORE)
		return score;
	return reward == REWARD_MOVES ? moves : policy_potential(reward, last);
}

static void example_add(struct examples *l, const struct board *board, unsigned legal, int move,
			float reward, float chance)
{
	const size_t i = l->n++;
	l->board[i] = board;
	l->legal[i] = (uint8_t)legal;
	l->move[i] = (uint8_t)move;
	l->reward[i] = reward;
	l->chance[i] = chance;
	l->order[i] = i;
}

static void episode_add(struct policy *p, const struct episode *episode, struct study *study)
{
	struct examples *l = &p->examples;
	const struct outcome *outcome = &episode->outcome;
	*study = (struct study){.first = l->n,
				.moves = (size_t)outcome->moves,
				.judged = judge(p->settings.reward, (double)outcome->score,
						(double)outcome->moves, &outcome->last),
				.last = &outcome->last};
	for (size_t i = 0; i < study->moves; i++) {
		const struct step *step = &episode->step[i];
		example_add(l, &step->board, step->legal, step->move, step->reward, step->chance);
	}
}

/* Plays RECORD again; its boards go into l->shown, behind *USED others. */
static void record_add(struct policy *p, const struct record *record, size_t *used,
		       struct study *study)
{
	struct examples *l = &p->examples;
	struct board *board = &l->shown[*used];
	*study = (struct study){.first = l->n, .moves = record->moves};
	board[0] = record->start;
	for (size_t i = 0; i < record->moves; i++) {
		const struct record_move *move = &record->move[i];
		struct moves moves;
		p->game->moves(&board[i], &moves);
		example_add(l, &board[i], moves.legal, move->direction,
			    (float)moves.reward[move->direction], 0);
		board[i + 1] = moves.after[move->direction];
		if (move->exponent)
			*board_at(&board[i + 1], move->place) = move->exponent;
	}
	study->last = &board[record->moves];
	study->judged =
	    judge(p->settings.reward, (double)record->score, (double)record->moves, study->last);
	*used += record->moves + 1;
}

bool policy_demos_alone(const struct policy *p, uint64_t number)
{
	return p->demos.games > 0 && number < (uint64_t)p->settings.demo_only;
}

/* Recorded games for a batch; none for credit that needs to know how likely a move was. */
static size_t demos_shown(const struct policy *p, uint64_t number)
{
	const bool mixed = p->settings.credit == CREDIT_GAME;
	return p->demos.games && (mixed || policy_demos_alone(p, number))
		   ? (size_t)p->settings.demo_games
		   : 0;
}

static const struct record *demo(const struct policy *p, uint64_t number, size_t i)
{
	const uint64_t shown = (uint64_t)p->settings.demo_games;
	return &p->demos.game[(number * shown + i) % p->demos.games];
}

enum status policy_examples(struct policy *p, const struct episodes *batch, uint64_t number,
			    struct study *study, size_t *games, struct why *why)
{
	struct examples *l = &p->examples;
	const size_t played = policy_demos_alone(p, number) ? 0 : batch->count;
	const size_t shown = demos_shown(p, number);
	size_t moves = played + shown, boards = 0, used = 0;
	for (size_t i = 0; i < played; i++)
		moves += (size_t)batch->episode[i].outcome.moves;
	for (size_t i = 0; i < shown; i++)
		boards += demo(p, number, i)->moves + 1;
	bool room = true;
	if (boards > 0)
		l->shown = room_grow(l->shown, boards * sizeof *l->shown, &room);
	if (!room)
		return why_set(why, STATUS_SYSTEM, "out of memory for recorded games");
	enum status status = examples_grow(l, moves + boards, why);
	if (status)
		return status;
	l->n = 0;
	for (size_t i = 0; i < played; i++)
		episode_add(p, &batch->episode[i], &study[i]);
	for (size_t i = 0; i < shown; i++)
		record_add(p, demo(p, number, i), &used, &study[played + i]);
	*games = played + shown;
	return STATUS_OK;
}
