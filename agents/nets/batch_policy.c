/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A policy that learns from batches of games; see batch_policy.h.
 *
 * Invariant: learned * size <= ended <= (learned + 1) * size, with equality on the right only
 * inside batch_policy_learn().
 */
#include "agents/nets/batch_policy.h"

#include "base/array.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

/*
 * Games that a thread plays side by side, and positions per call of a player: batches for the
 * network.
 */
enum { EPISODE_LANES = 64, CHANCES_ROOM = 64 };

/* A running game. */
struct episode_lane {
	struct episode *episode;
	struct rng rng;
	struct board board;
	double uncertainty; /* sum over the moves */
};

/* A worker: its lanes, and the network's results for their positions. */
struct episode_worker {
	struct episode_lane lane[EPISODE_LANES];
	struct staged_work work;
	const struct board *board[EPISODE_LANES];
	float out[EPISODE_LANES][DIRECTIONS];
};

/* A batch that is being played. */
struct episode_round {
	struct batch_policy *b;
	uint64_t seed, first;
	atomic_size_t next; /* the first game that has not started */
};

static void team_free(struct batch_policy *b)
{
	for (int i = 0; i < b->threads; i++)
		staged_work_fini(&b->worker[i].work);
	free(b->worker);
	thread_team_free(b->team);
	b->worker = NULL;
	b->team = NULL;
	b->threads = 0;
}

enum status batch_policy_borrow(void *self, const struct game *game, const void *owner,
				struct why *why)
{
	struct batch_policy *b = self;
	b->game = game;
	b->learner = ((const struct batch_policy *)owner)->learner;
	return staged_work_init(&b->work, &b->learner->network, CHANCES_ROOM, why);
}

void batch_policy_fini(void *self)
{
	struct batch_policy *b = self;
	staged_work_fini(&b->work);
	staged_fini(&b->network);
	gradient_fini(&b->gradient);
	team_free(b);
	const size_t games = b->episodes.count + b->episodes.recorded;
	for (size_t i = 0; b->episodes.episode && i < games; i++)
		free(b->episodes.episode[i].step);
	free(b->episodes.episode);
	free(b->example);
	free(b->board);
	b->episodes = (struct episodes){0};
	b->example = NULL;
	b->board = NULL;
	b->room = 0;
}

enum status batch_policy_make(struct batch_policy *b, const struct batch_rules *rules,
			      const struct game *game, const struct staged_plan *plan, size_t games,
			      size_t recorded, enum optimiser_kind kind, double rho,
			      struct why *why)
{
	b->rules = rules;
	b->game = game;
	b->learner = b;
	enum status status = staged_init(&b->network, game, plan, why);
	if (!status)
		status = staged_work_init(&b->work, &b->network, CHANCES_ROOM, why);
	b->episodes =
	    (struct episodes){.count = games,
			      .recorded = recorded,
			      .episode = calloc(games + recorded, sizeof *b->episodes.episode)};
	if (!status && !b->episodes.episode)
		status =
		    why_set(why, STATUS_SYSTEM, "out of memory for a batch of %zu games", games);
	if (!status)
		status = gradient_init(&b->gradient, &b->network, kind, rho, why);
	if (status)
		batch_policy_fini(b);
	else
		staged_start(&b->network, 1, 0);
	return status;
}

/* Computes the probabilities in 1 to CHANCES_ROOM turns. */
static void chances_slice(struct batch_policy *b, const struct turn *turns, size_t n,
			  double (*chance)[DIRECTIONS])
{
	const struct board *board[CHANCES_ROOM];
	float out[CHANCES_ROOM][DIRECTIONS];
	assert(n > 0 && n <= CHANCES_ROOM);
	for (size_t i = 0; i < n; i++)
		board[i] = turns[i].board;
	staged_outputs(&b->learner->network, &b->work, board, n, out);
	for (size_t i = 0; i < n; i++)
		softmax(out[i], turns[i].moves.legal, chance[i]);
}

