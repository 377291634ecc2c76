/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --dry-run: lists an experiment and estimates its time; see estimate.h.
 *
 * A player with at least GAMES_ENOUGH timed games in the folder's log is estimated from these, any
 * other from a short run in which it plays or learns. The bounds combine the interval of the mean
 * with the deviation of the games to come; with one finished game or none they are a third and
 * three times the estimate. If no game finished, a game takes the run's time per move, times the
 * moves of a game of a depth-1 search on that board or of the run if there are more. As that is
 * rough, and as games of a learner get longer while it learns, the estimate is "at least" for a
 * player with few moves, and for a learner, whose games count at the speed of its fastest one.
 *
 * The flag of base/stop.h ends a short run: searches and players then abandon a move.
 */
#include "src/measure/estimate.h"

#include "agents/play.h"
#include "analysis/stats/stats.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "src/measure/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Seconds for the short runs: of all players, of one player or learner, and of the search, at most;
 * for the first move of a player, at least.
 */
static const double all_time = 3, player_time = 0.3, learner_time = 1, search_time = 1,
		    first_move_time = 0.2;

enum { GAMES_ENOUGH = 10, MOVES_ENOUGH = 10 };

/*
 * The short run of a player: its finished games, and the moves of all games. The first move of a
 * player, or the first game of a learner, touches the memory of large tables for the first time.
 */
struct sample {
	uint64_t games, moves;
	double seconds;
	double seconds_max;	   /* for moves after the first, or a learner's games */
	double first;		   /* play_seconds() after the first move of a player, or 0 */
	double took[GAMES_ENOUGH]; /* seconds of each game; not of a learner */
	double last,
	    fastest; /* of a learner: play_seconds() after its last game; its fastest game */
};

static bool watch_flag(void *context, const struct turn *turn, int move,
		       const struct decision *decision)
{
	struct sample *sample = context;
	(void)turn;
	(void)move;
	(void)decision;
	if (!(sample->first > 0) && !stop_requested()) {
		sample->first = play_seconds();
		stop_after(sample->seconds_max);
	}
	return !stop_requested();
}

static void sample_play(struct sample *sample, struct agent *agent)
{
	const struct play_watch watch = {.move = watch_flag, .context = sample};
	for (bool ended = true; ended && sample->games < GAMES_ENOUGH;) {
		struct outcome outcome;
		const double start = play_seconds();
		ended = play_game(agent, 1, sample->games, &watch, &outcome);
		sample->took[sample->games] = play_seconds() - start;
		sample->games += ended;
		sample->moves += outcome.moves;
	}
}

static bool sample_over(void *context, const struct outcome *outcome)
{
	struct sample *sample = context;
	const double now = play_seconds();
	sample->games++;
	sample->moves += outcome->moves;
	if (sample->games > 1)
		sample->fastest = fmin(sample->fastest, now - sample->last);
	sample->last = now;
	return !stop_requested();
}

/* Lets ENTRY play, or if LEARN learn, for about SECONDS. */
static struct sample sample_make(const struct experiment_entry *entry, bool learn, double seconds)
{
	struct agent *agent, *learner;
	struct sample sample = {.seconds_max = seconds, .fastest = INFINITY};
	if (entry_agents(entry, &agent, &learner, NULL))
		return sample;
	const double start = sample.last = play_seconds();
	stop_after(learn ? seconds : fmax(seconds, first_move_time));
	if (learn)
		agent->class->learn(agent->self, &(struct training_request){.seed = 1,
									    .end = UINT64_MAX,
									    .threads = 1,
									    .over = sample_over,
									    .context = &sample});
	else
		sample_play(&sample, agent);
	sample.seconds = play_seconds() - start;
	stop_cancel();
	/* Replaces the time of the first move by the mean of the others. */
	if (sample.first > 0)
		sample.seconds = (start + sample.seconds - sample.first) * (double)sample.moves /
				 fmax((double)sample.moves - 1, 1);
	agent_free(agent);
	agent_free(learner);
	return sample;
}

