/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The value external: another program evaluates positions, by the protocol of docs/conformance.md:
 * many in a binary frame, or one per line if it does not support frames. So a search of nxn can use
 * any evaluation function.
 *
 * The program evaluates after-states, in future points, unless the parameters of the search say
 * otherwise (leaf=, rewards=). Its value must be a function of the position alone, since a search
 * stores values in its table. Threads of one search take turns; each instance has its own process.
 *
 * Evaluation cannot report failure. After a failure all values are 0, and check() returns the
 * error.
 */
#include "agents/external/protocol.h"
#include "agents/value.h"

#include <pthread.h>
#include <stdlib.h>

/* The state that changes during evaluation. */
struct connection {
	pthread_mutex_t lock;
	const struct game *game;
	struct program *program;
	uint8_t *frame; /* on the heap; NULL: requests are lines */
	size_t most;	/* maximal number of positions in a frame */
	enum status status;
	struct why why;
};

struct external_value {
	char command[FIELD_TEXT_MAX];
	double timeout;
	int64_t batch;

	struct connection *connection;
};

static const struct field external_value_params[] = {
    {FIELD_MEMBER(FIELD_COMMAND, external_value, command), .fallback = "",
     .help =
	 "program and its arguments, separated by blanks; command= in front if there is a '=' in "
	 "it"},
    {FIELD_MEMBER(FIELD_REAL, external_value, timeout), .fallback = "60", .min = 0.01, .max = 1e6,
     .help = "time limit for an answer in seconds"},
    {FIELD_MEMBER(FIELD_INTEGER, external_value, batch), .fallback = "4096", .min = 1,
     .max = FRAME_MAX, .help = "most positions to ask about at once"},
    {0},
};

static void connection_free(struct connection *c)
{
	program_end(c->program);
	free(c->frame);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

/* Chooses lines or frames of at most BATCH positions, and sends the game. */
static enum status connection_begin(struct connection *c, const struct ability *ability,
				    size_t batch, struct why *why)
{
	if (!ability->value && !ability->values)
		return why_set(why, STATUS_INPUT,
			       "%s: it cannot evaluate: no value or values=N in its hello "
			       "(docs/conformance.md)",
			       program_name(c->program));
	c->most = batch < ability->values ? batch : ability->values;
	enum status status = protocol_knows(c->program, ability, c->game, why);
	if (!status && c->most) {
		c->frame = malloc(c->most * FRAME_POSITION);
		status = c->frame ? STATUS_OK : why_set(why, STATUS_SYSTEM, "out of memory");
	}
	return status ? status : protocol_new(c->program, c->game, why);
}

static enum status external_value_init(void *self, const struct agent_env *env, struct why *why)
{
	struct external_value *value = self;
	struct why reason;
	struct connection *c = calloc(1, sizeof *c);
	if (!c)
		return why_set(why, STATUS_SYSTEM, "out of memory for value=external");
	c->game = env->game;
	pthread_mutex_init(&c->lock, NULL);
	struct ability ability;
	enum status status =
	    protocol_open(value->command, value->timeout, &c->program, &ability, &reason);
	if (!status)
		status = connection_begin(c, &ability, (size_t)value->batch, &reason);
	if (status) {
		connection_free(c);
		return why_set(why, status, "value=external: %s", reason.text);
	}
	value->connection = c;
	return STATUS_OK;
}

static void external_value_fini(void *self)
{
	struct connection *c = ((struct external_value *)self)->connection;
	program_send(c->program, "quit");
	connection_free(c);
}

/* Evaluates N BOARDS, or records a failure. */
static void connection_ask(struct connection *c, const struct board *boards, size_t n, double *out)
{
	const size_t step = c->frame ? c->most : 1;
	for (size_t i = 0; !c->status && i < n; i += step)
		c->status = c->frame
				? protocol_values(c->program, c->game, c->frame, boards + i,
						  n - i < step ? n - i : step, out + i, &c->why)
				: protocol_value(c->program, c->game, boards + i, out + i, &c->why);
}

static void external_value_eval(const void *self, const struct board *boards, size_t n, double *out)
{
	struct connection *c = ((const struct external_value *)self)->connection;
	pthread_mutex_lock(&c->lock);
	connection_ask(c, boards, n, out);
	for (size_t i = 0; c->status && i < n; i++)
		out[i] = 0;
	pthread_mutex_unlock(&c->lock);
}

static bool external_value_of_after_states(const void *self)
{
	(void)self;
	return true;
}

static enum status external_value_check(const void *self, struct why *why)
{
	struct connection *c = ((const struct external_value *)self)->connection;
	pthread_mutex_lock(&c->lock);
	const enum status status = c->status;
	if (status)
		why_set(why, status, "value=external: %s", c->why.text);
	pthread_mutex_unlock(&c->lock);
	return status;
}

const struct value_class external_value = {
    .name = "external",
    .summary = "another program, asked by the protocol of docs/conformance.md",
    .params = external_value_params,
    .size = sizeof(struct external_value),
    .in_points = true,
    .init = external_value_init,
    .fini = external_value_fini,
    .of_after_states = external_value_of_after_states,
    .eval = external_value_eval,
    .check = external_value_check,
};
