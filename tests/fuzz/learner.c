/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files of learners: loaded, played by, trained further; see learner.h.
 *
 * What a file has to say of its layout and its number of sections follows from its other settings.
 * A mutated setting would only ever be refused for that; so where the reader tells what it
 * expected, that goes into the file, and it is read again.
 */
#include "tests/fuzz/learner.h"

#include "agents/agent.h"
#include "agents/play.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/model.h"

#include <math.h>
#include <string.h>

/* Two games more, of whatever length. */
static bool game_over(void *context, const struct outcome *outcome)
{
	int *games = context;
	(void)outcome;
	return ++*games < 2;
}

static void learner_learn(struct agent *agent)
{
	int games = 0;
	const uint64_t trained = agent->class->trained(agent->self);
	struct training_request request = {.seed = 7,
					   .end =
					       trained < UINT64_MAX - 4 ? trained + 4 : UINT64_MAX,
					   .threads = 1,
					   .over = game_over,
					   .context = &games};
	agent->class->learn(agent->self, &request);
}

static void learner_move(struct agent *agent, const struct board *board)
{
	struct turn turn;
	struct rng rng;
	struct decision decision;
	turn_init(&turn, agent->game, board, 0);
	if (!turn.moves.legal)
		return;
	rng_init(&rng, 1, RNG_AGENT, 1);
	decision_init(&decision);
	const int move = agent->class->act(agent->self, &turn, &rng, &decision);
	FUZZ_CHECK(move >= 0 && move < DIRECTIONS && (turn.moves.legal >> move & 1));
}

static void learner_moves(struct agent *agent)
{
	struct board board;
	struct rng rng;
	for (uint64_t i = 0; i < 2; i++) {
		rng_init(&rng, 1, RNG_SPAWN, i);
		board_start(agent->game, &board, &rng);
		learner_move(agent, &board);
		/* Large tiles, as far as there are. */
		for (int r = 0; r < agent->game->rows; r++)
			for (int c = 0; c < agent->game->cols; c++)
				board.cell[r][c] =
				    (uint8_t)(rng_below(&rng, (uint32_t)agent->game->max_exponent));
		if (!game_admits(agent->game, &board, NULL))
			learner_move(agent, &board);
	}
}

int learner_play(const char *agent, const char *shape, const char *spawn, const char *path,
		 int learn, char *reason, size_t room)
{
	char text[256];
	struct game game;
	struct agent *made;
	struct why why = {""};
	if (game_init(&game, &(struct game_options){.shape = shape, .spawn = spawn}, &why)) {
		snprintf(reason, room, "%s", why.text);
		return 0;
	}
	const struct agent_env env = {.game = &game};
	snprintf(text, sizeof text, "%s:file=%s", agent, path);
	enum status status = agent_new(text, &env, &made, &why);
	snprintf(reason, room, "%s", why.text);
	if (!fuzz_fine(status, &why))
		return 0;
	learner_moves(made);
	if (learn && game.cells <= 6)
		learner_learn(made);
	agent_free(made);
	return 1;
}

/* Copies what REASON quotes behind WORD, up to the quote's end. */
static bool quote_take(const char *reason, const char *word, char *text, size_t room)
{
	const char *at = strstr(reason, word), *end;
	at = at ? at + strlen(word) : NULL;
	end = at ? strrchr(at, '\'') : NULL;
	if (!end || (size_t)(end - at) >= room)
		return false;
	memset(text, 0, room);
	memcpy(text, at, (size_t)(end - at));
	return true;
}

/* Makes HEAD what the refusal says was expected; false if it says nothing of that kind. */
static bool head_suit(const char *reason, struct model_header *head)
{
	const char *at = strstr(reason, " sections, expected ");
	if (at) {
		head->sections = (uint32_t)strtoul(at + strlen(" sections, expected "), NULL, 10);
		return true;
	}
	return quote_take(reason, "expected layout '", head->layout, sizeof head->layout);
}

/* The number that NAME= has in PARAMS, or FALLBACK. */
static unsigned long setting_of(const char *params, const char *name, unsigned long fallback)
{
	const char *at = strstr(params, name);
	return at ? strtoul(at + strlen(name), NULL, 10) : fallback;
}

/* A batch of games is learned from as a whole, so training takes long where one is large. */
static bool trains_fast(const char *params)
{
	return setting_of(params, "batch=", 4) <= 8 && setting_of(params, "batch_size=", 4) <= 8 &&
	       setting_of(params, "epochs=", 1) <= 4 && setting_of(params, "hidden=", 8) <= 32 &&
	       setting_of(params, "hidden1=", 8) <= 32 && setting_of(params, "hidden2=", 8) <= 32;
}

void learner_run(const char *agent, const uint8_t *data, size_t size)
{
	char reason[sizeof(struct why)] = "";
	struct model_header head;
	const size_t at = model_unpacked_head(data, size, &head);
	const bool deep = fuzz_deep(data, size);
	for (int tries = 0; tries < 4; tries++) {
		if (head.sections == 0 || head.sections > 64)
			head.sections = 2;
		const char *path = model_pack(&head, data + at, size - at);
		if (learner_play(agent, head.board, head.spawn, path,
				 deep && trains_fast(head.params), reason, sizeof reason) ||
		    !head_suit(reason, &head))
			break;
	}
}
