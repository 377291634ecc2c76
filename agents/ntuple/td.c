/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Temporal difference learning of an n-tuple network from its own games.
 *
 * A game visits x_0, x_1, ..., with values V(x_t) by the network. After each move
 *
 * 	delta = r + gamma V(x_t) - V(x_t-1)
 *
 * is distributed over the features of x_t-1 (and with lambda > 0 of those before). The rules differ
 * in what x is, what r is and how a move is chosen:
 *
 * 	td-after   x after-states      r of the move to x_t     max of r + V(after-state)
 * 	td-state   x positions         r of the move from x_t-1   max of r + E V(next position)
 * 	q          x after-states      r of the move to x_t-1   max of V(after-state)
 *
 * When td-state chooses a move, terminal positions have the network's value, as in figure 8 of the
 * report "2048-Temporal Difference Learning" (Deep Learning and Practice, lab 3); or 0 (lost=zero).
 *
 * With q, V(x_t) is Q(s, a): it includes the points of its own move, and its target is the largest
 * Q of the next position. At the end of a game V(x_t) = 0, and with terminal=neg-score r is minus
 * the score. q-added is q with V(x_t) the points of the move to x_t plus the sum of the weights; it
 * is only for networks on demand, which learn by q or q-added, forward.
 *
 * Every weight w of the m features of x learns, with e = delta or, for error=sqrt, sign(delta)
 * sqrt|alpha delta| m / alpha:
 *
 * 	fixed    w += alpha e / m
 * 	tc       w += alpha e / m * |E| / A, then E += delta, A += |delta|; 1 for |E| / A
 * 		while A = 0
 * 	visits   w += alpha e / m / sqrt(n), n the number of updates of w, including this one
 *
 * tc is temporal coherence (Beal, Smith, IJCAI 1999; Jaskowski, IEEE TG 2018), visits the frequency
 * scaling, and error=sqrt the root, of Mayer-Hirshfeld, Navarro, Saleh (AI Agent for 2048, sec. 4).
 *
 * forward: at every move, with truncated traces: x_t-1-k gets (gamma lambda)^k delta, k < trace
 * (Jaskowski 2018); if epsilon makes a move other than the best, td-after and q still learn from
 * the best. backward: at the end of the game from the last x to the first, towards
 * 	G_t-1 = r + gamma ((1 - lambda) V(x_t) + lambda G_t),
 * with the current V (as in update_episode() of the same report).
 *
 * A thread plays `lanes` games in turn, one move of each: while one game waits for its weights,
 * which are prefetched as soon as its moves are known, the others continue.
 *
 * Threads. All threads update the same weights without a lock (Niu et al.: Hogwild!, NIPS 2011). A
 * weight is an aligned float, which every machine with 32-bit words reads and writes as a whole.
 * One of two concurrent updates may be lost, as if that game had skipped it; a weight never mixes
 * the halves of two values. With one thread no update is lost.
 *
 * Invariant: the turn of a lane does not depend on whether its game was just fetched from `waiting`
 * or was there before, and lanes keep their cyclic order; so stopping and resuming change nothing.
 * For that, a lane whose game has ended starts another one at once: an empty lane between others
 * would not be restored.
 */
#include "agents/ntuple/ntuple.h"
#include "base/stop.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/*
 * Prefetches the data for updating the weights of the features. Always inlined: gcc 12 considers a
 * function that only prefetches free of effects and drops calls of it.
 */
ALWAYS_INLINE void network_prefetch_coherence(const struct network *network, const uint32_t *index)
{
	for (int f = 0; network->plan.visits && f < network->indexer.features; f++)
		__builtin_prefetch(&network->weight[index[f] + NETWORK_BOX], 1);
	for (int f = network->indexer.first_cold;
	     network->coherence && f < network->indexer.features; f++)
		__builtin_prefetch(&network->coherence[index[f]], 1);
}

/* Returns FROM plus the weights of a network on demand, added one by one in double precision. */
static inline double network_sum_exact(const struct network *network, double from,
				       const uint32_t *index)
{
	for (int f = 0; f < network->indexer.features; f++)
		from += (double)network->weight[index[f]];
	return from;
}

