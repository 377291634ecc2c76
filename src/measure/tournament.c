/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plays an experiment into a folder; see tournament.h.
 *
 * Every entry has a participant: a job of games and, for a learner, a job of one unit that trains,
 * evaluates after each block of training, and then adds the job of games (learners.c).
 *
 * Invariant: a game is appended to the log when it is over and not before, so the log determines
 * the missing games even if the process was killed.
 */
#include "src/measure/participant.h"

#include "analysis/logs/gamelog.h"
#include "base/file.h"
#include "base/number.h"
#include "base/xalloc.h"
#include "src/games/ranks.h"
#include "src/games/traces.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A row of any log. */
union measured_row {
	char bytes[ROWLOG_ROW_MAX];
	max_align_t align;
};

/* ---- Games. */

double value_as_logged(double x)
{
	char text[REAL_TEXT_MAX];
	if (isnan(x))
		return x;
	snprintf(text, sizeof text, "%.6f", fmin(x, 1e12));
	return strtod(text, NULL);
}

/* Keeps a game of this run, so that the log need not be read again. */
static enum status result_keep(struct tournament *t, const struct gamelog_player *player,
			       const struct gamelog_row *row, struct why *why)
{
	struct gamelog_row logged = *row;
	logged.seconds = value_as_logged(row->seconds);
	logged.uncertainty = value_as_logged(row->uncertainty);
	return gamelog_add(&t->fresh, player, &logged, why);
}

/*
 * Removes tables/results.tsv: the log now has more games than the tables in the folder, and if the
 * process is killed no report takes them for its own (src/report/bundle.c).
 */
static void tables_outdate(const struct tournament *t)
{
	char path[FOLDER_PATH_MAX];
	if (path_format(path, NULL, "%s/tables/results.tsv", t->options->directory) == STATUS_OK)
		unlink(path);
}

/* Logs a game of this run. */
static enum status result_log(struct tournament *t, const struct gamelog_player *player,
			      const struct gamelog_row *row, struct why *why)
{
	if (!pool_log_begin(t->pool))
		return STATUS_STOPPED;
	enum status status = gamelog_append(&t->log.writer, player, row, why);
	if (!status && !t->shared)
		status = result_keep(t, player, row, why);
	status = pool_log_end(t->pool, status, why);
	if (!status && atomic_fetch_add(&t->progress.games.done, 1) == 0)
		tables_outdate(t);
	return status;
}

bool participant_lacks_trace(const struct participant *p, uint64_t trained, uint64_t index)
{
	char path[FOLDER_PATH_MAX];
	const struct tournament *t = p->tournament;
	if (index >= t->experiment->traces)
		return false;
	/* If the path is too long, play the game so that the error is reported. */
	return traces_path(t->traces, p->entry, trained, index, path, NULL) ||
	       access(path, F_OK) != 0;
}

enum status participant_play(const struct participant *p, struct agent *agent, uint64_t trained,
			     uint64_t index, struct outcome *outcome, struct why *why)
{
	struct tournament *t = p->tournament;
	char path[FOLDER_PATH_MAX];
	bool finished = false;
	const struct play_watch watch = {.move = pool_continues, .context = t->pool};
	enum status status = STATUS_OK;
	if (participant_lacks_trace(p, trained, index)) {
		status = traces_path(t->traces, p->entry, trained, index, path, why);
		status = status ? status : link_refuse(path, "the trace of a game", why);
		if (!status)
			status = traces_play(path, NULL, agent, trained, p->entry->seed, index,
					     &watch, outcome, &finished, why);
	} else {
		finished = play_game(agent, p->entry->seed, index, &watch, outcome);
	}
	status = status ? status : agent_check(agent, why);
	return status ? status : finished ? STATUS_OK : STATUS_STOPPED;
}

/* Logs game INDEX of CONFIG after TRAINED training games, which took SECONDS. */
static enum status outcome_log(const struct participant *p, uint64_t trained, uint64_t config,
			       uint64_t index, const struct outcome *outcome, double seconds,
			       struct why *why)
{
	struct tournament *t = p->tournament;
	const struct gamelog_player player = {
	    .config = config,
	    .trained = trained,
	    .board = p->entry->game.name,
	    .label = p->entry->label,
	    .agent = p->entry->agent,
	};
	const struct gamelog_row row = {
	    .seed = p->entry->seed,
	    .game = index,
	    .score = outcome->score,
	    .max_tile = UINT64_C(1) << outcome->max_exponent,
	    .moves = outcome->moves,
	    .seconds = t->options->times ? seconds : NAN,
	    .sum = isnan(outcome->uncertainty) ? 0 : board_sum(&outcome->last),
	    .uncertainty = outcome->uncertainty,
	};
	return result_log(t, &player, &row, why);
}

