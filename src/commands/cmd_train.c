/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nxn train: a learner trains until it has played enough games or enough time has passed, and is
 * saved now and then, so that it may be killed at any moment and goes on from the last save. With
 * one thread the model is then, and but for its times the curve, what they would have been
 * without.
 *
 * Training is cut into stretches. In a stretch the threads learn until over() tells one after the
 * other, each at the end of its game, that it is time to save, or that this is the end; then the
 * threads are gone, and the learner is saved. What an open block has come to goes into the curve
 * before the model that it belongs to, games under way go into the model, so that a checkpoint
 * may be at the end of any game. Invariant: t->at.trained is the number of games of which over()
 * was told, which between stretches is what the learner itself says.
 */
#include "agents/agent.h"
#include "agents/model.h"
#include "base/file.h"
#include "base/clock.h"
#include "base/stop.h"
#include "boards/game.h"
#include "src/cli/options.h"
#include "src/cli/provenance.h"
#include "src/commands/command.h"
#include "src/commands/curve.h"
#include "src/run/experiment.h"
#include "src/run/launch.h"
#include "src/run/progress.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct train_options {
	struct game_options game;
	uint64_t seed;
	const char *agent;	    /* specification */
	const char *demonstrations; /* path of a record file, or NULL */
	char written[SPEC_MAX];	    /* the agent with them */
	const char *model;	    /* path; if it exists, training goes on from it */
	const char *curve;	    /* path, or NULL */
	uint64_t episodes;	    /* games in all; UINT64_MAX for no end */
	double budget;		    /* seconds in all; INFINITY for no end */
	uint64_t block;		    /* games a row of the curve */
	uint64_t checkpoint;	    /* games after which to save; UINT64_MAX for never */
	double checkpoint_interval; /* seconds after which to save; INFINITY for never */
	int threads;
	bool progress; /* the line even if standard error is no terminal */
	bool verbose;  /* a line a block on standard error */
};

struct trainer {
	const struct train_options *options;
	struct game game;
	char canonical[SPEC_MAX], settings[SPEC_MAX]; /* of the agent */
	struct agent *agent;
	struct lock lock; /* of the model */
	struct curve curve;
	bool has_curve;

	pthread_mutex_t mutex; /* of all below, while threads learn */
	struct curve_point at;
	struct tally block; /* open */
	struct tally last;  /* the last whole one that ended in this run */
	struct curve_point last_at;
	double started, before; /* the stretch: clock, and seconds of training before it */
	bool pausing;		/* over() is false from now on */
	struct progress progress;
	enum status status; /* of writing a row */
	struct why why;
};

/* ---- The learner. */

/* The setting in LIST that holds its character AT, a list in it with its commas; its length. */
static int setting_at(const char *list, const char *at, const char **setting)
{
	const char *end = at + strcspn(at, ",");
	*setting = at;
	while (*setting > list &&
	       ((*setting)[-1] != ',' || strcspn(*setting, "=") > strcspn(*setting, ",")))
		--*setting;
	return (int)(end - *setting);
}

/* The first setting of which one is WAS and the other NOW. */
static enum status settings_differ(const char *path, const char *was, const char *now,
				   struct why *why)
{
	const char *was_piece, *now_piece;
	size_t at = 0;
	while (was[at] && was[at] == now[at])
		at++;
	const int was_length = setting_at(was, was + at, &was_piece);
	const int now_length = setting_at(now, now + at, &now_piece);
	return why_set(why, STATUS_INPUT, "%s: exists and was trained with %.*s, not %.*s", path,
		       was_length, was_piece, now_length, now_piece);
}

/*
 * Whether the model was trained with the parameters asked for, all but the file and what only
 * matters in play, which come first.
 */
