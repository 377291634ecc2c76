/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `nxn tune` by the cross-entropy method; see tune.h.
 *
 * The steps are those of IeorIITB2048 (Kalyanakrishnan, Devanand), Cross Entropy Method: draw N
 * candidates (i), let them play (ii), sort them (iii), fit the distributions to the best m (iv),
 * and repeat. We deviate in three points. All candidates of a generation play the same games, so
 * that they differ by their worth and not by luck, and every generation plays new ones. The result
 * is the final mean, not the best candidate of the last generation, which is the luckiest one of N.
 * "Starts converging" is that every deviation is a small share of its initial value.
 *
 * Tuning games and held-out games have seeds of their own, drawn from the seed of the tuning, so
 * that comparisons elsewhere use no games that a player was tuned on.
 *
 * The candidates of a generation are the players of one experiment, and their games are in a game
 * log beside the table. A resumed run repeats all steps from the start, without playing games that
 * are in the log, and writes the table anew. All ranks compute the same and share the games; rank 0
 * writes the table.
 */
#include "src/measure/tune.h"

#include "analysis/tables/record.h"
#include "analysis/tables/table.h"
#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "src/report/report.h"
#include "src/games/ranks.h"
#include "src/measure/launch.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

/* The score of a game, and its objective. */
struct tune_game {
	double score, worth;
};

/* Header lines that identify the tuning of a table; an error shows the first that differs. */
enum { TUNING, AGENT, SEED, CONFIGURATION, OWN_LINES };

/* Two players of the same held-out games. */
struct tune_versus {
	struct interval start, tuned; /* mean scores */
	struct interval ratio;	      /* tuned / start, as independent samples */
	struct paired paired;	      /* tuned - start */
	struct interval gain;	      /* the same difference in the objective */
};

/* A running tuning. */
struct tune {
	struct launch_task task;
	const struct tune_options *options;
	const struct game *game;
	struct tune_space space;
	uint64_t seed, held_out_seed; /* of games */
	struct launch_options launch; /* in the folder of the games */
	struct tournament *games;
	char note[PROGRESS_NOTE_MAX];
	struct work_done done;		    /* games */
	char *own[OWN_LINES + 1], *columns; /* of the table; `own` ends with NULL */
	FILE *table;			    /* NULL on ranks other than 0 */
	char *path;			    /* of the table, with links resolved */

	size_t generation;	 /* 0: the start */
	char (*agent)[SPEC_MAX]; /* [candidate] */
	double *x;		 /* [candidate * n + parameter] */
	double *objective;
	size_t *order;
	struct tune_game *game_of;	/* [candidate * games + game] */
	struct tune_game *start, *mean; /* held-out games */
	char tuned[SPEC_MAX];		/* the agent of the means */
	struct tune_versus versus;
};

/* ---- Agents with given values of the parameters. */

/* Whether PIECE of an agent's text sets a tuned parameter. */
static bool piece_tuned(const struct tune_space *space, const char *piece)
{
	for (size_t i = 0; i < space->n; i++) {
		const size_t length = strlen(space->name[i]);
		if (strncmp(piece, space->name[i], length) == 0 && piece[length] == '=')
			return true;
	}
	return false;
}

/* Writes the canonical agent with x[i] for parameter i. STATUS_INPUT if it is too long. */
static enum status space_agent(const struct tune_space *space, const double *x,
			       char agent[SPEC_MAX], struct why *why)
{
	char *text, separator = ':';
	size_t size;
	FILE *out = xstream_open(&text, &size);
	const char *piece = space->agent + strcspn(space->agent, ":");
	fprintf(out, "%.*s", (int)(piece - space->agent), space->agent);
	/* Settings of tuned parameters are left out, as a key must be unique. */
	for (int length; *piece; piece += length) {
		length = (int)strcspn(++piece, ",");
		if (piece_tuned(space, piece))
			continue;
		fprintf(out, "%c%.*s", separator, length, piece);
		separator = ',';
	}
	for (size_t i = 0; i < space->n; i++, separator = ',') {
		char number[REAL_TEXT_MAX];
		real_format(x[i], number);
		fprintf(out, "%c%s=%s", separator, space->name[i], number);
	}
	xstream_close(out);
	const enum status status = agent_canonical(text, agent, why);
	free(text);
	return status;
}

