/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From rows to cells, and from cells to comparisons. A cell is a player of the log.
 *
 * The order of games in the log does not matter: within a cell, scores are sorted and games ordered
 * by (seed, game).
 *
 * Of a run that was stopped only the games before the first missing one count, if these are many
 * enough (counted.c): cells_count() removes the others, so no other function sees them.
 *
 * Labels distinguish cells. Within one experiment they are unique. The log of several experiments
 * may use one label for two agents, or have games of one agent by two spawn rules, with different
 * configs.
 *
 * Two players on a board are compared twice: the ratio of their means as of independent samples,
 * and game by game where they drew the same spawns. The first needs no common games; the second is
 * more precise the more the spawns decide.
 */
#include "analysis/tables/summary.h"

#include "base/xalloc.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Labels. */

/* Other players with the label, training and board of a cell. */
enum { OTHER_AGENT = 1, OTHER_RULES = 2 };

static int clash(const struct cell *a, const struct cell *b)
{
	if (a->player->place != b->player->place || a->trained != b->trained ||
	    strcmp(a->board, b->board) != 0)
		return 0;
	return strcmp(a->agent, b->agent) == 0 ? OTHER_RULES : OTHER_AGENT;
}

/*
 * The clashes of each label by its place in the log, since a label means the same on every board;
 * on the heap.
 */
static int *clashes_find(const struct summary *s, const struct gamelog *log)
{
	int *found = xcalloc(log->label_count, sizeof *found);
	for (size_t i = 0; i < s->cell_count; i++)
		for (size_t j = 0; j < i; j++)
			found[s->cells[i].player->place] |= clash(&s->cells[i], &s->cells[j]);
	return found;
}

static char *label_make(const struct cell *c, int clashes)
{
	const char *name = clashes & OTHER_AGENT ? c->agent : c->player->label;
	return clashes & OTHER_RULES
		   ? xasprintf("%s~%06" PRIx64, name, c->player->config & 0xffffff)
		   : xstrdup(name);
}

static int label_order(const struct cell *x, const struct cell *y)
{
	if (x->player->place != y->player->place)
		return x->player->place < y->player->place ? -1 : 1;
	return strcmp(x->label, y->label);
}

static int cell_order(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;
	int order = x->size != y->size ? x->size - y->size : strcmp(x->board, y->board);

	if (order == 0)
		order = label_order(x, y);
	return order ? order : (x->trained > y->trained) - (x->trained < y->trained);
}

static int cell_pointer_order(const void *a, const void *b)
{
	return label_order(*(const struct cell *const *)a, *(const struct cell *const *)b);
}

/* Makes the labels of cells, sorts the cells, and lists the labels. */
static void labels_make(struct summary *s, const struct gamelog *log)
{
	assert(s->cell_count > 0);
	struct cell **by_label = xcalloc(s->cell_count, sizeof *by_label);
	int *clashes = clashes_find(s, log);

	s->labels = xcalloc(s->cell_count, sizeof *s->labels);
	for (size_t i = 0; i < s->cell_count; i++)
		s->cells[i].label = label_make(&s->cells[i], clashes[s->cells[i].player->place]);
	qsort(s->cells, s->cell_count, sizeof *s->cells, cell_order);
	for (size_t i = 0; i < s->cell_count; i++)
		by_label[i] = &s->cells[i];
	qsort(by_label, s->cell_count, sizeof *by_label, cell_pointer_order);
	for (size_t i = 0; i < s->cell_count; i++) {
		if (i == 0 || strcmp(by_label[i - 1]->label, by_label[i]->label) != 0)
			s->labels[s->label_count++] = by_label[i]->label;
		by_label[i]->label_number = s->label_count - 1;
	}
	free(by_label);
	free(clashes);
}

/* ---- Trainings of one learner: players of one board and agent under different labels. */

const struct cell *summary_final(const struct summary *s, size_t board, size_t label)
{
	return s->finals[board * s->label_count + label];
}

const struct cell *summary_player(const struct summary *s, size_t board, size_t label)
{
	return s->players[board * s->label_count + label];
}

static bool same_learner(const struct cell *a, const struct cell *b)
{
	return a && b && a->trained > 0 && b->trained > 0 && strcmp(a->agent, b->agent) == 0;
}

