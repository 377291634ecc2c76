/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The loop of a tuning; see tune_generation.h.
 *
 * The steps of IeorIITB2048 (Kalyanakrishnan, Devanand), Cross Entropy Method: draw N candidates
 * (i), let them play (ii), sort them (iii), fit the distributions to the best m (iv), and again. We
 * deviate in three things. All candidates of a generation play the same games, so that they differ
 * by what they are worth and not by luck, and every generation plays other ones. The result is the
 * mean in the end, not the best candidate of the last generation, which is the luckiest one of N.
 * "Starts converging" is that every deviation is a small share of what it was.
 */
#include "src/run/tune_generation.h"

#include "analysis/tables/format.h"
#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Writes a line made in memory. */
static enum status line_end(struct tune *t, FILE *out, char **line, struct why *why)
{
	if (fclose(out))
		return why_errno(why, "a line of the table");
	enum status status = tune_log_line(&t->log, *line, why);
	free(*line);
	return status;
}

static void real_write(FILE *out, double x)
{
	char text[REAL_TEXT_MAX];
	real_format(x, text);
	fprintf(out, "\t%s", text);
}

/* The games of candidate C are played: what they come to, in the table beside its parameters. */
static enum status candidate_log(void *context, size_t c, struct why *why)
{
	struct tune *t = context;
	const size_t n = t->space.n, games = t->options->games;
	char *line;
	size_t size;
	t->objective[c] = tune_objective(t->options, t->result + c * games, games);
	FILE *out = stream_open(&line, &size);
	if (!out)
		return why_errno(why, "a line of the table");
	fprintf(out, "# candidate\t%zu\t%zu", t->generation, c);
	real_write(out, t->objective[c]);
	for (size_t i = 0; i < n; i++)
		real_write(out, t->x[c * n + i]);
	fputc('\n', out);
	return line_end(t, out, &line, why);
}

/* Steps i and ii. */
static enum status candidates_play(struct tune *t, struct why *why)
{
	const struct tune_options *o = t->options;
	const size_t n = t->space.n;
	enum status status = STATUS_OK;
	for (size_t c = 0; !status && c < o->population; c++) {
		struct rng rng;
		rng_init(&rng, o->seed, RNG_TUNE, (uint64_t)t->generation << 32 | c);
		ce_sample(t->space.axis, n, &rng, t->x + c * n);
		status = tune_space_agent(&t->space, t->x + c * n, t->agent[c], why);
	}
	struct tune_match match = {.game = &t->game,
				   .threads = o->pace.threads,
				   .generation = t->generation,
				   .agent = t->agent,
				   .players = o->population,
				   .games = o->games,
				   .seed = t->seed,
				   .first = (t->generation - 1) * o->games,
				   .result = t->result,
				   .log = &t->log,
				   .progress = &t->progress,
				   .ended = candidate_log,
				   .context = t};
	return status ? status : tune_match_play(&match, why);
}

/* The held-out games of AGENT, called NAME. */
static enum status held_out_play(struct tune *t, const char *name, char (*agent)[SPEC_MAX],
				 struct tune_result *result, struct why *why)
{
	struct tune_match match = {.game = &t->game,
				   .threads = t->options->pace.threads,
				   .generation = t->generation,
				   .name = name,
				   .agent = agent,
				   .players = 1,
				   .games = t->options->held_out,
				   .seed = t->held_out_seed,
				   .result = result,
				   .log = &t->log,
				   .progress = &t->progress};
	return tune_match_play(&match, why);
}

/* The row of a generation. BEST, ELITE, MEAN are objectives; VERSUS is NULL if nothing was held out. */
static enum status row_log(struct tune *t, double best, double elite, double mean,
			   const struct tune_versus *versus, struct why *why)
{
	static const struct interval none = {NAN, NAN, NAN};
	const struct interval held_out = versus ? versus->tuned : none;
	char *line;
	size_t size;
	FILE *out = stream_open(&line, &size);
	if (!out)
		return why_errno(why, "a line of the table");
	fprintf(out, "%zu", t->generation);
	number_write(out, best);
	number_write(out, elite);
	number_write(out, mean);
	interval_write(out, held_out);
	interval_write(out, versus ? versus->ratio : none);
	for (size_t i = 0; i < t->space.n; i++) {
		real_write(out, t->space.axis[i].mu);
		real_write(out, t->space.axis[i].sigma);
	}
	fputc('\n', out);
	return line_end(t, out, &line, why);
}

static enum status means_check(struct tune *t, struct why *why)
{
	double x[TUNABLE_MAX];
	tune_space_mean(&t->space, x);
	enum status status = tune_space_agent(&t->space, x, t->tuned, why);
	if (!status)
		status = held_out_play(t, "mean", &t->tuned, t->mean, why);
	return status ? status
		      : tune_compare(t->mean, t->start, t->options->held_out, &t->versus, why);
}

static void note_write(struct tune *t, double elite, double mean)
{
	snprintf(t->progress.note, sizeof t->progress.note,
		 "generation %zu/%zu: mean %.6g, elite %.6g", t->generation,
		 t->options->generations, mean, elite);
}

static double objectives_mean(const struct tune *t, size_t best)
{
	double sum = 0;
	for (size_t i = 0; i < best; i++)
		sum += t->objective[t->order[i]];
	return sum / (double)best;
}

/* Steps i to iv; *OVER if it was the last generation. */
static enum status generation_run(struct tune *t, bool *over, struct why *why)
{
	const struct tune_options *o = t->options;
	enum status status = candidates_play(t, why);
	if (status)
		return status;
	ce_rank(t->objective, o->population, t->order);
	ce_refit(t->space.axis, t->space.n, t->x, t->order, o->elite,
		 ce_noise(o->noise, o->fades, t->generation, o->generations));
	const double elite = objectives_mean(t, o->elite), mean = objectives_mean(t, o->population);
	note_write(t, elite, mean);
	*over = t->generation == o->generations ||
		ce_converged(t->space.axis, t->space.n, o->tolerance);
	const bool checks = *over || (o->check && t->generation % o->check == 0);
	if (checks)
		status = means_check(t, why);
	return status ? status
		      : row_log(t, t->objective[t->order[0]], elite, mean,
				checks ? &t->versus : NULL, why);
}

enum status tune_generations(struct tune *t, struct why *why)
{
	bool over = false;
	enum status status = held_out_play(t, "start", &t->space.agent, t->start, why);
	if (!status)
		status = tune_compare(t->start, t->start, t->options->held_out, &t->versus, why);
	t->versus.ratio = (struct interval){1, 1, 1}; /* of the start to itself */
	if (!status)
		status = row_log(t, NAN, NAN, NAN, &t->versus, why);
	while (!status && !over) {
		t->generation++;
		status = generation_run(t, &over, why);
	}
	return status ? status : tune_log_end(&t->log, why);
}
