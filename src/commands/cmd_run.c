/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn run: an experiment from a file. */
#include "src/commands/command.h"
#include "base/file.h"
#include "src/run/launch.h"
#include "src/cli/options.h"
#include "src/cli/data_dir.h"
#include "src/run/sweep.h"

#include <inttypes.h>
#include <stdio.h>

struct run_options {
	const char *file;
	bool dry_run;
	struct launch_options launch;
};

static void file_take(struct argp_state *state, char *file, void *input)
{
	struct run_options *options = input;
	if (options->file)
		option_error(state, "unexpected argument '%s'", file);
	options->file = file;
}

#define FIELD(M) offsetof(struct run_options, M)

static const struct command_option options_table[] = {
    OPTION("dry-run", 0, NULL, OPTION_FLAG, FIELD(dry_run),
	   "List players with all their parameters and games; play nothing"),
    LAUNCH_OPTIONS(launch),
    {0},
};

static const char doc[] =
    "Runs the experiment in FILE, or one that comes with nxn by its name: quickstart, paper, "
    "paper-scaled, figure8, figure8-scaled, figure9, figure10, pareto, ablation, ablation-more, "
    "learning-rules, learning-rules-full, transfer, sizes, td-rates, td-rates-full, td-groups, "
    "td-groups-full, policy-figures, policy-figures-full, policy-sizes, policy-settings, players, "
    "players-time, adp, cross-entropy, mcts, mcts-time, relative, tuned. Results go to out/NAME, "
    "with the name of the experiment, or to --out.\v"
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
    "\n"
    "With seconds: 60 instead of train, a block has as many training games as the learner plays in "
    "60 seconds of one processor, for comparisons at equal time. Their number depends on the "
    "machine, so such an experiment cannot be repeated bit for bit in another folder.\n"
    "\n"
    "Further keys at the top: title; spawn; start-tiles; ms-per-move: 5, the time of every agent "
    "with a parameter ms; traces: 2, the number of first games of every player that are written "
    "move by move into the folder traces and the table moves, each time it plays.\n"
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
    "    budget: [1ms, 10ms]\n"
    "    cell-limit: 60s\n"
    "    play-limit: 20ms\n"
    "\n"
    "EXAMPLES\n"
    "  nxn run quickstart --dry-run\n"
    "  nxn run quickstart --out out/quick";

/* What a block of training is: "1000", "60s". */
static void block_format(const struct schedule *s, char text[32])
{
	if (s->seconds)
		snprintf(text, 32, "%" PRIu64 "s", s->seconds);
	else
		snprintf(text, 32, "%" PRIu64, s->train);
}

static void experiment_list(const struct experiment *experiment)
{
	uint64_t games = 0, training = 0, seconds = 0;
	char block[32];
	if (experiment->title)
		printf("# %s\n", experiment->title);
	printf("board\tlabel\tagent\ttrain\tevaluate\trepeat\tgames\tparameters\n");
	for (size_t i = 0; i < experiment->count; i++) {
		const struct experiment_entry *entry = experiment->entries[i];
		const struct schedule *s = &entry->schedule;
		block_format(s, block);
		printf("%s\t%s\t%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%s\n",
		       entry->game.name, entry->label, entry->agent, block, s->evaluate, s->repeat,
		       s->games, entry_parameters(entry));
		games += entry_total(entry);
		training += s->train * s->repeat;
		seconds += s->seconds * s->repeat;
	}
	if (seconds > 0)
		printf("# %" PRIu64 " seconds of training\n", seconds);
	printf("# %" PRIu64 " games and %" PRIu64 " training games with seed %" PRIu64 "\n", games,
	       training, experiment->seed);
}

/* Lists or plays EXPERIMENT. */
static enum status experiment_run(const struct experiment *experiment,
				  const struct run_options *options, const struct invocation *call,
				  struct why *why)
{
	struct launch_options here = options->launch;
	char directory[FOLDER_PATH_MAX];
	snprintf(directory, sizeof directory, "out/%s", experiment->name);
	if (!here.directory)
		here.directory = directory;
	if (!options->dry_run)
		return experiment->sweep
			   ? sweep_launch(experiment, experiment->sweep, &here, call, why)
			   : launch(experiment, &here, call, why);
	if (experiment->sweep)
		sweep_list(experiment, experiment->sweep);
	else
		experiment_list(experiment);
	return STATUS_OK;
}

static enum status run_run(void *input, const struct invocation *call, struct why *why)
{
	struct run_options *options = input;
	char path[FOLDER_PATH_MAX];
	struct experiment experiment;
	enum status status = builtin_find(options->file, path, why);
	if (!status)
		status = experiment_read(&experiment, path, why);
	if (status)
		return status;
	status = experiment_run(&experiment, options, call, why);
	experiment_fini(&experiment);
	return status;
}

static const struct run_options defaults;

const struct command cmd_run = {
    .options = options_table,
    .arguments = "FILE|EXPERIMENT",
    .missing = "the experiment is missing: a file, or one that comes with nxn, such as "
	       "quickstart; nxn run --help lists them",
    .argument = file_take,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = run_run,
    .shared = true,
};