static void learners_find(struct summary *s)
{
	s->learners = xcalloc(s->label_count, sizeof *s->learners);
	for (size_t k = 0; k < s->label_count; k++)
		s->learners[k] = k;
	for (size_t board = 0; board < s->board_count; board++)
		for (size_t k = 0; k < s->label_count; k++) {
			const struct cell *c = summary_final(s, board, k);
			size_t before = k;
			while (before-- > 0)
				if (same_learner(summary_final(s, board, before), c)) {
					s->learners[k] = s->learners[before];
					break;
				}
		}
}

size_t summary_trainings(const struct summary *s, size_t board, size_t learner,
			 struct one_training *trainings)
{
	size_t n = 0;
	for (size_t k = 0; k < s->label_count; k++) {
		const struct cell *c =
		    s->learners[k] == learner ? summary_final(s, board, k) : NULL;
		if (!c || c->trained == 0)
			continue;
		const struct cell *last = c;
		while (c > s->cells && c[-1].trained > 0 && c[-1].board_number == board &&
		       c[-1].label_number == k)
			c--;
		trainings[n++] = (struct one_training){c, (size_t)(last - c) + 1};
	}
	return n;
}

struct pooled_point trainings_pool(const struct one_training *trainings, size_t n, size_t k)
{
	struct pooled_point p = {0};
	double *mean = xcalloc(n, sizeof *mean);
	for (size_t j = 0; j < n; j++) {
		const struct cell *c = k < trainings[j].n ? &trainings[j].cell[k] : NULL;
		if (!c || c->games == 0)
			continue;
		mean[p.trainings++] = c->mean.value;
		p.games += c->games;
		p.trained += (double)c->trained;
		p.seconds += c->training;
	}
	p.mean = stats_trained_mean(mean, p.trainings);
	p.trained /= (double)p.trainings;
	p.seconds /= (double)p.trainings;
	free(mean);
	return p;
}

/*
 * The cell of LEARNER on BOARD over several trainings, or of one under another label; TRAININGS has
 * room for all.
 */
static const struct cell *learner_pool(struct summary *s, size_t board, size_t learner,
				       struct one_training *trainings)
{
	const struct cell *final = summary_final(s, board, learner);
	const size_t n = summary_trainings(s, board, learner, trainings);
	struct pooled_point point = {0};
	size_t last = 0;
	if (n == 0 || (n == 1 && trainings[0].cell->label_number == learner))
		return final;
	struct cell *pooled = &s->pooled[s->pooled_count];
	*pooled = trainings[0].cell[trainings[0].n - 1];
	pooled->label = (char *)s->labels[learner];
	pooled->pooled = true;
	for (size_t j = 0; n > 1 && j < n; j++)
		last = trainings[j].n > last ? trainings[j].n : last;
	for (; point.trainings < 2 && last > 0; last--) {
		point = trainings_pool(trainings, n, last - 1);
		pooled->mean = point.mean;
		pooled->games = point.games;
	}
	if (n > 1 && point.trainings < 2)
		return final;
	s->pooled_count++;
	return pooled;
}

static void learners_pool(struct summary *s)
{
	struct one_training *trainings = xcalloc(s->label_count, sizeof *trainings);
	s->pooled = xcalloc(s->board_count * s->label_count, sizeof *s->pooled);
	s->players = xcalloc(s->board_count * s->label_count, sizeof *s->players);
	for (size_t b = 0; b < s->board_count; b++)
		for (size_t k = 0; k < s->label_count; k++)
			if (s->learners[k] == k)
				s->players[b * s->label_count + k] =
				    learner_pool(s, b, k, trainings);
	free(trainings);
}

/* ---- Comparisons. */

/* Collects the scores of the games that both played; rows are ordered by (seed, game). */
static size_t games_pair(const struct cell *a, const struct cell *b, double *a_score,
			 double *b_score)
{
	size_t pairs = 0;

	for (size_t i = 0, j = 0; i < a->games && j < b->games;) {
		const struct gamelog_row *x = a->rows[i], *y = b->rows[j];
		bool first = x->seed != y->seed ? x->seed < y->seed : x->game < y->game;
		if (x->seed == y->seed && x->game == y->game) {
			a_score[pairs] = (double)x->score;
			b_score[pairs++] = (double)y->score;
			i++;
			j++;
		} else if (first) {
			i++;
		} else {
			j++;
		}
	}
	return pairs;
}