/* Whether the log of earlier runs has game INDEX; in a game log under CONFIG. */
static bool is_logged(const struct participant *p, uint64_t config, uint64_t index)
{
	const struct tournament *t = p->tournament;
	const struct measurement *measure = t->options->measure;
	union measured_row row;
	if (!measure)
		return gamelog_find(&t->played, config, p->entry->seed, index);
	measure->key(measure->context, p->entry, index, &row);
	return rowlog_find(&t->log.rows, &row);
}

bool participant_lacks(const struct participant *p, uint64_t trained, uint64_t config,
		       uint64_t index)
{
	return !is_logged(p, config, index) || participant_lacks_trace(p, trained, index);
}

/* Measures game INDEX and logs it. */
static enum status game_measure(const struct participant *p, struct agent *agent, uint64_t index,
				struct why *why)
{
	struct tournament *t = p->tournament;
	const struct measurement *measure = t->options->measure;
	union measured_row row;
	measure->key(measure->context, p->entry, index, &row);
	enum status status = measure->play(measure->context, p->entry, agent, t->pool, &row, why);
	status = status ? status : shared_log_append(&t->log, t->pool, &row, why);
	atomic_fetch_add(&t->progress.games.done, !status);
	return status;
}

enum status participant_run(const struct participant *p, struct agent *agent, uint64_t trained,
			    uint64_t config, uint64_t index, struct why *why)
{
	if (!participant_lacks(p, trained, config, index))
		return STATUS_OK;
	if (p->tournament->options->measure)
		return game_measure(p, agent, index, why);
	const bool logged = is_logged(p, config, index);
	struct outcome outcome;
	const double start = play_seconds();
	enum status status = participant_play(p, agent, trained, index, &outcome, why);
	if (status || logged)
		return status;
	return outcome_log(p, trained, config, index, &outcome, play_seconds() - start, why);
}

/* Whether game INDEX belongs to this share; a learner and its games stay together. */
static bool participant_owns(const struct participant *p, uint64_t index)
{
	const bool together = schedule_trains(&p->entry->schedule) || p->entry->from;
	return share_owns(&p->tournament->share, together ? p->number : p->number + index);
}

static struct participant *player_of(struct job *job)
{
	return (struct participant *)((char *)job - offsetof(struct participant, games));
}

/* A unit of games that are played side by side: those from NEXT to END that are missing. */
struct chunk {
	struct participant *participant;
	uint64_t trained, config, next, end;
};

/* Sets *INDEX to the next missing game of a chunk, without those to be traced; false at the end. */
static bool chunk_next(void *context, uint64_t *index)
{
	struct chunk *c = context;
	const struct participant *p = c->participant;
	while (c->next < c->end) {
		*index = c->next++;
		if (participant_owns(p, *index) &&
		    !participant_lacks_trace(p, c->trained, *index) &&
		    !is_logged(p, c->config, *index))
			return true;
	}
	return false;
}

static enum status chunk_over(void *context, uint64_t index, const struct outcome *outcome,
			      double seconds, struct why *why)
{
	const struct chunk *c = context;
	return outcome_log(c->participant, c->trained, c->config, index, outcome, seconds, why);
}

static bool chunk_continues(void *context)
{
	return !pool_ending(((struct chunk *)context)->participant->tournament->pool);
}

/* Plays games that are to be traced one by one, then the others side by side. */
static enum status chunk_run(struct chunk *c, struct agent *agent, struct why *why)
{
	struct participant *p = c->participant;
	const struct game_list list = {chunk_next, chunk_over, chunk_continues, c};
	enum status status = STATUS_OK;
	for (uint64_t i = c->next; !status && i < c->end; i++)
		if (participant_owns(p, i) && participant_lacks_trace(p, c->trained, i))
			status = participant_run(p, agent, c->trained, c->config, i, why);
	return status ? status : play_games(agent, p->entry->seed, &list, why);
}