/* Returns means and deviations as "w_empty=10~5, w_corner=20~10", on the heap. */
static char *space_text(const struct tune_space *space)
{
	char *text;
	size_t size;
	FILE *out = xstream_open(&text, &size);
	for (size_t i = 0; i < space->n; i++) {
		char mu[REAL_TEXT_MAX], sigma[REAL_TEXT_MAX];
		real_format(space->axis[i].mu, mu);
		real_format(space->axis[i].sigma, sigma);
		fprintf(out, "%s%s=%s~%s", i ? ", " : "", space->name[i], mu, sigma);
	}
	xstream_close(out);
	return text;
}

/* ---- Games. */

static const char *const aim_names[] = {
    [TUNE_SCORE] = "score", [TUNE_LOG] = "log", [TUNE_TILE] = "tile"};

static struct tune_game game_take(const struct tune_options *options, const struct gamelog_row *row)
{
	const double score = (double)row->score;
	const bool reached = row->max_tile >> options->exponent;
	return (struct tune_game){score, options->aim == TUNE_LOG    ? log1p(score)
					 : options->aim == TUNE_TILE ? reached
								     : score};
}

/* Players that each play games FIRST .. FIRST + GAMES - 1 of SEED. */
struct match {
	const char *name;	 /* label, followed by a number if there are several players */
	char (*agent)[SPEC_MAX]; /* [player] */
	size_t players, games;
	uint64_t seed, first;
	struct tune_game *game; /* [player * games + game], to be filled in */
};

/* The entry of EXPERIMENT with AGENT, or NULL. */
static const struct experiment_entry *entry_of(const struct experiment *experiment,
					       const char *agent)
{
	for (size_t i = 0; i < experiment->count; i++)
		if (strcmp(experiment->entries[i]->agent, agent) == 0)
			return experiment->entries[i];
	return NULL;
}

/* Adds player P of M to EXPERIMENT, unless a player with the same parameters is there. */
static enum status player_add(const struct tune *t, const struct match *m, size_t p,
			      struct experiment *experiment, struct why *why)
{
	char label[RESULT_NAME_MAX];
	const struct schedule schedule = {.games = m->games};
	if (entry_of(experiment, m->agent[p]))
		return STATUS_OK;
	snprintf(label, sizeof label, m->players > 1 ? "%s %zu" : "%s", m->name, p);
	enum status status =
	    experiment_add(experiment, t->game, m->agent[p], label, &schedule, why);
	if (!status)
		experiment->entries[experiment->count - 1]->first = m->first;
	return status;
}

/* Copies the games of player P, which ENTRY played, from the log. */
static enum status games_take(const struct tune *t, const struct match *m, size_t p,
			      const struct experiment_entry *entry, struct why *why)
{
	const struct gamelog_row **rows = xcalloc(m->games, sizeof *rows);
	enum status status = entry_rows(entry, tournament_log(t->games), rows, why);
	for (size_t i = 0; !status && i < m->games; i++)
		m->game[p * m->games + i] = game_take(t->options, rows[i]);
	free(rows);
	return status;
}

/* Plays the missing games of M on all ranks. Errors as experiment_add() and tournament_games(). */
static enum status match_play(struct tune *t, const struct match *m, struct why *why)
{
	struct experiment experiment = {.seed = m->seed};
	enum status status = STATUS_OK;
	for (size_t p = 0; !status && p < m->players; p++)
		status = player_add(t, m, p, &experiment, why);
	status = ranks_agree("match", m->players, status, why);
	if (!status)
		status = tournament_games(t->games, &experiment, &t->done, why);
	for (size_t p = 0; !status && p < m->players; p++)
		status = games_take(t, m, p, entry_of(&experiment, m->agent[p]), why);
	experiment_fini(&experiment);
	return status;
}

/* ---- Results of games. */