struct interval cells_ratio(const struct cell *a, const struct cell *b)
{
	if (a->pooled || b->pooled)
		return stats_quotient(a->mean, b->mean);
	if (a->label_number < b->label_number)
		return stats_ratio(a->scores, a->games, b->scores, b->games);
	const struct interval ratio = stats_ratio(b->scores, b->games, a->scores, a->games);
	return (struct interval){1 / ratio.value, 1 / ratio.high, 1 / ratio.low};
}

struct paired cells_paired(const struct cell *a, const struct cell *b)
{
	double *scores = xcalloc(a->games + b->games, sizeof *scores);
	const size_t pairs = games_pair(a, b, scores, scores + a->games);
	const struct paired paired = stats_paired(scores, scores + a->games, pairs);
	free(scores);
	return paired;
}

/* ---- Cells. */

static int row_order(const void *a, const void *b)
{
	const struct gamelog_row *x = *(const struct gamelog_row *const *)a;
	const struct gamelog_row *y = *(const struct gamelog_row *const *)b;

	if (x->seed != y->seed)
		return x->seed < y->seed ? -1 : 1;
	return (x->game > y->game) - (x->game < y->game);
}

/* Sets PLAN, with room for all, to the stopped runs of C with SEED; returns their number. */
static size_t plans_find(const struct gamelog *log, const struct cell *c, uint64_t seed,
			 struct games_plan *plan)
{
	size_t n = 0;

	for (size_t i = 0; i < log->stop_count; i++) {
		const struct gamelog_stop *stop = &log->stops[i];
		if (stop->config == c->player->config && stop->seed == seed)
			plan[n++] = (struct games_plan){stop->games, stop->workers, stop->step};
	}
	return n;
}

/*
 * The number of games planned by the last of PLANS, in the share of GAME, or N, the games finished,
 * if larger.
 */
static size_t wanted_of(const uint64_t *game, size_t n, const struct games_plan *plan, size_t plans)
{
	const struct games_plan *last = plans ? &plan[plans - 1] : NULL;
	const uint64_t step = last && last->step > 1 ? last->step : 1, before = *game % step;
	const uint64_t wanted =
	    last && last->games > before ? (last->games - before + step - 1) / step : 0;

	return wanted > n ? (size_t)wanted : n;
}

/* Keeps the games of C that count, of each seed; PLAN and GAME have room for all. */
static void games_count(struct cell *c, const struct gamelog *log, struct games_plan *plan,
			uint64_t *game)
{
	size_t kept = 0;

	for (size_t first = 0, end; first < c->finished; first = end) {
		const uint64_t seed = c->rows[first]->seed;
		for (end = first; end < c->finished && c->rows[end]->seed == seed; end++)
			game[end - first] = c->rows[end]->game;
		const size_t plans = plans_find(log, c, seed, plan);
		const size_t count = stats_counted(game, end - first, plan, plans);
		c->wanted += wanted_of(game, end - first, plan, plans);
		c->lacks_share =
		    c->lacks_share || (count < end - first && stats_lacks_share(game, end - first));
		memmove(&c->rows[kept], &c->rows[first], count * sizeof(*c->rows));
		kept += count;
	}
	c->games = kept;
}

static void cells_count(struct summary *s, const struct gamelog *log)
{
	struct games_plan *plan = xcalloc(log->stop_count, sizeof *plan);
	uint64_t *game = xcalloc(log->count, sizeof *game);

	for (size_t i = 0; i < s->cell_count; i++)
		games_count(&s->cells[i], log, plan, game);
	free(plan);
	free(game);
}

/* Makes a cell of each player, with its rows that count. */
static void cells_make(struct summary *s, const struct gamelog *log)
{
	s->cells = xcalloc(log->player_count, sizeof *s->cells);
	s->cell_count = log->player_count;
	for (size_t i = 0; i < log->count; i++)
		s->cells[log->rows[i].player->number].finished++;
	for (size_t i = 0; i < s->cell_count; i++) {
		const struct gamelog_player *p = log->players[i];
		struct cell *c = &s->cells[i];
		c->player = p;
		c->board = p->board;
		c->agent = p->agent;
		c->size = p->cells;
		c->trained = p->trained;
		c->training = gamelog_training(log, p->config);
		c->rows = xcalloc(c->finished, sizeof *c->rows);
		c->scores = xcalloc(c->finished, sizeof *c->scores);
	}
	for (size_t i = 0; i < log->count; i++) {
		struct cell *c = &s->cells[log->rows[i].player->number];
		c->rows[c->games++] = &log->rows[i];
	}
	for (size_t i = 0; i < s->cell_count; i++)
		qsort(s->cells[i].rows, s->cells[i].games, sizeof *s->cells[i].rows, row_order);
	cells_count(s, log);
}

