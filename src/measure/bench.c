/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nxn bench: the speed of the hot paths. Positions come from games of a shallow search, so they
 * have the fill and the tiles of real games, and are the same on every machine.
 */
#include "src/measure/bench.h"

#include "agents/nets/staged_network.h"
#include "agents/play.h"
#include "agents/value.h"
#include "analysis/stats/stats.h"
#include "base/clock.h"
#include "base/xalloc.h"
#include "boards/simd/isa.h"
#include "boards/simd/playout.h"
#include "src/cli/provenance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* MEDIAN of REPEATS samples in UNIT; MAD is their median absolute deviation from it. */
struct bench_row {
	const char *board, *isa, *name, *unit;
	double median, mad;
	int repeats;
};

enum { MEASUREMENTS = 9 };

static const char bench_search[] = "expectimax:depth=3,cutoff=0.001,tt=2M";

enum { POSITIONS = 1024, PLAYOUTS = 2048, SEARCHED = 32, SEED = 1 };

struct bench {
	struct game game;
	struct board positions[POSITIONS], starts[PLAYOUTS];
	struct playout played[PLAYOUTS];
	struct agent *random;
	volatile uint64_t sink; /* keeps timed code from being optimised away */
	double nodes, search_seconds;
	uint64_t seen; /* positions of games so far */
	int kept;      /* of these, in `positions` */
};

/* Keeps every seventh position, so that positions differ. */
static bool position_keep(void *context, const struct turn *turn, int move,
			  const struct decision *decision)
{
	struct bench *b = context;
	(void)move;
	(void)decision;
	if (b->seen++ % 7 == 0)
		b->positions[b->kept++] = *turn->board;
	return b->kept < POSITIONS;
}

static enum status positions_make(struct bench *b, struct why *why)
{
	struct agent_env env = {.game = &b->game};
	struct agent *agent;
	struct play_watch watch = {position_keep, b};
	struct outcome outcome;
	enum status status = agent_new("expectimax:depth=1,tt=0", &env, &agent, why);
	if (status)
		return status;
	for (uint64_t i = 0; b->kept < POSITIONS; i++)
		play_game(agent, SEED, i, &watch, &outcome);
	agent_free(agent);
	return STATUS_OK;
}

static void starts_make(struct bench *b)
{
	struct rng rng;
	rng_init(&rng, SEED, RNG_SPAWN, 0);
	for (int i = 0; i < PLAYOUTS; i++)
		board_start(&b->game, &b->starts[i], &rng);
}

/* Nanoseconds for the four after-states of a position. */
static double after_states(struct bench *b, const char *what)
{
	(void)what;
	enum { ROUNDS = 100 };
	struct moves moves;
	uint64_t sum = 0;
	double start = clock_seconds();
	for (int round = 0; round < ROUNDS; round++)
		for (int i = 0; i < POSITIONS; i++) {
			b->game.moves(&b->positions[i], &moves);
			sum += moves.legal + moves.reward[UP];
		}
	double seconds = clock_seconds() - start;
	b->sink = sum;
	return seconds / (ROUNDS * POSITIONS) * 1e9;
}

/* Millions of moves per second in games of the random player. */
static double random_games(struct bench *b, const char *what)
{
	(void)what;
	uint64_t moves = 0;
	double start = clock_seconds();
	for (uint64_t i = 0; moves < 100000; i++) {
		struct outcome outcome;
		play_game(b->random, SEED, i, NULL, &outcome);
		moves += outcome.moves;
	}
	return (double)moves / (clock_seconds() - start) * 1e-6;
}

/* Millions of moves per second in playouts from the beginning of games. */
static double playouts(struct bench *b, const char *what)
{
	(void)what;
	uint64_t moves = 0;
	double start = clock_seconds();
	for (uint64_t i = 0; moves < 2000000; i++) {
		playouts_run(&b->game, b->starts, PLAYOUTS, SEED, i, b->played, NULL);
		for (int k = 0; k < PLAYOUTS; k++)
			moves += b->played[k].moves;
	}
	return (double)moves / (clock_seconds() - start) * 1e-6;
}

/*
 * Milliseconds per decision of a new search, whose table is empty; leaves nodes and seconds in B
 * for search_speed(). NAN if there is no memory for the table.
 */
