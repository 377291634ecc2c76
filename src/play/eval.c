/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nxn eval: the moves of an agent in given positions, and its values of them; or, with --serve,
 * nxn as the other program of docs/conformance.md.
 *
 * There is one agent for each shape that occurs, created when it is first needed.
 *
 * Positions: a row is written as soon as its line was read, so another program can ask and wait for
 * the answer. However, an agent that works in batches (external:...,batch=N) gets N positions at a
 * time, and its rows are written N at a time. Random draws depend only on the number of the row.
 *
 * Requests: each is read from standard input, and its reply is written to standard output at once.
 * A request that fails gets an error as its reply, and the next request is read. The request `new`
 * sets the spawn rule of a shape. A random move depends only on the position and on the draw in the
 * request.
 */
#include "src/play/play.h"

#include "agents/external/protocol.h"
#include "agents/play.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/xalloc.h"
#include "src/cli/provenance.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Players by shape. */

/* A game and its agent, each created on demand. */
struct player {
	bool made; /* `game` is initialised */
	struct game game;
	struct agent *agent; /* or NULL */
};

struct players {
	const struct eval_options *options;
	const char *only; /* the only shape that is known; NULL: all are */
	struct player of[SIDE_MAX + 1][SIDE_MAX + 1];
};

/*
 * Finds the player of SHAPE and makes its game with SPAWN; if SPAWN is NULL, the game stays as it
 * was, or gets the rule of the options.
 */
static enum status player_find(struct players *players, const char *shape, const char *spawn,
			       struct player **found, struct why *why)
{
	struct game game;
	const struct game_options options = {.shape = shape,
					     .spawn = spawn ? spawn : players->options->game.spawn};
	enum status status = game_init(&game, &options, why);
	if (status)
		return status;
	if (players->only && strcmp(players->only, game.name) != 0)
		return why_set(why, STATUS_INPUT, "%s: only %s is known here", game.name,
			       players->only);
	*found = &players->of[game.rows][game.cols];
	if ((*found)->made && !spawn)
		return STATUS_OK;
	agent_free((*found)->agent);
	**found = (struct player){.made = true, .game = game};
	return STATUS_OK;
}

/* Parses the position in TEXT and finds the player of its shape. */
static enum status position_read(struct players *players, const char *text, struct board *board,
				 struct player **found, struct why *why)
{
	int rows, cols;
	char shape[8];
	enum status status = board_parse(text, board, &rows, &cols, why);
	if (status)
		return status;
	*found = &players->of[rows][cols];
	snprintf(shape, sizeof shape, "%dx%d", rows, cols);
	if (!(*found)->made)
		status = player_find(players, shape, NULL, found, why);
	return status ? status : game_admits(&(*found)->game, board, why);
}

/* Creates the agent of PLAYER unless it exists. */
static enum status player_agent(const struct players *players, struct player *player,
				struct why *why)
{
	const struct eval_options *options = players->options;
	const struct agent_env env = {.game = &player->game};
	struct agent *agent;
	if (player->agent)
		return STATUS_OK;
	enum status status = agent_new(options->agent, &env, &agent, why);
	if (status)
		return status;
	if (!options->untrained)
		status = agent_trained_check(agent, options->agent, "add --untrained", why);
	if (status)
		agent_free(agent);
	else
		player->agent = agent;
	return status;
}

static void players_fini(struct players *players)
{
	for (int r = 0; r <= SIDE_MAX; r++)
		for (int c = 0; c <= SIDE_MAX; c++)
			agent_free(players->of[r][c].agent);
}

/* ---- Positions of a file. */

/* A batch of positions for one agent, all with a legal move. */
struct questions {
	size_t n;
	struct agent *agent;
	char **text;
	struct board *board;
	struct turn *turn;
	struct rng *rng, **rngs;
	struct decision *decision;
	int *move;
};

struct eval {
	const struct table_out *out;
	uint64_t rows; /* positions so far */
	/* The positions, one per line. */
	struct lines lines;
	bool kept; /* the present line is returned once more */
	/* The result of the rows. */
	enum status status;
	struct why *why;
	struct questions questions;
	struct players players;
	struct player *fixed; /* that of --board; NULL: any shape */
};

struct eval_row {
	const char *position, *move;
	double value[DIRECTIONS];
	uint64_t nodes;
	double ms;
};

#define COLUMN(title, kind, member) TABLE_COLUMN(struct eval_row, title, kind, member)

static const struct table_column columns[] = {
    {.name = "position",
     .value = TABLE_TEXT,
     .offset = offsetof(struct eval_row, position),
     .width = 40},
    {.name = "move", .value = TABLE_TEXT, .offset = offsetof(struct eval_row, move), .width = 5},
    COLUMN("up", REAL, value[UP]),
    COLUMN("right", REAL, value[RIGHT]),
    COLUMN("down", REAL, value[DOWN]),
    COLUMN("left", REAL, value[LEFT]),
    COLUMN("nodes", NUMBER, nodes),
    TABLE_FIXED(struct eval_row, "ms", REAL, ms, 3),
    {0},
};

