/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn sweep: a search with several depths and cutoffs on several boards, timed and played. */
#include "base/stop.h"
#include "base/xalloc.h"
#include "src/commands/command.h"
#include "src/cli/options.h"
#include "src/measure/estimate.h"
#include "src/measure/sweep.h"

#include <stdlib.h>

struct sweep_options {
	struct text_list boards;
	struct game_options rule;
	uint64_t seed;
	struct sweep sweep;
	bool dry_run;
	struct launch_options launch;
};

static enum status options_check(void *input, struct why *why)
{
	struct sweep_options *options = input;
	return sweep_complete(&options->sweep, why);
}

#define FIELD(M) offsetof(struct sweep_options, M)

static const struct command_option options_table[] = {
    SWEEP_OPTIONS(FIELD(sweep)), BOARDS_OPTION(boards),	 SPAWN_OPTION(rule), SEED_OPTION(seed),
    DRY_RUN_OPTION(dry_run),	 LAUNCH_OPTIONS(launch), OPTIONS_END,
};

static const char doc[] =
    "Runs a search with every depth and cutoff on every board; each combination is a cell. It "
    "reports the time per move, the positions searched per move, the hits of the transposition "
    "table and, with --games, the score; which cells are best, as no other is both better and "
    "faster (the Pareto front); and the best cell for a time per move (--budget). Results go to a "
    "folder "
    "(default out/sweep); measurements that are in the folder are not repeated.\v"
    "All cells of a board search the same positions in several rounds (--rounds), and each round "
    "takes the cells in another random order. The time per move of a cell is the median over the "
    "rounds of its mean over the positions, with a 95% interval over the rounds: it widens on a "
    "busy machine. Cells that search and play exactly the same are one cell and share one "
    "estimate.\n"
    "\n"
    "In each round a new player searches every position once, after other positions. So the "
    "transposition table has no entry of a position, unless FILE has positions close to each "
    "other, and all rounds search the same. Sampled positions come from games of "
    "expectimax:depth=1, one per game, at a random move; they depend on board and seed alone. "
    "Times are processor time of the searching thread; for agents with threads of their own they "
    "are elapsed time. Cells are timed in parallel, one per thread; with -j 1 they do not disturb "
    "each other. nxn measures times of another version, machine or number of threads again.\n"
    "\n"
    "A cell that reaches --cell-limit has fewer positions, and the table says how many. A running "
    "search is not interrupted, so the mean time is too long, by about 10% with 3 searches and 2% "
    "with 17. Without positions, times are those of the games, where the transposition table "
    "has entries of earlier moves; with both, --full also shows the times of the games. Without "
    "games, the "
    "recommended cell is the one that searches the most positions.\n"
    "\n"
    "`nxn compare figure9`, `figure10` and `pareto` are sweeps that come with nxn.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn sweep -b 4x4 -d 1-3 -c 1e-2,1e-3 -p 20 -B 100us,1ms -o out/s\n"
    "  nxn sweep -b 3x3,3x4 -d 1,2 -c 1e-3 -p 10 -g 10 -B 1ms -o out/t --no-figures\n"
    "  nxn sweep -b 3x3 -a expectimax:value=score -d 2,3 -c 0 -g 5 -o out/u";

static enum status experiment_make(struct experiment *experiment,
				   const struct sweep_options *options, struct why *why)
{
	static char *const usual[] = {"4x4"};
	struct experiment made = {.seed = options->seed, .sweep = xcalloc(1, sizeof *made.sweep)};
	*made.sweep = options->sweep;
	size_t n = options->boards.n ? options->boards.n : 1;
	char *const *boards = options->boards.n ? options->boards.item : usual;
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < n; i++) {
		struct game game;
		struct game_options rule = options->rule;
		rule.shape = boards[i];
		status = game_init(&game, &rule, why);
		if (!status)
			status = sweep_add_cells(&options->sweep, &made, &game, why);
	}
	if (status)
		experiment_fini(&made);
	else
		*experiment = made;
	return status;
}

static enum status sweep_run(void *input, const struct invocation *call, struct why *why)
{
	const struct sweep_options *options = input;
	struct experiment experiment;
	stop_catch();
	enum status status = launch_begun(experiment_make(&experiment, options, why), call);
	if (status)
		return status;
	status =
	    (options->dry_run ? dry_run : sweep_launch)(&experiment, &options->launch, call, why);
	experiment_fini(&experiment);
	return status;
}

static const struct sweep_options defaults = {
    .seed = 1, .sweep = SWEEP_DEFAULTS, .launch.directory = "out/sweep"};

const struct command cmd_sweep = {
    .options = options_table,
    .check = options_check,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = sweep_run,
    .shared = true,
};
