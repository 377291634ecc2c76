/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn duel: the options of a duel, which is in duel.c. */
#include "src/commands/command.h"
#include "src/run/duel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	BATCH_DEFAULT = 50,
	BATCH_MIN = DUEL_BATCH_MIN,
	MOST_DEFAULT = 10000,
	MOST_MAX = 100000000,
	PILOT_DEFAULT = 200
};

/* A share above 0 and at most MAX, as in 2% or 0.02; above 1 only in percent. */
static double option_share(struct argp_state *state, const char *what, const char *text, double max)
{
	char *end;
	double x = strtod(text, &end);
	/* strtod() knows more ways to write numbers than there should be here. */
	bool plain = end > text && strspn(text, "0123456789.e-") == (size_t)(end - text);
	bool percent = strcmp(end, "%") == 0;
	if (percent)
		x /= 100;
	if (!plain || (*end && !percent) || !(x >= 1e-9 && x <= max))
		option_error(state, "%s: '%s' is not a share such as 2%% or 0.02, at most %g%%",
			     what, text, 100 * max);
	/* Nobody who writes 5 means 500%. */
	if (!percent && x > 1)
		option_error(state, "%s: '%s' would be %g%%; write '%s%%', or that", what, text,
			     100 * x, text);
	return x;
}

static void options_check(struct argp_state *state, void *input)
{
	const struct duel_options *options = input;
	bool planned = options->effect > 0;
	if (options->agents == 0 && planned && options->sd > 0)
		return;
	if (options->agents < 2)
		option_error(state, "two agents are missing, as in nxn duel corners greedy; nxn "
				    "info lists the agents");
	if (!planned && options->sd > 0)
		option_error(state, "--sd: only with --power");
	if (planned && options->sd > 0)
		option_error(state, "--sd: with agents, a pilot finds it; leave out one or the "
				    "other");
}

static void half_take(struct argp_state *state, const char *what, char *text, void *field)
{
	*(double *)field = option_share(state, what, text, 0.5);
}

static void tenfold_take(struct argp_state *state, const char *what, char *text, void *field)
{
	*(double *)field = option_share(state, what, text, 10);
}

static void spread_take(struct argp_state *state, const char *what, char *text, void *field)
{
	*(double *)field = option_share(state, what, text, 1000);
}

static void agent_take(struct argp_state *state, char *agent, void *input)
{
	struct duel_options *options = input;
	if (options->agents == 2)
		option_error(state, "unexpected argument '%s'; a duel is between two", agent);
	options->agent[options->agents++] = agent;
}

#define FIELD(M) offsetof(struct duel_options, M)

static const struct command_option options_table[] = {
    OPTION_NUMBER("max-games", 'g', "N", OPTION_COUNT, FIELD(most), BATCH_MIN, MOST_MAX,
		  "Games of each player at most (default 10000)"),
    OPTION_NUMBER("batch", 0, "N", OPTION_COUNT, FIELD(batch), BATCH_MIN, MOST_MAX,
		  "Games of each player before the first look; after that one looks whenever a "
		  "fifth more have been played, rounded up to N (default 50)"),
    OPTION_TAKEN("alpha", 0, "SHARE", FIELD(alpha), half_take,
		 "False verdicts that are allowed, as in 5% or 0.05; intervals are 100% less that "
		 "(default 5%)"),
    OPTION_TAKEN("bound", 0, "SHARE", FIELD(bound), tenfold_take,
		 "Stop as well when the interval for the ratio of mean scores lies within this of "
		 "1, as in 2%: the players then are equal within it"),
    OPTION_TAKEN("power", 0, "EFFECT", FIELD(effect), tenfold_take,
		 "Play a pilot only, and tell how many games it takes to find a difference of mean "
		 "scores of EFFECT, as in 2%"),
    OPTION_TAKEN(
	"beta", 0, "SHARE", FIELD(beta), half_take,
	"Duels that may miss such an effect, for --power and for what was saved (default 10%)"),
    OPTION_NUMBER("pilot", 0, "N", OPTION_COUNT, FIELD(pilot), BATCH_MIN, MOST_MAX,
		  "Games of each player in the pilot (default 200)"),
    OPTION_TAKEN("sd", 0, "SHARE", FIELD(sd), spread_take,
		 "In place of agents and a pilot: the spread of a pair, that is the standard "
		 "deviation of the difference of scores as a share of the mean score, as in 60%"),
    OPTION("out", 'o', "DIR", OPTION_NAME, FIELD(launch.directory),
	   "Folder of the results (default out/duel); if it holds some, they are gone on with"),
    OPTION("no-figures", 0, NULL, OPTION_FLAG, FIELD(launch.no_figures),
	   "Write the table, but draw no figure"),
    OPTION("no-times", 0, NULL, OPTION_FLAG, FIELD(launch.no_times),
	   "Leave out how long games took, so that equal runs give equal logs"),
    BOARD_OPTION(game),
    RULE_OPTIONS(game),
    SEED_OPTION(seed),
    PACE_OPTIONS(launch.pace),
    {0},
};

static const char doc[] =
    "Lets two agents play the same games until it is clear who has the higher mean score. Looks "
    "are taken after fixed numbers of games, with intervals that hold at all of them together: a "
    "duel ends when that for the ratio of mean scores leaves out 1, when it lies within --bound, "
    "or with --max-games. Choose these before looking at games. Results go to a folder, as games "
    "that nxn stats and nxn compare read.\v"
    "Killed at any moment, the same command goes on and stops at the same game with the same "
    "verdict, for any number of threads. The exit status is 0 whatever the verdict. docs/duel.md "
    "has the method and its measured error rates.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn duel corners greedy --max-games 2000 -o out/d1\n"
    "  nxn duel corners greedy -b 2x3 --bound 20% -o out/d2\n"
    "  nxn duel corners greedy --power 2% -o out/d1\n"
    "  nxn duel --power 2% --sd 60%";

static enum status duel_run(void *input, const struct invocation *call, struct why *why)
{
	return duel_launch(input, call, why);
}

static const struct duel_options defaults = {.seed = 1,
					     .alpha = 0.05,
					     .beta = 0.1,
					     .batch = BATCH_DEFAULT,
					     .most = MOST_DEFAULT,
					     .pilot = PILOT_DEFAULT,
					     .launch.directory = "out/duel"};

const struct command cmd_duel = {
    .options = options_table,
    .arguments = "[AGENT AGENT]",
    .argument = agent_take,
    .check = options_check,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = duel_run,
};
