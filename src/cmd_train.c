/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nxn train: a learner trains on one thread and is saved after every block, so that training can be
 * interrupted in any way and goes on from the last save as if nothing had happened.
 *
 * A row of the learning curve is written before the model that it belongs to. On resuming, rows
 * beyond the model are cut off, so that curve and model agree wherever the process was killed.
 */
#include "agents/model.h"
#include "src/command.h"
#include "src/curve.h"
#include "src/experiment.h"
#include "src/options.h"
#include "src/progress.h"
#include "src/shell.h"
#include "src/stop.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_CURVE = 0x100, KEY_BLOCK, KEY_PROGRESS, BLOCK_MAX = 10000000 };

struct train_options {
	struct game_options game;
	uint64_t seed, episodes, block;
	const char *agent, *model, *curve;
	bool progress;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct train_options *options = state->input;
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
	case KEY_CURVE:
		options->curve = arg;
		return 0;
	case KEY_BLOCK:
		options->block = option_number(state, "--block", arg, 1, BLOCK_MAX);
		return 0;
	case KEY_PROGRESS:
		options->progress = true;
		return 0;
	case ARGP_KEY_ARG:
		if (options->agent)
			option_error(state, "unexpected argument '%s'", arg);
		options->agent = arg;
		return 0;
	case ARGP_KEY_END:
		if (!options->agent)
			option_error(state, "the agent is missing");
		if (!options->episodes)
			option_error(state, "--episodes is missing");
		if (!options->model || !*options->model)
			option_error(state, "--out is missing");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option table[] = {
    {"episodes", 'e', "N", 0, "Training games in all, those of a resumed model included", 0},
    {"out", 'o', "MODEL", 0, "Model file; if it exists, training goes on from it", 0},
    {"curve", KEY_CURVE, "FILE", 0, "Write the learning curve, a row a block, as a table", 0},
    {"block", KEY_BLOCK, "N", 0, "Save after every N training games (default 1000)", 0},
    {"progress", KEY_PROGRESS, NULL, 0, "Show progress even if standard error is not a terminal",
     0},
    {0},
};

static const struct argp_child children[] = {
    {.argp = &options_board}, {.argp = &options_rule}, {.argp = &options_seed}, {0}};

static const char doc[] =
    "Trains AGENT and saves what it has learned. Training game i is stream i of the seed, so that "
    "equal commands give equal models, interrupted or not."
    "\v"
    "The model is then an agent to play with: qlearn:MODEL.\n\n"
    "EXAMPLES\n"
    "  nxn train qlearn -b 3x3 -e 2000 -o q33.nxn --curve q33.tsv\n"
    "  nxn compare -b 3x3 -a random,qlearn:q33.nxn -o out/e";

static const struct argp argp = {
    .options = table, .parser = parse, .args_doc = "AGENT", .doc = doc, .children = children};

/* What is being trained. */
struct training {
	const struct train_options *options;
	struct game game;
	char canonical[SPEC_MAX], settings[SPEC_MAX];
	struct agent *agent;
	struct curve *curve; /* NULL if none is asked for */
	struct progress progress;
};

static uint64_t training_games(const struct training *t)
{
	return t->agent->class->trained(t->agent->self);
}

/* Whether the model was trained with the parameters asked for; a model tells them without the file.
 */
static enum status model_check(const struct training *t, struct why *why)
{
	const char *path = t->options->model;
	struct model_reader *reader;
	enum status status = model_open(&reader, path, why);
	if (status)
		return status;
	const char *params = model_head(reader)->params;
	size_t length = strlen(t->settings), known = strlen(params);
	/* What a model tells are all settings but the file, which comes first. */
	if (known > length || strcmp(t->settings + length - known, params) != 0)
		status =
		    why_set(why, STATUS_INPUT, "%s: exists and was trained with '%s', not as %s",
			    path, params, t->canonical);
	model_close(reader);
	return status;
}

/* Makes the learner, from the model if it exists. */
static enum status training_init(struct training *t, struct why *why)
{
	const struct train_options *options = t->options;
	struct agent_env env = {.game = &t->game};
	enum status status = game_init(&t->game, &options->game, why);
	if (!status)
		status = agent_canonical(options->agent, t->canonical, why);
	if (!status)
		status = agent_settings(options->agent, t->settings, why);
	if (!status && !agent_class_of(t->canonical)->learn)
		status = why_set(why, STATUS_INPUT, "%s does not learn", t->canonical);
	if (!status)
		status = agent_new(t->canonical, &env, &t->agent, why);
	if (!status && training_games(t) > 0)
		status = why_set(why, STATUS_INPUT,
				 "%s: training goes on from the model given as --out only",
				 t->canonical);
	if (status || access(options->model, F_OK) != 0)
		return status;
	status = model_check(t, why);
	return status ? status : t->agent->class->load(t->agent->self, options->model, why);
}

static bool training_over(void *context, const struct outcome *outcome)
{
	struct training *t = context;
	if (t->curve)
		curve_add(t->curve, outcome);
	atomic_fetch_add(&t->progress.training.done, 1);
	progress_tick(&t->progress);
	return !stop_requested();
}

/* Trains up to the end of the block or to Ctrl-C, and saves. */
static enum status training_block(struct training *t, struct why *why)
{
	const struct train_options *options = t->options;
	uint64_t end = (training_games(t) / options->block + 1) * options->block;
	if (end > options->episodes)
		end = options->episodes;
	const struct lesson lesson = {
	    .seed = options->seed, .end = end, .threads = 1, .over = training_over, .context = t};
	if (!stop_requested())
		t->agent->class->learn(t->agent->self, &lesson);
	const uint64_t trained = training_games(t);
	enum status status = t->curve ? curve_row(t->curve, trained, why) : STATUS_OK;
	if (!status)
		status = t->agent->class->save(t->agent->self, options->model, why);
	return status ? status : trained < end ? STATUS_STOPPED : STATUS_OK;
}

static enum status training_run(struct training *t, struct why *why)
{
	enum status status = STATUS_OK;
	/* A path that cannot be written is better known before the first block is lost. */
	if (training_games(t) == 0)
		status = t->agent->class->save(t->agent->self, t->options->model, why);
	t->progress.training.total = t->options->episodes;
	t->progress.training.before = training_games(t);
	progress_start(&t->progress, t->options->progress);
	while (!status && training_games(t) < t->options->episodes)
		status = training_block(t, why);
	progress_clear(&t->progress);
	return status;
}

/* training_run() with the learning curve, if one is asked for. */
static enum status training_run_curve(struct training *t, const char *command, struct why *why)
{
	const struct train_options *options = t->options;
	char seed[24];
	struct provenance provenance;
	struct curve curve;
	if (!options->curve)
		return training_run(t, why);
	snprintf(seed, sizeof seed, "%" PRIu64, options->seed);
	struct entry entry = {.game = t->game};
	memcpy(entry.settings, t->settings, sizeof entry.settings);
	enum status status =
	    provenance_init(&provenance, command, entry_config(&entry, 0), seed, why);
	if (status)
		return status;
	status =
	    curve_open(&curve, options->curve, training_games(t), options->block, &provenance, why);
	provenance_fini(&provenance);
	if (status)
		return status;
	t->curve = &curve;
	status = training_run(t, why);
	struct why close_why;
	enum status closed = curve_close(&curve, &close_why);
	if (closed && (!status || status == STATUS_STOPPED)) {
		*why = close_why;
		status = closed;
	}
	return status;
}

static enum status train(const struct train_options *options, const char *command, struct why *why)
{
	struct training t = {.options = options};
	enum status status = training_init(&t, why);
	stop_catch();
	if (!status)
		status = training_run_curve(&t, command, why);
	if (!status || status == STATUS_STOPPED)
		printf("%s: %s on %s after %" PRIu64 " training games\n", options->model,
		       t.canonical, t.game.name, training_games(&t));
	agent_free(t.agent);
	return status;
}

int cmd_train(int argc, char **argv)
{
	struct why why;
	char *command, *resume = NULL;
	struct train_options options = {.game = {.shape = "4x4"}, .seed = 1, .block = 1000};
	enum status status = shell_join("nxn", argc, argv, &command, &why);
	if (status)
		return command_exit(argv[0], status, &why);
	status = shell_join(program_invocation_name, argc, argv, &resume, &why);
	if (!status) {
		argp_parse(&argp, argc, argv, 0, NULL, &options);
		status = train(&options, command, &why);
	}
	fflush(stdout);
	if (status == STATUS_STOPPED)
		fprintf(stderr, "%s: stopped; to go on:\n%s\n", argv[0], resume);
	free(command);
	free(resume);
	return command_exit(argv[0], status, &why);
}