/* Compares the N held-out games of both agents. */
static void tune_compare(const struct tune_game *tuned, const struct tune_game *start, size_t n,
			 struct tune_versus *versus)
{
	double *a = xcalloc(2 * n, sizeof *a), *b = a + n;
	for (size_t i = 0; i < n; i++) {
		a[i] = tuned[i].worth;
		b[i] = start[i].worth;
	}
	versus->gain = stats_paired(a, b, n).difference;
	for (size_t i = 0; i < n; i++) {
		a[i] = tuned[i].score;
		b[i] = start[i].score;
	}
	versus->paired = stats_paired(a, b, n);
	stats_sort(a, n);
	stats_sort(b, n);
	versus->ratio = stats_ratio(a, n, b, n);
	versus->tuned = stats_interval(&stat_mean, a, n);
	versus->start = stats_interval(&stat_mean, b, n);
	free(a);
}

static void mean_print(const char *name, struct interval mean, const char *agent)
{
	char text[GRID_TEXT_MAX];
	interval_text(mean, decimals_of(mean.value), text);
	printf("%-9s %s\n%10s", name, text, "");
	text_fill(stdout, 10, agent);
}

/* Whether held-out games show that the tuned agent has a better objective. */
static bool versus_better(const struct tune_versus *versus, enum tune_aim aim)
{
	return aim == TUNE_SCORE && !isnan(versus->ratio.value) ? versus->ratio.low > 1
								: versus->gain.low > 0;
}

/* Prints the agent to play with: the tuned one, or the start after a line that says why. */
static void choice_print(const struct tune *t)
{
	const struct tune_versus *versus = &t->versus;
	const enum tune_aim aim = t->options->aim;
	const bool better = versus_better(versus, aim);
	const bool score = aim == TUNE_SCORE && !isnan(versus->ratio.value);
	const struct interval shown = score ? versus->ratio : versus->gain;
	char text[GRID_TEXT_MAX];
	(score ? ratio_text : interval_text)(shown, decimals_of(shown.value), text);
	putchar('\n');
	if (!better)
		text_printf(
		    stdout,
		    "No improvement shown on the held-out games (%s%s %s): the start is kept.",
		    score ? "ratio" : "difference in ", score ? "" : aim_names[aim], text);
	printf("%-9s %s\n", "result", better ? t->tuned : t->space.agent);
}

/* Prints the result as text. */
static enum status tune_report(const struct tune *t, struct why *why)
{
	const struct tune_options *o = t->options;
	const struct tune_versus *versus = &t->versus;
	const struct interval difference = versus->paired.difference;
	char text[GRID_TEXT_MAX], tied[GRID_TEXT_MAX];
	printf("%s: %s on %s, %zu generation%s%s\n", o->path, t->space.agent, t->game->name,
	       t->generation, t->generation == 1 ? "" : "s",
	       t->generation < o->generations ? ", converged" : "");
	text_printf(stdout,
		    "tuned: the means of the last generation, which are fitted to its elite, the "
		    "best %zu of %zu candidates.",
		    o->elite, o->population);
	printf("%zu held-out games, seed %" PRIu64 ":\n\n", o->held_out, t->held_out_seed);
	printf("%-9s %s\n", "", "mean score [95%], agent");
	mean_print("start", versus->start, t->space.agent);
	mean_print("tuned", versus->tuned, t->tuned);
	ratio_text(versus->ratio, decimals_of(versus->ratio.value), text);
	printf("%-9s %s\n", "ratio", text);
	interval_text(difference, decimals_of(difference.value), text);
	printf("%-9s %s, game by game\n", "gain", text);
	percent_text(versus->paired.won, 1, text);
	share_text(versus->paired.tied.value, 1, tied);
	printf("%-9s %s of the games; another %s were tied\n", "won", text, tied);
	if (o->aim != TUNE_SCORE) {
		interval_text(versus->gain, decimals_of(versus->gain.value), text);
		printf("%-9s %s\n", aim_names[o->aim], text);
	}
	putchar('\n');
	char *agents = xasprintf("%s;%s", t->space.agent, t->tuned);
	enum status status = compare_command_print(t->game, agents, o->untrained, t->held_out_seed,
						   o->held_out, why);
	free(agents);
	choice_print(t);
	return status;
}

/* ---- Generations. */

