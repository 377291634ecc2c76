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

enum {
	KEY_CURVE = 0x100,
	KEY_BLOCK,
	KEY_CHECKPOINT,
	KEY_MINUTES,
	KEY_BUDGET,
	KEY_PROGRESS,
	KEY_DEMONSTRATIONS
};

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

static void parse_agent(struct argp_state *state, struct train_options *options, char *agent)
{
	if (options->agent)
		option_error(state, "unexpected argument '%s'", agent);
	options->agent = agent;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct train_input *input = state->input;
	struct train_options *options = &input->trainer;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->game;
		state->child_inputs[1] = &options->game;
		state->child_inputs[2] = &options->seed;
		return 0;
	case 'e':
		options->episodes = option_number(state, "--episodes", arg, 1, COUNT_MAX);
		return 0;
	case 'o':
		options->model = arg;
		return 0;
	case 'j':
		options->threads = (int)option_number(state, "--threads", arg, 1, THREADS_MAX);
		return 0;
	case 'v':
		options->verbose = true;
		return 0;
	case KEY_CURVE:
		options->curve = arg;
		return 0;
	case KEY_BLOCK:
		options->block = option_number(state, "--block", arg, 1, COUNT_MAX);
		return 0;
	case KEY_CHECKPOINT:
		options->checkpoint = option_number(state, "--checkpoint", arg, 1, COUNT_MAX);
		return 0;
	case KEY_MINUTES:
		options->checkpoint_interval =
		    60 * (double)option_number(state, "--checkpoint-minutes", arg, 1, MINUTES_MAX);
		return 0;
	case KEY_BUDGET:
		options->budget = option_duration(state, "--time-budget", arg);
		return 0;
	case KEY_DEMONSTRATIONS:
		input->demonstrations = arg;
		return 0;
	case KEY_PROGRESS:
		options->progress = true;
		return 0;
	case ARGP_KEY_ARG:
		parse_agent(state, options, arg);
		return 0;
	case ARGP_KEY_END:
		options_check(state, options);
		if (input->demonstrations)
			demonstrations_set(state, input);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option table[] = {
    {"episodes", 'e', "N", 0, "End after N training games, those of a resumed model included", 0},
    {"time-budget", KEY_BUDGET, "TIME", 0,
     "End after so much time of training (90s, 10m, 1.5h), that of earlier runs included if "
     "there is a curve to tell it",
     0},
    {"out", 'o', "MODEL", 0, "Model file; if it exists, training goes on from it", 0},
    {"curve", KEY_CURVE, "FILE", 0, "Write the learning curve, a row a block, as a table", 0},
    {"block", KEY_BLOCK, "N", 0, "Training games in a row of the curve (default 1000)", 0},
    {"checkpoint", KEY_CHECKPOINT, "N", 0, "Save after every N training games", 0},
    {"checkpoint-minutes", KEY_MINUTES, "M", 0,
     "Save after every M minutes of training (default 5, if there is no --checkpoint)", 0},
    {"threads", 'j', "N", 0,
     "Threads that train one model together (default 1). With more than one the result of ntuple "
     "depends on their timing, and no two runs are alike; learners by batches have one result",
     0},
    {"demonstrations", KEY_DEMONSTRATIONS, "LOG", 0,
     "Record file (nxn play --record) that the learner begins with, if it can: writes "
     "demonstrations=LOG into AGENT",
     0},
    {"progress", KEY_PROGRESS, NULL, 0, "Show progress even if standard error is not a terminal",
     0},
    {"verbose", 'v', NULL, 0, "Write a line a block on standard error", 0},
    {0},
};

static const struct argp_child children[] = {
    {.argp = &options_board}, {.argp = &options_rule}, {.argp = &options_seed}, {0}};

static const char doc[] =
    "Trains AGENT and saves what it has learned: now and then, at the end, and on Ctrl-C. Training "
    "game i is stream i of the seed, so that with one thread equal commands give equal models. "
    "Killed at any moment and started again, training goes on from what was saved last, to the "
    "same model and, but for its times, the same curve as without."
    "\v"
    "The model is then an agent to play with: qlearn:MODEL. The curve has for each block the mean "
    "score and the share of games that reached a tile, with 95% intervals, and the share that "
    "ended with it as the largest.\n\n"
    "EXAMPLES\n"
    "  nxn train qlearn -b 3x3 -e 2000 -o q33.nxn --curve q33.tsv --block 500\n"
    "  nxn train qlearn -b 3x3 --time-budget 1s --checkpoint 1000 -o quick.nxn\n"
    "  nxn compare -b 3x3 -a random,qlearn:q33.nxn -o out/e";

const struct argp train_argp = {
    .options = table, .parser = parse, .args_doc = "AGENT", .doc = doc, .children = children};

int cmd_train(int argc, char **argv)
{
	struct why why;
	struct launch_command command;
	struct train_input options = {
	    .trainer = {.game = {.shape = "4x4"},
			.seed = 1,
			.episodes = UINT64_MAX,
			.budget = INFINITY,
			.block = BLOCK_DEFAULT,
			.checkpoint = UINT64_MAX,
			.checkpoint_interval = INFINITY,
			.threads = 1},
	};
	enum status status = launch_command_init(&command, argc, argv, &why);
	if (status)
		return command_exit(argv[0], status, &why);
	options_parse(&train_argp, argc, argv, 0, &options);
	status = train_run(&options.trainer, command.provenance, &why);
	fflush(stdout);
	if (status == STATUS_STOPPED)
		launch_resume_print(&command, "");
	launch_command_fini(&command);
	return command_exit(argv[0], status, &why);
}
