/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `nxn tune` by the cross-entropy method; see tune.h.
 *
 * The steps of IeorIITB2048 (Kalyanakrishnan, Devanand), Cross Entropy Method: draw N candidates
 * (i), let them play (ii), sort them (iii), fit the distributions to the best m (iv), and again. We
 * deviate in three things. All candidates of a generation play the same games, so that they differ
 * by what they are worth and not by luck, and every generation plays other ones. The result is the
 * mean in the end, not the best candidate of the last generation, which is the luckiest one of N.
 * "Starts converging" is that every deviation is a small share of what it was.
 *
 * Tuning and held-out games have seeds of their own, drawn from the seed of the tuning, so that the
 * games that players are compared with elsewhere are none that they were tuned on.
 *
 * A unit of work is a game; units go out player after player, and the table gets them in that
 * order, whichever ends first, so that it is the same for any number of threads. A game that ends
 * before its turn waits in the pool. A run that goes on is done again from the start, without the
 * games that are in its table (src/measure/tune_log.c).
 *
 * Rank 0 has the table. It lets the others know what an earlier run has played; these let it know
 * what they play, game by game; and when all is played it lets them know the rest, with which they
 * do the same sums.
 */
#include "src/measure/tune.h"

#include "agents/agent.h"
#include "analysis/stats/stats.h"
#include "analysis/tables/record.h"
#include "analysis/tables/table.h"
#include "base/number.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "src/cli/provenance.h"
#include "src/report/report.h"
#include "src/games/experiment.h"
#include "src/games/pool.h"
#include "src/games/ranks.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { LINE_BYTES = 160 };

struct tune_result {
	uint64_t score;
	int max_exponent;
};

/* Two players of the same held-out games. */
struct tune_versus {
	struct interval start, tuned; /* mean scores */
	struct interval ratio;	      /* tuned / start, as independent samples */
	struct paired paired;	      /* tuned - start */
	struct interval gain;	      /* the same difference in what games count for */
};

/* A tuning under way. */
struct tune {
	const struct tune_options *options;
	const struct game *game;
	struct tune_space space;
	uint64_t seed, held_out_seed; /* of games */
	struct tune_log log;
	struct progress progress;

	size_t generation;	 /* 0: the start */
	char (*agent)[SPEC_MAX]; /* [candidate] */
	double *x;		 /* [candidate * n + parameter] */
	double *objective;
	size_t *order;
	struct tune_result *result;	  /* [candidate * games + game] */
	struct tune_result *start, *mean; /* of held-out games */
	char tuned[SPEC_MAX];		  /* the agent of the means */
	struct tune_versus versus;
};

/* ---- Agents that have given values of the parameters. */

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

/* The agent with x[i] for parameter i, canonical. STATUS_INPUT if that is too long. */
static enum status space_agent(const struct tune_space *space, const double *x,
			       char agent[SPEC_MAX], struct why *why)
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

/* The means, as a candidate could have them. */
static void space_mean(const struct tune_space *space, double *x)
{
	for (size_t i = 0; i < space->n; i++)
		x[i] = ce_round(&space->axis[i], space->axis[i].mu);
}

/* A stream that becomes *TEXT, on the heap, when it is closed. */
static FILE *text_begin(char **text)
{
	size_t size;
	FILE *out = stream_open(text, &size);
	if (!out)
		xalloc_fail();
	return out;
}

static void text_end(FILE *out)
{
	if (fclose(out))
		xalloc_fail();
}

/* "w_empty=10~5 w_corner=20~10": means and deviations, on the heap. */
static char *space_text(const struct tune_space *space)
{
	char *text;
	FILE *out = text_begin(&text);
	for (size_t i = 0; i < space->n; i++) {
		char mu[REAL_TEXT_MAX], sigma[REAL_TEXT_MAX];
		real_format(space->axis[i].mu, mu);
		real_format(space->axis[i].sigma, sigma);
		fprintf(out, "%s%s=%s~%s", i ? " " : "", space->name[i], mu, sigma);
	}
	text_end(out);
	return text;
}

/* ---- Games: some players, each of whom plays the same ones. */

/*
 * Games 0 .. logged-1 are in the table, and no other. On other ranks than 0 they are those of which
 * sums were done.
 */