/* Runs steps i and ii. */
static enum status candidates_play(struct tune *t, struct why *why)
{
	const struct tune_options *o = t->options;
	const size_t n = t->space.n;
	enum status status = STATUS_OK;
	for (size_t c = 0; !status && c < o->population; c++) {
		struct rng rng;
		rng_init(&rng, o->seed, RNG_TUNE, (uint64_t)t->generation << 32 | c);
		ce_sample(t->space.axis, n, &rng, t->x + c * n);
		status = space_agent(&t->space, t->x + c * n, t->agent[c], why);
	}
	const struct match match = {.name = "candidate",
				    .agent = t->agent,
				    .players = o->population,
				    .games = o->games,
				    .seed = t->seed,
				    .first = (t->generation - 1) * o->games,
				    .game = t->game_of};
	status = status ? status : match_play(t, &match, why);
	for (size_t c = 0; !status && c < o->population; c++) {
		double sum = 0;
		for (size_t i = 0; i < o->games; i++)
			sum += t->game_of[c * o->games + i].worth;
		t->objective[c] = sum / (double)o->games;
	}
	return status;
}

/* Plays the held-out games of AGENT with label NAME. */
static enum status held_out_play(struct tune *t, const char *name, char (*agent)[SPEC_MAX],
				 struct tune_game *game, struct why *why)
{
	const struct match match = {.name = name,
				    .agent = agent,
				    .players = 1,
				    .games = t->options->held_out,
				    .seed = t->held_out_seed,
				    .game = game};
	return match_play(t, &match, why);
}

/*
 * Writes the row of a generation. BEST, ELITE and MEAN are objectives; VERSUS is NULL if no
 * held-out games were played.
 */
static enum status row_log(struct tune *t, double best, double elite, double mean,
			   const struct tune_versus *versus, struct why *why)
{
	static const struct interval none = {NAN, NAN, NAN};
	FILE *out = t->table;
	if (!out)
		return STATUS_OK;
	fprintf(out, "%zu", t->generation);
	number_write(out, best);
	number_write(out, elite);
	number_write(out, mean);
	interval_write(out, versus ? versus->tuned : none);
	interval_write(out, versus ? versus->ratio : none);
	for (size_t i = 0; i < t->space.n; i++) {
		char mu[REAL_TEXT_MAX], sigma[REAL_TEXT_MAX];
		real_format(t->space.axis[i].mu, mu);
		real_format(t->space.axis[i].sigma, sigma);
		fprintf(out, "\t%s\t%s", mu, sigma);
	}
	fputc('\n', out);
	return stream_flush(out) ? STATUS_OK : why_errno(why, "%s: cannot be written", t->path);
}

static enum status means_check(struct tune *t, struct why *why)
{
	double x[TUNABLE_MAX];
	for (size_t i = 0; i < t->space.n; i++)
		x[i] = ce_round(&t->space.axis[i], t->space.axis[i].mu);
	enum status status = space_agent(&t->space, x, t->tuned, why);
	if (!status)
		status = held_out_play(t, "mean", &t->tuned, t->mean, why);
	if (!status)
		tune_compare(t->mean, t->start, t->options->held_out, &t->versus);
	return status;
}

static double objectives_mean(const struct tune *t, size_t best)
{
	double sum = 0;
	for (size_t i = 0; i < best; i++)
		sum += t->objective[t->order[i]];
	return sum / (double)best;
}

/* Runs steps i to iv; sets *OVER after the last generation. */
static enum status generation_run(struct tune *t, bool *over, struct why *why)
{
	const struct tune_options *o = t->options;
	enum status status = candidates_play(t, why);
	if (status)
		return status;
	ce_rank(t->objective, o->population, t->order);
	ce_refit(t->space.axis, t->space.n, t->x, t->order, o->elite,
		 ce_noise(o->noise, !o->noise_constant, t->generation, o->generations));
	const double elite = objectives_mean(t, o->elite), mean = objectives_mean(t, o->population);
	snprintf(t->note, sizeof t->note, "generation %zu/%zu: mean %.6g, elite %.6g",
		 t->generation, o->generations, mean, elite);
	*over = t->generation == o->generations ||
		ce_converged(t->space.axis, t->space.n, o->tolerance);
	const bool checks = *over || (o->check && t->generation % o->check == 0);
	if (checks)
		status = means_check(t, why);
	return status ? status
		      : row_log(t, t->objective[t->order[0]], elite, mean,
				checks ? &t->versus : NULL, why);
}

