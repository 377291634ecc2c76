/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A game by a person; see play_human(). What is seen is the screen; or, where there is none, each
 * move as show.c has it, and what there is to say on standard error.
 *
 * Every position that was left is kept with the state of the spawn stream in it, so that taking a
 * move back is going there. A game that is recorded goes only forwards: who takes moves back knows
 * what will appear, and a record could not tell.
 */
#include "base/array.h"
#include "base/clock.h"
#include "base/stop.h"
#include "src/play/recorder.h"
#include "src/play/watch.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* How long a change of the screen's size, or advice, may go unnoticed. */
enum { WAIT_MILLISECONDS = 100, ADVICE_MILLISECONDS = 20 };

/* ---- An agent that is asked for advice, in a thread that lives as long as a question. */

/* What an adviser tells of a position. */
struct adviser_answer {
	struct board board;
	int move;
	float seconds;
	struct decision decision;
};

struct adviser {
	struct game game;
	struct agent *agent;
	uint64_t seed, index;
	pthread_t thread;
	bool asked; /* and the answer was not taken yet */
	/* The thread's, while there is one. */
	struct turn turn;
	struct adviser_answer answer;
	enum status status;
	struct why why;
};

/* Makes the adviser AGENT for game INDEX of SEED on GAME, which outlives it. */
static enum status adviser_new(const char *agent, const struct game *game, uint64_t seed,
			       uint64_t index, struct adviser **adviser, struct why *why)
{
	struct adviser *made = calloc(1, sizeof *made);
	if (!made)
		return why_errno(why, "an adviser");
	made->game = *game;
	made->seed = seed;
	made->index = index;
	struct agent_env env = {.game = &made->game};
	enum status status = agent_new(agent, &env, &made->agent, why);
	if (status)
		free(made);
	else
		*adviser = made;
	return status;
}

static void *adviser_think(void *context)
{
	struct adviser *adviser = context;
	const struct agent *agent = adviser->agent;
	struct adviser_answer *answer = &adviser->answer;
	struct rng choices;
	const double began = clock_seconds();
	decision_init(&answer->decision);
	rng_init(&choices, adviser->seed, RNG_AGENT, adviser->index);
	answer->move = agent->class->act(agent->self, &adviser->turn, &choices, &answer->decision);
	answer->seconds = (float)(clock_seconds() - began);
	adviser->status = agent_check(agent, &adviser->why);
	return NULL;
}

/*
 * Begins to think about TURN, in which some move is legal, drawing from the beginning of the game's
 * stream; not while it thinks.
 */
static enum status adviser_ask(struct adviser *adviser, const struct turn *turn, struct why *why)
{
	adviser->answer.board = *turn->board;
	turn_init(&adviser->turn, &adviser->game, &adviser->answer.board, turn->score);
	enum status status = side_thread_start(&adviser->thread, adviser_think, adviser, why);
	adviser->asked = !status;
	return status;
}

/*
 * Takes the answer in at most MILLISECONDS, or in whatever it takes if they are negative; true if
 * there is one, or, in STATUS, why there is none.
 */
static bool adviser_take(struct adviser *adviser, int milliseconds, struct adviser_answer *answer,
			 enum status *status, struct why *why)
{
	if (!adviser->asked || !side_thread_join(adviser->thread, milliseconds))
		return false;
	adviser->asked = false;
	*answer = adviser->answer;
	*status = adviser->status;
	if (*status)
		*why = adviser->why;
	return true;
}

/* If it thinks, its thread and all it uses are left to the end of the process. */
static void adviser_free(struct adviser *adviser)
{
	if (!adviser)
		return;
	if (adviser->asked && !side_thread_join(adviser->thread, SIDE_THREAD_END_MS)) {
		pthread_detach(adviser->thread);
		return;
	}
	agent_free(adviser->agent);
	free(adviser);
}

/* ---- The game. */

