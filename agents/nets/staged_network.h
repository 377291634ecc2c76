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
 *
 * Gradient steps go along the gradient over many positions, on many threads. Positions are dealt
 * out to a fixed number of shards, each with a gradient of its own, which are added up in order:
 * the step is the same to the last bit for any number of threads.
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
 * Weights of all stages together. Learning takes some 80 bytes for each, a critic as much again: a
 * model file that nobody vouches for, however small, takes at most 1.5 GiB by its settings.
 */
enum { STAGED_STAGES = 8, STAGED_WEIGHTS_MAX = 1 << 23 };

/* How weights begin: uniform on [-s, s] with s^2 as it says, n active inputs of the layer. */
enum perceptron_start {
	START_SCALED, /* 6/n: He, Zhang, Ren, Sun 2015; 3/n for the first layer; biases 0 */
	START_PLAIN,  /* 3/n: variance 1/n, as in Karpathy's Pong; biases 0 */
	START_TORCH,  /* 1/n, biases too: the default of PyTorch's linear layers */
};

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
	int live; /* stages that have begun; one at first. A borrower goes by its owner's */
	const struct staged_network *owner; /* whose weights are borrowed, or NULL */
};

/* Levels that a shape needs: all that it has, at most max(16, cells). */
int staged_levels(const struct game *game);

/* Zeros for weights. STATUS_INPUT if they are more than STAGED_WEIGHTS_MAX; STATUS_SYSTEM. */
MUST_USE enum status staged_init(struct staged_network *network, const struct game *game,
				 const struct staged_plan *plan, struct why *why);
void staged_fini(struct staged_network *network);

/* The same network with the weights of OWNER, which outlives it and may learn on. */
static inline void staged_borrow(struct staged_network *network, const struct staged_network *owner)
{
	*network = *owner;
	network->owner = owner->owner ? owner->owner : owner;
}

/* Weights as plan->start says, of SEED; NUMBER tells networks of one learner apart. */
void staged_start(struct staged_network *network, uint64_t seed, uint64_t number);

/* Room for a batch: what units put out, and what is computed on the way back. On the heap. */
struct perceptron_work {
	size_t room;			  /* positions */
	float *out[PERCEPTRON_LAYERS];	  /* [position * stride[l] + j] */
	float *back[PERCEPTRON_LAYERS];	  /* derivatives by what goes into unit j */
	float *turned[PERCEPTRON_LAYERS]; /* weights with inputs and outputs exchanged */
	float *memory;
};

/* p->size, filled up to a multiple of 64. */
static inline size_t perceptron_whole(const struct perceptron *p)
{
	return (p->size + 63) / 64 * 64;
}

/* N zeros, aligned; NULL if memory runs out. free() gives them back. */
static inline float *floats_new(size_t n)
{
	float *made = aligned_alloc(64, n * sizeof *made);
	return made ? memset(made, 0, n * sizeof *made) : NULL;
}

/* perceptron_whole() of them. */
static inline float *perceptron_array(const struct perceptron *p)
{
	return floats_new(perceptron_whole(p));
}

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

/* The weights as sections of FILE, one for each stage; they are read into zeros. */
void staged_sections(struct staged_network *network, struct model_file *file);

/* What must agree for weights to mean the same. */
void staged_layout(const struct staged_network *network, char layout[MODEL_LAYOUT_MAX]);

/*
 * P[j] = exp(z[j]) / sum of exp(z) over the outputs j in MASK, 0 for others; at least one is in it.
 * What is infinite shares it all; what is no number gets 0, unless all are. Its exponential is its
 * own, so that no library and no processor has a say in the last bit.
 */
void softmax(const float *z, int n, unsigned mask, double *p);

/* How gradients become steps; see staged_network.c. */
enum optimiser_kind { OPTIMISER_SGD, OPTIMISER_RMSPROP, OPTIMISER_RMSPROP_NORM, OPTIMISER_ADAM };

struct optimiser {
	enum optimiser_kind kind;
	double rho1, rho, eps;
	uint64_t steps;			/* made */
	float *mean, *square;		/* m and s; size floats each, on the heap, or NULL */
	double norm[PERCEPTRON_LAYERS]; /* s of rmsprop-norm */
};

enum { GRADIENT_SHARDS = 8, GRADIENT_ROOM = 256 };

struct gradient {
	struct staged_network *network;
	struct optimiser optimiser[STAGED_STAGES];
	bool ready;				    /* gradients and work are there */
	float *sum[GRADIENT_SHARDS][STAGED_STAGES]; /* on the heap */
	unsigned seen[GRADIENT_SHARDS];		    /* stages of a shard's positions, as bits */
	struct staged_work work[GRADIENT_SHARDS];
};

/* Optimisers of KIND with rho and eps for NETWORK, which outlives GRADIENT. STATUS_SYSTEM. */
MUST_USE enum status gradient_init(struct gradient *gradient, struct staged_network *network,
				   enum optimiser_kind kind, double rho, double eps,
				   struct why *why);
/* Of zeroes, too. */
void gradient_fini(struct gradient *gradient);

/*
 * Takes the memory that steps and outputs need, unless it is there: a player does without it. To be
 * called before gradient_step() and gradient_outputs(). STATUS_SYSTEM.
 */
MUST_USE enum status gradient_reserve(struct gradient *gradient, struct why *why);

/* Makes a step; TEAM may be NULL. */
void gradient_step(struct gradient *gradient, struct thread_team *team,
		   const struct gradient_batch *batch);

/* OUT[i]: the network's outputs for BOARD[i], i < n; TEAM may be NULL. */
void gradient_outputs(struct gradient *gradient, struct thread_team *team,
		      const struct board *const *board, size_t n, float (*out)[DIRECTIONS]);

/* The state of the optimisers, and how many stages are live, as so many sections of FILE. */
int gradient_section_count(const struct gradient *gradient);
void gradient_sections(struct gradient *gradient, struct model_file *file);

#endif
