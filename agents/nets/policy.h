/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The policy network: parameters, networks, training by batches, and the model files that hold them.
 */
#ifndef NXN_POLICY_H
#define NXN_POLICY_H

#include "agents/nets/batches.h"
#include "agents/nets/fit.h"
#include "agents/param.h"
#include "boards/record.h"

enum policy_actions { ACTIONS_PROBABILISTIC, ACTIONS_EGREEDY };
enum policy_play { PLAY_ARGMAX, PLAY_SAMPLE };
enum policy_gradient { GRADIENT_REINFORCE, GRADIENT_PRINTED };
enum policy_reward { REWARD_SUM, REWARD_SCORE, REWARD_MAX, REWARD_MOVES, REWARD_WIN };
enum policy_credit { CREDIT_GAME, CREDIT_TOGO, CREDIT_CRITIC };

/* What policy_params set; see their docs in policy_params.c. */
struct policy_settings {
	char file[PARAM_TEXT_MAX], hidden[PARAM_TEXT_MAX], stages[PARAM_TEXT_MAX];
	char demonstrations[PARAM_TEXT_MAX], weights[PARAM_TEXT_MAX];
	int input, symmetry, start, actions, play, gradient, reward, credit,
	    optimiser; /* choices */
	int64_t levels, batch, alpha_games, epsilon_games, minibatch, epochs;
	int64_t demo_games, demo_only;
	double last, epsilon, epsilon_end, gamma, lambda, entropy, clip;
	double alpha, alpha_end, rho, critic_alpha;
};

/* The parameters of struct policy_settings, which must be the first member of their owner. */
extern const struct param policy_params[];

/* The moves of a batch, one behind the other, as they are learned from. On the heap. */
struct examples {
	size_t n, room;
	const struct board **board; /* room for 2 * room, the second half of them for minibatches */
	float (*out)[DIRECTIONS];   /* of the critic */
	float *reward;		    /* of a move */
	float *credit;		    /* what a move is praised for, or blamed if negative */
	float *target;		    /* what the critic should have said */
	float *chance;		    /* of the move when it was made; 0: a demonstration's */
	uint8_t *legal, *move;
	size_t *order;	     /* in which moves are learned from */
	struct board *shown; /* of recorded games */
};

void examples_fini(struct examples *l);

/* A game that is learned from: its moves are examples FIRST to FIRST + MOVES - 1. */
struct study {
	size_t first, moves;
	double judged; /* what the whole game is worth */
	const struct board *last;
};

struct policy {
	struct policy_settings settings;
	const struct game *game;
	struct brain own;	/* the actor; borrowed, if another instance owns it */
	struct brain_work work; /* of a player */
	bool learner;		/* what follows is there */
	struct brain critic;	/* without layers but with credit=critic */
	struct fit fit, critic_fit;
	struct batches batches;
	struct examples examples;
	struct records demos;
};

/* What SETTINGS say of the actor and the critic. STATUS_INPUT if a text cannot be read. */
MUST_USE enum status policy_plan(const struct policy_settings *settings, const struct game *game,
				 struct brain_plan *plan, struct why *why);

/* Makes everything a learner has, nothing learned: weights of 0, no demonstrations read. */
MUST_USE enum status policy_make(void *self, const struct game *game, struct why *why);
void policy_fini(void *self);

/* learn() of the agent class. */
void policy_learn(void *self, const struct training_request *request);

/* What of BOARD grows in a game that is judged by REWARD, if it can be seen there. */
double policy_potential(int reward, const struct board *board);

/* Whether batch NUMBER is learned from recorded games alone. */
bool policy_demos_alone(const struct policy *p, uint64_t number);

/*
 * The games that batch NUMBER is learned from: those of BATCH, recorded ones, or both; STUDY, with
 * room for all, and their moves in p->examples. STATUS_SYSTEM.
 */
MUST_USE enum status policy_examples(struct policy *p, const struct episodes *batch,
				     uint64_t number, struct study *study, size_t *games,
				     struct why *why);

/*
 * Credits the moves of BATCH, and of demonstrations that are shown with batch number NUMBER:
 * p->examples. STATUS_SYSTEM.
 */
MUST_USE enum status policy_credit(struct policy *p, const struct episodes *batch, uint64_t number,
				   struct thread_team *team, struct why *why);

/* The rate that goes from FIRST to LAST while training games go from 0 to GAMES; 0: stays FIRST. */
double policy_rate(double first, double last, int64_t games, uint64_t game);

/*
 * Derivatives by the outputs OUT of what grows when move MOVE out of LEGAL is praised by CREDIT;
 * CHANCE: of the move when it was made, 0 if unknown.
 */
void policy_grade(const struct policy_settings *settings, const float out[DIRECTIONS],
		  unsigned legal, int move, float credit, float chance, float back[DIRECTIONS]);

extern const struct agent_model policy_model;

/*
 * Takes the weights, the critic's too if both have one that can learn, of the policy that
 * settings->weights holds. A critic without weights gets its first ones when learning begins.
 * STATUS_INPUT if that policy looks at boards in another way.
 */
MUST_USE enum status policy_weights(struct policy *p, struct why *why);

#endif