struct match {
	struct tune *tune;
	const char *name;	 /* of the only player in the table; NULL: players are numbers */
	char (*agent)[SPEC_MAX]; /* [player] */
	size_t players, games;
	uint64_t seed, first;	    /* game i of each is game FIRST + i of SEED */
	struct tune_result *result; /* [player * games + i] */
	/* All games of PLAYER are in the table; may be NULL. Locked. */
	enum status (*ended)(struct tune *tune, size_t player, struct why *why);

	struct job job;
	struct pool *pool;
	struct match_player *player_of; /* of each thread */
	size_t logged;			/* games, in order */
};

/* The agent that a thread plays with. */
struct match_player {
	struct agent *agent;
	size_t player;
};

/* "# game GENERATION PLAYER NUMBER " in LINE; its length. */
static size_t line_begin(const struct match *m, size_t unit, char line[LINE_BYTES])
{
	char player[32];
	snprintf(player, sizeof player, "%zu", unit / m->games);
	return (size_t)snprintf(line, LINE_BYTES, "# game\t%" PRIu64 "\t%s\t%zu\t",
				m->tune->generation, m->name ? m->name : player, unit % m->games);
}

/* Logs game m->logged and, with its player's last, that these are all. Locked. */
static enum status game_log(struct match *m, struct why *why)
{
	char line[LINE_BYTES];
	const size_t unit = m->logged, used = line_begin(m, unit, line);
	const struct tune_result *r = &m->result[unit];
	snprintf(line + used, sizeof line - used, "%" PRIu64 "\t%" PRIu64 "\n", r->score,
		 UINT64_C(1) << r->max_exponent);
	enum status status = tune_log_line(&m->tune->log, line, why);
	m->logged++;
	if (!status && m->ended && m->logged % m->games == 0)
		status = m->ended(m->tune, unit / m->games, why);
	return status;
}

/* Takes game UNIT from the next line of the log; false if it tells of no such game. */
static bool game_recall(struct match *m, size_t unit)
{
	char line[LINE_BYTES];
	const char *next = tune_log_next(&m->tune->log);
	const size_t used = line_begin(m, unit, line);
	uint64_t score, tile;
	next = next && strncmp(next, line, used) == 0 ? whole_scan(next + used, &score) : NULL;
	if (!next || *next != '\t' || !whole_parse(next + 1, &tile) || tile < 2 ||
	    (tile & (tile - 1)) != 0)
		return false;
	m->result[unit] = (struct tune_result){score, __builtin_ctzll(tile)};
	return true;
}

/* What rank 0 knows, all know. On other ranks no line is written, but sums are done. */
static enum status games_share(struct match *m, struct why *why)
{
	enum status status = STATUS_OK;
	uint64_t known = m->logged;
	if (ranks_size() == 1)
		return STATUS_OK;
	ranks_link.broadcast(&known, sizeof known);
	ranks_link.broadcast(m->result, known * sizeof *m->result);
	while (!status && m->logged < known)
		status = game_log(m, why);
	return ranks_agree("results", known, status, why);
}

/* What earlier runs have played. A line that does not fit is found out by game_log(). */
static enum status games_recall(struct match *m, struct why *why)
{
	const size_t units = m->players * m->games;
	enum status status = STATUS_OK;
	while (!status && m->logged < units && tune_log_next(&m->tune->log)) {
		if (!game_recall(m, m->logged))
			m->result[m->logged] = (struct tune_result){0};
		status = game_log(m, why);
	}
	atomic_fetch_add(&m->tune->progress.games.before, m->logged);
	return status;
}

static enum status player_make(struct match *m, struct match_player *playing, size_t player,
			       struct why *why)
{
	const struct agent_env env = {.game = m->tune->game};
	if (playing->agent && playing->player == player)
		return STATUS_OK;
	agent_free(playing->agent);
	playing->agent = NULL;
	playing->player = player;
	return agent_new(m->agent[player], &env, &playing->agent, why);
}

static struct match *match_of(struct job *job)
{
	return (struct match *)((char *)job - offsetof(struct match, job));
}