void batch_policy_chances(void *self, const struct turn *turns, size_t n,
			  double (*chance)[DIRECTIONS])
{
	for (size_t i = 0; i < n; i += CHANCES_ROOM)
		chances_slice(self, turns + i, n - i < CHANCES_ROOM ? n - i : CHANCES_ROOM,
			      chance + i);
}

int batch_policy_act(void *self, const struct turn *turn, struct rng *rng,
		     struct decision *decision)
{
	const struct batch_policy *b = self;
	batch_policy_chances(self, turn, 1, &decision->chance);
	for (int d = 0; d < DIRECTIONS; d++)
		if (turn->moves.legal >> d & 1)
			decision->value[d] = decision->chance[d];
	return b->play == PLAY_SAMPLE ? chances_draw(decision->chance, rng)
				      : chances_best(decision->chance);
}

uint64_t batch_policy_trained(const void *self)
{
	return ((const struct batch_policy *)self)->learner->ended;
}

enum policy_kind batch_policy_kind(const void *self)
{
	const struct batch_policy *b = self;
	return b->play == PLAY_SAMPLE ? POLICY_CHANCES : POLICY_FIXED;
}

/* Starts the next game in LANE; false if there is none. */
static bool lane_begin(struct episode_round *p, struct episode_lane *lane)
{
	const size_t number = atomic_fetch_add(&p->next, 1);
	if (number >= p->b->episodes.count)
		return false;
	struct episode *episode = &p->b->episodes.episode[number];
	episode->index = p->first + number;
	episode->outcome = (struct outcome){0};
	episode->out_of_memory = false;
	*lane = (struct episode_lane){.episode = episode};
	rng_init(&lane->rng, p->seed, RNG_TRAIN, episode->index);
	const struct batch_rules *rules = p->b->rules;
	const bool layout = rules->layout && rules->layout(p->b, &lane->board);
	if (!layout)
		board_start(p->b->game, &lane->board, &lane->rng);
	episode->outcome.partial = layout || (rules->aside && rules->aside(p->b, episode->index));
	return true;
}

struct episode_move *episode_step(struct episode *episode)
{
	const size_t used = (size_t)episode->outcome.moves;
	struct episode_move *step = array_grow(episode->step, used, &episode->room, sizeof *step);
	episode->out_of_memory = !step;
	if (!step)
		return NULL;
	episode->step = step;
	return &step[used];
}

/* Makes the move of a lane; false if its game is over. */
static bool lane_move(struct episode_round *p, struct episode_lane *lane,
		      const float out[DIRECTIONS])
{
	const struct batch_rules *rules = p->b->rules;
	struct episode *episode = lane->episode;
	struct turn turn;
	struct decision decision;
	turn_init(&turn, p->b->game, &lane->board, episode->outcome.score);
	if (!turn.moves.legal || (rules->ends && rules->ends(p->b, &lane->board)))
		return false;
	struct episode_move *step = episode_step(episode);
	if (!step)
		return false;
	softmax(out, turn.moves.legal, decision.chance);
	const int d = rules->choose(p->b, episode->index, &turn, decision.chance, &lane->rng);
	*step = (struct episode_move){.board = lane->board,
				      .legal = (uint8_t)turn.moves.legal,
				      .move = (uint8_t)d,
				      .chance = (float)decision.chance[d],
				      .reward = (float)turn.moves.reward[d]};
	lane->uncertainty += decision_uncertainty(&decision);
	episode->outcome.moves++;
	episode->outcome.score += turn.moves.reward[d];
	p->b->game->spawn_into(p->b->game, &turn.moves.after[d], &lane->board, &lane->rng);
	return true;
}

