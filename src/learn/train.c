/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nxn train: a learner trains until it has played enough games or enough time has passed. It is
 * saved regularly, so training resumes from the last checkpoint even after the process was killed.
 * With one thread, interruptions change neither the model nor, except for times, the curve. A model
 * that is saved in the middle of a block has a note with the statistics of the block so far.
 */
#include "src/learn/train.h"

#include "agents/model.h"
#include "analysis/tables/record.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "src/games/experiment.h"
#include "src/games/progress.h"
#include "src/learn/curve.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct trainer {
	const struct train_options *options;
	struct game game;
	char canonical[SPEC_MAX], settings[SPEC_MAX]; /* texts of the agent */
	struct lock lock, curve_lock;		      /* locks of the model and the curve */
	char *curve_path;
	struct curve curve; /* its file is NULL without a curve */
	bool has_model;	    /* its file existed at the start */
	struct training training;
	struct tally block; /* the unfinished block */
	double noted; /* seconds of training when the model was saved with a note; NAN: no note */
	struct tally last; /* the last complete block of this run */
	struct training_point last_at;
	struct progress progress;
	enum status status; /* status of appending rows */
	struct why why;
};

/* ---- The learner. */

/*
 * Checks that the model was trained with the requested parameters. The model lacks the parameters
 * that come first in t->settings: the file and those that matter only in play.
 */
static enum status model_check(const struct trainer *t, const char *path, struct why *why)
{
	const struct agent_class *class = t->training.agent->class;
	char params[MODEL_PARAMS_MAX], key[MODEL_PARAMS_MAX];
	struct model_file *file;
	enum status status = model_open(&file, path, why);
	if (status)
		return status;
	if (strcmp(model_header(file)->agent, class->name) != 0)
		status = why_set(why, STATUS_INPUT, "%s: exists and was trained as %s, not as %s",
				 path, model_header(file)->agent, t->canonical);
	status = status ? status : model_settings(file, class, params);
	model_close(file);
	if (status)
		return status;
	snprintf(key, sizeof key, ",%s=", class->model->params->name);
	const char *asked = strstr(t->settings, key) + 1;
	if (strcmp(asked, params) == 0)
		return STATUS_OK;
	const struct setting_difference d = settings_compare(params, asked);
	return why_set(why, STATUS_INPUT, "%s: exists and was trained with %.*s, not %.*s", path,
		       d.was_length, d.was, d.now_length, d.now);
}

/* Returns the note for a model that is saved now, on the heap; NULL if no block is unfinished. */
static char *note_make(const struct trainer *t)
{
	char *text;
	size_t size;
	if (t->block.games + t->block.partial == 0)
		return NULL;
	FILE *out = xstream_open(&text, &size);
	fprintf(out, "seconds %.3f ", t->training.at.seconds);
	tally_print(&t->block, out);
	xstream_close(out);
	return text;
}

/* Restores the unfinished block from the note of the model PATH; ignores other notes. */
static enum status note_load(struct trainer *t, const char *path, struct why *why)
{
	char *note;
	double seconds;
	int length = 0;
	enum status status = model_note(path, &note, why);
	if (status || !note)
		return status;
	if (sscanf(note, "seconds %lf %n", &seconds, &length) == 1 && length &&
	    tally_scan(&t->block, note + length))
		t->noted = seconds;
	free(note);
	return STATUS_OK;
}

/* Loads the model if it exists. */
static enum status model_load(struct trainer *t, const char *path, struct why *why)
{
	enum status status = t->options->dry_run ? STATUS_OK : lock_take(&t->lock, path, why);
	if (status)
		return status;
	if (!t->options->dry_run)
		leftovers_remove(path);
	if (access(path, F_OK) != 0)
		return STATUS_OK;
	t->has_model = true;
	status = model_check(t, path, why);
	status = status ? status : agent_load(t->training.agent, path, why);
	return status ? status : note_load(t, path, why);
}

/*
 * Creates the learner, and loads its model if that exists. STATUS_INPUT for an agent that is wrong,
 * cannot use so many threads, or differs from the model's, and for a model that another process is
 * training; STATUS_SYSTEM if files cannot be read or memory runs out.
 */
