/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From rows to cells, and from cells to comparisons.
 *
 * Rows are handed out by player: each player of the log belongs to one cell, so a row finds its
 * cell without comparing text. The order of games in the log decides nothing but the order of
 * labels: within a cell, scores are sorted and games ordered by (seed, game).
 */
#include "analysis/summary.h"
#include "analysis/gamelog_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static enum status memory(struct why *why)
{
	return why_set(why, STATUS_SYSTEM, "out of memory for a summary");
}

/* Whether another agent goes by the label of P with the same training, on any board. */
static bool label_shared(const struct gamelog *log, const struct gamelog_player *p)
{
	for (size_t i = 0; i < log->player_count; i++) {
		const struct gamelog_player *a = log->players[i];
		if (strcmp(a->label, p->label) != 0)
			continue;
		for (size_t j = 0; j < i; j++) {
			const struct gamelog_player *b = log->players[j];
			if (!strcmp(a->label, b->label) && !strcmp(a->board, b->board) &&
			    a->trained == b->trained && strcmp(a->agent, b->agent) != 0)
				return true;
		}
	}
	return false;
}

/* The number of the cell that P belongs to, which is added if there is none. */
static size_t cell_of(struct summary *s, const struct gamelog *log, const struct gamelog_player *p)
{
	const char *label = label_shared(log, p) ? p->agent : p->label;

	for (size_t i = 0; i < s->cell_count; i++) {
		const struct cell *c = &s->cells[i];
		if (c->trained == p->trained && !strcmp(c->board, p->board) &&
		    !strcmp(c->label, label) && !strcmp(c->agent, p->agent))
			return i;
	}
	s->cells[s->cell_count] = (struct cell){
	    .board = p->board,
	    .label = label,
	    .agent = p->agent,
	    .size = gamelog_board_size(p->board),
	    .trained = p->trained,
	};
	return s->cell_count++;
}

static int row_order(const void *a, const void *b)
{
	const struct gamelog_row *x = *(const struct gamelog_row *const *)a;
	const struct gamelog_row *y = *(const struct gamelog_row *const *)b;

	if (x->seed != y->seed)
		return x->seed < y->seed ? -1 : 1;
	if (x->game != y->game)
		return x->game < y->game ? -1 : 1;
	return (x > y) - (x < y);
}

/* Smaller boards first; equal ones stay in order of appearance, which their rows tell. */
static int cell_order(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;

	if (x->size != y->size)
		return x->size - y->size;
	int names = strcmp(x->board, y->board);
	return names ? names : (x->rows[0] > y->rows[0]) - (x->rows[0] < y->rows[0]);
}

/* Gives the cells their rows, in the order of the log. MEMBER[p] is the cell of player p. */
static enum status rows_deal(struct summary *s, const struct gamelog *log, const size_t *member,
			     struct why *why)
{
	for (size_t i = 0; i < log->count; i++)
		s->cells[member[log->rows[i].player->number]].games++;
	for (size_t i = 0; i < s->cell_count; i++) {
		struct cell *c = &s->cells[i];
		c->rows = malloc(c->games * sizeof *c->rows);
		c->scores = malloc(c->games * sizeof *c->scores);
		if (!c->rows || !c->scores)
			return memory(why);
		c->games = 0;
	}
	for (size_t i = 0; i < log->count; i++) {
		struct cell *c = &s->cells[member[log->rows[i].player->number]];
		c->rows[c->games++] = &log->rows[i];
	}
	return STATUS_OK;
}

static enum status cells_make(struct summary *s, const struct gamelog *log, struct why *why)
{
	size_t *member = malloc(log->player_count * sizeof *member);

	s->cells = calloc(log->player_count, sizeof *s->cells);
	if (!member || !s->cells) {
		free(member);
		return memory(why);
	}
	/* In order of rows: a player may be known from a game that was dropped. */
	for (size_t i = 0; i < log->player_count; i++)
		member[i] = SIZE_MAX;
	for (size_t i = 0; i < log->count; i++) {
		size_t number = log->rows[i].player->number;
		if (member[number] == SIZE_MAX)
			member[number] = cell_of(s, log, log->rows[i].player);
	}
	enum status status = rows_deal(s, log, member, why);
	free(member);
	return status;
}

static enum status labels_make(struct summary *s, struct why *why)
{
	s->labels = malloc(s->cell_count * sizeof *s->labels);
	if (!s->labels)
		return memory(why);
	for (size_t i = 0; i < s->cell_count; i++) {
		size_t k = 0;
		while (k < s->label_count && strcmp(s->labels[k], s->cells[i].label) != 0)
			k++;
		if (k == s->label_count)
			s->labels[s->label_count++] = s->cells[i].label;
	}
	return STATUS_OK;
}

static void finals_mark(struct summary *s)
{
	for (size_t i = 0; i < s->cell_count; i++) {
		struct cell *c = &s->cells[i];
		c->final = true;
		for (size_t j = 0; j < s->cell_count; j++) {
			const struct cell *other = &s->cells[j];
			if (other->trained > c->trained && !strcmp(other->board, c->board) &&
			    !strcmp(other->label, c->label))
				c->final = false;
		}
	}
}

