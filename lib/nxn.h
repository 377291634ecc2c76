/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libnxn: the game 2048 on boards from 2x2 to 6x6. The library has the rules, batches of
 * environments, the agents of nxn, exact solutions, recorded games, and score estimates with
 * confidence intervals.
 *
 *     cc program.c $(pkg-config --cflags --libs nxn)
 *
 * Positions. A position is an array of rows * cols bytes in reading order from the top left cell.
 * Each byte is an exponent: k means the tile 2^k, 0 an empty cell. N positions are stored
 * one after the other: uint8_t cells[n][rows][cols]. Every function that takes positions requires
 * positions that nxn_board_check() accepts. Functions that return a status check this; for other
 * functions the result is undefined if a position is not valid.
 *
 * Moves. A direction is 0 up (towards the first row), 1 right, 2 down or 3 left. Of equally good
 * moves, the first in this order is chosen. The reward of a move, in points, is the sum of the
 * tiles that the move creates by merging.
 *
 * Errors. A function that can fail returns an enum nxn_status. If the status is not NXN_OK, the
 * function writes one line to WHY (unless WHY is NULL) that says what is wrong, where, and what
 * would be right. On failure a function leaves its outputs unchanged. There is one exception: if an
 * agent fails in the middle of a call, the outputs of that call are undefined. The library prints
 * nothing, never exits, and does not change signal handlers.
 *
 * Memory. The caller frees an object that _new(), _open() or nxn_log_read() returned with the
 * matching _free() or _close(), which accept NULL. A game must outlive every object that was
 * created for it.
 *
 * Threads. Any number of threads may use a game or a table at the same time. Only one thread at a
 * time may use any other object. The library has no global state. The environment variable
 * NXN_ISA=portable|avx2|avx512 selects an instruction set; it changes no result.
 *
 * Random streams. All random numbers come from Philox streams that are identified by (seed, stream,
 * game). The random numbers of game I of a seed depend on nothing else. Therefore environments,
 * nxn_agent_play() and the command nxn play the same games.
 */
#ifndef NXN_H
#define NXN_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#define NXN_API __attribute__((visibility("default")))
#else
#define NXN_API
#endif

enum {
	NXN_SIDE_MIN = 2,
	NXN_SIDE_MAX = 6,
	NXN_CELLS_MAX = NXN_SIDE_MAX * NXN_SIDE_MAX,
	NXN_DIRECTIONS = 4,
	NXN_BOARD_TEXT_MAX = 505, /* bytes of a position as text, including the NUL */
	NXN_EXPONENTS = 64,	  /* greater than any exponent */
	NXN_WHY_MAX = 1024
};

enum nxn_direction { NXN_UP, NXN_RIGHT, NXN_DOWN, NXN_LEFT };

enum nxn_status {
	NXN_OK,
	NXN_INPUT,  /* an argument or a file is wrong */
	NXN_SYSTEM, /* failure of memory, disk, permissions or threads */
	NXN_STOPPED /* interrupted on request */
};

struct nxn_why {
	char text[NXN_WHY_MAX];
};

/*
 * The version of this header. A program may run with another version of the library, which
 * nxn_version() returns. NXN_VERSION_NUMBER is for #if: NXN_VERSION_NUMBER >= 10200 from 1.2.0 on.
 */
#define NXN_VERSION_MAJOR 0
#define NXN_VERSION_MINOR 1
#define NXN_VERSION_PATCH 0
#define NXN_VERSION_NUMBER (NXN_VERSION_MAJOR * 10000 + NXN_VERSION_MINOR * 100 + NXN_VERSION_PATCH)

/* Returns the version of the library, such as "0.1.0". */
NXN_API const char *nxn_version(void);

/* ---- Games: shape, spawn rule and starting position. */

struct nxn_game;