static enum status learner_make(struct trainer *t, struct why *why)
{
	const struct train_options *options = t->options;
	const struct agent_env env = {.game = &t->game};
	enum status status = game_init(&t->game, &options->game, why);
	status = status ? status : agent_canonical(options->agent, t->canonical, why);
	status = status ? status : agent_settings(options->agent, t->settings, why);
	if (status)
		return status;
	const struct agent_class *class = agent_class_of(t->canonical);
	if (options->threads > 1 && !class->shared && !class->uses_team)
		return why_set(why, STATUS_INPUT,
			       "--threads: %s learns with one thread only, not with %d",
			       class->name, options->threads);
	status = agent_new(t->canonical, &env, &t->training.agent, why);
	if (status)
		return status;
	if (class->trained(t->training.agent->self) > 0)
		return why_set(why, STATUS_INPUT,
			       "%s: training continues only from the model given as --out",
			       t->canonical);
	status = model_load(t, options->model, why);
	t->training.at.trained = class->trained(t->training.agent->self);
	return status;
}

/* ---- Training. */

/* Whether training has reached its limits. */
static bool trainer_done(const struct trainer *t)
{
	return t->training.at.trained >= t->options->episodes ||
	       t->training.at.seconds >= t->options->budget;
}

/* Prints a line about the block for --verbose. */
static void block_report(struct trainer *t)
{
	double elapsed = clock_seconds() - t->progress.started;
	progress_clear(&t->progress);
	fprintf(stderr, "%" PRIu64 " games, %.3g s, %.3g M moves/s: %s\n", t->training.at.trained,
		t->training.at.seconds, 1e-6 * (double)t->progress.moves / elapsed,
		t->progress.note);
}

/* Ends the unfinished block, if it has games, and appends its row to the curve. */
static void block_end(struct trainer *t)
{
	if (t->block.games + t->block.partial == 0)
		return;
	if (t->curve.file && !t->status)
		t->status = curve_row(&t->curve, &t->training.at, &t->block, &t->why);
	/* A short last block is less informative than the block before it. */
	if (t->block.games + t->block.partial >= t->last.games + t->last.partial) {
		t->last = t->block;
		t->last_at = t->training.at;
	}
	t->block = (struct tally){0};
	tally_brief(&t->last, t->progress.note);
	if (t->options->verbose)
		block_report(t);
}

static bool trainer_game(void *context, const struct outcome *outcome)
{
	struct trainer *t = context;
	tally_add(&t->block, outcome);
	atomic_fetch_add(&t->progress.training.done, 1);
	atomic_fetch_add(&t->progress.moves, outcome->moves);
	if (t->training.at.trained % t->options->block == 0)
		block_end(t);
	progress_tick(&t->progress);
	return t->status || trainer_done(t);
}

static bool trainer_ending(void *context)
{
	(void)context;
	return stop_requested();
}

/* Saves the curve and then the learner. */
static enum status trainer_save(void *context, struct why *why)
{
	struct trainer *t = context;
	if (trainer_done(t))
		block_end(t);
	*why = t->why;
	enum status status = t->status;
	if (!status && t->curve.file)
		status = curve_checkpoint(&t->curve, why);
	if (status)
		return status;
	char *note = note_make(t);
	status = agent_save(t->training.agent, t->options->model, note, why);
	free(note);
	return status;
}

/* Trains with the progress line. */
static enum status trainer_learn(struct trainer *t, struct why *why)
{
	enum status status = STATUS_OK;
	const struct train_options *o = t->options;
	struct progress *progress = &t->progress;
	struct training *training = &t->training;
	progress->training.total = o->episodes;
	progress->training.before = training->at.trained;
	progress_start(progress, o->progress);
	if (o->budget < INFINITY)
		progress->end = progress->started + o->budget - training->at.seconds;
	training->seed = o->seed;
	training->threads = o->threads;
	training->end = o->episodes;
	training->timed = true;
	training->clock = clock_seconds;
	training->checkpoint = o->checkpoint;
	training->checkpoint_interval = o->checkpoint_interval;
	training->game = trainer_game;
	training->ending = trainer_ending;
	training->save = trainer_save;
	training->context = t;
	/* Saves now, so that an unwritable path is reported before there is something to lose. */
	if (training->at.trained == 0)
		status = agent_save(training->agent, o->model, NULL, why);
	if (!status && !trainer_done(t))
		status = training_run(training, why);
	progress_clear(progress);
	return status;
}

/* Initialises the provenance of the curve. */
static enum status curve_provenance(const struct trainer *t, const char *command,
				    struct provenance *provenance, struct why *why)
{
	char seed[24];
	struct experiment_entry entry = {.game = t->game};
	memcpy(entry.settings, t->settings, sizeof entry.settings);
	snprintf(seed, sizeof seed, "%" PRIu64, t->options->seed);
	char *title = xasprintf("A learning curve: %s on %s", t->canonical, t->game.name);
	enum status status =
	    provenance_init(provenance, command, entry_config(&entry, 0), seed, title, why);
	free(title);
	return status;
}

