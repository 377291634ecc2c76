/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn duel: its options; the duel is in src/measure. */
#include "src/cli/options.h"
#include "src/commands/command.h"
#include "src/measure/duel.h"
#include "src/measure/scores.h"

#include <stdio.h>

enum {
	BATCH_DEFAULT = 50,
	BATCH_MIN = SEQUENTIAL_DIFFERING_MIN /* fewer games decide nothing */,
	MOST_DEFAULT = 10000,
	MOST_MAX = 100000000,
	PILOT_DEFAULT = 200
};

#define FIELD(M) offsetof(struct duel_options, M)

/* The first given option of those that only matter if games are played; NULL: none. */
static const char *play_option(const struct duel_options *o)
{
	return o->game.shape	       ? "--board"
	       : o->game.start	       ? "--start"
	       : o->game.start_tiles   ? "--start-tiles"
	       : o->game.spawn	       ? "--spawn"
	       : o->untrained	       ? "--untrained"
	       : o->seeded	       ? "--seed"
	       : o->most	       ? "--max-games"
	       : o->pilot	       ? "--pilot"
	       : o->launch.directory   ? "--out"
	       : o->scores && o->batch ? "--batch"
				       : NULL;
}

/* Refuses options that nothing would read, where no games or no pilot are played. */
static enum status unread_check(const struct duel_options *o, struct why *why)
{
	const bool plays = !o->scores && (o->agents || !(o->sd > 0));
	const char *unread = plays ? NULL : play_option(o);
	if (unread)
		return why_set(why, STATUS_INPUT, "%s: not with %s, which plays no games", unread,
			       o->scores ? "--scores" : "--sd");
	if (o->pilot && !(o->effect > 0))
		return why_set(why, STATUS_INPUT, "--pilot: only with --power");
	if (o->most && o->effect > 0)
		return why_set(why, STATUS_INPUT,
			       "--max-games: not with --power, which finds how many are needed");
	if (o->launch.full && o->effect > 0)
		return why_set(why, STATUS_INPUT, "--full: not with --power, which has one table");
	return STATUS_OK;
}

static void defaults_set(struct duel_options *options)
{
	options->bounded = options->most > 0;
	options->most = options->bounded ? options->most : MOST_DEFAULT;
	options->batch = options->batch ? options->batch : BATCH_DEFAULT;
	options->pilot = options->pilot ? options->pilot : PILOT_DEFAULT;
	if (!options->launch.directory)
		options->launch.directory = "out/duel";
}

static enum status options_check(void *input, struct why *why)
{
	struct duel_options *options = input;
	bool planned = options->effect > 0;
	if (options->column && !options->scores)
		return why_set(why, STATUS_INPUT, "--column: only with --scores");
	if (options->scores && planned)
		return why_set(why, STATUS_INPUT,
			       "--power: not with --scores, whose games have been played");
	enum status status = unread_check(options, why);
	if (status)
		return status;
	defaults_set(options);
	if (options->agents == 0 && planned && options->sd > 0)
		return STATUS_OK;
	if (options->scores && options->agents < 2)
		return why_set(why, STATUS_INPUT, "%s missing, as in nxn duel --scores A B",
			       options->agents ? "a second file of scores is"
					       : "two files of scores are");
	if (options->agents < 2)
		return why_set(
		    why, STATUS_INPUT,
		    "%s missing, as in nxn duel corners greedy; nxn info lists the agents",
		    options->agents ? "a second agent is" : "two agents are");
	if (!planned && options->sd > 0)
		return why_set(why, STATUS_INPUT, "--sd: only with --power");
	if (planned && options->sd > 0)
		return why_set(why, STATUS_INPUT,
			       "--sd: not with agents, whose pilot games measure it");
	return STATUS_OK;
}

static enum status agent_take(void *input, const char *agent, struct why *why)
{
	struct duel_options *options = input;
	if (options->agents == 2)
		return why_set(why, STATUS_INPUT, "unexpected argument '%s'; a duel is between two",
			       agent);
	options->agent[options->agents++] = agent;
	return STATUS_OK;
}

#define SHARE_AT_MOST(MOST, NAME, ARGUMENT, M, HELP)                                               \
	OPTION_NUMBER(NAME, 0, ARGUMENT, FIELD_SHARE, FIELD(M), 0, MOST, HELP)