/*
 * Creates a game. SHAPE is "RxC", rows by columns, such as "4x4". SPAWN is the spawn rule, a list
 * of TILE:PROBABILITY such as "2:0.9,4:0.1", which is also the rule if SPAWN is NULL. Games start
 * with START_TILES random tiles (0 means 2), or from the position START in the format of
 * nxn_board_read() if START is not NULL; SHAPE may then be NULL. Returns NXN_INPUT if the shape is
 * not within 2x2 .. 6x6, the rule or the start is malformed, or NXN_ISA names an instruction set
 * that this machine does not have; NXN_SYSTEM if memory runs out.
 */
NXN_API enum nxn_status nxn_game_new(const char *shape, const char *spawn, int start_tiles,
				     const char *start, struct nxn_game **game,
				     struct nxn_why *why);
NXN_API void nxn_game_free(struct nxn_game *game);

/* Return the number of rows and the number of columns. */
NXN_API int nxn_game_rows(const struct nxn_game *game);
NXN_API int nxn_game_cols(const struct nxn_game *game);

/* Returns the largest exponent that a game can reach, for example 17 on 4x4. */
NXN_API int nxn_game_max_exponent(const struct nxn_game *game);

/*
 * Return the shape, such as "4x4", and the spawn rule, such as "2:0.9,4:0.1". The strings belong to
 * GAME.
 */
NXN_API const char *nxn_game_shape(const struct nxn_game *game);
NXN_API const char *nxn_game_spawn(const struct nxn_game *game);

/* ---- Positions. */

/*
 * Parses TEXT into CELLS[rows][cols]. TEXT lists tiles, not exponents: rows from the top separated
 * by '/', tiles by ',', 0 for an empty cell; "0,2/4,0" is a position on 2x2. Returns NXN_INPUT,
 * with the first wrong character, if TEXT is malformed, has another shape, or is a position that
 * nxn_board_check() rejects.
 */
NXN_API enum nxn_status nxn_board_read(const struct nxn_game *game, const char *text,
				       uint8_t *cells, struct nxn_why *why);

/*
 * Writes CELLS[rows][cols] to TEXT in the format of nxn_board_read(). Returns NXN_INPUT for a
 * position that nxn_board_check() rejects.
 */
NXN_API enum nxn_status nxn_board_format(const struct nxn_game *game, const uint8_t *cells,
					 char text[NXN_BOARD_TEXT_MAX], struct nxn_why *why);

/*
 * Checks that a game can contain tiles like those of each position CELLS[n][rows][cols], so that no
 * later position has an exponent above nxn_game_max_exponent(). Returns NXN_INPUT with the index of
 * the first position that fails, counted from 0.
 */
NXN_API enum nxn_status nxn_board_check(const struct nxn_game *game, const uint8_t *cells, size_t n,
					struct nxn_why *why);

/*
 * Writes to CANONICAL[n][rows][cols] the canonical symmetric image of each position of
 * CELLS[n][rows][cols]. Positions that are rotations or reflections of each other have the same
 * canonical image.
 */
NXN_API void nxn_board_canonical(const struct nxn_game *game, const uint8_t *cells, size_t n,
				 uint8_t *canonical);

/*
 * Computes the moves of the positions CELLS[n][rows][cols]. AFTER[n][4][rows][cols] are the
 * after-states: the positions right after each move, before a tile appears; the after-state of an
 * illegal move is the position itself. REWARD[n][4] is in points, 0 for illegal moves. Bit d of
 * LEGAL[n] is set if direction d is legal. Any of the three outputs may be NULL. Cannot fail.
 */
NXN_API void nxn_moves(const struct nxn_game *game, const uint8_t *cells, size_t n, uint8_t *after,
		       uint64_t *reward, uint8_t *legal);

/*
 * Counts of positions and move sequences after a number of plies. A ply is a legal move and a
 * spawn.
 */
