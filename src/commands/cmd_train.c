/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn train: its options; the training is in src/learn. */
#include "base/stop.h"
#include "src/cli/options.h"
#include "src/commands/command.h"
#include "src/learn/train.h"
#include "src/measure/estimate.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_DEFAULT = 1000, MINUTES_DEFAULT = 5, MINUTES_MAX = 1000000 };

/* Refuses AGENT, which is no learner; the error lists the learners. */
static enum status agent_refuse(const char *agent, struct why *why)
{
	char names[128] = "";
	for (int i = 0; agent_classes[i]; i++) {
		const size_t used = strlen(names);
		if (agent_classes[i]->learn)
			snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
				 agent_classes[i]->name);
	}
	return why_set(why, STATUS_INPUT, "%s does not learn; expected one of %s", agent, names);
}

/* Appends the demonstrations to the settings of the agent. */
static enum status demonstrations_set(struct train_options *options, struct why *why)
{
	static const char key[] = "demonstrations";
	const char *agent = options->agent;
	const struct agent_class *class = agent_class_of(agent);
	/* An unknown agent is reported later. */
	if (!class)
		return STATUS_OK;
	if (!field_find(class->params, key, strlen(key)))
		return why_set(why, STATUS_INPUT, "--demonstrations: %s cannot learn from them",
			       class->name);
	if (agent_sets(agent, key))
		return why_set(why, STATUS_INPUT, "--demonstrations: '%s' has some already", agent);
	size_t end = strlen(agent);
	const char *before = !strchr(agent, ':') ? ":" : agent[end - 1] == ':' ? "" : ",";
	int length = snprintf(options->written, sizeof options->written, "%s%s%s=%s", agent, before,
			      key, options->demonstrations);
	if (length < 0 || (size_t)length >= sizeof options->written)
		return why_set(why, STATUS_INPUT, "--demonstrations: '%.80s...' is too long",
			       options->demonstrations);
	options->agent = options->written;
	return STATUS_OK;
}

static enum status options_check(void *input, struct why *why)
{
	struct train_options *options = input;
	if (!options->agent)
		return why_set(why, STATUS_INPUT,
			       "the agent is missing: a learner, such as qlearn");
	/* An unknown agent is reported later. */
	const struct agent_class *class = agent_class_of(options->agent);
	if (class && !class->learn)
		return agent_refuse(options->agent, why);
	if (options->episodes == UINT64_MAX && isinf(options->budget))
		return why_set(why, STATUS_INPUT,
			       "expected --episodes or --time-budget: how long to train");
	if (!options->model)
		return why_set(why, STATUS_INPUT, "--out is missing: the model file to write");
	if (options->checkpoint == UINT64_MAX && isinf(options->checkpoint_interval))
		options->checkpoint_interval = 60 * MINUTES_DEFAULT;
	return options->demonstrations ? demonstrations_set(options, why) : STATUS_OK;
}

static enum status minutes_read(void *member, const char *what, const char *text, struct why *why)
{
	uint64_t minutes = 0;
	enum status status = number_parse(what, text, 1, MINUTES_MAX, &minutes, why);
	if (!status)
		*(double *)member = 60 * (double)minutes;
	return status;
}

/* Estimates the remaining training as an experiment of one learner, which plays no games. */
static enum status train_dry_run(const struct train_options *options, const struct invocation *call,
				 struct why *why)
{
	struct game game;
	struct experiment experiment = {.seed = options->seed};
	struct schedule schedule = {.repeat = 1};
	const struct launch_options launch = {.pace.threads = options->threads};
	uint64_t trained;
	enum status status = train_check(options, &trained, why);
	if (status)
		return status;
	if (options->episodes != UINT64_MAX)
		schedule.train = options->episodes > trained ? options->episodes - trained : 0;
	else
		schedule.seconds = (uint64_t)ceil(options->budget);
	if (trained)
		printf("# %s has %" PRIu64 " training games\n", options->model, trained);
	if (!schedule_trains(&schedule)) {
		puts("# nothing is left");
		return STATUS_OK;
	}
	stop_catch();
	status = game_init(&game, &options->game, why);
	status = status ? status
			: experiment_add(&experiment, &game, options->agent, NULL, &schedule, why);
	status = status ? status : dry_run(&experiment, &launch, call, why);
	experiment_fini(&experiment);
	return status;
}