/* Plays the games of UNIT: the next `chunk` games of the job, or those that are left. */
static enum status games_run(struct job *job, uint64_t unit, int thread, struct why *why)
{
	struct participant *p = player_of(job);
	const struct schedule *schedule = &p->entry->schedule;
	const uint64_t begin = p->entry->first + schedule->evaluate,
		       first = begin + (unit - begin) * p->chunk, last = begin + schedule->games;
	struct agent *agent = NULL;
	const uint64_t trained = entry_trained(p->entry), config = entry_config(p->entry, trained);
	if (p->chunk == 1 &&
	    !(participant_owns(p, unit) && participant_lacks(p, trained, config, unit)))
		return STATUS_OK;
	enum status status =
	    p->entry->alone ? STATUS_OK : instances_get(&p->instances, thread, &agent, why);
	if (status)
		return status;
	struct chunk chunk = {.participant = p,
			      .trained = trained,
			      .config = config,
			      .next = first,
			      .end = last - first < p->chunk ? last : first + p->chunk};
	return p->chunk == 1 ? participant_run(p, agent, trained, config, unit, why)
			     : chunk_run(&chunk, agent, why);
}

static void games_finish(struct job *job)
{
	instances_drop(&player_of(job)->instances);
}

/* ---- Participants. */

/*
 * The games of one unit: one; of an agent that plays many games at once, an equal share for each
 * thread of all ranks.
 */
static uint64_t games_chunk(const struct experiment_entry *entry, int threads)
{
	const uint64_t all = (uint64_t)threads * (uint64_t)ranks_size();
	if (agent_batch_of(entry->agent) == 1 || schedule_trains(&entry->schedule))
		return 1;
	return entry->schedule.games > all ? (entry->schedule.games + all - 1) / all : 1;
}

static uint64_t games_units(const struct experiment_entry *entry, uint64_t chunk)
{
	return (entry->schedule.games + chunk - 1) / chunk;
}

static enum status participant_init(struct participant *p, struct tournament *t,
				    struct experiment_entry *entry, uint64_t number,
				    struct why *why)
{
	const uint64_t chunk = t->options->measure ? 1 : games_chunk(entry, t->options->threads),
		       begin = entry->first + entry->schedule.evaluate;
	*p = (struct participant){
	    .training = {.run = learner_unit, .end = 1},
	    .games = {.run = games_run,
		      .finish = games_finish,
		      .next = begin,
		      .end = begin + games_units(entry, chunk)},
	    .tournament = t,
	    .entry = entry,
	    .number = number,
	    .chunk = chunk,
	};
	instances_init(&p->instances, &entry->game, entry->agent, t->options->threads);
	p->instances.context = p;
	if (entry->from || (t->shared && schedule_trains(&entry->schedule)))
		p->instances.load = learner_final_load;
	if (entry->ends && !entry->learner)
		p->seconds = xcalloc(entry->schedule.repeat, sizeof *p->seconds);
	for (uint64_t k = 0; p->seconds && k < entry->schedule.repeat; k++)
		p->seconds[k] = NAN;
	if (p->seconds)
		entry_ends_find(entry, &t->played, p->seconds);
	return learner_ends_load(p, why);
}

/* The games of P that belong to this share, and how many of them the log has. */
static struct work_done participant_work(const struct participant *p)
{
	const struct tournament *t = p->tournament;
	struct work_done work = {0};
	if (!t->options->measure)
		return entry_work(p->entry, &t->played, &t->share, p->number);
	for (uint64_t i = 0; i < p->entry->schedule.games; i++)
		if (participant_owns(p, i)) {
			work.total++;
			work.done += is_logged(p, 0, i);
		}
	return work;
}

/* Adds the games and training of P to the totals, and its first job, if any, to the pool. */
static void participant_enter(struct participant *p)
{
	const struct experiment_entry *entry = p->entry;
	const struct schedule *s = &entry->schedule;
	struct tournament *t = p->tournament;
	const bool trains = schedule_trains(s);
	if (trains && !participant_owns(p, 0))
		return;
	const struct work_done games = participant_work(p);
	t->asked += games.total;
	atomic_fetch_add(&t->progress.games.before, games.done);
	if (entry->learner || entry->from || entry->alone)
		return; /* its learner's job plays or adds its games; or the last jobs */
	learner_progress(t, entry)->total += (uint64_t)schedule_point(s, s->repeat);
	pool_add(t->pool, trains ? &p->training : &p->games);
}

/* ---- The log and the tournament. */

