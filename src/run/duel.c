/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A duel is played; see duel.h. Each look is an experiment of its own with so many games, played
 * into the same folder: what earlier looks have played is in the log.
 */
#include "src/run/duel.h"

#include "analysis/tables/format.h"
#include "base/file.h"
#include "src/run/selection.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { NOTE_MAX = 128 };

enum status duel_init(struct duel *duel, const struct duel_options *options,
		      const struct launch_command *command, struct why *why)
{
	struct game game;
	struct schedule schedule = {.games = options->most};
	struct game_options rule = options->game;
	if (!rule.shape && !rule.start)
		rule.shape = "4x4";
	*duel = (struct duel){
	    .options = options, .command = command, .experiment = {.seed = options->seed}};
	enum status status = game_init(&game, &rule, why);
	for (int i = 0; !status && i < options->agents; i++)
		status = experiment_add(&duel->experiment, &game, options->agent[i], NULL,
					&schedule, why);
	if (status)
		duel_fini(duel);
	return status;
}

void duel_fini(struct duel *duel)
{
	experiment_fini(&duel->experiment);
}

/* Sorts the scores of games 0 .. GAMES-1 of both players in SELECTION into SCORES[player][game]. */
static enum status scores_sort(const struct gamelog *selection, uint64_t games, double *scores,
			       const char *path, struct why *why)
{
	if (selection->count != 2 * games)
		return why_set(why, STATUS_SYSTEM,
			       "%s: holds %zu of the %" PRIu64 " games that were played", path,
			       selection->count, 2 * games);
	for (size_t i = 0; i < selection->count; i++) {
		const struct gamelog_row *row = &selection->rows[i];
		scores[row->player->number * games + row->game] = (double)row->score;
	}
	return STATUS_OK;
}

/* Reads the games of the experiment, GAMES of each player, out of the log. */
static enum status scores_read(const struct duel *duel, uint64_t games, double *scores,
			       struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct gamelog log, selection;
	gamelog_init(&log);
	gamelog_init(&selection);
	enum status status =
	    path_format(path, why, "%s/games.tsv", duel->options->launch.directory);
	if (!status)
		status = gamelog_read(&log, path, why);
	if (!status)
		status = selection_init(&selection, &log, &duel->experiment, why);
	if (!status)
		status = scores_sort(&selection, games, scores, path, why);
	gamelog_fini(&selection);
	gamelog_fini(&log);
	return status;
}

enum status duel_games(struct duel *duel, uint64_t games, const char *note, double **a, double **b,
		       struct why *why)
{
	const struct launch_options *launch = &duel->options->launch;
	const struct tournament_options tournament = {
	    .directory = launch->directory,
	    .command = duel->command->provenance,
	    .threads = launch->pace.threads,
	    .times = !launch->no_times,
	    .progress = launch->pace.progress,
	    .note = note,
	};
	for (size_t i = 0; i < duel->experiment.count; i++)
		duel->experiment.entries[i]->schedule.games = games;
	enum status status = tournament_play(&duel->experiment, &tournament, &duel->count, why);
	if (status)
		return status;
	double *scores = calloc(2 * games, sizeof *scores);
	if (!scores)
		return why_errno(why, "%" PRIu64 " games", games);
	status = scores_read(duel, games, scores, why);
	if (status) {
		free(scores);
		return status;
	}
	*a = scores;
	*b = scores + games;
	return STATUS_OK;
}

/* What the last look says, for the progress line. */
static void note_make(const struct duel *duel, char note[NOTE_MAX])
{
	snprintf(note, NOTE_MAX, "first look at %" PRIu64, duel->test.games[0]);
	if (duel->looks == 0)
		return;
	const struct look *look = &duel->look[duel->looks - 1];
	char ratio[GRID_TEXT_MAX];
	interval_text(look->ratio, 3, ratio);
	snprintf(note, NOTE_MAX, "ratio %.80s at %zu, of at most %" PRIu64, ratio,
		 look->pairs.games, duel->options->most);
}

/* Plays up to look K and takes it. */
static enum status look_take(struct duel *duel, size_t k, struct why *why)
{
	char note[NOTE_MAX];
	double *a = NULL, *b = NULL;
	uint64_t games = duel->test.games[k];
	note_make(duel, note);
	enum status status = duel_games(duel, games, note, &a, &b, why);
	if (status)
		return status;
	struct pairs pairs = pairs_estimate(a, b, games);
	free(a);
	duel->look[duel->looks++] = sequential_look(&duel->test, k, &pairs, duel->options->bound);
	return STATUS_OK;
}

enum status duel_play(struct duel *duel, struct why *why)
{
	const struct duel_options *o = duel->options;
	enum status status = STATUS_OK;
	sequential_init(&duel->test, o->batch, o->most, o->alpha);
	for (size_t k = 0; !status && k < duel->test.looks; k++) {
		status = look_take(duel, k, why);
		if (!status && duel->look[k].verdict != VERDICT_OPEN)
			break;
	}
	return status;
}

void duel_resume_print(const struct duel *duel)
{
	fflush(stdout);
	fprintf(stderr,
		"%s: stopped after %" PRIu64 " of the %" PRIu64
		" games up to the next look; to go on:\n%s\n",
		duel->command->name, duel->count.done, duel->count.total, duel->command->resume);
}