/*
 * Returns V for these indices. Uses four partial sums, so that additions need not wait for each
 * other; the result is the same on every machine.
 */
RACES static inline float network_sum(const struct network *network, const uint32_t *index)
{
	const int features = network->indexer.features;
	const float *weight = network->weight;
	float a = 0, b = 0, c = 0, d = 0;
	int f = 0;
	for (; f + 4 <= features; f += 4) {
		const struct index_pair ab = index_two(index + f), cd = index_two(index + f + 2);
		a += weight[ab.a];
		b += weight[ab.b];
		c += weight[cd.a];
		d += weight[cd.b];
	}
	for (; f < features; f++)
		a += weight[index[f]];
	return (float)network->plan.start + ((a + b) + (c + d));
}

/* Returns the current value of the features X; with q-added, plus REWARD, that of the move. */
static inline double features_value(const struct network *network, const struct td_options *options,
				    const uint32_t *x, double reward)
{
	if (__builtin_expect(network->directory != NULL, 0))
		return network_sum_exact(network, options->rule == RULE_Q_ADDED ? reward : 0, x);
	return (double)network_sum(network, x);
}

/* Converts indices to places in the blocks, and prefetches the weights there. */
static void blocks_find(const struct network *network, const uint64_t *wide, uint32_t *index)
{
	for (int f = 0; f < network->indexer.stride; f++) {
		const uint32_t block = network->directory[wide[f] / NETWORK_BOX];
		index[f] = block * network->block + (uint32_t)(wide[f] % NETWORK_BOX);
		__builtin_prefetch(&network->weight[index[f]], 0, 2);
	}
}

/*
 * network_lookup() for a network on demand, after allocating blocks for all features of BOARD.
 * False if no more are available.
 */
static bool network_grow(struct network *network, const struct board *board, uint32_t *index)
{
	uint64_t wide[FEATURES_MAX];
	network->indexer.kernel.run_wide(&network->indexer, board, wide);
	for (int f = 0; f < network->indexer.features; f++) {
		const uint64_t box = wide[f] / NETWORK_BOX;
		if (!network->directory[box] && !network_box_add(network, box))
			return false;
	}
	blocks_find(network, wide, index);
	return true;
}

static void lookup_on_demand(const struct network *network, const struct board *board,
			     uint32_t *index)
{
	uint64_t wide[FEATURES_MAX];
	network->indexer.kernel.run_wide(&network->indexer, board, wide);
	blocks_find(network, wide, index);
}

/* Sets index[f] of the features of BOARD, f < indexer.stride, and prefetches their weights. */
ALWAYS_INLINE void network_lookup(const struct network *network, const struct board *board,
				  uint32_t *index)
{
	const struct indexer *indexer = &network->indexer;
	if (__builtin_expect(network->directory != NULL, 0)) {
		lookup_on_demand(network, board, index);
		return;
	}
	indexer->kernel.run(indexer, board, index);
	const float *weight = network->weight;
	for (int f = indexer->first_cold; f < indexer->stride; f += FEATURES_STEP)
		UNROLL for (int j = 0; j < FEATURES_STEP; j += 2)
		{
			const struct index_pair two = index_two(index + f + j);
			__builtin_prefetch(&weight[two.a]);
			__builtin_prefetch(&weight[two.b]);
		}
}

/* Evaluates a few boards at a time, so that memory accesses overlap. */
void network_eval(const struct network *network, const struct board *boards, size_t n, double *out)
{
	enum { HANDFUL = 16 };
	uint32_t index[HANDFUL * FEATURES_MAX];
	const size_t stride = (size_t)network->indexer.stride;
	for (size_t first = 0; first < n; first += HANDFUL) {
		const size_t count = n - first < HANDFUL ? n - first : HANDFUL;
		for (size_t i = 0; i < count; i++)
			network_lookup(network, &boards[first + i], index + i * stride);
		for (size_t i = 0; i < count; i++)
			out[first + i] = (double)network_sum(network, index + i * stride);
	}
}

/* A float counts exactly up to this number. */
#define VISITS_MAX 0x1p24f

