/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nxn eval: the moves of an agent in given positions, and its values of them.
 *
 * A row is written as soon as its line was read, so another program can ask and wait for the
 * answer. However, an agent that works in batches (external:...,batch=N) gets N positions at a
 * time, and its rows are written N at a time. One agent is created for each shape that occurs. Its
 * random draws depend only on the number of the row.
 */
#include "src/play/play.h"

#include "agents/play.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/lines.h"
#include "base/xalloc.h"
#include "src/cli/provenance.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A game and its agent, created on demand. */
struct player {
	struct game game;
	struct agent *agent;
};

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
	const struct eval_options *options;
	const struct table_out *out;
	uint64_t rows; /* positions so far */
	/* The positions, one per line. */
	struct lines lines;
	bool kept; /* the present line is returned once more */
	/* The result of the rows. */
	enum status status;
	struct why *why;
	struct questions questions;
	struct player players[SIDE_MAX + 1][SIDE_MAX + 1]; /* by shape; [0][0]: that of --board */
};

static enum status eval_player(struct eval *eval, int rows, int cols, struct player **found,
			       struct why *why)
{
	char shape[8];
	struct game_options options = eval->options->game;
	bool fixed = options.shape;
	struct player *player = fixed ? &eval->players[0][0] : &eval->players[rows][cols];
	*found = player;
	if (player->agent)
		return STATUS_OK;
	snprintf(shape, sizeof shape, "%dx%d", rows, cols);
	options.shape = fixed ? options.shape : shape;
	enum status status = game_init(&player->game, &options, why);
	if (status)
		return status;
	struct agent_env env = {.game = &player->game};
	status = agent_new(eval->options->agent, &env, &player->agent, why);
	return status || eval->options->untrained
		   ? status
		   : agent_trained_check(player->agent, eval->options->agent, "add --untrained",
					 why);
}

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

/* Parses TEXT, a whole line, and finds the player for the position. */
static enum status text_read(struct eval *eval, const char *text, struct board *board,
			     struct player **player, struct why *why)
{
	int rows, cols;
	enum status status = board_parse(text, board, &rows, &cols, why);
	if (!status)
		status = eval_player(eval, rows, cols, player, why);
	if (!status)
		status = board_read(&(*player)->game, text, board, why);
	return status;
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
	struct game game;
	struct player *player;
	char canonical[SPEC_MAX];
	const char *asked_for = eval->options->path;
	const char *path = asked_for && strcmp(asked_for, "-") != 0 ? asked_for : NULL;
	enum status status = game_init(&game, &eval->options->game, why);
	if (!status)
		status = eval->options->game.shape
			     ? eval_player(eval, game.rows, game.cols, &player, why)
			     : agent_canonical(eval->options->agent, canonical, why);
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
	struct eval eval = {.options = options, .why = why};
	questions_init(&eval.questions, agent_batch_of(options->agent));
	const enum status status = eval_all(&eval, call, why);
	questions_fini(&eval.questions);
	for (int r = 0; r <= SIDE_MAX; r++)
		for (int c = 0; c <= SIDE_MAX; c++)
			agent_free(eval.players[r][c].agent);
	return status;
}