static void row_put(const struct table_out *out, const char *text, int move,
		    const struct decision *decision, double seconds)
{
	struct eval_row row = {.position = text,
			       .move = move < 0 ? "none" : direction_names[move],
			       .nodes = decision->nodes,
			       .ms = 1e3 * seconds};
	memcpy(row.value, decision->value, sizeof row.value);
	table_put(out, &row);
}

/* Makes room for MOST questions. */
static void questions_init(struct questions *q, size_t most)
{
	*q = (struct questions){
	    .text = xcalloc(most, sizeof *q->text),
	    .board = xcalloc(most, sizeof *q->board),
	    .turn = xcalloc(most, sizeof *q->turn),
	    .rng = xcalloc(most, sizeof *q->rng),
	    .rngs = xcalloc(most, sizeof *q->rngs),
	    .decision = xcalloc(most, sizeof *q->decision),
	    .move = xcalloc(most, sizeof *q->move),
	};
}

static void questions_fini(struct questions *q)
{
	for (size_t i = 0; i < q->n; i++)
		free(q->text[i]);
	free(q->text);
	free(q->board);
	free(q->turn);
	free(q->rng);
	free(q->rngs);
	free(q->decision);
	free(q->move);
}

/* Asks the agent about the batch and writes the rows. */
static enum status questions_ask(struct questions *q, const struct table_out *out, struct why *why)
{
	if (!q->n)
		return STATUS_OK;
	const double start = clock_seconds();
	agent_act_many(q->agent, q->turn, q->n, q->rngs, q->decision, q->move);
	const double seconds = (clock_seconds() - start) / (double)q->n;
	enum status status = agent_check(q->agent, why);
	for (size_t i = 0; i < q->n; i++) {
		if (!status)
			row_put(out, q->text[i], q->move[i], &q->decision[i], seconds);
		free(q->text[i]);
	}
	q->n = 0;
	return status;
}

/* Adds question number ROW; answers the batch when it is full. */
static enum status question_add(struct questions *q, const struct table_out *out,
				struct agent *agent, const char *text, const struct board *board,
				uint64_t row, struct why *why)
{
	const size_t i = q->n;
	q->agent = agent;
	q->text[i] = xstrdup(text);
	q->board[i] = *board;
	turn_init(&q->turn[i], agent->game, &q->board[i], 0);
	rng_init(&q->rng[i], 1, RNG_AGENT, row);
	q->rngs[i] = &q->rng[i];
	q->n++;
	return q->n < agent_batch(agent) ? STATUS_OK : questions_ask(q, out, why);
}

static enum status eval_position(struct eval *eval, struct agent *agent, const char *text,
				 const struct board *board, struct why *why)
{
	struct questions *q = &eval->questions;
	struct decision none;
	const uint64_t row = eval->rows++;
	const bool over = agent->game->over(board);
	enum status status =
	    over || q->agent != agent ? questions_ask(q, eval->out, why) : STATUS_OK;
	if (status)
		return status;
	if (!over)
		return question_add(q, eval->out, agent, text, board, row, why);
	decision_init(&none);
	row_put(eval->out, text, -1, &none, 0);
	return STATUS_OK;
}

/* Parses TEXT, a whole line, and makes the player for the position. */
static enum status text_read(struct eval *eval, const char *text, struct board *board,
			     struct player **player, struct why *why)
{
	*player = eval->fixed;
	enum status status = eval->fixed ? board_read(&eval->fixed->game, text, board, why)
					 : position_read(&eval->players, text, board, player, why);
	return status ? status : player_agent(&eval->players, *player, why);
}

/* Answers one position, at once or as part of a batch. */
static enum status eval_text(struct eval *eval, const char *text, struct why *why)
{
	struct board board;
	struct player *player;
	enum status status = text_read(eval, text, &board, &player, why);
	if (!status)
		status = eval_position(eval, player->agent, text, &board, why);
	return status;
}

/* Reads the next line that is a position; false as lines_next(). */
static bool position_next(struct eval *eval, enum status *status, struct why *why)
{
	struct lines *l = &eval->lines;
	bool found = eval->kept;
	while (!found && lines_next(l, status, why)) {
		while (l->length > 0 && strchr(" \t", l->text[l->length - 1]))
			l->text[--l->length] = '\0';
		found = *l->text && *l->text != '#';
	}
	eval->kept = false;
	return found;
}

