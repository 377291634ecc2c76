/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nxn eval --serve: nxn as the other program of docs/conformance.md. It reads requests from
 * standard input and writes a reply to each to standard output at once. A request that fails gets
 * an error as its reply, and the next request is read.
 *
 * For each shape there is one game, whose spawn rule `new` sets, and one agent, created when it is
 * first needed. A random move depends only on the position and on the draw in the request.
 */
#include "src/verify/verify.h"

#include "agents/play.h"
#include "base/number.h"
#include "base/text.h"

#include <endian.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct serve_options {
	const char *board; /* shape, or NULL: any */
	const char *agent;
	bool untrained;
};

struct board_agent {
	bool made; /* `game` is initialised */
	struct game game;
	struct agent *agent; /* NULL until it is needed */
};

/* The game for the requests `start` and `step`. */
struct own_game {
	bool begun;
	struct board board;
	struct turn turn;
	struct rng spawns;
};

struct server {
	const struct serve_options *options;
	struct game only;	       /* the only game, with --board */
	struct board_agent *announced; /* the one of the last `new`; NULL: none yet */
	struct own_game own;
	struct board_agent board_agent[SIDE_MAX + 1][SIDE_MAX + 1];
};

/*
 * Finds the entry of a shape and makes its game with SPAWN; if SPAWN is NULL, the game stays as it
 * was, or gets the default rule.
 */
static enum status board_agent_get(struct server *server, int rows, int cols, const char *spawn,
				   struct board_agent **found, struct why *why)
{
	char shape[8];
	struct game game;
	struct board_agent *board_agent = &server->board_agent[rows][cols];
	snprintf(shape, sizeof shape, "%dx%d", rows, cols);
	if (server->options->board && strcmp(server->only.name, shape) != 0)
		return why_set(why, STATUS_INPUT, "%s: only %s is known here", shape,
			       server->only.name);
	*found = board_agent;
	if (board_agent->made && !spawn)
		return STATUS_OK;
	enum status status =
	    game_init(&game, &(struct game_options){.shape = shape, .spawn = spawn}, why);
	if (status)
		return status;
	agent_free(board_agent->agent);
	*board_agent = (struct board_agent){.made = true, .game = game};
	return STATUS_OK;
}

static enum status answer_hello(struct server *server, char *argument, char line[PROGRAM_LINE_MAX],
				struct why *why)
{
	if (strcmp(argument, "1") != 0)
		return why_set(why, STATUS_INPUT, "version '%.40s': expected 1", argument);
	snprintf(line, PROGRAM_LINE_MAX, "hello 1 moves act step acts=%d%s%s", FRAME_MAX,
		 server->options->board ? " boards=" : "",
		 server->options->board ? server->only.name : "");
	return STATUS_OK;
}

static enum status answer_new(struct server *server, char *argument, char line[PROGRAM_LINE_MAX],
			      struct why *why)
{
	struct game game;
	struct board_agent *board_agent;
	char *spawn = argument + strcspn(argument, " ");
	if (*spawn)
		*spawn++ = '\0';
	if (!*argument || !*spawn)
		return why_set(why, STATUS_INPUT, "expected a shape and a spawn rule");
	enum status status = game_init(&game, &(struct game_options){.shape = argument}, why);
	if (!status)
		status = board_agent_get(server, game.rows, game.cols, spawn, &board_agent, why);
	if (status)
		return status;
	server->announced = board_agent;
	server->own.begun = false;
	snprintf(line, PROGRAM_LINE_MAX, "new");
	return STATUS_OK;
}

/* Prints the state of the game in reply to WORD. */
static enum status own_game_print(const struct own_game *own, const char *word,
				  char line[PROGRAM_LINE_MAX])
{
	const struct observation seen = {
	    .board = own->board, .legal = own->turn.moves.legal, .score = own->turn.score};
	protocol_seen_format(own->turn.game, word, &seen, line);
	return STATUS_OK;
}

