/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Agents at play: one game from start to end, one decision, and any agent as a policy: the
 * probabilities of its moves, and moves drawn from them, in many positions at once.
 */
#ifndef NXN_PLAY_H
#define NXN_PLAY_H

#include "agents/agent.h"

/* Fills a turn: the moves of BOARD, which must stay where it is as long as the turn is used. */
void turn_init(struct turn *turn, const struct game *game, const struct board *board,
	       uint64_t score);

/* Makes a legal move on BOARD, which TURN is of; a tile appears, and the turn is the next. */
void turn_move(struct turn *turn, struct board *board, int move, struct rng *spawns);

/* A decision without any value, node or chance. */
void decision_init(struct decision *decision);

/*
 * The distance to certainty of the chances, 1 - p + sum of the others where p is the largest: 0 for
 * one sure move, 1.5 for four equal ones; NAN if they were not told. Source: Dedieu, Amar, Deep
 * Reinforcement Learning for 2048, section 3.3.2.
 */
double decision_uncertainty(const struct decision *decision);

/*
 * Seconds by which the time of a player is counted: those of this thread on a processor, and those
 * in which it has waited for another program.
 */
double play_seconds(void);

/* A move with these probabilities; rounding cannot make it illegal. One draw. */
int chances_draw(const double chance[DIRECTIONS], struct rng *rng);

/* Called before each move is made; returning false abandons the game. */
struct play_watch {
	bool (*move)(void *context, const struct turn *turn, int move,
		     const struct decision *decision);
	void *context;
};

/*
 * Plays game number INDEX of SEED. WATCH may be NULL. False if it was abandoned, by WATCH or
 * because the agent failed, which agent_check() tells; OUTCOME then tells how far it came.
 */
bool play_game(struct agent *agent, uint64_t seed, uint64_t index, const struct play_watch *watch,
	       struct outcome *outcome);

/*
 * MOVE[i], i < n: what AGENT plays in TURNS[i], in each of which some move is legal, and in
 * DECISIONS[i] what it thought, with draws from RNG[i].
 */
void agent_act_many(struct agent *agent, const struct turn *turns, size_t n, struct rng *const *rng,
		    struct decision *decisions, int *move);

/* Games to be played, and what becomes of them. */
struct game_list {
	/* The INDEX of the next game; false: there is none left. */
	bool (*next)(void *context, uint64_t *index);
	/*
	 * Game INDEX is over, for which this thread's processor worked SECONDS. A failure ends all
	 * of them.
	 */
	enum status (*over)(void *context, uint64_t index, const struct outcome *outcome,
			    double seconds, struct why *why);
	/* False: give all games up. */
	bool (*play_on)(void *context);
	void *context;
};

/*
 * Plays the games of LIST with SEED, agent_batch() of them side by side. Each is what play_game()
 * plays. STATUS_STOPPED if they were given up; the status of over(), or of agent_check();
 * STATUS_SYSTEM when memory runs out.
 */
MUST_USE enum status play_games(struct agent *agent, uint64_t seed, const struct game_list *list,
				struct why *why);

/*
 * CHANCE[d]: the probability that act() plays d in TURN, in which some move is legal; 0 if d is
 * not. The policy kind of AGENT is not POLICY_UNKNOWN.
 */
void agent_act_chances(struct agent *agent, const struct turn *turn, double chance[DIRECTIONS]);

/*
 * CHANCE[i][d], i < n: how likely AGENT makes move d in TURNS[i], in each of which some move is
 * legal. Of its class's chances where there are any, in one call; otherwise of act(), position by
 * position with draws from RNG: the chances that it told; if it told none, but values of at least
 * two moves that differ, the softmax of the values less their mean, divided by their standard
 * deviation; otherwise 1 for its move. They sum to 1.
 */
void agent_policy_chances(struct agent *agent, const struct turn *turns, size_t n, struct rng *rng,
			  double (*chance)[DIRECTIONS]);

/*
 * MOVE[i], i < n: a move of AGENT in TURNS[i]. One draw each by the chances of the class, where
 * there are any, for which CHANCE is room; otherwise what act() does.
 */
void agent_policy_moves(struct agent *agent, const struct turn *turns, size_t n, struct rng *rng,
			double (*chance)[DIRECTIONS], int *move);

#endif