struct nxn_perft_counts {
	uint64_t states;      /* distinct positions */
	uint64_t terminal;    /* positions without a legal move */
	uint64_t pairs;	      /* pairs of a position and a legal move in it */
	uint64_t afterstates; /* distinct after-states of these moves */
	uint64_t rewards;     /* points, summed over the pairs */
	uint64_t leaves;      /* sequences of plies */
	uint64_t leaf_score;  /* points, summed over the sequences */
};

/*
 * Counts the positions that are PLIES >= 0 plies after CELLS[rows][cols]. Returns NXN_INPUT for a
 * negative PLIES or a position that is not valid; NXN_SYSTEM if memory runs out or a count exceeds
 * 64 bits.
 */
NXN_API enum nxn_status nxn_perft(const struct nxn_game *game, const uint8_t *cells, int plies,
				  struct nxn_perft_counts *perft, struct nxn_why *why);

/*
 * Plays one game from each position CELLS[n][rows][cols] to its end, choosing uniformly among the
 * legal moves, 64 games at a time. POINTS[n] are the points earned and MOVES[n] the moves made
 * after CELLS; either may be NULL. SEED and INDEX select the random numbers. Spawn probabilities
 * are those of the rule, rounded to multiples of 2^-16. Returns NXN_INPUT for positions that are
 * not valid; NXN_SYSTEM if memory runs out.
 */
NXN_API enum nxn_status nxn_playouts(const struct nxn_game *game, const uint8_t *cells, size_t n,
				     uint64_t seed, uint64_t index, uint64_t *points,
				     uint64_t *moves, struct nxn_why *why);

/* ---- Random streams. */

struct nxn_rng;

/*
 * Different streams of the same seed and game are independent. Streams from NXN_STREAM_USER on are
 * free for the caller.
 */
enum nxn_stream { NXN_STREAM_SPAWN, NXN_STREAM_AGENT, NXN_STREAM_USER = 1 << 20 };

/* Creates a random stream at its beginning. Returns NXN_SYSTEM if memory runs out. */
NXN_API enum nxn_status nxn_rng_new(uint64_t seed, uint32_t stream, uint64_t game,
				    struct nxn_rng **rng, struct nxn_why *why);
NXN_API void nxn_rng_free(struct nxn_rng *rng);

/*
 * Return 32 random bits; a uniform integer in 0 .. N-1, for N > 0; a uniform real in [0, 1) with 53
 * bits.
 */
NXN_API uint32_t nxn_rng_u32(struct nxn_rng *rng);
NXN_API uint32_t nxn_rng_below(struct nxn_rng *rng, uint32_t n);
NXN_API double nxn_rng_real(struct nxn_rng *rng);

/* Writes a starting position of GAME to CELLS[rows][cols]. */
NXN_API void nxn_start(const struct nxn_game *game, struct nxn_rng *rng, uint8_t *cells);

/*
 * Adds a random tile to CELLS[rows][cols] and returns 1. If no cell is empty, returns 0 and draws
 * no random numbers.
 */
NXN_API int nxn_spawn(const struct nxn_game *game, struct nxn_rng *rng, uint8_t *cells);

/* ---- Environments: N games at a time, for reinforcement learning. */

struct nxn_envs;

/* The arrays that reset and step write. Any pointer may be NULL. */
struct nxn_observation {
	uint8_t *cells;	     /* [n][rows][cols], exponents */
	double *reward;	     /* [n], points of the last move; 0 after a reset */
	uint8_t *terminated; /* [n], 1 if no legal move is left */
	uint8_t *mask;	     /* [n][4], 1 if the move is legal */
	uint64_t *score;     /* [n], points of the game so far */
};

/*
 * Creates N > 0 environments. Environment i plays the games i, i + N, i + 2 N, ... of SEED. Call
 * nxn_envs_reset() before the first step. Returns NXN_INPUT for N = 0; NXN_SYSTEM if memory runs
 * out.
 */
NXN_API enum nxn_status nxn_envs_new(const struct nxn_game *game, size_t n, uint64_t seed,
				     struct nxn_envs **envs, struct nxn_why *why);