struct human {
	const struct play_options *options;
	char player[RECORD_PLAYER_MAX + 64];
	uint64_t index;
	struct game game;
	struct record_log log;		    /* open if there is a file */
	struct stepped_game stepped, *past; /* where the moves of the recorder were made */
	size_t capacity;		    /* of PAST */
	struct recorder recorder;
	struct adviser *adviser;      /* NULL if there is none */
	struct adviser_answer answer; /* about the position that is shown, if ADVISED */
	bool advised, thinking;
	struct show show;
	struct terminal terminal; /* or standard input, if there is no screen */
	bool screen;
	bool live;	   /* somebody types without a screen, and has to see where the game is */
	bool drawn;	   /* that was drawn */
	bool pressed;	   /* a key came */
	bool ended;	   /* by the person */
	char message[256]; /* below the board, until the next key */
};

/* What begins a line that is no row of the table. */
static const char *mark(const struct human *human)
{
	return human->show.style == SHOW_MOVES ? "# " : "";
}

/* Shows where the game has come to, and the message. */
static void human_draw(struct human *human)
{
	const struct play_options *options = human->options;
	const struct turn *turn = &human->stepped.turn;
	const char *keys[] = {"q end", "arrows move", options->record ? "no back" : "z back",
			      options->agent ? "? advice" : NULL, NULL};
	char title[sizeof human->player + 64];
	if (human->live && !human->drawn)
		show_end(&human->show, turn);
	human->drawn = true;
	if (!human->screen)
		return;
	snprintf(title, sizeof title, "%s  %s  game %" PRIu64 ", seed %" PRIu64, turn->game->name,
		 human->log.player, human->index, options->seed);
	const struct scene scene = {
	    .game = turn->game,
	    .board = turn->board,
	    .title = title,
	    .score = turn->score,
	    .move = human->show.moves,
	    .moves = human->show.moves,
	    .decision = human->advised ? &human->answer.decision : NULL,
	    .seconds = human->advised ? (double)human->answer.seconds : -1,
	    .chosen = human->advised ? human->answer.move : MOVE_NONE,
	    .state = human->thinking	  ? "thinking"
		     : !turn->moves.legal ? "no move is left"
		     : options->record	  ? "your move; recorded"
					  : "your move",
	    .message = human->message,
	    .keys = keys,
	};
	terminal_show(&human->terminal, &scene);
}

/* Something went wrong. */
__attribute__((format(printf, 2, 3))) static void human_warn(struct human *human,
							     const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(human->message, sizeof human->message, format, args);
	va_end(args);
	if (!human->screen)
		fprintf(stderr, "%s: %s\n", human->options->name, human->message);
}

/* Keeps the present position. */
static enum status past_keep(struct human *human, struct why *why)
{
	const size_t moves = human->recorder.moves;
	struct stepped_game *grown =
	    array_grow(human->past, moves, &human->capacity, sizeof *grown);
	if (!grown)
		return why_errno(why, "a game of %zu moves", moves);
	human->past = grown;
	human->past[moves] = human->stepped;
	return STATUS_OK;
}

static enum status human_move(struct human *human, int direction, struct why *why)
{
	const struct turn *turn = &human->stepped.turn;
	if (!(turn->moves.legal >> direction & 1)) {
		human_warn(human, "%s: %s", direction_names[direction],
			   turn->moves.legal ? "moves nothing" : "the game is over");
		return STATUS_OK;
	}
	enum status status = past_keep(human, why);
	if (status)
		return status;
	human->advised = human->drawn = false;
	if (human->screen || human->live)
		human->show.moves++;
	else
		show_turn(&human->show, turn, direction);
	return recorder_add(&human->recorder, stepped_game_move(&human->stepped, direction), why);
}

static void human_back(struct human *human)
{
	if (human->options->record) {
		human_warn(human, "no move is taken back in a game that is recorded");
		return;
	}
	if (human->recorder.moves == 0) {
		human_warn(human, "no move to take back");
		return;
	}
	human->stepped = human->past[--human->recorder.moves];
	human->advised = human->drawn = false;
	if (!human->screen)
		printf("%smove %" PRIu64 " is taken back\n", mark(human), human->show.moves);
	human->show.moves--;
}

