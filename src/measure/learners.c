/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Trains the learners of a tournament; see tournament.h.
 *
 * Training uses one thread, so that it is the same on every machine. It resumes from the saved
 * model, unless a missing game needs earlier weights: then training starts from the beginning.
 * After each block the same thread also plays the games of players that use the learner's weights.
 * A learner that keeps its models resumes from the latest of them, and other threads play the games
 * that belong to each.
 *
 * A timed block ends with the game during which the time of the blocks so far runs out. The log, by
 * its games, and the note of the model keep that end, which holds for every later training. So a
 * training that starts anew, because the model or games that need earlier weights were lost, makes
 * the same weights, and none is needed if all its games are in the log.
 *
 * Invariant: a model is saved before any game is played with it, so the model is never older than
 * the log; if lost lines make the log older than the model, training starts anew.
 */
#include "src/measure/participant.h"

#include "agents/model.h"
#include "analysis/logs/gamelog.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/xalloc.h"
#include "src/learn/training.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Seconds between checkpoints of a learner that keeps its models: a kill loses no more training. */
enum { CHECKPOINT_SECONDS = 30 };

struct progress_count *learner_progress(struct tournament *t, const struct experiment_entry *entry)
{
	return entry->schedule.seconds ? &t->progress.seconds : &t->progress.training;
}

/* Writes the path of the model of P; if KEPT is not 0, of that kept after KEPT training games. */
static enum status learner_path(const struct participant *p, uint64_t kept,
				char path[FOLDER_PATH_MAX], struct why *why)
{
	return entry_model_path(p->entry, p->tournament->models, kept, path, why);
}

/*
 * The note of a model (agents/model.h) has lines "BLOCK TRAINED SECONDS": training games and
 * seconds of processor time at the end of each timed block, and as block 0 those of the model
 * itself. Without timed blocks only a model that was saved within a block has a note: times of
 * whole blocks are in the log.
 */
static char *note_make(const struct participant *p, const struct training_point *at)
{
	char *text;
	size_t size;
	FILE *out = xstream_open(&text, &size);
	for (uint64_t k = 1; p->seconds && k <= p->entry->schedule.repeat; k++)
		if (!isnan(p->seconds[k - 1]))
			fprintf(out, "%" PRIu64 " %" PRIu64 " %.6f\n", k, p->entry->ends[k - 1],
				p->seconds[k - 1]);
	fprintf(out, "0 %" PRIu64 " %.6f\n", at->trained, at->seconds);
	xstream_close(out);
	return text;
}

/* Applies LINE of a note; sets *SECONDS if it is about the model, of TRAINED games. */
static void note_line_apply(const struct participant *p, const char *line, uint64_t trained,
			    double *seconds)
{
	uint64_t block, games;
	double x;
	if (sscanf(line, "%" SCNu64 " %" SCNu64 " %lf", &block, &games, &x) != 3)
		return;
	if (block == 0 && games == trained)
		*seconds = x;
	if (p->seconds && block >= 1 && block <= p->entry->schedule.repeat) {
		p->entry->ends[block - 1] = games;
		p->seconds[block - 1] = x;
	}
}

/*
 * Sets the ends of timed blocks of earlier runs, from the model if it exists. Sets *SECONDS to the
 * training time of TRAINED games, NAN if it is unknown.
 */
static enum status note_apply(const struct participant *p, uint64_t trained, double *seconds,
			      struct why *why)
{
	char path[FOLDER_PATH_MAX], *note = NULL, *rest = NULL;
	enum status status = learner_path(p, 0, path, why);
	if (!status && access(path, F_OK) == 0)
		status = model_note(path, &note, why);
	*seconds = gamelog_training(&p->tournament->played, entry_config(p->entry, trained));
	for (char *line = note ? strtok_r(note, "\n", &rest) : NULL; line;
	     line = strtok_r(NULL, "\n", &rest))
		note_line_apply(p, line, trained, seconds);
	free(note);
	return status;
}

enum status learner_ends_load(const struct participant *p, struct why *why)
{
	double ignored;
	return p->entry->ends ? note_apply(p, 0, &ignored, why) : STATUS_OK;
}

enum status learner_final_load(void *context, struct agent *agent, struct why *why)
{
	const struct participant *p = context;
	char path[FOLDER_PATH_MAX];
	enum status status =
	    learner_path(p, p->entry->from ? p->entry->trained_before : 0, path, why);
	if (!status)
		file_wait(path);
	if (!status)
		status = learner_ends_load(p, why);
	if (!status)
		status = agent_load(agent, path, why);
	if (status)
		return status;
	const uint64_t trained = agent->class->trained(agent->self),
		       expected = entry_trained(p->entry);
	if (trained == expected)
		return STATUS_OK;
	return why_set(why, STATUS_SYSTEM,
		       "%s: is of %" PRIu64 " training games, not of all %" PRIu64, path, trained,
		       expected);
}