static double decisions(struct bench *b, const char *what)
{
	(void)what;
	struct agent_env env = {.game = &b->game};
	struct agent *search;
	if (agent_new(bench_search, &env, &search, NULL))
		return NAN;
	struct rng rng;
	rng_init(&rng, SEED, RNG_AGENT, 0);
	b->nodes = 0;
	double start = clock_seconds();
	for (int i = 0; i < SEARCHED; i++) {
		struct turn turn;
		struct decision decision;
		decision_init(&decision);
		const struct board *board = &b->positions[(i + 1) * (POSITIONS / SEARCHED) - 1];
		turn_init(&turn, &b->game, board, 0);
		search->class->act(search->self, &turn, &rng, &decision);
		b->nodes += (double)decision.nodes;
	}
	b->search_seconds = clock_seconds() - start;
	agent_free(search);
	return b->search_seconds / SEARCHED * 1e3;
}

/* Millions of positions per second of the searches that decisions() has just timed. */
static double search_speed(struct bench *b, const char *what)
{
	(void)what;
	return b->nodes / b->search_seconds * 1e-6;
}

/* Seconds for one batch that begins at POSITIONS; it is timed repeatedly, so it is in the cache. */
static double batch_seconds(const struct value *value, const struct game *game,
			    const struct board *positions)
{
	enum { ROUNDS = 16 };
	const struct leaf_rule rule = leaf_rule_of(game, false, false, -100);
	struct batch batch;
	double values[BATCH_MAX];
	for (size_t i = 0; i < BATCH_MAX; i++)
		batch_put(&batch, i, &positions[i], game->rows);
	const double start = clock_seconds();
	for (int round = 0; round < ROUNDS; round++)
		value_best(value, game, &rule, &batch, BATCH_MAX, values);
	return (clock_seconds() - start) / ROUNDS;
}

/*
 * Nanoseconds per position, in whole batches, for its best after-state by the value NAME. NAN if
 * memory runs out.
 */
static double leaf_time(struct bench *b, const char *name)
{
	const struct agent_env env = {.game = &b->game};
	struct value *value = NULL;
	double seconds = 0;
	int done = 0;
	if (value_new(name, &value, NULL) || value_init(value, &env, NULL)) {
		value_free(value);
		return NAN;
	}
	for (; done + BATCH_MAX <= POSITIONS; done += BATCH_MAX)
		seconds += batch_seconds(value, &b->game, b->positions + done);
	value_free(value);
	return seconds / done * 1e9;
}

/* Sets BACK to some gradient: the time does not depend on it. */
static void grade(void *context, size_t i, const float out[DIRECTIONS], float back[DIRECTIONS])
{
	(void)context;
	(void)out;
	for (int d = 0; d < DIRECTIONS; d++)
		back[d] = (size_t)d == i % DIRECTIONS ? 0.75f : -0.25f;
}

/* Seconds for the outputs of all boards, or if LEARNS for a gradient step. */
static double network_seconds(struct gradient *gradient, const struct board *const *board, size_t n,
			      bool learns, float (*out)[DIRECTIONS])
{
	const struct gradient_batch batch = {
	    .gradient = gradient, .board = board, .end = n, .grade = grade, .alpha = 1e-6};
	double start = clock_seconds();
	if (learns)
		gradient_step(NULL, &batch);
	else
		gradient_outputs(gradient, NULL, board, n, out);
	return clock_seconds() - start;
}

/*
 * Nanoseconds per position of a batch for a network with hidden layers of 200 and 100: its outputs,
 * or if WHAT is "step", a step along their gradient. NAN if memory runs out.
 */
static double network_time(struct bench *b, const char *what)
{
	const bool learns = strcmp(what, "step") == 0;
	const struct staged_plan plan = {.layers = 3, .width = {200, 100, DIRECTIONS}, .stages = 1};
	const size_t n = POSITIONS;
	struct staged_network network = {0};
	struct gradient gradient = {0};
	const struct board *board[POSITIONS];
	float(*out)[DIRECTIONS] = xcalloc(n, sizeof *out);
	double seconds = NAN;
	for (size_t i = 0; i < n; i++)
		board[i] = &b->positions[i];
	if (!staged_init(&network, &b->game, &plan, NULL) &&
	    !gradient_init(&gradient, &network, OPTIMISER_RMSPROP_NORM, 0.99, NULL) &&
	    !gradient_reserve(&gradient, NULL)) {
		staged_start(&network, 1, 0);
		network_seconds(&gradient, board, n, learns, out);
		seconds = network_seconds(&gradient, board, n, learns, out);
	}
	gradient_fini(&gradient);
	staged_fini(&network);
	free(out);
	return seconds / POSITIONS * 1e9;
}

