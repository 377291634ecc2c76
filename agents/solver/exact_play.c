/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact play of an agent: a forward pass over layers of the tile sum.
 *
 * A move preserves the sum of the tiles and a spawn increases it, so the positions of a sum follow
 * from those of smaller sums. For each position x that the agent can reach we compute
 *
 *     P(x) = sum of p,   A(x) = sum of p g,   B(x) = sum of p g^2
 *
 * over all ways to x, where p is the probability of a way and g are the points made on it. A move
 * of reward r that the agent makes with probability q passes on q P, q (A + r P) and q (B + 2 r A +
 * r^2 P); a spawn of probability q passes on q P, q A and q B. Summed over terminal positions, A is
 * the expected score and B the expected squared score; P summed over the others is the expected
 * number of moves. Layers are freed once they are done: memory holds two or three of them.
 *
 * If the agent is symmetric (agents/agent.h), one image represents all images of a position.
 * If the optimum V is given, the loss of the agent, V(start) - score, is the sum over all its moves
 * of the probability of the move times its loss: V(x) minus the value of the move.
 *
 * A layer is divided into EXACT_PARTS by the first bits of the codes, which distributes the work
 * evenly. Three kinds of tasks per part lead to the next layers:
 *
 *     play     positions -> contributions to after-states, sorted by part
 *     spawn    after-states -> contributions to positions of later layers, sorted by part
 *     gather   contributions to one part -> its after-states, or its positions
 *
 * Play and gather alternate, then spawn and gather, in rounds of some positions of every part:
 * few contributions exist at a time, and they stay in the caches. Within a round, contributions are
 * added in the order of the parts that they come from, and within a part in the order of their
 * creation, so no sum depends on threads.
 *
 * Check value: random on 2x2 scores 19.6565401755 with standard deviation 14.6570431283.
 */
#include "agents/solver/exact_play.h"

#include "agents/play.h"
#include "agents/solver/budget.h"
#include "agents/solver/solver.h"
#include "base/thread_team.h"
#include "boards/simd/keys.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	EXACT_PART_BITS = 6,
	EXACT_PARTS = 1 << EXACT_PART_BITS,
	ROUND = 1024,	    /* positions or after-states of a part in one round */
	POSITIONS_MIN = 16, /* capacity of a new table */
};

/* Sums over all ways to a position; p and g as above. */
struct exact_mass {
	double p;	/* P, the sum of p */
	double score;	/* A, the sum of p g */
	double squares; /* B, the sum of p g^2 */
};

/* Positions, or contributions to positions: codes, and a mass for each. */
struct exact_list {
	struct buffer codes, masses;
	size_t n;
};

/* A hash table of distinct positions in the order of their insertion. All zero: empty. */
struct exact_table {
	struct exact_list list;
	struct buffer slots; /* uint32_t, open addressing: index + 1; 0 is free */
	size_t capacity;     /* positions; there are two slots per position */
};

/*
 * Contributions sorted by part: those to part i are start[i] to start[i + 1] - 1. All zero: empty.
 */
struct exact_contributions {
	struct exact_list list;
	uint32_t start[EXACT_PARTS + 1];
};

/* The positions with tile sum SUM. */
struct exact_layer {
	uint64_t sum;
	struct exact_layer *next; /* the layer of the next larger sum */
	struct exact_table part[EXACT_PARTS];
};

struct exact_worker {
	struct agent *agent;
	struct exact_list made; /* contributions of a task, in the order of their creation */
	uint64_t keys[ROUND];	/* those that a task works on */
};

struct exact_work {
	const struct exact_play_task *task;
	const struct game *game;
	struct keys keys;
	bool folded;
	struct budget budget;
	struct thread_team *team;
	struct exact_worker *worker; /* task->threads; their agents borrow from the first one */