/* A learner in training. */
struct chain {
	struct participant *participant;
	struct training training; /* its seconds are of processor time */
	uint64_t block;		  /* that the last game ended; 0 within a block, or before any */
	uint64_t next;		  /* the present block, or the next one */
	uint64_t shown;		  /* training on the progress line */
	uint64_t logged;	  /* training games at the last logged time */
};

/* Whether the last game ends the present block. */
static bool block_ends(const struct chain *c)
{
	const struct experiment_entry *entry = c->participant->entry;
	const struct schedule *s = &entry->schedule;
	uint64_t end = entry_stage(entry, c->next);
	return end ? c->training.at.trained == end
		   : c->training.at.seconds >= schedule_point(s, c->next);
}

/* Sets `block` and `next` for a learner of c->training.at.trained games. */
static void chain_place(struct chain *c)
{
	const struct experiment_entry *entry = c->participant->entry;
	c->next = 1;
	c->block = 0;
	for (uint64_t k = 1; c->training.at.trained > 0 && k <= entry->schedule.repeat; k++) {
		uint64_t end = entry_stage(entry, k);
		if (end == 0 || end > c->training.at.trained)
			break;
		c->block = end == c->training.at.trained ? k : 0;
		c->next = k + 1;
	}
}

enum { NEEDED_NOTHING = -1, NEEDED_ANY = -2 };

/* Whether OTHER is LEARNER, or plays with its weights. */
static bool plays_with(const struct participant *other, const struct participant *learner)
{
	return other == learner || other->entry->learner == learner->entry;
}

/* Whether a game or a trace of P after TRAINED training games is missing. */
static bool lacks_games(const struct participant *p, uint64_t trained)
{
	const uint64_t config = entry_config(p->entry, trained);
	for (uint64_t i = 0; i < entry_games(p->entry, trained); i++)
		if (participant_lacks(p, trained, config, i))
			return true;
	return false;
}

/* Whether P keeps its models, and lacks that after TRAINED training games. */
static bool lacks_model(const struct participant *p, uint64_t trained)
{
	char path[FOLDER_PATH_MAX];
	return p->entry->keeps && (learner_path(p, trained, path, NULL) || access(path, F_OK) != 0);
}

/*
 * The training games before the earliest missing game or model; NEEDED_ANY if their number is
 * unknown, NEEDED_NOTHING if nothing is missing.
 */
static uint64_t training_needed(const struct participant *p)
{
	const struct tournament *t = p->tournament;
	for (uint64_t k = 1; k <= p->entry->schedule.repeat; k++) {
		uint64_t trained = entry_stage(p->entry, k);
		if (!trained)
			return (uint64_t)NEEDED_ANY;
		if (lacks_model(p, trained))
			return trained;
		for (size_t i = 0; i < t->experiment->count; i++)
			if (plays_with(&t->participants[i], p) &&
			    lacks_games(&t->participants[i], trained))
				return trained;
	}
	return (uint64_t)NEEDED_NOTHING;
}

/* Traces games of the learner before its training, which no log has. */
static enum status untrained_trace(struct participant *p, int thread, struct why *why)
{
	enum status status = STATUS_OK;
	bool made = false;
	const struct training_request beginning = {.seed = p->entry->seed, .threads = 1};
	for (uint64_t i = 0; !status && i < p->tournament->experiment->traces; i++) {
		struct agent *agent;
		struct outcome outcome;
		if (!participant_lacks_trace(p, 0, i))
			continue;
		status = instances_get(&p->instances, thread, &agent, why);
		if (!status && !made)
			agent->class->learn(agent->self, &beginning);
		made = true;
		status = status ? status : participant_play(p, agent, 0, i, &outcome, why);
	}
	if (made)
		instances_drop(&p->instances);
	return status;
}

/* Makes the learner, with the model PATH if that exists; PATH may be NULL. */
static enum status learner_load(struct chain *c, int thread, const char *path, struct why *why)
{
	struct participant *p = c->participant;
	struct training *training = &c->training;
	training->at = (struct training_point){0};
	instances_drop(&p->instances);
	enum status status = instances_get(&p->instances, thread, &training->agent, why);
	if (status || !path || access(path, F_OK) != 0)
		return status;
	status = agent_load(training->agent, path, why);
	if (status)
		return status;
	training->at.trained = training->agent->class->trained(training->agent->self);
	return note_apply(p, training->at.trained, &training->at.seconds, why);
}

