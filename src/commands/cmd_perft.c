/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn perft: counts of what can be reached, to check move generators against each other. */
#include "analysis/tables/record.h"
#include "boards/perft.h"
#include "src/commands/command.h"
#include "src/cli/options.h"
#include "src/cli/provenance.h"

enum { PLIES_MAX = 1000000 };

struct perft_options {
	struct game_options game; /* game.start is the position */
	int plies;
};

static enum status options_check(void *input, struct why *why)
{
	const struct perft_options *options = input;
	if (!options->game.start && !options->game.shape)
		return why_set(why, STATUS_INPUT,
			       "--position, such as 0,2/2,0, or --board is missing");
	if (options->plies < 0)
		return why_set(why, STATUS_INPUT,
			       "--plies is missing: how many moves deep to count");
	return STATUS_OK;
}

#define FIELD(M) offsetof(struct perft_options, M)

static const struct command_option options_table[] = {
    OPTION("position", 'p', "POSITION", FIELD_TEXT, FIELD(game.start),
	   "Rows from the top separated by '/', tiles by ',', 0 for empty; also gives the shape"),
    OPTION("board", 'b', "RxC", FIELD_TEXT, FIELD(game.shape),
	   "Without --position: count from all positions that games on this board start from"),
    OPTION_NUMBER("plies", 'k', "K", FIELD_INT, FIELD(plies), 0, PLIES_MAX,
		  "Moves, each followed by a spawn (required)"),
    SPAWN_OPTION(game),
    FORMAT_OPTION,
    OPTIONS_END,
};

static const char doc[] =
    "Counts the positions that K plies reach from a position, or from the start of games.\v"
    "A ply is one legal move followed by one spawn in one empty cell; every kind of tile counts "
    "once, whatever its probability. The counts:\n"
    "  states       distinct boards after K plies, without symmetry\n"
    "  terminal     of these, boards without a legal move\n"
    "  pairs        pairs of one of these boards and a legal move\n"
    "  afterstates  distinct boards right after these moves, before the spawn\n"
    "  rewards      points, summed over the pairs\n"
    "  leaves       different sequences of K plies\n"
    "  leaf_score   points, summed over these sequences\n"
    "\n"
    "EXAMPLES\n"
    "  nxn perft --position 0,2/2,0 --plies 8\n"
    "  nxn perft --board 3x3 --plies 3\n"
    "  nxn perft --position 2,0,0,0/0,2,0,0/0,0,0,0/0,0,0,0 --plies 3 --spawn 2:1\n";

static enum status counts_print(const struct perft_options *options, const struct game *game,
				const struct perft *count, const struct invocation *call,
				struct why *why)
{
	struct record record = {.name = "perft", .width = 13};
	record_text(&record, "board", game->name);
	record_text(&record, "position", game->has_start ? options->game.start : "start");
	record_number(&record, "plies", (uint64_t)options->plies);
	record_number(&record, "states", count->states);
	record_number(&record, "terminal", count->terminal);
	record_number(&record, "pairs", count->pairs);
	record_number(&record, "afterstates", count->afterstates);
	record_number(&record, "rewards", count->rewards);
	record_number(&record, "leaves", count->leaves);
	record_number(&record, "leaf_score", count->leaf_score);
	return record_print(call, &record, why);
}

static enum status perft_run(void *input, const struct invocation *call, struct why *why)
{
	const struct perft_options *options = input;
	struct game game;
	struct perft count;
	enum status status = game_init(&game, &options->game, why);
	if (!status)
		status = perft_count(&game, game.has_start ? &game.start : NULL, options->plies,
				     &count, why);
	return status ? status : counts_print(options, &game, &count, call, why);
}

static const struct perft_options defaults = {.plies = -1};

const struct command cmd_perft = {
    .options = options_table,
    .check = options_check,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = perft_run,
};
