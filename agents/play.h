/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Playing: one game from start to end, one decision, and any agent as a policy: the probabilities
 * of its moves, and moves drawn from them, in many positions at a time.
 */
#ifndef NXN_PLAY_H
#define NXN_PLAY_H

#include "agents/agent.h"

/* Initialises a turn with the moves of BOARD, which must stay in place while the turn is used. */
void turn_init(struct turn *turn, const struct game *game, const struct board *board,
	       uint64_t score);

/* Makes a legal move on BOARD, the board of TURN, adds a random tile, and updates TURN. */
void turn_move(struct turn *turn, struct board *board, int move, struct rng *spawns);

/* Completes OUTCOME, which has score and moves; UNCERTAINTY is the sum over the moves. */
void outcome_end(struct outcome *outcome, const struct board *last, double uncertainty);

/* Initialises a decision without values, nodes and probabilities. */
void decision_init(struct decision *decision);

/*
 * Returns the distance of the move probabilities from certainty, 1 - p + the sum of the others,
 * where p is the largest: 0 for one certain move, 1.5 for four equally likely ones; NAN if there
 * are no probabilities. Source: Dedieu, Amar, Deep Reinforcement Learning for 2048, section 3.3.2.
 */
double decision_uncertainty(const struct decision *decision);

/*
 * Returns the time charged to players, in seconds: the processor time of this thread plus the time
 * that it has waited for other programs.
 */
double play_seconds(void);

/* Sets the probabilities of a move that is drawn uniformly from the set MOVES, a bit each. */
void chances_uniform(unsigned moves, double chance[DIRECTIONS]);

/* Draws a move with these probabilities, with one draw. Rounding cannot produce an illegal move. */
int chances_draw(const double chance[DIRECTIONS], struct rng *rng);

/* An observer, called before each move; it returns false to abandon the game. */
struct play_watch {
	bool (*move)(void *context, const struct turn *turn, int move,
		     const struct decision *decision);
	void *context;
};

/*
 * Plays game INDEX of SEED. WATCH may be NULL. Returns false if the game was abandoned, by WATCH or
 * because the agent failed (agent_check()); OUTCOME then describes the game so far.
 */
bool play_game(struct agent *agent, uint64_t seed, uint64_t index, const struct play_watch *watch,
	       struct outcome *outcome);

/*
 * Sets MOVE[i], i < n, to the move of AGENT in TURNS[i], with draws from RNG[i], and DECISIONS[i].
 * Each turn must have a legal move.
 */
void agent_act_many(struct agent *agent, const struct turn *turns, size_t n, struct rng *const *rng,
		    struct decision *decisions, int *move);

/* Games to play, and what to do with the results. */
struct game_list {
	/* Sets *INDEX to the next game; returns false if none is left. */
	bool (*next)(void *context, uint64_t *index);
	/*
	 * Called when game INDEX is over, after SECONDS of play_seconds(). A failure ends all
	 * games.
	 */
	enum status (*over)(void *context, uint64_t index, const struct outcome *outcome,
			    double seconds, struct why *why);
	/* Returns false to abandon all games. */
	bool (*play_on)(void *context);
	void *context;
};

/*
 * Plays the games of LIST with SEED, agent_batch() of them side by side; each is the same as with
 * play_game(). STATUS_STOPPED if they were abandoned; the status of over() or agent_check();
 * STATUS_SYSTEM if memory runs out.
 */
MUST_USE enum status play_games(struct agent *agent, uint64_t seed, const struct game_list *list,
				struct why *why);

/*
 * Sets CHANCE[d] to the probability that act() plays d in TURN; 0 if d is illegal. Some move must
 * be legal, and the policy kind of AGENT must not be POLICY_UNKNOWN.
 */
void agent_act_chances(struct agent *agent, const struct turn *turn, double chance[DIRECTIONS]);

/*
 * Sets CHANCE[i][d], i < n, to the probability that AGENT makes move d in TURNS[i]; each turn must
 * have a legal move. If the class has chances(), these are used, in one call. Otherwise act() is
 * called for each position, with draws from RNG: the result is the probabilities that it reports;
 * or, if it reports none but different values of at least two moves, the softmax of the values
 * minus their mean, divided by their standard deviation; or else 1 for its move. The probabilities
 * sum to 1.
 */
void agent_policy_chances(struct agent *agent, const struct turn *turns, size_t n, struct rng *rng,
			  double (*chance)[DIRECTIONS]);

/*
 * Sets MOVE[i], i < n, to a move of AGENT in TURNS[i]: drawn from the class's chances(), one draw
 * each, with CHANCE as scratch space; or, if there is none, the move of act().
 */
void agent_policy_moves(struct agent *agent, const struct turn *turns, size_t n, struct rng *rng,
			double (*chance)[DIRECTIONS], int *move);

#endif