/* Refuses a label of the user's if the log has it for another agent on the same board. */
static enum status labels_check(const struct tournament *t, struct why *why)
{
	for (size_t i = 0; t->options->named && i < t->experiment->count; i++) {
		const struct experiment_entry *entry = t->experiment->entries[i];
		for (size_t k = 0; entry->labelled && k < t->played.player_count; k++) {
			const struct gamelog_player *other = t->played.players[k];
			if (strcmp(other->label, entry->label) == 0 &&
			    strcmp(other->board, entry->game.name) == 0 &&
			    strcmp(other->agent, entry->agent) != 0)
				return why_set(why, STATUS_INPUT,
					       "%s: there '%s' on %s is %.200s; expected another "
					       "label, or another folder",
					       t->options->directory, entry->label, other->board,
					       other->agent);
		}
	}
	return STATUS_OK;
}

/* Announces new players in the log. */
static enum status players_announce(struct tournament *t, struct why *why)
{
	enum status status = labels_check(t, why);
	for (size_t i = 0; !status && !t->log.read_only && i < t->experiment->count; i++)
		status = gamelog_append_player(&t->log.writer, &t->played,
					       t->experiment->entries[i]->label, why);
	return status;
}

/* Makes the folders of models and of traces in the output folder, which launch_run() has made. */
static enum status folders_make(struct tournament *t, struct why *why)
{
	const struct experiment *experiment = t->experiment;
	const char *directory = t->options->directory;
	bool trains = false;
	for (size_t i = 0; i < experiment->count; i++)
		trains = trains || schedule_trains(&experiment->entries[i]->schedule);
	enum status status = path_format(t->models, why, "%s/models", directory);
	status = status ? status : path_format(t->traces, why, "%s/traces", directory);
	if (!status && trains)
		status = folder_make_in(t->models, why);
	if (!status && experiment->traces)
		status = folder_make_in(t->traces, why);
	return status;
}

/* Runs the jobs in the pool. Arguments and errors as shared_log_work(). */
static enum status jobs_run(struct tournament *t, const struct progress_count *asked,
			    enum status status, struct why *why)
{
	return shared_log_work(&t->log, t->pool, &t->progress, asked, "games", t->options->progress,
			       status, why);
}

/* Measures those that need all threads, one after the other. */
static enum status alone_play(struct tournament *t, const struct progress_count *asked,
			      enum status status, struct why *why)
{
	t->pool = pool_new_shared(1);
	for (size_t i = 0; i < t->experiment->count; i++)
		if (t->participants[i].entry->alone)
			pool_add(t->pool, &t->participants[i].games);
	return jobs_run(t, asked, status, why);
}

/* Enters and plays the participants. */
static enum status participants_play(struct tournament *t, struct why *why)
{
	struct participant *participants = t->participants;
	const size_t count = t->experiment->count;
	struct progress_count *games = &t->progress.games;
	t->pool = pool_new_shared(t->options->threads);
	/* Training first: it cannot be shared among threads, so it must not be left to the end. */
	for (int training = 1; training >= 0; training--)
		for (size_t i = 0; i < count; i++)
			if (schedule_trains(&participants[i].entry->schedule) == training)
				participant_enter(&participants[i]);
	for (size_t i = 0; i < count; i++) {
		const struct experiment_entry *entry = participants[i].entry;
		if (entry_learns(entry) || (entry->from && !entry->alone))
			pool_announce(t->pool, &participants[i].games);
	}
	const struct progress_count asked = {.total = t->asked, .before = games->before};
	games->total = t->options->games ? t->options->games : t->asked;
	enum status status = jobs_run(t, &asked, STATUS_OK, why);
	if (t->options->measure)
		status = alone_play(t, &asked, status, why);
	/* Only rank 0 has the games of all ranks. */
	if ((status && status != STATUS_STOPPED) || ranks_rank() > 0)
		return status;
	return games->before + games->done < t->asked ? STATUS_STOPPED : STATUS_OK;
}

/* Makes the participants and plays them. */
static enum status entries_play(struct tournament *t, struct why *why)
{
	const struct experiment *experiment = t->experiment;
	struct participant *participants = xcalloc(experiment->count, sizeof *participants);
	enum status status = STATUS_OK;
	size_t made = 0;
	uint64_t number[2] = {0};
	t->participants = participants;
	for (; !status && made < experiment->count; made++) {
		struct experiment_entry *entry = experiment->entries[made];
		const struct experiment_entry *with = entry->from ? entry->from : entry->learner;
		size_t learner = 0;
		while (with && participants[learner].entry != with)
			learner++;
		status = participant_init(&participants[made], t, entry,
					  with ? participants[learner].number
					       : number[schedule_trains(&entry->schedule)]++,
					  why);
	}
	status = ranks_agree("entries", made, status, why);
	status = status ? status : participants_play(t, why);
	/* Reports need the ends of blocks that other ranks have trained. */
	for (size_t i = 0; !status && t->shared && i < made; i++)
		status = learner_ends_load(&participants[i], why);
	for (size_t i = 0; i < made; i++) {
		instances_fini(&participants[i].instances);
		free(participants[i].seconds);
	}
	free(participants);
	t->participants = NULL;
	return status;
}