static enum status line_fail(const struct lines *lines, enum status status,
			     const struct why *reason, struct why *why)
{
	return status ? why_set(why, status, "%s:%zu: %s", lines->path, lines->number, reason->text)
		      : STATUS_OK;
}

/* Reads and checks the first position: if it is wrong, not even the header is printed. */
static enum status first_check(struct eval *eval, struct why *why)
{
	struct why reason;
	struct board board;
	struct player *player;
	enum status status = STATUS_OK;
	eval->kept = position_next(eval, &status, why);
	if (!eval->kept)
		return status;
	status = text_read(eval, eval->lines.text, &board, &player, &reason);
	return line_fail(&eval->lines, status, &reason, why);
}

static enum status eval_lines(struct eval *eval, struct why *why)
{
	enum status status = STATUS_OK;
	struct why reason;
	while (!status && position_next(eval, &status, why)) {
		status = eval_text(eval, eval->lines.text, &reason);
		status = line_fail(&eval->lines, status, &reason, why);
		if (fflush(eval->out->file))
			break;
	}
	/* Writes the rows before the error. */
	const enum status asked = questions_ask(&eval->questions, eval->out, &reason);
	if (asked && !status)
		status = why_set(why, asked, "%s: %s", eval->lines.path, reason.text);
	return status;
}

static void eval_rows(const struct table_out *out, const void *data)
{
	struct eval *eval = *(struct eval *const *)data;
	eval->out = out;
	eval->status = eval_lines(eval, eval->why);
}

/* Rejects a folder opened as FILE: reading would report it only after the header was printed. */
static enum status folder_refuse(FILE *file, const char *name, struct why *why)
{
	struct stat st;
	if (fstat(fileno(file), &st) != 0 || !S_ISDIR(st.st_mode))
		return STATUS_OK;
	return why_set(why, STATUS_INPUT, "%s: is a folder; expected a file", name);
}

static enum status eval_open(const char *path, FILE **in, struct why *why)
{
	const enum status status = input_open_stream(path, in, why);
	if (status && errno == ENOENT && strchr(path, ','))
		return why_set(why, STATUS_INPUT,
			       "%s: no such file; positions are read from a file or from standard "
			       "input, one per line",
			       path);
	return status;
}

static enum status eval_all(struct eval *eval, const struct invocation *call, struct why *why)
{
	static const struct tables tables = {
	    .table = {TABLE("eval", "values as the agent has them; ms: milliseconds", columns,
			    eval_rows)}};
	const struct eval_options *options = eval->players.options;
	char canonical[SPEC_MAX];
	const char *asked_for = options->path;
	const char *path = asked_for && strcmp(asked_for, "-") != 0 ? asked_for : NULL;
	struct game game;
	enum status status = game_init(&game, &options->game, why);
	if (!status)
		status = agent_canonical(options->agent, canonical, why);
	if (!status && options->game.shape)
		status = player_find(&eval->players, options->game.shape, NULL, &eval->fixed, why);
	if (!status && eval->fixed)
		status = player_agent(&eval->players, eval->fixed, why);
	if (status)
		return status;
	FILE *in = stdin;
	status = path ? eval_open(path, &in, why) : folder_refuse(in, "standard input", why);
	if (status)
		return status;
	lines_start(&eval->lines, in, path ? path : "standard input");
	status = first_check(eval, why);
	if (!status)
		status = result_print(call, &tables, &eval, why);
	lines_end(&eval->lines);
	if (path)
		fclose(in);
	return status ? status : eval->status;
}

enum status play_eval(const struct eval_options *options, const struct invocation *call,
		      struct why *why)
{
	struct eval eval = {.players.options = options, .why = why};
	questions_init(&eval.questions, agent_batch_of(options->agent));
	const enum status status = eval_all(&eval, call, why);
	questions_fini(&eval.questions);
	players_fini(&eval.players);
	return status;
}

/* ---- Requests of another program. */

struct server {
	struct players players;
	struct player *announced; /* the one of the last `new`; NULL: none yet */
	struct own_game own;	  /* for the requests `start` and `step` */
};

static enum status answer_hello(struct server *server, char *argument, char line[PROGRAM_LINE_MAX],
				struct why *why)
{
	if (strcmp(argument, "1") != 0)
		return why_set(why, STATUS_INPUT, "version '%.40s': expected 1", argument);
	const char *only = server->players.only;
	snprintf(line, PROGRAM_LINE_MAX, "hello 1 moves act step acts=%d%s%s", FRAME_MAX,
		 only ? " boards=" : "", only ? only : "");
	return STATUS_OK;
}