/*
 * Plays the held-out games of the start and then all generations, and writes a row of the table for
 * each; sets t->tuned and t->versus. Errors as match_play().
 */
static enum status tune_generations(struct tune *t, struct why *why)
{
	bool over = false;
	enum status status = held_out_play(t, "start", &t->space.agent, t->start, why);
	if (!status)
		tune_compare(t->start, t->start, t->options->held_out, &t->versus);
	t->versus.ratio = (struct interval){1, 1, 1}; /* of the start to itself */
	if (!status)
		status = row_log(t, NAN, NAN, NAN, &t->versus, why);
	while (!status && !over) {
		t->generation++;
		status = generation_run(t, &over, why);
	}
	return status;
}

/* ---- The command. */

/* Draws two different seeds, for tuning games and held-out games. */
static void seeds_draw(struct tune *t)
{
	struct rng rng;
	rng_init(&rng, t->options->seed, RNG_TUNE, UINT64_MAX);
	t->seed = rng_u32(&rng);
	do
		t->held_out_seed = rng_u32(&rng);
	while (t->held_out_seed == t->seed);
}

/* All that determines the result except the seed, as text for the header of the table. */
static char *method_text(const struct tune *t)
{
	const struct tune_options *o = t->options;
	char noise[REAL_TEXT_MAX], tolerance[REAL_TEXT_MAX];
	char *space = space_text(&t->space);
	real_format(o->noise, noise);
	real_format(o->tolerance, tolerance);
	char *text =
	    xasprintf("%s, candidates %zu, kept %zu, games %zu, generations %zu, noise %s%s, "
		      "tolerance %s, objective %s %d, held-out games %zu, check %zu",
		      space, o->population, o->elite, o->games, o->generations, noise,
		      o->noise_constant ? "" : " fading", tolerance, aim_names[o->aim], o->exponent,
		      o->held_out, o->check);
	free(space);
	return text;
}

/* Sets *HASH to the hash of all that determines the result. */
static enum status config_hash(const struct tune *t, const char *method, uint64_t *hash,
			       struct why *why)
{
	struct experiment_entry entry = {.game = *t->game};
	enum status status = agent_settings(t->options->agent, entry.settings, why);
	status = status ? status : agent_input_digest(t->options->agent, &entry.contents, why);
	if (!status) {
		*hash = XXH3_64bits_withSeed(method, strlen(method), entry_config(&entry, 0));
		*hash = XXH3_64bits_withSeed(&t->options->seed, sizeof t->options->seed, *hash);
	}
	return status;
}

/* Returns the line of column names, on the heap. */
static char *columns_text(const struct tune *t)
{
	char *text;
	size_t size;
	FILE *out = xstream_open(&text, &size);
	fputs("\"generation\"\t\"best\"\t\"elite\"\t\"mean\"\t\"held_out\"\t\"held_out_low\"\t"
	      "\"held_out_high\"\t\"ratio\"\t\"ratio_low\"\t\"ratio_high\"",
	      out);
	for (size_t i = 0; i < t->space.n; i++)
		fprintf(out, "\t\"%s\"\t\"%s_sd\"", t->space.name[i], t->space.name[i]);
	xstream_close(out);
	return text;
}

/* Refuses to overwrite anything but a table of this tuning. */
static enum status table_check(const struct tune *t, struct why *why)
{
	static const char what[] = "the table of this tuning with these settings";
	struct stat st;
	const char *path = t->options->path;
	char *columns;
	if (stat(path, &st) != 0 || (S_ISREG(st.st_mode) && st.st_size == 0))
		return STATUS_OK;
	if (!S_ISREG(st.st_mode))
		return why_set(why, STATUS_INPUT, "%s: exists and is not a regular file", path);
	enum status status =
	    table_head_check(path, what, (const char *const *)t->own, &columns, why);
	if (!status && (!columns || strcmp(columns, t->columns) != 0))
		status = why_set(why, STATUS_INPUT, "%s: exists and is not %s", path, what);
	free(columns);
	return status;
}

