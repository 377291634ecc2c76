/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn verify: its options; the checks are in src/verify. */
#include "src/commands/command.h"
#include "src/cli/options.h"
#include "base/stop.h"
#include "src/verify/verify.h"

enum { PLIES_MAX = 1000000 };

/* The questions; a command line asks one of them. */
enum question { OWN, AGAINST, RUNS, COUNTS };

struct verify_options {
	struct text_list runs; /* first, for argument_add() */
	struct verify verify;
	struct against_options against;
	double fraction; /* of the games of RUNS; 0: 1% */
	int plies;	 /* of COUNTS; negative: not given */
	struct game_options game;
};

static enum question question(const struct verify_options *options)
{
	return options->against.command ? AGAINST
	       : options->plies >= 0	? COUNTS
	       : options->runs.n	? RUNS
					: OWN;
}

/* Refuses options that belong to another question. */
static enum status options_match(void *input, struct why *why)
{
	const struct verify_options *o = input;
	const struct game_options *game = &o->game;
	const struct against_options *against = &o->against;
	const enum question asked = question(o);
	const struct option_rule rules[] = {
	    {asked != OWN && (o->verify.only || o->verify.list || o->verify.thorough),
	     "--only, --list and --long: only for nxn's own checks"},
	    {asked != OWN && o->verify.vectors, "--vectors: only for nxn's own checks"},
	    {asked != AGAINST && asked != COUNTS && against->boards.n,
	     "--boards: only for --against and --plies"},
	    {asked != AGAINST && (against->positions || against->steps || against->seconds > 0),
	     "--positions, --steps and --timeout: only for --against"},
	    {asked != RUNS && o->runs.n, "RUN: not with --against or --plies"},
	    {asked == AGAINST && o->plies >= 0, "--plies: not with --against"},
	    {asked != RUNS && o->fraction > 0, "--fraction: only for games of a RUN"},
	    {asked != RUNS && asked != COUNTS && (game->start || game->spawn || game->start_tiles),
	     "--start, --start-tiles and --spawn: only for games of a RUN and --plies"},
	    {asked == COUNTS && (game->start ? against->boards.n > 1 : against->boards.n != 1),
	     "--plies: expected --start, such as 0,2/2,0, or one board of --boards"},
	    {0},
	};
	return rules_check(rules, why);
}

#define FIELD(M) offsetof(struct verify_options, M)

static const struct command_option options_table[] = {
    OPTION("only", 'o', "CHECK", FIELD_TEXT, FIELD(verify.only),
	   "Run the checks with this name or pattern: perft, '*s', solver-long. A check of --long "
	   "needs its full name, or --long"),
    OPTION("list", 0, NULL, FIELD_FLAG, FIELD(verify.list), "List the checks and run none"),
    OPTION("long", 0, NULL, FIELD_FLAG, FIELD(verify.thorough),
	   "Also run the checks that take longer"),
    OPTION("vectors", 0, "DIR", FIELD_NAME, FIELD(verify.vectors),
	   "Read perft.txt, expectimax.txt, exact.txt and layers.txt from DIR (default: those that "
	   "come with nxn)"),
    OPTION_GROUP_MARK(1, "Another program:"),
    OPTION("against", 0, "COMMAND", FIELD_NAME, FIELD(against.command),
	   "Check another program, which COMMAND starts without a shell, by the protocol of "
	   "docs/conformance.md"),
    OPTION("boards", 'b', "RxC,...", FIELD_LIST, FIELD(against.boards),
	   "Boards of the program, as in 3x3,4x4,5x6 (default: all of them); or that of --plies"),
    OPTION_NUMBER("positions", 0, "N", FIELD_COUNT, FIELD(against.positions), 1, 1000000000,
		  "Positions drawn on each board (default 1000)"),
    OPTION_NUMBER("steps", 0, "N", FIELD_COUNT, FIELD(against.steps), 1, 1000000000,
		  "Moves in games that the program plays on each board (default 20000)"),
    OPTION("timeout", 0, "TIME", FIELD_DURATION, FIELD(against.seconds),
	   "Time that an answer may take (default 10s)"),
    OPTION_GROUP_MARK(2, "Games of a RUN, and counts:"),
    OPTION_NUMBER("fraction", 0, "SHARE", FIELD_SHARE, FIELD(fraction), 0, 1,
		  "Share of the games of each player to play again, at least one of each (default "
		  "1%)"),
    OPTION_NUMBER("plies", 'k', "K", FIELD_INT, FIELD(plies), 0, PLIES_MAX,
		  "Count the positions that K plies reach from --start, or from the start of games "
		  "on --boards"),
    RULE_OPTIONS(game),
    OPTION_GROUP_MARK(0, ""),
    FORMAT_OPTION,
    SEED_OPTION(verify.seed),
    THREADS_OPTION(verify.threads),
    OPTIONS_END,
};

