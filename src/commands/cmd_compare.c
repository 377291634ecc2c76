/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn compare: every agent on every board, or the games of an experiment file. */
#include "base/file.h"
#include "base/stop.h"
#include "src/cli/data_dir.h"
#include "src/cli/options.h"
#include "src/commands/command.h"
#include "src/measure/estimate.h"
#include "src/measure/experiment_file.h"
#include "src/measure/launch.h"
#include "src/measure/sweep.h"
#include "src/report/report.h"

#include <stdio.h>

/* The options; an experiment file sets most of them itself. A number that is not given is 0. */
struct compare_options {
	const char *file; /* or the name of an experiment; first, for argument_keep(); NULL: none */
	struct text_list boards, agents;
	struct game_options rule;
	uint64_t games;
	double ms_per_move, precision;
	bool untrained, seeded; /* seeded: the seed is given */
	uint64_t seed;
	bool dry_run;
	struct launch_options launch;
};

/* The agents without --agents: they finish on every board within a minute. */
static char *const usual[] = {"random", "greedy", "corners", "expectimax:depth=1"};

#define FIELD(M) offsetof(struct compare_options, M)

/* Refuses options that an experiment file sets itself. */
static enum status options_check(void *input, struct why *why)
{
	const struct compare_options *o = input;
	const char *given = o->boards.n				   ? "--boards"
			    : o->agents.n			   ? "--agents"
			    : o->games				   ? "--games"
			    : o->seeded				   ? "--seed"
			    : o->ms_per_move > 0		   ? "--ms-per-move"
			    : o->precision > 0			   ? "--precision"
			    : o->untrained			   ? "--untrained"
			    : o->rule.start			   ? "--start"
			    : o->rule.spawn || o->rule.start_tiles ? "--spawn or --start-tiles"
								   : NULL;
	if (o->file && given)
		return why_set(why, STATUS_INPUT, "%s: not with an experiment; '%s' sets that",
			       given, o->file);
	return STATUS_OK;
}

static const struct command_option options_table[] = {
    OPTION_NUMBER("games", 'g', "N", FIELD_COUNT, FIELD(games), 1, COUNT_MAX,
		  "Games of each agent on each board (default 100); with --precision, at most "
		  "(default 10000)"),
    OPTION_NUMBER(
	"precision", 0, "SHARE", FIELD_SHARE, FIELD(precision), 0, 1,
	"Play, for each agent and board, until the 95% interval of the mean score is within "
	"SHARE of it, as in 5%. The interval is checked after 60 games, then after a fifth "
	"more each time; the least precise play first"),
    OPTION_READER("ms-per-move", 0, "MS", FIELD(ms_per_move), experiment_time,
		  "Equal time: every agent with a parameter ms gets MS milliseconds per move; the "
		  "others play as they are, and the table shows their time"),
    BOARDS_OPTION(boards),
    AGENTS_OPTION(agents),
    UNTRAINED_OPTION(untrained, ", labelled 'NAME (untrained)'"),
    RULE_OPTIONS(rule),
    SEED_OPTION_GIVEN(seed, FIELD(seeded)),
    DRY_RUN_OPTION(dry_run),
    ACROSS_OPTIONS(launch.against, launch.by_board),
    OPTION("only", 0, NULL, FIELD_FLAG, FIELD(launch.only),
	   "Report the games of this command alone, not all that the folder holds"),
    LAUNCH_OPTIONS(launch),
    OPTIONS_END,
};

