/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Agents whose policy is a network that learns from batches of its own games: shared by policy and
 * relative. The current network plays a batch of games and then learns from all of them.
 *
 * Game i draws from stream RNG_TRAIN i of the seed, and the network's output for a position does
 * not depend on the other positions of a call. So a batch of games is the same for any number of
 * threads.
 *
 * A learner that is stopped within a batch stores only how many games of it were reported; it has
 * learned nothing from them. When it resumes, it plays the batch again, with the same games. So a
 * model file contains no games, and stops change nothing.
 */
#ifndef NXN_BATCH_POLICY_H
#define NXN_BATCH_POLICY_H

#include "agents/nets/staged_network.h"
#include "agents/play.h"

/* The choice of moves outside training: the parameter play. */
enum batch_play { PLAY_ARGMAX, PLAY_SAMPLE };

/* A move of a game. */
struct episode_move {
	struct board board; /* position before it */
	uint8_t legal, move;
	float chance; /* probability of the move in the policy */
	float reward; /* points */
};

struct episode {
	uint64_t index; /* number of the training game */
	struct outcome outcome;
	struct episode_move *step; /* outcome.moves steps; on the heap */
	size_t room;
	size_t first;	    /* number of its first example, if it has examples */
	float reward;	    /* reward of the whole game, for policy */
	bool out_of_memory; /* memory ran out, so the game was cut short */
};

struct episodes {
	size_t count;		 /* games per batch */
	size_t recorded;	 /* recorded games that may follow them */
	struct episode *episode; /* count + recorded; on the heap */
};

/* A move to learn from. */
struct example {
	const struct board *board;
	float reward; /* of the move */
	float credit; /* weight of the move; negative: make it less likely */
	float target; /* target for a critic */
	float chance; /* probability of the move when it was made; 0: unknown */
	uint8_t legal, move;
	bool good; /* its game is good relative to the batch */
};

struct batch_rules;

/* The state of an agent; the first member of a class's state. */
struct batch_policy {
	char file[FIELD_TEXT_MAX]; /* parameters */
	int play;
	const struct batch_rules *rules;
	const struct game *game;
	const struct batch_policy *learner; /* itself, or the instance whose network it uses */
	struct staged_work work;	    /* buffers of a player */
	/* Members of a learner. */
	struct staged_network network;
	struct gradient gradient;
	struct episodes episodes;
	uint64_t ended;	    /* number of games reported to over() */
	uint64_t learned;   /* number of batches learned from */
	bool started;	    /* weights are initialised or learned */
	bool out_of_memory; /* memory ran out during learning: must not be saved */
	struct thread_team *team;
	int threads;		       /* size of the team; 0 before the first request */
	struct episode_worker *worker; /* of each thread; on the heap, private */
	struct example *example;       /* examples of the batch; on the heap */
	const struct board **board;    /* boards of the examples of a step */
	size_t examples, room;
};

/*
 * How a class learns. Functions with an INDEX, that of a training game, may be called by several
 * threads for different games; RNG is the game's own stream. Members may be NULL unless stated
 * otherwise.
 */
struct batch_rules {
	/* Sets the starting position of a game; false: the normal start. */
	bool (*layout)(const struct batch_policy *b, struct board *board);
	/*
	 * Whether a game does not measure the strength of the network; it is reported as partial.
	 */
	bool (*aside)(const struct batch_policy *b, uint64_t index);
	/* Whether a game ends although a move is legal. */
	bool (*ends)(const struct batch_policy *b, const struct board *board);
	/* Returns the move of a game, given the policy's CHANCE of each. */
	int (*choose)(const struct batch_policy *b, uint64_t index, const struct turn *turn,
		      const double chance[DIRECTIONS], struct rng *rng);
	/* Called once, before the first batch: sets the first weights. */
	void (*start)(struct batch_policy *b, uint64_t seed);
	/* Learns from the batch in `episodes`. STATUS_SYSTEM if memory runs out. */
	enum status (*update)(struct batch_policy *b, uint64_t seed, struct why *why);
};

/* borrow() of a class. */
MUST_USE enum status batch_policy_borrow(void *self, const struct game *game, const void *owner,
					 struct why *why);

/* fini() of a class: frees everything; accepts zeroed state. */
void batch_policy_fini(void *self);

/*
 * Creates an untrained learner that follows RULES: a network of PLAN with random weights, which
 * learning or a model file replaces; batches of GAMES games, with room for RECORDED ones after
 * them; an optimiser of KIND. STATUS_INPUT if the network is too large; STATUS_SYSTEM.
 */
MUST_USE enum status batch_policy_make(struct batch_policy *b, const struct batch_rules *rules,
				       const struct game *game, const struct staged_plan *plan,
				       size_t games, size_t recorded, enum optimiser_kind kind,
				       double rho, struct why *why);

/* Members of an agent class. */
void batch_policy_chances(void *self, const struct turn *turns, size_t n,
			  double (*chance)[DIRECTIONS]);
int batch_policy_act(void *self, const struct turn *turn, struct rng *rng,
		     struct decision *decision);
uint64_t batch_policy_trained(const void *self);
enum policy_kind batch_policy_kind(const void *self);
/*
 * For a class with `uses_team`. Stops if memory runs out; then the learner cannot be saved, because
 * it has learned only from a part of a batch.
 */
void batch_policy_learn(void *self, const struct training_request *request);

/* Returns the move with the largest CHANCE, the first of equal ones. */
static inline int chances_best(const double chance[DIRECTIONS])
{
	int best = 0;
	for (int d = 1; d < DIRECTIONS; d++)
		if (chance[d] > chance[best])
			best = d;
	return best;
}

/* Returns a new step of EPISODE, which is move number outcome.moves; NULL if memory runs out. */
struct episode_move *episode_step(struct episode *episode);

/* Makes the moves of GAMES EPISODEs the examples. STATUS_SYSTEM. */
MUST_USE enum status batch_policy_examples(struct batch_policy *b, struct episode *episode,
					   size_t games, struct why *why);

/* Returns the boards of the examples; valid until the next call. */
const struct board *const *batch_policy_boards(struct batch_policy *b);

/* Returns the outputs of GRADIENT's network for all examples, on the heap; NULL: no memory. */
float (*batch_policy_outputs(struct batch_policy *b, struct gradient *gradient,
			     struct why *why))[DIRECTIONS];

/*
 * Learns from the examples by N kinds of STEP, whose positions are set here; the context of grade()
 * is B, and position i example i. Uses MINIBATCH examples at a time in random order, or with 0 all
 * in one step, and all of them EPOCHS times.
 */
void batch_policy_steps(struct batch_policy *b, int64_t minibatch, int64_t epochs, uint64_t seed,
			struct gradient_batch *step, size_t n);

/* Sections of model files: numbers of games and batches; the network, and its optimiser. */
void batch_policy_numbers(struct batch_policy *b, struct model_file *file);
void batch_policy_sections(struct batch_policy *b, struct model_file *file);
/* layout() of a class. */
void batch_policy_layout(const void *self, char *layout);

#endif
