/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The optimum that nxn gap compares players with; see gap.h. Only goals that add up along a game
 * are possible: expected points, and the probability of a tile. The largest possible score or
 * length does not add up, and a table limited to a sum of tiles is of another game.
 */
#include "src/measure/gap.h"

#include "agents/solver/solver.h"
#include "base/file.h"
#include "base/stop.h"
#include "src/games/progress.h"

#include <time.h>
#include <unistd.h>

/* Checks that games of GAME can be compared with the table. */
static enum status table_check(const struct optimum *optimum, const struct game *game,
			       struct why *why)
{
	const struct optimum_header *head = optimum_header(optimum);
	const char *path = optimum_path(optimum);
	if (head->goal != GOAL_SCORE && head->goal != GOAL_TARGET)
		return why_set(why, STATUS_INPUT,
			       "%s: its goal is %s; games are compared with score or target", path,
			       goal_name(head->goal));
	if (!(head->value > 0))
		return why_set(why, STATUS_INPUT, "%s: there is nothing to win: the optimum is %g",
			       path, head->value);
	return optimum_fits(optimum, game, head->goal, 0, why);
}

static enum status table_make(const struct gap_options *options, const struct game *game,
			      const char *path, struct why *why)
{
	struct solve_result result;
	struct solve_show show = {.forced = options->launch.pace.progress};
	const struct solve_task task = {
	    .game = game,
	    .goal = GOAL_SCORE,
	    .memory = options->memory,
	    .threads = options->launch.pace.threads,
	    .out = path,
	    .tell = solve_show,
	    .context = &show,
	};
	enum status status = link_refuse(path, "a table file", why);
	if (status)
		return status;
	leftovers_remove(path);
	status = solve(&task, &result, why);
	solve_show_end(&show);
	if (!status)
		solve_result_free(&result);
	return status;
}

/* Makes the table unless it exists. The first share to lock it makes it; the others wait for it. */
static enum status table_share(const struct gap_options *options, const struct game *game,
			       const char *path, struct why *why)
{
	const struct timespec pause = {.tv_nsec = 200 * 1000 * 1000};
	enum status status = STATUS_OK;
	while (!status && access(path, F_OK) != 0) {
		struct lock lock = {0};
		status = lock_take(&lock, path, why);
		if (lock.busy) {
			nanosleep(&pause, NULL);
			status = stop_requested() ? STATUS_STOPPED : STATUS_OK;
		} else if (!status && access(path, F_OK) != 0) {
			status = table_make(options, game, path, why);
		}
		lock_release(&lock);
	}
	return status;
}

enum status gap_optimum_open(const struct gap_options *options, const struct game *game,
			     struct optimum **optimum, struct why *why)
{
	char made[FOLDER_PATH_MAX];
	const char *path = options->table ? options->table : made;
	if (*optimum)
		return STATUS_OK;
	enum status status =
	    path_format(made, why, "%s/optimal-%s.nxo", options->launch.directory, game->name);
	if (!status && !options->table)
		status = table_share(options, game, path, why);
	if (!status)
		status = optimum_open(path, game, true, optimum, why);
	return status ? status : table_check(*optimum, game, why);
}
