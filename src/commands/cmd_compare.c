/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn compare: every agent on every board, as an experiment made from options. */
#include "base/stop.h"
#include "src/commands/command.h"
#include "src/measure/launch.h"
#include "src/cli/options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct compare_options {
	struct text_list boards, agents;
	struct game_options rule;
	uint64_t seed, games;
	double ms_per_move; /* 0 if not given */
	bool untrained;
	struct launch_options launch;
};

/* Who plays where nobody is named: what can be said of every board within a minute. */
static char *const usual_agents[] = {"random", "greedy", "corners", "expectimax:depth=1"};

#define FIELD(M) offsetof(struct compare_options, M)

static const struct command_option options_table[] = {
    OPTION_NUMBER("games", 'g', "N", FIELD_COUNT, FIELD(games), 1, COUNT_MAX,
		  "Games of each agent on each board (default 100)"),
    OPTION_READER("ms-per-move", 0, "MS", FIELD(ms_per_move), experiment_time,
		  "Equal time: every agent with a parameter ms gets MS milliseconds per move; the "
		  "others play as they are, and the table shows their time"),
    BOARDS_OPTION(boards),
    AGENTS_OPTION(agents),
    UNTRAINED_OPTION(untrained, ", labelled 'NAME (untrained)'"),
    RULE_OPTIONS(rule),
    SEED_OPTION(seed),
    LAUNCH_OPTIONS(launch),
    OPTIONS_END,
};

static const char doc[] =
    "Plays every agent on every board (without --agents: random, greedy, corners and "
    "expectimax:depth=1), prints the players of each board with 95% intervals, the best first, and "
    "writes games, tables, figures and a page of results, index.html, to a folder (default "
    "out/compare). Games that the folder already has are not played again, so the same command "
    "continues an interrupted comparison.\v"
    "With --ms-per-move, or with ms= in each agent, searches get equal time if there are no more "
    "threads (-j) than processors. Their games depend on the machine: to add games from another "
    "one, use another seed.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn compare -b 3x3\n"
    "  nxn compare --agents random,greedy,corners --games 1000\n"
    "  nxn compare -b 3x3,4x4 -a 'corners;expectimax:depth=2' -g 20 -o out/a\n"
    "  nxn compare -a greedy,corners --spawn 2:0.8,4:0.2 -g 50 -o out/b\n"
    "  nxn compare -b 3x3 -a random,expectimax --ms-per-move 0.1 -g 4 -o out/c";

/* Every agent on BOARD, or on the board of the start position if BOARD is NULL. */
static enum status board_add(struct experiment *experiment, const struct compare_options *options,
			     const char *board, struct why *why)
{
	struct game game;
	struct schedule schedule = {.games = options->games};
	struct game_options rule = options->rule;
	rule.shape = board;
	const struct text_list usual = {(char **)usual_agents,
					sizeof usual_agents / sizeof *usual_agents};
	const struct text_list *agents = options->agents.n ? &options->agents : &usual;
	enum status status = game_init(&game, &rule, why);
	for (size_t i = 0; !status && i < agents->n; i++)
		status = experiment_add(experiment, &game, agents->item[i], NULL, &schedule, why);
	return status;
}

static enum status experiment_make(struct experiment *experiment,
				   const struct compare_options *options, struct why *why)
{
	*experiment =
	    (struct experiment){.seed = options->seed, .ms_per_move = options->ms_per_move};
	enum status status = STATUS_OK;
	if (options->boards.n == 0)
		status = board_add(experiment, options, options->rule.start ? NULL : "4x4", why);
	for (size_t i = 0; !status && i < options->boards.n; i++)
		status = board_add(experiment, options, options->boards.item[i], why);
	if (status)
		experiment_fini(experiment);
	return status;
}

static enum status compare_run(void *input, const struct invocation *call, struct why *why)
{
	struct compare_options *options = input;
	struct experiment experiment;
	stop_catch();
	enum status status = launch_begun(experiment_make(&experiment, options, why), call);
	if (status)
		return status;
	status = experiment_untrained(&experiment, options->untrained, why);
	if (!status)
		status = launch(&experiment, &options->launch, call, why);
	experiment_fini(&experiment);
	return status;
}

static const struct compare_options defaults = {
    .seed = 1, .games = 100, .launch.directory = "out/compare"};

const struct command cmd_compare = {
    .options = options_table,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = compare_run,
    .shared = true,
};
