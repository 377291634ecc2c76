/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The agent external: another program plays, by the protocol of docs/conformance.md.
 *
 * Each instance has a process. init() starts it, and sends hello, the board and the spawn rule. A
 * move is one line in each direction. A program can fail in the middle of a game. act() cannot
 * report that: after a failure it makes legal but meaningless moves, and agent_check() returns the
 * error.
 *
 * With batch=N the program gets the positions of up to N games at a time in binary frames. A
 * program that supports only frames always gets frames.
 *
 * The program gets one random draw from the game's stream with every position. If it uses no other
 * randomness, it plays the same games for any number of threads; nxn cannot check that.
 */
#include "agents/external/protocol.h"
#include "agents/agent.h"

#include <math.h>
#include <stdlib.h>

struct external {
	char command[FIELD_TEXT_MAX];
	double timeout;
	int64_t batch; /* maximal number of positions per request; 1: one line each */

	struct program *program;
	uint8_t *frame;	    /* on the heap; NULL: requests are lines, and the batch is 1 */
	enum status status; /* the first failure after init() */
	struct why why;
};

static const struct field external_params[] = {
    {FIELD_MEMBER(FIELD_COMMAND, external, command), .fallback = "",
     .help =
	 "program and its arguments, separated by blanks; command= in front if there is a '=' in "
	 "it"},
    {FIELD_MEMBER(FIELD_REAL, external, timeout), .fallback = "60", .min = 0.01, .max = 1e6,
     .help = "time limit for an answer in seconds"},
    {FIELD_MEMBER(FIELD_INTEGER, external, batch), .fallback = "1", .min = 1, .max = FRAME_MAX,
     .help = "positions to ask about at once, of different games, in a binary frame"},
    {0},
};

/* Chooses lines or frames, as the program supports them. */
static enum status external_agree(struct external *external, const struct ability *ability,
				  struct why *why)
{
	const char *name = program_name(external->program);
	if (!ability->act && !ability->acts)
		return why_set(why, STATUS_INPUT,
			       "%s: it cannot play: no act in its hello "
			       "(docs/conformance.md)",
			       name);
	if (external->batch > 1 && !ability->acts)
		return why_set(why, STATUS_INPUT,
			       "%s: it plays one position at a time: no acts=N in its hello; "
			       "expected batch=1",
			       name);
	if (external->batch == 1 && ability->act)
		return STATUS_OK;
	if (external->batch > (int64_t)ability->acts)
		external->batch = (int64_t)ability->acts;
	external->frame = malloc((size_t)external->batch * FRAME_POSITION);
	return external->frame ? STATUS_OK : why_set(why, STATUS_SYSTEM, "out of memory");
}

static void external_end(struct external *external)
{
	program_end(external->program);
	free(external->frame);
}

static enum status external_init(void *self, const struct agent_env *env, struct why *why)
{
	struct external *external = self;
	struct ability ability;
	struct why reason;
	enum status status = protocol_open(external->command, external->timeout, &external->program,
					   &ability, &reason);
	if (!status)
		status = external_agree(external, &ability, &reason);
	if (!status)
		status = protocol_knows(external->program, &ability, env->game, &reason);
	if (!status)
		status = protocol_new(external->program, env->game, &reason);
	if (status) {
		external_end(external);
		return why_set(why, status, "external: %s", reason.text);
	}
	return STATUS_OK;
}

/* Records the first failure. */
static void external_fail(struct external *external, enum status status, const struct why *why)
{
	external->status = status;
	why_set(&external->why, status, "external: %s", why->text);
}

/* Checks that MOVE is legal in TURN. */
static enum status move_check(const struct external *external, const struct turn *turn, int move,
			      struct why *why)
{
	char board[BOARD_TEXT_MAX];
	if (turn->moves.legal >> move & 1)
		return STATUS_OK;
	board_format(turn->game, turn->board, board);
	return why_set(why, STATUS_SYSTEM, "%s: plays %c in %s, which is not legal",
		       program_name(external->program), direction_letters[move], board);
}

/*
 * Restricts the probabilities to legal moves and divides them by their sum, which is returned; they
 * are meaningless if that is 0 or infinite.
 */
static double chances_norm(unsigned legal, double chance[DIRECTIONS])
{
	double sum = 0;
	for (int d = 0; d < DIRECTIONS; d++) {
		chance[d] = legal >> d & 1 && !isnan(chance[d]) ? chance[d] : 0;
		sum += chance[d];
	}
	for (int d = 0; d < DIRECTIONS; d++)
		chance[d] /= sum;
	return sum;
}

/* Checks the program's reply for TURN, which is in DECISION. */
static enum status decision_check(const struct external *external, const struct turn *turn,
				  int move, struct decision *decision, struct why *why)
{
	char board[BOARD_TEXT_MAX];
	bool chances = false;
	for (int d = 0; d < DIRECTIONS; d++) {
		chances = chances || !isnan(decision->chance[d]);
		if (!(turn->moves.legal >> d & 1))
			decision->value[d] = NAN;
	}
	const double sum = chances ? chances_norm(turn->moves.legal, decision->chance) : 1;
	if (sum > 0 && isfinite(sum))
		return move_check(external, turn, move, why);
	board_format(turn->game, turn->board, board);
	return why_set(
	    why, STATUS_SYSTEM,
	    "%s: the chances of legal moves sum to %g in %s; expected a finite sum above 0",
	    program_name(external->program), sum, board);
}

/* Asks about N turns: in a frame, which the program must accept, or about one in a line. */
static void turns_act(struct external *external, const struct turn *turns, size_t n,
		      struct rng *const *rng, struct decision *decisions, int *move)
{
	struct why why;
	enum status status = STATUS_OK;
	if (!external->status)
		status = external->frame
			     ? protocol_acts(external->program, external->frame, turns, rng, n,
					     move, decisions, &why)
			     : protocol_act(external->program, turns->game, turns->board,
					    rng_u32(rng[0]), move, decisions->value, &why);
	for (size_t i = 0; !status && !external->status && i < n; i++)
		status = decision_check(external, &turns[i], move[i], &decisions[i], &why);
	if (status)
		external_fail(external, status, &why);
	for (size_t i = 0; external->status && i < n; i++)
		move[i] = __builtin_ctz(turns[i].moves.legal);
}

static void external_act_many(void *self, const struct turn *turns, size_t n,
			      struct rng *const *rng, struct decision *decisions, int *move)
{
	struct external *external = self;
	const size_t most = (size_t)external->batch;
	for (size_t i = 0; i < n; i += most)
		turns_act(external, turns + i, n - i < most ? n - i : most, rng + i, decisions + i,
			  move + i);
}

static int external_act(void *self, const struct turn *turn, struct rng *rng,
			struct decision *decision)
{
	int move;
	external_act_many(self, turn, 1, &rng, decision, &move);
	return move;
}

static size_t external_batch(const void *self)
{
	return (size_t)((const struct external *)self)->batch;
}

static enum status external_check(const void *self, struct why *why)
{
	const struct external *external = self;
	if (external->status)
		*why = external->why;
	return external->status;
}

static void external_fini(void *self)
{
	struct external *external = self;
	program_send(external->program, "quit");
	external_end(external);
}

const struct agent_class external_agent = {
    .name = "external",
    .summary = "another program, asked by the protocol of docs/conformance.md",
    .needs = "COMMAND",
    .params = external_params,
    .size = sizeof(struct external),
    .init = external_init,
    .act = external_act,
    .act_many = external_act_many,
    .batch = external_batch,
    .check = external_check,
    .fini = external_fini,
};
