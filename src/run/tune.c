/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `nxn tune`: what it needs to begin, and its end; see tune.h. The method is in
 * src/run/tune_generation.c.
 *
 * Tuning and held-out games have seeds of their own, drawn from the seed of the tuning, so that the
 * games that players are compared with elsewhere are none that they were tuned on.
 *
 * A run that goes on is done again from the start, without the games that are in its table
 * (src/run/tune_log.h).
 */
#include "src/run/tune.h"

#include "agents/agent.h"
#include "base/text.h"
#include "src/run/experiment.h"
#include "src/cli/provenance.h"
#include "src/run/ranks.h"
#include "base/stop.h"
#include "src/run/tune_generation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Two seeds out of one, for games of two kinds. */
static void seeds_draw(struct tune *t)
{
	struct rng rng;
	rng_init(&rng, t->options->seed, RNG_TUNE, UINT64_MAX);
	t->seed = rng_u32(&rng);
	do
		t->held_out_seed = rng_u32(&rng);
	while (t->held_out_seed == t->seed);
}

/* All that decides the result but the seed, as text for the head of the table. */
static enum status method_text(const struct tune *t, char **text, struct why *why)
{
	static const char *const aims[] = {"score", "log", "tile"};
	const struct tune_options *o = t->options;
	char *space = tune_space_text(&t->space);
	int length = -1;
	if (space)
		length = asprintf(
		    text,
		    "%s; candidates %zu, kept %zu, games %zu, generations %zu, noise %g%s, "
		    "tolerance %g, objective %s %d, held-out games %zu, check %zu",
		    space, o->population, o->elite, o->games, o->generations, o->noise,
		    o->fades ? " fading" : "", o->tolerance, aims[o->aim], o->exponent, o->held_out,
		    o->check);
	free(space);
	return length < 0 ? why_set(why, STATUS_SYSTEM, "out of memory for a tuning") : STATUS_OK;
}

/* The hash of all that decides the result. */
static enum status config_hash(const struct tune *t, const char *method, uint64_t *hash,
			       struct why *why)
{
	struct entry entry = {.game = t->game};
	enum status status = agent_settings(t->options->agent, entry.settings, why);
	status = status ? status : agent_input_digest(t->options->agent, &entry.contents, why);
	if (!status) {
		*hash = XXH3_64bits_withSeed(method, strlen(method), entry_config(&entry, 0));
		*hash = XXH3_64bits_withSeed(&t->options->seed, sizeof t->options->seed, *hash);
	}
	return status;
}

/* The last line of the head. */
static enum status columns_text(const struct tune *t, char **text, struct why *why)
{
	size_t size;
	FILE *out = stream_open(text, &size);
	if (!out)
		return why_errno(why, "the head of the table");
	fputs("\"generation\"\t\"best\"\t\"elite\"\t\"mean\"\t\"held_out\"\t\"held_out_low\"\t"
	      "\"held_out_high\"\t\"ratio\"\t\"ratio_low\"\t\"ratio_high\"",
	      out);
	for (size_t i = 0; i < t->space.n; i++)
		fprintf(out, "\t\"%s\"\t\"%s_sd\"", t->space.name[i], t->space.name[i]);
	fputc('\n', out);
	return fclose(out) ? why_errno(why, "the head of the table") : STATUS_OK;
}

static enum status head_text(const struct tune *t, const struct provenance *provenance,
			     const char *method, const char *columns, char **text, struct why *why)
{
	size_t size;
	FILE *out = stream_open(text, &size);
	if (!out)
		return why_errno(why, "the head of the table");
	for (const char *const *line = provenance_lines(provenance); *line; line++)
		fprintf(out, "# %s\n", *line);
	fprintf(out, "# agent: %s on %s\n# tuning: %s\n", t->space.agent, t->game.name, method);
	fprintf(out, "# seed of tuning games: %" PRIu64 ", of held-out games: %" PRIu64 "\n",
		t->seed, t->held_out_seed);
	fprintf(out, "# intervals: %s\n%s", stats_method, columns);
	return fclose(out) ? why_errno(why, "the head of the table") : STATUS_OK;
}