static const char letters[] = "URDL";

static enum status answer_start(struct server *server, char *argument, char line[PROGRAM_LINE_MAX],
				struct why *why)
{
	struct own_game *own = &server->own;
	uint64_t seed;
	enum status status = number_parse("the seed", argument, 0, UINT32_MAX, &seed, why);
	if (!status && !server->announced)
		status = why_set(why, STATUS_INPUT, "no board: expected new before start");
	if (status)
		return status;
	own->begun = true;
	rng_init(&own->spawns, seed, RNG_SPAWN, 0);
	board_start(&server->announced->game, &own->board, &own->spawns);
	turn_init(&own->turn, &server->announced->game, &own->board, 0);
	return own_game_print(own, "start", line);
}

static enum status answer_step(struct server *server, char *argument, char line[PROGRAM_LINE_MAX],
			       struct why *why)
{
	struct own_game *own = &server->own;
	const char *letter = *argument && !argument[1] ? strchr(letters, *argument) : NULL;
	if (!own->begun)
		return why_set(why, STATUS_INPUT, "no game: expected start before step");
	if (!letter || !(own->turn.moves.legal >> (letter - letters) & 1))
		return why_set(why, STATUS_INPUT, "'%.40s' is no legal move here", argument);
	turn_move(&own->turn, &own->board, (int)(letter - letters), &own->spawns);
	return own_game_print(own, "step", line);
}

/* Parses the position in TEXT and finds its game and moves. */
static enum status turn_read(struct server *server, const char *text, struct board *board,
			     struct board_agent **board_agent, struct turn *turn, struct why *why)
{
	int rows, cols;
	enum status status = board_parse(text, board, &rows, &cols, why);
	if (!status)
		status = board_agent_get(server, rows, cols, NULL, board_agent, why);
	if (!status)
		status = game_admits(&(*board_agent)->game, board, why);
	if (!status)
		turn_init(turn, &(*board_agent)->game, board, 0);
	return status;
}

static enum status answer_moves(struct server *server, char *argument, char line[PROGRAM_LINE_MAX],
				struct why *why)
{
	struct board board;
	struct board_agent *board_agent;
	struct turn turn;
	enum status status = turn_read(server, argument, &board, &board_agent, &turn, why);
	if (!status)
		protocol_moves_format(&board_agent->game, &turn.moves, line);
	return status;
}

/* Formats the reply to `act`. MOVE is negative if no move is legal. */
static void act_format(int move, const double value[DIRECTIONS], char line[PROGRAM_LINE_MAX])
{
	bool known = false;
	for (int d = 0; d < DIRECTIONS; d++)
		known = known || isfinite(value[d]);
	size_t used =
	    (size_t)snprintf(line, PROGRAM_LINE_MAX, "act %c", move < 0 ? '-' : "URDL"[move]);
	for (int d = 0; known && d < DIRECTIONS; d++) {
		char text[REAL_TEXT_MAX] = "-";
		if (isfinite(value[d]))
			real_format(value[d], text);
		used += (size_t)snprintf(line + used, PROGRAM_LINE_MAX - used, " %s", text);
	}
}

/* Creates the agent of a shape unless it exists. */
static enum status board_agent_make(const struct server *server, struct board_agent *board_agent,
				    struct why *why)
{
	const struct serve_options *options = server->options;
	const struct agent_env env = {.game = &board_agent->game};
	struct agent *agent;
	if (board_agent->agent)
		return STATUS_OK;
	enum status status = agent_new(options->agent, &env, &agent, why);
	if (status)
		return status;
	if (!options->untrained)
		status = agent_trained_check(agent, options->agent, "add --untrained", why);
	if (status)
		agent_free(agent);
	else
		board_agent->agent = agent;
	return status;
}

