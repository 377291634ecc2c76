/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A staged network: perceptrons that look at boards, one for each stage of the game; and the policy
 * that their outputs are, chances of moves.
 *
 * A position belongs to the last stage whose tile its largest tile has reached (Dedieu, Amar, Deep
 * Reinforcement Learning for 2048, section 6.2: one network below a tile, another above). Until a
 * stage is live it is played by the last one that is; then it starts with what that has learned.
 * What is looked at is the board, cell by cell as a one-hot vector of its exponent, the empty cell
 * being 0 (section 2.2), or the exponents as numbers (the alternative named there). With
 * `canonical` it is that symmetric image of the board whose cells in reading order are the largest,
 * exponent by exponent, and outputs that stand for directions are turned back: what was learned in
 * one corner is known in all.
 */
#ifndef NXN_STAGED_NETWORK_H
#define NXN_STAGED_NETWORK_H

#include "agents/model.h"
#include "agents/nets/perceptron.h"
#include "agents/agent.h"

/*
 * Weights of all stages together. Learning takes some 80 bytes for each, a critic as much again: a
 * model file that nobody vouches for, however small, takes at most 1.5 GiB by its settings.
 */
enum { STAGED_STAGES = 8, STAGED_WEIGHTS_MAX = 1 << 23 };

struct staged_plan {
	bool exponents; /* as numbers, not one-hot */
	bool canonical;
	int levels; /* exponents told apart; larger ones count as levels - 1 */
	int layers;
	int width[PERCEPTRON_LAYERS]; /* the last: outputs, DIRECTIONS or 1 */
	int stages;
	int threshold[STAGED_STAGES]; /* exponent that stage s + 1 begins with, s < stages - 1 */
	enum perceptron_start start;
	double last; /* factor of the last layer's first weights */
};

struct staged_network {
	const struct game *game;
	struct staged_plan plan;
	struct perceptron net;
	/* turned[i][d]: direction d as it is in symmetric image i. */
	uint8_t turned[8][DIRECTIONS];
	float *weight[STAGED_STAGES]; /* of perceptron_array(); of another network if borrowed */
	int live;		      /* stages that have begun; one at first */
	bool borrowed;
};

/* Levels that a shape needs: all that it has, at most max(16, cells). */
int staged_levels(const struct game *game);

/* Zeros for weights. STATUS_INPUT if they are more than STAGED_WEIGHTS_MAX; STATUS_SYSTEM. */
MUST_USE enum status staged_init(struct staged_network *network, const struct game *game,
				 const struct staged_plan *plan, struct why *why);
/* The same network with the weights of OWNER, which outlives it. */
void staged_borrow(struct staged_network *network, const struct staged_network *owner);
void staged_fini(struct staged_network *network);

/* Weights as plan->start says, of SEED; NUMBER tells networks of one learner apart. */
void staged_start(struct staged_network *network, uint64_t seed, uint64_t number);

/*
 * Whether there are weights to learn with: while those of the first layer are all 0, as before
 * staged_start(), gradients are 0 for all but the last biases.
 */
bool staged_started(const struct staged_network *network);

/*
 * Begins the next stage, if at least a tenth of the N boards are of it or of later ones: whether it
 * did.
 */
bool staged_promote(struct staged_network *network, const struct board *const *board, size_t n);

/* What a network makes of many boards. One a thread. */
struct staged_work {
	size_t room;
	struct perceptron_work work;
	struct perceptron_input *input;
	size_t *place; /* input i is of board place[i] */
	uint8_t *image;
};

MUST_USE enum status staged_work_init(struct staged_work *work,
				      const struct staged_network *network, size_t room,
				      struct why *why);
void staged_work_fini(struct staged_work *work);

/*
 * OUT[i]: the outputs for BOARD[i], i < n <= work->room, by direction; a network with one output
 * puts it in OUT[i][0] and 0 in the others. Bit for bit the same for any n.
 */
void staged_outputs(const struct staged_network *network, struct staged_work *work,
		    const struct board *const *board, size_t n, float (*out)[DIRECTIONS]);

/*
 * Given OUT of position number I, sets BACK to the derivatives of what is to grow by the outputs,
 * in the order of OUT; 0 to learn nothing from it.
 */
typedef void staged_grade(void *context, size_t i, const float out[DIRECTIONS],
			  float back[DIRECTIONS]);

/* Positions to learn from. GRADE may be called by several threads, once for each position. */
struct gradient_batch {
	const struct board *const *board;
	size_t n;
	staged_grade *grade;
	void *context;
	double alpha;  /* learning rate */
	double weight; /* of a position in the gradient: 1, or 1/n for the mean */
	bool last;     /* the last layer learns, and no other */
};

/*
 * Adds to GRADIENT[s], of perceptron_array(), for each stage s the derivatives by its weights of
 * the sum of what grade() wants to grow, over N positions of BATCH from FIRST on, N <= work->room.
 * Bit s of the result: there were positions of stage s.
 */
unsigned staged_gradient(const struct staged_network *network, struct staged_work *work,
			 const struct gradient_batch *batch, size_t first, size_t n,
			 float *const *gradient);

/* The weights as sections of FILE, one for each stage; they are read into zeros. */
void staged_sections(struct staged_network *network, struct model_file *file);

/* What must agree for weights to mean the same. */
void staged_layout(const struct staged_network *network, char layout[MODEL_LAYOUT_MAX]);

/* Positions that staged_work needs room for, to be used by staged_chances(). */
enum { CHANCES_ROOM = 64 };

/* The chances of the legal moves out of a network's outputs: their softmax. */
void moves_chances(const float out[DIRECTIONS], unsigned legal, double chance[DIRECTIONS]);

/* A move drawn with its CHANCE. One draw. */
int chances_draw(const double chance[DIRECTIONS], struct rng *rng);

/* The move with the largest CHANCE, the first of equals. */
int chances_best(const double chance[DIRECTIONS]);

/* chances() of an agent class, by NETWORK. */
void staged_chances(const struct staged_network *network, struct staged_work *work,
		    const struct turn *turns, size_t n, double (*chance)[DIRECTIONS]);

#endif