/* Takes all measurements after a warm-up and prints their rows; ROW has what they share. */
static void measure(struct bench *b, struct bench_row row, const struct table_out *out)
{
	static const struct {
		const char *name, *unit;
		double (*once)(struct bench *b, const char *what);
		const char *what;
	} kinds[MEASUREMENTS] = {
	    /* clang-format off */
	    {"after-states", "ns", after_states, NULL},
	    {"random games", "Mmoves/s", random_games, NULL},
	    {"playouts", "Mmoves/s", playouts, NULL},
	    {"search", "ms", decisions, NULL},
	    {"search speed", "Mnodes/s", search_speed, NULL},
	    {"leaf heuristic", "ns", leaf_time, "heuristic"},
	    {"leaf strong", "ns", leaf_time, "strong"},
	    {"network", "ns", network_time, "outputs"},
	    {"network step", "ns", network_time, "step"},
	    /* clang-format on */
	};
	double samples[MEASUREMENTS][REPEATS_MAX];
	const size_t n = (size_t)row.repeats;
	for (int i = -1; i < row.repeats; i++) /* the first is the warm-up */
		for (int k = 0; k < MEASUREMENTS; k++) {
			double x = kinds[k].once(b, kinds[k].what);
			if (i >= 0)
				samples[k][i] = x;
		}
	for (int k = 0; k < MEASUREMENTS; k++) {
		double *x = samples[k];
		row.name = kinds[k].name;
		row.unit = kinds[k].unit;
		row.median = stats_median(x, n);
		for (size_t i = 0; i < n; i++)
			x[i] = fabs(x[i] - row.median);
		row.mad = stats_median(x, n);
		table_put(out, &row);
	}
	fflush(out->file);
}

#define COLUMN(title, kind, member) TABLE_COLUMN(struct bench_row, title, kind, member)

static const struct table_column columns[] = {
    COLUMN("board", TEXT, board),
    COLUMN("isa", TEXT, isa),
    {.name = "measure",
     .value = TABLE_TEXT,
     .offset = offsetof(struct bench_row, name),
     .width = 14},
    COLUMN("unit", TEXT, unit),
    TABLE_FIXED(struct bench_row, "median", REAL, median, 3),
    TABLE_FIXED(struct bench_row, "mad", REAL, mad, 3),
    COLUMN("repeats", INT, repeats),
    {0},
};

/* The context of bench_rows(), which measures while its table is printed. */
struct bench_work {
	const struct bench_options *options;
	enum status *status;
	struct why *why;
};

/* Measures BOARD on one instruction set. No other thread may run: it sets NXN_ISA. */
static enum status isa_measure(const struct bench_options *options, const char *board, enum isa isa,
			       const struct table_out *out, struct why *why)
{
	struct bench *b = xcalloc(1, sizeof *b);
	const struct agent_env env = {.game = &b->game};
	setenv("NXN_ISA", isa_name(isa), 1);
	enum status status = game_init(&b->game, &(struct game_options){.shape = board}, why);
	if (!status)
		status = agent_new("random", &env, &b->random, why);
	if (!status)
		status = positions_make(b, why);
	if (!status) {
		starts_make(b);
		measure(b,
			(struct bench_row){
			    .board = board, .isa = isa_name(isa), .repeats = options->repeats},
			out);
	}
	agent_free(b->random);
	free(b);
	return status;
}

static void bench_rows(const struct table_out *out, const void *data)
{
	const struct bench_work *work = data;
	const struct text_list *boards = &work->options->boards;
	for (size_t i = 0; !*work->status && i < boards->n; i++)
		for (int isa = 0; !*work->status && isa < ISAS; isa++)
			if (isa_available((enum isa)isa))
				*work->status = isa_measure(work->options, boards->item[i],
							    (enum isa)isa, out, work->why);
}

/* Refuses a board before the first one is measured. */
static enum status boards_check(const struct text_list *boards, struct why *why)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < boards->n; i++) {
		struct game game;
		status = game_init(&game, &(struct game_options){.shape = boards->item[i]}, why);
	}
	return status;
}

enum status bench(const struct bench_options *options, const struct invocation *call,
		  struct why *why)
{
	static const struct tables tables = {
	    .table = {TABLE("bench", "of median and mad: unit", columns, bench_rows)}};
	enum status measured = STATUS_OK;
	const struct bench_work work = {options, &measured, why};
	enum status status = boards_check(&options->boards, why);
	if (status)
		return status;
	status = result_print(call, &tables, &work, why);
	return status ? status : measured;
}
