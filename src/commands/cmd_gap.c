/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn gap: its options; the comparison with the optimum is in src/measure. */
#include "src/commands/command.h"
#include "src/measure/estimate.h"
#include "src/measure/gap.h"
#include "src/cli/options.h"

#include <string.h>

enum { GAMES_DEFAULT = 1000, GAMES_MAX = 10000000, TRAIN_DEFAULT = 100000, CURVE_DEFAULT = 7 };

static enum status options_check(void *input, struct why *why)
{
	const struct gap_options *options = input;
	if (!options->game.shape && !options->game.start)
		return why_set(
		    why, STATUS_INPUT,
		    "--board is missing: one that can be solved, such as 2x2, 2x3, 3x3 or "
		    "2x4");
	return STATUS_OK;
}

#define FIELD(M) offsetof(struct gap_options, M)

static const struct command_option options_table[] = {
    OPTION("board", 'b', "RxC", FIELD_TEXT, FIELD(game.shape),
	   "Board of R rows and C columns, small enough to be solved"),
    OPTION_NUMBER(
	"games", 'g', "N", FIELD_COUNT, FIELD(games), 2, GAMES_MAX,
	"Games of each player, and of a learner at each point of its training (default 1000)"),
    OPTION_NUMBER("train", 't', "N", FIELD_COUNT, FIELD(train), 1, COUNT_MAX,
		  "Training games of each learner that does not come from a file (default 100000)"),
    OPTION_NUMBER("curve", 0, "K", FIELD_COUNT, FIELD(curve), 1, SCHEDULE_POINTS_MAX,
		  "Compare learners with the optimum at K points of their training, in a geometric "
		  "series from a thousandth of it to all of it; 1: only at its end (default 7)"),
    OPTION("table", 0, "FILE", FIELD_NAME, FIELD(table),
	   "The optimum, as nxn solve --out writes it, for the score or for a target. Without it "
	   "nxn solves the board for the score and keeps the table in DIR"),
    OPTION_CHOICE(
	"exact", "auto|always|never", FIELD(exact),
	"Exact values instead of games. auto: for agents whose moves have known probabilities, if "
	"positions of the board times positions searched per move are at most 1e8 (100 per move "
	"of a learned player; learners trained here always play games); always; never (default "
	"auto)"),
    OPTION("out", 'o', "DIR", FIELD_NAME, FIELD(launch.directory),
	   "Folder of the results (default out/gap); a run in that folder is continued"),
    OPTION("no-figures", 0, NULL, FIELD_FLAG, FIELD(launch.no_figures),
	   "Write tables, but no figures and no page"),
    DRY_RUN_OPTION(dry_run),
    FULL_OPTION(launch.full),
    FORMAT_OPTION,
    RULE_OPTIONS(game),
    AGENTS_OPTION(agents),
    UNTRAINED_OPTION(untrained, " inside another agent, labelled 'NAME (untrained)'"),
    SEED_OPTION(seed),
    MEMORY_OPTION(memory),
    PACE_OPTIONS(launch.pace),
    SHARE_OPTION(launch.share),
    OPTIONS_END,
};

static const char doc[] =
    "Compares players with the exact optimum of a board: their expected score as a share of it, "
    "what their moves lose and how many are optimal, by the largest tile on the board, and "
    "learners over their training. Without --agents it takes every agent that needs no file, and "
    "trains learners first. Results go to a folder; work that is in the folder is not repeated. "
    "`nxn gap -b 3x3` compares every agent on 3x3 in a few minutes.\v"
    "For every player, the points of a game plus what its moves lost equal the optimum on average; "
    "the rest is luck of the spawns. With --full, `less luck` is the mean score with the share "
    "`beta` of the luck subtracted, which makes it most precise: the plain mean needs `gain` "
    "times as many games. A move loses the value of the best move minus its own; within 1e-9 of it "
    "the move is optimal. Results do not depend on the number of threads.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn gap -b 2x2 -a random,greedy,corners,expectimax -o out/g22\n"
    "  nxn gap -b 2x3 -a random,qlearn --train 2000 --curve 4 -g 200 -o out/g23\n"
    "  nxn gap -b 2x3 -a greedy --exact never -g 500 -o out/never --no-figures";

static enum status gap_run(void *input, const struct invocation *call, struct why *why)
{
	return gap_launch(input, call, why);
}

static const struct gap_options defaults = {
    .seed = 1,
    .games = GAMES_DEFAULT,
    .train = TRAIN_DEFAULT,
    .curve = CURVE_DEFAULT,
    .launch.directory = "out/gap",
};

const struct command cmd_gap = {
    .options = options_table,
    .check = options_check,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = gap_run,
    .shared = true,
};
