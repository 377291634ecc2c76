/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The agent relative: parameters, network, training by batches, and the model files that hold them. */
#ifndef NXN_RELATIVE_H
#define NXN_RELATIVE_H

#include "agents/nets/batches.h"
#include "agents/nets/fit.h"
#include "agents/nets/relative_course.h"
#include "agents/nets/relative_targets.h"

/* What relative_params set; see their docs in relative_params.c. */
struct relative_settings {
	char file[PARAM_TEXT_MAX];
	int play, game_type, random_games, move_penalty_type, game_penalty_type;
	int input, symmetry, among;
	double random_frac, lr, bad;
	int64_t batch_size, hidden1, hidden2, levels, minibatch;
	int64_t win, mini_first, mini_last, mini_batches;
};

enum relative_play { RELATIVE_ARGMAX, RELATIVE_SAMPLE };
enum relative_among { AMONG_LEGAL, AMONG_ALL };

/* The parameters of struct relative_settings, which must be the first member of their owner. */
extern const struct param relative_params[];

/* A move that is learned from. */
struct relative_lesson {
	const struct board *board;
	float weight; /* j k, and `bad` in a bad game */
	uint8_t legal, move;
	bool good; /* its game */
};

struct relative {
	struct relative_settings settings;
	const struct game *game;
	const struct relative *owner; /* whose brain is borrowed, or NULL */
	struct brain brain;
	struct brain_work work; /* of a player */
	bool learner;		/* what follows is there */
	int limit;		/* the exponent that ends a full game; 0: none does */
	struct relative_course course;
	struct fit fit;
	struct batches batches;
	struct standing *games; /* of a batch; on the heap, like the rest */
	double *scratch;
	struct relative_lesson *lesson;
	const struct board **board; /* of the lessons, in their order */
	size_t room;		    /* of both */
};

/* What SETTINGS make of the network, the ends of games and the course. STATUS_INPUT. */
MUST_USE enum status relative_plan(const struct relative_settings *settings,
				   const struct game *game, struct brain_plan *plan, int *limit,
				   struct relative_course *course, struct why *why);

/* Makes everything a learner has, nothing learned: weights of 0. */
MUST_USE enum status relative_make(void *self, const struct game *game, struct why *why);
void relative_fini(void *self);

/* learn() of the agent class. */
void relative_learn(void *self, const struct training_request *request);

extern const struct agent_model relative_model;

#endif