/* Creates the table anew: its rows are made from the games in the log. */
static enum status table_begin(struct tune *t, struct why *why)
{
	enum status status = links_follow(t->options->path, &t->path, why);
	status = status ? status : part_create(t->path, &t->table, why);
	if (status)
		return status;
	table_comments(t->table, provenance_lines(&t->task.provenance));
	fprintf(t->table, "# %s\n# %s\n", t->own[AGENT], t->own[TUNING]);
	fprintf(t->table, "# seed of tuning games: %" PRIu64 ", of held-out games: %" PRIu64 "\n",
		t->seed, t->held_out_seed);
	fprintf(t->table, "# intervals: %s\n%s\n", stats_method, t->columns);
	status = part_publish(t->table, t->path, STATUS_OK, why);
	if (status)
		t->table = NULL;
	return status;
}

/* Writes the path of the table without ".tsv" and with END; refuses anything there but a folder. */
static enum status beside_table(const struct tune *t, const char *end, char path[FOLDER_PATH_MAX],
				struct why *why)
{
	const char *table = t->options->path;
	const size_t length = strlen(table);
	const bool ends = length > 4 && strcmp(table + length - 4, ".tsv") == 0;
	enum status status =
	    path_format(path, why, "%.*s%s", (int)(ends ? length - 4 : length), table, end);
	return status ? status : folder_expect(path, why);
}

/* Initialises the provenance; rank 0 creates the table. */
static enum status table_open(struct tune *t, const char *method, uint64_t hash, struct why *why)
{
	char seed[24];
	snprintf(seed, sizeof seed, "%" PRIu64, t->options->seed);
	enum status status =
	    provenance_init(&t->task.provenance, t->task.call->provenance, hash, seed, NULL, why);
	if (status || ranks_rank() > 0)
		return status;
	t->own[TUNING] = xasprintf("tuning: %s", method);
	t->own[AGENT] = xasprintf("agent: %s on %s", t->space.agent, t->game->name);
	t->own[SEED] = xasprintf("seed: %s", seed);
	t->own[CONFIGURATION] = xasprintf("configuration: %016" PRIx64, hash);
	t->columns = columns_text(t);
	status = table_check(t, why);
	return status ? status : table_begin(t, why);
}

static void arrays_make(struct tune *t)
{
	const struct tune_options *o = t->options;
	t->agent = xcalloc(o->population, sizeof *t->agent);
	t->x = xcalloc(o->population * t->space.n, sizeof *t->x);
	t->objective = xcalloc(o->population, sizeof *t->objective);
	t->order = xcalloc(o->population, sizeof *t->order);
	t->game_of = xcalloc(o->population * o->games, sizeof *t->game_of);
	t->start = xcalloc(o->held_out, sizeof *t->start);
	t->mean = xcalloc(o->held_out, sizeof *t->mean);
}

static void arrays_free(struct tune *t)
{
	free(t->agent);
	free(t->x);
	free(t->objective);
	free(t->order);
	free(t->game_of);
	free(t->start);
	free(t->mean);
}

/* The largest possible number of games. */
static uint64_t games_total(const struct tune_options *o)
{
	const size_t checks = o->check ? (o->generations - 1) / o->check + 1 : 1;
	return o->generations * o->population * o->games + (1 + checks) * o->held_out;
}

/* Prints the result as a record. */
static enum status tune_record_print(const struct tune *t, struct why *why)
{
	const struct tune_options *o = t->options;
	const struct tune_versus *versus = &t->versus;
	const bool better = versus_better(versus, o->aim);
	struct record record = {.name = "tune"};
	record_text(&record, "out", o->path);
	record_text(&record, "board", t->game->name);
	record_number(&record, "generations", t->generation);
	record_flag(&record, "converged", t->generation < o->generations);
	record_text(&record, "objective", aim_names[o->aim]);
	record_number(&record, "games", o->held_out);
	record_number(&record, "seed", t->held_out_seed);
	record_text(&record, "start", t->space.agent);
	record_text(&record, "tuned", t->tuned);
	record_interval(&record, "start_mean", versus->start);
	record_interval(&record, "tuned_mean", versus->tuned);
	record_interval(&record, "ratio", versus->ratio);
	record_interval(&record, "paired_difference", versus->paired.difference);
	record_interval(&record, "won", versus->paired.won);
	record_interval(&record, "objective_difference", versus->gain);
	record_flag(&record, "better", better);
	record_text(&record, "result", better ? t->tuned : t->space.agent);
	return record_print(t->task.call, &record, why);
}

