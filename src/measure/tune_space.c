/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selects the parameters of nxn tune by patterns of their names; see tune.h. */
#include "src/measure/tune.h"

#include "base/number.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Beyond these the square of a deviation, or the grain that values are rounded to, is lost. */
#define SIGMA_LEAST 1e-100
#define SIGMA_MOST 1e100

/* A parsed item of --params; missing numbers are NAN. */
struct param_piece {
	const char *glob;
	double mu, sigma;
};

/* The parameters to tune, by index among the reals. */
struct param_choice {
	bool chosen[TUNABLE_MAX];
	struct ce_axis axis[TUNABLE_MAX];
};

/* Cuts MARK and the number after it off TEXT; *NUMBER is NAN without MARK. */
static enum status number_cut(char *text, char mark, double *number, struct why *why)
{
	char *at = strrchr(text, mark);
	*number = NAN;
	if (!at)
		return STATUS_OK;
	*at++ = '\0';
	if (!real_parse(at, number))
		return why_set(why, STATUS_INPUT, "--params: '%s%c%s': expected a number behind %c",
			       text, mark, at, mark);
	if (mark == '~' && !(*number > 0))
		return why_set(why, STATUS_INPUT,
			       "--params: '%s~%s': the deviation behind ~ must be above 0", text,
			       at);
	return STATUS_OK;
}

static enum status glob_refuse(const struct tunables *reals, const char *glob, const char *agent,
			       struct why *why)
{
	enum { NAMES_LONG = 100 };
	char names[700] = "";
	for (size_t i = 0; i < reals->n; i++) {
		const size_t used = strlen(names);
		if (used > NAMES_LONG) {
			snprintf(names + used, sizeof names - used, ", ...");
			break;
		}
		snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
			 reals->real[i].param->name);
	}
	return why_set(why, STATUS_INPUT, "--params: '%s' names no real parameter of %.80s: %s%s",
		       glob, agent, names[0] ? "it has " : "it has none", names);
}

/* Chooses the parameters that PIECE matches. STATUS_INPUT also for an extreme deviation. */
static enum status piece_choose(struct param_choice *choice, const struct param_piece *piece,
				const struct tunables *reals, const struct tune_options *options,
				struct why *why)
{
	bool any = false;
	for (size_t i = 0; i < reals->n; i++) {
		const struct tunable *real = &reals->real[i];
		const struct field *param = real->param;
		if (fnmatch(piece->glob, param->name, 0) != 0)
			continue;
		const double mu = isnan(piece->mu) ? real->value : piece->mu,
			     size = mu == 0 ? real->scale : fabs(mu),
			     sigma = isnan(piece->sigma) ? options->sigma * size : piece->sigma;
		if (!(mu >= param->min && mu <= param->max))
			return why_set(why, STATUS_INPUT,
				       "--params: %s=%g: expected a mean from %g to %g",
				       param->name, mu, param->min, param->max);
		if (!(sigma >= SIGMA_LEAST && sigma <= SIGMA_MOST))
			return why_set(why, STATUS_INPUT,
				       "--params: %s~%g: expected a deviation from %g to %g",
				       param->name, sigma, SIGMA_LEAST, SIGMA_MOST);
		any = choice->chosen[i] = true;
		ce_axis_init(&choice->axis[i], mu, sigma, param->min, param->max);
	}
	return any ? STATUS_OK : glob_refuse(reals, piece->glob, options->agent, why);
}

static enum status list_choose(struct param_choice *choice, const struct tunables *reals,
			       const struct tune_options *options, struct why *why)
{
	struct text_list pieces = {0};
	enum status status = list_split(&pieces, "--params", options->params, ',', NULL, why);
	for (size_t i = 0; !status && i < pieces.n; i++) {
		struct param_piece piece = {.glob = pieces.item[i]};
		status = number_cut(pieces.item[i], '~', &piece.sigma, why);
		if (!status)
			status = number_cut(pieces.item[i], '=', &piece.mu, why);
		/* A narrower pattern may override an earlier one: w_*,w_corner=5. */
		for (size_t k = 0; !status && k < i; k++)
			if (strcmp(pieces.item[k], piece.glob) == 0)
				status = why_set(why, STATUS_INPUT, "--params: '%s' is there twice",
						 piece.glob);
		if (!status)
			status = piece_choose(choice, &piece, reals, options, why);
	}
	list_free(&pieces);
	return status;
}

enum status tune_space_init(struct tune_space *space, const struct tune_options *options,
			    const struct agent_env *env, struct why *why)
{
	struct tunables reals;
	struct param_choice choice = {0};
	struct tune_space s = {.n = 0};
	enum status status = agent_canonical(options->agent, s.agent, why);
	if (!status)
		status = tunable_list(&reals, options->agent, env, why);
	if (!status)
		status = list_choose(&choice, &reals, options, why);
	if (status)
		return status;
	for (size_t i = 0; i < reals.n; i++) {
		if (!choice.chosen[i])
			continue;
		s.name[s.n] = reals.real[i].param->name;
		s.axis[s.n++] = choice.axis[i];
	}
	*space = s;
	return STATUS_OK;
}