/* A training game, with look-ups that were made ahead of time. */
struct td_lane {
	struct td *td;
	struct network *network; /* for the board of the game */
	bool live;		 /* the lane has a game */
	struct td_game game;
	struct moves moves;
	/* Indices of features: */
	uint32_t *after[DIRECTIONS]; /* of the legal moves */
	uint32_t *past[TRACE_MAX];   /* forward: past[k] is k steps back */
	uint32_t *indices;	     /* memory of all of these */
};

/* Returns the learning rate in training game EPISODE. */
static double td_alpha(const struct td_options *options, uint64_t episode)
{
	const double from = options->alpha, to = options->alpha_end;
	if (!options->alpha_games)
		return from;
	const double part = fmin((double)episode / (double)options->alpha_games, 1);
	if (options->decay == DECAY_LINEAR)
		return from + (to - from) * part;
	return from > 0 ? from * pow(to / from, part) : 0;
}

/* Returns the learning rate of the game in LANE. */
static double lane_alpha(const struct td_lane *lane)
{
	const struct td *td = lane->td;
	return lane->network == td->network ? td_alpha(&td->options, lane->game.episode)
					    : td->options.curriculum_alpha;
}

RACES static void adjust_fixed(struct network *network, const uint32_t *index, float step)
{
	const int features = network->indexer.features;
	float *weight = network->weight;
	int f = 0;
	for (; f + 2 <= features; f += 2) {
		const struct index_pair two = index_two(index + f);
		weight[two.a] += step;
		weight[two.b] += step;
	}
	for (; f < features; f++)
		weight[index[f]] += step;
}

typedef float floats4 __attribute__((vector_size(16)));
typedef int32_t ints4 __attribute__((vector_size(16)));
typedef uint64_t longs2 __attribute__((vector_size(16)));

/* Returns sum, size of the coherence of two weights. */
RACES static inline floats4 coherence_two(const struct coherence *coherence, const uint32_t *index)
{
	const struct index_pair two = index_two(index);
	uint64_t a, b;
	memcpy(&a, &coherence[two.a], sizeof a);
	memcpy(&b, &coherence[two.b], sizeof b);
	return (floats4)(longs2){a, b};
}

/*
 * Sets steps[f] to STEP times |sum| / size, the coherence of the updates so far; to STEP where
 * there are none. Uses vectors, since gcc 12 makes a branch and a division for each plain number.
 */
RACES static void steps_compute(const struct coherence *coherence, const uint32_t *index,
				int stride, float step, float *steps)
{
	const floats4 one = {1, 1, 1, 1};
	for (int f = 0; f < stride; f += 4) {
		const floats4 ab = coherence_two(coherence, index + f);
		const floats4 cd = coherence_two(coherence, index + f + 2);
		const floats4 sum = __builtin_shufflevector(ab, cd, 0, 2, 4, 6);
		const floats4 size = __builtin_shufflevector(ab, cd, 1, 3, 5, 7);
		const ints4 new = size == 0;
		const floats4 added = (floats4)((ints4)one & new);
		const floats4 agreed = (floats4)((ints4)sum & INT32_MAX & ~new);
		const floats4 four = (agreed + added) / (size + added) * step;
		memcpy(steps + f, &four, sizeof four);
	}
}

/* Computes all steps before the updates, so that an index that occurs twice has one rate. */
RACES static void adjust_tc(struct network *network, const uint32_t *index, float step, float error)
{
	const int features = network->indexer.features;
	const float size = fabsf(error);
	struct coherence *coherence = network->coherence;
	float *weight = network->weight, steps[FEATURES_MAX];
	steps_compute(coherence, index, network->indexer.stride, step, steps);
	for (int f = 0; f < features; f++) {
		struct coherence *c = &coherence[index[f]];
		/*
		 * NOLINTBEGIN(clang-analyzer-core.UndefinedBinaryOperatorResult): there are stride
		 * steps
		 */
		weight[index[f]] += steps[f];
		/* NOLINTEND(clang-analyzer-core.UndefinedBinaryOperatorResult) */
		c->sum += error;
		c->size += size;
	}
}