/* Whether A has a higher mean than B; a cell without games has the lowest. */
static bool is_ahead(const struct cell *a, const struct cell *b)
{
	if (a->games == 0 || b->games == 0)
		return a->games > b->games;
	return a->mean.value > b->mean.value;
}

/* Lists the boards. */
static void boards_make(struct summary *s)
{
	s->boards = xcalloc(s->cell_count, sizeof *s->boards);
	for (size_t i = 0; i < s->cell_count; i++) {
		struct cell *c = &s->cells[i];
		if (i == 0 || strcmp(c->board, c[-1].board) != 0)
			s->boards[s->board_count++] =
			    (struct summary_board){c->board, xcalloc(s->label_count, sizeof c), 0};
		c->board_number = s->board_count - 1;
	}
}

/* Lists the final cells of each board, by label and the best first. */
static void finals_make(struct summary *s)
{
	s->finals = xcalloc(s->board_count * s->label_count, sizeof *s->finals);
	for (size_t i = 0; i < s->cell_count; i++) {
		struct cell *c = &s->cells[i];
		struct summary_board *board = &s->boards[c->board_number];
		size_t at = board->n;
		c->final = i + 1 == s->cell_count || c[1].board_number != c->board_number ||
			   c[1].label_number != c->label_number;
		if (!c->final)
			continue;
		s->finals[c->board_number * s->label_count + c->label_number] = c;
		for (; at > 0 && is_ahead(c, board->ranked[at - 1]); at--)
			board->ranked[at] = board->ranked[at - 1];
		board->ranked[at] = c;
		board->n++;
	}
}

static double quantity_of(const struct gamelog_row *row, enum quantity quantity)
{
	switch (quantity) {
	case QUANTITY_SCORE:
		return (double)row->score;
	case QUANTITY_TILE:
		return (double)row->max_tile;
	case QUANTITY_MOVES:
		return (double)row->moves;
	default:
		return row->seconds;
	}
}

/* Sets X to QUANTITY of the games that have it, ascending; returns their number. */
static size_t quantity_list(const struct cell *c, enum quantity quantity, double *x)
{
	size_t n = 0;

	for (size_t i = 0; i < c->games; i++) {
		x[n] = quantity_of(c->rows[i], quantity);
		n += isnan(x[n]) ? 0 : 1;
	}
	stats_sort(x, n);
	return n;
}

static struct spread spread_of(const double *x, size_t n, bool tile)
{
	return (struct spread){
	    .min = n ? x[0] : NAN,
	    .median = tile ? stats_low_median(x, n) : stats_interval(&stat_median, x, n),
	    .max = n ? x[n - 1] : NAN,
	    .sd = stats_interval(&stat_sd, x, n),
	};
}

/* Also sets the scores of C. */
static void spreads_estimate(struct cell *c, double *work)
{
	for (enum quantity q = 0; q < QUANTITIES; q++) {
		double *x = q == QUANTITY_SCORE ? c->scores : work;
		c->spread[q] = spread_of(x, quantity_list(c, q, x), q == QUANTITY_TILE);
	}
}

static void tiles_count(struct cell *c)
{
	for (size_t i = 0; i < c->games; i++)
		c->tiles[__builtin_ctzll(c->rows[i]->max_tile)].games++;
	size_t reached = 0;
	for (int k = TILE_EXPONENTS; k-- > 0;) {
		struct tile_rate *tile = &c->tiles[k];
		reached += tile->games;
		tile->reached = reached;
		tile->share = stats_rate(tile->games, c->games);
		tile->reach = stats_rate(tile->reached, c->games);
	}
}

/* WORK has room for 2 * games numbers. */
static void time_estimate(struct cell *c, double *work)
{
	size_t timed = 0;

	for (size_t i = 0; i < c->games; i++) {
		if (isnan(c->rows[i]->seconds))
			continue;
		work[timed] = 1000 * c->rows[i]->seconds;
		work[c->games + timed++] = (double)c->rows[i]->moves;
	}
	c->ms_per_move = stats_per_unit(work, work + c->games, timed);
}