/* Looks for advice, which may be about a position that was left meanwhile. */
static void human_listen(struct human *human, int milliseconds)
{
	struct adviser_answer answer;
	enum status status;
	struct why why;
	if (!human->adviser || !adviser_take(human->adviser, milliseconds, &answer, &status, &why))
		return;
	human->thinking = false;
	if (status) {
		human_warn(human, "%s", why.text);
	} else if (board_equal(&answer.board, &human->stepped.board)) {
		human->answer = answer;
		human->advised = true;
		snprintf(human->message, sizeof human->message, "%s: %s", human->options->agent,
			 direction_names[answer.move]);
		if (!human->screen)
			printf("%s%s\n", mark(human), human->message);
	}
}

static void human_ask(struct human *human)
{
	struct why why;
	if (!human->adviser) {
		human_warn(human, "nobody to ask: --agent names who advises");
		return;
	}
	if (!human->stepped.turn.moves.legal) {
		human_warn(human, "the game is over");
		return;
	}
	if (human->adviser->asked)
		return;
	if (adviser_ask(human->adviser, &human->stepped.turn, &why)) {
		human_warn(human, "%s", why.text);
		return;
	}
	human->thinking = true;
	/* Letters that are read need not be quick, and what they say is to be in their order. */
	human_listen(human, human->screen ? 0 : -1);
}

static void human_wonder(struct human *human, int key)
{
	const uint64_t taken = human->terminal.taken;
	if (key <= 255 && isprint(key))
		human_warn(human, "character %" PRIu64 ", '%c', is no key; ignored", taken, key);
	else
		human_warn(human, "character %" PRIu64 ", byte %d, is no key; ignored", taken,
			   key > 255 ? KEY_ESCAPE : key);
}

/* Does what a key asks for: wasd and hjkl move, and so does what record files write. */
static enum status human_press(struct human *human, int key, struct why *why)
{
	static const int moves[DIRECTIONS][5] = {
	    [UP] = {'w', 'k', 'u', 'U', KEY_UP},
	    [RIGHT] = {'d', 'l', 'r', 'R', KEY_RIGHT},
	    [DOWN] = {'s', 'j', 'D', KEY_DOWN, KEY_DOWN},
	    [LEFT] = {'a', 'h', 'L', KEY_LEFT, KEY_LEFT},
	};
	for (int d = 0; d < DIRECTIONS; d++)
		for (size_t i = 0; i < sizeof moves[d] / sizeof *moves[d]; i++)
			if (key == moves[d][i])
				return human_move(human, d, why);
	if (key == 'z')
		human_back(human);
	else if (key == '?')
		human_ask(human);
	else if (key == 'q' || key == KEY_CTRL_D || key == KEY_CLOSED)
		human->ended = true;
	else if (key != KEY_CTRL_L)
		human_wonder(human, key);
	else if (human->screen)
		terminal_refresh();
	return STATUS_OK;
}

/* Whether KEY is none, or separates letters. */
static bool key_is_blank(int key)
{
	return key == KEY_NONE || key == ' ' || key == '\t' || key == '\r' || key == '\n';
}

/* Plays until the person, a signal or the input ends it. */
static enum status human_loop(struct human *human, struct why *why)
{
	enum status status = STATUS_OK;
	while (!status && !human->ended && !stop_requested()) {
		human_draw(human);
		const bool asked = human->adviser && human->adviser->asked;
		const int key =
		    terminal_key(&human->terminal, asked ? ADVICE_MILLISECONDS : WAIT_MILLISECONDS);
		if (!key_is_blank(key)) {
			human->pressed = human->pressed || key != KEY_CLOSED;
			human->message[0] = '\0';
			status = human_press(human, key, why);
		}
		human_listen(human, 0);
	}
	return status;
}