RACES static void adjust_visits(struct network *network, const uint32_t *index, float step)
{
	for (int f = 0; f < network->indexer.features; f++) {
		struct coherence *c = &network->coherence[index[f]];
		c->size += c->size < VISITS_MAX;
		network->weight[index[f]] += step / sqrtf(c->size);
	}
}

/* Updates with rate fixed or visits, in double precision like network_sum_exact(). */
static void adjust_on_demand(struct network *network, const uint32_t *index, double step)
{
	for (int f = 0; f < network->indexer.features; f++) {
		float *weight = &network->weight[index[f]], *visits = weight + NETWORK_BOX;
		double scale = 1;
		if (network->plan.visits) {
			*visits += *visits < VISITS_MAX;
			scale = sqrt((double)*visits);
		}
		*weight = (float)((double)*weight + step / scale);
	}
}

/*
 * Updates the weights of the features X for the error DELTA by the rule of the options; ALPHA is
 * the learning rate of the game.
 */
static void lane_adjust(struct td_lane *lane, double alpha, const uint32_t *x, double delta)
{
	struct network *network = lane->network;
	const struct td_options *options = &lane->td->options;
	const double scaled = alpha * delta;
	const double exact = options->error == ERROR_SQRT ? copysign(sqrt(fabs(scaled)), scaled)
							  : scaled / network->indexer.features;
	const float step = (float)exact;
	if (__builtin_expect(network->directory != NULL, 0)) {
		adjust_on_demand(network, x, exact);
		return;
	}
	switch (options->rate) {
	case RATE_FIXED:
		adjust_fixed(network, x, step);
		break;
	case RATE_TC:
		adjust_tc(network, x, step, (float)delta);
		break;
	case RATE_VISITS:
		adjust_visits(network, x, step);
		break;
	case RATE_AUTO: /* resolved when the trainer was created */
		assert(false);
	}
}

/*
 * Returns E V over the positions after a spawn on AFTER, which has an empty cell. Terminal
 * positions have the network's value, or 0 with LOST_ZERO; only a spawn in the last empty cell can
 * be terminal.
 */
static double spawns_value(const struct network *network, enum td_lost lost,
			   const struct board *after)
{
	const struct game *game = network->game;
	struct board spawned[CELLS_MAX];
	double value[CELLS_MAX], mean = 0;
	uint8_t cells[CELLS_MAX];
	const int count = board_empty_cells(game, after, cells);
	for (int kind = 0; kind < game->spawn.kinds; kind++) {
		double sum = 0;
		for (int i = 0; i < count; i++) {
			spawned[i] = *after;
			*board_at(&spawned[i], cells[i]) = game->spawn.exponent[kind];
		}
		network_eval(network, spawned, (size_t)count, value);
		for (int i = 0; i < count; i++)
			sum += lost == LOST_ZERO && count == 1 && game->over(&spawned[i])
				   ? 0
				   : value[i];
		mean += game->spawn.probability[kind] * sum / count;
	}
	return mean;
}

/*
 * Returns the value of the legal move D of MOVES, including the reward; AFTER are the features of
 * its after-state, which td-state does not need.
 */
static inline double move_value(const struct network *network, const struct td_options *options,
				const struct moves *moves, int d, const uint32_t *after)
{
	const double reward = (double)moves->reward[d];
	switch (options->rule) {
	case RULE_TD_AFTER:
		return reward + features_value(network, options, after, 0);
	case RULE_TD_STATE:
		return reward +
		       spawns_value(network, (enum td_lost)options->lost, &moves->after[d]);
	default:
		return features_value(network, options, after, reward);
	}
}

int td_best(const struct network *network, const struct td_options *options,
	    const struct moves *moves, double value[DIRECTIONS])
{
	uint32_t after[DIRECTIONS][FEATURES_MAX];
	int best = -1;
	for (int d = 0; d < DIRECTIONS; d++)
		if (options->rule != RULE_TD_STATE && moves->legal >> d & 1)
			network_lookup(network, &moves->after[d], after[d]);
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(moves->legal >> d & 1))
			continue;
		value[d] = move_value(network, options, moves, d, after[d]);
		if (best < 0 || value[d] > value[best])
			best = d;
	}
	return best;
}