NXN_API void nxn_envs_free(struct nxn_envs *envs);

/*
 * Sets the number of threads that nxn_envs_step() uses, the caller's among them; it is 1 at first.
 * One thread steps up to 128 environments, and any number of them in a process that is forked
 * later. The games do not depend on THREADS. Returns NXN_INPUT unless 1 <= THREADS <=
 * NXN_ENVS_THREADS_MAX; NXN_SYSTEM if memory or threads run out; the number then stays the same.
 */
enum { NXN_ENVS_THREADS_MAX = 1024 };
NXN_API enum nxn_status nxn_envs_threads(struct nxn_envs *envs, int threads, struct nxn_why *why);

/*
 * Makes environment I play the games FIRST, FIRST + STEP, FIRST + 2 STEP, ... of SEED, from its
 * next reset on. Returns NXN_INPUT if I >= N.
 */
NXN_API enum nxn_status nxn_envs_games(struct nxn_envs *envs, size_t i, uint64_t seed,
				       uint64_t first, uint64_t step, struct nxn_why *why);

/*
 * Makes environment I play the games I, I + N, I + 2 N, ... of SEED, from its next reset on. Does
 * nothing if I >= N.
 */
NXN_API void nxn_envs_seed(struct nxn_envs *envs, size_t i, uint64_t seed);

/* Starts the next game in every environment. OUT may be NULL. */
NXN_API void nxn_envs_reset(struct nxn_envs *envs, const struct nxn_observation *out);

/*
 * Starts the next game in each environment i with WHICH[i] != 0, and in those that have not started
 * yet. WHICH[n] may be NULL, which means all. OUT, which may be NULL, receives the observations of
 * all environments, with reward 0.
 */
NXN_API void nxn_envs_reset_some(struct nxn_envs *envs, const uint8_t *which,
				 const struct nxn_observation *out);

/*
 * Makes the move ACTION[i] in each environment i < n and adds a random tile. An illegal move
 * changes nothing. If the game of an environment was already over before this step, the action is
 * ignored and the next game starts with reward 0 ("next-step autoreset"). Returns NXN_INPUT if an
 * action is above 3; no environment has changed then.
 */
NXN_API enum nxn_status nxn_envs_step(struct nxn_envs *envs, const uint8_t *action,
				      const struct nxn_observation *out, struct nxn_why *why);

/*
 * Saves positions, scores, seeds, game numbers and the places in the random streams, so that
 * nxn_envs_load() can continue. STATE has nxn_envs_state_size() bytes; the format is the same on
 * every machine.
 */
NXN_API size_t nxn_envs_state_size(const struct nxn_envs *envs);
NXN_API void nxn_envs_save(const struct nxn_envs *envs, void *state);

/*
 * Replaces the state of ENVS by STATE, SIZE bytes that nxn_envs_save() wrote for the same number of
 * environments, shape and spawn rule. Returns NXN_INPUT, and changes nothing, for a state of other
 * environments or one that no environments can have.
 */
NXN_API enum nxn_status nxn_envs_load(struct nxn_envs *envs, const void *state, size_t size,
				      struct nxn_why *why);

struct nxn_agent;

/*
 * Writes to ACTION[n] the moves of AGENT in the environments; 0 where the game is over. AGENT must
 * have the shape and the spawn rule of the environments. The agent draws from the stream
 * NXN_STREAM_AGENT of each game, so the games are those of nxn_agent_play(). Errors as
 * nxn_agent_act().
 */
NXN_API enum nxn_status nxn_envs_act(struct nxn_envs *envs, struct nxn_agent *agent,
				     uint8_t *action, struct nxn_why *why);

/* ---- Agents: players. `nxn info agents` lists them with their parameters. */

/*
 * Creates the agent that TEXT specifies, such as "expectimax:depth=2", for GAME. Returns NXN_INPUT
 * if TEXT, or a file that TEXT names, is wrong; NXN_SYSTEM if memory runs out.
 */
