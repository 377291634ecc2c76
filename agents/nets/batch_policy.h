/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Agents whose policy is a network that learns from batches of its own games: what policy and
 * relative have alike. Games are played with the network as it is, then it learns from all of them.
 *
 * Game i draws from stream RNG_TRAIN i of the seed, and what the network says of a position does
 * not depend on what else is in a batch, so a batch of games is the same for any number of threads.
 *
 * A learner that is stopped within a batch remembers how many games of it have been reported, and
 * has learned nothing from them yet. When it goes on, it plays the batch again, to the same games.
 * So a model file needs no games, and stopping changes nothing.
 */
#ifndef NXN_BATCH_POLICY_H
#define NXN_BATCH_POLICY_H

#include "agents/nets/staged_network.h"
#include "agents/play.h"

/* Moves outside of training: the parameter play. */
enum batch_play { PLAY_ARGMAX, PLAY_SAMPLE };

/* A move of a game. */
struct episode_move {
	struct board board; /* before it */
	uint8_t legal, move;
	float chance; /* of the move in the policy */
	float reward; /* points */
};

struct episode {
	uint64_t index; /* of the training game */
	struct outcome outcome;
	struct episode_move *step; /* outcome.moves of them; on the heap */
	size_t room;
	bool out_of_memory; /* memory ran out: it ended before its end */
};

struct episodes {
	size_t count;		 /* games of a batch */
	struct episode *episode; /* on the heap, like the rest */
	int workers;
	struct episode_worker *worker; /* private */
};

/* A move that is learned from. */
struct example {
	const struct board *board;
	float reward; /* of the move */
	float credit; /* what it is praised for, or blamed if negative; how much it counts */
	float target; /* what a critic should have said */
	float chance; /* of the move when it was made; 0: unknown */
	uint8_t legal, move;
	bool good; /* its game, within the batch */
};

/* The first member of a class's state. */
struct batch_policy {
	char file[FIELD_TEXT_MAX]; /* parameters */
	int play;
	const struct game *game;
	const struct batch_policy *owner; /* whose network is borrowed, or NULL */
	struct staged_network network;
	struct staged_work work; /* of a player */
	/* Of a learner. */
	struct gradient gradient;
	struct episodes episodes;
	uint64_t ended;	    /* games that over() got: those that have ended */
	uint64_t learned;   /* batches learned from */
	bool started;	    /* weights are those of the seed, or learned */
	bool out_of_memory; /* memory ran out in the midst of learning: it is not to be saved */
	struct thread_team *team;
	int threads;		    /* of the team; 0 before the first request */
	struct example *example;    /* of the batch; on the heap */
	const struct board **board; /* of the examples that a step is made of */
	size_t examples, room;
};

/*
 * How a class learns. Functions with an INDEX, that of a training game, may be called by several
 * threads at once, for different games; RNG is the game's own stream. NULL where nothing is said.
 */
struct batch_rules {
	/* Sets the position that a game starts from; false: it starts where games start. */
	bool (*layout)(const struct batch_policy *b, struct board *board);
	/* Whether a game says nothing of how well the network plays: it is told as partial. */
	bool (*aside)(const struct batch_policy *b, uint64_t index);
	/* Whether a game has come to its end before no move is legal. */
	bool (*ends)(const struct batch_policy *b, const struct board *board);
	/* The move of a game, given the policy's CHANCE of each. */
	int (*choose)(const struct batch_policy *b, uint64_t index, const struct turn *turn,
		      const double chance[DIRECTIONS], struct rng *rng);
	/* Called once, before the first batch: first weights. */
	void (*start)(struct batch_policy *b, uint64_t seed);
	/* Learns from the batch in `episodes`. STATUS_SYSTEM when memory runs out. */
	enum status (*update)(struct batch_policy *b, uint64_t seed, struct why *why);
};

/* init() of CLASS: learner_init(), and chance weights for a new network. */
MUST_USE enum status batch_policy_init(const struct agent_class *class, struct batch_policy *b,
				       const struct agent_env *env, struct why *why);
/* borrow() of a class. */
MUST_USE enum status batch_policy_borrow(void *self, const struct game *game, const void *owner,
					 struct why *why);

/* Of zeroes, too. */
void batch_policy_fini(struct batch_policy *b);

/*
 * Makes all that a learner has, nothing learned: a network of PLAN with weights of 0, batches of
 * GAMES games, an optimiser of KIND. STATUS_INPUT if the network is too large; STATUS_SYSTEM.
 */
MUST_USE enum status batch_policy_make(struct batch_policy *b, const struct game *game,
				       const struct staged_plan *plan, size_t games,
				       enum optimiser_kind kind, double rho, double eps,
				       struct why *why);

/* Members of an agent class. */
void batch_policy_chances(void *self, const struct turn *turns, size_t n,
			  double (*chance)[DIRECTIONS]);
int batch_policy_act(void *self, const struct turn *turn, struct rng *rng,
		     struct decision *decision);
uint64_t batch_policy_trained(const void *self);
enum policy_kind batch_policy_kind(const void *self);

/* The move with the largest CHANCE, the first of equals. */
static inline int chances_best(const double chance[DIRECTIONS])
{
	int best = 0;
	for (int d = 1; d < DIRECTIONS; d++)
		if (chance[d] > chance[best])
			best = d;
	return best;
}

/*
 * learn() of an agent class with `uses_team`. When memory runs out it ends, and
 * batch_policy_numbers() says so: what was learned of a batch until then is not what the batch
 * teaches.
 */
void batch_policy_learn(struct batch_policy *b, const struct batch_rules *rules,
			const struct training_request *request);

/* Makes room for N examples; there are none then. STATUS_SYSTEM. */
MUST_USE enum status batch_policy_room(struct batch_policy *b, size_t n, struct why *why);

/*
 * Learns from the examples: STEP makes a step of those from FIRST to END - 1. MINIBATCH of them at
 * a time in random order, EPOCHS times all; 0: all at once.
 */
void batch_policy_steps(struct batch_policy *b, int64_t minibatch, int64_t epochs, uint64_t seed,
			void (*step)(struct batch_policy *b, size_t first, size_t end));

/* What EXAMPLE asks for; OUT and BACK as in staged_grade. */
typedef void example_grade(const struct batch_policy *b, const struct example *example,
			   const float out[DIRECTIONS], float back[DIRECTIONS]);

/* A step of GRADIENT along the mean of what examples FIRST to END - 1 ask for; LAST as there. */
void batch_policy_step(struct batch_policy *b, struct gradient *gradient, size_t first, size_t end,
		       example_grade *grade, double alpha, bool last);

/* Sections of model files: numbers of games and batches; the network, and what fits it. */
void batch_policy_numbers(struct batch_policy *b, struct model_file *file);
void batch_policy_sections(struct batch_policy *b, struct model_file *file);
int batch_policy_section_count(const struct batch_policy *b);

#endif