static struct network *network_of_game(const struct td *td, uint64_t episode)
{
	for (int i = 0; i < td->lessons; i++)
		if (episode < td->lesson[i].end)
			return &td->lesson[i].network;
	return td->network;
}

const struct game *td_game_of(const struct td *td, uint64_t episode)
{
	return network_of_game(td, episode)->game;
}

/* Returns the maximal number of indices of a position, over all boards. */
static size_t stride_most(const struct td *td)
{
	int most = td->network->indexer.stride;
	for (int i = 0; i < td->lessons; i++)
		if (td->lesson[i].network.indexer.stride > most)
			most = td->lesson[i].network.indexer.stride;
	return (size_t)most;
}

/* Initialises a lane; false if memory runs out. */
static bool lane_init(struct td_lane *lane, struct td *td)
{
	const size_t stride = stride_most(td);
	const int count = DIRECTIONS + (int)td->options.trace;
	assert(count > DIRECTIONS);
	*lane = (struct td_lane){.td = td};
	const size_t size = (size_t)count * stride * sizeof *lane->indices;
	lane->indices = aligned_alloc(64, (size + 63) / 64 * 64);
	if (!lane->indices)
		return false;
	for (int i = 0; i < count; i++)
		*(i < DIRECTIONS ? &lane->after[i] : &lane->past[i - DIRECTIONS]) =
		    lane->indices + (size_t)i * stride;
	return true;
}

/* Frees the lane, but not its game. */
static void lane_fini(struct td_lane *lane)
{
	free(lane->indices);
	*lane = (struct td_lane){0};
	/* NOLINTNEXTLINE(clang-analyzer-unix.Malloc): lanes_suspend() has taken the game's path */
}

static bool is_td_state(const struct td_lane *lane)
{
	return lane->td->options.rule == RULE_TD_STATE;
}

/* Computes the moves and looks up their after-states, or for td-state the position. */
static void lane_moves(struct td_lane *lane)
{
	lane->network->game->moves(&lane->game.outcome.last, &lane->moves);
	if (is_td_state(lane)) {
		network_lookup(lane->network, &lane->game.outcome.last, lane->after[0]);
		return;
	}
	for (int d = 0; d < DIRECTIONS; d++)
		if (lane->moves.legal >> d & 1)
			network_lookup(lane->network, &lane->moves.after[d], lane->after[d]);
}

/* On demand: moves the features X of BOARD, which will learn, to blocks of their own. */
static void lane_grow(struct td_lane *lane, const struct board *board, uint32_t *x)
{
	if (lane->network->directory && !network_grow(lane->network, board, x))
		atomic_store(&lane->td->out_of_memory, true);
}

/*
 * Continues GAME in LANE and repeats its look-ups. In a forged model the weights of its steps may
 * have no blocks yet.
 */
static void lane_resume(struct td_lane *lane, const struct td_game *game)
{
	lane->game = *game;
	lane->network = network_of_game(lane->td, game->episode);
	lane->live = true;
	lane_moves(lane);
	if (lane->td->options.order == ORDER_FORWARD)
		for (size_t k = 0; k < game->steps; k++) {
			const struct board *board = &game->path[game->steps - 1 - k].board;
			network_lookup(lane->network, board, lane->past[k]);
			lane_grow(lane, board, lane->past[k]);
		}
}

/*
 * Puts *X in front of the features of the last `trace` steps; *X then points to the memory of the
 * oldest features. Removes the oldest step from the path if the path is full.
 */
static void trace_shift(struct td_lane *lane, size_t trace, uint32_t **x)
{
	struct td_game *game = &lane->game;
	uint32_t *const oldest = lane->past[trace - 1];
	if (trace > 1)
		memmove(lane->past + 1, lane->past, (trace - 1) * sizeof *lane->past);
	lane->past[0] = *x;
	*x = oldest;
	if (game->steps < trace)
		return;
	game->steps = trace - 1;
	if (trace > 1)
		memmove(game->path, game->path + 1, game->steps * sizeof *game->path);
}

