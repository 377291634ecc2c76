/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn solve for the optimum: from options to a task of agents/solver/solver.h, and to the table. */
#include "agents/solver/optimum.h"
#include "base/atomic_file.h"
#include "boards/board.h"
#include "base/clock.h"
#include "base/file.h"
#include "src/cli/provenance.h"
#include "src/run/solve.h"
#include "src/run/solve_show.h"
#include "src/run/solve_table.h"

#include <inttypes.h>

/* The largest sum of the tiles that a game begins with. */
static uint64_t start_sum(const struct game *game)
{
	const struct spawn_rule *spawn = &game->spawn;
	if (game->has_start)
		return board_sum(&game->start);
	return (uint64_t)game->start_tiles << spawn->exponent[spawn->kinds - 1];
}

enum status solve_check(const struct solve_options *options, const struct game *game,
			struct why *why)
{
	const uint64_t largest = (uint64_t)1 << game->max_exponent;
	if (options->target > largest)
		return why_set(why, STATUS_INPUT,
			       "--target: no game on %s reaches %" PRIu64
			       ", expected tiles up to %" PRIu64,
			       game->name, options->target, largest);
	if (options->max_sum && options->max_sum < start_sum(game))
		return why_set(why, STATUS_INPUT,
			       "--max-sum: %" PRIu64 " is less than the %" PRIu64
			       " that tiles may sum to when a game begins",
			       options->max_sum, start_sum(game));
	return STATUS_OK;
}

/* What --out names is to be written over hours later; now it can be told that it should not. */
static enum status out_check(const char *path, const struct game *game, struct why *why)
{
	struct optimum_head head;
	optimum_head_game(&head, game);
	enum status status = optimum_replace_check(path, &head, why);
	if (!status)
		leftovers_remove(path);
	return status;
}

enum status solve_optimum(const struct solve_options *options, const struct game *game,
			  const char *command, struct why *why)
{
	struct solve_show show = {
	    .forced = options->pace.progress,
	    .partial = options->target || options->max_sum,
	    /* All cells have the largest tile that does not win. */
	    .most = options->target / 2 * (uint64_t)game->cells,
	    .what = options->count ? "counting" : NULL,
	};
	const struct solve_task task = {
	    .game = game,
	    .goal = options->goal,
	    .target = options->target ? __builtin_ctzll(options->target) : 0,
	    .max_sum = options->max_sum,
	    .count = options->count,
	    .memory = options->memory,
	    .threads = options->pace.threads,
	    .work = options->work,
	    .out = options->out,
	    .made = version_text,
	    .tell = solve_show,
	    .context = &show,
	};
	struct solve_result result;
	const double started = clock_seconds();
	enum status status = solve_check(options, game, why);
	if (!status && options->out)
		status = out_check(options->out, game, why);
	if (status)
		return status;
	status = solve(&task, &result, why);
	solve_show_end(&show);
	if (status)
		return status;
	status = solve_table_print(options, game, command, &result, clock_seconds() - started, why);
	solve_result_free(&result);
	return status;
}