	struct exact_layer *layers;	       /* layers that are not done, by ascending sum */
	struct exact_layer *spare;	       /* a finished layer to reuse, or NULL */
	struct exact_table after[EXACT_PARTS]; /* after-states of the present layer */
	/* The parts that contributions by each kind of spawn, or by moves, lead to, or NULL. */
	struct exact_table *target[SPAWN_KINDS_MAX];
	struct exact_contributions contributions[SPAWN_KINDS_MAX][EXACT_PARTS];
	size_t from;			      /* first position of the present round in each part */
	struct exact_play total[EXACT_PARTS]; /* score, squares, max_tile and phase */
	uint64_t states;
	_Atomic bool unknown; /* the optimum lacks a position */
};

/* Whether memory ran out, or the optimum lacks a position. */
static bool broken(const struct exact_work *work)
{
	return work->budget.wish || work->unknown;
}

static uint64_t *list_codes(const struct exact_list *list)
{
	return list->codes.data;
}

static struct exact_mass *list_masses(const struct exact_list *list)
{
	return list->masses.data;
}

static bool list_reserve(struct budget *budget, struct exact_list *list, size_t n)
{
	return buffer_reserve(budget, &list->codes, n, sizeof(uint64_t)) &&
	       buffer_reserve(budget, &list->masses, n, sizeof(struct exact_mass));
}

static void exact_list_free(struct budget *budget, struct exact_list *list)
{
	buffer_free(budget, &list->codes);
	buffer_free(budget, &list->masses);
}

/* Empties TABLE but keeps its memory. */
static void table_clear(struct exact_table *table)
{
	table->list.n = 0;
	if (table->capacity)
		memset(table->slots.data, 0, 2 * table->capacity * sizeof(uint32_t));
}

static void table_free(struct budget *budget, struct exact_table *table)
{
	exact_list_free(budget, &table->list);
	buffer_free(budget, &table->slots);
}

/*
 * Returns the slot of CODE, or the free slot where it belongs. The search starts at the slot given
 * by the bits of CODE after those of its part.
 */
static inline uint32_t *slot_find(const struct exact_table *table, int width, uint64_t code)
{
	const uint64_t *codes = list_codes(&table->list);
	uint32_t *slot = table->slots.data;
	const size_t last = 2 * table->capacity - 1;
	const uint64_t bits = code << (64 - width) << EXACT_PART_BITS;
	size_t at = (size_t)(bits >> __builtin_clzll(last));
	while (slot[at] && codes[slot[at] - 1] != code)
		at = (at + 1) & last;
	return &slot[at];
}

/*
 * Doubles the capacity, or allocates the first slots. False, with TABLE unchanged, if memory runs
 * out.
 */
static bool table_grow(struct budget *budget, struct exact_table *table, int width)
{
	const size_t capacity = table->capacity ? 2 * table->capacity : POSITIONS_MIN;
	struct buffer slots = {0};
	/* Slots have 32 bits. */
	if (capacity > UINT32_MAX / 2 ||
	    !buffer_reserve(budget, &slots, 2 * capacity, sizeof(uint32_t)) ||
	    !list_reserve(budget, &table->list, capacity)) {
		buffer_free(budget, &slots);
		return false;
	}
	buffer_free(budget, &table->slots);
	table->slots = slots;
	table->capacity = capacity;
	for (size_t i = 0; i < table->list.n; i++)
		*slot_find(table, width, list_codes(&table->list)[i]) = (uint32_t)i + 1;
	return true;
}

/*
 * Adds MASS[i] to position CODE[i], i < n, in this order. The codes may belong to several parts. If
 * memory runs out, drops the remaining contributions and sets budget.wish.
 */
static void table_add(struct exact_work *work, struct exact_table *table, const uint64_t *code,
		      const struct exact_mass *mass, size_t n)
{
	const int width = work->keys.width;
	struct exact_list *list = &table->list;
	for (size_t i = 0; i < n; i++) {
		if (list->n == table->capacity && !table_grow(&work->budget, table, width))
			return;
		uint32_t *slot = slot_find(table, width, code[i]);
		if (!*slot) {
			list_codes(list)[list->n] = code[i];
			list_masses(list)[list->n] = mass[i];
			*slot = (uint32_t)++list->n;
			continue;
		}
		struct exact_mass *sum = &list_masses(list)[*slot - 1];
		sum->p += mass[i].p;
		sum->score += mass[i].score;
		sum->squares += mass[i].squares;
	}
}