/* The mean sum of tiles and the mean uncertainty. WORK has room for 2 * games numbers. */
static void chances_estimate(struct cell *c, double *work)
{
	size_t sums = 0, uncertainties = 0;

	for (size_t i = 0; i < c->games; i++) {
		if (c->rows[i]->sum > 0)
			work[sums++] = (double)c->rows[i]->sum;
		if (!isnan(c->rows[i]->uncertainty))
			work[c->games + uncertainties++] = c->rows[i]->uncertainty;
	}
	c->sum = stats_mean(work, sums);
	c->uncertainty = stats_mean(work + c->games, uncertainties);
}

/* WORK has room for 2 * games numbers. */
static void cell_estimate(struct cell *c, double *work)
{
	spreads_estimate(c, work);
	c->mean = stats_interval(&stat_mean, c->scores, c->games);
	c->iqm = stats_interval(&stat_iqm, c->scores, c->games);
	for (size_t i = 0; i < c->games; i++)
		work[i] = (double)c->rows[i]->moves;
	c->moves = stats_mean(work, c->games);
	tiles_count(c);
	time_estimate(c, work);
	chances_estimate(c, work);
}

static void cells_estimate(struct summary *s, const struct gamelog *log)
{
	double *work = xcalloc(2 * log->count, sizeof *work);

	for (size_t i = 0; i < s->cell_count; i++)
		cell_estimate(&s->cells[i], work);
	free(work);
}

/* ---- The text of games that do not count. */

void uncounted_add(struct uncounted *list, const char *label, const char *board, size_t games,
		   size_t finished, size_t wanted, bool lacks_share)
{
	enum { NAMED_MAX = 3 };
	if (games == finished)
		return;
	list->none += games == 0;
	list->early = list->early || !lacks_share;
	if (list->players++ >= NAMED_MAX) {
		list->more++;
		return;
	}
	char *before = list->text;
	list->text = xasprintf("%s%s%s on %s: %zu of %zu games", before ? before : "",
			       before ? ", " : "", label, board, games, wanted);
	free(before);
}

char *uncounted_end(struct uncounted *list)
{
	char more[64] = "", *text = NULL;
	if (list->more)
		snprintf(more, sizeof more, ", and some of %zu more players", list->more);
	if (list->text)
		text =
		    xasprintf("%s%s; %s%s", list->text, more,
			      list->early ? "those that finished early are not counted, they are "
					    "the short ones"
					  : "those behind the first missing one are not counted, "
					    "since a share of the work is missing",
			      list->none ? "; 0: those before the first missing one are too "
					   "few for a mean"
					 : "");
	free(list->text);
	return text;
}

static char *uncounted_text(const struct summary *s)
{
	struct uncounted list = {0};

	for (size_t i = 0; i < s->cell_count; i++) {
		const struct cell *c = &s->cells[i];
		uncounted_add(&list, c->label, c->board, c->games, c->finished, c->wanted,
			      c->lacks_share);
	}
	return uncounted_end(&list);
}

enum status summary_init(struct summary *summary, const struct gamelog *log, struct why *why)
{
	struct summary s = {0};

	if (log->count == 0)
		return why_set(why, STATUS_INPUT, "the game log holds no finished games");
	cells_make(&s, log);
	labels_make(&s, log);
	cells_estimate(&s, log);
	boards_make(&s);
	finals_make(&s);
	learners_find(&s);
	learners_pool(&s);
	s.uncounted = uncounted_text(&s);
	*summary = s;
	return STATUS_OK;
}

void summary_fini(struct summary *summary)
{
	for (size_t i = 0; i < summary->cell_count; i++) {
		free(summary->cells[i].label);
		free(summary->cells[i].scores);
		free(summary->cells[i].rows);
	}
	for (size_t b = 0; b < summary->board_count; b++)
		free(summary->boards[b].ranked);
	free(summary->boards);
	free(summary->cells);
	free(summary->labels);
	free(summary->learners);
	free(summary->finals);
	free(summary->players);
	free(summary->pooled);
	free(summary->uncounted);
	*summary = (struct summary){0};
}

size_t summary_games(const struct gamelog *log)
{
	struct summary s = {0};
	size_t games = 0;

	cells_make(&s, log);
	for (size_t i = 0; i < s.cell_count; i++)
		games += s.cells[i].games;
	summary_fini(&s);
	return games;
}

const struct cell *summary_find(const struct summary *summary, const char *board, const char *label)
{
	for (const struct cell *c = summary->cells; c < summary->cells + summary->cell_count; c++)
		if (c->final && !strcmp(c->board, board) && !strcmp(c->label, label))
			return c;
	return NULL;
}