/* Puts the game into the file, if there is one, and says so. */
static enum status human_record(struct human *human, struct why *why)
{
	const struct play_options *options = human->options;
	const struct turn *turn = &human->stepped.turn;
	if (!options->record)
		return STATUS_OK;
	if (human->recorder.moves == 0 && !human->pressed)
		return STATUS_OK;
	if (human->recorder.moves == 0) {
		printf("%sno move to record\n", mark(human));
		return STATUS_OK;
	}
	const struct record record =
	    recorder_record(&human->recorder, turn->board, turn->score, !turn->moves.legal);
	enum status status = record_log_append(&human->log, human->index, &record, why);
	if (!status)
		printf("%srecorded in %s: game %" PRIu64 " of %s, seed %" PRIu64 "\n", mark(human),
		       options->record, human->index, human->log.player, options->seed);
	return status;
}

/* Takes the screen, if there is one, gives it back behind the game, and shows how that ended. */
static enum status human_show(struct human *human, struct why *why)
{
	const struct turn *turn = &human->stepped.turn;
	if (human->screen) {
		enum status status = terminal_open(&human->terminal, true, why);
		if (status)
			return status;
	} else {
		stop_catch_terminal();
		show_begin(&human->show);
	}
	enum status status = human_loop(human, why);
	terminal_close(&human->terminal);
	human->screen = false;
	if (!status && !human->pressed && !stop_requested())
		return why_set(
		    why, STATUS_INPUT,
		    "--human: no key came from standard input: play on a terminal, or pipe "
		    "keys, as in echo wasd | nxn play --human");
	if (!human->live)
		show_end(&human->show, turn);
	show_summary(&human->show, turn, human->recorder.moves,
		     turn->moves.legal ? "unfinished" : "over");
	return status;
}

/* The game from its start to its record. */
static enum status human_game(struct human *human, struct why *why)
{
	struct why record_why;
	stepped_game_start(&human->stepped, &human->game, human->options->seed, human->index);
	human->recorder.start = human->stepped.board;
	enum status status = human_show(human, why);
	enum status recorded = human_record(human, &record_why);
	if (recorded && !status) {
		status = recorded;
		*why = record_why;
	}
	return status || !stop_requested() ? status : STATUS_STOPPED;
}

/* Opens the record file and finds the number of the game. */
static enum status human_open_log(struct human *human, struct why *why)
{
	enum status status = record_log_open(&human->log, human->options, why);
	if (!status && !human->options->numbered)
		while (record_log_has(&human->log, human->index))
			human->index++;
	return status;
}

/* Finds out whether there is a screen. Before there are threads. */
static void human_init(struct human *human, const struct play_options *options)
{
	const bool typed = isatty(STDIN_FILENO);
	human->screen = typed && !terminal_lacks();
	human->live = typed && !human->screen && options->style == SHOW_BOARDS;
	human->show.style = options->style;
	human->terminal.keys = true;
	if (human->screen)
		terminal_prepare(&human->terminal);
	snprintf(human->player, sizeof human->player, "human%s%.*s",
		 options->agent ? " advised by " : "", RECORD_PLAYER_MAX,
		 options->agent ? options->agent : "");
	human->log =
	    (struct record_log){.game = &human->game,
				.player = options->player ? options->player : human->player,
				.seed = options->seed};
}

enum status play_human(const struct play_options *options, struct why *why)
{
	struct human human = {.options = options, .index = options->index};
	enum status status = game_init(&human.game, &options->game, why);
	if (status)
		return status;
	human_init(&human, options);
	if (options->record)
		status = human_open_log(&human, why);
	if (!status && options->agent)
		status = adviser_new(options->agent, &human.game, options->seed, human.index,
				     &human.adviser, why);
	if (!status)
		status = human_game(&human, why);
	terminal_close(&human.terminal);
	status = record_log_close(&human.log, status, why);
	recorder_fini(&human.recorder);
	free(human.past);
	adviser_free(human.adviser);
	return status;
}