/* Asks the agent of a shape for its move. */
static enum status board_agent_act(const struct server *server, struct board_agent *board_agent,
				   const struct turn *turn, uint64_t draw,
				   char line[PROGRAM_LINE_MAX], struct why *why)
{
	struct rng rng;
	struct decision decision;
	enum status status = board_agent_make(server, board_agent, why);
	if (status)
		return status;
	rng_init(&rng, 1, RNG_AGENT, draw);
	decision_init(&decision);
	int move = -1;
	if (turn->moves.legal)
		move =
		    board_agent->agent->class->act(board_agent->agent->self, turn, &rng, &decision);
	status = agent_check(board_agent->agent, why);
	if (!status)
		act_format(move, decision.value, line);
	return status;
}

static enum status answer_act(struct server *server, char *argument, char line[PROGRAM_LINE_MAX],
			      struct why *why)
{
	struct board board;
	struct board_agent *board_agent;
	struct turn turn;
	uint64_t draw = 0;
	char *number = argument + strcspn(argument, " ");
	if (*number)
		*number++ = '\0';
	enum status status = turn_read(server, argument, &board, &board_agent, &turn, why);
	if (!status && *number)
		status = number_parse("the draw", number, 0, UINT32_MAX, &draw, why);
	return status ? status : board_agent_act(server, board_agent, &turn, draw, line, why);
}

/* Reads the cells of a position at AT; false if it is not a position of GAME. */
static bool cells_take(const struct game *game, const uint8_t *at, struct board *board)
{
	*board = (struct board){0};
	for (int r = 0; r < game->rows; r++, at += game->cols)
		memcpy(board->cell[r], at, (size_t)game->cols);
	return board_max(board) <= game->max_exponent &&
	       game_admits(game, board, NULL) == STATUS_OK;
}

/* The reply to one position of a frame. */
struct frame_answer {
	int move; /* negative: no move is legal */
	struct decision decision;
};

/* Chooses the move in the position at AT, with DRAW. */
static enum status frame_act(struct board_agent *board_agent, const uint8_t *at, uint32_t draw,
			     struct frame_answer *answer, struct why *why)
{
	struct board board;
	struct turn turn;
	struct rng rng;
	if (!cells_take(&board_agent->game, at, &board))
		return why_set(why, STATUS_INPUT, "is no position of %s", board_agent->game.name);
	turn_init(&turn, &board_agent->game, &board, 0);
	if (!turn.moves.legal)
		return why_set(why, STATUS_INPUT, "has no legal move");
	rng_init(&rng, 1, RNG_AGENT, draw);
	decision_init(&answer->decision);
	answer->move = board_agent->agent->class->act(board_agent->agent->self, &turn, &rng,
						      &answer->decision);
	return agent_check(board_agent->agent, why);
}

/* Reads the bytes after the line and, unless that fails, writes the reply, line and bytes. */
static enum status frame_serve(struct server *server, size_t n, uint8_t *bytes,
			       struct frame_answer *answer, struct why *why)
{
	struct board_agent *board_agent = server->announced;
	const size_t cells = (size_t)board_agent->game.cells;
	if (fread(bytes, cells + 4, n, stdin) != n)
		return why_set(why, STATUS_INPUT, "fewer bytes than %zu positions", n);
	enum status status = board_agent_make(server, board_agent, why);
	for (size_t i = 0; !status && i < n; i++) {
		uint32_t draw;
		struct why reason;
		memcpy(&draw, bytes + n * cells + 4 * i, sizeof draw);
		status =
		    frame_act(board_agent, bytes + i * cells, le32toh(draw), &answer[i], &reason);
		if (status)
			why_set(why, status, "position %zu of the frame %s", i + 1, reason.text);
	}
	if (status)
		return status;
	printf("acts %zu values\n", n);
	for (size_t i = 0; i < n; i++)
		putchar(answer[i].move);
	for (size_t i = 0; i < n; i++)
		for (int d = 0; d < DIRECTIONS; d++) {
			uint64_t bits;
			memcpy(&bits, &answer[i].decision.value[d], sizeof bits);
			bits = htole64(bits);
			fwrite(&bits, sizeof bits, 1, stdout);
		}
	return STATUS_OK;
}