/* A result as a word that is not 0. */
static uint64_t result_word(const struct outcome *outcome)
{
	return outcome->score << 8 | (uint64_t)outcome->max_exponent;
}

/* All games before UNIT are logged, and it is played, perhaps on another rank: logs it. */
static enum status match_told(struct job *job, uint64_t unit, uint64_t word, struct why *why)
{
	struct match *m = match_of(job);
	m->result[unit] = (struct tune_result){word >> 8, (int)(word & 0xff)};
	atomic_fetch_add(&m->tune->progress.games.done, 1);
	return game_log(m, why);
}

static enum status match_run(struct job *job, uint64_t unit, int thread, struct why *why)
{
	struct match *m = match_of(job);
	struct match_player *playing = &m->player_of[thread];
	struct outcome outcome;
	const struct play_watch watch = {pool_play_on, m->pool};
	enum status status = player_make(m, playing, unit / m->games, why);
	if (status)
		return status;
	if (!play_game(playing->agent, m->seed, m->first + unit % m->games, &watch, &outcome)) {
		status = agent_check(playing->agent, why);
		return status ? status : STATUS_STOPPED;
	}
	pool_tell(m->pool, job, unit, result_word(&outcome));
	return STATUS_OK;
}

static enum status games_play(struct match *m, struct why *why)
{
	const size_t units = m->players * m->games;
	m->pool = pool_new_shared(m->tune->options->pace.threads);
	enum status status = ranks_agree("match", units, STATUS_OK, why);
	if (status) {
		pool_free(m->pool);
		return status;
	}
	m->job =
	    (struct job){.run = match_run, .told = match_told, .next = m->logged, .end = units};
	pool_add(m->pool, &m->job);
	status = pool_run(m->pool, &m->tune->progress, why);
	if (status == STATUS_STOPPED && (ranks_rank() > 0 || m->logged == units))
		status = STATUS_OK;
	if (!status && ranks_rank() == 0 && m->logged < units)
		status = STATUS_STOPPED;
	return ranks_agree("games", units, status, why);
}

/*
 * Plays what an earlier run has not, and logs all in order; with other ranks, each plays some, all
 * know all results in the end, and rank 0 logs them. STATUS_STOPPED after a stop: then the table
 * has the games before the first that is missing. Or as agent_new(), tune_log_line() and ended().
 */
static enum status match_play(struct match *m, struct why *why)
{
	const size_t units = m->players * m->games;
	const int threads = m->tune->options->pace.threads;
	m->player_of = xcalloc((size_t)threads, sizeof *m->player_of);
	enum status status = games_recall(m, why);
	status = ranks_agree("recall", units, status, why);
	if (!status)
		status = games_share(m, why);
	if (!status && m->logged < units) {
		status = games_play(m, why);
		if (!status)
			status = games_share(m, why);
	}
	for (int i = 0; m->player_of && i < threads; i++)
		agent_free(m->player_of[i].agent);
	free(m->player_of);
	return status;
}

/* ---- What games come to. */

static const char *const aim_names[] = {
    [TUNE_SCORE] = "score", [TUNE_LOG] = "log", [TUNE_TILE] = "tile"};

/* What GAME counts for. */
static double game_worth(const struct tune_options *options, const struct tune_result *game)
{
	switch (options->aim) {
	case TUNE_SCORE:
		break;
	case TUNE_LOG:
		return log1p((double)game->score);
	case TUNE_TILE:
		return game->max_exponent >= options->exponent;
	}
	return (double)game->score;
}

/* What N games count for together: the mean over them of what each counts for. */
static double tune_objective(const struct tune_options *options, const struct tune_result *games,
			     size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++)
		sum += game_worth(options, &games[i]);
	return sum / (double)n;
}

