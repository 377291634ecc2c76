/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values by name, weights of shapes, and the leaf evaluator for values that have no kernel for
 * whole batches; see value.h.
 */
#include "agents/agent.h"

#include "base/text.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct value_class *const value_classes[] = {
#define VALUE(name) &name##_value,
#include "agents/agents.def"
    NULL,
};

static enum status value_unknown(const char *text, size_t length, struct why *why)
{
	char hint[HINT_MAX];
	struct guess guess = guess_start(text, length);
	for (int i = 0; value_classes[i]; i++)
		guess_try(&guess, value_classes[i]->name, strlen(value_classes[i]->name));
	return why_set(why, STATUS_INPUT, "value=%.*s: no such value: %sexpected one of %s",
		       (int)(length < 40 ? length : 40), text, guess_hint(&guess, hint),
		       guess.names);
}

enum status value_new(const char *text, struct value **value, struct why *why)
{
	size_t length = strcspn(text, ":");
	const struct value_class *class = NULL;
	for (int i = 0; value_classes[i]; i++)
		if (strlen(value_classes[i]->name) == length &&
		    memcmp(value_classes[i]->name, text, length) == 0)
			class = value_classes[i];
	if (!class)
		return value_unknown(text, length, why);
	struct value *made = calloc(1, sizeof *made);
	void *self = params_state(class->size);
	enum status status = STATUS_OK;
	if (!made || !self) {
		status = why_set(why, STATUS_SYSTEM, "out of memory for value=%s", class->name);
		goto fail;
	}
	params_default(class->params, self);
	if (text[length] == ':') {
		if (!class->params->name)
			status = why_set(why, STATUS_INPUT, "value=%.40s: %s takes no argument",
					 text, class->name);
		else
			status = param_set(class->params, self, text + length + 1, why);
	}
	if (status)
		goto fail;
	*made = (struct value){.class = class, .self = self};
	*value = made;
	return STATUS_OK;
fail:
	free(made);
	free(self);
	return status;
}

enum status value_init(struct value *value, const struct value_env *env, struct why *why)
{
	enum status status = STATUS_OK;
	if (value->class->init)
		status = value->class->init(value->self, env, why);
	value->ready = status == STATUS_OK;
	return status;
}

void value_free(struct value *value)
{
	if (!value)
		return;
	if (value->ready && value->class->fini)
		value->class->fini(value->self);
	free(value->self);
	free(value);
}

static const struct shape_weights *weights_find(const struct shape_weights *lines, size_t count,
						int set, const struct game *game)
{
	const int rows = game->rows < game->cols ? game->rows : game->cols;
	const struct shape_weights *best = NULL;
	for (size_t i = 0; i < count; i++) {
		const struct shape_weights *line = &lines[i];
		const int cells = line->rows * line->cols;
		if (line->set == set && cells <= game->cells &&
		    (!best || cells > best->rows * best->cols ||
		     (line->rows == rows && cells == game->cells)))
			best = line;
	}
	assert(best);
	return best;
}

void weights_fill(double *w, size_t n, const struct shape_weights *lines, size_t count, int set,
		  const struct game *game)
{
	const struct shape_weights *line = weights_find(lines, count, set, game);
	for (size_t i = 0; i < n; i++)
		if (isnan(w[i]))
			w[i] = line->w[i];
}

struct leaf_rule leaf_rule_of(const struct game *game, bool spawns, bool rewards, double terminal)
{
	struct leaf_rule rule = {.spawns = spawns, .rewards = rewards, .terminal = terminal};
	for (int i = 0; i < game->spawn.kinds; i++)
		rule.probability[i] = game->spawn.probability[i];
	for (int n = 1; n <= CELLS_MAX; n++)
		rule.share[n] = 1.0 / n;
	return rule;
}

/* The sum of the values of AFTER with a tile of exponent K in each of its COUNT empty cells. */
static double spawns_sum(const struct value *value, const struct game *game, double terminal,
			 const struct board *after, const uint8_t *cells, int count, uint8_t k)
{
	struct board leaf[CELLS_MAX];
	double worth[CELLS_MAX], sum = 0;
	int i = 0;
	do { /* a legal move leaves an empty cell */
		leaf[i] = *after;
		*board_at(&leaf[i], cells[i]) = k;
	} while (++i < count);
	/* Only a full board can be without a move, and only the last empty cell leaves one full. */
	if (count == 1 && game->over(&leaf[0]))
		return terminal;
	value_eval(value, leaf, (size_t)count, worth);
	for (i = 0; i < count; i++)
		sum += worth[i];
	return sum;
}

