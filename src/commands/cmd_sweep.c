/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn sweep: a search with several depths and cutoffs on several boards, timed and played. */
#include "src/commands/command.h"
#include "src/cli/options.h"
#include "src/run/sweep_launch.h"

#include <stdlib.h>

enum { KEY_CELL_LIMIT = 0x100, KEY_PLAY_LIMIT };

struct sweep_options {
	struct text_list boards;
	struct game_options rule;
	uint64_t seed;
	struct sweep sweep;
	struct launch_options launch;
};

/* Hands each piece of the list ARG to ADD. */
static void list_parse(struct argp_state *state, const char *what, const char *arg,
		       struct sweep_values *values,
		       enum status (*add)(struct sweep_values *, const char *, const char *,
					  struct why *))
{
	struct why why;
	struct text_list list = {0};
	enum status status = list_split(&list, what, arg, &why);
	for (size_t i = 0; !status && i < list.n; i++)
		status = add(values, what, list.item[i], &why);
	list_free(&list);
	option_check(state, status, &why);
}

/* The options whose argument is one value of the sweep. */
static enum status value_parse(int key, const char *arg, struct sweep *sweep, struct why *why)
{
	switch (key) {
	case 'a':
		return sweep_set_agent(sweep, "--agent", arg, why);
	case 'p':
		return sweep_set_positions(sweep, "--positions", arg, why);
	case KEY_CELL_LIMIT:
		return sweep_time("--cell-limit", arg, &sweep->cell_limit, why);
	case KEY_PLAY_LIMIT:
		return sweep_time("--play-limit", arg, &sweep->play_limit, why);
	default:
		return number_parse("--games", arg, 1, COUNT_MAX, &sweep->games, why);
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct why why;
	struct sweep_options *options = state->input;
	struct sweep *sweep = &options->sweep;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->boards;
		state->child_inputs[1] = &options->rule;
		state->child_inputs[2] = &options->seed;
		state->child_inputs[3] = &options->launch;
		return 0;
	case 'd':
		list_parse(state, "--depths", arg, &sweep->depths, sweep_add_depths);
		return 0;
	case 'c':
		list_parse(state, "--cutoffs", arg, &sweep->cutoffs, sweep_add_cutoff);
		return 0;
	case 'B':
		list_parse(state, "--budget", arg, &sweep->budgets, sweep_add_budget);
		return 0;
	case 'a':
	case 'p':
	case 'g':
	case KEY_CELL_LIMIT:
	case KEY_PLAY_LIMIT:
		option_check(state, value_parse(key, arg, sweep, &why), &why);
		return 0;
	case ARGP_KEY_ARG:
		option_error(state, "unexpected argument '%s'", arg);
	case ARGP_KEY_END:
		option_check(state, sweep_complete(sweep, &why), &why);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option table[] = {
    {"depths", 'd', "LIST", 0, "Depths, as in 2,4-6 (default 1-9)", 0},
    {"cutoffs", 'c', "LIST", 0, "Cutoffs (default 1e-2,1e-3,1e-4,1e-5,1e-6)", 0},
    {"agent", 'a', "SPEC", 0, "The search, without depth and cutoff (default expectimax)", 0},
    {"positions", 'p', "N|FILE", 0,
     "Positions to time a move on: N of each board, each of another game, or those in FILE, one a "
     "line as nxn eval reads them (default 100, or none with --games)",
     0},
    {"games", 'g', "N", 0, "Games of each cell, for its score (default none)", 0},
    {"budget", 'B', "LIST", 0, "Times a move to recommend a cell for, as in 500us,10ms,1s", 0},
    {"cell-limit", KEY_CELL_LIMIT, "TIME", 0,
     "Go on to the next cell when its searches have taken so long (default 60s)", 0},
    {"play-limit", KEY_PLAY_LIMIT, "TIME", 0,
     "Play no games of cells that take longer a move, on average over the positions", 0},
    {0},
};

static const struct argp_child children[] = {{.argp = &options_boards},
					     {.argp = &options_spawn},
					     {.argp = &options_seed},
					     {.argp = &launch_argp},
					     {0}};

static const char doc[] =
    "Runs a search with every depth and cutoff on every board, each combination a cell, and tells "
    "its time a move, positions searched a move, hits of its table, and, with --games, its score; "
    "which cells no other one beats in both score and time (the Pareto front); and for a time a "
    "move (--budget) the best cell. Results go to a folder (default out/sweep); what it holds "
    "already is not measured again."
    "\v"
    "All cells of a board search the same positions, each once, in a player that is new in each "
    "cell and has searched other positions before: its table knows nothing of a position, unless "
    "FILE holds positions near to each other. Sampled positions are of games of "
    "expectimax:depth=1, one of each, at a move chosen at random; they depend on board and seed "
    "alone. A time is that of the searching thread on its processor; for agents with threads of "
    "their own it is the time that passed. Cells are timed in parallel, one a thread; -j 1 "
    "disturbs "
    "them less. Times of another version, machine or number of threads are measured anew.\n"
    "\n"
    "A cell that reaches --cell-limit has fewer positions, and the table says how many. A search "
    "under way is not cut short, so that its mean time is too long, by some 10% of 3 searches and "
    "2% of 17. Without positions, times are those of the games, where a table "
    "knows much of what a search meets; with both, those of the games are shown as ms there. "
    "Without games, the recommended cell is the one that searches the most positions.\n"
    "\n"
    "`nxn run figure9`, `figure10` and `pareto` are sweeps that come with nxn.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn sweep -b 4x4 -d 1-3 -c 1e-2,1e-3 -p 20 -B 100us,1ms -o out/s\n"
    "  nxn sweep -b 3x3,3x4 -d 1,2 -c 1e-3 -p 10 -g 10 -B 1ms -o out/t --no-figures\n"
    "  nxn sweep -b 3x3 -a expectimax:value=score -d 2,3 -c 0 -g 5 -o out/u";

const struct argp sweep_argp = {
    .options = table, .parser = parse, .doc = doc, .children = children};

static enum status experiment_make(struct experiment *experiment,
				   const struct sweep_options *options, struct why *why)
{
	static char *const usual[] = {"4x4"};
	struct experiment made = {.seed = options->seed};
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

int cmd_sweep(int argc, char **argv)
{
	struct why why;
	struct launch_command command;
	struct sweep_options options = {
	    .seed = 1, .sweep = sweep_make(), .launch = {.pace = {.threads = threads_default()}}};
	enum status status = launch_command_init(&command, argc, argv, &why);
	if (status)
		return command_exit(argv[0], status, &why);
	options_parse(&sweep_argp, argc, argv, 0, &options);
	if (!options.launch.directory)
		options.launch.directory = "out/sweep";

	int result;
	struct experiment experiment;
	status = experiment_make(&experiment, &options, &why);
	if (status) {
		result = command_exit(command.name, status, &why);
	} else {
		result = sweep_launch(&experiment, &options.sweep, &options.launch, &command);
		experiment_fini(&experiment);
	}
	list_free(&options.boards);
	launch_command_fini(&command);
	return result;
}
