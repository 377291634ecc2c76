/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn compare: every agent on every board, as an experiment made from options. */
#include "src/commands/command.h"
#include "src/run/launch.h"
#include "src/cli/options.h"
#include "src/run/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct compare_options {
	struct text_list boards, agents;
	struct game_options rule;
	uint64_t seed, games;
	double ms_per_move; /* 0 if not given */
	struct launch_options launch;
};

static void options_check(struct argp_state *state, void *input)
{
	const struct compare_options *options = input;
	if (options->agents.n == 0)
		option_error(state, "--agents is missing; nxn info lists the agents");
}

#define FIELD(M) offsetof(struct compare_options, M)

static const struct command_option options_table[] = {
    OPTION_NUMBER("games", 'g', "N", OPTION_COUNT, FIELD(games), 1, COUNT_MAX,
		  "Games of each agent on each board (default 100)"),
    OPTION_READER("ms-per-move", 0, "MS", OPTION_READ, FIELD(ms_per_move), experiment_time,
		  "Equal time: every agent with a parameter ms gets MS milliseconds a move; the "
		  "others play as they are, and the table tells what they take"),
    BOARDS_OPTION(boards),
    AGENTS_OPTION(agents),
    RULE_OPTIONS(rule),
    SEED_OPTION(seed),
    LAUNCH_OPTIONS(launch),
    {0},
};

static const char doc[] =
    "Plays every agent on every board, prints a table with 95% intervals, and writes the games, "
    "tables for gnuplot and figures into a folder (default out/compare). What the folder holds "
    "already is not played again: an interrupted comparison goes on where it was.\v"
    "Searches get equal time with --ms-per-move, or ms= of their own, as long as no more threads "
    "(-j) than processors are at work. Their games depend on the machine: to add some from another "
    "one, give it another seed.\n"
    "\n"
    "EXAMPLES\n"
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
	enum status status = game_init(&game, &rule, why);
	for (size_t i = 0; !status && i < options->agents.n; i++)
		status = experiment_add(experiment, &game, options->agents.item[i], NULL, &schedule,
					why);
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

/* Says which agents are learners that have learned nothing: few who compare them mean that. */
static void untrained_name(const char *command, const struct experiment *experiment)
{
	for (size_t i = 0; i < experiment->count; i++) {
		const struct experiment_entry *entry = experiment->entries[i];
		const char *name = agent_class_of(entry->agent)->name;
		if (!agent_class_of(entry->agent)->learn || entry->trained_before ||
		    strcmp(entry->game.name, experiment->entries[0]->game.name) != 0)
			continue;
		fprintf(
		    stderr,
		    "%s: %s has not been trained; nxn train %s --out FILE does that, and %s:FILE "
		    "plays what was learned\n",
		    command, entry->agent, name, name);
	}
}

static enum status compare_run(void *input, const struct invocation *call, struct why *why)
{
	struct compare_options *options = input;
	struct experiment experiment;
	enum status status = experiment_make(&experiment, options, why);
	if (status)
		return status;
	if (ranks_rank() == 0)
		untrained_name(call->name, &experiment);
	status = launch(&experiment, &options->launch, call, why);
	experiment_fini(&experiment);
	return status;
}

static const struct compare_options defaults = {
    .seed = 1, .games = 100, .launch.directory = "out/compare"};

const struct command cmd_compare = {
    .options = options_table,
    .check = options_check,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = compare_run,
    .shared = true,
};
