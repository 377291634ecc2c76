/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which moves of a batch are praised, and how much.
 *
 *	game    R of the whole game, the same for all its moves (Dedieu, Amar, section 3.2.1)
 *	togo    G_t = r_t + gamma G_t+1, less the mean of G_t over the games of the batch, those that are
 *		over counting as 0: what came after a move, against what comes after that many moves
 *	critic  A_t = d_t + gamma lambda A_t+1, d_t = r_t + gamma V_t+1 - V_t with V by another network,
 *		which learns A_t + V_t (Schulman and others, High-dimensional continuous control using
 *		generalized advantage estimation, 2016)
 *
 * Whichever it is, it is then centred and divided by its standard deviation over the batch. r_t is by
 * how much the move made that grow by which games are judged; for the critic times 1 - gamma, so that
 * a value is a mean over what gamma lets one see.
 *
 * Recorded games are shown in turn. With credit=game they are games of the batch like others, so that
 * they are followed as long as they are better (section 4.1); for the first demo_only batches they
 * are all that is learned from, each move praised by 1.
 */
#include "agents/policy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A game that is learned from: its moves are lessons FIRST to FIRST + MOVES - 1. */
struct course {
	size_t first, moves;
	double judged; /* what the whole game is worth */
	const struct board *last;
};

static double sum_of(const struct board *board)
{
	return (double)board_sum(board);
}

/* What grows in the course of a game, if it can be seen from the board. */
static double potential(int reward, const struct board *board)
{
	switch (reward) {
	case REWARD_SUM:
		return sum_of(board);
	case REWARD_MAX:
		return (double)((uint64_t)1 << board_max(board));
	default:
		return board_max(board) >= 11;
	}
}

static bool room_grow(void **array, size_t size)
{
	void *more = realloc(*array, size);
	if (more)
		*array = more;
	return more != NULL;
}

/* Room for N moves. */
static enum status lessons_grow(struct lessons *l, size_t n, struct why *why)
{
	if (n <= l->room)
		return STATUS_OK;
	const size_t room = n + n / 4;
	bool all = room_grow((void **)&l->board, 2 * room * sizeof *l->board);
	all &= room_grow((void **)&l->out, room * sizeof *l->out);
	all &= room_grow((void **)&l->reward, room * sizeof *l->reward);
	all &= room_grow((void **)&l->credit, room * sizeof *l->credit);
	all &= room_grow((void **)&l->target, room * sizeof *l->target);
	all &= room_grow((void **)&l->chance, room * sizeof *l->chance);
	all &= room_grow((void **)&l->legal, room);
	all &= room_grow((void **)&l->move, room);
	all &= room_grow((void **)&l->order, room * sizeof *l->order);
	if (!all)
		return why_set(why, STATUS_SYSTEM, "out of memory for the moves of a batch");
	l->room = room;
	return STATUS_OK;
}

void lessons_fini(struct lessons *l)
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
	*l = (struct lessons){0};
}

/* What a game as a whole is worth. */
static double judge(int reward, double score, double moves, const struct board *last)
{
	if (reward == REWARD_SCORE)
		return score;
	return reward == REWARD_MOVES ? moves : potential(reward, last);
}