static enum status answer_acts(struct server *server, char *argument, char line[PROGRAM_LINE_MAX],
			       struct why *why)
{
	uint64_t n;
	enum status status =
	    number_parse("the number of positions", argument, 1, FRAME_MAX, &n, why);
	if (!status && !server->announced)
		status = why_set(why, STATUS_INPUT, "no board: expected new before acts");
	if (status)
		return status;
	uint8_t *bytes = malloc(n * (CELLS_MAX + 4));
	struct frame_answer *answer = malloc(n * sizeof *answer);
	status = bytes && answer ? frame_serve(server, n, bytes, answer, why)
				 : why_set(why, STATUS_SYSTEM, "out of memory");
	free(bytes);
	free(answer);
	*line = '\0'; /* already written */
	return status;
}

static const struct {
	const char *word;
	enum status (*answer)(struct server *server, char *argument, char line[PROGRAM_LINE_MAX],
			      struct why *why);
} requests[] = {
    {"hello", answer_hello}, {"new", answer_new},     {"moves", answer_moves}, {"act", answer_act},
    {"acts", answer_acts},   {"start", answer_start}, {"step", answer_step},
};

/* Writes the reply to REQUEST to LINE. STATUS_INPUT with a reason if it is invalid. */
static enum status request_answer(struct server *server, char *request, char line[PROGRAM_LINE_MAX],
				  struct why *why)
{
	char *argument = request + strcspn(request, " ");
	if (*argument)
		*argument++ = '\0';
	for (size_t i = 0; i < sizeof requests / sizeof *requests; i++)
		if (strcmp(requests[i].word, request) == 0)
			return requests[i].answer(server, argument, line, why);
	return why_set(why, STATUS_INPUT,
		       "no request '%.40s': expected hello, new, moves, act, acts, start, step, "
		       "quit",
		       request);
}

/* Reads the next line without its end, truncated if too long; false at the end of input. */
static bool request_read(char request[PROGRAM_LINE_MAX], bool *plain)
{
	size_t used = 0;
	int c;
	*plain = true;
	while ((c = getchar()) != EOF && c != '\n') {
		*plain =
		    *plain && used < PROGRAM_LINE_MAX - 1 && (c == '\r' || (c >= ' ' && c <= '~'));
		if (used < PROGRAM_LINE_MAX - 1)
			request[used++] = (char)c;
	}
	while (used > 0 && (request[used - 1] == '\r' || request[used - 1] == ' '))
		used--;
	request[used] = '\0';
	return c != EOF || used > 0;
}

static void requests_serve(struct server *server)
{
	char request[PROGRAM_LINE_MAX], line[PROGRAM_LINE_MAX];
	bool plain;
	while (request_read(request, &plain) && strcmp(request, "quit") != 0) {
		struct why why;
		enum status status = plain ? request_answer(server, request, line, &why)
					   : why_set(&why, STATUS_INPUT,
						     "no line of plain text below 4096 characters");
		if (status)
			printf("error %s\n", why.text);
		else if (*line)
			puts(line);
		if (fflush(stdout))
			return;
	}
}

enum status serve(const char *agent, const char *board, bool untrained, struct why *why)
{
	const struct serve_options options = {board, agent, untrained};
	struct server server = {.options = &options};
	char canonical[SPEC_MAX];
	enum status status = game_init(&server.only, &(struct game_options){.shape = board}, why);
	if (!status)
		status = agent_canonical(agent, canonical, why);
	if (!status)
		requests_serve(&server);
	for (int r = 0; r <= SIDE_MAX; r++)
		for (int c = 0; c <= SIDE_MAX; c++)
			agent_free(server.board_agent[r][c].agent);
	return status;
}
