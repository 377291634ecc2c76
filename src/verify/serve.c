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
#include "base/xalloc.h"

#include <endian.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct board_agent {
	bool made; /* `game` is initialised */
	struct game game;
	struct agent *agent; /* NULL until it is needed */
};

struct server {
	const char *agent;
	bool untrained;
	const char *only;	       /* the only shape that is known; NULL: all are */
	struct board_agent *announced; /* the one of the last `new`; NULL: none yet */
	struct own_game own;	       /* for the requests `start` and `step` */
	struct board_agent board_agent[SIDE_MAX + 1][SIDE_MAX + 1];
};

/*
 * Finds the entry of SHAPE and makes its game with SPAWN; if SPAWN is NULL, the game stays as it
 * was, or gets the default rule.
 */
static enum status board_agent_get(struct server *server, const char *shape, const char *spawn,
				   struct board_agent **found, struct why *why)
{
	struct game game;
	enum status status =
	    game_init(&game, &(struct game_options){.shape = shape, .spawn = spawn}, why);
	if (status)
		return status;
	if (server->only && strcmp(server->only, game.name) != 0)
		return why_set(why, STATUS_INPUT, "%s: only %s is known here", game.name,
			       server->only);
	*found = &server->board_agent[game.rows][game.cols];
	if ((*found)->made && !spawn)
		return STATUS_OK;
	agent_free((*found)->agent);
	**found = (struct board_agent){.made = true, .game = game};
	return STATUS_OK;
}

static enum status answer_hello(struct server *server, char *argument, char line[PROGRAM_LINE_MAX],
				struct why *why)
{
	if (strcmp(argument, "1") != 0)
		return why_set(why, STATUS_INPUT, "version '%.40s': expected 1", argument);
	snprintf(line, PROGRAM_LINE_MAX, "hello 1 moves act step acts=%d%s%s", FRAME_MAX,
		 server->only ? " boards=" : "", server->only ? server->only : "");
	return STATUS_OK;
}

static enum status answer_new(struct server *server, char *argument, char line[PROGRAM_LINE_MAX],
			      struct why *why)
{
	struct board_agent *board_agent;
	char *spawn = argument + strcspn(argument, " ");
	if (*spawn)
		*spawn++ = '\0';
	if (!*argument || !*spawn)
		return why_set(why, STATUS_INPUT, "expected a shape and a spawn rule");
	enum status status = board_agent_get(server, argument, spawn, &board_agent, why);
	if (status)
		return status;
	server->announced = board_agent;
	server->own.game = NULL;
	snprintf(line, PROGRAM_LINE_MAX, "new");
	return STATUS_OK;
}

static const char letters[] = "URDL";

static enum status answer_start(struct server *server, char *argument, char line[PROGRAM_LINE_MAX],
				struct why *why)
{
	uint64_t seed;
	enum status status = number_parse("the seed", argument, 0, UINT32_MAX, &seed, why);
	if (!status && !server->announced)
		status = why_set(why, STATUS_INPUT, "no board: expected new before start");
	if (status)
		return status;
	own_game_start(&server->own, &server->announced->game, seed);
	protocol_seen_format(server->own.game, "start", &server->own.now, line);
	return STATUS_OK;
}

static enum status answer_step(struct server *server, char *argument, char line[PROGRAM_LINE_MAX],
			       struct why *why)
{
	struct own_game *own = &server->own;
	const char *letter = *argument && !argument[1] ? strchr(letters, *argument) : NULL;
	if (!own->game)
		return why_set(why, STATUS_INPUT, "no game: expected start before step");
	if (!letter || !(own->now.legal >> (letter - letters) & 1))
		return why_set(why, STATUS_INPUT, "'%.40s' is no legal move here", argument);
	own_game_step(own, (int)(letter - letters));
	protocol_seen_format(own->game, "step", &own->now, line);
	return STATUS_OK;
}