static void tiles_count(struct cell *c, double *work)
{
	for (size_t i = 0; i < c->games; i++) {
		work[i] = (double)c->rows[i]->max_tile;
		c->tiles[__builtin_ctzll(c->rows[i]->max_tile)].games++;
	}
	stats_sort(work, c->games);
	c->median_tile = stats_low_median(work, c->games);
	size_t reached = 0;
	for (int k = TILE_EXPONENTS; k-- > 0;) {
		struct tile_rate *tile = &c->tiles[k];
		reached += tile->games;
		tile->reached = reached;
		tile->share = stats_rate(tile->games, c->games);
		tile->reach = stats_rate(tile->reached, c->games);
	}
}

/* WORK holds 2 * games. */
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

/* WORK holds 2 * games. */
static enum status cell_estimate(struct cell *c, const struct bootstrap *bootstrap, double *work,
				 struct why *why)
{
	static const struct statistic *const stats[] = {&stat_mean, &stat_median, &stat_sd,
							&stat_iqm};
	struct interval out[4];
	enum status status;

	for (size_t i = 0; i < c->games; i++) {
		c->scores[i] = (double)c->rows[i]->score;
		work[i] = (double)c->rows[i]->moves;
	}
	stats_sort(c->scores, c->games);
	stats_sort(work, c->games);
	status = stats_estimate(work, c->games, stats, 1, bootstrap, &c->moves, why);
	if (status == STATUS_OK)
		status = stats_estimate(c->scores, c->games, stats, 4, bootstrap, out, why);
	if (status != STATUS_OK)
		return status;
	c->mean = out[0];
	c->median = out[1];
	c->sd = out[2];
	c->iqm = out[3];
	c->min = c->scores[0];
	c->max = c->scores[c->games - 1];
	tiles_count(c, work);
	time_estimate(c, work);
	qsort(c->rows, c->games, sizeof *c->rows, row_order);
	return STATUS_OK;
}

static enum status cells_estimate(struct summary *s, const struct gamelog *log, struct why *why)
{
	double *work = malloc(2 * log->count * sizeof *work);
	enum status status = work ? STATUS_OK : memory(why);

	for (size_t i = 0; i < s->cell_count && status == STATUS_OK; i++)
		status = cell_estimate(&s->cells[i], &s->bootstrap, work, why);
	free(work);
	return status;
}

/* Compares A, the final cell of label K, with those of its board and the labels after K. */
static enum status versus_add(struct summary *s, const struct cell *a, size_t k, struct why *why)
{
	enum status status = STATUS_OK;

	for (size_t l = k + 1; l < s->label_count && status == STATUS_OK; l++) {
		const struct cell *b = summary_final(s, a->board, s->labels[l]);
		if (!b)
			continue;
		status = versus_estimate(a, b, &s->bootstrap, &s->versus[s->versus_count], why);
		s->versus_count += status == STATUS_OK;
	}
	return status;
}

/* A board has at most label_count final cells, so there are fewer pairs than cells times labels. */
static enum status versus_make(struct summary *s, struct why *why)
{
	enum status status = STATUS_OK;

	s->versus = calloc(s->cell_count * s->label_count, sizeof *s->versus);
	if (!s->versus)
		return memory(why);
	for (size_t i = 0; i < s->cell_count; i++) {
		const char *board = s->cells[i].board;
		if (i > 0 && strcmp(board, s->cells[i - 1].board) == 0)
			continue;
		for (size_t k = 0; k < s->label_count && status == STATUS_OK; k++) {
			const struct cell *a = summary_final(s, board, s->labels[k]);
			if (a)
				status = versus_add(s, a, k, why);
		}
	}
	return status;
}

enum status summary_init(struct summary *summary, const struct gamelog *log,
			 const struct bootstrap *bootstrap, struct why *why)
{
	struct summary s = {.bootstrap = *bootstrap};

	if (log->count == 0)
		return why_set(why, STATUS_INPUT, "the game log holds no finished games");
	if (!s.bootstrap.resamples)
		s.bootstrap.resamples = STATS_RESAMPLES;
	enum status status = cells_make(&s, log, why);
	if (status == STATUS_OK)
		status = labels_make(&s, why);
	if (status == STATUS_OK) {
		qsort(s.cells, s.cell_count, sizeof *s.cells, cell_order);
		finals_mark(&s);
		status = cells_estimate(&s, log, why);
	}
	if (status == STATUS_OK)
		status = versus_make(&s, why);
	if (status == STATUS_OK)
		*summary = s;
	else
		summary_fini(&s);
	return status;
}

void summary_fini(struct summary *summary)
{
	for (size_t i = 0; i < summary->cell_count; i++) {
		free(summary->cells[i].scores);
		free(summary->cells[i].rows);
	}
	free(summary->cells);
	free(summary->labels);
	free(summary->versus);
	*summary = (struct summary){0};
}

const struct cell *summary_final(const struct summary *summary, const char *board,
				 const char *label)
{
	for (size_t i = 0; i < summary->cell_count; i++) {
		const struct cell *c = &summary->cells[i];
		if (c->final && !strcmp(c->board, board) && !strcmp(c->label, label))
			return c;
	}
	return NULL;
}