NXN_API enum nxn_status nxn_agent_new(const struct nxn_game *game, const char *text,
				      struct nxn_agent **agent, struct nxn_why *why);
NXN_API void nxn_agent_free(struct nxn_agent *agent);

/*
 * Checks without a game that TEXT specifies an agent with valid parameters and existing files.
 * Returns NXN_INPUT if TEXT is wrong; NXN_SYSTEM if memory runs out or a file cannot be read.
 */
NXN_API enum nxn_status nxn_agent_check(const char *text, struct nxn_why *why);

/*
 * An untrained learner does not play by default: nxn_agent_ready(), and every function that asks
 * the agent for moves, returns NXN_INPUT with the command that trains the learner. After
 * nxn_agent_untrained() with ALLOWED != 0 the agent plays untrained.
 */
NXN_API void nxn_agent_untrained(struct nxn_agent *agent, int allowed);
NXN_API enum nxn_status nxn_agent_ready(const struct nxn_agent *agent, struct nxn_why *why);

/*
 * Asks AGENT for its move in each position CELLS[n][rows][cols]. SCORE[n] are the points so far;
 * NULL means 0. The decision in position i draws from the stream (SEED, NXN_STREAM_AGENT, INDEX +
 * i).
 *
 * ACTION[n] are directions, 0 where no move is legal. VALUE[n][4] are the agent's estimates of the
 * moves, in its own unit; NaN for illegal moves and where the agent has no estimate. NODES[n] are
 * the numbers of positions searched. Any of the three may be NULL. Returns NXN_INPUT for positions
 * that nxn_board_check() rejects and for an untrained learner. Other errors occur only with agents
 * that depend on another program.
 */
NXN_API enum nxn_status nxn_agent_act(struct nxn_agent *agent, const uint8_t *cells, size_t n,
				      const uint64_t *score, uint64_t seed, uint64_t index,
				      uint8_t *action, double *value, uint64_t *nodes,
				      struct nxn_why *why);

/*
 * Writes to CHANCE[n][4] the probability of each move of AGENT in each position
 * CELLS[n][rows][cols], 0 for illegal moves. An agent with a policy reports the policy. Otherwise
 * the probabilities are the softmax of the agent's standardised move values; an agent without
 * values has probability 1 for its move. Random draws and errors as nxn_agent_act().
 */
NXN_API enum nxn_status nxn_agent_policy(struct nxn_agent *agent, const uint8_t *cells, size_t n,
					 uint64_t seed, uint64_t index, double *chance,
					 struct nxn_why *why);

/*
 * Plays the games FIRST .. FIRST + N - 1 of SEED, the same as the command nxn. SCORE[n] is in
 * points, MOVES[n] counts moves, MAX_EXPONENT[n] is the largest exponent at the end; any may be
 * NULL. Returns NXN_INPUT for an untrained learner. Other errors occur only with agents that depend
 * on another program.
 */
NXN_API enum nxn_status nxn_agent_play(struct nxn_agent *agent, uint64_t seed, uint64_t first,
				       size_t n, uint64_t *score, uint64_t *moves,
				       uint8_t *max_exponent, struct nxn_why *why);

/*
 * Trains AGENT until GAMES training games have ended in total, including those of earlier calls.
 * Training game i draws from SEED. Returns NXN_INPUT if the agent does not learn, or learns only
 * from a file of its own.
 */
NXN_API enum nxn_status nxn_agent_train(struct nxn_agent *agent, uint64_t seed, uint64_t games,
					struct nxn_why *why);

/*
 * Saves what AGENT has learned in the model file PATH. The file appears complete or not at all.
 * Agents such as "ntuple:PATH" read it. It replaces only an empty file, or a model of the same
 * learner, board, spawn rule and network. Returns NXN_INPUT if the agent does not learn, PATH is
 * another file, its folder does not exist, or another process writes it, such as `nxn train`;
 * NXN_SYSTEM if the file cannot be written.
 */