static const struct command_option options_table[] = {
    OPTION_NUMBER("max-games", 'g', "N", FIELD_COUNT, FIELD(most), BATCH_MIN, MOST_MAX,
		  "Games of each player at most (default 10000)"),
    OPTION_NUMBER("batch", 0, "N", FIELD_COUNT, FIELD(batch), BATCH_MIN, MOST_MAX,
		  "Games of each player before the first look; each later look comes after a fifth "
		  "more games, rounded up to N (default 50)"),
    SHARE_AT_MOST(0.5, "alpha", "SHARE", alpha,
		  "Share of false verdicts allowed, as in 5% or 0.05; 5% gives 95% intervals "
		  "(default 5%)"),
    SHARE_AT_MOST(
	10, "bound", "SHARE", bound,
	"Also stop when the interval for the ratio of mean scores lies within SHARE of 1, "
	"as in 2%: the players are then equal within SHARE"),
    SHARE_AT_MOST(10, "power", "EFFECT", effect,
		  "Play only a pilot, and print how many games find a difference of mean scores of "
		  "EFFECT, as in 2%"),
    SHARE_AT_MOST(0.5, "beta", "SHARE", beta,
		  "Share of duels that may miss an effect of the size of --power; also used to "
		  "estimate the games saved (default 10%)"),
    OPTION_NUMBER("pilot", 0, "N", FIELD_COUNT, FIELD(pilot), BATCH_MIN, MOST_MAX,
		  "Games of each player in the pilot (default 200)"),
    SHARE_AT_MOST(1000, "sd", "SHARE", sd,
		  "Instead of agents and a pilot: the spread of a pair, which is the standard "
		  "deviation of the difference of scores as a share of the mean score, as in 60%"),
    OPTION("out", 'o', "DIR", FIELD_NAME, FIELD(launch.directory),
	   "Folder of the results (default out/duel); a run in that folder is continued"),
    OPTION("no-figures", 0, NULL, FIELD_FLAG, FIELD(launch.no_figures),
	   "Write the table, but no figure and no page"),
    FULL_OPTION(launch.full),
    FORMAT_OPTION,
    SCORES_OPTIONS(scores, column),
    NO_TIMES_OPTION(launch.no_times),
    BOARD_OPTION(game),
    RULE_OPTIONS(game),
    UNTRAINED_OPTION(untrained, ", labelled 'NAME (untrained)'"),
    SEED_OPTION_GIVEN(seed, FIELD(seeded)),
    PACE_OPTIONS(launch.pace),
    OPTIONS_END,
};

static const char doc[] =
    "Plays two agents on the same games until it is clear which has the higher mean score. It "
    "looks at the results after fixed numbers of games, with intervals that hold at all looks "
    "together. The duel ends when the interval for the ratio of mean scores excludes 1, when it "
    "lies within --bound, or after --max-games. Choose these before you see games. Results go to a "
    "folder, as games that nxn report and nxn compare read.\v"
    "If a duel is killed at any moment, the same command continues it, and stops at the same game "
    "with the same verdict, for any number of threads. The exit status is 0 whatever the verdict. "
    "docs/duel.md has the method and its measured error rates.\n"
    "\n"
    "With --scores two files take the place of the agents: scores, line by line, of the same "
    "games, which nxn did not play. There is one look, at all scores.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn duel corners greedy --max-games 2000 -o out/d1\n"
    "  nxn duel corners greedy -b 2x3 --bound 20% -o out/d2\n"
    "  nxn duel corners greedy --power 2% -o out/d1\n"
    "  nxn duel --power 2% --sd 60%\n"
    "  seq 2 2 200 >a.txt; seq 1 100 >b.txt; nxn duel --scores a.txt b.txt";

static enum status duel_run(void *input, const struct invocation *call, struct why *why)
{
	return duel(input, call, why);
}

static const struct duel_options defaults = {.seed = 1, .alpha = 0.05, .beta = 0.1};

const struct command cmd_duel = {
    .options = options_table,
    .arguments = "[AGENT AGENT]",
    .argument = agent_take,
    .check = options_check,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = duel_run,
};
