/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The schema of a sweep in an experiment file: a mapping of `keys`, all of which may be left out,
 * with the meaning of the options of nxn sweep.
 */
#include "src/cli/document.h"
#include "src/run/sweep.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { AGENT, DEPTHS, CUTOFFS, POSITIONS, GAMES, BUDGET, CELL_LIMIT, PLAY_LIMIT, KEYS };

static const char *const keys[KEYS + 1] = {
    "agent", "depths", "cutoffs", "positions", "games", "budget", "cell-limit", "play-limit",
};

struct reader {
	struct document *document;
	struct yaml_node_s *values[KEYS];
	struct why *why;
};

/* Hands each text of the list KEY of a sweep, if it is there, to ADD. */
static enum status list_read(struct reader *r, int key, struct sweep_values *list,
			     enum status (*add)(struct sweep_values *, const char *, const char *,
						struct why *))
{
	const char *text;
	struct yaml_node_s *item;
	if (!r->values[key])
		return STATUS_OK;
	enum status status = node_list(r->document, r->values[key], keys[key], r->why);
	for (int i = 0; !status && (item = node_item(r->document, r->values[key], i)); i++) {
		status = node_plain(r->document, item, keys[key], &text, r->why);
		if (status)
			break;
		status = add(list, keys[key], text, r->why);
		status = node_fail_as(r->document, item, status, r->why);
	}
	return status;
}

static enum status text_set(struct sweep *sweep, int key, const char *text, struct why *why)
{
	switch (key) {
	case AGENT:
		return sweep_set_agent(sweep, keys[key], text, why);
	case POSITIONS:
		return sweep_set_positions(sweep, keys[key], text, why);
	case CELL_LIMIT:
		return sweep_time(keys[key], text, &sweep->cell_limit, why);
	default:
		return sweep_time(keys[key], text, &sweep->play_limit, why);
	}
}

/* Refuses a file that is not there by the line that names it. */
static enum status file_check(const char *path, struct why *why)
{
	if (access(path, R_OK) == 0)
		return STATUS_OK;
	return why_set(why, STATUS_INPUT,
		       "%s: '%.80s': %s; expected a number of positions or a file", keys[POSITIONS],
		       path, strerror(errno));
}

/* The keys of a sweep with one value each. */
static enum status values_read(struct reader *r, struct sweep *sweep)
{
	static const int single[] = {AGENT, POSITIONS, CELL_LIMIT, PLAY_LIMIT};
	struct document *d = r->document;
	enum status status =
	    node_number(d, r->values[GAMES], keys[GAMES], 1, COUNT_MAX, &sweep->games, r->why);
	for (size_t i = 0; !status && i < sizeof single / sizeof *single; i++) {
		const char *text;
		const struct yaml_node_s *node = r->values[single[i]];
		if (!node)
			continue;
		status = node_text(d, node, keys[single[i]], &text, r->why);
		if (status)
			break;
		status = text_set(sweep, single[i], text, r->why);
		if (!status && single[i] == POSITIONS && *sweep->file)
			status = file_check(sweep->file, r->why);
		status = node_fail_as(d, node, status, r->why);
	}
	return status;
}

enum status sweep_read(struct sweep *sweep, struct document *document,
		       const struct yaml_node_s *node, struct why *why)
{
	struct reader r = {.document = document, .why = why};
	struct sweep made = sweep_make();
	enum status status = node_mapping(document, node, "sweep", keys, r.values, why);
	if (!status)
		status = list_read(&r, DEPTHS, &made.depths, sweep_add_depths);
	if (!status)
		status = list_read(&r, CUTOFFS, &made.cutoffs, sweep_add_cutoff);
	if (!status)
		status = list_read(&r, BUDGET, &made.budgets, sweep_add_budget);
	if (!status)
		status = values_read(&r, &made);
	if (status)
		return status;
	status = sweep_complete(&made, why);
	if (status)
		return node_fail_as(document, node, status, why);
	*sweep = made;
	return STATUS_OK;
}