/* Appends STEP with its features *X to the path; *X then points to memory that is free to use. */
static void path_add(struct td_lane *lane, const struct td_step *step, uint32_t **x)
{
	struct td *td = lane->td;
	lane_grow(lane, &step->board, *x);
	if (td->options.order == ORDER_FORWARD)
		trace_shift(lane, (size_t)td->options.trace, x);
	lane->game.path[lane->game.steps++] = *step;
}

/* Updates the last x, and with lambda > 0 those before it, towards REWARD + gamma NEXT. */
static void learn_forward(struct td_lane *lane, double reward, double next)
{
	const struct td_options *options = &lane->td->options;
	const double alpha = lane_alpha(lane);
	const struct td_step *last = &lane->game.path[lane->game.steps - 1];
	double delta = reward + options->gamma * next -
		       features_value(lane->network, options, lane->past[0], last->reward);
	for (size_t k = 0; k < lane->game.steps; k++) {
		lane_adjust(lane, alpha, lane->past[k], delta);
		delta *= options->gamma * options->lambda;
	}
}

/* Returns the reward for the last x when the game has ended; V(x_t) is then 0. */
static double reward_last(const struct td_lane *lane)
{
	const struct td_game *game = &lane->game;
	if (lane->td->options.terminal == TERMINAL_NEG_SCORE)
		return -(double)game->outcome.score;
	return lane->td->options.rule == RULE_TD_AFTER ? 0 : game->path[game->steps - 1].reward;
}

/* Learns from the end of the game back to its beginning. */
static void learn_backward(struct td_lane *lane)
{
	struct td *td = lane->td;
	const struct td_options *options = &td->options;
	const struct td_game *game = &lane->game;
	const double alpha = lane_alpha(lane);
	uint32_t *now = lane->after[0], *next = lane->after[1];
	double target = game->steps ? reward_last(lane) : 0;
	if (game->steps)
		network_lookup(lane->network, &game->path[game->steps - 1].board, now);
	for (size_t t = game->steps; t-- > 0;) {
		if (t > 0)
			network_lookup(lane->network, &game->path[t - 1].board, next);
		lane_adjust(lane, alpha, now,
			    target - features_value(lane->network, options, now, 0));
		const double value = features_value(lane->network, options, now, 0);
		const struct td_step *step =
		    &game->path[options->rule == RULE_TD_AFTER || t == 0 ? t : t - 1];
		target = step->reward + options->gamma * ((1 - options->lambda) * value +
							  options->lambda * target);
		uint32_t *seen = now;
		now = next;
		next = seen;
	}
}

/* Makes move D: extends the path and adds a tile. */
static void move_make(struct td_lane *lane, int d)
{
	struct td *td = lane->td;
	struct outcome *outcome = &lane->game.outcome;
	struct td_step step = {.board = lane->moves.after[d],
			       .reward = (double)lane->moves.reward[d]};
	if (is_td_state(lane))
		step.board = outcome->last;
	path_add(lane, &step, &lane->after[is_td_state(lane) ? 0 : d]);
	if (td->options.order == ORDER_FORWARD)
		network_prefetch_coherence(lane->network, lane->past[0]);
	outcome->score += lane->moves.reward[d];
	outcome->moves++;
	lane->network->game->spawn_into(lane->network->game, &lane->moves.after[d], &outcome->last,
					&lane->game.rng);
}

/* Returns the move of the largest value, the first of equal ones; -1 if none is legal. */
ALWAYS_INLINE int best_move(const struct td_lane *lane, double *value)
{
	int best = -1;
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(lane->moves.legal >> d & 1))
			continue;
		const double v =
		    move_value(lane->network, &lane->td->options, &lane->moves, d, lane->after[d]);
		if (best < 0 || v > *value) {
			best = d;
			*value = v;
		}
	}
	return best;
}

/* Updates the last x from the current position, whose best move D has VALUE. */
static void learn_after_move(struct td_lane *lane, int d, double value)
{
	const struct td_game *game = &lane->game;
	const struct td_options *options = &lane->td->options;
	const double reward = (double)lane->moves.reward[d];
	if (options->order != ORDER_FORWARD || !game->steps)
		return;
	switch (options->rule) {
	case RULE_TD_AFTER:
		learn_forward(lane, reward, value - reward);
		break;
	case RULE_TD_STATE:
		learn_forward(lane, game->path[game->steps - 1].reward,
			      features_value(lane->network, options, lane->after[0], 0));
		break;
	case RULE_Q:
	case RULE_Q_ADDED:
		learn_forward(lane, game->path[game->steps - 1].reward, value);
		break;
	}
}

