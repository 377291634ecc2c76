/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn train: the options of a run of training, which is in src/run/train.c. */
#include "src/commands/command.h"
#include "src/run/experiment.h"
#include "src/cli/options.h"
#include "src/run/launch.h"
#include "src/run/train.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_DEFAULT = 1000, MINUTES_DEFAULT = 5, MINUTES_MAX = 1000000 };

/* The command line: options, and what of it goes into the text of the agent. */
struct train_input {
	struct train_options trainer;
	const char *demonstrations; /* path of a record file, or NULL */
	char agent[SPEC_MAX];
};

/* Writes the demonstrations into the text of the agent. */
static void demonstrations_set(struct argp_state *state, struct train_input *options)
{
	static const char key[] = "demonstrations";
	const char *agent = options->trainer.agent;
	const struct agent_class *class = agent_class_of(agent);
	/* An agent that there is not is told later. */
	if (!class)
		return;
	if (!param_find(class->params, key, strlen(key)))
		option_error(state, "--demonstrations: %s learns from no demonstrations",
			     class->name);
	if (agent_sets(agent, key))
		option_error(state, "--demonstrations: '%s' has some already", agent);
	size_t end = strlen(agent);
	const char *before = !strchr(agent, ':') ? ":" : agent[end - 1] == ':' ? "" : ",";
	int length = snprintf(options->agent, sizeof options->agent, "%s%s%s=%s", agent, before,
			      key, options->demonstrations);
	if (length < 0 || (size_t)length >= sizeof options->agent)
		option_error(state, "--demonstrations: '%.80s...' is too long",
			     options->demonstrations);
	options->trainer.agent = options->agent;
}

static void options_check(struct argp_state *state, struct train_options *options)
{
	if (!options->agent)
		option_error(state, "the agent is missing: a learner, such as qlearn");
	if (options->episodes == UINT64_MAX && isinf(options->budget))
		option_error(state,
			     "--episodes is missing, and so is --time-budget: how long to train");
	if (!options->model || !*options->model)
		option_error(state, "--out is missing: the file for what is learned");
	if (options->curve && strcmp(options->curve, options->model) == 0)
		option_error(state, "--curve: '%s' is the model of --out", options->curve);
	if (options->checkpoint == UINT64_MAX && isinf(options->checkpoint_interval))
		options->checkpoint_interval = 60 * MINUTES_DEFAULT;
}

static void minutes_take(struct argp_state *state, const char *what, char *text, void *field)
{
	*(double *)field = 60 * (double)option_number(state, what, text, 1, MINUTES_MAX);
}

static void agent_take(struct argp_state *state, char *agent, void *input)
{
	struct train_input *options = input;
	if (options->trainer.agent)
		option_error(state, "unexpected argument '%s'", agent);
	options->trainer.agent = agent;
}

static void line_check(struct argp_state *state, void *input)
{
	struct train_input *options = input;
	options_check(state, &options->trainer);
	if (options->demonstrations)
		demonstrations_set(state, options);
}

#define FIELD(M) offsetof(struct train_input, M)

static const struct command_option options_table[] = {
    OPTION_NUMBER("episodes", 'e', "N", OPTION_COUNT, FIELD(trainer.episodes), 1, COUNT_MAX,
		  "End after N training games, those of a resumed model included"),
    OPTION("time-budget", 0, "TIME", OPTION_DURATION, FIELD(trainer.budget),
	   "End after so much time of training (90s, 10m, 1.5h), that of earlier runs included if "
	   "there is a curve to tell it"),
    OPTION("out", 'o', "MODEL", OPTION_TEXT, FIELD(trainer.model),
	   "Model file; if it exists, training goes on from it"),
    OPTION("curve", 0, "FILE", OPTION_TEXT, FIELD(trainer.curve),
	   "Write the learning curve, a row a block, as a table"),
    OPTION_NUMBER("block", 0, "N", OPTION_COUNT, FIELD(trainer.block), 1, COUNT_MAX,
		  "Training games in a row of the curve (default 1000)"),
    OPTION_NUMBER("checkpoint", 0, "N", OPTION_COUNT, FIELD(trainer.checkpoint), 1, COUNT_MAX,
		  "Save after every N training games"),
    OPTION_TAKEN("checkpoint-minutes", 0, "M", FIELD(trainer.checkpoint_interval), minutes_take,
		 "Save after every M minutes of training (default 5, if there is no --checkpoint)"),
    OPTION_NUMBER("threads", 'j', "N", OPTION_INT, FIELD(trainer.threads), 1, THREADS_MAX,
		  "Threads that train one model together (default 1). With more than one the "
		  "result of ntuple depends on their timing, and no two runs are alike; learners "
		  "by batches have one result"),
    OPTION("demonstrations", 0, "LOG", OPTION_TEXT, FIELD(demonstrations),
	   "Record file (nxn play --record) that the learner begins with, if it can: writes "
	   "demonstrations=LOG into AGENT"),
    OPTION("progress", 0, NULL, OPTION_FLAG, FIELD(trainer.progress),
	   "Show progress even if standard error is not a terminal"),
    OPTION("verbose", 'v', NULL, OPTION_FLAG, FIELD(trainer.verbose),
	   "Write a line a block on standard error"),
    BOARD_OPTION(trainer.game),
    RULE_OPTIONS(trainer.game),
    SEED_OPTION(trainer.seed),
    {0},
};

static const char doc[] =
    "Trains AGENT and saves what it has learned: now and then, at the end, and on Ctrl-C. Training "
    "game i is stream i of the seed, so that with one thread equal commands give equal models. "
    "Killed at any moment and started again, training goes on from what was saved last, to the "
    "same model and, but for its times, the same curve as without.\v"
    "The model is then an agent to play with: qlearn:MODEL. The curve has for each block the mean "
    "score and the share of games that reached a tile, with 95% intervals, and the share that "
    "ended with it as the largest.\n\n"
    "EXAMPLES\n"
    "  nxn train qlearn -b 3x3 -e 2000 -o q33.nxn --curve q33.tsv --block 500\n"
    "  nxn train qlearn -b 3x3 --time-budget 1s --checkpoint 1000 -o quick.nxn\n"
    "  nxn compare -b 3x3 -a random,qlearn:q33.nxn -o out/e";

static enum status train_it(void *input, const struct invocation *call, struct why *why)
{
	const struct train_input *options = input;
	enum status status = train_run(&options->trainer, call->provenance, why);
	if (status == STATUS_STOPPED)
		launch_resume_print(call, "");
	return status;
}

static const struct train_input defaults = {
    .trainer = {.game = {.shape = "4x4"},
		.seed = 1,
		.episodes = UINT64_MAX,
		.budget = INFINITY,
		.block = BLOCK_DEFAULT,
		.checkpoint = UINT64_MAX,
		.checkpoint_interval = INFINITY,
		.threads = 1},
};

const struct command cmd_train = {
    .options = options_table,
    .arguments = "AGENT",
    .argument = agent_take,
    .check = line_check,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = train_it,
};