static inline int part_of(const struct exact_work *work, uint64_t code)
{
	return (int)(code >> (work->keys.width - EXACT_PART_BITS));
}

/*
 * Sorts MADE by part into CONTRIBUTIONS; if memory runs out, leaves it empty and sets budget.wish.
 */
static void contributions_sort(struct exact_work *work, struct exact_contributions *contributions,
			       const struct exact_list *made)
{
	uint32_t next[EXACT_PARTS + 1] = {0};
	const uint64_t *code = list_codes(made);
	memset(contributions->start, 0, sizeof contributions->start);
	if (!list_reserve(&work->budget, &contributions->list, made->n))
		return;
	for (size_t i = 0; i < made->n; i++)
		next[part_of(work, code[i]) + 1]++;
	for (int i = 0; i < EXACT_PARTS; i++) {
		next[i + 1] += next[i];
		contributions->start[i + 1] = next[i + 1];
	}
	uint64_t *codes = list_codes(&contributions->list);
	struct exact_mass *masses = list_masses(&contributions->list);
	for (size_t i = 0; i < made->n; i++) {
		const uint32_t to = next[part_of(work, code[i])]++;
		codes[to] = code[i];
		masses[to] = list_masses(made)[i];
	}
}

/*
 * Returns the layer of SUM and creates it if necessary. NULL with budget.wish if memory runs out.
 */
static struct exact_layer *layer_at(struct exact_work *work, uint64_t sum)
{
	struct exact_layer **at = &work->layers;
	while (*at && (*at)->sum < sum)
		at = &(*at)->next;
	if (*at && (*at)->sum == sum)
		return *at;
	struct exact_layer *made = work->spare ? work->spare : calloc(1, sizeof *made);
	if (!made) {
		work->budget.wish = work->budget.used + sizeof *made;
		return NULL;
	}
	work->spare = NULL;
	made->sum = sum;
	made->next = *at;
	return *at = made;
}

static void layer_free(struct exact_work *work, struct exact_layer *layer)
{
	for (int i = 0; i < EXACT_PARTS && layer; i++)
		table_free(&work->budget, &layer->part[i]);
	free(layer);
}

/* Removes the first layer and keeps its memory for another. */
static void layer_drop(struct exact_work *work)
{
	struct exact_layer *layer = work->layers;
	work->layers = layer->next;
	layer_free(work, work->spare);
	work->spare = layer;
	for (int i = 0; i < EXACT_PARTS; i++)
		table_clear(&layer->part[i]);
}

static void total_add(struct exact_play *total, const struct exact_play *more)
{
	total->score += more->score;
	total->squares += more->squares;
	for (int k = 0; k < EXACT_EXPONENTS; k++) {
		total->max_tile[k] += more->max_tile[k];
		total->phase[k].visits += more->phase[k].visits;
		total->phase[k].optimal += more->phase[k].optimal;
		total->phase[k].loss += more->phase[k].loss;
	}
}

/* Adds the games of MASS, which end with largest exponent K. */
static void total_end(struct exact_play *total, const struct exact_mass *mass, int k)
{
	total->score += mass->score;
	total->squares += mass->squares;
	total->max_tile[k] += mass->p;
}

static struct exact_mass mass_share(const struct exact_mass *mass, double q)
{
	return (struct exact_mass){mass->p * q, mass->score * q, mass->squares * q};
}

/* Appends to MADE the keys that after-state KEY becomes by spawns of kind KIND of the game. */
static void spawn_play(const struct exact_work *work, uint64_t key, const struct exact_mass *mass,
		       int kind, struct exact_list *made)
{
	const struct spawn_rule *rule = &work->game->spawn;
	const size_t first = made->n;
	made->n += key_spawns(&work->keys, key, rule->exponent[kind], list_codes(made) + first);
	const double q = rule->probability[kind] / (double)(made->n - first);
	for (size_t i = first; i < made->n; i++)
		list_masses(made)[i] = mass_share(mass, q);
}