static enum status model_check(const struct trainer *t, const char *path, struct why *why)
{
	struct model_file *file;
	enum status status = model_open(&file, path, why);
	if (status)
		return status;
	const struct model_head *head = model_head(file);
	const char *params = head->params;
	const size_t length = strcspn(params, "=") + 1;
	char key[MODEL_PARAMS_MAX + 2];
	snprintf(key, sizeof key, ",%.*s", (int)length, params);
	const char *asked = strstr(t->settings, key);
	if (strcmp(head->agent, t->agent->class->name) != 0 || !asked)
		status = why_set(why, STATUS_INPUT, "%s: exists and was trained as %s, not as %s",
				 path, head->agent, t->canonical);
	else if (strcmp(asked + 1, params) != 0)
		status = settings_differ(path, params, asked + 1, why);
	model_close(file);
	return status;
}

/* Names the agents that learn. */
static enum status learns_not(const char *agent, struct why *why)
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

static enum status class_check(const struct trainer *t, int threads, struct why *why)
{
	const struct agent_class *class = agent_class_of(t->canonical);
	if (!class->learn)
		return learns_not(t->canonical, why);
	if (threads > 1 && !class->shared && !class->uses_team)
		return why_set(why, STATUS_INPUT,
			       "--threads: %s learns with one thread only, not with %d",
			       class->name, threads);
	return STATUS_OK;
}

/* Takes over what the model has learned, if it exists. */
static enum status model_load(struct trainer *t, const char *path, struct why *why)
{
	enum status locked = lock_take(&t->lock, path, why);
	if (locked)
		return locked;
	leftovers_remove(path);
	if (access(path, F_OK) != 0)
		return STATUS_OK;
	enum status status = model_check(t, path, why);
	return status ? status : agent_load(t->agent, path, why);
}

/*
 * Makes the learner of the options, with what it has learned if its model exists. STATUS_INPUT for
 * an agent that is wrong, does not learn, not with so many threads, or other than that of the
 * model, and for a model that another process trains; STATUS_SYSTEM if files cannot be read or
 * memory is short.
 */
static enum status learner_make(struct trainer *t, struct why *why)
{
	const struct train_options *options = t->options;
	struct agent_env env = {.game = &t->game};
	enum status status = game_init(&t->game, &options->game, why);
	if (!status)
		status = agent_canonical(options->agent, t->canonical, why);
	if (!status)
		status = agent_settings(options->agent, t->settings, why);
	if (!status)
		status = class_check(t, options->threads, why);
	if (!status)
		status = agent_new(t->canonical, &env, &t->agent, why);
	if (status)
		return status;
	t->at.trained = t->agent->class->trained(t->agent->self);
	if (t->at.trained > 0)
		return why_set(why, STATUS_INPUT,
			       "%s: training goes on from the model given as --out only",
			       t->canonical);
	status = model_load(t, options->model, why);
	t->at.trained = t->agent->class->trained(t->agent->self);
	return status;
}

/* ---- Training. */

/* One of the threads that learn. */
struct train_thread {
	struct trainer *trainer;
	int number;
	pthread_t thread;
};

/* Calls of learn() at the same time. */
static int trainer_threads(const struct trainer *t)
{
	return t->agent->class->uses_team ? 1 : t->options->threads;
}

/* Whether all is done that was asked for. */
static bool trainer_done(const struct trainer *t)
{
	return t->at.trained >= t->options->episodes || t->at.seconds >= t->options->budget;
}

/* A line for a reader of a log. */
static void block_tell(const struct trainer *t)
{
	char brief[TALLY_BRIEF_MAX];
	double elapsed = clock_seconds() - t->progress.started;
	tally_brief(&t->last, brief);
	progress_clear(&t->progress);
	fprintf(stderr, "%" PRIu64 " games, %.0f s, %.3g games/s, %.3g M moves/s: %s\n",
		t->at.trained, t->at.seconds, (double)t->progress.training.done / elapsed,
		1e-6 * (double)t->progress.moves / elapsed, brief);
}