/* Parses the position in TEXT and finds its game and moves. */
static enum status turn_read(struct server *server, const char *text, struct board *board,
			     struct board_agent **board_agent, struct turn *turn, struct why *why)
{
	int rows, cols;
	char shape[8];
	enum status status = board_parse(text, board, &rows, &cols, why);
	if (!status) {
		snprintf(shape, sizeof shape, "%dx%d", rows, cols);
		status = board_agent_get(server, shape, NULL, board_agent, why);
	}
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
	    (size_t)snprintf(line, PROGRAM_LINE_MAX, "act %c", move < 0 ? '-' : letters[move]);
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
	const struct agent_env env = {.game = &board_agent->game};
	struct agent *agent;
	if (board_agent->agent)
		return STATUS_OK;
	enum status status = agent_new(server->agent, &env, &agent, why);
	if (status)
		return status;
	if (!server->untrained)
		status = agent_trained_check(agent, server->agent, "add --untrained", why);
	if (status)
		agent_free(agent);
	else
		board_agent->agent = agent;
	return status;
}

/* An agent's move, negative if none is legal, and what it reports about it. */
struct choice {
	int move;
	struct decision decision;
};

/* Asks AGENT for its move, with DRAW. */
static enum status choice_make(struct agent *agent, const struct turn *turn, uint64_t draw,
			       struct choice *choice, struct why *why)
{
	struct rng rng;
	rng_init(&rng, 1, RNG_AGENT, draw);
	decision_init(&choice->decision);
	choice->move = -1;
	if (turn->moves.legal)
		choice->move = agent->class->act(agent->self, turn, &rng, &choice->decision);
	return agent_check(agent, why);
}

static enum status answer_act(struct server *server, char *argument, char line[PROGRAM_LINE_MAX],
			      struct why *why)
{
	struct board board;
	struct board_agent *board_agent;
	struct turn turn;
	struct choice choice = {0};
	uint64_t draw = 0;
	char *number = argument + strcspn(argument, " ");
	if (*number)
		*number++ = '\0';
	enum status status = turn_read(server, argument, &board, &board_agent, &turn, why);
	if (!status && *number)
		status = number_parse("the draw", number, 0, UINT32_MAX, &draw, why);
	if (!status)
		status = board_agent_make(server, board_agent, why);
	if (!status)
		status = choice_make(board_agent->agent, &turn, draw, &choice, why);
	if (!status)
		act_format(choice.move, choice.decision.value, line);
	return status;
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

/* Chooses the move in the position at AT, with DRAW. */
static enum status frame_act(struct board_agent *board_agent, const uint8_t *at, uint32_t draw,
			     struct choice *choice, struct why *why)
{
	struct board board;
	struct turn turn;
	if (!cells_take(&board_agent->game, at, &board))
		return why_set(why, STATUS_INPUT, "is no position of %s", board_agent->game.name);
	turn_init(&turn, &board_agent->game, &board, 0);
	if (!turn.moves.legal)
		return why_set(why, STATUS_INPUT, "has no legal move");
	return choice_make(board_agent->agent, &turn, draw, choice, why);
}

/* Reads the bytes after the line and, unless that fails, writes the reply, line and bytes. */
static enum status frame_serve(struct server *server, size_t n, uint8_t *bytes,
			       struct choice *choice, struct why *why)
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
		    frame_act(board_agent, bytes + i * cells, le32toh(draw), &choice[i], &reason);
		if (status)
			why_set(why, status, "position %zu of the frame %s", i + 1, reason.text);
	}
	if (status)
		return status;
	printf("acts %zu values\n", n);
	for (size_t i = 0; i < n; i++)
		putchar(choice[i].move);
	for (size_t i = 0; i < n; i++)
		for (int d = 0; d < DIRECTIONS; d++) {
			uint64_t bits;
			memcpy(&bits, &choice[i].decision.value[d], sizeof bits);
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
	uint8_t *bytes = xcalloc(n, CELLS_MAX + 4);
	struct choice *choice = xcalloc(n, sizeof *choice);
	status = frame_serve(server, n, bytes, choice, why);
	free(bytes);
	free(choice);
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
	struct server server = {.agent = agent, .untrained = untrained};
	struct game game;
	char canonical[SPEC_MAX];
	enum status status = game_init(&game, &(struct game_options){.shape = board}, why);
	server.only = board ? game.name : NULL;
	if (!status)
		status = agent_canonical(agent, canonical, why);
	if (!status)
		requests_serve(&server);
	for (int r = 0; r <= SIDE_MAX; r++)
		for (int c = 0; c <= SIDE_MAX; c++)
			agent_free(server.board_agent[r][c].agent);
	return status;
}