/* Adds to TOTAL the games that a spawn ends because the sum then exceeds max_sum. */
static void spawn_beyond(const struct exact_work *work, uint64_t key, const struct exact_mass *mass,
			 int kind, struct exact_play *total)
{
	const struct spawn_rule *rule = &work->game->spawn;
	const struct exact_mass end = mass_share(mass, rule->probability[kind]);
	struct board board;
	keys_unpack(&work->keys, key, &board);
	const int most = board_max(&board), k = rule->exponent[kind];
	total_end(total, &end, most > k ? most : k);
}

/* In a position of probability P, compares moves of probabilities CHANCE with the optimum. */
static void moves_compare(struct exact_work *work, const struct turn *turn,
			  const double chance[DIRECTIONS], double p, struct exact_phase *phase)
{
	double worth[DIRECTIONS], best = -INFINITY;
	if (!optimum_moves(work->task->optimum, turn, worth)) {
		work->unknown = true;
		return;
	}
	for (int d = 0; d < DIRECTIONS; d++)
		best = fmax(best, worth[d]);
	const double least = best - work->task->tie * fmax(1, fabs(best));
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(chance[d] > 0))
			continue;
		phase->loss += p * chance[d] * (best - worth[d]);
		phase->optimal += worth[d] >= least ? p * chance[d] : 0;
	}
}

/* Plays a position with a legal move. */
static void turn_play(struct exact_work *work, struct exact_worker *worker, const struct turn *turn,
		      const struct exact_mass *mass, struct exact_phase *phase)
{
	struct exact_list *made = &worker->made;
	double chance[DIRECTIONS];
	agent_act_chances(worker->agent, turn, chance);
	phase->visits += mass->p;
	if (work->task->optimum)
		moves_compare(work, turn, chance, mass->p, phase);
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(chance[d] > 0))
			continue;
		const double reward = (double)turn->moves.reward[d];
		const double score = mass->score + reward * mass->p;
		const double squares =
		    mass->squares + reward * (2 * mass->score + reward * mass->p);
		list_codes(made)[made->n] = keys_pack(&work->keys, &turn->moves.after[d]);
		list_masses(made)[made->n++] = (struct exact_mass){
		    chance[d] * mass->p, chance[d] * score, chance[d] * squares};
	}
}

/*
 * Plays the position KEY with MASS: makes contributions to its after-states by the agent's moves,
 * or adds the games that end there to TOTAL.
 */
static void position_play(struct exact_work *work, struct exact_worker *worker, uint64_t key,
			  const struct exact_mass *mass, struct exact_play *total)
{
	struct board board;
	struct turn turn;
	keys_unpack(&work->keys, key, &board);
	const int k = board_max(&board);
	turn_init(&turn, work->game, &board, 0);
	if (turn.moves.legal)
		turn_play(work, worker, &turn, mass, &total->phase[k]);
	else
		total_end(total, mass, k);
}

/* Converts the keys in MADE to codes, folded if the agent is symmetric. */
static void contributions_encode(const struct exact_work *work, struct exact_list *made)
{
	if (work->folded)
		keys_fold(&work->keys, list_codes(made), made->n);
	keys_mix(&work->keys, list_codes(made), made->n);
}

/* Copies the keys of the present round of TABLE to KEYS. Returns their number. */
static size_t round_keys(const struct exact_work *work, const struct exact_table *table,
			 uint64_t *keys)
{
	const size_t left = table->list.n > work->from ? table->list.n - work->from : 0;
	const size_t n = left < ROUND ? left : ROUND;
	if (n)
		memcpy(keys, list_codes(&table->list) + work->from, n * sizeof *keys);
	keys_unmix(&work->keys, keys, n);
	return n;
}

