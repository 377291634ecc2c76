/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Staged networks: one perceptron for each stage of the game; and the policy that their outputs
 * define.
 *
 * A position belongs to the last stage whose tile its largest tile has reached (Dedieu, Amar, Deep
 * Reinforcement Learning for 2048, section 6.2: one network below a tile, another above). Until a
 * stage is live, the last live stage has its positions; the new stage then starts with the weights
 * of that one. The input is the board, each cell a one-hot vector of its exponent, where 0 is the
 * empty cell (section 2.2), or the exponents as numbers (the alternative named there). With
 * `canonical` the input is the symmetric image whose cells in reading order are the largest,
 * exponent by exponent, and outputs for directions are turned back: what was learned in one corner
 * holds in all.
 *
 * Gradient steps use many positions and many threads. Positions are divided into a fixed number of
 * shards, each with its own gradient, which are added in order: the step is the same to the last
 * bit for any number of threads.
 */
#ifndef NXN_STAGED_NETWORK_H
#define NXN_STAGED_NETWORK_H

#include "agents/agent.h"
#include "agents/model.h"
#include "agents/nets/perceptron.h"
#include "base/thread_team.h"

#include <stdlib.h>
#include <string.h>

/*
 * Limit of weights of all stages together. Learning needs some 80 bytes per weight, and the same
 * for a critic; so the settings of an untrusted model file, however small, claim at most 1.5 GiB.
 */
enum { STAGED_STAGES = 8, STAGED_WEIGHTS_MAX = 1 << 23 };

struct staged_plan {
	bool exponents; /* inputs are exponents, not one-hot */
	bool canonical;
	int layers;
	int width[PERCEPTRON_LAYERS]; /* the last width is the number of outputs, DIRECTIONS or 1 */
	int stages;
	int threshold[STAGED_STAGES]; /* first exponent of stage s + 1, s < stages - 1 */
	/*
	 * Initial weights are uniform on [-s, s]: s^2 = 3/n for n active inputs of a layer,
	 * variance 1/n as in Karpathy's Pong, and biases 0; or s^2 = 1/n, biases too, the default
	 * of PyTorch's linear layers.
	 */
	bool torch;
};

struct staged_network {
	const struct game *game;
	struct staged_plan plan;
	struct perceptron net;
	/*
	 * Number of distinct exponents: all that the board has, at most max(16, cells); larger ones
	 * count as levels - 1.
	 */
	int levels;
	/* turned[i][d]: direction d in symmetric image i. */
	uint8_t turned[8][DIRECTIONS];
	float *weight[STAGED_STAGES]; /* of each stage, in one array on the heap */
	int live;		      /* live stages, initially one */
};

/*
 * Initialises a network with weights of 0. STATUS_INPUT if there are more than STAGED_WEIGHTS_MAX;
 * STATUS_SYSTEM.
 */
MUST_USE enum status staged_init(struct staged_network *network, const struct game *game,
				 const struct staged_plan *plan, struct why *why);
void staged_fini(struct staged_network *network);

/* Draws initial weights from SEED. NUMBER distinguishes the networks of a learner. */
void staged_start(struct staged_network *network, uint64_t seed, uint64_t number);

/* Buffers for evaluating, and learning from, many boards; on the heap. One per thread. */
struct staged_work {
	size_t room; /* maximal number of boards */
	struct perceptron_input *input;
	float *out[PERCEPTRON_LAYERS];	  /* outputs: [input * stride[l] + j] */
	float *back[PERCEPTRON_LAYERS];	  /* derivatives by the input of unit j */
	float *turned[PERCEPTRON_LAYERS]; /* transposed weights */
	float *memory;			  /* of these three */
};

MUST_USE enum status staged_work_init(struct staged_work *work,
				      const struct staged_network *network, size_t room,
				      struct why *why);
void staged_work_fini(struct staged_work *work);