/* The length of games on a board. */
struct length {
	char board[sizeof((struct game *)0)->name]; /* "": unknown */
	double moves;
};

/* Estimates the seconds of a game on GAME if none ended in SAMPLE; a move takes MOVE. */
static double long_game_seconds(const struct sample *sample, const struct game *game, double move,
				struct length *length)
{
	if (strcmp(length->board, game->name) != 0) {
		const struct experiment_entry one_ply = {.game = *game,
							 .agent = "expectimax:depth=1"};
		const struct sample search = sample_make(&one_ply, false, search_time);
		const uint64_t games = search.games ? search.games : 1;
		length->moves = (double)search.moves / (double)games;
		strcpy(length->board, game->name);
	}
	return move * fmax((double)sample->moves, length->moves);
}

/* The missing work of an entry, or of all. */
struct estimate {
	uint64_t games;
	double seconds, low, high;
	bool bound;	 /* only `low` is known */
	char source[48]; /* what the estimate is based on; "": nothing is left */
};

static void duration_format(double seconds, char text[32])
{
	if (seconds <= 90)
		snprintf(text, 32, "%.0f s", fmax(ceil(seconds), 1));
	else if (seconds < 90 * 60)
		snprintf(text, 32, "%.0f min", seconds / 60);
	else if (seconds < 48 * 3600)
		snprintf(text, 32, "%.0f h", seconds / 3600);
	else
		snprintf(text, 32, "%.0f days", seconds / 86400);
}

/*
 * Estimates the seconds of GAMES games from TOOK, those of N played games, with bounds from the
 * interval of their mean and the deviation of a sum of GAMES games. Sorts TOOK.
 */
static void estimate_games(struct estimate *f, double games, double *took, size_t n)
{
	double squares = 0;
	stats_sort(took, n);
	const struct interval mean = stats_interval(&stat_mean, took, n);
	for (size_t i = 0; i < n; i++)
		squares += (took[i] - mean.value) * (took[i] - mean.value);
	const double deviation = 1.96 * sqrt(games * squares / fmax((double)n - 1, 1));
	f->seconds = games * mean.value;
	f->low = isnan(mean.low) ? f->seconds : games * mean.low;
	f->high = isnan(mean.low) ? f->seconds : games * mean.high;
	f->low = fmax(f->seconds - hypot(f->seconds - f->low, deviation), 0);
	f->high = f->seconds + hypot(f->high - f->seconds, deviation);
}

/* Sets *TOOK and *SCORES, on the heap, to those of final games in LOG; returns their number. */
static size_t log_games(const struct experiment_entry *entry, const struct gamelog *log,
			double **took, double **scores)
{
	const uint64_t config = entry_config(entry, entry_trained(entry));
	size_t n = 0;
	*took = xcalloc(log->count + 1, sizeof **took);
	*scores = xcalloc(log->count + 1, sizeof **scores);
	for (size_t i = 0; i < log->count; i++) {
		const struct gamelog_row *row = &log->rows[i];
		if (row->player->config != config || isnan(row->seconds))
			continue;
		(*took)[n] = row->seconds;
		(*scores)[n++] = (double)row->score;
	}
	return n;
}

/* Estimates how many games a mean within PRECISION takes, from N SCORES; at most MOST. */
static uint64_t precise_games(double precision, const double *scores, size_t n, uint64_t most)
{
	double mean = 0, squares = 0, share = 0.5; /* a typical deviation */
	for (size_t i = 0; i < n; i++)
		mean += scores[i] / (double)n;
	for (size_t i = 0; i < n; i++)
		squares += (scores[i] - mean) * (scores[i] - mean) / (double)n;
	if (n >= GAMES_ENOUGH && mean > 0)
		share = sqrt(squares) / mean;
	const double wanted = pow(1.96 * share / precision, 2);
	uint64_t look = stats_look(0, most);
	while (look < most && (double)look < wanted)
		look = stats_look(look, most);
	return look;
}