NXN_API enum nxn_status nxn_agent_save(const struct nxn_agent *agent, const char *path,
				       struct nxn_why *why);

/* ---- Values: evaluation functions. */

struct nxn_value;

/*
 * Creates the value (evaluation function) that TEXT specifies for GAME. TEXT is
 * NAME[:ARGUMENT][,KEY=VALUE...], such as "heuristic" or "heuristic,w_empty=3". Errors as
 * nxn_agent_new().
 */
NXN_API enum nxn_status nxn_value_new(const struct nxn_game *game, const char *text,
				      struct nxn_value **value, struct nxn_why *why);
NXN_API void nxn_value_free(struct nxn_value *value);

/*
 * Writes to OUT[n] the values of the positions CELLS[n][rows][cols], in the unit of the value.
 * Returns NXN_INPUT for positions that nxn_board_check() rejects.
 */
NXN_API enum nxn_status nxn_value_eval(struct nxn_value *value, const uint8_t *cells, size_t n,
				       double *out, struct nxn_why *why);

/* ---- Exact solutions. */

struct nxn_solution {
	double value;	      /* the expected score under optimal play, in points */
	uint64_t states;      /* reachable positions; symmetric images count once */
	uint64_t afterstates; /* reachable after-states, counted the same way */
};

/*
 * Solves GAME exactly, that is, computes the largest expected score of any player. Uses THREADS
 * threads and at most MEMORY bytes (0 means 1 GiB). If PATH is not NULL, the table for
 * nxn_table_open() is written there, complete or not at all. The result does not depend on THREADS.
 * Returns NXN_INPUT if positions need more than 64 bits or MEMORY is too small; NXN_SYSTEM for a
 * failure of memory, disk or threads.
 */
NXN_API enum nxn_status nxn_solve(const struct nxn_game *game, const char *path, int threads,
				  uint64_t memory, struct nxn_solution *solution,
				  struct nxn_why *why);

struct nxn_table;

/*
 * Opens the table file PATH that nxn_solve() or the command `nxn solve` wrote for the shape and
 * spawn rule of GAME, and checks all of it. Returns NXN_INPUT if the file does not exist, is
 * damaged, or is of another game; NXN_SYSTEM if it cannot be read.
 */
NXN_API enum nxn_status nxn_table_open(const struct nxn_game *game, const char *path,
				       struct nxn_table **table, struct nxn_why *why);
NXN_API void nxn_table_close(struct nxn_table *table);

/*
 * Returns NXN_INPUT unless TABLE is of the whole games of its GAME: of the goal "score", with the
 * same start, and without a largest sum.
 */
NXN_API enum nxn_status nxn_table_check(const struct nxn_table *table, struct nxn_why *why);

/*
 * Return the goal of the table ("score", "target", "moves", ...), and the value of the goal under
 * optimal play from the start of a game.
 */
NXN_API const char *nxn_table_goal(const struct nxn_table *table);
NXN_API double nxn_table_value(const struct nxn_table *table);

/*
 * Writes to WORTH[n][4] the value of each move in CELLS[n][rows][cols] under optimal play
 * afterwards: the reward of the move plus the value of its after-state (or the probability of the
 * target, or the number of moves). NaN for illegal moves, and for positions that the table does not
 * contain; it contains every position that games can reach. Returns NXN_INPUT for positions that
 * nxn_board_check() rejects.
 */
NXN_API enum nxn_status nxn_table_moves(const struct nxn_table *table, const uint8_t *cells,
					size_t n, double *worth, struct nxn_why *why);

/* Exact expectations over all games of an agent. Values that need a table are 0 without one. */
struct nxn_exact_score {
	double score, sd, moves;	/* means per game; sd: of the score */
	double max_tile[NXN_EXPONENTS]; /* [k]: probability of largest exponent k at the end */
	uint64_t states;		/* positions that the agent can reach */
	double visits[NXN_EXPONENTS];	/* [k]: expected moves per game while k is the largest */
	double optimal[NXN_EXPONENTS];	/* [k]: of these moves, those that are optimal */
	double loss[NXN_EXPONENTS];	/* [k]: expected points that these moves lose */
};