/* Ends the open block, if there is a game in it, with a row of the curve. */
static void block_end(struct trainer *t)
{
	if (t->block.games + t->block.partial == 0)
		return;
	if (t->has_curve && !t->status)
		t->status = curve_row(&t->curve, &t->at, &t->block, &t->why);
	/* The last block may be cut short; then the one before it tells more. */
	if (t->block.games + t->block.partial >= t->last.games + t->last.partial) {
		t->last = t->block;
		t->last_at = t->at;
	}
	t->block = (struct tally){0};
	tally_brief(&t->last, t->progress.note);
	if (t->options->verbose)
		block_tell(t);
}

static bool trainer_over(void *context, const struct outcome *outcome)
{
	struct trainer *t = context;
	const struct train_options *options = t->options;
	pthread_mutex_lock(&t->mutex);
	double elapsed = clock_seconds() - t->started;
	t->at.trained++;
	t->at.seconds = t->before + elapsed;
	tally_add(&t->block, outcome);
	atomic_fetch_add(&t->progress.training.done, 1);
	atomic_fetch_add(&t->progress.moves, outcome->moves);
	if (t->at.trained % options->block == 0)
		block_end(t);
	if (t->at.trained % options->checkpoint == 0 || elapsed >= options->checkpoint_interval ||
	    t->status || trainer_done(t) || stop_requested())
		t->pausing = true;
	progress_tick(&t->progress);
	bool go_on = !t->pausing;
	pthread_mutex_unlock(&t->mutex);
	return go_on;
}

static void *thread_learn(void *context)
{
	struct train_thread *thread = context;
	struct trainer *t = thread->trainer;
	/*
	 * A single thread begins games as if there were no end, so that a model that is trained
	 * further is the same as one trained in one go. With several, none must be beyond the end.
	 */
	const bool alone = trainer_threads(t) == 1;
	const struct training_request request = {.seed = t->options->seed,
						 .end = alone ? UINT64_MAX : t->options->episodes,
						 .thread = thread->number,
						 .threads = t->options->threads,
						 .over = trainer_over,
						 .context = t};
	t->agent->class->learn(t->agent->self, &request);
	return NULL;
}

/* Ends the stretch that has just begun, when the threads that it needs cannot be had. */
static void stretch_abandon(struct trainer *t, int error)
{
	pthread_mutex_lock(&t->mutex);
	t->status = why_set(&t->why, STATUS_SYSTEM, "--threads: cannot start %d: %s",
			    t->options->threads, strerror(error));
	t->pausing = true;
	pthread_mutex_unlock(&t->mutex);
}

/* Learns until it is time to save. */
static void stretch_learn(struct trainer *t, struct train_thread *team)
{
	int threads = trainer_threads(t), started = 1, error = 0;
	assert(threads > 0);
	t->pausing = false;
	t->before = t->at.seconds;
	t->started = clock_seconds();
	for (int i = 0; i < threads; i++)
		team[i] = (struct train_thread){.trainer = t, .number = i};
	for (; started < threads && !error; started += !error)
		error = pthread_create(&team[started].thread, NULL, thread_learn, &team[started]);
	if (error)
		stretch_abandon(t, error);
	else
		thread_learn(&team[0]);
	while (--started > 0)
		pthread_join(team[started].thread, NULL);
	t->at.seconds = t->before + clock_seconds() - t->started;
	assert(t->at.trained == t->agent->class->trained(t->agent->self));
}

/* Saves the learner, after the curve that leads up to it. */
static enum status trainer_save(struct trainer *t, struct why *why)
{
	enum status status = STATUS_OK;
	if (t->has_curve)
		status = curve_checkpoint(&t->curve, &t->at, &t->block, why);
	return status ? status : agent_save(t->agent, t->options->model, why);
}

