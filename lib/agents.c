/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Agents and values: creation from text, decisions, games, training, saving; see nxn.h.
 *
 * Check value: with seed 1, nxn_agent_act() makes the same move in its first position as `nxn eval`
 * in its first line.
 */
#include "lib/libnxn.h"

#include "agents/model.h"
#include "agents/play.h"
#include "base/file.h"

#include <math.h>
#include <stdlib.h>

enum nxn_status nxn_agent_new(const struct nxn_game *game, const char *text,
			      struct nxn_agent **agent, struct nxn_why *why)
{
	const struct agent_env env = {.game = &game->game};
	char canonical[SPEC_MAX];
	enum status status = agent_canonical(text, canonical, reason(why));
	if (status)
		return public_status(status);
	struct nxn_agent *made = malloc(sizeof *made);
	char *copy = strdup(canonical);
	if (made && copy) {
		*made = (struct nxn_agent){.game = game, .text = copy};
		status = agent_new(text, &env, &made->agent, reason(why));
	} else {
		status = why_set(reason(why), STATUS_SYSTEM, "out of memory for an agent");
	}
	if (status) {
		free(copy);
		free(made);
	} else {
		*agent = made;
	}
	return public_status(status);
}

void nxn_agent_free(struct nxn_agent *agent)
{
	if (!agent)
		return;
	agent_free(agent->agent);
	free(agent->text);
	free(agent);
}

enum nxn_status nxn_agent_check(const char *text, struct nxn_why *why)
{
	uint64_t digest;
	/* agent_input_digest() reports missing files, since it reads them. */
	return public_status(agent_input_digest(text, &digest, reason(why)));
}

void nxn_agent_untrained(struct nxn_agent *agent, int allowed)
{
	agent->untrained = allowed != 0;
}

enum nxn_status nxn_agent_ready(const struct nxn_agent *agent, struct nxn_why *why)
{
	const struct agent *made = agent->agent;
	if (agent->untrained)
		return NXN_OK;
	return public_status(agent_trained_check(
	    made, agent->text, "allow it with untrained=True in Python, nxn_agent_untrained() in C",
	    reason(why)));
}

/* Checks that AGENT may play and that the positions CELLS[n] are valid. */
static enum nxn_status ask_check(const struct nxn_agent *agent, const uint8_t *cells, size_t n,
				 struct nxn_why *why)
{
	const enum nxn_status status = nxn_agent_ready(agent, why);
	return status ? status : nxn_board_check(agent->game, cells, n, why);
}

/* Makes BOARD and TURN from position I of CELLS, which must be valid. */
static void turn_load(const struct game *game, const uint8_t *cells, size_t i, struct board *board,
		      struct turn *turn)
{
	board_load(game, cells + i * (size_t)game->cells, board);
	turn_init(turn, game, board, 0);
}

enum nxn_status nxn_agent_act(struct nxn_agent *agent, const uint8_t *cells, size_t n,
			      const uint64_t *score, uint64_t seed, uint64_t index, uint8_t *action,
			      double *value, uint64_t *nodes, struct nxn_why *why)
{
	enum nxn_status status = ask_check(agent, cells, n, why);
	for (size_t i = 0; !status && i < n; i++) {
		struct board board;
		struct turn turn;
		struct rng rng;
		struct decision decision;
		int move = 0;
		turn_load(&agent->game->game, cells, i, &board, &turn);
		turn.score = score ? score[i] : 0;
		rng_init(&rng, seed, RNG_AGENT, index + i);
		decision_init(&decision);
		if (turn.moves.legal)
			move = agent->agent->class->act(agent->agent->self, &turn, &rng, &decision);
		status = public_status(agent_check(agent->agent, reason(why)));
		if (action)
			action[i] = (uint8_t)move;
		if (value)
			memcpy(value + i * DIRECTIONS, decision.value, sizeof decision.value);
		if (nodes)
			nodes[i] = decision.nodes;
	}
	return status;
}

enum nxn_status nxn_agent_policy(struct nxn_agent *agent, const uint8_t *cells, size_t n,
				 uint64_t seed, uint64_t index, double *chance, struct nxn_why *why)
{
	enum nxn_status status = ask_check(agent, cells, n, why);
	for (size_t i = 0; !status && i < n; i++) {
		struct board board;
		struct turn turn;
		struct rng rng;
		double chances[1][DIRECTIONS] = {{0}};
		turn_load(&agent->game->game, cells, i, &board, &turn);
		rng_init(&rng, seed, RNG_AGENT, index + i);
		if (turn.moves.legal)
			agent_policy_chances(agent->agent, &turn, 1, &rng, chances);
		status = public_status(agent_check(agent->agent, reason(why)));
		memcpy(chance + i * DIRECTIONS, chances, sizeof chances);
	}
	return status;
}

