/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Labels that tell cells apart, as text that is the same whatever order the games are in.
 *
 * Within one experiment labels are distinct. Logs of several may use one label for two agents, or
 * hold one agent's games by two spawn rules, which differ in config alone.
 */
#include "analysis/stats/labels.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Who else goes by the label of a cell with the same training on the same board. */
enum { OTHER_AGENT = 1, OTHER_RULES = 2 };

static int clash(const struct cell *a, const struct cell *b)
{
	if (a->player->place != b->player->place || a->trained != b->trained ||
	    strcmp(a->board, b->board) != 0)
		return 0;
	return strcmp(a->agent, b->agent) == 0 ? OTHER_RULES : OTHER_AGENT;
}

/*
 * The clashes of each label, by its place in the log, since it has to mean the same on every board;
 * on the heap, or NULL without memory.
 */
static int *clashes_find(const struct summary *s)
{
	size_t places = 0;

	for (size_t i = 0; i < s->cell_count; i++)
		if (s->cells[i].player->place >= places)
			places = s->cells[i].player->place + 1;
	int *found = calloc(places, sizeof *found);
	for (size_t i = 0; found && i < s->cell_count; i++)
		for (size_t j = 0; j < i; j++)
			found[s->cells[i].player->place] |= clash(&s->cells[i], &s->cells[j]);
	return found;
}

static bool label_make(struct cell *c, int clashes)
{
	const char *name = clashes & OTHER_AGENT ? c->agent : c->player->label;
	int length = clashes & OTHER_RULES
			 ? asprintf(&c->label, "%s~%06" PRIx64, name, c->player->config & 0xffffff)
			 : asprintf(&c->label, "%s", name);

	if (length < 0)
		c->label = NULL;
	return c->label;
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

/* Lists the labels of sorted cells by way of their cells, which BY_LABEL has room for. */
static void labels_list(struct summary *s, const struct cell **by_label)
{
	for (size_t i = 0; i < s->cell_count; i++)
		by_label[i] = &s->cells[i];
	qsort(by_label, s->cell_count, sizeof *by_label, cell_pointer_order);
	for (size_t i = 0; i < s->cell_count; i++)
		if (i == 0 || strcmp(by_label[i - 1]->label, by_label[i]->label) != 0)
			s->labels[s->label_count++] = by_label[i]->label;
}

enum status labels_make(struct summary *s, struct why *why)
{
	const struct cell **by_label = malloc(s->cell_count * sizeof *by_label);
	int *clashes = clashes_find(s);
	bool made = by_label && clashes;

	s->labels = malloc(s->cell_count * sizeof *s->labels);
	made = made && s->labels;
	for (size_t i = 0; made && i < s->cell_count; i++)
		made = label_make(&s->cells[i], clashes[s->cells[i].player->place]);
	if (made) {
		qsort(s->cells, s->cell_count, sizeof *s->cells, cell_order);
		labels_list(s, by_label);
	}
	free(by_label);
	free(clashes);
	return made ? STATUS_OK : why_set(why, STATUS_SYSTEM, "out of memory for labels");
}