static void lesson_add(struct lessons *l, const struct board *board, unsigned legal, int move,
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

static void episode_add(struct policy *p, const struct episode *episode, struct course *course)
{
	struct lessons *l = &p->lessons;
	const struct outcome *outcome = &episode->outcome;
	*course = (struct course){.first = l->n,
				  .moves = (size_t)outcome->moves,
				  .judged = judge(p->settings.reward, (double)outcome->score,
						  (double)outcome->moves, &outcome->last),
				  .last = &outcome->last};
	for (size_t i = 0; i < course->moves; i++) {
		const struct step *step = &episode->step[i];
		lesson_add(l, &step->board, step->legal, step->move, step->reward, step->chance);
	}
}

/* Plays RECORD again; its boards go into l->shown, behind *USED others. */
static void record_add(struct policy *p, const struct record *record, size_t *used,
		       struct course *course)
{
	struct lessons *l = &p->lessons;
	struct board *board = &l->shown[*used];
	*course = (struct course){.first = l->n, .moves = record->moves};
	board[0] = record->start;
	for (size_t i = 0; i < record->moves; i++) {
		const struct record_move *move = &record->move[i];
		struct moves moves;
		p->game->moves(&board[i], &moves);
		lesson_add(l, &board[i], moves.legal, move->direction,
			   (float)moves.reward[move->direction], 0);
		board[i + 1] = moves.after[move->direction];
		if (move->exponent)
			*board_at(&board[i + 1], move->place) = move->exponent;
	}
	course->last = &board[record->moves];
	course->judged =
	    judge(p->settings.reward, (double)record->score, (double)record->moves, course->last);
	*used += record->moves + 1;
}

/* Centred, and in standard deviations; nothing if all are equal. */
static void standardise(float *x, size_t n)
{
	double sum = 0, squares = 0;
	for (size_t i = 0; i < n; i++)
		sum += (double)x[i];
	const double mean = n ? sum / (double)n : 0;
	for (size_t i = 0; i < n; i++)
		squares += ((double)x[i] - mean) * ((double)x[i] - mean);
	const double deviation = n ? sqrt(squares / (double)n) : 0;
	for (size_t i = 0; i < n; i++)
		x[i] = deviation > 0 ? (float)(((double)x[i] - mean) / deviation) : 0;
}

/* R of each game, standardised over the games. */
static void credit_game(struct policy *p, const struct course *course, size_t games)
{
	struct lessons *l = &p->lessons;
	for (size_t g = 0; g < games; g++)
		l->target[g] = (float)course[g].judged;
	standardise(l->target, games);
	for (size_t g = 0; g < games; g++)
		for (size_t i = 0; i < course[g].moves; i++)
			l->credit[course[g].first + i] = l->target[g];
}

/* l->reward becomes r_t of the kind that games are judged by. */
static void rewards_make(struct policy *p, const struct course *course, size_t games)
{
	struct lessons *l = &p->lessons;
	const int kind = p->settings.reward;
	for (size_t g = 0; g < games && kind != REWARD_SCORE; g++)
		for (size_t i = 0; i < course[g].moves; i++) {
			const size_t at = course[g].first + i;
			const bool end = i + 1 == course[g].moves;
			const struct board *next = end ? course[g].last : l->board[at + 1];
			l->reward[at] =
			    kind == REWARD_MOVES
				? 1
				: (float)(potential(kind, next) - potential(kind, l->board[at]));
		}
}

static enum status credit_togo(struct policy *p, const struct course *course, size_t games,
			       struct why *why)
{
	struct lessons *l = &p->lessons;
	size_t longest = 0;
	for (size_t g = 0; g < games; g++) {
		double sum = 0;
		longest = course[g].moves > longest ? course[g].moves : longest;
		for (size_t i = course[g].moves; i-- > 0;) {
			sum = (double)l->reward[course[g].first + i] + p->settings.gamma * sum;
			l->credit[course[g].first + i] = (float)sum;
		}
	}
	double *mean = calloc(longest + 1, sizeof *mean);
	if (!mean)
		return why_set(why, STATUS_SYSTEM, "out of memory for the moves of a batch");
	for (size_t g = 0; g < games; g++)
		for (size_t i = 0; i < course[g].moves; i++)
			mean[i] += (double)l->credit[course[g].first + i] / (double)games;
	for (size_t g = 0; g < games; g++)
		for (size_t i = 0; i < course[g].moves; i++)
			l->credit[course[g].first + i] -= (float)mean[i];
	free(mean);
	standardise(l->credit, l->n);
	return STATUS_OK;
}

static void credit_critic(struct policy *p, const struct course *course, size_t games,
			  struct crew *crew)
{
	struct lessons *l = &p->lessons;
	const double gamma = p->settings.gamma;
	const double unit = gamma < 1 ? 1 - gamma : 0x1p-10;
	fit_outputs(&p->critic_fit, crew, l->board, l->n, l->out);
	for (size_t g = 0; g < games; g++) {
		double next = 0, sum = 0;
		for (size_t i = course[g].moves; i-- > 0;) {
			const size_t at = course[g].first + i;
			const double value = (double)l->out[at][0];
			const double error = unit * (double)l->reward[at] + gamma * next - value;
			sum = error + gamma * p->settings.lambda * sum;
			l->credit[at] = (float)sum;
			l->target[at] = (float)(sum + value);
			next = value;
		}
	}
	standardise(l->credit, l->n);
}

/* Whether batch NUMBER is learned from recorded games alone. */
static bool demos_alone(const struct policy *p, uint64_t number)
{
	return p->demos.games > 0 && number < (uint64_t)p->settings.demo_only;
}

/* Recorded games for a batch; none for credit that needs to know how likely a move was. */
static size_t demos_shown(const struct policy *p, uint64_t number)
{
	const bool mixed = p->settings.credit == CREDIT_GAME;
	return p->demos.games && (mixed || demos_alone(p, number)) ? (size_t)p->settings.demo_games
								   : 0;
}

static const struct record *demo(const struct policy *p, uint64_t number, size_t i)
{
	const uint64_t shown = (uint64_t)p->settings.demo_games;
	return &p->demos.game[(number * shown + i) % p->demos.games];
}

/* The games that batch NUMBER is learned from: COURSE, and their moves in p->lessons. */
static enum status lessons_fill(struct policy *p, const struct episodes *batch, uint64_t number,
				struct course *course, size_t *games, struct why *why)
{
	struct lessons *l = &p->lessons;
	const size_t played = demos_alone(p, number) ? 0 : batch->count;
	const size_t shown = demos_shown(p, number);
	size_t moves = played + shown, boards = 0, used = 0;
	for (size_t i = 0; i < played; i++)
		moves += (size_t)batch->episode[i].outcome.moves;
	for (size_t i = 0; i < shown; i++)
		boards += demo(p, number, i)->moves + 1;
	if (boards > 0 && !room_grow((void **)&l->shown, boards * sizeof *l->shown))
		return why_set(why, STATUS_SYSTEM, "out of memory for recorded games");
	enum status status = lessons_grow(l, moves + boards, why);
	if (status)
		return status;
	l->n = 0;
	for (size_t i = 0; i < played; i++)
		episode_add(p, &batch->episode[i], &course[i]);
	for (size_t i = 0; i < shown; i++)
		record_add(p, demo(p, number, i), &used, &course[played + i]);
	*games = played + shown;
	return STATUS_OK;
}

static enum status lessons_credit(struct policy *p, const struct course *course, size_t games,
				  uint64_t number, struct crew *crew, struct why *why)
{
	struct lessons *l = &p->lessons;
	for (size_t i = 0; demos_alone(p, number) && i < l->n; i++)
		l->credit[i] = 1;
	if (demos_alone(p, number) && p->settings.credit != CREDIT_CRITIC)
		return STATUS_OK;
	if (p->settings.credit == CREDIT_GAME) {
		credit_game(p, course, games);
		return STATUS_OK;
	}
	rewards_make(p, course, games);
	if (p->settings.credit == CREDIT_TOGO)
		return credit_togo(p, course, games, why);
	credit_critic(p, course, games, crew);
	for (size_t i = 0; demos_alone(p, number) && i < l->n; i++)
		l->credit[i] = 1;
	return STATUS_OK;
}

enum status policy_credit(struct policy *p, const struct episodes *batch, uint64_t number,
			  struct crew *crew, struct why *why)
{
	size_t games = batch->count + (size_t)p->settings.demo_games;
	struct course *course = malloc(games * sizeof *course);
	if (!course)
		return why_set(why, STATUS_SYSTEM, "out of memory for the games of a batch");
	enum status status = lessons_fill(p, batch, number, course, &games, why);
	if (!status)
		status = lessons_credit(p, course, games, number, crew, why);
	free(course);
	return status;
}