/* The last stop of CONFIG and SEED in the log, or NULL. */
static const struct gamelog_stop *stop_find(const struct tournament *t, uint64_t config,
					    uint64_t seed)
{
	const struct gamelog_stop *found = NULL;
	for (size_t k = 0; k < t->played.stop_count; k++)
		if (t->played.stops[k].config == config && t->played.stops[k].seed == seed)
			found = &t->played.stops[k];
	return found;
}

/*
 * The first of the games FROM .. END-1 of the player and seed of STOP that the log lacks, or END;
 * LATER if the log has later ones of them.
 */
static uint64_t first_missing(const struct tournament *t, const struct gamelog_stop *stop,
			      uint64_t from, uint64_t end, bool *later)
{
	uint64_t missing = end;
	*later = false;
	for (uint64_t i = from; i < end && !*later; i++) {
		const bool there = gamelog_find(&t->played, stop->config, stop->seed, i);
		*later = there && missing < end;
		missing = !there && missing == end ? i : missing;
	}
	return missing;
}

/*
 * Logs a stop for an earlier run that was complete with fewer than STOP.games games: if the log had
 * exactly games 0 .. n-1 of STOP's player and no stop, that run was to play n games.
 */
static enum status earlier_stop_log(struct tournament *t, struct gamelog_stop stop, struct why *why)
{
	const uint64_t most = stop.games;
	bool later;
	if (stop_find(t, stop.config, stop.seed))
		return STATUS_OK;
	stop.games = first_missing(t, &stop, 0, most, &later);
	if (stop.games == 0 || stop.games == most || later)
		return STATUS_OK;
	gamelog_note_stop(&t->played, &stop);
	return gamelog_append_stop(&t->log.writer, &stop, why);
}

/* Logs how many games ENTRY was to play after TRAINED training games, if the log may have some. */
static enum status stop_log(struct tournament *t, const struct experiment_entry *entry,
			    uint64_t trained, struct why *why)
{
	const uint64_t config = entry_config(entry, trained),
		       shares = t->share.count > 1 ? t->share.count : 1,
		       threads = (uint64_t)t->options->threads * (uint64_t)ranks_size(),
		       batch = agent_batch_of(entry->agent),
		       chunk = games_chunk(entry, t->options->threads);
	const bool trains = schedule_trains(&entry->schedule);
	const struct gamelog_stop stop = {.config = config,
					  .seed = entry->seed,
					  .games = entry_games(entry, trained),
					  .workers = threads * (trains ? 1 : shares) *
						     (chunk < batch ? chunk : batch),
					  .step = trains ? 1 : shares};
	if (!t->shared && !gamelog_player(&t->played, config) && !gamelog_player(&t->fresh, config))
		return STATUS_OK;
	enum status status = stop.step == 1 ? earlier_stop_log(t, stop, why) : STATUS_OK;
	gamelog_note_stop(&t->played, &stop);
	return status ? status : gamelog_append_stop(&t->log.writer, &stop, why);
}

/*
 * Logs how many games ENTRY, which has played all of them, was to play after TRAINED training
 * games, if the last stop in the log has another number, or if some shares of an earlier run were
 * to play more: the games of this run are complete. Where the log is read-only only the report sees
 * it.
 */
static enum status completion_log(struct tournament *t, const struct experiment_entry *entry,
				  uint64_t trained, struct why *why)
{
	enum { SHARES_SEEN = 64 };
	const uint64_t games = entry_games(entry, trained);
	struct gamelog_stop stop = {entry_config(entry, trained), entry->seed, games, .step = 1};
	const struct gamelog_stop *last = stop_find(t, stop.config, stop.seed);
	bool uneven;
	first_missing(t, &stop, games, games + SHARES_SEEN, &uneven);
	if (last ? last->games == games : t->share.count > 1 || !uneven)
		return STATUS_OK;
	stop = last ? *last : stop;
	stop.games = games;
	gamelog_note_stop(&t->played, &stop);
	return ranks_rank() == 0 && !t->log.read_only
		   ? gamelog_append_stop(&t->log.writer, &stop, why)
		   : STATUS_OK;
}