static const char doc[] =
    "Checks nxn against results from elsewhere: counts and values of independent programs, "
    "published figures, plain definitions and statistics. Also checks the games of a RUN, a folder "
    "of results or a bundle of nxn report, and other programs.\v"
    "Prints one line per figure: the check, what was compared, the figure found, the one expected, "
    "and ok or FAILED. The last line counts them. The exit status is 1 if any failed. "
    "docs/conformance.md defines the figures.\n"
    "\n"
    "With --against the program's after-states and scores, and the moves it plays, are compared "
    "with nxn's on the boards that it knows, or on --boards. The first positions that differ are "
    "shown with what the program says and what is right. If the program plays games itself "
    "(`step`), nxn also checks its start tiles, new tiles, legal moves and scores; chi-squared "
    "tests check cells and kinds of new tiles. docs/check-program.md is a guide.\n"
    "\n"
    "Games of a RUN, chosen by --seed, are played again by the agent in the log, if its models "
    "still exist, and compared bit for bit: score, largest tile, moves, and for players that "
    "report probabilities sum and uncertainty. nxn cannot check learners in the middle of training "
    "whose weights no longer exist, or agents that decide by the clock; it lists them. The exit "
    "status is "
    "1 if a game differs or a file of a bundle differs from its checksum.\n"
    "\n"
    "With --plies, a ply is one legal move followed by one spawn in one empty cell; every kind of "
    "tile counts once, whatever its probability. The counts:\n"
    "  states       distinct boards after K plies, without symmetry\n"
    "  terminal     of these, boards without a legal move\n"
    "  pairs        pairs of one of these boards and a legal move\n"
    "  afterstates  distinct boards right after these moves, before the spawn\n"
    "  rewards      points, summed over the pairs\n"
    "  leaves       different sequences of K plies\n"
    "  leaf_score   points, summed over these sequences\n"
    "\n"
    "EXAMPLES\n"
    "  nxn verify\n"
    "  nxn verify --list\n"
    "  nxn verify --only perft\n"
    "  nxn verify --against 'nxn eval --serve --agent greedy' --boards 3x3,4x5\n"
    "  nxn compare -b 3x3 -a random,corners -g 40 -o out/e --no-figures\n"
    "  nxn verify out/e --fraction 10%\n"
    "  nxn verify --plies 8 --start 0,2/2,0\n"
    "  nxn verify --plies 3 --boards 3x3 --spawn 2:1\n";

static enum status verify_run(void *input, const struct invocation *call, struct why *why)
{
	struct verify_options *options = input;
	const struct runs_options runs = {.name = call->name,
					  .fraction =
					      options->fraction > 0 ? options->fraction : 0.01,
					  .seed = options->verify.seed,
					  .threads = options->verify.threads,
					  .game = options->game};
	struct against_options *against = &options->against;
	struct game game;
	struct game_options rule = options->game;
	const enum question asked = question(options);
	/* The rules of COUNTS; those of RUNS are checked here, and tried with boards of games. */
	rule.shape = asked == COUNTS && against->boards.n ? against->boards.item[0]
		     : rule.start			  ? NULL
							  : "6x6";
	if ((asked == COUNTS || asked == RUNS) && game_init(&game, &rule, why))
		return STATUS_INPUT;
	against->positions = against->positions ? against->positions : 1000;
	against->steps = against->steps ? against->steps : 20000;
	against->seconds = against->seconds > 0 ? against->seconds : 10;
	stop_catch();
	switch (asked) {
	case COUNTS:
		return verify_counts(&game, rule.start, options->plies, call, why);
	case RUNS:
		return call->printer.format == FORMAT_TEXT
			   ? verify_runs(&options->runs, &runs, why)
			   : why_set(why, STATUS_INPUT, "--format: not for games of a RUN");
	default:
		options->verify.against = against->command ? against : NULL;
		return verify_figures(&options->verify, call, why);
	}
}

static const struct verify_options defaults = {.verify.seed = 1, .plies = -1};

const struct command cmd_verify = {
    .options = options_table,
    .arguments = "[RUN...]",
    .argument = argument_add,
    .check = options_match,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = verify_run,
};