void value_spawn_sums(const struct value *value, const struct game *game, double terminal,
		      const struct board *after, const uint8_t *cells, int count, const uint8_t *k,
		      int kinds, double *sums)
{
	const struct value_class *class = value->class;
	if (count > 1 && class->spawn_sums)
		class->spawn_sums(value->self, after, k, kinds, sums);
	else
		for (int i = 0; i < kinds; i++)
			sums[i] = spawns_sum(value, game, terminal, after, cells, count, k[i]);
}

/* Positions whose leaves are evaluated one by one. */
struct leaf_positions {
	const struct value *value;
	const struct game *game;
	const struct leaf_rule *rule;
	const struct batch *batch;
};

/* The expectation over the spawns on AFTER. */
static double spawns_mean(const struct leaf_positions *leaves, const struct board *after)
{
	const struct spawn_rule *spawn = &leaves->game->spawn;
	const int kinds = spawn->kinds;
	const struct leaf_rule *rule = leaves->rule;
	uint8_t cells[CELLS_MAX];
	double sums[SPAWN_KINDS_MAX], sum = 0;
	const int count = board_empty_cells(leaves->game, after, cells);
	value_spawn_sums(leaves->value, leaves->game, rule->terminal, after, cells, count,
			 spawn->exponent, kinds, sums);
	for (int i = 0; i < kinds; i++)
		sum += rule->probability[i] * sums[i];
	return sum * rule->share[count];
}

/* Positions out of the batch, and their legal moves side by side. */
enum { SLICE = 64 };

struct slice {
	size_t n, total;
	struct board before[SLICE], after[SLICE * DIRECTIONS]; /* before: for eval_moves() only */
	double reward[SLICE * DIRECTIONS];
	size_t count[SLICE]; /* of moves */
};

static void slice_open(const struct leaf_positions *leaves, size_t first, size_t n,
		       struct slice *slice)
{
	const bool whole = leaves->value->class->eval_moves,
		   points = whole || leaves->rule->rewards;
	struct board board;
	size_t total = 0;
	for (size_t i = 0; i < n; i++) {
		struct moves moves;
		batch_get(leaves->batch, first + i, &board, leaves->game->rows);
		leaves->game->moves(&board, &moves);
		if (whole)
			slice->before[i] = board;
		slice->count[i] = total;
		for (int d = 0; d < DIRECTIONS; d++) {
			if (!(moves.legal >> d & 1))
				continue;
			slice->after[total] = moves.after[d];
			slice->reward[total++] = points ? (double)moves.reward[d] : 0;
		}
		slice->count[i] = total - slice->count[i];
	}
	slice->n = n;
	slice->total = total;
}

/* out[i]: the value of move I as a move. */
static void slice_eval_moves(const struct value *value, const struct slice *slice, double *out)
{
	struct transition moves[SLICE * DIRECTIONS];
	for (size_t i = 0, next = 0; i < slice->n; i++)
		for (size_t d = 0; d < slice->count[i]; d++, next++)
			moves[next] = (struct transition){&slice->before[i], &slice->after[next],
							  slice->reward[next]};
	value->class->eval_moves(value->self, moves, slice->total, out);
}

/* value_best() of N positions from FIRST on. */
static void slice_best(const struct leaf_positions *leaves, size_t first, size_t n, double *out)
{
	struct slice slice; /* its arrays are not worth clearing */
	double leaf[SLICE * DIRECTIONS];
	const double rewards = leaves->rule->rewards ? 1 : 0;
	slice_open(leaves, first, n, &slice);
	if (leaves->rule->spawns)
		for (size_t i = 0; i < slice.total; i++)
			leaf[i] = spawns_mean(leaves, &slice.after[i]);
	else if (leaves->value->class->eval_moves)
		slice_eval_moves(leaves->value, &slice, leaf);
	else
		value_eval(leaves->value, slice.after, slice.total, leaf);
	for (size_t i = 0, next = 0; i < n; i++) {
		out[i] = leaves->rule->terminal;
		for (size_t d = 0; d < slice.count[i]; d++, next++) {
			assert(next < slice.total);
			const double sum = leaf[next] + rewards * slice.reward[next];
			out[i] = d == 0 || sum > out[i] ? sum : out[i];
		}
	}
}

void value_best(const struct value *value, const struct game *game, const struct leaf_rule *rule,
		const struct batch *batch, size_t n, double *out)
{
	const struct value_class *class = value->class;
	const struct leaf_positions leaves = {value, game, rule, batch};
	if (class->best && class->best(value->self, rule, batch, n, out))
		return;
	for (size_t i = 0; i < n; i += SLICE)
		slice_best(&leaves, i, n - i < SLICE ? n - i : SLICE, out + i);
}