static enum status train_run(void *input, const struct invocation *call, struct why *why)
{
	const struct train_options *options = input;
	if (options->dry_run)
		return train_dry_run(options, call, why);
	const enum status status = train(options, call, why);
	if (status == STATUS_STOPPED)
		launch_resume_print(call, "");
	return status;
}

#define FIELD(M) offsetof(struct train_options, M)

static const struct command_option options_table[] = {
    OPTION_NUMBER("episodes", 'e', "N", FIELD_COUNT, FIELD(episodes), 1, COUNT_MAX,
		  "End after N training games, those of a resumed model included"),
    OPTION("time-budget", 0, "TIME", FIELD_DURATION, FIELD(budget),
	   "End after this time of training (90s, 10m, 1.5h); with --curve the time of earlier "
	   "runs counts"),
    OPTION("out", 'o', "MODEL", FIELD_NAME, FIELD(model),
	   "Model file; if it exists, training continues from it"),
    OPTION("curve", 0, "FILE", FIELD_NAME, FIELD(curve),
	   "Write the learning curve as a table, one row per block"),
    OPTION_NUMBER("block", 0, "N", FIELD_COUNT, FIELD(block), 1, COUNT_MAX,
		  "Games per row of the curve (default 1000)"),
    OPTION_NUMBER("checkpoint", 0, "N", FIELD_COUNT, FIELD(checkpoint), 1, COUNT_MAX,
		  "Save after every N training games"),
    OPTION_READER(
	"checkpoint-minutes", 0, "M", FIELD(checkpoint_interval), minutes_read,
	"Save after every M minutes of training (default 5, if there is no --checkpoint)"),
    OPTION_NUMBER("threads", 'j', "N", FIELD_INT, FIELD(threads), 1, THREADS_MAX,
		  "Threads that train one model together (default 1). With more than one the "
		  "result of ntuple depends on their timing, and no two runs are equal; learners "
		  "that train on batches always give the same result"),
    OPTION("demonstrations", 0, "LOG", FIELD_NAME, FIELD(demonstrations),
	   "Record file (nxn play --record) from which the learner starts, for learners with the "
	   "parameter demonstrations; sets demonstrations=LOG in AGENT"),
    DRY_RUN_OPTION(dry_run),
    OPTION("progress", 0, NULL, FIELD_FLAG, FIELD(progress),
	   "Show progress even if standard error is not a terminal"),
    OPTION("verbose", 'v', NULL, FIELD_FLAG, FIELD(verbose),
	   "Write one line per block to standard error"),
    FORMAT_OPTION,
    BOARD_OPTION(game),
    RULE_OPTIONS(game),
    SEED_OPTION(seed),
    OPTIONS_END,
};

static const char doc[] =
    "Trains AGENT and saves the model: at intervals, at the end, and on Ctrl-C. Training game i "
    "uses stream i of the seed, so with one thread equal commands give equal models. If training "
    "is killed at any moment, the same command continues from the last save, and ends with the "
    "same model and, except for times, the same curve.\v"
    "The model is then an agent: qlearn:MODEL. For each block the curve has the mean score and the "
    "share of games that reached each tile, with 95% intervals, and the share that ended with it "
    "as the largest.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn train qlearn -b 3x3 -e 2000 -o q33.nxn --curve q33.tsv --block 500\n"
    "  nxn train qlearn -b 3x3 --time-budget 1s --checkpoint 1000 -o quick.nxn\n"
    "  nxn compare -b 3x3 -a random,qlearn:q33.nxn -o out/e";

static const struct train_options defaults = {.game = {.shape = "4x4"},
					      .seed = 1,
					      .episodes = UINT64_MAX,
					      .budget = INFINITY,
					      .block = BLOCK_DEFAULT,
					      .checkpoint = UINT64_MAX,
					      .checkpoint_interval = INFINITY,
					      .threads = 1};

const struct command cmd_train = {
    .options = options_table,
    .arguments = "AGENT",
    .argument = argument_keep,
    .check = options_check,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = train_run,
};
