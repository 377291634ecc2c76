/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn run: an experiment from a file. */
#include "base/stop.h"
#include "src/commands/command.h"
#include "base/file.h"
#include "base/text.h"
#include "src/measure/estimate.h"
#include "src/measure/experiment_file.h"
#include "src/measure/launch.h"
#include "src/cli/options.h"
#include "src/cli/data_dir.h"
#include "src/measure/sweep.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run_options {
	const char *file; /* first, for argument_keep() */
	bool dry_run;
	struct launch_options launch;
};

#define FIELD(M) offsetof(struct run_options, M)

static const struct command_option options_table[] = {
    OPTION("dry-run", 0, NULL, FIELD_FLAG, FIELD(dry_run),
	   "List players with all their parameters and games, estimate their time on this machine "
	   "from a short run of each player, and stop"),
    LAUNCH_OPTIONS(launch),
    OPTIONS_END,
};

static const char doc[] =
    "Runs the experiment in FILE, or an experiment that comes with nxn, by its name. Without an "
    "argument it lists those experiments and how long they take. Results go to out/NAME, where "
    "NAME is the name of the experiment, or to --out.\v"
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
    "Further keys at the top: title; duration: 2 min, which nxn run shows; spawn; start-tiles; "
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
    "  nxn run\n"
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

/* The players of EXPERIMENT: a table, on a terminal lines that fit. */
static void experiment_list(const struct experiment *experiment)
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
	if (seconds > 0)
		printf("# %" PRIu64 " seconds of training\n", seconds);
	printf("# %" PRIu64 " games and %" PRIu64 " training games with seed %" PRIu64 "\n", games,
	       training, experiment->seed);
}

/* ---- Those that come with nxn. */

static enum status builtin_show(const char *name, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct experiment experiment;
	enum status status = builtin_find(name, path, why);
	status = status ? status : experiment_read_head(&experiment, path, why);
	if (status)
		return status;
	const int column =
	    printf("%-19s  %-15s  ", name, experiment.duration ? experiment.duration : "-");
	text_fill(stdout, column, experiment.title ? experiment.title : "");
	experiment_fini(&experiment);
	return STATUS_OK;
}

/* Lists them: name, duration, title. */
static enum status builtins_list(struct why *why)
{
	char *names = NULL;
	size_t size;
	FILE *out = stream_open(&names, &size);
	enum status status = out ? builtin_print(out, why) : why_errno(why, "experiments");
	if (out && fclose(out) && !status)
		status = why_errno(why, "experiments");
	if (!status)
		printf("Experiments that come with nxn, and how long they take on 2 cores:\n\n");
	char *rest = names;
	for (char *name; !status && (name = strtok_r(rest, " ", &rest));)
		status = builtin_show(name, why);
	free(names);
	if (!status)
		printf("\nnxn run NAME --dry-run tells how long one takes here; nxn run NAME plays "
		       "it.\n");
	return status;
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
	return here.no_times ? STATUS_OK : estimate_print(experiment, here.pace.threads);
}

static enum status run_run(void *input, const struct invocation *call, struct why *why)
{
	struct run_options *options = input;
	char path[FOLDER_PATH_MAX];
	struct experiment experiment;
	if (call->printer.format != FORMAT_TEXT && (options->dry_run || !options->file))
		return why_set(why, STATUS_INPUT,
			       "--format: only for an experiment that is played");
	if (!options->file)
		return builtins_list(why);
	enum status status = builtin_find(options->file, path, why);
	stop_catch();
	if (!status)
		status = launch_begun(experiment_read(&experiment, path, why), call);
	if (status)
		return status;
	status = experiment_untrained(&experiment, true, why);
	if (!status)
		status = experiment_run(&experiment, options, call, why);
	experiment_fini(&experiment);
	return status;
}

static const struct run_options defaults;

const struct command cmd_run = {
    .options = options_table,
    .arguments = "[FILE|EXPERIMENT]",
    .argument = argument_keep,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = run_run,
    .shared = true,
};