/*
 * Computes the exact expected score of the agent TEXT in GAME. The agent's move must be a function
 * of the position, or be drawn with probabilities that the agent reports. Moves are compared with
 * TABLE, of goal "score", unless TABLE is NULL. MEMORY is in bytes, 0 for no limit. Returns
 * NXN_INPUT for an agent or a table that does not fit, or if positions need more than 64 bits;
 * NXN_SYSTEM for a failure of memory or threads.
 */
NXN_API enum nxn_status nxn_exact_play(const struct nxn_game *game, const char *text,
				       const struct nxn_table *table, int threads, uint64_t memory,
				       struct nxn_exact_score *result, struct nxn_why *why);

/* ---- Recorded games, in files that `nxn play --record` writes and `nxn play --replay` shows. */

/* A recorded game. */
struct nxn_record {
	const struct nxn_game *game;
	const char *player; /* 1 to 2047 bytes of UTF-8 without control characters */
	int has_seed, has_index;
	uint64_t seed, index;
	const uint8_t *start; /* [rows][cols] */
	size_t moves;
	const uint8_t *direction; /* [moves] */
	const uint8_t *cell;	  /* [moves], where a tile then appeared, in reading order from 0 */
	const uint8_t *exponent;  /* [moves], of that tile; 0: unknown, only after the last move */
	uint64_t score;		  /* points at the end */
	int finished;		  /* 1 if no legal move is left at the end */
};

struct nxn_record_reader;

/*
 * Opens the record file PATH for reading. Returns NXN_INPUT if it does not exist or is another kind
 * of file; NXN_SYSTEM if it cannot be read.
 */
NXN_API enum nxn_status nxn_record_reader_open(const char *path, struct nxn_record_reader **reader,
					       struct nxn_why *why);

/*
 * Reads the next game and checks every move. *RECORD is NULL after the last game. *RECORD and
 * everything that it points to belong to the reader and are valid until the next call. Returns
 * NXN_INPUT, with the reason "FILE:LINE: move N: REASON", for a record that is wrong.
 */
NXN_API enum nxn_status nxn_record_reader_next(struct nxn_record_reader *reader,
					       const struct nxn_record **record,
					       struct nxn_why *why);
NXN_API void nxn_record_reader_close(struct nxn_record_reader *reader);

struct nxn_record_writer;

/*
 * Opens the record file PATH to append games of PLAYER; creates it if it does not exist. No other
 * process can write to it until it is closed. Returns NXN_INPUT for another kind of file, a file
 * that another process is writing, or a name that does not fit on a line; NXN_SYSTEM if the file
 * cannot be opened.
 */
NXN_API enum nxn_status nxn_record_writer_open(const char *path, const char *player,
					       struct nxn_record_writer **writer,
					       struct nxn_why *why);

/*
 * Appends RECORD with one write; ignores its `player`, `score` and `finished`. Returns NXN_INPUT if
 * a move is not legal or a tile cannot appear where the record says; NXN_SYSTEM if the record
 * cannot be written.
 */
NXN_API enum nxn_status nxn_record_writer_append(struct nxn_record_writer *writer,
						 const struct nxn_record *record,
						 struct nxn_why *why);

/*
 * Closes and frees the writer, also on failure. Returns NXN_SYSTEM if records may not have reached
 * the disk.
 */
NXN_API enum nxn_status nxn_record_writer_close(struct nxn_record_writer *writer,
						struct nxn_why *why);

/*
 * ---- Game logs: the files games.tsv of `nxn compare`, with the rules of `nxn report`. A game that
 * occurs twice counts once, contradictory rows are an error, and an incomplete last line is
 * ignored.
 */