enum nxn_status nxn_agent_play(struct nxn_agent *agent, uint64_t seed, uint64_t first, size_t n,
			       uint64_t *score, uint64_t *moves, uint8_t *max_exponent,
			       struct nxn_why *why)
{
	enum status status = (enum status)nxn_agent_ready(agent, why);
	for (size_t i = 0; !status && i < n; i++) {
		struct outcome outcome;
		play_game(agent->agent, seed, first + i, NULL, &outcome);
		status = agent_check(agent->agent, reason(why));
		if (score)
			score[i] = outcome.score;
		if (moves)
			moves[i] = outcome.moves;
		if (max_exponent)
			max_exponent[i] = (uint8_t)outcome.max_exponent;
	}
	return public_status(status);
}

/* Returns STATUS_INPUT if AGENT does not learn. */
static enum status learner_check(const struct agent *agent, struct why *why)
{
	if (agent->class->learn && agent->class->model)
		return STATUS_OK;
	return why_set(why, STATUS_INPUT, "%s does not learn: expected an agent that does",
		       agent->class->name);
}

static bool continue_training(void *context, const struct outcome *outcome)
{
	(void)context;
	(void)outcome;
	return true;
}

enum nxn_status nxn_agent_train(struct nxn_agent *agent, uint64_t seed, uint64_t games,
				struct nxn_why *why)
{
	const struct training_request request = {
	    .seed = seed, .end = games, .threads = 1, .over = continue_training};
	struct agent *learner = agent->agent;
	enum status status = learner_check(learner, reason(why));
	if (!status)
		learner->class->learn(learner->self, &request);
	return public_status(status);
}

enum nxn_status nxn_agent_save(const struct nxn_agent *agent, const char *path, struct nxn_why *why)
{
	struct lock lock = {0};
	enum status status = learner_check(agent->agent, reason(why));
	status = status ? status : lock_take(&lock, path, reason(why));
	status = status ? status : model_replace_check(agent->agent, path, reason(why));
	status = status ? status : agent_save(agent->agent, path, NULL, reason(why));
	lock_release(&lock);
	return public_status(status);
}

/* ---- Values. */

struct nxn_value {
	const struct nxn_game *game;
	struct value *value;
};

/* Applies the settings in TEXT: KEY=VALUE, separated by commas. */
static enum status settings_set(struct value *value, const char *text, struct why *why)
{
	const struct value_class *class = value->class;
	while (*text) {
		struct setting setting;
		enum status status =
		    setting_read(class->name, class->params, &text, false, &setting, why);
		if (status)
			return status;
		const struct field *param =
		    field_find(class->params, setting.key, setting.key_length);
		if (!param)
			return why_set(why, STATUS_INPUT, "%s has no key '%.*s'", class->name,
				       (int)(setting.key_length < 40 ? setting.key_length : 40),
				       setting.key);
		status = field_read(param, param->name, value->self, setting.text, why);
		if (status)
			return status;
	}
	return STATUS_OK;
}

static enum status value_make(const struct nxn_game *game, const char *text, struct value **value,
			      struct why *why)
{
	const struct agent_env env = {.game = &game->game};
	const size_t length = strcspn(text, ",");
	char *name = strndup(text, length);
	if (!name)
		return why_set(why, STATUS_SYSTEM, "out of memory for a value");
	enum status status = value_new(name, value, why);
	free(name);
	if (status)
		return status;
	status = settings_set(*value, text + length + (text[length] == ','), why);
	if (!status)
		status = value_init(*value, &env, why);
	if (status)
		value_free(*value);
	return status;
}

enum nxn_status nxn_value_new(const struct nxn_game *game, const char *text,
			      struct nxn_value **value, struct nxn_why *why)
{
	struct nxn_value *made = malloc(sizeof *made);
	if (!made)
		return public_status(
		    why_set(reason(why), STATUS_SYSTEM, "out of memory for a value"));
	made->game = game;
	const enum status status = value_make(game, text, &made->value, reason(why));
	if (status)
		free(made);
	else
		*value = made;
	return public_status(status);
}

void nxn_value_free(struct nxn_value *value)
{
	if (!value)
		return;
	value_free(value->value);
	free(value);
}

enum nxn_status nxn_value_eval(struct nxn_value *value, const uint8_t *cells, size_t n, double *out,
			       struct nxn_why *why)
{
	enum { SLICE = 64 };
	const struct game *game = &value->game->game;
	const enum nxn_status status = nxn_board_check(value->game, cells, n, why);
	for (size_t i = 0; !status && i < n; i += SLICE) {
		struct board boards[SLICE];
		const size_t count = n - i < SLICE ? n - i : SLICE;
		for (size_t k = 0; k < count; k++)
			board_load(game, cells + (i + k) * (size_t)game->cells, &boards[k]);
		value_eval(value->value, boards, count, out + i);
	}
	return status;
}