/* Writes the page of the table beside it. */
static enum status tune_draw(const struct tune *t, struct why *why)
{
	char folder[FOLDER_PATH_MAX];
	const char *path = t->options->path;
	const struct figure *figure;
	if (t->options->no_figures || ranks_rank() > 0)
		return STATUS_OK;
	enum status status = beside_table(t, "-page", folder, why);
	status = status ? status : figure_single(path, &figure, why);
	if (status || !figure)
		return status;
	status = report_single(figure, path, folder, why);
	if (!status)
		printf("\nPage %s/index.html.\n", folder);
	return status;
}

static enum status table_end(struct tune *t, enum status status, struct why *why)
{
	const bool failed = t->table && fclose(t->table);
	t->table = NULL;
	return failed && !status ? why_errno(why, "%s: cannot be written", t->path) : status;
}

static enum status tune_make(struct tune *t, struct why *why)
{
	char *method = method_text(t);
	uint64_t hash = 0;
	arrays_make(t);
	seeds_draw(t);
	enum status status = config_hash(t, method, &hash, why);
	status = ranks_agree("tuning", hash, status, why);
	if (!status)
		status = ranks_agree("table", 0, table_open(t, method, hash, why), why);
	free(method);
	return status;
}

/* Tunes, and closes the table. */
static enum status tune_work(void *context, struct why *why)
{
	struct tune *t = context;
	struct tournament_options options = launch_tournament(&t->task);
	options.note = t->note;
	options.games = games_total(t->options);
	enum status status = tune_make(t, why);
	if (status)
		return table_end(t, status, why);
	t->games = tournament_new(&options);
	status = tournament_end(t->games, tune_generations(t, why), NULL, why);
	status = table_end(t, status, why);
	return ranks_agree("tuned", t->generation, status, why);
}

/* Refuses a folder at the path of the page that this command has not made. */
static enum status page_check(const struct tune *t, struct why *why)
{
	char folder[FOLDER_PATH_MAX], table[FOLDER_PATH_MAX];
	if (t->options->no_figures)
		return STATUS_OK;
	enum status status = beside_table(t, "-page", folder, why);
	status = status ? status : path_format(table, why, "%s/tables/tuning.tsv", folder);
	return status || access(table, F_OK) == 0 ? status : results_refuse(folder, why);
}

enum status tune_run(const struct tune_options *options, const struct game *game,
		     const struct tune_space *space, const struct invocation *call, struct why *why)
{
	struct why ignored;
	char folder[FOLDER_PATH_MAX];
	struct tune t = {
	    .options = options,
	    .game = game,
	    .space = *space,
	    .task = {.options = &t.launch, .call = call, .work = tune_work, .log = &gamelog_kind},
	    .launch = {.directory = folder, .pace = options->pace, .no_times = options->no_times}};
	share_of_rank(&t.launch.share);
	enum status status = beside_table(&t, "-games", folder, why);
	if (!status && !options->untrained)
		status = agent_trained_of(game, options->agent, "add --untrained", why);
	status = status ? status : page_check(&t, why);
	status = status ? status : launch_run(&t.task, why);
	/* Draws the page of the finished generations; Ctrl-C may have ended gnuplot, too. */
	if (status == STATUS_STOPPED && t.generation > 1)
		(void)!tune_draw(&t, &ignored);
	if (!status)
		status = call->printer.format == FORMAT_TEXT ? tune_report(&t, why)
							     : tune_record_print(&t, why);
	status = status ? status : tune_draw(&t, why);
	for (int k = 0; k < OWN_LINES; k++)
		free(t.own[k]);
	arrays_free(&t);
	free(t.columns);
	free(t.path);
	return status;
}