/* Estimates F from a short run of ENTRY, of about SECONDS. */
static void estimate_sample(struct estimate *f, struct length *length,
			    const struct experiment *experiment,
			    const struct experiment_entry *entry, double seconds)
{
	const struct sweep *sweep = experiment->sweep;
	const struct schedule *s = &entry->schedule;
	const bool trains = entry_learns(entry);
	struct sample sample = sample_make(entry, trains, seconds);
	const double move = sample.seconds / fmax((double)sample.moves, 1);
	const double training = trains ? schedule_point(s, s->repeat) : 0,
		     timed = s->seconds ? training : 0;
	double games = (double)f->games + training - timed, took = 0;
	if (sweep)
		took = fmin((double)(sweep->rounds * sweep->positions) * move, sweep->cell_limit);
	if (sweep && move > sweep->play_limit)
		games = 0;
	f->bound = trains || entry->learner || sample.moves < MOVES_ENOUGH;
	snprintf(f->source, sizeof f->source, "%s %" PRIu64 " game%s here",
		 trains ? "learning," : "by", sample.games, sample.games == 1 ? "" : "s");
	if (!trains && !sweep && sample.games > 1) {
		estimate_games(f, games, sample.took, (size_t)sample.games);
		f->high = f->bound ? INFINITY : f->high;
		return;
	}
	if (games > 0 && trains)
		took = isfinite(sample.fastest) ? games * sample.fastest : 0;
	else if (games > 0 && sample.games)
		took += games * sample.seconds / (double)sample.games;
	else if (games > 0)
		took += games * long_game_seconds(&sample, &entry->game, move, length);
	/* The length of unfinished games is unknown. */
	f->bound = f->bound || (!sweep && !sample.games);
	f->seconds = timed + took;
	f->low = timed + (trains ? took : took / 3);
	f->high = f->bound ? INFINITY : 3 * f->seconds;
	if (!sample.games)
		snprintf(f->source, sizeof f->source, "%s, no game ended",
			 trains ? "learning" : "by moves");
}

/*
 * Whether nothing of ENTRY is left to train: LOG has the last game after each block but the last,
 * and the first game after that.
 */
static bool has_trained(const struct experiment_entry *entry, const struct gamelog *log)
{
	const uint64_t repeat = entry->schedule.repeat;
	bool found = true;
	for (uint64_t k = 1; found && k <= repeat; k++) {
		const uint64_t trained = entry_stage(entry, k),
			       game = k < repeat ? entry_games(entry, trained) - 1 : entry->first;
		found = gamelog_find(log, entry_config(entry, trained), entry->seed, game);
	}
	return found;
}

/* Estimates what is missing of ENTRY in LOG. */
static struct estimate estimate_make(struct length *length, const struct experiment *experiment,
				     const struct experiment_entry *entry,
				     const struct gamelog *log, double seconds)
{
	struct estimate f = {0};
	double *took, *scores;
	struct experiment_entry asked = *entry;
	const size_t n = log_games(entry, log, &took, &scores);
	if (experiment->precision > 0)
		asked.schedule.games =
		    precise_games(experiment->precision, scores, n, entry->schedule.games);
	const struct work_done games = entry_work(&asked, log, &(struct share){0}, 0);
	f.games = games.total - games.done;
	const bool trains = schedule_trains(&entry->schedule) && !has_trained(entry, log);
	const bool all = f.games == 0 && games.total > 0 && !experiment->sweep;
	if (!all && !trains && n >= GAMES_ENOUGH && !experiment->sweep) {
		snprintf(f.source, sizeof f.source, "by %zu games of the log", n);
		estimate_games(&f, (double)f.games, took, n);
	} else if (!all) {
		estimate_sample(&f, length, experiment, &asked, seconds);
	}
	free(took);
	free(scores);
	return f;
}

/* Prints "# TEXT", on a terminal in lines of its width. */
static void remark_print(const char *text)
{
	if (isatty(STDOUT_FILENO))
		text_printf(stdout, "# %s", text);
	else
		printf("# %s\n", text);
}