static void learn_at_the_end(struct td_lane *lane)
{
	if (lane->td->options.order == ORDER_BACKWARD)
		learn_backward(lane);
	else if (lane->game.steps)
		learn_forward(lane, reward_last(lane), 0);
}

/* Makes one move and learns from it. Returns true when the game has ended. */
static bool lane_turn(struct td_lane *lane)
{
	const struct td_options *options = &lane->td->options;
	double value = 0;
	int move = best_move(lane, &value);
	if (move < 0) {
		learn_at_the_end(lane);
		return true;
	}
	learn_after_move(lane, move, value);
	if (options->choose_last)
		move = best_move(lane, &value);
	if (options->epsilon > 0 && rng_real(&lane->game.rng) < options->epsilon)
		move = moves_any(&lane->moves, &lane->game.rng);
	move_make(lane, move);
	lane_moves(lane);
	return false;
}

/* Whether the game in LANE may restart: not on another board of the curriculum. */
static bool lane_retries(const struct td_lane *lane)
{
	return lane->td->options.retries > 0 && lane->network == lane->td->network;
}

/*
 * Appends the position to the trail if the number of moves is a multiple of TRAIL_STEP. False if
 * memory runs out.
 */
static bool trail_append(struct td_game *game)
{
	if (!game->trail)
		game->trail = calloc(1, sizeof *game->trail);
	struct td_trail *trail = game->trail;
	if (!trail)
		return false;
	if (game->outcome.moves % TRAIL_STEP)
		return true;
	trail->entry[trail->end++ % TRAIL_MAX] =
	    (struct td_restart){.board = game->outcome.last, .score = game->outcome.score};
	if (trail->end - trail->first > TRAIL_MAX)
		trail->first = trail->end - TRAIL_MAX;
	return true;
}

/*
 * After the end of the game in LANE, restarts it from a position of its trail. It goes back by a
 * number of entries whose logarithm is uniform: mostly few, since there is most to learn close to
 * the end, and sometimes enough to avoid the end. False if no restarts are left.
 */
static bool lane_restart(struct td_lane *lane)
{
	struct td_game game = lane->game;
	struct td_trail *trail = game.trail;
	if (!lane_retries(lane) || game.retried == (uint64_t)lane->td->options.retries ||
	    trail->first == trail->end)
		return false;
	if (game.retried++ == 0)
		game.ended = (struct td_restart){game.outcome.last, game.outcome.score};
	const double entries = (double)(trail->end - trail->first);
	trail->end -= (uint64_t)pow(entries, rng_real(&game.rng));
	const struct td_restart *at = &trail->entry[trail->end++ % TRAIL_MAX];
	game.outcome.last = at->board;
	game.outcome.score = at->score;
	game.steps = 0;
	lane_resume(lane, &game);
	return true;
}

/* The length of the game limits the memory of a path, which is small compared with the tables. */
bool td_path_grow(const struct td *td, struct td_game *game)
{
	const bool forward = td->options.order == ORDER_FORWARD, whole = forward && game->capacity;
	if (game->steps < game->capacity || whole)
		return true;
	const size_t capacity = forward ? (size_t)td->options.trace : game->capacity * 2 + 1024;
	void *path = realloc(game->path, capacity * sizeof *game->path);
	if (!path)
		return false;
	game->path = path;
	game->capacity = capacity;
	return true;
}

/* Starts a game. The caller holds the lock. */
static struct td_game game_new(struct td *td, uint64_t seed)
{
	struct td_game game = {.episode = td->begun++};
	rng_init(&game.rng, seed, RNG_TRAIN, game.episode);
	board_start(td_game_of(td, game.episode), &game.outcome.last, &game.rng);
	return game;
}