static void worker_task(void *context, size_t number, int worker)
{
	struct episode_round *p = context;
	struct episode_worker *self = &p->b->worker[number];
	(void)worker;
	/* Distributes games evenly, so that no game waits while a thread is idle. */
	const size_t threads = (size_t)p->b->threads;
	const size_t share = (p->b->episodes.count + threads - 1) / threads;
	const size_t most = share < EPISODE_LANES ? share : EPISODE_LANES;
	size_t live = 0;
	while (live < most && lane_begin(p, &self->lane[live]))
		live++;
	while (live > 0) {
		for (size_t i = 0; i < live; i++)
			self->board[i] = &self->lane[i].board;
		staged_outputs(&p->b->network, &self->work, self->board, live, self->out);
		for (size_t i = live; i-- > 0;) {
			struct episode_lane *lane = &self->lane[i];
			if (lane_move(p, lane, self->out[i]))
				continue;
			outcome_end(&lane->episode->outcome, &lane->board, lane->uncertainty);
			if (!lane_begin(p, lane))
				*lane = self->lane[--live];
		}
	}
}

/* Plays the batch. Its games depend only on (network, seed, index). */
static enum status episodes_play(struct batch_policy *b, uint64_t seed)
{
	struct episodes *e = &b->episodes;
	struct episode_round round = {.b = b, .seed = seed, .first = b->learned * e->count};
	thread_team_run(b->team, worker_task, &round, (size_t)b->threads);
	for (size_t i = 0; i < e->count; i++)
		if (e->episode[i].out_of_memory)
			return STATUS_SYSTEM;
	return STATUS_OK;
}

/* Creates a team of THREADS threads, or of one if that fails; the results are the same. */
static enum status team_resize(struct batch_policy *b, int threads)
{
	enum status status = STATUS_OK;
	assert(threads > 0);
	if (b->threads == threads)
		return STATUS_OK;
	team_free(b);
	if (threads > 1 && thread_team_new(threads, &b->team, NULL))
		threads = 1;
	b->worker = calloc((size_t)threads, sizeof *b->worker);
	if (!b->worker)
		return STATUS_SYSTEM;
	for (; !status && b->threads < threads; b->threads += !status)
		status =
		    staged_work_init(&b->worker[b->threads].work, &b->network, EPISODE_LANES, NULL);
	return status;
}

/* Reports the games that were not reported yet. Returns false if training must stop. */
static bool batch_report(struct batch_policy *b, const struct training_request *request)
{
	const uint64_t first = b->learned * b->episodes.count;
	while (b->ended < first + b->episodes.count) {
		const struct outcome *outcome = &b->episodes.episode[b->ended - first].outcome;
		if (b->ended >= request->end)
			return false;
		b->ended++;
		if (!request->over(request->context, outcome))
			return false;
	}
	return true;
}

void batch_policy_learn(void *self, const struct training_request *request)
{
	struct batch_policy *b = self;
	bool more = b->ended < request->end;
	enum status status = team_resize(b, request->threads);
	if (!b->started)
		b->rules->start(b, request->seed);
	b->started = true;
	while (more && !status && !b->out_of_memory) {
		const uint64_t first = b->learned * b->episodes.count;
		status = episodes_play(b, request->seed);
		if (status)
			break;
		more = batch_report(b, request);
		if (b->ended < first + b->episodes.count)
			break;
		status = gradient_reserve(&b->gradient, NULL);
		if (!status)
			status = b->rules->update(b, request->seed, NULL);
		b->learned++;
		more &= b->ended < request->end;
	}
	b->out_of_memory |= status != STATUS_OK;
}

/* Allocates room for N examples. */
static enum status examples_room(struct batch_policy *b, size_t n, struct why *why)
{
	if (n <= b->room)
		return STATUS_OK;
	const size_t room = n + n / 4;
	void *example = realloc(b->example, room * sizeof *b->example);
	b->example = example ? example : b->example;
	void *board = realloc(b->board, room * sizeof *b->board);
	b->board = board ? board : b->board;
	if (!example || !board)
		return why_set(why, STATUS_SYSTEM, "out of memory for the moves of a batch");
	b->room = room;
	return STATUS_OK;
}

