/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compares another program with the rules, by the protocol of docs/conformance.md; see verify.h.
 *
 * Positions are the boards of perft.txt and drawn ones of all kinds (position_draw()), each of
 * which finds other mistakes: chains of equal tiles those of merging, tiles near the largest
 * those of encoding. Rectangles show whether a program confuses rows with columns.
 */
#include "src/verify/verify.h"

#include "agents/external/protocol.h"
#include "base/stop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHOWN = 5 };

/* The program under test on one board. */
struct trial {
	struct verify *verify;
	struct program *program;
	struct ability ability;
	struct game game;
	uint64_t agreed, asked, left; /* positions; those whose tiles it cannot hold */
	uint64_t acts, legal;	      /* moves asked for, and fine */
	char shown[SHOWN][DIFFERENCE_MAX];
	int differences;	   /* in SHOWN */
	char last[BOARD_TEXT_MAX]; /* of perft.txt */
};

static void difference_keep(struct trial *t, const char *text)
{
	if (t->differences < SHOWN)
		snprintf(t->shown[t->differences++], DIFFERENCE_MAX, "%s", text);
}

/* The program's after-states of BOARD, and ours. */
static enum status trial_moves(struct trial *t, const struct board *board,
			       const struct moves *expected, struct why *why)
{
	char text[DIFFERENCE_MAX];
	struct moves found;
	enum status status = protocol_moves(t->program, &t->game, board, &found, why);
	if (status)
		return status;
	t->asked++;
	if (moves_differ(&t->game, board, &found, expected, text))
		difference_keep(t, text);
	else
		t->agreed++;
	return STATUS_OK;
}

/* The program's move in BOARD, in which there is one. */
static enum status trial_act(struct trial *t, const struct board *board,
			     const struct moves *expected, struct why *why)
{
	char position[BOARD_TEXT_MAX], text[DIFFERENCE_MAX];
	double value[DIRECTIONS];
	int move;
	enum status status =
	    protocol_act(t->program, &t->game, board, (uint32_t)t->acts, &move, value, why);
	if (status)
		return status;
	t->acts++;
	if (expected->legal >> move & 1) {
		t->legal++;
		return STATUS_OK;
	}
	board_format(&t->game, board, position);
	snprintf(text, sizeof text, "%s: plays %c, which is not legal", position, "URDL"[move]);
	difference_keep(t, text);
	return STATUS_OK;
}

static enum status trial_position(struct trial *t, const struct board *board, struct why *why)
{
	struct moves expected;
	enum status status = STATUS_OK;
	t->game.moves(board, &expected);
	if (!ability_holds(&t->ability, &expected)) {
		t->left++;
		return STATUS_OK;
	}
	if (t->ability.moves)
		status = trial_moves(t, board, &expected, why);
	if (!status && t->ability.act && expected.legal)
		status = trial_act(t, board, &expected, why);
	return status;
}

/* The boards of this shape in perft.txt, which stand in several rows one after the other. */
static enum status trial_line(void *context, char *line, int number, struct why *why)
{
	struct trial *t = context;
	struct board board;
	char shape[8], text[BOARD_TEXT_MAX];
	(void)number;
	if (sscanf(line, "%7s %504s", shape, text) != 2 || strcmp(shape, t->game.name) != 0 ||
	    strcmp(text, t->last) == 0)
		return STATUS_OK;
	snprintf(t->last, sizeof t->last, "%s", text);
	enum status status = board_read(&t->game, text, &board, why);
	return status ? status : trial_position(t, &board, why);
}

static enum status trial_drawn(struct trial *t, uint64_t positions, struct why *why)
{
	enum status status = STATUS_OK;
	for (uint64_t i = 0; !status && i < positions; i++) {
		struct board board;
		position_draw(&t->game, t->verify->seed, i, &board);
		status = trial_position(t, &board, why);
	}
	return status;
}