static void play_task(void *context, size_t part, int number)
{
	struct exact_work *work = context;
	struct exact_worker *worker = &work->worker[number];
	const struct exact_table *table = &work->layers->part[part];
	const uint64_t *key = worker->keys;
	const size_t n = round_keys(work, table, worker->keys);
	struct exact_play round = {0};
	worker->made.n = 0;
	for (size_t i = 0; i < n; i++)
		position_play(work, worker, key[i], &list_masses(&table->list)[work->from + i],
			      &round);
	total_add(&work->total[part], &round);
	contributions_encode(work, &worker->made);
	contributions_sort(work, &work->contributions[0][part], &worker->made);
}

static void spawn_task(void *context, size_t part, int number)
{
	struct exact_work *work = context;
	struct exact_worker *worker = &work->worker[number];
	const struct exact_table *table = &work->after[part];
	const uint64_t *key = worker->keys;
	const size_t n = round_keys(work, table, worker->keys);
	struct exact_play round = {0};
	for (int kind = 0; kind < work->game->spawn.kinds; kind++) {
		worker->made.n = 0;
		for (size_t i = 0; i < n; i++) {
			const struct exact_mass *mass = &list_masses(&table->list)[work->from + i];
			if (work->target[kind])
				spawn_play(work, key[i], mass, kind, &worker->made);
			else
				spawn_beyond(work, key[i], mass, kind, &round);
		}
		contributions_encode(work, &worker->made);
		contributions_sort(work, &work->contributions[kind][part], &worker->made);
	}
	total_add(&work->total[part], &round);
}

/* Adds the contributions to PART to the targets. */
static void gather_task(void *context, size_t part, int number)
{
	struct exact_work *work = context;
	(void)number;
	for (int kind = 0; kind < work->game->spawn.kinds; kind++)
		for (int i = 0; i < EXACT_PARTS && work->target[kind]; i++) {
			const struct exact_contributions *from = &work->contributions[kind][i];
			const uint32_t start = from->start[part], n = from->start[part + 1] - start;
			if (n)
				table_add(work, &work->target[kind][part],
					  list_codes(&from->list) + start,
					  list_masses(&from->list) + start, n);
		}
}

/* Runs TASK for all parts of TABLE, and gathers the contributions, in rounds. */
static void rounds_run(struct exact_work *work, const struct exact_table table[EXACT_PARTS],
		       thread_team_task *task)
{
	size_t most = 0;
	for (int i = 0; i < EXACT_PARTS; i++)
		most = table[i].list.n > most ? table[i].list.n : most;
	for (work->from = 0; work->from < most && !broken(work); work->from += ROUND) {
		thread_team_run(work->team, task, work, EXACT_PARTS);
		if (!broken(work))
			thread_team_run(work->team, gather_task, work, EXACT_PARTS);
	}
}

/* Finds or creates the layers that spawns on the after-states of SUM lead to. */
static void targets_find(struct exact_work *work, uint64_t sum)
{
	const struct spawn_rule *rule = &work->game->spawn;
	const uint64_t most = work->task->max_sum;
	size_t n = 0;
	for (int i = 0; i < EXACT_PARTS; i++)
		n += work->after[i].list.n;
	for (int kind = 0; kind < rule->kinds; kind++) {
		const uint64_t then = sum + ((uint64_t)1 << rule->exponent[kind]);
		struct exact_layer *layer =
		    !n || (most && then > most) ? NULL : layer_at(work, then);
		work->target[kind] = layer ? layer->part : NULL;
	}
}

/* Processes the layer of the smallest sum. Stops early if broken(). */
static void layer_step(struct exact_work *work)
{
	const struct exact_layer *layer = work->layers;
	for (int i = 0; i < EXACT_PARTS; i++) {
		work->states += layer->part[i].list.n;
		table_clear(&work->after[i]);
	}
	memset(work->target, 0, sizeof work->target);
	work->target[0] = work->after;
	rounds_run(work, layer->part, play_task);
	targets_find(work, layer->sum);
	rounds_run(work, work->after, spawn_task);
}