enum status batch_policy_examples(struct batch_policy *b, struct episode *episode, size_t games,
				  struct why *why)
{
	size_t moves = 0;
	b->examples = 0;
	for (size_t i = 0; i < games; i++)
		moves += (size_t)episode[i].outcome.moves;
	const enum status status = examples_room(b, moves, why);
	for (size_t i = 0; !status && i < games; i++, episode++) {
		episode->first = b->examples;
		for (uint64_t k = 0; k < episode->outcome.moves; k++) {
			const struct episode_move *move = &episode->step[k];
			b->example[b->examples++] = (struct example){.board = &move->board,
								     .legal = move->legal,
								     .move = move->move,
								     .reward = move->reward,
								     .chance = move->chance};
		}
	}
	return status;
}

const struct board *const *batch_policy_boards(struct batch_policy *b)
{
	for (size_t i = 0; i < b->examples; i++)
		b->board[i] = b->example[i].board;
	return b->board;
}

float (*batch_policy_outputs(struct batch_policy *b, struct gradient *gradient,
			     struct why *why))[DIRECTIONS]
{
	float(*out)[DIRECTIONS] = malloc((b->examples + 1) * sizeof *out);
	if (out)
		gradient_outputs(gradient, b->team, batch_policy_boards(b), b->examples, out);
	else
		why_set(why, STATUS_SYSTEM, "out of memory for the moves of a batch");
	return out;
}

/* Shuffles by Fisher and Yates. */
static void examples_shuffle(struct batch_policy *b, uint64_t seed, uint64_t number)
{
	struct rng rng;
	rng_init(&rng, seed, RNG_SHUFFLE, number);
	for (size_t i = b->examples; i > 1; i--) {
		const size_t j = rng_below(&rng, (uint32_t)i);
		const struct example swap = b->example[i - 1];
		b->example[i - 1] = b->example[j];
		b->example[j] = swap;
	}
}

void batch_policy_steps(struct batch_policy *b, int64_t minibatch, int64_t epochs, uint64_t seed,
			struct gradient_batch *step, size_t n)
{
	const size_t all = b->examples, size = minibatch ? (size_t)minibatch : all;
	for (int64_t epoch = 0; epoch < epochs; epoch++) {
		if (minibatch)
			examples_shuffle(b, seed, b->learned * (uint64_t)epochs + (uint64_t)epoch);
		const struct board *const *board = batch_policy_boards(b);
		for (size_t first = 0; first < all; first += size)
			for (size_t i = 0; i < n; i++) {
				step[i].context = b;
				step[i].board = board;
				step[i].first = first;
				step[i].end = all - first < size ? all : first + size;
				gradient_step(b->team, &step[i]);
			}
	}
}

void batch_policy_numbers(struct batch_policy *b, struct model_file *file)
{
	if (b->out_of_memory)
		model_fail(file, STATUS_SYSTEM, "out of memory for the games of a batch");
	b->ended = model_number(file, b->ended, UINT64_MAX);
	b->learned = model_number(file, b->learned, UINT64_MAX);
	const uint64_t started = model_number(file, b->started, UINT64_MAX);
	b->started = started;
	if (model_reading(file) &&
	    (b->ended != model_header(file)->games || b->learned != b->ended / b->episodes.count ||
	     started > 1 || (b->ended > 0 && !started)))
		model_reject(file, "numbers of games that do not agree",
			     "whole batches, and part of one");
	model_section_end(file);
}

void batch_policy_sections(struct batch_policy *b, struct model_file *file)
{
	staged_sections(&b->network, file);
	gradient_sections(&b->gradient, file);
}

void batch_policy_layout(const void *self, char *layout)
{
	staged_layout(&((const struct batch_policy *)self)->learner->network, layout);
}
