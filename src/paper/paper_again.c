/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Games of a log played again; see paper_again.h.
 *
 * The log's config is the hash of all that decides a game but seed and number (entry_config()). A player made of
 * the log's board, agent and training has that config or is not the player that the log is of: so nothing
 * is believed but what hashes right. Programs of others are not started: a log may be a stranger's.
 */
#include "src/paper/paper_again.h"

#include "agents/agent.h"
#include "agents/solver/optimum.h"
#include "agents/model.h"
#include "agents/play.h"
#include "src/report/report.h"
#include "base/stop.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

__attribute__((format(printf, 2, 3))) static void unable_say(struct again *r, const char *format,
							     ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(r->reason, sizeof r->reason, format, args);
	va_end(args);
	r->unable = true;
}

/* Makes ENTRY the player of R on a board by OPTIONS; whether it is the one that the log is of. */
static bool entry_fits(const struct again *r, const struct game_options *options,
		       struct entry *entry)
{
	struct why ignored;
	if (game_init(&entry->game, options, &ignored))
		return false;
	uint64_t config = entry_config(entry, r->player->trained);
	if (r->gap) {
		/* As src/run/gap_players.c has it, of the usual goal, the expected score. */
		char text[64];
		int length = snprintf(text, sizeof text, "gap %s 0", goal_name(GOAL_SCORE));
		config = XXH3_64bits_withSeed(text, (size_t)length, config);
	}
	return config == r->player->config;
}

/* Makes ENTRY the player of R by the usual rules or those given. False if neither has its config. */
static bool entry_make(struct again *r, struct entry *entry)
{
	struct why why;
	struct game_options usual = {.shape = r->player->board}, given = *r->rule;
	if (agent_canonical(r->player->agent, entry->agent, &why) ||
	    agent_settings(r->player->agent, entry->settings, &why) ||
	    agent_input_digest(entry->agent, &entry->contents, &why)) {
		unable_say(r, "%.240s", why.text);
		return false;
	}
	snprintf(entry->label, sizeof entry->label, "%.*s", RESULT_NAME_MAX - 1, r->player->label);
	given.shape = given.start ? NULL : r->player->board;
	if (entry_fits(r, &usual, entry) || entry_fits(r, &given, entry))
		return true;
	unable_say(
	    r,
	    entry->contents
		? "its games were played with other contents of the file that it reads, by other "
		  "rules (--spawn, --start-tiles, --start), or by a version of nxn with other "
		  "defaults"
		: "its games were played by other rules (--spawn, --start-tiles, --start) or by a "
		  "version of nxn with other defaults");
	return false;
}

/* Whether the model PATH is what ENTRY is after so much training. */
static bool model_fits(const struct again *r, const struct entry *entry, const char *path)
{
	struct why ignored;
	struct model_file *file;
	char key[MODEL_PARAMS_MAX + 2];
	if (model_open(&file, path, &ignored))
		return false;
	const struct model_head *head = model_head(file);
	/* The parameters of learning are the last ones of the settings, all of them. */
	snprintf(key, sizeof key, ",%.*s", (int)(strcspn(head->params, "=") + 1), head->params);
	const char *asked = strstr(entry->settings, key);
	const bool fits = strcmp(head->agent, agent_class_of(entry->agent)->name) == 0 &&
			  strcmp(head->board, entry->game.name) == 0 &&
			  head->games == r->player->trained && asked &&
			  strcmp(asked + 1, head->params) == 0;
	model_close(file);
	return fits;
}

/* Whether the name of a model file is that of an experiment's learner of ENTRY with SEED, or of none. */
static bool name_fits(const struct entry *entry, uint64_t seed, const char *name)
{
	char label[RESULT_NAME_MAX], wanted[RESULT_NAME_MAX + 64];
	path_word(entry->label, label);
	snprintf(wanted, sizeof wanted, "%s-%s-%08" PRIx32 ".nxn", entry->game.name, label,
		 (uint32_t)entry_training(entry, seed));
	return strcmp(name, wanted) == 0;
}

/* Finds the model of ENTRY in FOLDER: that of its name, or else the only one that fits. */
static bool model_find(const struct again *r, const struct entry *entry, const char *folder,
		       char found[FOLDER_PATH_MAX])
{
	char path[FOLDER_PATH_MAX];
	int fitting = 0;
	bool named = false;
	DIR *files = opendir(folder);
	if (!files)
		return false;
	for (struct dirent *file; !named && (file = readdir(files));) {
		const char *dot = strrchr(file->d_name, '.');
		if (!dot || strcmp(dot, ".nxn") != 0 ||
		    path_format(path, NULL, "%s/%s", folder, file->d_name) ||
		    !model_fits(r, entry, path))
			continue;
		fitting++;
		named = name_fits(entry, r->seed, file->d_name);
		snprintf(found, FOLDER_PATH_MAX, "%s", path);
	}
	closedir(files);
	return named || fitting == 1;
}