static const char doc[] =
    "Plays every agent on every board (without --agents: random, greedy, corners and "
    "expectimax:depth=1), or the experiment in FILE, or one that comes with nxn by its name. "
    "Prints the players with 95% intervals, the best first, across boards if there are several, "
    "and writes games, "
    "tables, figures and a page of results, index.html, to a folder: --out, else out/NAME of the "
    "experiment, else out/compare. Games that the folder already has are not played again, so the "
    "same command continues an interrupted comparison, and another one with the same --out adds "
    "boards or players: the report is of all that the folder holds.\v"
    "With --ms-per-move, or with ms= in each agent, searches get equal time if there are no more "
    "threads (-j) than processors. Their games depend on the machine: to add games from another "
    "one, use another seed.\n"
    "\n"
    "`nxn info experiments` lists the experiments that come with nxn, and how long they take. "
    "Options that a file sets itself, such as --agents, --games and --seed, cannot be used with "
    "an experiment.\n"
    "\n"
    "A file has boards, agents and games, or sequences of them, in which learners alternate "
    "between training and evaluation:\n"
    "\n"
    "  name: demo\n"
    "  seed: 7\n"
    "  boards: [3x3, 4x4]\n"
    "  sequences:\n"
    "    - agents: [random, \"expectimax:depth=2,cutoff=1e-3\"]\n"
    "      games: 100\n"
    "    - agents: [qlearn]\n"
    "      label: Q-learning\n"
    "      train: 1000\n"
    "      evaluate: 50\n"
    "      repeat: 20\n"
    "      games: 100\n"
    "    - players:\n"
    "        - {name: TD, agent: \"ntuple:n{board}.nxn\"}\n"
    "      games: 100\n"
    "\n"
    "With seconds: 60 instead of train, a block has as many training games as the learner plays in "
    "60 seconds of one processor, for comparisons at equal time. Their number depends on the "
    "machine, so such an experiment cannot be repeated bit for bit in another folder. With train: "
    "[6s, 1m, 10m] a learner plays after each of these points of one training; trainings: 3 trains "
    "each learner three times, with seeds of its own.\n"
    "\n"
    "Further keys at the top: precision: 5%, with games as the most of each player; title; "
    "duration: 2 min, which nxn info experiments shows; spawn; "
    "start-tiles; "
    "ms-per-move: 5, the time of every agent with a parameter ms; traces: 2, which writes the "
    "first 2 games of every player, each time it plays, move by move to the folder traces and the "
    "table moves.\n"
    "\n"
    "Instead of agents, games and sequences a file may have a sweep. Its keys are the options of "
    "nxn sweep; all are optional:\n"
    "\n"
    "  boards: [4x4, 5x5]\n"
    "  sweep:\n"
    "    agent: expectimax\n"
    "    depths: 1-4\n"
    "    cutoffs: [1e-2, 1e-3]\n"
    "    positions: 100\n"
    "    games: 20\n"
    "    rounds: 9\n"
    "    budget: [1ms, 10ms]\n"
    "    cell-limit: 60s\n"
    "    play-limit: 20ms\n"
    "\n"
    "EXAMPLES\n"
    "  nxn compare -b 3x3\n"
    "  nxn compare --agents random,greedy,corners --games 1000\n"
    "  nxn compare -b 3x3,4x4 -a 'corners;expectimax:depth=2' -g 20 -o out/a\n"
    "  nxn compare -a greedy,corners --spawn 2:0.8,4:0.2 -g 50 -o out/b\n"
    "  nxn compare -b 3x3 -a random,expectimax --ms-per-move 0.1 -g 4 -o out/c\n"
    "  nxn compare quickstart --dry-run\n"
    "  nxn compare quickstart --out out/quick";

/* Makes EXPERIMENT: every agent on every board, or on that of the start position. */
static enum status experiment_make(struct experiment *experiment,
				   const struct compare_options *options, struct why *why)
{
	const struct text_list all = {(char **)usual, sizeof usual / sizeof *usual};
	const struct text_list *agents = options->agents.n ? &options->agents : &all;
	const size_t boards = options->boards.n ? options->boards.n : 1;
	const struct schedule schedule = {.games = options->games	    ? options->games
						   : options->precision > 0 ? 10000
									    : 100};
	struct game_options rule = options->rule;
	enum status status = STATUS_OK;
	*experiment = (struct experiment){.seed = options->seed,
					  .ms_per_move = options->ms_per_move,
					  .precision = options->precision};
	for (size_t i = 0; !status && i < boards * agents->n; i++) {
		struct game game;
		const char *agent = agents->item[i % agents->n];
		rule.shape = options->boards.n ? options->boards.item[i / agents->n]
			     : rule.start      ? NULL
					       : "4x4";
		status = game_init(&game, &rule, why);
		if (!status)
			status = experiment_add(experiment, &game, agent, NULL, &schedule, why);
	}
	if (status)
		experiment_fini(experiment);
	return status;
}

static enum status experiment_take(struct experiment *experiment,
				   const struct compare_options *options, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	if (!options->file)
		return experiment_make(experiment, options, why);
	enum status status = builtin_find(options->file, path, why);
	return status ? status : experiment_read(experiment, path, why);
}

/* Lists or plays EXPERIMENT. */
static enum status experiment_run(const struct experiment *experiment,
				  const struct compare_options *options,
				  const struct invocation *call, struct why *why)
{
	struct launch_options here = options->launch;
	char directory[FOLDER_PATH_MAX];
	snprintf(directory, sizeof directory, "out/%s",
		 options->file ? experiment->name : "compare");
	if (!here.directory)
		here.directory = directory;
	if (experiment->sweep && (here.against || here.by_board || here.only))
		return why_set(why, STATUS_INPUT,
			       "--against, --by-board and --only: not with a sweep, as in %s",
			       options->file);
	if (options->dry_run)
		return dry_run(experiment, &here, call, why);
	return experiment->sweep ? sweep_launch(experiment, &here, call, why)
				 : launch(experiment, &here, call, why);
}

static enum status compare_run(void *input, const struct invocation *call, struct why *why)
{
	const struct compare_options *options = input;
	struct experiment experiment;
	stop_catch();
	enum status status = launch_begun(experiment_take(&experiment, options, why), call);
	if (status)
		return status;
	status = experiment_untrained(&experiment, options->file || options->untrained, why);
	if (!status)
		status = experiment_run(&experiment, options, call, why);
	experiment_fini(&experiment);
	return status;
}

static const struct compare_options defaults = {.seed = 1};

const struct command cmd_compare = {
    .options = options_table,
    .arguments = "[FILE|EXPERIMENT]",
    .argument = argument_keep,
    .check = options_check,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = compare_run,
    .shared = true,
};
