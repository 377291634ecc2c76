/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The agent external: another program plays, asked by the protocol of docs/conformance.md.
 *
 * An instance is a process. init() starts it, says hello and tells it the board and the spawn rule;
 * a move is one line there and one back. A program can fail in the middle of a game, which act()
 * cannot say: from then on it makes legal moves that mean nothing, and agent_check() tells why.
 *
 * The program gets one draw of the game's stream with every position. One that plays by nothing
 * else plays the same games whatever the number of threads; nxn cannot know whether it does.
 */
#include "agents/external/protocol.h"
#include "agents/agent.h"
#include "base/stop.h"

struct external {
	char command[PARAM_TEXT_MAX];
	double timeout;

	struct program *program;
	enum status status; /* of the first failure after init() */
	struct why why;
};

static const struct param external_params[] = {
    {PARAM_FIELD(PARAM_TEXT, external, command), .fallback = "",
     .doc =
	 "program and its arguments, separated by blanks; command= in front if there is a '=' in "
	 "it"},
    {PARAM_FIELD(PARAM_REAL, external, timeout), .fallback = "60", .min = 0.01, .max = 1e6,
     .doc = "time limit for an answer in seconds"},
    {0},
};

/* Hello, and what is to be played. */
static enum status external_greet(struct program *program, const struct game *game, struct why *why)
{
	struct ability ability;
	enum status status = protocol_hello(program, &ability, why);
	if (status)
		return status;
	if (!ability.act)
		return why_set(why, STATUS_INPUT, "%s: it cannot play: no act in its hello",
			       program_name(program));
	if (!ability_has(&ability, game->rows, game->cols))
		return why_set(why, STATUS_INPUT, "%s: it does not know the board %s",
			       program_name(program), game->name);
	return protocol_new(program, game, why);
}

static enum status external_init(void *self, const struct agent_env *env, struct why *why)
{
	struct external *external = self;
	struct why reason;
	for (const char *c = external->command; *c; c++)
		if (*c < ' ')
			return why_set(why, STATUS_INPUT,
				       "external: the command has a control character in it");
	if (!external->command[0])
		return why_set(why, STATUS_INPUT,
			       "external: the program is missing: expected external:COMMAND");
	enum status status = program_start(external->command, external->timeout, stop_requested,
					   &external->program, &reason);
	if (!status)
		status = external_greet(external->program, env->game, &reason);
	if (status) {
		program_end(external->program);
		return why_set(why, status, "external: %s", reason.text);
	}
	return STATUS_OK;
}

static int external_fail(struct external *external, enum status status, const struct why *why,
			 unsigned legal)
{
	external->status = status;
	why_set(&external->why, status, "external: %s", why->text);
	return __builtin_ctz(legal);
}

static int external_act(void *self, const struct turn *turn, struct rng *rng,
			struct decision *decision)
{
	struct external *external = self;
	struct why why;
	int move;
	double value[DIRECTIONS];
	const uint32_t draw = rng_u32(rng);
	if (external->status)
		return __builtin_ctz(turn->moves.legal);
	enum status status =
	    protocol_act(external->program, turn->game, turn->board, draw, &move, value, &why);
	if (!status && !(turn->moves.legal >> move & 1)) {
		char board[BOARD_TEXT_MAX];
		board_format(turn->game, turn->board, board);
		status = why_set(&why, STATUS_SYSTEM, "%s: plays %c in %s, which is not legal",
				 program_name(external->program), "URDL"[move], board);
	}
	if (status)
		return external_fail(external, status, &why, turn->moves.legal);
	for (int d = 0; d < DIRECTIONS; d++)
		if (turn->moves.legal >> d & 1)
			decision->value[d] = value[d];
	return move;
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
	program_tell(external->program, "quit");
	program_end(external->program);
}

const struct agent_class external_agent = {
    .name = "external",
    .summary = "another program, asked by the protocol of docs/conformance.md",
    .needs = "COMMAND",
    .params = external_params,
    .size = sizeof(struct external),
    .init = external_init,
    .act = external_act,
    .check = external_check,
    .fini = external_fini,
};
