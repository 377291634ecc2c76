/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn play: one game, move by move; the very game that nxn compare plays for its seed and index. */
#include "agents/play.h"
#include "src/clock.h"
#include "src/command.h"
#include "src/options.h"
#include "src/screen.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { DELAY_DEFAULT = 100, DELAY_MAX = 60000, KEY_DELAY = 0x100, KEY_MOVES, KEY_WATCH };

enum style { STYLE_BOARDS, STYLE_MOVES, STYLE_WATCH };

struct play_options {
	struct game_options game;
	const char *agent;
	uint64_t seed, index;
	enum style style;
	int delay; /* milliseconds; -1 if not given */
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct play_options *options = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->game;
		state->child_inputs[1] = &options->game;
		state->child_inputs[2] = &options->seed;
		return 0;
	case 'a':
		options->agent = arg;
		return 0;
	case 'g':
		options->index = option_number(state, "--game", arg, 0, UINT64_MAX);
		return 0;
	case KEY_DELAY:
		options->delay = (int)option_number(state, "--delay", arg, 0, DELAY_MAX);
		return 0;
	case KEY_MOVES:
		options->style = STYLE_MOVES;
		return 0;
	case KEY_WATCH:
		if (!isatty(STDOUT_FILENO))
			option_error(state, "--watch: standard output is not a terminal");
		options->style = STYLE_WATCH;
		return 0;
	case ARGP_KEY_ARG:
		option_error(state, "unexpected argument '%s'", arg);
	case ARGP_KEY_END:
		if (options->delay >= 0 && options->style != STYLE_WATCH)
			option_error(state, "--delay is for --watch");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option table[] = {
    {"agent", 'a', "SPEC", 0, "Agent that plays, NAME:KEY=VALUE,... (default expectimax)", 0},
    {"game", 'g', "N", 0, "Index of the game under its seed (default 0)", 0},
    {"moves", KEY_MOVES, NULL, 0, "One line a move, also on a terminal", 0},
    {"watch", KEY_WATCH, NULL, 0, "Animate the game on the terminal", 0},
    {"delay", KEY_DELAY, "MS", 0, "Milliseconds between moves of --watch (default 100)", 0},
    {0},
};

static const char doc[] =
    "Plays one game and shows every move of it.\v"
    "On a terminal each position is drawn; elsewhere a move is a tab-separated row: its number, "
    "direction, reward, the score with it, and the position in which it was made. The last "
    "row, whose move is none, is the end of the game. The game is the one that nxn compare "
    "plays for this agent, board, seed and index.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn play --agent corners --board 3x3\n"
    "  nxn play --agent expectimax:depth=2 --board 5x5 --watch --delay 50\n"
    "  nxn play --agent greedy --seed 7 --game 3 --moves\n"
    "  nxn play --agent random --start 0,2/2,0 --spawn 2:1\n";

/* What the moves of one game are shown with. */
struct show {
	enum style style;
	int delay;	 /* milliseconds */
	uint64_t moves;	 /* made before the present one */
	double thinking; /* seconds, without the time that showing takes */
	double resumed;	 /* clock when the agent went on thinking */
	const char *agent;
};

static const char *const direction_names[] = {"up", "right", "down", "left"};

static void show_text(const struct show *show, const struct turn *turn, const char *move,
		      uint64_t reward)
{
	char position[BOARD_TEXT_MAX];
	uint64_t number = show->moves + 1, score = turn->score + reward;
	if (show->style == STYLE_MOVES) {
		board_format(turn->game, turn->board, position);
		printf("%" PRIu64 "\t%s\t%" PRIu64 "\t%" PRIu64 "\t%s\n", number, move, reward,
		       score, position);
	} else {
		screen_print(turn->game, turn->board);
		if (turn->moves.legal)
			printf("move %" PRIu64 ": %s, reward %" PRIu64 ", score %" PRIu64 "\n\n",
			       number, move, reward, score);
	}
	fflush(stdout);
}

static void show_watch(const struct show *show, const struct turn *turn, const char *move,
		       uint64_t reward)
{
	char text[128];
	snprintf(text, sizeof text, "%s  move %" PRIu64 " %s  +%" PRIu64 "  score %" PRIu64 "  %s",
		 turn->game->name, show->moves + 1, move, reward, turn->score + reward,
		 show->agent);
	screen_show(turn->game, turn->board, text);
	struct timespec pause = {.tv_sec = show->delay / 1000,
				 .tv_nsec = show->delay % 1000 * 1000000L};
	nanosleep(&pause, NULL);
}

static bool show_move(void *context, const struct turn *turn, int move,
		      const struct verdict *verdict)
{
	struct show *show = context;
	(void)verdict;
	show->thinking += clock_seconds() - show->resumed;
	if (show->style == STYLE_WATCH)
		show_watch(show, turn, direction_names[move], turn->moves.reward[move]);
	else
		show_text(show, turn, direction_names[move], turn->moves.reward[move]);
	show->moves++;
	show->resumed = clock_seconds();
	return true;
}

static void show_end(const struct show *show, const struct game *game,
		     const struct outcome *outcome)
{
	struct turn turn;
	turn_init(&turn, game, &outcome->last, outcome->score);
	show_text(show, &turn, "none", 0);
	printf("%sscore %" PRIu64 ", largest tile %" PRIu64 ", %" PRIu64 " moves, %.3f seconds\n",
	       show->style == STYLE_MOVES ? "# " : "", outcome->score,
	       (uint64_t)1 << outcome->max_exponent, outcome->moves, show->thinking);
}

static void play(struct agent *agent, const struct play_options *options)
{
	struct show show = {.style = options->style,
			    .delay = options->delay < 0 ? DELAY_DEFAULT : options->delay,
			    .agent = options->agent};
	struct play_watch watch = {.move = show_move, .context = &show};
	struct outcome outcome;
	if (show.style == STYLE_MOVES)
		puts("number\tmove\treward\tscore\tposition");
	if (show.style == STYLE_WATCH)
		screen_open();
	show.resumed = clock_seconds();
	play_game(agent, options->seed, options->index, &watch, &outcome);
	show.thinking += clock_seconds() - show.resumed;
	if (show.style == STYLE_WATCH)
		screen_close();
	show_end(&show, agent->game, &outcome);
}

int cmd_play(int argc, char **argv)
{
	static const struct argp_child children[] = {
	    {.argp = &options_board}, {.argp = &options_rule}, {.argp = &options_seed}, {0}};
	static const struct argp argp = {
	    .options = table, .parser = parse, .doc = doc, .children = children};
	struct play_options options = {
	    .agent = "expectimax",
	    .seed = 1,
	    .style = isatty(STDOUT_FILENO) ? STYLE_BOARDS : STYLE_MOVES,
	    .delay = -1,
	};
	struct game game;
	struct agent *agent = NULL;
	struct why why;
	argp_parse(&argp, argc, argv, 0, NULL, &options);
	enum status status = game_init(&game, &options.game, &why);
	struct agent_env env = {.game = &game};
	if (!status)
		status = agent_new(options.agent, &env, &agent, &why);
	if (status)
		return command_exit(argv[0], status, &why);
	play(agent, &options);
	agent_free(agent);
	return 0;
}