static enum status trainer_learn(struct trainer *t, struct why *why)
{
	enum status status = STATUS_OK;
	struct train_thread *threads = calloc((size_t)t->options->threads, sizeof *threads);
	if (!threads)
		return why_errno(why, "%d threads", t->options->threads);
	/* A path that cannot be written is better known before there is something to lose. */
	if (t->at.trained == 0)
		status = agent_save(t->agent, t->options->model, why);
	while (!status && !trainer_done(t) && !stop_requested()) {
		stretch_learn(t, threads);
		if (trainer_done(t))
			block_end(t);
		*why = t->why;
		status = t->status ? t->status : trainer_save(t, why);
	}
	free(threads);
	return status || trainer_done(t) ? status : STATUS_STOPPED;
}

/* trainer_learn() with the progress line. */
static enum status trainer_show(struct trainer *t, struct why *why)
{
	struct progress *progress = &t->progress;
	progress->training.total = t->options->episodes;
	progress->training.before = t->at.trained;
	progress_start(progress, t->options->progress);
	if (t->options->budget < INFINITY)
		progress->end = progress->started + t->options->budget - t->at.seconds;
	enum status status = trainer_learn(t, why);
	progress_clear(progress);
	return status;
}

/* Opens the learning curve at PATH. */
static enum status trainer_curve_open(struct trainer *t, const char *path, const char *command,
				      struct why *why)
{
	const struct train_options *options = t->options;
	char seed[24];
	struct provenance provenance;
	snprintf(seed, sizeof seed, "%" PRIu64, options->seed);
	struct experiment_entry entry = {.game = t->game};
	memcpy(entry.settings, t->settings, sizeof entry.settings);
	enum status status =
	    provenance_init(&provenance, command, entry_config(&entry, 0), seed, NULL, why);
	if (status)
		return status;
	status = curve_open(&t->curve, path, &t->game, &provenance, &t->at, &t->block, why);
	provenance_fini(&provenance);
	t->has_curve = !status;
	return status;
}

/* trainer_show() with the learning curve at PATH, which is nobody else's. */
static enum status trainer_show_at(struct trainer *t, const char *path, const char *command,
				   struct why *why)
{
	enum status status = trainer_curve_open(t, path, command, why);
	if (status)
		return status;
	status = trainer_show(t, why);
	struct why close_why;
	bool saved = !status || status == STATUS_STOPPED;
	enum status closed = curve_close(&t->curve, &t->at, saved, &close_why);
	if (closed && saved) {
		*why = close_why;
		status = closed;
	}
	return status;
}

/* trainer_show() with the learning curve; a model of another name may be trained with the same. */
static enum status trainer_show_curve(struct trainer *t, const char *command, struct why *why)
{
	char *path;
	struct lock lock = {0};
	enum status status = links_follow(t->options->curve, &path, why);
	if (status)
		return status;
	status = lock_take(&lock, path, why);
	if (!status)
		status = trainer_show_at(t, path, command, why);
	lock_release(&lock);
	free(path);
	return status;
}

/* What there is now, and how the games of the last block went. */
static void trainer_report(const struct trainer *t)
{
	printf("%s: %s on %s after %" PRIu64 " training games\n", t->options->model, t->canonical,
	       t->game.name, t->at.trained);
	bool ended = t->last.games + t->last.partial > 0;
	const struct tally *tally = ended ? &t->last : &t->block;
	uint64_t games = tally->games + tally->partial;
	uint64_t end = ended ? t->last_at.trained : t->at.trained;
	if (games == 0)
		return;
	printf("\nGames %" PRIu64 " to %" PRIu64 ": ", end - games + 1, end);
	tally_report(tally, stdout);
}

static enum status train_run(void *input, const struct invocation *call, struct why *why)
{
	const struct train_options *options = input;
	struct trainer t = {.options = options, .mutex = PTHREAD_MUTEX_INITIALIZER};
	enum status status = learner_make(&t, why);
	if (!status) {
		stop_catch();
		status = options->curve ? trainer_show_curve(&t, call->provenance, why)
					: trainer_show(&t, why);
	}
	if (t.agent && (!status || status == STATUS_STOPPED))
		trainer_report(&t);
	agent_free(t.agent);
	lock_release(&t.lock);
	if (status == STATUS_STOPPED)
		launch_resume_print(call, "");
	return status;
}