struct nxn_log;

/* A player. CONFIG is a hash of everything that determines its games, except their seeds. */
struct nxn_log_player {
	uint64_t config;
	const char *board, *label, *agent; /* label: the first one in the logs */
	uint64_t trained;		   /* training games before these games */
};

struct nxn_log_game {
	uint64_t player;     /* index in nxn_log_players() */
	uint64_t log;	     /* index in PATHS of the first log that has the game */
	uint64_t seed, game; /* game: its number under its seed */
	uint64_t score, max_tile, moves;
	uint64_t tile_sum;  /* of the last position; 0 if not recorded */
	double seconds;	    /* NaN if not recorded */
	double uncertainty; /* mean distance of a move to certainty; NaN if not recorded */
};

/*
 * Reads the logs PATHS[n], N > 0; each is a file, or a folder with a games.tsv. Returns NXN_INPUT,
 * with file and line, if a log is missing, is not a game log, contradicts itself or another, or if
 * there are no games at all; NXN_SYSTEM if a log cannot be read or memory runs out.
 */
NXN_API enum nxn_status nxn_log_read(const char *const *paths, size_t n, struct nxn_log **log,
				     struct nxn_why *why);
NXN_API void nxn_log_close(struct nxn_log *log);

/*
 * Return arrays of *N elements that belong to the log: players in the order of their first game,
 * games in the order in which they ended.
 */
NXN_API const struct nxn_log_player *nxn_log_players(const struct nxn_log *log, size_t *n);
NXN_API const struct nxn_log_game *nxn_log_games(const struct nxn_log *log, size_t *n);

/*
 * Return the number of files whose last line was incomplete and therefore ignored, and the path of
 * the I-th of them; NULL if there is none.
 */
NXN_API size_t nxn_log_torn_count(const struct nxn_log *log);
NXN_API const char *nxn_log_torn(const struct nxn_log *log, size_t i);

/*
 * ---- Estimates with 95% confidence intervals. They are in a separate library, since they need
 * GSL: pkg-config --libs nxn-stats.
 */

/* An estimate and its bounds. The bounds are NaN for a single observation or equal observations. */
struct nxn_interval {
	double value, low, high;
};

/* NXN_SD divides by n - 1. NXN_IQM is the interquartile mean, the mean of the middle half. */
enum nxn_statistic { NXN_MEAN, NXN_MEDIAN, NXN_SD, NXN_IQM };

/*
 * Estimates STATISTIC of the numbers X[n], in any order; NaN for n = 0. Returns NXN_INPUT for an
 * unknown statistic or a number other than 0 whose magnitude is not 1e-50 to 1e50; NXN_SYSTEM if
 * memory runs out.
 */
NXN_API enum nxn_status nxn_estimate(enum nxn_statistic statistic, const double *x, size_t n,
				     struct nxn_interval *interval, struct nxn_why *why);

/*
 * Estimates the ratio of the mean of A[a_n] to the mean of B[b_n], two independent samples. The
 * bounds are also NaN if the interval of a mean reaches 0. Errors as nxn_estimate(); also NXN_INPUT
 * if a mean is not positive.
 */
NXN_API enum nxn_status nxn_estimate_ratio(const double *a, size_t a_n, const double *b, size_t b_n,
					   struct nxn_interval *interval, struct nxn_why *why);

/*
 * Estimates the mean of A[i] - B[i], i < n, where A[i] and B[i] are of the same game. Errors as
 * nxn_estimate().
 */
NXN_API enum nxn_status nxn_estimate_paired(const double *a, const double *b, size_t n,
					    struct nxn_interval *interval, struct nxn_why *why);

/* Returns the proportion HITS / N with Wilson's interval; NaN for N = 0 or HITS > N. */
NXN_API struct nxn_interval nxn_estimate_rate(size_t hits, size_t n);

#ifdef __cplusplus
}
#endif

#endif
