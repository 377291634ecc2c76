/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is tuned; see tune_space.h. Parameters stay in the order of their tables, however --params
 * names them, so that equal spaces draw equal candidates.
 */
#include "src/run/tune_space.h"

#include "base/text.h"
#include "src/cli/options.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GLOB_MAX = 128 };

/* A piece of --params taken apart; NAN for what it lacks. */
struct param_piece {
	char glob[GLOB_MAX];
	double mu, sigma;
};

/* What is tuned, by its place among the reals. */
struct param_choice {
	bool chosen[TUNABLE_MAX];
	double mu[TUNABLE_MAX], sigma[TUNABLE_MAX];
};

/* Cuts the number behind MARK off TEXT. */
static enum status number_cut(char *text, char mark, double *number, struct why *why)
{
	char *at = strrchr(text, mark), *end;
	*number = NAN;
	if (!at)
		return STATUS_OK;
	*at++ = '\0';
	*number = strtod(at, &end);
	if (!strchr("+-.0123456789", *at) || end == at || *end || !isfinite(*number))
		return why_set(why, STATUS_INPUT, "--params: '%s%c%s': expected a number behind %c",
			       text, mark, at, mark);
	return STATUS_OK;
}

static enum status piece_read(struct param_piece *piece, const char *text, struct why *why)
{
	if (strlen(text) >= sizeof piece->glob)
		return why_set(why, STATUS_INPUT, "--params: '%.40s...' is too long", text);
	strcpy(piece->glob, text);
	enum status status = number_cut(piece->glob, '~', &piece->sigma, why);
	if (!status)
		status = number_cut(piece->glob, '=', &piece->mu, why);
	if (!status && !isnan(piece->sigma) && !(piece->sigma > 0))
		status = why_set(why, STATUS_INPUT,
				 "--params: '%s': the deviation behind ~ must be above 0", text);
	return status;
}

static enum status glob_refuse(const struct tunables *reals, const char *glob, const char *agent,
			       struct why *why)
{
	char names[700] = "";
	for (size_t i = 0; i < reals->n; i++) {
		const size_t used = strlen(names);
		snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
			 reals->real[i].param->name);
	}
	return why_set(why, STATUS_INPUT, "--params: '%s' names no real parameter of %.200s: %s%s",
		       glob, agent, names[0] ? "it has " : "it has none", names);
}

/* Chooses what PIECE names. */
static enum status piece_choose(struct param_choice *choice, const struct param_piece *piece,
				const struct tunables *reals, const char *agent, struct why *why)
{
	bool any = false;
	for (size_t i = 0; i < reals->n; i++) {
		const struct param *param = reals->real[i].param;
		if (fnmatch(piece->glob, param->name, 0) != 0)
			continue;
		any = choice->chosen[i] = true;
		choice->mu[i] = isnan(piece->mu) ? reals->real[i].value : piece->mu;
		choice->sigma[i] = piece->sigma;
		if (!(choice->mu[i] >= param->min && choice->mu[i] <= param->max))
			return why_set(why, STATUS_INPUT,
				       "--params: %s=%g: expected a mean from %g to %g",
				       param->name, choice->mu[i], param->min, param->max);
	}
	return any ? STATUS_OK : glob_refuse(reals, piece->glob, agent, why);
}

/* Whether one of the first N PIECES names what GLOB does, in the same words. */
static bool glob_before(const struct text_list *pieces, size_t n, const char *glob)
{
	const size_t length = strlen(glob);
	for (size_t i = 0; i < n; i++)
		if (strcspn(pieces->item[i], "=~") == length &&
		    memcmp(pieces->item[i], glob, length) == 0)
			return true;
	return false;
}