/* Prints "# 4x4 random: 100 games left, about 2 s [1 s, 3 s], by 12 games here". */
static void estimate_print(const struct experiment *experiment,
			   const struct experiment_entry *entry, const struct estimate *f)
{
	char about[32], low[32], high[32];
	duration_format(f->seconds, about);
	duration_format(f->low, low);
	duration_format(f->high, high);
	char line[RESULT_NAME_MAX + 300], text[256] = "all games are played", left[64] = "training";
	if (f->games)
		snprintf(left, sizeof left, "%s%" PRIu64 " game%s left",
			 experiment->precision > 0 ? "some " : "", f->games,
			 f->games == 1 ? "" : "s");
	if (*f->source && f->high < 1)
		snprintf(text, sizeof text, "%s, less than 1 s, %s", left, f->source);
	else if (*f->source && isinf(f->high))
		snprintf(text, sizeof text, "%s, at least %s, %s", left, low, f->source);
	else if (*f->source)
		snprintf(text, sizeof text, "%s, about %s [%s, %s], %s", left, about, low, high,
			 f->source);
	snprintf(line, sizeof line, "%s %s: %s", entry->game.name, entry->label, text);
	remark_print(line);
}

/* Prints TOTAL, of all players; the slowest learner takes ALONE seconds, on one thread. */
static void total_print(const struct experiment *experiment, const struct estimate *total,
			double alone, int threads)
{
	char text[32], low[32], high[32];
	int processors;
	threads_initial(&processors);
	const double workers = fmin(threads, processors);
	const bool least = total->bound && !experiment->sweep;
	duration_format(fmax((least ? total->low : total->seconds) / workers, alone), text);
	printf("# %s %s on this machine with %d thread%s", total->bound ? "at least" : "about",
	       text, threads, threads == 1 ? "" : "s");
	if (total->bound && experiment->duration)
		printf("; its file says %s", experiment->duration);
	putchar('\n');
	duration_format(total->low / workers, low);
	duration_format(total->high / workers, high);
	if (!experiment->sweep && isfinite(total->high))
		printf("# bounds: %s to %s\n", low, high);
}

static enum status estimates_print(const struct experiment *experiment, const char *directory,
				   int threads, struct why *why)
{
	struct estimate total = {0};
	struct length length = {.moves = 0}; /* on the last board that needed it */
	double alone = 0;
	struct gamelog log;
	gamelog_init(&log);
	enum status status = directory ? logs_read_folder(&log, directory, why) : STATUS_OK;
	for (size_t i = 0; !status && i < experiment->count && !stop_requested(); i++) {
		struct experiment_entry *entry = experiment->entries[i];
		if (!entry->learner)
			entry_ends_find(entry, &log, NULL);
		const bool trains = entry_learns(entry);
		const double seconds =
		    fmin(trains ? learner_time : player_time, all_time / (double)experiment->count);
		const struct estimate f = estimate_make(&length, experiment, entry, &log, seconds);
		if (!experiment->sweep && !stop_requested())
			estimate_print(experiment, entry, &f);
		total.seconds += f.seconds;
		alone = fmax(alone, !trains ? 0 : f.bound ? f.low : f.seconds);
		total.low += f.low;
		total.high += f.high;
		total.bound = total.bound || f.bound;
	}
	gamelog_fini(&log);
	if (status || stop_requested())
		return status ? status : STATUS_STOPPED;
	total_print(experiment, &total, alone, threads);
	return STATUS_OK;
}

/* ---- The list of players. */

enum { BLOCK_TEXT = 16 * TRAINING_POINTS_MAX };

/* Writes the length of a block of training: "1000", "60s"; or the ends of blocks: "6s,60s". */
static void block_format(const struct schedule *s, char text[BLOCK_TEXT])
{
	const uint64_t points = s->points[0] > 0 ? s->repeat : 1;
	size_t used = 0;
	for (uint64_t k = 1; k <= points; k++)
		used +=
		    (size_t)snprintf(text + used, BLOCK_TEXT - used, "%s%.10g%s", k > 1 ? "," : "",
				     schedule_point(s, k), s->seconds ? "s" : "");
}

