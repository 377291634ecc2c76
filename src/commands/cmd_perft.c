/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn perft: reachability counts of one position, to check move generators against each other. */
#include "boards/perft.h"
#include "src/commands/command.h"
#include "src/cli/options.h"
#include "src/cli/provenance.h"

#include <inttypes.h>
#include <stdio.h>

enum { PLIES_MAX = 1000000 };

struct perft_options {
	struct game_options game; /* game.start is the position */
	int plies;
};

static void options_check(struct argp_state *state, void *input)
{
	const struct perft_options *options = input;
	if (!options->game.start)
		option_error(state, "--position is missing, such as 0,2/2,0");
	if (options->plies < 0)
		option_error(state, "--plies is missing: how many moves deep to count");
}

#define FIELD(M) offsetof(struct perft_options, M)

static const struct command_option options_table[] = {
    OPTION("position", 'p', "POSITION", OPTION_TEXT, FIELD(game.start),
	   "Rows from the top separated by '/', tiles by ',', 0 for empty; also gives the shape"),
    OPTION_NUMBER("plies", 'k', "K", OPTION_INT, FIELD(plies), 0, PLIES_MAX,
		  "Moves to make, each followed by a spawn"),
    SPAWN_OPTION(game),
    FORMAT_OPTION,
    {0},
};

static const char doc[] =
    "Counts what K plies reach from a position: one tab-separated line under a header.\v"
    "A ply is one legal move followed by one spawn in one empty cell; every kind of tile counts "
    "once, whatever its probability. The columns:\n"
    "  states       distinct boards after K plies, without symmetry\n"
    "  terminal     of these, boards without a legal move\n"
    "  pairs        (board, legal move) among them\n"
    "  afterstates  distinct boards right after these moves, before the spawn\n"
    "  rewards      points, summed over the pairs\n"
    "  leaves       different sequences of K plies\n"
    "  leaf_score   points, summed over these sequences\n"
    "\n"
    "EXAMPLES\n"
    "  nxn perft --position 0,2/2,0 --plies 8\n"
    "  nxn perft --position 2,0,0,0/0,2,0,0/0,0,0,0/0,0,0,0 --plies 3 --spawn 2:1\n";

struct perft_row {
	const char *board, *position;
	int plies;
	struct perft count;
};

#define COLUMN(title, kind, member) TABLE_COLUMN(struct perft_row, title, kind, member)

static const struct table_column columns[] = {
    COLUMN("board", TEXT, board),
    COLUMN("position", TEXT, position),
    COLUMN("plies", INT, plies),
    COLUMN("states", NUMBER, count.states),
    COLUMN("terminal", NUMBER, count.terminal),
    COLUMN("pairs", NUMBER, count.pairs),
    COLUMN("afterstates", NUMBER, count.afterstates),
    COLUMN("rewards", NUMBER, count.rewards),
    COLUMN("leaves", NUMBER, count.leaves),
    COLUMN("leaf_score", NUMBER, count.leaf_score),
    {0},
};

static void row_print(FILE *file, const void *data, bool full)
{
	const struct perft_row *row = data;
	const struct perft *c = &row->count;
	(void)full;
	fputs("shape\tboard\tk\tstates\tterminal\tpairs\tafterstates\trewards\tleaves\t"
	      "leaf_score\n",
	      file);
	fprintf(file,
		"%s\t%s\t%d\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
		"\t%" PRIu64 "\t%" PRIu64 "\n",
		row->board, row->position, row->plies, c->states, c->terminal, c->pairs,
		c->afterstates, c->rewards, c->leaves, c->leaf_score);
}

static void perft_rows(const struct table_out *out, const void *data)
{
	table_put(out, data);
}

static enum status perft_run(void *input, const struct invocation *call, struct why *why)
{
	static const struct tables tables = {
	    .print = row_print,
	    .table = {{"perft", "rewards and leaf_score in points", columns, perft_rows}}};
	const struct perft_options *options = input;
	struct game game;
	struct perft_row row = {.position = options->game.start, .plies = options->plies};
	enum status status = game_init(&game, &options->game, why);
	if (!status)
		status = perft_count(&game, &game.start, options->plies, &row.count, why);
	if (status)
		return status;
	row.board = game.name;
	return result_print(call, &tables, "perft", &row, false, why);
}

static const struct perft_options defaults = {.plies = -1};

const struct command cmd_perft = {
    .options = options_table,
    .check = options_check,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = perft_run,
};
