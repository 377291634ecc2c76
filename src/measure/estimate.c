/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long an experiment takes; see estimate.h.
 *
 * Each player plays or learns for a moment. Its games take what those took that ended then. If none
 * ended, a game takes its moves at the speed of the moment, and has as many as a game of a search of
 * depth 1 on that board. That is rough; and games of a learner get longer as it learns, so an
 * experiment with a learner, or with a player that made few moves, takes "at least" the result.
 *
 * The moment ends by the flag of base/stop.h, at which searches and players give up a move.
 */
#include "src/measure/estimate.h"

#include "agents/play.h"
#include "base/stop.h"
#include "base/stop_cancel.h"
#include "base/text.h"
#include "src/cli/options.h"
#include "src/measure/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Seconds for all players together, for each at most, and for the game of the search. */
static const double all_time = 3, player_time = 0.3, search_time = 1;

enum { GAMES_ENOUGH = 10, MOVES_ENOUGH = 10 };

/* What a player did in a moment: games that ended, and the moves of all games. */
struct sample {
	uint64_t games, moves;
	double seconds;
	double first; /* of play_seconds(): when the first game of a learner ended */
};

static bool watch_flag(void *context, const struct turn *turn, int move,
		       const struct decision *decision)
{
	(void)context;
	(void)turn;
	(void)move;
	(void)decision;
	return !stop_requested();
}

static void sample_play(struct sample *sample, struct agent *agent)
{
	const struct play_watch watch = {.move = watch_flag};
	for (bool ended = true; ended && sample->games < GAMES_ENOUGH;) {
		struct outcome outcome;
		ended = play_game(agent, 1, sample->games, &watch, &outcome);
		sample->games += ended;
		sample->moves += outcome.moves;
	}
}

static bool sample_over(void *context, const struct outcome *outcome)
{
	struct sample *sample = context;
	sample->games++;
	sample->moves += outcome->moves;
	if (sample->games == 1)
		sample->first = play_seconds();
	return !stop_requested();
}

/* What AGENT plays, or if it is to LEARN learns, on GAME in at most so many SECONDS. */
static struct sample sample_make(const struct game *game, const char *text, bool learn,
				 double seconds)
{
	struct agent *agent;
	struct sample sample = {0};
	const struct agent_env env = {.game = game};
	if (agent_new(text, &env, &agent, NULL))
		return sample;
	const double start = play_seconds();
	stop_after(seconds);
	if (learn)
		agent->class->learn(agent->self, &(struct training_request){.seed = 1,
									    .end = UINT64_MAX,
									    .threads = 1,
									    .over = sample_over,
									    .context = &sample});
	else
		sample_play(&sample, agent);
	sample.seconds = play_seconds() - start;
	/* The first game touches the memory of large tables for the first time. */
	if (learn && sample.games > 1) {
		sample.seconds -= sample.first - start;
		sample.games--;
	}
	stop_cancel();
	agent_free(agent);
	return sample;
}

/* How long games are on a board. */
struct length {
	const char *board; /* NULL: not known yet */
	double moves;
};

/* The seconds of a game of a player on GAME, in whose SAMPLE none ended; a move takes MOVE. */
static double long_game_seconds(const struct sample *sample, const struct game *game, double move,
				struct length *length)
{
	if (!length->board || strcmp(length->board, game->name) != 0) {
		const struct sample search =
		    sample_make(game, "expectimax:depth=1", false, search_time);
		const uint64_t games = search.games ? search.games : 1;
		*length = (struct length){game->name, (double)search.moves / (double)games};
	}
	return move * fmax((double)sample->moves, length->moves);
}

/* All players of an experiment. */
struct total {
	double seconds, alone; /* in all; of a learner, which uses one thread */
	bool bound;	       /* it may be far more */
	struct length length;  /* of games on the last board where it mattered */
};

/* Adds ENTRY by what it does in so many seconds. */
static void entry_add(struct total *total, const struct experiment *experiment,
		      const struct experiment_entry *entry, double moment)
{
	const struct sweep *sweep = experiment->sweep;
	const struct schedule *s = &entry->schedule;
	const bool trains = schedule_trains(s);
	const struct sample sample = sample_make(&entry->game, entry->agent, trains, moment);
	const double move = sample.seconds / fmax((double)sample.moves, 1);
	double games = (double)(entry_total(entry) + s->train * s->repeat);
	double seconds = (double)(s->seconds * s->repeat);
	if (sweep)
		seconds +=
		    fmin((double)(sweep->rounds * sweep->positions) * move, sweep->cell_limit);
	if (sweep && move > sweep->play_limit)
		games = 0;
	if (games > 0)
		seconds += games * (sample.games ? sample.seconds / (double)sample.games
						 : long_game_seconds(&sample, &entry->game, move,
								     &total->length));
	total->seconds += seconds;
	total->alone = fmax(total->alone, trains ? seconds : 0);
	total->bound = total->bound || trains || sample.moves < MOVES_ENOUGH;
}