/*
 * Logs for each player how many games it was to play after each block of training: of a STOPPED
 * run, with several ranks, which may have played them, also for players without games here.
 */
static enum status stops_log(struct tournament *t, bool stopped, struct why *why)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < t->experiment->count; i++) {
		const struct experiment_entry *entry = t->experiment->entries[i];
		const uint64_t last = entry->schedule.repeat;
		for (uint64_t k = last > 0; !status && k <= last; k++) {
			const uint64_t trained = entry_stage(entry, k);
			if (!k || trained)
				status =
				    (stopped ? stop_log : completion_log)(t, entry, trained, why);
		}
	}
	return status;
}

/* Collects all games: adds those of this run, or with several ranks reads the logs. */
static enum status games_gather(struct tournament *t, struct why *why)
{
	enum status status = STATUS_OK;
	if (t->shared)
		return logs_read_folder(&t->played, t->options->directory, why);
	for (size_t i = 0; i < t->fresh.training_count; i++)
		gamelog_note_training(&t->played, &t->fresh.trainings[i]);
	for (size_t i = 0; !status && i < t->fresh.count; i++)
		status = gamelog_add(&t->played, t->fresh.rows[i].player, &t->fresh.rows[i], why);
	gamelog_fini(&t->fresh);
	gamelog_init(&t->fresh);
	return status;
}

struct tournament *tournament_new(const struct tournament_options *options)
{
	struct tournament *t = xcalloc(1, sizeof *t);
	*t = (struct tournament){
	    .options = options,
	    .shared = ranks_size() > 1,
	    .share = options->own ? (struct share){0} : options->share,
	    .log = {.kind = options->measure ? options->measure->kind : &gamelog_kind,
		    .share = &options->share,
		    .directory = options->directory,
		    .provenance = options->provenance,
		    .games = options->measure ? NULL : &t->played},
	};
	gamelog_init(&t->played);
	gamelog_init(&t->fresh);
	return t;
}

/* Makes the folders, and opens the log unless it is open. */
static enum status log_open(struct tournament *t, struct why *why)
{
	enum status status = ranks_agree("folder", 0, folders_make(t, why), why);
	if (status || t->open)
		return status;
	status = shared_log_open(&t->log, why);
	t->open = !status;
	return status;
}

static enum status log_close(struct tournament *t, enum status status, struct why *why)
{
	if (t->open)
		status = shared_log_close(&t->log, status, why);
	t->open = false;
	return status;
}

/* Plays with an open log. */
static enum status experiment_play(struct tournament *t, struct work_done *count, struct why *why)
{
	const bool measures = t->options->measure;
	enum status status =
	    measures ? STATUS_OK : ranks_agree("announced", 0, players_announce(t, why), why);
	status = status ? status : entries_play(t, why);
	*count = progress_done(&t->progress.games);
	if (measures || (status && status != STATUS_STOPPED))
		return status;
	const enum status logged = stops_log(t, status && !t->log.read_only, why);
	return logged ? logged : status;
}

enum status tournament_games(struct tournament *t, const struct experiment *experiment,
			     struct work_done *count, struct why *why)
{
	t->experiment = experiment;
	if (t->options->note)
		snprintf(t->progress.note, sizeof t->progress.note, "%s", t->options->note);
	enum status status = log_open(t, why);
	if (status)
		return status;
	status = experiment_play(t, count, why);
	/* The log has the games of other ranks after they have closed it. */
	if (t->shared)
		status = log_close(t, status, why);
	if (t->options->measure || (status && status != STATUS_STOPPED))
		return status;
	const enum status gathered = games_gather(t, why);
	return gathered ? gathered : status;
}

const struct gamelog *tournament_log(const struct tournament *t)
{
	return &t->played;
}

enum status tournament_end(struct tournament *t, enum status status, struct gamelog *games,
			   struct why *why)
{
	status = log_close(t, status, why);
	if (games && (!status || status == STATUS_STOPPED))
		*games = t->played;
	else
		gamelog_fini(&t->played);
	gamelog_fini(&t->fresh);
	free(t);
	return status;
}

enum status tournament_play(const struct experiment *experiment,
			    const struct tournament_options *options, struct work_done *count,
			    struct gamelog *games, struct why *why)
{
	struct tournament *t = tournament_new(options);
	return tournament_end(t, tournament_games(t, experiment, count, why), games, why);
}
