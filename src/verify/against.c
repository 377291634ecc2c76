/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nxn verify --against: another program compared with the rules, by the protocol of
 * docs/conformance.md: its after-states of the boards of perft.txt and of drawn positions, the
 * moves that it plays there, and games of its own, in which nxn chooses the moves at random.
 */
#include "agents/external/protocol.h"
#include "base/stop.h"
#include "boards/oracle.h"
#include "src/verify/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The program under test on one board. */
struct trial {
	struct verify *verify;
	struct program *program;
	struct ability ability;
	struct game game;
	struct agreement positions, acts;
	uint64_t left; /* positions whose tiles it cannot hold */
};

/* ---- Positions. */

/* The program's after-states of BOARD, and ours. */
static enum status trial_moves(struct trial *t, const struct board *board,
			       const struct moves *expected, struct why *why)
{
	struct moves found;
	enum status status = protocol_moves(t->program, &t->game, board, &found, why);
	if (!status)
		moves_compare(&t->game, board, &found, expected, &t->positions);
	return status;
}

/* The program's move in BOARD, in which there is one. */
static enum status trial_act(struct trial *t, const struct board *board,
			     const struct moves *expected, struct why *why)
{
	char position[BOARD_TEXT_MAX];
	double value[DIRECTIONS];
	int move;
	enum status status =
	    protocol_act(t->program, &t->game, board, (uint32_t)t->acts.all, &move, value, why);
	if (status)
		return status;
	board_format(&t->game, board, position);
	agree_add(&t->acts, expected->legal >> move & 1, "%s: plays %c, which is not legal",
		  position, "URDL"[move]);
	return STATUS_OK;
}

static enum status trial_position(struct trial *t, const struct board *board, struct why *why)
{
	struct moves expected;
	enum status status = STATUS_OK;
	oracle_moves(&t->game, board, &expected);
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
static enum status trial_vectors(struct trial *t, struct why *why)
{
	const struct facts *facts;
	const char *last = "";
	enum status status = facts_read(t->verify, FACTS_PERFT, &facts, why);
	for (size_t i = 0; !status && i < facts->n; i++) {
		const char *const *word = facts->fact[i].word;
		struct board board;
		if (strcmp(word[0], t->game.name) != 0 || strcmp(word[1], last) == 0)
			continue;
		last = word[1];
		status = board_read(&t->game, word[1], &board, why);
		if (!status)
			status = trial_position(t, &board, why);
	}
	return status;
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

static void trial_tell(const struct trial *t)
{
	const char *name = t->game.name;
	char left[80] = "";
	if (t->left)
		snprintf(left, sizeof left, " (%" PRIu64 " left out: tiles above %" PRIu64 ")",
			 t->left, UINT64_C(1) << t->ability.largest);
	if (t->ability.moves)
		verify_tally(t->verify, &t->positions, "%s: positions, four moves each%s", name,
			     left);
	if (t->ability.act)
		verify_tally(t->verify, &t->acts, "%s: moves played, legal ones%s", name, left);
}

static enum status positions_try(struct trial *t, uint64_t positions, struct why *why)
{
	t->positions.most = t->acts.most = CASES_MAX;
	enum status status = trial_vectors(t, why);
	if (!status)
		status = trial_drawn(t, positions, why);
	if (!status)
		trial_tell(t);
	return status;
}

/* ---- Games. */

static enum status program_begins(void *context, const struct game *game, uint32_t seed,
				  struct observation *seen, struct why *why)
{
	return protocol_start(context, game, seed, seen, why);
}

static enum status program_steps(void *context, const struct game *game, int move,
				 struct observation *seen, struct why *why)
{
	return protocol_step(context, game, move, seen, why);
}

/* Games until MOVES are made. */
static enum status program_games(const struct trial *t, uint64_t moves, struct why *why)
{
	const struct game_source source = {program_begins, program_steps, t->program, t->ability};
	struct games_trial *games = calloc(1, sizeof *games);
	if (!games)
		return why_set(why, STATUS_SYSTEM, "out of memory");
	enum status status = games_try(&source, &t->game, t->verify->seed, moves, games, why);
	if (!status)
		games_tell(t->verify, games, t->game.start_tiles, t->game.name);
	free(games);
	return status;
}

/* ---- All of it. */

/* Everything on the board SHAPE. */
static enum status shape_try(struct verify *verify, struct program *program,
			     const struct ability *ability, const char *shape,
			     const struct against_options *options, struct why *why)
{
	struct trial *t = calloc(1, sizeof *t);
	if (!t)
		return why_set(why, STATUS_SYSTEM, "out of memory");
	*t = (struct trial){.verify = verify, .program = program, .ability = *ability};
	enum status status = game_init(&t->game, &(struct game_options){.shape = shape}, why);
	if (!status)
		status = protocol_knows(program, ability, &t->game, why);
	if (!status && (ability->act || ability->step))
		status = protocol_new(program, &t->game, why);
	if (!status && (ability->moves || ability->act))
		status = positions_try(t, options->positions, why);
	if (!status && ability->step)
		status = program_games(t, options->steps, why);
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
		status = shape_try(verify, program, ability, options->boards.item[i], options, why);
	for (int r = SIDE_MIN; !options->boards.n && r <= SIDE_MAX; r++)
		for (int c = SIDE_MIN; !status && c <= SIDE_MAX; c++) {
			const char shape[] = {(char)('0' + r), 'x', (char)('0' + c), '\0'};
			if (ability_has(ability, r, c))
				status = shape_try(verify, program, ability, shape, options, why);
		}
	return status;
}

/* Whether the program says no to a request that there is not, and goes on. */
static enum status nonsense_ask(struct program *program, bool *refused, struct why *why)
{
	char answer[PROGRAM_LINE_MAX];
	enum status status = program_ask(program, "nonsense 2,2/0,0", answer, why);
	if (!status)
		*refused = strncmp(answer, "error", 5) == 0;
	return status;
}

static enum status program_try(struct verify *verify, struct program *program,
			       const struct against_options *options, struct why *why)
{
	struct ability ability;
	bool refused;
	enum status status = protocol_hello(program, &ability, why);
	if (!status && !ability.moves && !ability.act && !ability.step)
		status =
		    why_set(why, STATUS_SYSTEM, "%s: its hello has none of moves, act and step",
			    program_name(program));
	if (!status)
		status = nonsense_ask(program, &refused, why);
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
