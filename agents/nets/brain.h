/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A brain: perceptrons that look at boards, one for each stage of the game.
 *
 * A position belongs to the last stage whose tile its largest tile has reached (Dedieu, Amar, Deep
 * Reinforcement Learning for 2048, section 6.2: one network below a tile, another above). Until a
 * stage is live it is played by the last one that is; then it starts with what that has learned. What is
 * looked at is the board, cell by cell as a one-hot vector of its exponent, the empty cell being 0
 * (section 2.2), or the exponents as numbers (the alternative named there). With `canonical` it is
 * that symmetric image of the board whose cells in reading order are the largest, exponent by
 * exponent, and outputs that stand for directions are turned back: what was learned in one corner is
 * known in all.
 */
#ifndef NXN_BRAIN_H
#define NXN_BRAIN_H

#include "agents/model.h"
#include "agents/nets/optimiser.h"
#include "boards/board.h"

/*
 * Weights of all stages together. Learning takes some 80 bytes for each, a critic as much again: a model
 * file from nobody knows where, however small, takes no more than 1.5 GiB by its settings.
 */
enum { BRAIN_STAGES = 8, BRAIN_WEIGHTS_MAX = 1 << 23 };

struct brain_plan {
	bool exponents; /* as numbers, not one-hot */
	bool canonical;
	int levels; /* exponents told apart; larger ones count as levels - 1 */
	int layers;
	int width[PERCEPTRON_LAYERS]; /* the last: outputs, DIRECTIONS or 1 */
	int stages;
	int threshold
	    [BRAIN_STAGES]; /* exponent from which on stage s + 1 is meant, s < stages - 1 */
	enum perceptron_start start;
	double last; /* factor of the last layer's first weights */
};

struct brain {
	const struct game *game;
	struct brain_plan plan;
	struct perceptron net;
	/* turned[i][d]: direction d as it is in symmetric image i. */
	uint8_t turned[8][DIRECTIONS];
	float *weight[BRAIN_STAGES]; /* of perceptron_array(); of another brain if borrowed */
	int live;		     /* stages that have begun; one at first */
	bool borrowed;
};

/* Levels that a shape needs: all that it has, at most as many as it has cells, or 16 if it has fewer. */
int brain_levels(const struct game *game);

/* Zeros for weights. STATUS_INPUT if they are more than BRAIN_WEIGHTS_MAX; STATUS_SYSTEM. */
MUST_USE enum status brain_init(struct brain *brain, const struct game *game,
				const struct brain_plan *plan, struct why *why);
/* The same brain with the weights of OWNER, which outlives it. */
void brain_borrow(struct brain *brain, const struct brain *owner);
void brain_fini(struct brain *brain);

/* Weights as plan->start says, of SEED; NUMBER tells brains of one learner apart. */
void brain_start(struct brain *brain, uint64_t seed, uint64_t number);

/*
 * Whether there are weights to learn with: while those of the first layer are all 0, as before
 * brain_start(), gradients are 0 for all but the last biases.
 */
bool brain_started(const struct brain *brain);

/*
 * Begins the next stage, if at least a tenth of the N boards are of it or of later ones: whether it
 * did.
 */
bool brain_promote(struct brain *brain, const struct board *const *board, size_t n);

/* What a brain makes of many boards. One a thread. */
struct brain_work {
	size_t room;
	struct perceptron_work work;
	struct perceptron_input *input;
	size_t *place; /* input i is of board place[i] */
	uint8_t *image;
};

MUST_USE enum status brain_work_init(struct brain_work *work, const struct brain *brain,
				     size_t room, struct why *why);
void brain_work_fini(struct brain_work *work);

/*
 * OUT[i]: the outputs for BOARD[i], i < n <= work->room, by direction; a brain with one output puts
 * it in OUT[i][0] and 0 in the others. Bit for bit the same for any n.
 */
void brain_outputs(const struct brain *brain, struct brain_work *work,
		   const struct board *const *board, size_t n, float (*out)[DIRECTIONS]);

/*
 * Given OUT of position number I, sets BACK to the derivatives of what is to grow by the outputs, in
 * the order of OUT; 0 to learn nothing from it.
 */
typedef void brain_grade(void *context, size_t i, const float out[DIRECTIONS],
			 float back[DIRECTIONS]);

/*
 * Adds to GRADIENT[s], of perceptron_array(), for each stage s the derivatives by its weights of the
 * sum of what GRADE wants to grow, over n boards. With LAST, of the last layer's weights alone. Bit s
 * of the result: there were positions of stage s.
 */
unsigned brain_gradient(const struct brain *brain, struct brain_work *work,
			const struct board *const *board, size_t n, brain_grade *grade,
			void *context, bool last, float *const *gradient);

/* The weights as sections of FILE, one for each stage; they are read into zeros. */
void brain_sections(struct brain *brain, struct model_file *file);

/* What must agree for weights to mean the same. */
void brain_layout(const struct brain *brain, char layout[MODEL_LAYOUT_MAX]);

#endif