/*
 * Loads the saved model, unless it has more than NEEDED games; then the last model that was kept
 * before them, or makes a new learner. A model that is to be kept has to be trained.
 */
static enum status training_resume(struct chain *c, int thread, uint64_t needed, struct why *why)
{
	const struct participant *p = c->participant;
	const struct experiment_entry *entry = p->entry;
	const uint64_t most = entry->keeps ? needed - 1 : needed,
		       *trained = &c->training.at.trained;
	uint64_t kept = 0;
	char path[FOLDER_PATH_MAX];
	for (uint64_t k = 1; entry->keeps && entry_stage(entry, k) < needed; k++)
		kept = entry_stage(entry, k);
	enum status status = learner_path(p, 0, path, why);
	status = status ? status : learner_load(c, thread, path, why);
	const bool lost = entry->ends && isnan(c->training.at.seconds);
	if (status || (*trained >= kept && *trained <= most && !lost))
		return status;
	status = learner_path(p, kept, path, why);
	return status ? status : learner_load(c, thread, kept ? path : NULL, why);
}

/* Training so far as on the progress line: games, or if it is by time whole seconds. */
static uint64_t chain_done(const struct chain *c)
{
	const struct training_point *at = &c->training.at;
	return c->participant->entry->ends ? (uint64_t)at->seconds : at->trained;
}

static bool training_game(void *context, const struct outcome *outcome)
{
	struct chain *c = context;
	const struct participant *p = c->participant;
	const uint64_t done = chain_done(c);
	(void)outcome;
	if (done > c->shown) {
		atomic_fetch_add(&learner_progress(p->tournament, p->entry)->done, done - c->shown);
		c->shown = done;
	}
	if (block_ends(c))
		c->block = c->next;
	return c->block;
}

static bool training_ending(void *context)
{
	return pool_ending(((struct chain *)context)->participant->tournament->pool);
}

/* Logs the training time for all that play with the weights, unless it is logged already. */
static enum status training_log(struct chain *c, struct why *why)
{
	struct tournament *t = c->participant->tournament;
	const struct training_point *at = &c->training.at;
	const struct experiment_entry *entry = c->participant->entry;
	const double point = entry->ends ? schedule_point(&entry->schedule, c->block) : 0;
	enum status status = STATUS_OK;
	if (!t->options->times || isnan(at->seconds) || c->logged == at->trained)
		return STATUS_OK;
	if (!pool_log_begin(t->pool))
		return STATUS_STOPPED;
	for (size_t i = 0; !status && i < t->experiment->count; i++) {
		const struct participant *p = &t->participants[i];
		const uint64_t config = entry_config(p->entry, at->trained);
		if (!plays_with(p, c->participant) || !isnan(gamelog_training(&t->played, config)))
			continue;
		const struct gamelog_training training = {config, value_as_logged(at->seconds),
							  point};
		status = gamelog_append_training(&t->log.writer, &training, why);
		if (!status && !t->shared)
			gamelog_note_training(&t->fresh, &training);
	}
	c->logged = at->trained;
	return pool_log_end(t->pool, status, why);
}

/* Ends a block. If it has ended in an earlier run, its seconds are those of that run. */
static void block_end(struct chain *c)
{
	const struct participant *p = c->participant;
	c->next++;
	if (!p->seconds)
		return;
	double *seconds = &p->seconds[c->block - 1];
	if (!isnan(*seconds))
		c->training.at.seconds = *seconds;
	*seconds = c->training.at.seconds;
	p->entry->ends[c->block - 1] = c->training.at.trained;
}

/* Saves the learner; at the end of a block logs its training time first. */
static enum status training_save(void *context, struct why *why)
{
	struct chain *c = context;
	struct participant *p = c->participant;
	const struct training_point *at = &c->training.at;
	char path[FOLDER_PATH_MAX], *note = NULL;
	const bool timed = p->seconds || (p->tournament->options->times && !c->block);
	enum status status =
	    learner_path(p, p->entry->keeps && c->block ? at->trained : 0, path, why);
	if (c->block) {
		block_end(c);
		status = status ? status : training_log(c, why);
	}
	status = status ? status : link_refuse(path, "a model file", why);
	if (status)
		return status;
	if (timed && !isnan(at->seconds))
		note = note_make(p, at);
	status = agent_save(c->training.agent, path, note, why);
	free(note);
	return status;
}