/*
 * Opens the learning curve, if there is to be one, locked because a model of another name may use
 * the same curve.
 */
static enum status trainer_curve_open(struct trainer *t, const char *command, struct why *why)
{
	struct provenance provenance;
	if (!t->options->curve)
		return STATUS_OK;
	if (lock_is_of(&t->lock, t->options->curve))
		return why_set(why, STATUS_INPUT, "--curve: '%s' is the model of --out",
			       t->options->curve);
	enum status status = links_follow(t->options->curve, &t->curve_path, why);
	status = status ? status : lock_take(&t->curve_lock, t->curve_path, why);
	status = status ? status : curve_provenance(t, command, &provenance, why);
	if (status)
		return status;
	status = curve_open(&t->curve, t->curve_path, &t->game, &provenance, !t->has_model,
			    &t->training.at, why);
	provenance_fini(&provenance);
	if (!status && !isnan(t->noted))
		t->training.at.seconds = t->noted;
	return status;
}

/* Closes the curve after training that ended with STATUS; returns that, or the failure to close. */
static enum status trainer_curve_close(struct trainer *t, enum status status, struct why *why)
{
	struct why close_why;
	if (t->curve.file && curve_close(&t->curve, &close_why) &&
	    (!status || status == STATUS_STOPPED)) {
		*why = close_why;
		status = STATUS_SYSTEM;
	}
	lock_release(&t->curve_lock);
	free(t->curve_path);
	return status;
}

static enum status trainer_record_print(const struct trainer *t, const struct tally *tally,
					const struct invocation *call, struct why *why)
{
	struct record record = {.name = "train"};
	int top = 0; /* exponent of the largest tile */
	record_text(&record, "model", t->options->model);
	record_text(&record, "agent", t->canonical);
	record_text(&record, "board", t->game.name);
	record_number(&record, "trained", t->training.at.trained);
	record_real(&record, "seconds", t->training.at.seconds);
	record_number(&record, "games", tally->games);
	record_number(&record, "moves", tally->moves);
	while (top + 1 < TALLY_EXPONENTS && tally_reached(tally, top + 1))
		top++;
	tally_columns(tally, 1, top, &record);
	return record_print(call, &record, why);
}

/* Says why there was nothing to train. */
static void nothing_left_print(const struct trainer *t)
{
	const uint64_t trained = t->training.at.trained, asked = t->options->episodes;
	if (trained < asked)
		printf("Nothing was left to do: it already has the time of --time-budget; a larger "
		       "one continues training.\n");
	else
		printf("Nothing was left to do: it already has %" PRIu64 " games, --episodes is "
		       "%" PRIu64 "; more than %" PRIu64 " continue training.\n",
		       trained, asked, trained);
}

/* Prints the state of the learner and the results of the last block. */
static enum status trainer_report(const struct trainer *t, const struct invocation *call,
				  struct why *why)
{
	bool ended = t->last.games + t->last.partial > 0;
	const struct tally *tally = ended ? &t->last : &t->block;
	uint64_t games = tally->games + tally->partial;
	uint64_t end = ended ? t->last_at.trained : t->training.at.trained;
	if (call->printer.format != FORMAT_TEXT)
		return trainer_record_print(t, tally, call, why);
	printf("%s: %s on %s after %" PRIu64 " training games\n", t->options->model, t->canonical,
	       t->game.name, t->training.at.trained);
	if (games == 0 && !stop_requested())
		nothing_left_print(t);
	if (games == 0)
		return STATUS_OK;
	printf("\nGames %" PRIu64 " to %" PRIu64 ": ", end - games + 1, end);
	tally_report(tally, stdout);
	return STATUS_OK;
}

static void trainer_fini(struct trainer *t)
{
	agent_free(t->training.agent);
	lock_release(&t->lock);
}

enum status train(const struct train_options *options, const struct invocation *call,
		  struct why *why)
{
	struct trainer t = {.options = options, .noted = NAN};
	enum status status = learner_make(&t, why);
	if (!status) {
		stop_catch();
		status = trainer_curve_open(&t, call->provenance, why);
		status = status ? status : trainer_learn(&t, why);
		status = trainer_curve_close(&t, status, why);
	}
	if (!status || status == STATUS_STOPPED) {
		const enum status reported = trainer_report(&t, call, why);
		status = reported ? reported : status;
	}
	trainer_fini(&t);
	return status;
}

enum status train_check(const struct train_options *options, uint64_t *trained, struct why *why)
{
	struct trainer t = {.options = options, .noted = NAN};
	const enum status status = learner_make(&t, why);
	*trained = t.training.at.trained;
	trainer_fini(&t);
	return status;
}