/* Prints ENTRY for people. */
static void entry_show(const struct experiment_entry *entry)
{
	const struct schedule *s = &entry->schedule;
	char block[BLOCK_TEXT], text[2 * SPEC_MAX + 512];
	size_t used = (size_t)snprintf(text, sizeof text, "%s: ", entry->label);
	block_format(s, block);
	if (schedule_trains(s))
		used += (size_t)snprintf(
		    text + used, sizeof text - used,
		    "%" PRIu64 " times %s%s and %" PRIu64 " games, then ", s->repeat, block,
		    s->train ? " training games" : " of training", s->evaluate);
	if (s->points[0] > 0)
		used = (size_t)snprintf(
		    text, sizeof text, "%s: after %s%s %" PRIu64 " games each, then ", entry->label,
		    block, s->train ? " training games" : " of training", s->evaluate);
	used += (size_t)snprintf(text + used, sizeof text - used, "%" PRIu64 " games", s->games);
	if (strcmp(entry->label, entry->agent) != 0)
		used += (size_t)snprintf(text + used, sizeof text - used, "; %s", entry->agent);
	if (*entry->parameters)
		snprintf(text + used, sizeof text - used, "; %s", entry->parameters);
	printf("%-4s ", entry->game.name);
	text_fill(stdout, 5, text);
}

/* Prints what the cells of a sweep search. */
static void sweep_line_print(const struct experiment *experiment)
{
	const struct sweep *sweep = experiment->sweep;
	printf("# %zu cells, ", experiment->count);
	if (*sweep->file)
		printf("each on the positions of %s in %" PRIu64 " rounds, ", sweep->file,
		       sweep->rounds);
	else if (sweep->positions)
		printf("each on %" PRIu64 " positions in %" PRIu64 " rounds, ", sweep->positions,
		       sweep->rounds);
	printf("with seed %" PRIu64 "\n", experiment->seed);
}

static void experiment_list(const struct experiment *experiment)
{
	const bool shown = isatty(STDOUT_FILENO);
	uint64_t games = 0, training = 0, seconds = 0;
	char block[BLOCK_TEXT];
	if (experiment->title)
		remark_print(experiment->title);
	if (!shown)
		printf("board\tlabel\tagent\ttrain\tevaluate\trepeat\tgames\tparameters\n");
	for (size_t i = 0; i < experiment->count; i++) {
		const struct experiment_entry *entry = experiment->entries[i];
		const struct schedule *s = &entry->schedule;
		block_format(s, block);
		if (shown)
			entry_show(entry);
		else
			printf("%s\t%s\t%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%s\n",
			       entry->game.name, entry->label, entry->agent, block, s->evaluate,
			       s->repeat, s->games, entry->parameters);
		games += entry_total(entry);
		if (entry_learns(entry))
			*(s->train ? &training : &seconds) +=
			    (uint64_t)schedule_point(s, s->repeat);
	}
	if (experiment->sweep)
		sweep_line_print(experiment);
	if (seconds > 0)
		printf("# %" PRIu64 " seconds of training\n", seconds);
	if (experiment->precision > 0)
		printf("# until means are within %g%%, at most\n", 100 * experiment->precision);
	printf("# %" PRIu64 " games and %" PRIu64 " training games with seed %" PRIu64 "\n", games,
	       training, experiment->seed);
}

enum status dry_run(const struct experiment *experiment, const struct launch_options *options,
		    const struct invocation *call, struct why *why)
{
	if (call->printer.format != FORMAT_TEXT)
		return why_set(why, STATUS_INPUT, "--format: not with --dry-run");
	if (*options->share.part)
		return why_set(why, STATUS_INPUT, "--shard: not with --dry-run");
	experiment_list(experiment);
	return options->no_times
		   ? STATUS_OK
		   : estimates_print(experiment, options->directory, options->pace.threads, why);
}
