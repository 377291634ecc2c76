/* SPDX-License-Identifier: GPL-3.0-or-later */
/* exact_play() under way: what its files share. */
#ifndef NXN_EXACT_WORK_H
#define NXN_EXACT_WORK_H

#include "base/thread_team.h"
#include "agents/solver/exact_play.h"
#include "agents/solver/exact_table.h"
#include "boards/simd/keys.h"

/* The positions whose tiles have the same sum. */
struct exact_layer {
	uint64_t sum;
	struct exact_layer *next; /* with a larger sum */
	struct exact_table part[EXACT_PARTS];
};

/* Sums over positions and the games that come to them. */
struct exact_total {
	double score, squares;		  /* of games that end */
	double max_tile[EXACT_EXPONENTS]; /* games that end, by their largest exponent */
	struct exact_phase phase[EXACT_EXPONENTS];
};

struct exact_worker {
	struct agent *agent;
	struct exact_draft draft;
	struct room keys; /* of what a task works on */
};

struct exact_work {
	const struct exact_play_task *task;
	const struct game *game;
	struct keys keys;
	bool folded;
	struct budget budget;
	struct thread_team *team;
	struct exact_worker *worker; /* task->threads; the first owns what the others borrow */

	struct exact_layer *layers;	       /* not yet done, by ascending sum */
	struct exact_layer *spare;	       /* one that is done, for its room; or NULL */
	struct exact_table after[EXACT_PARTS]; /* after-states of the layer that is worked on */
	struct exact_layer *target[SPAWN_KINDS_MAX]; /* that they lead to; NULL: beyond max_sum */
	struct exact_spill spill[SPAWN_KINDS_MAX][EXACT_PARTS];
	size_t from; /* where the present round begins, in each part */
	struct exact_total total[EXACT_PARTS];
	uint64_t states;
	_Atomic bool unknown; /* a position that the optimum does not know was met */
};

/*
 * The layer of SUM, made if it is not there. NULL when memory runs out, which work->budget.wish then says.
 */
struct exact_layer *exact_layer_at(struct exact_work *work, uint64_t sum);

/* Puts the positions that games start with into their layers. */
void exact_start(struct exact_work *work);

/* Takes the least layer to the ones that follow it. Stops early when memory runs out. */
void exact_step(struct exact_work *work);

/* Keys in DRAFT become codes, of the images that stand for all if the agent is symmetric. */
void exact_encode(const struct exact_work *work, struct exact_draft *draft);

/* Room for what a task works on and makes. False if there is none. */
bool exact_worker_init(struct exact_work *work, struct exact_worker *worker);

/*
 * The position KEY, which games come to with MASS: adds to the worker's draft the keys of its after-states by
 * the moves that the agent makes, or to TOTAL the games that end there.
 */
void exact_move(struct exact_work *work, struct exact_worker *worker, uint64_t key,
		const struct exact_mass *mass, struct exact_total *total);

/* Adds to DRAFT the keys of what after-state KEY becomes by a spawn of the game's kind number KIND. */
void exact_spawn(const struct exact_work *work, uint64_t key, const struct exact_mass *mass,
		 int kind, struct exact_draft *draft);

/* The same where the game then ends, beyond the largest sum: adds these games to TOTAL. */
void exact_spawn_beyond(const struct exact_work *work, uint64_t key, const struct exact_mass *mass,
			int kind, struct exact_total *total);

#endif