/* Adds to TO the positions of FROM with one more tile. */
static void start_tile(struct exact_work *work, const struct exact_table *from,
		       struct exact_table *to)
{
	struct exact_list *made = &work->worker->made;
	for (size_t i = 0; i < from->list.n; i++) {
		uint64_t key = list_codes(&from->list)[i];
		keys_unmix(&work->keys, &key, 1);
		made->n = 0;
		for (int kind = 0; kind < work->game->spawn.kinds; kind++)
			spawn_play(work, key, &list_masses(&from->list)[i], kind, made);
		contributions_encode(work, made);
		table_add(work, to, list_codes(made), list_masses(made), made->n);
	}
}

/* Adds each position of TABLE to the layer of its sum. */
static void layers_fill(struct exact_work *work, const struct exact_table *table)
{
	for (size_t i = 0; i < table->list.n; i++) {
		const uint64_t *code = list_codes(&table->list) + i;
		struct board board;
		uint64_t key = *code;
		keys_unmix(&work->keys, &key, 1);
		keys_unpack(&work->keys, key, &board);
		struct exact_layer *layer = layer_at(work, board_sum(&board));
		if (!layer)
			return;
		table_add(work, &layer->part[part_of(work, *code)], code,
			  list_masses(&table->list) + i, 1);
	}
}

/*
 * Adds the starting positions to their layers: spawns one tile after another on the empty board and
 * joins equal positions, so the order of tiles does not multiply them.
 */
static void starts_make(struct exact_work *work)
{
	const struct game *game = work->game;
	const int tiles = game->has_start ? 0 : game->start_tiles;
	struct exact_table table = {0};
	struct exact_list *made = &work->worker->made;
	made->n = 1;
	list_codes(made)[0] = keys_pack(&work->keys, &game->start);
	list_masses(made)[0] = (struct exact_mass){.p = 1};
	contributions_encode(work, made);
	table_add(work, &table, list_codes(made), list_masses(made), 1);
	for (int i = 0; i < tiles; i++) {
		struct exact_table next = {0};
		start_tile(work, &table, &next);
		table_free(&work->budget, &table);
		table = next;
	}
	layers_fill(work, &table);
	table_free(&work->budget, &table);
}

/* Creates the agent of each worker. */
static enum status agents_make(struct exact_work *work, struct why *why)
{
	const struct exact_play_task *task = work->task;
	for (int i = 0; i < task->threads; i++) {
		struct agent **agent = &work->worker[i].agent;
		const struct agent_env env = {.game = work->game,
					      .owner = i ? work->worker[0].agent->self : NULL};
		enum status status = agent_new(task->agent, &env, agent, why);
		if (status)
			return status;
		if (agent_policy_kind(*agent) == POLICY_UNKNOWN)
			return why_set(
			    why, STATUS_INPUT,
			    "%s: it has no exact value, expected an agent whose move is a "
			    "function of the position or drawn by chances that are",
			    task->agent);
	}
	work->folded = agent_symmetric(work->worker[0].agent);
	return STATUS_OK;
}

/* Returns the status of the work up to layer SUM. */
static enum status work_status(const struct exact_work *work, uint64_t sum, struct why *why)
{
	if (work->budget.wish > work->budget.limit)
		return why_set(
		    why, STATUS_INPUT,
		    "%s on %s: positions with tiles up to sum %" PRIu64 " of %" PRIu64
		    " take more than %.1f MiB of memory: allow more (--memory), or end earlier "
		    "(--max-sum)",
		    work->task->agent, work->game->name, sum,
		    sum_last(work->game, work->task->max_sum), (double)work->budget.limit / 0x1p20);
	if (work->budget.wish)
		return why_set(
		    why, STATUS_SYSTEM,
		    "%s on %s: out of memory for positions with tiles up to sum %" PRIu64,
		    work->task->agent, work->game->name, sum);
	if (work->unknown)
		return why_set(why, STATUS_INPUT,
			       "%s: does not know all positions of %s with tiles up to sum %" PRIu64
			       ": it is damaged",
			       optimum_path(work->task->optimum), work->game->name, sum);
	for (int i = 0; i < work->task->threads; i++) {
		enum status status = agent_check(work->worker[i].agent, why);
		if (status)
			return status;
	}
	return STATUS_OK;
}

