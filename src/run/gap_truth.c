/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The optimum that players are held against; see gap.h. Only goals that add up along a game will do:
 * expected points, and the probability of a tile. A largest number under the best luck does not, and
 * a table that ends at some sum of the tiles is of another game.
 */
#include "src/run/gap.h"

#include "agents/solver/solver.h"
#include "base/file.h"
#include "base/atomic_file.h"
#include "src/run/solve_show.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static enum status head_check(const struct gap *gap, const char *path,
			      const struct optimum_head *head, struct why *why)
{
	struct optimum_head asked = {0};
	char start[BOARD_TEXT_MAX];
	optimum_head_game(&asked, &gap->game);
	optimum_starts(head, start);
	if (!optimum_games_alike(head, &asked))
		return why_set(why, STATUS_INPUT, "%s: is of games that start otherwise: with %s",
			       path, start);
	if (head->goal != GOAL_SCORE && head->goal != GOAL_TARGET)
		return why_set(why, STATUS_INPUT,
			       "%s: its goal is %s; games are held against score or target", path,
			       goal_name(head->goal));
	if (head->max_sum)
		return why_set(why, STATUS_INPUT,
			       "%s: its games end beyond a sum of %" PRIu64
			       "; whole games are needed",
			       path, head->max_sum);
	if (!(head->value > 0))
		return why_set(why, STATUS_INPUT, "%s: there is nothing to win: the optimum is %g",
			       path, head->value);
	return STATUS_OK;
}

static enum status table_open(struct gap *gap, const char *path, struct why *why)
{
	struct optimum *optimum;
	enum status status = optimum_open(path, &gap->game, &optimum, why);
	if (status)
		return status;
	status = head_check(gap, path, optimum_head(optimum), why);
	if (status)
		optimum_close(optimum);
	else
		gap->optimum = optimum;
	return status;
}

enum status truth_open(struct gap *gap, struct why *why)
{
	return gap->options->table ? table_open(gap, gap->options->table, why) : STATUS_OK;
}

static enum status table_make(const struct gap *gap, const char *path, struct why *why)
{
	struct solve_result result;
	struct solve_show show = {.forced = gap->options->pace.progress};
	const struct solve_task task = {
	    .game = &gap->game,
	    .goal = GOAL_SCORE,
	    .memory = gap->options->memory,
	    .threads = gap->options->pace.threads,
	    .out = path,
	    .tell = solve_show,
	    .context = &show,
	};
	leftovers_remove(path);
	enum status status = solve(&task, &result, why);
	solve_show_end(&show);
	if (!status)
		solve_result_free(&result);
	return status;
}

/* Waits for a while, or to the end that is asked for. */
static enum status wait_for_others(const struct gap *gap)
{
	const struct timespec pause = {.tv_nsec = 200 * 1000 * 1000};
	nanosleep(&pause, NULL);
	return gap_ending(gap) ? STATUS_STOPPED : STATUS_OK;
}

/* The table made by one of the shares, whichever comes first; the others wait for it. */
static enum status table_share(const struct gap *gap, const char *path, struct why *why)
{
	struct lock lock = {0};
	enum status status = STATUS_OK;
	while (!status && access(path, F_OK) != 0) {
		enum status locked = lock_take(&lock, path, why);
		if (locked == STATUS_INPUT)
			status = wait_for_others(gap);
		else if (locked)
			status = locked;
		else if (access(path, F_OK) != 0)
			status = table_make(gap, path, why);
		lock_release(&lock);
	}
	return status;
}

enum status truth_solve(struct gap *gap, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	if (gap->optimum)
		return STATUS_OK;
	enum status status =
	    path_format(path, why, "%s/optimal-%s.nxo", gap->options->directory, gap->game.name);
	if (!status && access(path, F_OK) != 0)
		status = *gap->options->share.part ? table_share(gap, path, why)
						   : table_make(gap, path, why);
	return status ? status : table_open(gap, path, why);
}

void truth_unit(const struct gap *gap, char text[64])
{
	const struct optimum_head *head = optimum_head(gap->optimum);
	if (head->goal == GOAL_TARGET)
		snprintf(text, 64, "(probability of a tile of %" PRIu64 ")",
			 UINT64_C(1) << head->target);
	else
		snprintf(text, 64, "points");
}

void truth_text(const struct gap *gap, char text[64])
{
	const struct optimum_head *head = optimum_head(gap->optimum);
	snprintf(text, 64, "gap %s %d", goal_name(head->goal), head->target);
}
