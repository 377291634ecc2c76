/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn tune: the options of a tuning, which is in tune.c. */
#include "src/commands/command.h"
#include "src/cli/options.h"
#include "src/run/launch.h"
#include "src/run/tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANDIDATES_MAX = 100000, GAMES_MAX = 1000000, GENERATIONS_MAX = 100000 };

static void objective_take(struct argp_state *state, const char *what, char *text, void *input)
{
	struct tune_options *options = input;
	static const char tile[] = "tile=";
	if (strcmp(text, "score") == 0) {
		options->aim = TUNE_SCORE;
	} else if (strcmp(text, "log") == 0) {
		options->aim = TUNE_LOG;
	} else if (strncmp(text, tile, strlen(tile)) == 0) {
		const uint64_t number =
		    option_number(state, "--objective: tile", text + strlen(tile), 2, INT64_MAX);
		if ((number & (number - 1)) != 0)
			option_error(state, "--objective: tile=%s is no power of 2",
				     text + strlen(tile));
		options->aim = TUNE_TILE;
		options->exponent = __builtin_ctzll(number);
	} else {
		option_error(state, "%s: '%s' is none of score, log, tile=N", what, text);
	}
}

static void options_check(struct argp_state *state, void *input)
{
	struct tune_options *options = input;
	if (!options->agent)
		option_error(state, "--agent is missing; nxn info agents lists them");
	if (!options->params)
		option_error(state, "--params is missing; nxn info AGENT lists them");
	if (!options->path || !*options->path)
		option_error(state, "--out is missing: the file for the table of generations");
	if (options->elite > options->population)
		option_error(state, "--elite: %zu are more than the %zu of --population",
			     options->elite, options->population);
	if (!options->game.shape && !options->game.start)
		options->game.shape = "4x4";
}

#define FIELD(M) offsetof(struct tune_options, M)
#define REAL_OPTION(NAME, LETTER, ARGUMENT, FIELD, LOW, HIGH, DOC)                                 \
	{                                                                                          \
		.name = NAME, .argument = ARGUMENT, .kind = OPTION_REAL, .offset = FIELD,          \
		.low = LOW, .high = HIGH, .doc = DOC                                               \
	}

static const struct command_option options_table[] = {
    OPTION("agent", 'a', "AGENT", OPTION_TEXT, FIELD(agent), "Agent whose parameters are tuned"),
    OPTION("params", 'p', "LIST", OPTION_TEXT, FIELD(params),
	   "Parameters that are tuned, among the real ones of the agent and of its value: patterns "
	   "such as 'w_*', each with a mean and a deviation for the start if they are not to come "
	   "from the agent: w_empty=300~100. Of patterns that name the same, the last counts"),
    OPTION("out", 'o', "FILE", OPTION_TEXT, FIELD(path),
	   "Table of the generations; if it exists, tuning goes on with it"),
    OPTION_NUMBER("population", 'N', "N", OPTION_SIZE, FIELD(population), 1, CANDIDATES_MAX,
		  "Candidates of a generation (default 30)"),
    OPTION_NUMBER("elite", 'm', "M", OPTION_SIZE, FIELD(elite), 1, CANDIDATES_MAX,
		  "The best of them, which the next one is made of (default 8)"),
    OPTION_NUMBER("games", 'g', "N", OPTION_SIZE, FIELD(games), 1, GAMES_MAX,
		  "Games of each candidate (default 50)"),
    OPTION_NUMBER("generations", 'G', "N", OPTION_SIZE, FIELD(generations), 1, GENERATIONS_MAX,
		  "Generations at most (default 15)"),
    OPTION_TAKEN("objective", 0, "score|log|tile=TILE", 0, objective_take,
		 "What candidates are judged by: the mean over their games of the score, of its "
		 "logarithm (log), or the share that reached a tile (tile=2048) (default score)"),
    REAL_OPTION(
	"sigma", 0, "X", FIELD(sigma), 1e-6, 1e6,
	"Deviations at the start, as a share of the means; X for a mean of 0 (default 0.5)"),
    REAL_OPTION("noise", 0, "X", FIELD(noise), 0, 1e6,
		"Deviation that is added after every generation, as a share of that at the start; "
		"it fades to 0 until the last (default 0.2)"),
    OPTION("constant-noise", 0, NULL, OPTION_FLAG, FIELD(noise_constant),
	   "Do not let the noise fade"),
    REAL_OPTION("tolerance", 0, "X", FIELD(tolerance), 0, 1,
		"End when all deviations are below so large a share of those at the start (default "
		"0.05); 0 to go on"),
    OPTION_NUMBER(
	"held-out", 0, "N", OPTION_SIZE, FIELD(held_out), 2, GAMES_MAX,
	"Games, none of them tuned on, that compare the means with the start (default 200)"),
    OPTION_NUMBER("check", 0, "K", OPTION_SIZE, FIELD(check), 1, GENERATIONS_MAX,
		  "Play them after every K generations, and not in the end only"),
    BOARD_OPTION(game),
    RULE_OPTIONS(game),
    SEED_OPTION(seed),
    PACE_OPTIONS(pace),
    {0},
};

static const char doc[] =
    "Tunes real parameters of an agent by the cross-entropy method: candidates are drawn from a "
    "normal distribution a parameter, play the same games, and the distributions are fitted to the "
    "best of them, generation after generation. What the means come to in the end is compared with "
    "the agent as it was given, on other games. Killed at any moment, the same command goes on, to "
    "the same table.\v"
    "The result does not depend on the number of threads. The agent that is printed in the end can "
    "be given to any command.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn tune -a expectimax:1 -p 'w_*' -b 3x3 -N 12 -m 3 -G 4 -o tune.tsv\n"
    "  nxn tune -a expectimax:1 -p 'w_empty=8~4,w_merge' -b 3x3 -G 3 -o two.tsv\n"
    "  nxn tune -a expectimax:1,value=strong -p 'w_*' -b 3x4 -G 2 -g 9 -o s.tsv\n"
    "  nxn tune -a expectimax:1 -p 'w_*' -b 3x4 -G 2 --objective tile=256 -o r.tsv";

static enum status tune_it(void *input, const struct invocation *call, struct why *why)
{
	enum status status = tune_run(input, call->provenance, why);
	if (status == STATUS_STOPPED)
		launch_resume_print(call, "");
	return status;
}

static const struct tune_options defaults = {.seed = 1,
					     .population = 30,
					     .elite = 8,
					     .games = 50,
					     .generations = 15,
					     .sigma = 0.5,
					     .noise = 0.2,
					     .tolerance = 0.05,
					     .held_out = 200};

const struct command cmd_tune = {
    .options = options_table,
    .check = options_check,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = tune_it,
    .shared = true,
};