/* ---- The command. */

enum { BLOCK_DEFAULT = 1000, MINUTES_DEFAULT = 5, MINUTES_MAX = 1000000 };

/* Writes the demonstrations into the text of the agent. */
static void demonstrations_set(struct argp_state *state, struct train_options *options)
{
	static const char key[] = "demonstrations";
	const char *agent = options->agent;
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
	int length = snprintf(options->written, sizeof options->written, "%s%s%s=%s", agent, before,
			      key, options->demonstrations);
	if (length < 0 || (size_t)length >= sizeof options->written)
		option_error(state, "--demonstrations: '%.80s...' is too long",
			     options->demonstrations);
	options->agent = options->written;
}

static void options_check(struct argp_state *state, void *input)
{
	struct train_options *options = input;
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
	if (options->demonstrations)
		demonstrations_set(state, options);
}

static void minutes_take(struct argp_state *state, const char *what, char *text, void *field)
{
	*(double *)field = 60 * (double)option_number(state, what, text, 1, MINUTES_MAX);
}

static void agent_take(struct argp_state *state, char *agent, void *input)
{
	struct train_options *options = input;
	if (options->agent)
		option_error(state, "unexpected argument '%s'", agent);
	options->agent = agent;
}

#define FIELD(M) offsetof(struct train_options, M)

static const struct command_option options_table[] = {
    OPTION_NUMBER("episodes", 'e', "N", OPTION_COUNT, FIELD(episodes), 1, COUNT_MAX,
		  "End after N training games, those of a resumed model included"),
    OPTION("time-budget", 0, "TIME", OPTION_DURATION, FIELD(budget),
	   "End after so much time of training (90s, 10m, 1.5h), that of earlier runs included if "
	   "there is a curve to tell it"),
    OPTION("out", 'o', "MODEL", OPTION_TEXT, FIELD(model),
	   "Model file; if it exists, training goes on from it"),
    OPTION("curve", 0, "FILE", OPTION_TEXT, FIELD(curve),
	   "Write the learning curve, a row a block, as a table"),
    OPTION_NUMBER("block", 0, "N", OPTION_COUNT, FIELD(block), 1, COUNT_MAX,
		  "Training games in a row of the curve (default 1000)"),
    OPTION_NUMBER("checkpoint", 0, "N", OPTION_COUNT, FIELD(checkpoint), 1, COUNT_MAX,
		  "Save after every N training games"),
    OPTION_TAKEN("checkpoint-minutes", 0, "M", FIELD(checkpoint_interval), minutes_take,
		 "Save after every M minutes of training (default 5, if there is no --checkpoint)"),
    OPTION_NUMBER("threads", 'j', "N", OPTION_INT, FIELD(threads), 1, THREADS_MAX,
		  "Threads that train one model together (default 1). With more than one the "
		  "result of ntuple depends on their timing, and no two runs are alike; learners "
		  "by batches have one result"),
    OPTION("demonstrations", 0, "LOG", OPTION_TEXT, FIELD(demonstrations),
	   "Record file (nxn play --record) that the learner begins with, if it can: writes "
	   "demonstrations=LOG into AGENT"),
    OPTION("progress", 0, NULL, OPTION_FLAG, FIELD(progress),
	   "Show progress even if standard error is not a terminal"),
    OPTION("verbose", 'v', NULL, OPTION_FLAG, FIELD(verbose),
	   "Write a line a block on standard error"),
    BOARD_OPTION(game),
    RULE_OPTIONS(game),
    SEED_OPTION(seed),
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
    .argument = agent_take,
    .check = options_check,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = train_run,
};