/* Removes and returns the first unfinished game. The caller holds the lock. */
static struct td_game waiting_pop(struct td *td)
{
	struct td_game game = td->waiting[0];
	td->count--;
	memmove(td->waiting, td->waiting + 1, (size_t)td->count * sizeof *td->waiting);
	return game;
}

/* Puts the next game into LANE: an unfinished one, or a new one if any are left. */
static void game_begin(struct td *td, const struct training_request *request, struct td_lane *lane)
{
	bool more = true;
	struct td_game game;
	pthread_mutex_lock(&td->lock);
	if (td->count > 0)
		game = waiting_pop(td);
	else if (td->begun < request->end)
		game = game_new(td, request->seed);
	else
		more = false;
	pthread_mutex_unlock(&td->lock);
	if (more)
		lane_resume(lane, &game);
}

void td_game_fini(struct td_game *game)
{
	free(game->path);
	free(game->trail);
	game->path = NULL;
	game->trail = NULL;
}

/* Ends the game in LANE: reports its first end, but all its moves. Returns false to stop. */
static bool game_end(struct td *td, const struct training_request *request, struct td_lane *lane)
{
	struct outcome *outcome = &lane->game.outcome;
	if (lane->game.retried) {
		outcome->last = lane->game.ended.board;
		outcome->score = lane->game.ended.score;
	}
	outcome->max_exponent = board_max(&outcome->last);
	outcome->uncertainty = NAN;
	outcome->partial |= lane->network != td->network;
	lane->live = false;
	td_game_fini(&lane->game);
	atomic_fetch_add(&td->games, 1);
	return request->over(request->context, outcome);
}

/* Moves the games of the lanes back to `waiting`, starting with that of lane FIRST. */
static void lanes_suspend(struct td *td, struct td_lane *lanes, int first)
{
	const int n = (int)td->options.lanes;
	pthread_mutex_lock(&td->lock);
	void *waiting = realloc(td->waiting, (size_t)(td->count + n) * sizeof *td->waiting);
	if (waiting)
		td->waiting = waiting;
	else
		atomic_store(&td->out_of_memory, true);
	for (int i = 0; i < n; i++) {
		struct td_lane *lane = &lanes[(first + i) % n];
		if (lane->live && waiting)
			td->waiting[td->count++] = lane->game;
		else if (lane->live)
			td_game_fini(&lane->game);
	}
	pthread_mutex_unlock(&td->lock);
}

/* Makes a turn of LANE, which has a game. Returns false to stop. */
static bool lane_run(struct td *td, const struct training_request *request, struct td_lane *lane)
{
	if (atomic_load(&td->out_of_memory) || !td_path_grow(td, &lane->game) ||
	    (lane_retries(lane) && !trail_append(&lane->game))) {
		atomic_store(&td->out_of_memory, true);
		return false;
	}
	if (lane_turn(lane)) {
		/* The restarts of a game may take seconds. */
		if (lane_restart(lane))
			return !stop_requested();
		if (!game_end(td, request, lane))
			return false;
		game_begin(td, request, lane);
		return true;
	}
	return true;
}

/* Runs until no lane has a game or training must stop. Returns the lane that would be next. */
static int lanes_run(struct td *td, const struct training_request *request, struct td_lane *lanes)
{
	const int n = (int)td->options.lanes;
	int at = 0;
	for (int idle = 0; idle < n; at = (at + 1) % n) {
		struct td_lane *lane = &lanes[at];
		idle = lane->live ? 0 : idle + 1;
		if (lane->live && !lane_run(td, request, lane))
			return (at + 1) % n;
	}
	return at;
}

void td_learn(struct td *td, const struct training_request *request)
{
	const int n = (int)td->options.lanes;
	struct td_lane lanes[LANES_MAX];
	int made = 0;
	while (made < n && lane_init(&lanes[made], td))
		made++;
	if (made < n)
		atomic_store(&td->out_of_memory, true);
	for (int i = 0; made == n && i < n; i++)
		game_begin(td, request, &lanes[i]);
	if (made == n)
		lanes_suspend(td, lanes, lanes_run(td, request, lanes));
	while (made > 0)
		lane_fini(&lanes[--made]);
}
