/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the agent relative learns: a batch of games is played with the network as it is, judged
 * against its own median, and every move of it pulls the network towards what should have been said
 * (agents/nets/relative_targets.c): a step of Adam along the mean of the gradients over all moves of the
 * batch, or steps for minibatches of them.
 *
 * The article does not say how many steps a batch makes: one is what its text and its tools'
 * defaults suggest (L1Loss means the mean).
 */
#include "agents/nets/chances.h"
#include "agents/nets/relative.h"

#include <stdlib.h>

/* Behind the games of the network in a batch stand the random ones, if there are any. */
static bool game_random(const struct relative *r, uint64_t index)
{
	const uint64_t size = (uint64_t)r->settings.batch_size;
	return r->settings.random_games && index % (2 * size) >= size;
}

static bool game_aside(const void *context, uint64_t index)
{
	return game_random(context, index);
}

static void game_start(const void *context, uint64_t index, struct rng *rng, struct board *board)
{
	const struct relative *r = context;
	(void)index;
	(void)rng;
	*board = r->course.start;
}

static bool game_ends(const void *context, uint64_t index, const struct board *board)
{
	const struct relative *r = context;
	const int mini = r->settings.game_type != GAME_FULL;
	const int limit = mini ? r->course.exponent + 1 : r->limit;
	(void)index;
	return limit && board_max(board) >= limit;
}

static int game_choose(const void *context, uint64_t index, const struct turn *turn,
		       const double chance[DIRECTIONS], struct rng *rng)
{
	const struct relative *r = context;
	const double frac = r->settings.random_frac;
	if (game_random(r, index) || (frac > 0 && rng_real(rng) < frac))
		return moves_any(&turn->moves, rng);
	return chances_draw(chance, rng);
}

static void games_judge(struct relative *r, const struct episodes *batch)
{
	const enum game_penalty penalty = (enum game_penalty)r->settings.game_penalty_type;
	for (size_t i = 0; i < batch->count; i++)
		r->games[i].measure = relative_measure(penalty, &batch->episode[i].outcome);
	relative_judge(r->games, batch->count, penalty != GAME_PENALTY_NONE, r->scratch);
}

/* Room for N moves. */
static enum status lessons_grow(struct relative *r, size_t n, struct why *why)
{
	if (n <= r->room)
		return STATUS_OK;
	const size_t room = n + n / 4;
	void *lesson = realloc(r->lesson, room * sizeof *r->lesson);
	r->lesson = lesson ? lesson : r->lesson;
	void *board = realloc(r->board, room * sizeof *r->board);
	r->board = board ? board : r->board;
	if (!lesson || !board)
		return why_set(why, STATUS_SYSTEM, "out of memory for the moves of a batch");
	r->room = room;
	return STATUS_OK;
}

/* The moves of a game, from AT on. */
static void game_lessons(const struct relative *r, const struct episode *episode,
			 const struct standing *standing, struct relative_lesson *at)
{
	const enum move_penalty penalty = (enum move_penalty)r->settings.move_penalty_type;
	const double j = standing->weight * (standing->good ? 1 : r->settings.bad);
	const uint64_t moves = episode->outcome.moves;
	for (uint64_t i = 0; i < moves; i++) {
		const struct step *step = &episode->step[i];
		const double k = relative_move_weight(penalty, r->game, &step->board, i + 1, moves);
		at[i] = (struct relative_lesson){.board = &step->board,
						 .weight = (float)(j * k),
						 .legal = step->legal,
						 .move = step->move,
						 .good = standing->good};
	}
}

/* All moves of the batch; how many they are. */
static enum status lessons_fill(struct relative *r, const struct episodes *batch, size_t *n,
				struct why *why)
{
	size_t moves = 0, at = 0;
	for (size_t i = 0; i < batch->count; i++)
		moves += (size_t)batch->episode[i].outcome.moves;
	enum status status = lessons_grow(r, moves, why);
	if (status)
		return status;
	for (size_t i = 0; i < batch->count; i++) {
		game_lessons(r, &batch->episode[i], &r->games[i], r->lesson + at);
		at += (size_t)batch->episode[i].outcome.moves;
	}
	*n = moves;
	return STATUS_OK;
}