static enum status list_choose(struct param_choice *choice, const char *list,
			       const struct tunables *reals, const char *agent, struct why *why)
{
	struct text_list pieces = {0};
	enum status status = list_split(&pieces, "--params", list, why);
	for (size_t i = 0; !status && i < pieces.n; i++) {
		struct param_piece piece;
		status = piece_read(&piece, pieces.item[i], why);
		/* A narrower name may set apart one of those before it: w_*,w_corner=5. */
		if (!status && glob_before(&pieces, i, piece.glob))
			status =
			    why_set(why, STATUS_INPUT, "--params: '%s' is there twice", piece.glob);
		if (!status)
			status = piece_choose(choice, &piece, reals, agent, why);
	}
	list_free(&pieces);
	return status;
}

enum status tune_space_init(struct tune_space *space, const char *agent, const char *list,
			    double share, const struct agent_env *env, struct why *why)
{
	struct tunables reals;
	struct param_choice choice = {0};
	struct tune_space s = {.n = 0};
	enum status status = agent_canonical(agent, s.agent, why);
	if (!status)
		status = tunable_list(&reals, agent, env, why);
	if (!status)
		status = list_choose(&choice, list, &reals, agent, why);
	if (status)
		return status;
	for (size_t i = 0; i < reals.n; i++) {
		const struct param *param = reals.real[i].param;
		const double mu = choice.mu[i], size = mu == 0 ? 1 : fabs(mu);
		if (!choice.chosen[i])
			continue;
		s.name[s.n] = param->name;
		ce_axis_init(&s.axis[s.n++], mu,
			     isnan(choice.sigma[i]) ? share * size : choice.sigma[i], param->min,
			     param->max);
	}
	*space = s;
	return STATUS_OK;
}

/* Whether PIECE of an agent's text sets what is tuned. */
static bool piece_tuned(const struct tune_space *space, const char *piece)
{
	for (size_t i = 0; i < space->n; i++) {
		const size_t length = strlen(space->name[i]);
		if (strncmp(piece, space->name[i], length) == 0 && piece[length] == '=')
			return true;
	}
	return false;
}

/* Writes the agent without what is tuned: a key may be there only once. Returns the length. */
static size_t untuned_write(const struct tune_space *space, char text[SPEC_MAX])
{
	size_t used = strcspn(space->agent, ":");
	const char *piece = space->agent + used;
	char separator = ':';
	memcpy(text, space->agent, used);
	while (*piece) {
		const size_t length = strcspn(++piece, ",");
		if (!piece_tuned(space, piece)) {
			text[used++] = separator;
			memcpy(text + used, piece, length);
			used += length;
			separator = ',';
		}
		piece += length;
	}
	text[used] = '\0';
	return used;
}

enum status tune_space_agent(const struct tune_space *space, const double *x, char agent[SPEC_MAX],
			     struct why *why)
{
	char text[2 * SPEC_MAX];
	size_t used = untuned_write(space, text);
	char separator = strchr(text, ':') ? ',' : ':';
	for (size_t i = 0; i < space->n && used < sizeof text; i++, separator = ',') {
		char number[REAL_TEXT_MAX];
		real_format(x[i], number);
		used += (size_t)snprintf(text + used, sizeof text - used, "%c%s=%s", separator,
					 space->name[i], number);
	}
	return agent_canonical(text, agent, why);
}

void tune_space_mean(const struct tune_space *space, double *x)
{
	for (size_t i = 0; i < space->n; i++)
		x[i] = ce_round(&space->axis[i], space->axis[i].mu);
}

char *tune_space_text(const struct tune_space *space)
{
	char *text = NULL;
	size_t size;
	FILE *out = stream_open(&text, &size);
	if (!out)
		return NULL;
	for (size_t i = 0; i < space->n; i++) {
		char mu[REAL_TEXT_MAX], sigma[REAL_TEXT_MAX];
		real_format(space->axis[i].mu, mu);
		real_format(space->axis[i].sigma, sigma);
		fprintf(out, "%s%s=%s~%s", i ? " " : "", space->name[i], mu, sigma);
	}
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}