static enum status work_init(struct exact_work *work, struct why *why)
{
	const struct exact_play_task *task = work->task;
	const int cells = work->game->cells, most = cells > DIRECTIONS ? cells : DIRECTIONS;
	/* At least 2: codes need EXACT_PART_BITS. */
	const int max_exponent = 63 - __builtin_clzll(sum_last(work->game, task->max_sum) | 4);
	assert(task->threads > 0);
	work->worker = calloc((size_t)task->threads, sizeof *work->worker);
	if (!work->worker)
		return why_set(why, STATUS_SYSTEM, "out of memory for %d threads", task->threads);
	enum status status = agents_make(work, why);
	if (!status)
		status = keys_init(&work->keys, work->game, max_exponent, work->folded, why);
	if (!status)
		status = thread_team_new(task->threads, &work->team, why);
	for (int i = 0; i < task->threads && !status; i++)
		if (!list_reserve(&work->budget, &work->worker[i].made, (size_t)(ROUND * most)))
			status = work_status(work, 0, why);
	return status;
}

static void work_fini(struct exact_work *work)
{
	while (work->layers)
		layer_drop(work);
	layer_free(work, work->spare);
	for (int i = 0; i < EXACT_PARTS; i++) {
		table_free(&work->budget, &work->after[i]);
		for (int kind = 0; kind < SPAWN_KINDS_MAX; kind++)
			exact_list_free(&work->budget, &work->contributions[kind][i].list);
	}
	thread_team_free(work->team);
	/* The first worker is freed last, since the agents of others borrow from it. */
	for (int i = work->worker ? work->task->threads - 1 : -1; i >= 0; i--) {
		exact_list_free(&work->budget, &work->worker[i].made);
		agent_free(work->worker[i].agent);
	}
	free(work->worker);
	free(work);
}

static enum status layers_step(struct exact_work *work, struct why *why)
{
	const struct exact_play_task *task = work->task;
	starts_make(work);
	enum status status = work_status(work, 0, why);
	while (!status && work->layers) {
		const uint64_t sum = work->layers->sum;
		struct solve_progress progress = {.sum = sum,
						  .last = sum_last(task->game, task->max_sum)};
		layer_step(work);
		status = work_status(work, sum, why);
		layer_drop(work);
		progress.states = work->states;
		if (!status && task->tell && !task->tell(task->context, &progress))
			status = why_set(why, STATUS_STOPPED, "%s on %s: stopped at sum %" PRIu64,
					 task->agent, work->game->name, sum);
	}
	return status;
}

static void result_sum(const struct exact_work *work, struct exact_play *result)
{
	*result = (struct exact_play){
	    .states = work->states, .folded = work->folded, .peak = work->budget.peak};
	for (int i = 0; i < EXACT_PARTS; i++)
		total_add(result, &work->total[i]);
	for (int k = 0; k < EXACT_EXPONENTS; k++)
		result->moves += result->phase[k].visits;
	const double variance = result->squares - result->score * result->score;
	result->sd = variance > 0 ? sqrt(variance) : 0;
}

enum status exact_play(const struct exact_play_task *task, struct exact_play *result,
		       struct why *why)
{
	enum status status =
	    task->optimum ? optimum_fits(task->optimum, task->game, GOAL_SCORE, task->max_sum, why)
			  : STATUS_OK;
	if (status)
		return status;
	struct exact_work *work = calloc(1, sizeof *work);
	if (!work)
		return why_set(why, STATUS_SYSTEM, "out of memory for the games of %s",
			       task->agent);
	work->task = task;
	work->game = task->game;
	work->budget.limit = task->memory ? task->memory : UINT64_MAX;
	status = work_init(work, why);
	if (!status)
		status = layers_step(work, why);
	if (!status)
		result_sum(work, result);
	work_fini(work);
	return status;
}