static enum status answer_new(struct server *server, char *argument, char line[PROGRAM_LINE_MAX],
			      struct why *why)
{
	struct player *player;
	char *spawn = argument + strcspn(argument, " ");
	if (*spawn)
		*spawn++ = '\0';
	if (!*argument || !*spawn)
		return why_set(why, STATUS_INPUT, "expected a shape and a spawn rule");
	enum status status = player_find(&server->players, argument, spawn, &player, why);
	if (status)
		return status;
	server->announced = player;
	server->own.game = NULL;
	snprintf(line, PROGRAM_LINE_MAX, "new");
	return STATUS_OK;
}

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
	const int direction =
	    *argument && argument[1] ? DIRECTIONS : direction_of_letter(*argument);
	if (!own->game)
		return why_set(why, STATUS_INPUT, "no game: expected start before step");
	if (!(own->now.legal >> direction & 1))
		return why_set(why, STATUS_INPUT, "'%.40s' is no legal move here", argument);
	own_game_step(own, direction);
	protocol_seen_format(own->game, "step", &own->now, line);
	return STATUS_OK;
}

/* Parses the position in TEXT and finds its player and moves. */
static enum status turn_read(struct server *server, const char *text, struct board *board,
			     struct player **player, struct turn *turn, struct why *why)
{
	enum status status = position_read(&server->players, text, board, player, why);
	if (!status)
		turn_init(turn, &(*player)->game, board, 0);
	return status;
}

static enum status answer_moves(struct server *server, char *argument, char line[PROGRAM_LINE_MAX],
				struct why *why)
{
	struct board board;
	struct player *player;
	struct turn turn;
	enum status status = turn_read(server, argument, &board, &player, &turn, why);
	if (!status)
		protocol_moves_format(&player->game, &turn.moves, line);
	return status;
}

/* Formats the reply to `act`. MOVE is negative if no move is legal. */
static void act_format(int move, const double value[DIRECTIONS], char line[PROGRAM_LINE_MAX])
{
	bool known = false;
	for (int d = 0; d < DIRECTIONS; d++)
		known = known || isfinite(value[d]);
	size_t used = (size_t)snprintf(line, PROGRAM_LINE_MAX, "act %c",
				       move < 0 ? '-' : direction_letters[move]);
	for (int d = 0; known && d < DIRECTIONS; d++) {
		char text[REAL_TEXT_MAX] = "-";
		if (isfinite(value[d]))
			real_format(value[d], text);
		used += (size_t)snprintf(line + used, PROGRAM_LINE_MAX - used, " %s", text);
	}
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
	struct player *player;
	struct turn turn;
	struct choice choice = {0};
	uint64_t draw = 0;
	char *number = argument + strcspn(argument, " ");
	if (*number)
		*number++ = '\0';
	enum status status = turn_read(server, argument, &board, &player, &turn, why);
	if (!status && *number)
		status = number_parse("the draw", number, 0, UINT32_MAX, &draw, why);
	if (!status)
		status = player_agent(&server->players, player, why);
	if (!status)
		status = choice_make(player->agent, &turn, draw, &choice, why);
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
static enum status frame_act(struct player *player, const uint8_t *at, uint32_t draw,
			     struct choice *choice, struct why *why)
{
	struct board board;
	struct turn turn;
	if (!cells_take(&player->game, at, &board))
		return why_set(why, STATUS_INPUT, "is no position of %s", player->game.name);
	turn_init(&turn, &player->game, &board, 0);
	if (!turn.moves.legal)
		return why_set(why, STATUS_INPUT, "has no legal move");
	return choice_make(player->agent, &turn, draw, choice, why);
}

/* Reads the bytes after the line and, unless that fails, writes the reply, line and bytes. */
static enum status frame_serve(struct server *server, size_t n, uint8_t *bytes,
			       struct choice *choice, struct why *why)
{
	struct player *player = server->announced;
	const size_t cells = (size_t)player->game.cells;
	if (fread(bytes, cells + 4, n, stdin) != n)
		return why_set(why, STATUS_INPUT, "fewer bytes than %zu positions", n);
	enum status status = player_agent(&server->players, player, why);
	for (size_t i = 0; !status && i < n; i++) {
		uint32_t draw;
		struct why reason;
		memcpy(&draw, bytes + n * cells + 4 * i, sizeof draw);
		status = frame_act(player, bytes + i * cells, le32toh(draw), &choice[i], &reason);
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

enum status play_serve(const struct eval_options *options, struct why *why)
{
	struct server server = {.players.options = options};
	struct game game;
	char canonical[SPEC_MAX];
	enum status status = game_init(&game, &options->game, why);
	server.players.only = options->game.shape ? game.name : NULL;
	if (!status)
		status = agent_canonical(options->agent, canonical, why);
	if (!status)
		requests_serve(&server);
	if (!status && ferror(stdin))
		status = why_set(why, STATUS_SYSTEM, "standard input: cannot be read");
	players_fini(&server.players);
	return status;
}
