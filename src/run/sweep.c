/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep is made of, read strictly from words; see sweep.h. */
#include "src/run/sweep.h"

#include "src/cli/options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEPTH_MAX = 1000, DEFAULT_POSITIONS = 100 };

static enum status value_add(struct sweep_values *values, const char *what, double value,
			     const char *text, struct why *why)
{
	for (int i = 0; i < values->n; i++)
		if (values->value[i] == value)
			return why_set(why, STATUS_INPUT, "%s: %s is there twice", what, text);
	if (values->n == SWEEP_VALUES_MAX)
		return why_set(why, STATUS_INPUT, "%s: more than %d", what, SWEEP_VALUES_MAX);
	values->value[values->n] = value;
	snprintf(values->text[values->n++], SWEEP_TEXT_MAX, "%s", text);
	return STATUS_OK;
}

enum status sweep_add_depths(struct sweep_values *depths, const char *what, const char *text,
			     struct why *why)
{
	char first[SWEEP_TEXT_MAX], number[SWEEP_TEXT_MAX];
	uint64_t from, to;
	size_t length = strcspn(text, "-");
	const char *last = text[length] ? text + length + 1 : text;
	snprintf(first, sizeof first, "%.*s", (int)length, text);
	enum status status = number_parse(what, first, 1, DEPTH_MAX, &from, why);
	if (!status)
		status = number_parse(what, last, 1, DEPTH_MAX, &to, why);
	if (status)
		return status;
	if (to < from)
		return why_set(why, STATUS_INPUT,
			       "%s: '%.40s' has its end before its start; expected one depth, or "
			       "two as in 1-9",
			       what, text);
	for (; !status && from <= to; from++) {
		snprintf(number, sizeof number, "%d", (int)from);
		status = value_add(depths, what, (double)from, number, why);
	}
	return status;
}

enum status sweep_add_cutoff(struct sweep_values *cutoffs, const char *what, const char *text,
			     struct why *why)
{
	char *end;
	double cutoff = strtod(text, &end);
	/* The first test also keeps out blanks, signs, "inf" and "nan". */
	if (!*text || !strchr(".0123456789", *text) || *end || !(cutoff >= 0 && cutoff <= 1) ||
	    strlen(text) >= SWEEP_TEXT_MAX || strpbrk(text, "xX"))
		return why_set(why, STATUS_INPUT,
			       "%s: '%.40s' is not a probability from 0 to 1, such as 1e-4", what,
			       text);
	return value_add(cutoffs, what, cutoff, text, why);
}

enum status sweep_time(const char *what, const char *text, double *seconds, struct why *why)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {{"us", 1e-6}, {"ms", 1e-3}, {"s", 1}, {"min", 60}};
	char *end;
	double number = strtod(text, &end);
	bool plain =
	    *text && strchr(".0123456789", *text) && !memchr(text, 'x', (size_t)(end - text));
	for (size_t i = 0; plain && i < sizeof units / sizeof *units; i++)
		if (strcmp(end, units[i].name) == 0 && number > 0 && isfinite(number) &&
		    strlen(text) < SWEEP_TEXT_MAX) {
			*seconds = number * units[i].seconds;
			return STATUS_OK;
		}
	return why_set(why, STATUS_INPUT,
		       "%s: '%.40s' is not a time above 0 in us, ms, s or min, such as 10ms", what,
		       text);
}

enum status sweep_add_budget(struct sweep_values *budgets, const char *what, const char *text,
			     struct why *why)
{
	double seconds;
	enum status status = sweep_time(what, text, &seconds, why);
	return status ? status : value_add(budgets, what, seconds, text, why);
}

enum status sweep_set_positions(struct sweep *sweep, const char *what, const char *text,
				struct why *why)
{
	uint64_t number = 0;
	if (*text && strspn(text, "0123456789") == strlen(text)) {
		enum status status = number_parse(what, text, 1, SWEEP_POSITIONS_MAX, &number, why);
		if (status)
			return status;
		sweep->positions = number;
		sweep->file[0] = '\0';
		return STATUS_OK;
	}
	if (!*text || strlen(text) >= sizeof sweep->file)
		return why_set(why, STATUS_INPUT, "%s: expected a number of positions or a file",
			       what);
	snprintf(sweep->file, sizeof sweep->file, "%s", text);
	sweep->positions = 0;
	return STATUS_OK;
}

enum status sweep_set_agent(struct sweep *sweep, const char *what, const char *text,
			    struct why *why)
{
	static const char *const own[] = {"depth", "cutoff"};
	for (int i = 0; i < 2; i++)
		if (agent_sets(text, own[i]))
			return why_set(why, STATUS_INPUT,
				       "%s: '%.80s' sets %s, which the cells differ in; it belongs "
				       "into the list of %ss",
				       what, text, own[i], own[i]);
	if (strlen(text) >= sizeof sweep->agent)
		return why_set(why, STATUS_INPUT, "%s: longer than %zu bytes", what,
			       sizeof sweep->agent - 1);
	snprintf(sweep->agent, sizeof sweep->agent, "%s", text);
	return STATUS_OK;
}

enum status sweep_complete(struct sweep *sweep, struct why *why)
{
	static const char *const cutoffs[] = {"1e-2", "1e-3", "1e-4", "1e-5", "1e-6"};
	enum status status = STATUS_OK;
	if (!sweep->depths.n)
		status = sweep_add_depths(&sweep->depths, "depths", "1-9", why);
	for (size_t i = 0, none = !sweep->cutoffs.n; !status && none && i < 5; i++)
		status = sweep_add_cutoff(&sweep->cutoffs, "cutoffs", cutoffs[i], why);
	if (!sweep->positions && !*sweep->file && !sweep->games)
		sweep->positions = DEFAULT_POSITIONS;
	if (!status && isfinite(sweep->play_limit) &&
	    (!sweep->games || (!sweep->positions && !*sweep->file)))
		status = why_set(why, STATUS_INPUT,
				 "a limit for games (play-limit) needs games and positions");
	return status;
}

size_t sweep_board_cells(const struct sweep *sweep)
{
	return (size_t)sweep->depths.n * (size_t)sweep->cutoffs.n;
}

int sweep_depth_of(const struct sweep *sweep, size_t i)
{
	return (int)(i % (size_t)sweep->depths.n);
}

int sweep_cutoff_of(const struct sweep *sweep, size_t i)
{
	return (int)(i / (size_t)sweep->depths.n % (size_t)sweep->cutoffs.n);
}

void sweep_spec(const struct sweep *sweep, size_t i, char spec[SWEEP_SPEC_MAX])
{
	snprintf(spec, SWEEP_SPEC_MAX, "%s%cdepth=%s,cutoff=%s", sweep->agent,
		 strchr(sweep->agent, ':') ? ',' : ':',
		 sweep->depths.text[sweep_depth_of(sweep, i)],
		 sweep->cutoffs.text[sweep_cutoff_of(sweep, i)]);
}

enum status sweep_add_cells(const struct sweep *sweep, struct experiment *experiment,
			    const struct game *game, struct why *why)
{
	char spec[SWEEP_SPEC_MAX];
	const struct schedule schedule = {.games = sweep->games};
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < sweep_board_cells(sweep); i++) {
		sweep_spec(sweep, i, spec);
		status = experiment_add(experiment, game, spec, NULL, &schedule, why);
	}
	return status;
}