static enum status table_open(struct tune *t, const char *command, const char *method,
			      struct why *why)
{
	char seed[24], config[64], *columns = NULL, *head = NULL;
	uint64_t hash;
	struct provenance provenance;
	enum status status = config_hash(t, method, &hash, why);
	if (status)
		return status;
	snprintf(seed, sizeof seed, "%" PRIu64, t->options->seed);
	snprintf(config, sizeof config, "# configuration: %016" PRIx64 "\n", hash);
	status = provenance_init(&provenance, command, hash, seed, why);
	if (status)
		return status;
	status = columns_text(t, &columns, why);
	if (!status)
		status = head_text(t, &provenance, method, columns, &head, why);
	if (!status && ranks_rank() == 0)
		status = tune_log_open(&t->log, t->options->path, head, config, columns, why);
	provenance_fini(&provenance);
	free(columns);
	free(head);
	return status;
}

static enum status arrays_make(struct tune *t, struct why *why)
{
	const struct tune_options *o = t->options;
	t->agent = calloc(o->population, sizeof *t->agent);
	t->x = calloc(o->population * t->space.n, sizeof *t->x);
	t->objective = calloc(o->population, sizeof *t->objective);
	t->order = calloc(o->population, sizeof *t->order);
	t->result = calloc(o->population * o->games, sizeof *t->result);
	t->start = calloc(o->held_out, sizeof *t->start);
	t->mean = calloc(o->held_out, sizeof *t->mean);
	if (t->agent && t->x && t->objective && t->order && t->result && t->start && t->mean)
		return STATUS_OK;
	return why_errno(why, "%zu candidates with %zu games", o->population, o->games);
}

static void arrays_free(struct tune *t)
{
	free(t->agent);
	free(t->x);
	free(t->objective);
	free(t->order);
	free(t->result);
	free(t->start);
	free(t->mean);
}

/* All games there can be. */
static uint64_t games_total(const struct tune_options *o)
{
	const size_t checks = o->check ? (o->generations - 1) / o->check + 1 : 1;
	return o->generations * o->population * o->games + (1 + checks) * o->held_out;
}

/* Tunes with an open table, and closes it. */
static enum status tune_show(struct tune *t, struct why *why)
{
	const struct tune_options *o = t->options;
	struct why close_why;
	t->progress.games.total = games_total(o);
	progress_start(&t->progress, o->pace.progress);
	enum status status = tune_generations(t, why);
	progress_clear(&t->progress);
	enum status closed = tune_log_close(&t->log, &close_why);
	if (closed && (!status || status == STATUS_STOPPED)) {
		*why = close_why;
		status = closed;
	}
	status = ranks_agree("tuned", t->generation, status, why);
	if (!status) {
		printf("%s: %s on %s, %zu generation%s%s\n", o->path, t->space.agent, t->game.name,
		       t->generation, t->generation == 1 ? "" : "s",
		       t->generation < o->generations ? ", converged" : "");
		tune_report(o, t->space.agent, t->tuned, t->held_out_seed, &t->versus);
	}
	return status;
}

static enum status tune_make(struct tune *t, const char *command, struct why *why)
{
	const struct tune_options *o = t->options;
	const struct agent_env env = {.game = &t->game};
	char *method;
	enum status status = game_init(&t->game, &o->game, why);
	if (!status && o->aim == TUNE_TILE && o->exponent > t->game.max_exponent)
		status = why_set(
		    why, STATUS_INPUT,
		    "--objective: tile=%" PRIu64 ": the largest tile on %s is %" PRIu64,
		    UINT64_C(1) << o->exponent, t->game.name, UINT64_C(1) << t->game.max_exponent);
	if (!status)
		status = tune_space_init(&t->space, o->agent, o->params, o->sigma, &env, why);
	if (!status)
		status = arrays_make(t, why);
	if (!status)
		status = method_text(t, &method, why);
	if (status)
		return status;
	seeds_draw(t);
	tune_log_elsewhere(&t->log);
	status = table_open(t, command, method, why);
	free(method);
	return ranks_agree("table", 0, status, why);
}

enum status tune_run(const struct tune_options *options, const char *command, struct why *why)
{
	struct tune *t = calloc(1, sizeof *t);
	if (!t)
		return why_errno(why, "a tuning");
	t->options = options;
	stop_catch();
	stop_after(options->pace.budget);
	enum status status = tune_make(t, command, why);
	if (!status)
		status = tune_show(t, why);
	arrays_free(t);
	free(t);
	return status;
}