/* Makes the player of ENTRY, trained as R says. False, with the reason, if that cannot be. */
static bool agent_make(struct again *r, const struct entry *entry, struct agent **agent)
{
	struct why why;
	char path[FOLDER_PATH_MAX];
	const struct agent_env env = {.game = &entry->game};
	if (agent_new(entry->agent, &env, agent, &why)) {
		unable_say(r, "%.240s", why.text);
		return false;
	}
	const struct agent_class *class = (*agent)->class;
	if (!class->trained || class->trained((*agent)->self) == r->player->trained)
		return true;
	for (size_t i = 0; i < r->model_folders; i++)
		if (model_find(r, entry, r->models[i], path) &&
		    agent_load(*agent, path, &why) == STATUS_OK &&
		    class->trained((*agent)->self) == r->player->trained)
			return true;
	unable_say(r, "its weights of that time are not there any more");
	agent_free(*agent);
	return false;
}

static bool go_on(void *context, const struct turn *turn, int move, const struct decision *decision)
{
	(void)context;
	(void)turn;
	(void)move;
	(void)decision;
	return !stop_requested();
}

/* Whether two distances to certainty are the same as the log writes them. */
static bool uncertainty_same(double a, double b)
{
	char x[32], y[32];
	snprintf(x, sizeof x, "%.6f", a);
	snprintf(y, sizeof y, "%.6f", b);
	return isnan(a) ? isnan(b) : strcmp(x, y) == 0;
}

/* Whether ROW is what came out, as far as its log tells. */
static bool row_same(const struct again *r, const struct gamelog_row *row,
		     const struct outcome *outcome)
{
	const uint64_t sum = isnan(outcome->uncertainty) ? 0 : board_sum(&outcome->last);
	if (outcome->score != row->score || outcome->moves != row->moves)
		return false;
	return r->gap ||
	       (UINT64_C(1) << outcome->max_exponent == row->max_tile && sum == row->sum &&
		uncertainty_same(outcome->uncertainty, row->uncertainty));
}

static void row_compare(struct again *r, const struct gamelog_row *row,
			const struct outcome *outcome)
{
	const uint64_t tile = UINT64_C(1) << outcome->max_exponent;
	r->done++;
	if (row_same(r, row, outcome) || r->bad++ > 0)
		return;
	bool other = outcome->score != row->score || outcome->moves != row->moves ||
		     (!r->gap && tile != row->max_tile);
	snprintf(r->reason, sizeof r->reason,
		 "game %" PRIu64 " of seed %" PRIu64 ": score %" PRIu64 ", largest tile %" PRIu64
		 ", %" PRIu64 " moves in the log, %" PRIu64 ", %" PRIu64 ", %" PRIu64 " here%s",
		 row->game, row->seed, row->score, row->max_tile, row->moves, outcome->score, tile,
		 outcome->moves, other ? "" : "; another sum or distance to certainty");
}

static enum status rows_play(struct again *r, struct agent *agent)
{
	struct why why;
	struct outcome outcome;
	const struct play_watch watch = {.move = go_on};
	for (size_t i = 0; i < r->row_count; i++) {
		bool finished = play_game(agent, r->seed, r->rows[i]->game, &watch, &outcome);
		if (stop_requested())
			return STATUS_STOPPED;
		if (agent_check(agent, &why)) {
			unable_say(r, "%.240s", why.text);
			return STATUS_OK;
		}
		if (finished)
			row_compare(r, r->rows[i], &outcome);
	}
	return STATUS_OK;
}

enum status again_run(struct again *replay)
{
	struct entry *entry = calloc(1, sizeof *entry);
	struct agent *agent;
	enum status status = STATUS_OK;
	if (!entry)
		unable_say(replay, "out of memory");
	else if (agent_clocked(replay->player->agent))
		unable_say(replay, "it decides by the clock");
	else if (strstr(replay->player->agent, "external"))
		unable_say(replay, "it is another program, which is not started here");
	else if (entry_make(replay, entry) && agent_make(replay, entry, &agent)) {
		status = rows_play(replay, agent);
		agent_free(agent);
	}
	free(entry);
	return status;
}