/* Fisher, Yates. */
static void lessons_shuffle(struct relative *r, size_t n, uint64_t seed, uint64_t number)
{
	struct rng rng;
	rng_init(&rng, seed, RNG_SHUFFLE, number);
	for (size_t i = n; i > 1; i--) {
		const size_t j = rng_below(&rng, (uint32_t)i);
		const struct relative_lesson swap = r->lesson[i - 1];
		r->lesson[i - 1] = r->lesson[j];
		r->lesson[j] = swap;
	}
}

/* What a step is made of. */
struct minibatch {
	const struct relative_lesson *lesson;
	bool all; /* among all moves */
};

/* The loss shrinks. */
static void lesson_grade(void *context, size_t i, const float out[DIRECTIONS],
			 float back[DIRECTIONS])
{
	const struct minibatch *m = context;
	const struct relative_lesson *lesson = &m->lesson[i];
	const unsigned among = m->all ? (1u << DIRECTIONS) - 1 : lesson->legal;
	double p[DIRECTIONS], y[DIRECTIONS], gradient[DIRECTIONS];
	softmax(out, DIRECTIONS, among, p);
	relative_target(among, lesson->move, lesson->good, y);
	relative_gradient(p, y, (double)lesson->weight, gradient);
	for (int d = 0; d < DIRECTIONS; d++)
		back[d] = (float)-gradient[d];
}

static void lessons_learn(struct relative *r, size_t n, uint64_t seed, struct thread_team *team)
{
	const size_t size = r->settings.minibatch ? (size_t)r->settings.minibatch : n;
	if (size < n)
		lessons_shuffle(r, n, seed, r->batches.learned);
	for (size_t i = 0; i < n; i++)
		r->board[i] = r->lesson[i].board;
	for (size_t first = 0; first < n; first += size) {
		const size_t count = n - first < size ? n - first : size;
		struct minibatch m = {.lesson = r->lesson + first,
				      .all = r->settings.among == AMONG_ALL};
		const struct fit_step step = {.board = r->board + first,
					      .n = count,
					      .grade = lesson_grade,
					      .context = &m,
					      .alpha = r->settings.lr,
					      .weight = 1.0 / (double)count};
		fit_make(&r->fit, team, &step);
	}
}

static enum status batch_learn(void *context, const struct episodes *batch, uint64_t seed,
			       struct thread_team *team, struct why *why)
{
	struct relative *r = context;
	size_t n = 0;
	games_judge(r, batch);
	enum status status = fit_ready(&r->fit, why);
	if (!status)
		status = lessons_fill(r, batch, &n, why);
	if (status)
		return status;
	lessons_learn(r, n, seed, team);
	if (r->settings.game_type != GAME_FULL)
		relative_course_next(&r->course, seed, r->batches.learned, batch, r->games);
	return STATUS_OK;
}

static void learning_start(void *context, uint64_t seed)
{
	struct relative *r = context;
	brain_start(&r->brain, seed, 0);
	if (r->settings.game_type != GAME_FULL)
		relative_course_begin(&r->course, seed);
}

void relative_learn(void *self, const struct training_request *request)
{
	struct relative *r = self;
	const struct batch_rules rules = {
	    .brain = &r->brain,
	    .play = {.start = r->settings.game_type == GAME_FULL ? NULL : game_start,
		     .ends = game_ends,
		     .choose = game_choose,
		     .aside = game_aside,
		     .context = r},
	    .start = learning_start,
	    .update = batch_learn,
	    .context = r};
	batches_learn(&r->batches, &rules, request);
}