/* Compares the held-out games of each. */
static void tune_compare(const struct tune_options *options, const struct tune_result *tuned,
			 const struct tune_result *start, struct tune_versus *versus)
{
	const size_t n = options->held_out;
	double *a = xcalloc(2 * n, sizeof *a), *b = a + n;
	for (size_t i = 0; i < n; i++) {
		a[i] = game_worth(options, &tuned[i]);
		b[i] = game_worth(options, &start[i]);
	}
	versus->gain = stats_paired(a, b, n).difference;
	for (size_t i = 0; i < n; i++) {
		a[i] = (double)tuned[i].score;
		b[i] = (double)start[i].score;
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

/* The command that plays the same games. */
static void compare_command_print(const struct tune_options *options, const char *start,
				  const char *tuned, uint64_t seed)
{
	const struct game_options *game = &options->game;
	printf("\nnxn compare");
	if (game->shape)
		printf(" -b %s", game->shape);
	printf(" -s %" PRIu64 " -g %zu", seed, options->held_out);
	if (game->spawn)
		printf(" --spawn %s", game->spawn);
	if (game->start_tiles)
		printf(" --start-tiles %d", game->start_tiles);
	if (game->start)
		printf(" --start %s", game->start);
	printf(" \\\n  -a '%s;%s'\n", start, tuned);
}

/* Whether held-out games show the tuned agent to be better in what it was tuned for. */
static bool versus_better(const struct tune_versus *versus, enum tune_aim aim)
{
	return aim == TUNE_SCORE && !isnan(versus->ratio.value) ? versus->ratio.low > 1
								: versus->gain.low > 0;
}

/* The agent to play with: TUNED, or START with a line that says why. */
static void choice_print(const struct tune_options *options, const char *start, const char *tuned,
			 const struct tune_versus *versus)
{
	const bool better = versus_better(versus, options->aim);
	const bool score = options->aim == TUNE_SCORE && !isnan(versus->ratio.value);
	const struct interval shown = score ? versus->ratio : versus->gain;
	char text[GRID_TEXT_MAX];
	(score ? ratio_text : interval_text)(shown, decimals_of(shown.value), text);
	putchar('\n');
	if (!better)
		text_printf(
		    stdout,
		    "No improvement shown on the held-out games (%s%s %s): the start is kept.",
		    score ? "ratio" : "difference in ", score ? "" : aim_names[options->aim], text);
	printf("%-9s %s\n", "result", better ? tuned : start);
}

/* What is printed as text in the end: START and TUNED are agents, who played games of SEED. */
static void tune_report(const struct tune_options *options, const char *start, const char *tuned,
			uint64_t seed, const struct tune_versus *versus)
{
	char text[GRID_TEXT_MAX], tied[GRID_TEXT_MAX];
	text_printf(stdout,
		    "tuned: the means of the last generation, which are fitted to its elite, the "
		    "best %zu of %zu candidates.",
		    options->elite, options->population);
	printf("%zu held-out games, seed %" PRIu64 ":\n\n", options->held_out, seed);
	printf("%-9s %s\n", "", "mean score [95%], agent");
	mean_print("start", versus->start, start);
	mean_print("tuned", versus->tuned, tuned);
	ratio_text(versus->ratio, decimals_of(versus->ratio.value), text);
	printf("%-9s %s\n", "ratio", text);
	const struct interval difference = versus->paired.difference;
	interval_text(difference, decimals_of(difference.value), text);
	printf("%-9s %s, game by game\n", "gain", text);
	percent_text(versus->paired.won, 1, text);
	share_text(versus->paired.tied.value, 1, tied);
	printf("%-9s %s of the games; another %s were tied\n", "won", text, tied);
	if (options->aim != TUNE_SCORE) {
		interval_text(versus->gain, decimals_of(versus->gain.value), text);
		printf("%-9s %s\n", aim_names[options->aim], text);
	}
	compare_command_print(options, start, tuned, seed);
	choice_print(options, start, tuned, versus);
}

/* ---- Generations. */

/* Writes a line made in memory. */
static enum status line_end(struct tune *t, FILE *out, char **line, struct why *why)
{
	text_end(out);
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
static enum status candidate_log(struct tune *t, size_t c, struct why *why)
{
	const size_t n = t->space.n, games = t->options->games;
	char *line;
	t->objective[c] = tune_objective(t->options, t->result + c * games, games);
	FILE *out = text_begin(&line);
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
		status = space_agent(&t->space, t->x + c * n, t->agent[c], why);
	}
	struct match match = {.tune = t,
			      .agent = t->agent,
			      .players = o->population,
			      .games = o->games,
			      .seed = t->seed,
			      .first = (t->generation - 1) * o->games,
			      .result = t->result,
			      .ended = candidate_log};
	return status ? status : match_play(&match, why);
}

/* The held-out games of AGENT, called NAME. */
static enum status held_out_play(struct tune *t, const char *name, char (*agent)[SPEC_MAX],
				 struct tune_result *result, struct why *why)
{
	struct match match = {.tune = t,
			      .name = name,
			      .agent = agent,
			      .players = 1,
			      .games = t->options->held_out,
			      .seed = t->held_out_seed,
			      .result = result};
	return match_play(&match, why);
}

/*
 * The row of a generation. BEST, ELITE, MEAN are objectives; VERSUS is NULL if nothing was held
 * out.
 */
static enum status row_log(struct tune *t, double best, double elite, double mean,
			   const struct tune_versus *versus, struct why *why)
{
	static const struct interval none = {NAN, NAN, NAN};
	const struct interval held_out = versus ? versus->tuned : none;
	char *line;
	FILE *out = text_begin(&line);
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
	space_mean(&t->space, x);
	enum status status = space_agent(&t->space, x, t->tuned, why);
	if (!status)
		status = held_out_play(t, "mean", &t->tuned, t->mean, why);
	if (!status)
		tune_compare(t->options, t->mean, t->start, &t->versus);
	return status;
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
		 ce_noise(o->noise, !o->noise_constant, t->generation, o->generations));
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

/*
 * Plays the held-out games of the start, then generations to the end, with a row of the table for
 * each; t->tuned and t->versus are then what was found. Errors are those of match_play().
 */
static enum status tune_generations(struct tune *t, struct why *why)
{
	bool over = false;
	enum status status = held_out_play(t, "start", &t->space.agent, t->start, why);
	if (!status)
		tune_compare(t->options, t->start, t->start, &t->versus);
	t->versus.ratio = (struct interval){1, 1, 1}; /* of the start to itself */
	if (!status)
		status = row_log(t, NAN, NAN, NAN, &t->versus, why);
	while (!status && !over) {
		t->generation++;
		status = generation_run(t, &over, why);
	}
	return status ? status : tune_log_end(&t->log, why);
}

/* ---- The whole. */

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
static char *method_text(const struct tune *t)
{
	const struct tune_options *o = t->options;
	char *space = space_text(&t->space);
	char *text =
	    xasprintf("%s; candidates %zu, kept %zu, games %zu, generations %zu, noise %g%s, "
		      "tolerance %g, objective %s %d, held-out games %zu, check %zu",
		      space, o->population, o->elite, o->games, o->generations, o->noise,
		      o->noise_constant ? "" : " fading", o->tolerance, aim_names[o->aim],
		      o->exponent, o->held_out, o->check);
	free(space);
	return text;
}

/* The hash of all that decides the result. */
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

/* The last line of the head. */
static char *columns_text(const struct tune *t)
{
	char *text;
	FILE *out = text_begin(&text);
	fputs("\"generation\"\t\"best\"\t\"elite\"\t\"mean\"\t\"held_out\"\t\"held_out_low\"\t"
	      "\"held_out_high\"\t\"ratio\"\t\"ratio_low\"\t\"ratio_high\"",
	      out);
	for (size_t i = 0; i < t->space.n; i++)
		fprintf(out, "\t\"%s\"\t\"%s_sd\"", t->space.name[i], t->space.name[i]);
	fputc('\n', out);
	text_end(out);
	return text;
}

static char *head_text(const struct tune *t, const struct provenance *provenance,
		       const char *method, const char *columns)
{
	char *text;
	FILE *out = text_begin(&text);
	for (const char *const *line = provenance_lines(provenance); *line; line++)
		fprintf(out, "# %s\n", *line);
	fprintf(out, "# agent: %s on %s\n# tuning: %s\n", t->space.agent, t->game->name, method);
	fprintf(out, "# seed of tuning games: %" PRIu64 ", of held-out games: %" PRIu64 "\n",
		t->seed, t->held_out_seed);
	fprintf(out, "# intervals: %s\n%s", stats_method, columns);
	text_end(out);
	return text;
}

static enum status table_open(struct tune *t, const char *command, const char *method,
			      uint64_t hash, struct why *why)
{
	char seed[24], config[64];
	struct provenance provenance;
	snprintf(seed, sizeof seed, "%" PRIu64, t->options->seed);
	snprintf(config, sizeof config, "# configuration: %016" PRIx64 "\n", hash);
	enum status status = provenance_init(&provenance, command, hash, seed, NULL, why);
	if (status)
		return status;
	char *columns = columns_text(t), *head = head_text(t, &provenance, method, columns);
	if (ranks_rank() == 0)
		status = tune_log_open(&t->log, t->options->path, head, config, columns, why);
	if (!status && t->log.file.cut)
		torn_warn(t->options->path, t->log.file.cut);
	provenance_fini(&provenance);
	free(columns);
	free(head);
	return status;
}

static void arrays_make(struct tune *t)
{
	const struct tune_options *o = t->options;
	t->agent = xcalloc(o->population, sizeof *t->agent);
	t->x = xcalloc(o->population * t->space.n, sizeof *t->x);
	t->objective = xcalloc(o->population, sizeof *t->objective);
	t->order = xcalloc(o->population, sizeof *t->order);
	t->result = xcalloc(o->population * o->games, sizeof *t->result);
	t->start = xcalloc(o->held_out, sizeof *t->start);
	t->mean = xcalloc(o->held_out, sizeof *t->mean);
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

/* The end of the tuning as a record. */
static enum status tune_record_print(const struct tune *t, const struct invocation *call,
				     struct why *why)
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
	return record_print(call, &record, why);
}

static enum status tune_end(const struct tune *t, const struct invocation *call, struct why *why)
{
	const struct tune_options *o = t->options;
	if (call->printer.format != FORMAT_TEXT)
		return tune_record_print(t, call, why);
	printf("%s: %s on %s, %zu generation%s%s\n", o->path, t->space.agent, t->game->name,
	       t->generation, t->generation == 1 ? "" : "s",
	       t->generation < o->generations ? ", converged" : "");
	tune_report(o, t->space.agent, t->tuned, t->held_out_seed, &t->versus);
	return STATUS_OK;
}

/* Leaves the page of the table PATH beside it. */
static enum status tune_draw(const char *path, struct why *why)
{
	char folder[FOLDER_PATH_MAX];
	const size_t length = strlen(path);
	const bool ends = length > 4 && strcmp(path + length - 4, ".tsv") == 0;
	const struct figure *figure;
	enum status status =
	    path_format(folder, why, "%.*s-page", (int)(ends ? length - 4 : length), path);
	status = status ? status : figure_single(path, &figure, why);
	if (status || !figure)
		return status;
	status = report_single(figure, 0, path, folder, why);
	if (!status)
		printf("\nPage %s/index.html.\n", folder);
	return status;
}

/* Tunes with an open table, and closes it. */
static enum status tune_show(struct tune *t, const struct invocation *call, struct why *why)
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
	const bool draws = !o->no_figures && ranks_rank() == 0;
	/* A page of the generations that there are, unless the stop has ended gnuplot, too. */
	if (status == STATUS_STOPPED && draws && t->generation > 1)
		tune_draw(o->path, &close_why);
	status = status ? status : tune_end(t, call, why);
	return status || !draws ? status : tune_draw(o->path, why);
}

static enum status tune_make(struct tune *t, const char *command, struct why *why)
{
	char *method = method_text(t);
	uint64_t hash = 0;
	arrays_make(t);
	seeds_draw(t);
	t->log.file.fd = -1;
	enum status status = config_hash(t, method, &hash, why);
	status = ranks_agree("tuning", hash, status, why);
	if (!status)
		status = ranks_agree("table", 0, table_open(t, command, method, hash, why), why);
	free(method);
	return status;
}

enum status tune_run(const struct tune_options *options, const struct game *game,
		     const struct tune_space *space, const struct invocation *call, struct why *why)
{
	struct tune *t = xcalloc(1, sizeof *t);
	t->options = options;
	t->game = game;
	t->space = *space;
	stop_catch();
	stop_after(options->pace.budget);
	enum status status = tune_make(t, call->provenance, why);
	if (!status)
		status = tune_show(t, call, why);
	arrays_free(t);
	free(t);
	return status;
}