/*
 * Sets OUT[i] to the outputs for BOARD[i], i < n <= work->room, by direction. A network with one
 * output puts it in OUT[i][0] and 0 in the others. The same, bit for bit, for any n.
 */
void staged_outputs(const struct staged_network *network, struct staged_work *work,
		    const struct board *const *board, size_t n, float (*out)[DIRECTIONS]);

/*
 * Given the outputs OUT of position I, sets BACK to the derivatives by these outputs, in the order
 * of OUT, of the objective that learning increases; 0 to learn nothing from the position.
 */
typedef void staged_grade(void *context, size_t i, const float out[DIRECTIONS],
			  float back[DIRECTIONS]);

struct gradient;

/*
 * A step along the mean gradient of positions FIRST to END - 1. Several threads may call GRADE,
 * once for each position.
 */
struct gradient_batch {
	struct gradient *gradient;
	const struct board *const *board;
	size_t first, end;
	staged_grade *grade;
	void *context;
	double alpha; /* learning rate */
	bool last;    /* only the last layer learns */
};

/* Writes or reads the weights as sections of FILE, one per stage. */
void staged_sections(struct staged_network *network, struct model_file *file);

/* Formats everything that must agree for weights to mean the same. */
void staged_layout(const struct staged_network *network, char *layout);

/*
 * Computes P[d] = exp(z[d]) / sum of exp(z) over the directions d in MASK, which is not empty; 0
 * for others. Outputs of +infinity share all the probability; NaN gets 0. If no output is finite or
 * +infinity, all of MASK get the same. Uses its own exponential function, so the last bit does not
 * depend on libraries or processors.
 */
void softmax(const float z[DIRECTIONS], unsigned mask, double p[DIRECTIONS]);

/* The rules for gradient steps; see staged_network.c. */
enum optimiser_kind { OPTIMISER_SGD, OPTIMISER_RMSPROP, OPTIMISER_RMSPROP_NORM, OPTIMISER_ADAM };

enum { GRADIENT_SHARDS = 8, GRADIENT_ROOM = 256 };

/* Arrays have `net.size` floats for each stage, like the weights, and are on the heap. */
struct gradient {
	struct staged_network *network;
	enum optimiser_kind kind;
	double rho;
	float *mean, *square; /* m and s of each weight; NULL: the optimiser has none */
	struct {
		uint64_t steps;
		double norm[PERCEPTRON_LAYERS]; /* s of rmsprop-norm */
	} stage[STAGED_STAGES];
	float *sum[GRADIENT_SHARDS];	/* NULL before gradient_reserve() */
	unsigned seen[GRADIENT_SHARDS]; /* stages of a shard's positions, one bit each */
	struct staged_work work[GRADIENT_SHARDS];
};

/* Initialises optimisers of KIND with RHO for NETWORK, which outlives GRADIENT. STATUS_SYSTEM. */
MUST_USE enum status gradient_init(struct gradient *gradient, struct staged_network *network,
				   enum optimiser_kind kind, double rho, struct why *why);
/* Frees everything; accepts a zeroed struct. */
void gradient_fini(struct gradient *gradient);

/*
 * Allocates the memory for steps and outputs if necessary; players do not need it. Call it before
 * gradient_step() and gradient_outputs(). STATUS_SYSTEM.
 */
MUST_USE enum status gradient_reserve(struct gradient *gradient, struct why *why);

/* Makes a step. TEAM may be NULL. */
void gradient_step(struct thread_team *team, const struct gradient_batch *batch);

/* Sets OUT[i] to the network's outputs for BOARD[i], i < n. TEAM may be NULL. */
void gradient_outputs(struct gradient *gradient, struct thread_team *team,
		      const struct board *const *board, size_t n, float (*out)[DIRECTIONS]);

/* Writes or reads the sections for the optimisers and the number of live stages. */
void gradient_sections(struct gradient *gradient, struct model_file *file);

#endif