static void duration_format(double seconds, char text[32])
{
	if (seconds < 90)
		snprintf(text, 32, "%.0f s", fmax(ceil(seconds), 1));
	else if (seconds < 90 * 60)
		snprintf(text, 32, "%.0f min", seconds / 60);
	else if (seconds < 48 * 3600)
		snprintf(text, 32, "%.0f h", seconds / 3600);
	else
		snprintf(text, 32, "%.0f days", seconds / 86400);
}

enum status estimate_print(const struct experiment *experiment, int threads)
{
	const double moment = fmin(player_time, all_time / (double)experiment->count);
	struct total total = {0};
	char text[32];
	int processors;
	for (size_t i = 0; i < experiment->count && !stop_requested(); i++)
		entry_add(&total, experiment, experiment->entries[i], moment);
	if (stop_requested())
		return STATUS_STOPPED;
	threads_initial(&processors);
	duration_format(fmax(total.seconds / fmin(threads, processors), total.alone), text);
	printf("# %s %s on this machine with %d thread%s", total.bound ? "at least" : "about", text,
	       threads, threads == 1 ? "" : "s");
	if (total.bound && experiment->duration)
		printf("; its file says %s", experiment->duration);
	putchar('\n');
	return STATUS_OK;
}

/* ---- What is played. */

/* What a block of training is: "1000", "60s". */
static void block_format(const struct schedule *s, char text[32])
{
	if (s->seconds)
		snprintf(text, 32, "%" PRIu64 "s", s->seconds);
	else
		snprintf(text, 32, "%" PRIu64, s->train);
}

/* ENTRY, for people. */
static void entry_show(const struct experiment_entry *entry)
{
	const struct schedule *s = &entry->schedule;
	char block[32], text[2 * SPEC_MAX + 512];
	size_t used = (size_t)snprintf(text, sizeof text, "%s: ", entry->label);
	block_format(s, block);
	if (schedule_trains(s))
		used += (size_t)snprintf(
		    text + used, sizeof text - used,
		    "%" PRIu64 " times %s%s and %" PRIu64 " games, then ", s->repeat, block,
		    s->train ? " training games" : " of training", s->evaluate);
	used += (size_t)snprintf(text + used, sizeof text - used, "%" PRIu64 " games", s->games);
	if (strcmp(entry->label, entry->agent) != 0)
		used += (size_t)snprintf(text + used, sizeof text - used, "; %s", entry->agent);
	if (*entry->parameters)
		snprintf(text + used, sizeof text - used, "; %s", entry->parameters);
	printf("%-4s ", entry->game.name);
	text_fill(stdout, 5, text);
}

/* What the cells of a sweep search. */
static void sweep_line_print(const struct experiment *experiment)
{
	const struct sweep *sweep = experiment->sweep;
	printf("# %zu cells, ", experiment->count);
	if (*sweep->file)
		printf("each on the positions of %s", sweep->file);
	else
		printf("each on %" PRIu64 " positions", sweep->positions);
	printf(" in %" PRIu64 " rounds, with seed %" PRIu64 "\n", sweep->rounds, experiment->seed);
}

void experiment_list(const struct experiment *experiment)
{
	const bool shown = isatty(STDOUT_FILENO);
	uint64_t games = 0, training = 0, seconds = 0;
	char block[32];
	if (experiment->title && shown)
		text_printf(stdout, "# %s", experiment->title);
	else if (experiment->title)
		printf("# %s\n", experiment->title);
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
		training += s->train * s->repeat;
		seconds += s->seconds * s->repeat;
	}
	if (experiment->sweep)
		sweep_line_print(experiment);
	if (seconds > 0)
		printf("# %" PRIu64 " seconds of training\n", seconds);
	printf("# %" PRIu64 " games and %" PRIu64 " training games with seed %" PRIu64 "\n", games,
	       training, experiment->seed);
}