static void count_tell(struct trial *t, const char *what, uint64_t good, uint64_t all)
{
	char left[80] = "", found[32], expected[32];
	if (t->left)
		snprintf(left, sizeof left, " (%" PRIu64 " left out: tiles above %" PRIu64 ")",
			 t->left, UINT64_C(1) << t->ability.largest);
	snprintf(found, sizeof found, "%" PRIu64 " agree", good);
	snprintf(expected, sizeof expected, "%" PRIu64, all);
	verify_tell(t->verify, good == all && all > 0, found, expected, "%s: %s%s", t->game.name,
		    what, left);
}

static void trial_tell(struct trial *t)
{
	if (t->ability.moves)
		count_tell(t, "positions, four moves each", t->agreed, t->asked);
	if (t->ability.act)
		count_tell(t, "moves played, legal ones", t->legal, t->acts);
	for (int i = 0; i < t->differences; i++)
		printf("            %s\n", t->shown[i]);
}

/* Everything on the board SHAPE. */
static enum status shape_try(struct verify *verify, struct program *program,
			     const struct ability *ability, const char *shape, uint64_t positions,
			     struct why *why)
{
	struct trial *t = calloc(1, sizeof *t);
	if (!t)
		return why_set(why, STATUS_SYSTEM, "out of memory");
	*t = (struct trial){.verify = verify, .program = program, .ability = *ability};
	enum status status = game_init(&t->game, &(struct game_options){.shape = shape}, why);
	if (!status && !ability_has(ability, t->game.rows, t->game.cols))
		status = why_set(why, STATUS_INPUT, "%s: it does not know the board %s",
				 program_name(program), shape);
	if (!status && ability->act)
		status = protocol_new(program, &t->game, why);
	if (!status)
		status = facts_each(verify, "perft.txt", trial_line, t, why);
	if (!status)
		status = trial_drawn(t, positions, why);
	if (!status)
		trial_tell(t);
	free(t);
	return status;
}

/* The boards that were asked for, or all that the program knows. */
static enum status shapes_try(struct verify *verify, struct program *program,
			      const struct ability *ability, const struct against_options *options,
			      struct why *why)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < options->boards.n; i++)
		status = shape_try(verify, program, ability, options->boards.item[i],
				   options->positions, why);
	for (int i = 0; !status && i < SHAPES && !options->boards.n; i++) {
		char shape[8];
		shape_name(i, shape);
		if (ability_has(ability, shape[0] - '0', shape[2] - '0'))
			status =
			    shape_try(verify, program, ability, shape, options->positions, why);
	}
	return status;
}

static enum status program_try(struct verify *verify, struct program *program,
			       const struct against_options *options, struct why *why)
{
	struct ability ability;
	bool refused;
	enum status status = protocol_hello(program, &ability, why);
	if (!status && !ability.moves && !ability.act)
		status = why_set(why, STATUS_SYSTEM, "%s: its hello has neither moves nor act",
				 program_name(program));
	if (!status)
		status = protocol_nonsense(program, &refused, why);
	if (status)
		return status;
	verify_tell(verify, refused, refused ? "error" : "no error", "error",
		    "a request that there is not");
	return shapes_try(verify, program, &ability, options, why);
}

/* Before a program is started for nothing. */
static enum status shapes_check(const struct text_list *boards, struct why *why)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < boards->n; i++) {
		struct game game;
		status = game_init(&game, &(struct game_options){.shape = boards->item[i]}, why);
	}
	return status;
}

enum status verify_against(struct verify *verify, const struct against_options *options,
			   struct why *why)
{
	struct program *program;
	enum status status = shapes_check(&options->boards, why);
	if (!status)
		status = program_start(options->command, options->seconds, stop_requested, &program,
				       why);
	if (status)
		return status;
	verify->check = "against";
	status = program_try(verify, program, options, why);
	if (!status)
		program_tell(program, "quit");
	program_end(program);
	return status;
}
