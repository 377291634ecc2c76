/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn tune: its options; the tuning is in src/measure. */
#include "base/number.h"
#include "src/commands/command.h"
#include "src/cli/options.h"
#include "src/games/experiment.h"
#include "src/measure/tune.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANDIDATES_MAX = ENTRIES_MAX, GAMES_MAX = 1000000, GENERATIONS_MAX = 100000 };

static enum status objective_read(void *input, const char *what, const char *text, struct why *why)
{
	struct tune_options *options = input;
	static const char tile[] = "tile=";
	uint64_t number = 0;
	if (strcmp(text, "score") == 0 || strcmp(text, "log") == 0) {
		options->aim = *text == 's' ? TUNE_SCORE : TUNE_LOG;
		options->exponent = 0;
		return STATUS_OK;
	}
	if (strncmp(text, tile, strlen(tile)) != 0)
		return why_set(why, STATUS_INPUT, "%s: '%s' is none of score, log, tile=N", what,
			       text);
	text += strlen(tile);
	enum status status = number_parse("--objective: tile", text, 2, INT64_MAX, &number, why);
	if (status)
		return status;
	if ((number & (number - 1)) != 0)
		return why_set(why, STATUS_INPUT, "--objective: tile=%s is not a power of 2", text);
	options->aim = TUNE_TILE;
	options->exponent = __builtin_ctzll(number);
	return STATUS_OK;
}

static enum status options_check(void *input, struct why *why)
{
	struct tune_options *options = input;
	if (!options->agent)
		return why_set(why, STATUS_INPUT, "--agent is missing; nxn info agents lists them");
	if (!options->params)
		return why_set(why, STATUS_INPUT, "--params is missing; nxn info AGENT lists them");
	if (!options->path)
		return why_set(why, STATUS_INPUT,
			       "--out is missing: the file for the table of generations");
	if (options->elite > options->population)
		return why_set(why, STATUS_INPUT, "--elite: %zu is more than --population %zu",
			       options->elite, options->population);
	if (!options->game.shape && !options->game.start)
		options->game.shape = "4x4";
	return STATUS_OK;
}

#define FIELD(M) offsetof(struct tune_options, M)
static const struct command_option options_table[] = {
    OPTION("agent", 'a', "AGENT", FIELD_TEXT, FIELD(agent), "Agent whose parameters are tuned"),
    OPTION("params", 'p', "LIST", FIELD_TEXT, FIELD(params),
	   "Real parameters of the agent and of its value to tune: patterns such as 'w_*', each "
	   "optionally with mean and deviation at the start, as in w_empty=300~100. If patterns "
	   "name the same parameter, the last counts"),
    OPTION("out", 'o', "FILE", FIELD_NAME, FIELD(path),
	   "Table of the generations; the games are beside it, in tune-games/games.tsv for "
	   "tune.tsv, from which an interrupted tuning continues"),
    OPTION_NUMBER("population", 'N', "N", FIELD_SIZE, FIELD(population), 1, CANDIDATES_MAX,
		  "Candidates per generation (default 30)"),
    OPTION_NUMBER(
	"elite", 'm', "M", FIELD_SIZE, FIELD(elite), 1, CANDIDATES_MAX,
	"The number of best candidates that the next generation is fitted to (default 8)"),
    OPTION_NUMBER("games", 'g', "N", FIELD_SIZE, FIELD(games), 1, GAMES_MAX,
		  "Games of each candidate (default 50)"),
    OPTION_NUMBER("generations", 'G', "N", FIELD_SIZE, FIELD(generations), 1, GENERATIONS_MAX,
		  "Generations at most (default 15)"),
    OPTION_READER(
	"objective", 0, "score|log|tile=TILE", 0, objective_read,
	"What is maximised: the mean over the games of the score, of its logarithm (log), "
	"or the share that reached a tile (tile=2048) (default score)"),
    OPTION_NUMBER("sigma", 0, "X", FIELD_REAL, FIELD(sigma), 1e-6, 1e6,
		  "Deviations at the start, as a share of the means; for a mean of 0, of the scale "
		  "that nxn info AGENT shows, or else of the default (default 0.5)"),
    OPTION_NUMBER(
	"noise", 0, "X", FIELD_REAL, FIELD(noise), 0, 1e6,
	"Deviation that is added after every generation, as a share of the first; it falls "
	"to 0 at the last generation (default 0.2)"),
    OPTION("constant-noise", 0, NULL, FIELD_FLAG, FIELD(noise_constant), "Keep the noise constant"),
    OPTION_NUMBER("tolerance", 0, "X", FIELD_REAL, FIELD(tolerance), 0, 1,
		  "End when all deviations are below this share of those at the start (default "
		  "0.05); 0: do not"),
    OPTION_NUMBER(
	"held-out", 0, "N", FIELD_SIZE, FIELD(held_out), 2, GAMES_MAX,
	"Games, not used for tuning, that compare the result with the start (default 200)"),
    OPTION_NUMBER("check", 0, "K", FIELD_SIZE, FIELD(check), 1, GENERATIONS_MAX,
		  "Play the --held-out games after every K generations, not only at the end"),
    OPTION("no-figures", 0, NULL, FIELD_FLAG, FIELD(no_figures), "Draw no figure, write no page"),
    NO_TIMES_OPTION(no_times),
    FORMAT_OPTION,
    BOARD_OPTION(game),
    RULE_OPTIONS(game),
    UNTRAINED_OPTION(untrained, ""),
    SEED_OPTION(seed),
    PACE_OPTIONS(pace),
    OPTIONS_END,
};

static const char doc[] =
    "Tunes real parameters of an agent by the cross-entropy method. Candidates are drawn from one "
    "normal distribution per parameter and play the same games; the distributions are fitted to "
    "the best of them, generation after generation. The final means are compared with the agent as "
    "given, on other games, and are the result if they are better there. A page of results, "
    "index.html, is written to a folder beside FILE: tune-page for tune.tsv. If tuning is killed "
    "at any moment, the same command continues it, to the same table.\v"
    "The result, an agent for any command, does not depend on the number of threads. Better means: "
    "with --objective score the 95% interval of the ratio of mean scores is above 1; with another "
    "objective the interval of the mean difference, game by game, is above 0. Otherwise the agent "
    "as given is kept.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn tune -a expectimax:1 -p 'w_*' -b 3x3 -N 12 -m 3 -G 4 -o tune.tsv\n"
    "  nxn tune -a expectimax:1 -p 'w_empty=8~4,w_merge' -b 3x3 -G 3 -o two.tsv\n"
    "  nxn tune -a expectimax:1,value=strong -p 'w_*' -b 3x4 -G 2 -g 9 -o s.tsv\n"
    "  nxn tune -a expectimax:1 -p 'w_*' -b 3x4 -G 2 --objective tile=256 -o r.tsv";

static enum status tune_command(void *input, const struct invocation *call, struct why *why)
{
	const struct tune_options *options = input;
	struct game game;
	struct tune_space space;
	const struct agent_env env = {.game = &game};
	enum status status = game_init(&game, &options->game, why);
	if (!status && options->aim == TUNE_TILE && options->exponent > game.max_exponent)
		status = why_set(
		    why, STATUS_INPUT,
		    "--objective: tile=%" PRIu64 ": the largest tile on %s is %" PRIu64,
		    UINT64_C(1) << options->exponent, game.name, UINT64_C(1) << game.max_exponent);
	if (!status)
		status = tune_space_init(&space, options, &env, why);
	if (!status)
		status = tune_run(options, &game, &space, call, why);
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
    .run = tune_command,
    .shared = true,
};