/* Plays the evaluation games of P after TRAINED games of LEARNER, which P is or plays with. */
static enum status games_evaluate(const struct participant *p, struct agent *learner,
				  uint64_t trained, struct why *why)
{
	const uint64_t config = entry_config(p->entry, trained);
	const struct agent_env env = {.game = &p->entry->game, .learner = learner};
	struct agent *agent = NULL;
	enum status status =
	    p->entry->learner ? agent_new(p->entry->agent, &env, &agent, why) : STATUS_OK;
	for (uint64_t i = 0; !status && i < p->entry->schedule.evaluate; i++)
		status = participant_run(p, agent ? agent : learner, trained, config, i, why);
	agent_free(agent);
	return status;
}

/* Adds the games of the models that LEARNER has kept after BEGIN to END - 1 training games. */
static void kept_play(const struct participant *learner, uint64_t begin, uint64_t end)
{
	const struct tournament *t = learner->tournament;
	for (size_t i = 0; i < t->experiment->count; i++) {
		struct participant *p = &t->participants[i];
		const uint64_t trained = p->entry->trained_before;
		if (p->entry->from == learner->entry && !p->entry->alone && trained >= begin &&
		    trained < end)
			pool_add(t->pool, &p->games);
	}
}

static enum status training_evaluate(struct chain *c, struct why *why)
{
	const struct tournament *t = c->participant->tournament;
	const uint64_t trained = c->training.at.trained;
	enum status status = training_log(c, why);
	for (size_t i = 0; !status && i < t->experiment->count; i++)
		if (plays_with(&t->participants[i], c->participant))
			status =
			    games_evaluate(&t->participants[i], c->training.agent, trained, why);
	if (!status)
		kept_play(c->participant, trained, trained + 1);
	return status;
}

/* Trains and evaluates to the end. */
static enum status chain_run(struct chain *c, struct why *why)
{
	enum status status = STATUS_OK;
	const uint64_t last = c->participant->entry->schedule.repeat;
	while (!status) {
		if (c->block)
			status = training_evaluate(c, why);
		if (status || c->block == last)
			break;
		c->block = 0;
		status = training_run(&c->training, why);
	}
	return status;
}

/* Removes the checkpoint of a learner that has kept the models of all blocks: it is of no use. */
static enum status checkpoint_remove(const struct participant *p, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	const enum status status = learner_path(p, 0, path, why);
	if (!status && p->entry->keeps)
		unlink(path);
	return status;
}

/* Trains as far as games or models are missing, and evaluates. */
static enum status chain_train(struct chain *c, int thread, struct why *why)
{
	const struct participant *p = c->participant;
	const struct schedule *s = &p->entry->schedule;
	atomic_uint_least64_t *before = &learner_progress(p->tournament, p->entry)->before;
	const uint64_t needed = training_needed(p);
	kept_play(p, 0, needed);
	if (needed == (uint64_t)NEEDED_NOTHING) {
		atomic_fetch_add(before, (uint64_t)schedule_point(s, s->repeat));
		return checkpoint_remove(p, why);
	}
	enum status status = training_resume(c, thread, needed, why);
	chain_place(c);
	c->block = p->entry->keeps ? 0 : c->block; /* the games of a kept model were just added */
	c->shown = chain_done(c);
	atomic_fetch_add(before, c->shown);
	status = status ? status : chain_run(c, why);
	return status ? status : checkpoint_remove(p, why);
}

enum status learner_unit(struct job *job, uint64_t unit, int thread, struct why *why)
{
	struct participant *p =
	    (struct participant *)((char *)job - offsetof(struct participant, training));
	struct tournament *t = p->tournament;
	struct chain c = {
	    .participant = p,
	    .training = {.seed = p->entry->seed,
			 .threads = 1,
			 .end = UINT64_MAX,
			 .timed = p->entry->ends || p->entry->keeps,
			 .clock = clock_thread_seconds,
			 .checkpoint = UINT64_MAX,
			 .checkpoint_interval = p->entry->keeps ? CHECKPOINT_SECONDS : INFINITY,
			 .game = training_game,
			 .ending = training_ending,
			 .save = training_save,
			 .context = &c}};
	(void)unit;
	p->instances.load = NULL;
	enum status status = untrained_trace(p, thread, why);
	status = status ? status : chain_train(&c, thread, why);
	const bool plays = !status && p->games.next < p->games.end;
	/* All ranks play with the saved model, so this one loads it, too. */
	p->instances.load = t->shared ? learner_final_load : NULL;
	if (!plays || t->shared)
		instances_drop(&p->instances);
	if (plays)
		pool_add(t->pool, &p->games);
	return status;
}
