/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libnxn: the game 2048 on every board from 2x2 to 6x6: rules, environments in batches, the
 * players of nxn, exact solutions, recorded games, and intervals of scores.
 *
 *     cc program.c $(pkg-config --cflags --libs nxn)
 *
 * Positions. A position is rows * cols bytes, from the top left in reading order: exponents, k for
 * the tile 2^k and 0 for an empty cell. N positions stand one behind the other: uint8_t
 * cells[n][rows][cols]. Functions that take positions ask for such as nxn_board_check() accepts;
 * where they return a status they check it, elsewhere the results for others mean nothing.
 *
 * Moves. A direction is 0 up (towards the first row), 1 right, 2 down or 3 left. Ties are broken
 * in this order. The reward of a move is in points: the sum of the tiles that it made by merging.
 *
 * Errors. What can fail returns an enum nxn_status. If that is not NXN_OK, WHY, unless it is NULL,
 * holds one line: what is wrong, where, what would be right; the outputs are untouched, but for
 * those of an agent that failed in the middle, which then mean nothing. The library prints
 * nothing, never exits, and leaves signals alone.
 *
 * Memory. What _new(), _open() or nxn_solve() made is given back by _free() or _close(), for which
 * NULL is fine. A game must outlive all that was made with it.
 *
 * Threads. Games and tables may be used by any number of threads at a time, every other object by
 * one. There is no state but in objects. The environment variable NXN_ISA=portable|avx2|avx512
 * asks for an instruction set; no result depends on it.
 *
 * Random streams. All that is drawn comes from Philox streams of (seed, stream, game): what game
 * number I of a seed draws depends on nothing else. So environments, nxn_agent_play() and the
 * command nxn play the same games.
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
	NXN_BOARD_TEXT_MAX = 505, /* bytes of a position as text, with its NUL */
	NXN_EXPONENTS = 64,	  /* more than there are */
	NXN_WHY_MAX = 1024
};

enum nxn_direction { NXN_UP, NXN_RIGHT, NXN_DOWN, NXN_LEFT };

enum nxn_status {
	NXN_OK,
	NXN_INPUT,  /* what was given is wrong */
	NXN_SYSTEM, /* memory, disk, permissions, threads */
	NXN_STOPPED /* interrupted on request */
};

struct nxn_why {
	char text[NXN_WHY_MAX];
};

/* The version of the library, such as "0.1.0". */
NXN_API const char *nxn_version(void);

/* ---- Games: a shape, a spawn rule, a start. */

struct nxn_game;

/*
 * Makes a game of SHAPE ("4x4": rows x columns). SPAWN is its spawn rule ("2:0.9,4:0.1": tile and
 * probability), NULL for that. Games start with START_TILES spawned tiles, 0 for the usual 2, or
 * with the position START (nxn_board_read()), unless that is NULL; then SHAPE may be NULL.
 * NXN_INPUT for a shape outside 2x2 .. 6x6, a malformed rule or start, or an instruction set that
 * this machine does not have; NXN_SYSTEM when memory runs out.
 */
NXN_API enum nxn_status nxn_game_new(const char *shape, const char *spawn, int start_tiles,
				     const char *start, struct nxn_game **game,
				     struct nxn_why *why);
NXN_API void nxn_game_free(struct nxn_game *game);

NXN_API int nxn_game_rows(const struct nxn_game *game);
NXN_API int nxn_game_cols(const struct nxn_game *game);

/* The largest exponent that play can reach: 17 on 4x4. */
NXN_API int nxn_game_max_exponent(const struct nxn_game *game);

/* "4x4", and "2:0.9,4:0.1". Valid as long as the game. */
NXN_API const char *nxn_game_shape(const struct nxn_game *game);
NXN_API const char *nxn_game_spawn(const struct nxn_game *game);

/* ---- Positions. */

/*
 * Reads a position of the game's shape: rows from the top separated by '/', tiles by ',', 0 for
 * empty, such as "0,2/4,0" on 2x2, into CELLS[rows][cols]. NXN_INPUT names the first character
 * that is wrong; also for a position that nxn_board_check() refuses.
 */
NXN_API enum nxn_status nxn_board_read(const struct nxn_game *game, const char *text,
				       uint8_t *cells, struct nxn_why *why);

/* Writes CELLS[rows][cols] the way nxn_board_read() reads it. */
NXN_API enum nxn_status nxn_board_format(const struct nxn_game *game, const uint8_t *cells,
					 char text[NXN_BOARD_TEXT_MAX], struct nxn_why *why);

/*
 * Whether no tile of CELLS[n][rows][cols] is larger than play can reach with those beside it, so
 * that nothing beyond nxn_game_max_exponent() can follow. NXN_INPUT names the first position that
 * fails, counted from 0.
 */
NXN_API enum nxn_status nxn_board_check(const struct nxn_game *game, const uint8_t *cells, size_t n,
					struct nxn_why *why);

/* CANONICAL[n][rows][cols]: one and the same of all symmetric images of each of CELLS. */
NXN_API void nxn_board_canonical(const struct nxn_game *game, const uint8_t *cells, size_t n,
				 uint8_t *canonical);

/*
 * The moves of positions CELLS[n][rows][cols]: AFTER[n][4][rows][cols], the positions right after
 * each move, before a tile appears, and as they were where the move is not legal; REWARD[n][4],
 * points; LEGAL[n], bit d for direction d. Any of the three may be NULL. Cannot fail.
 */
NXN_API void nxn_moves(const struct nxn_game *game, const uint8_t *cells, size_t n, uint8_t *after,
		       uint64_t *reward, uint8_t *legal);

/* What lies a number of plies from a position; a ply is a legal move and a spawn. */
struct nxn_perft_counts {
	uint64_t states;      /* distinct positions */
	uint64_t terminal;    /* of these, without a legal move */
	uint64_t pairs;	      /* (position, legal move) */
	uint64_t afterstates; /* distinct positions right after these moves */
	uint64_t rewards;     /* points, summed over the pairs */
	uint64_t leaves;      /* sequences of plies */
	uint64_t leaf_score;  /* points, summed over the sequences */
};

/*
 * Counts what lies PLIES >= 0 from CELLS[rows][cols]. NXN_SYSTEM when memory runs out or a count
 * does not fit into 64 bits.
 */
NXN_API enum nxn_status nxn_perft(const struct nxn_game *game, const uint8_t *cells, int plies,
				  struct nxn_perft_counts *perft, struct nxn_why *why);

/*
 * Plays a game of the random mover, each legal move as likely as the others, from each of
 * CELLS[n][rows][cols] to its end, 64 at a time: POINTS[n] that it earned, MOVES[n] that it took;
 * either may be NULL. SEED and INDEX name the random bits. Spawns have the probabilities of the
 * rule to 2^-16. NXN_SYSTEM when memory runs out.
 */
NXN_API enum nxn_status nxn_playouts(const struct nxn_game *game, const uint8_t *cells, size_t n,
				     uint64_t seed, uint64_t index, uint64_t *points,
				     uint64_t *moves, struct nxn_why *why);

/* ---- Random streams. */

struct nxn_rng;

/* Streams of one (seed, game) share no draws; those from NXN_STREAM_USER on are the caller's. */
enum nxn_stream { NXN_STREAM_SPAWN, NXN_STREAM_AGENT, NXN_STREAM_USER = 1 << 20 };

/* The stream from its beginning. NXN_SYSTEM when memory runs out. */
NXN_API enum nxn_status nxn_rng_new(uint64_t seed, uint32_t stream, uint64_t game,
				    struct nxn_rng **rng, struct nxn_why *why);
NXN_API void nxn_rng_free(struct nxn_rng *rng);

/* 32 random bits; uniform on 0 .. N-1, N > 0; uniform on [0, 1) with 53 bits. */
NXN_API uint32_t nxn_rng_u32(struct nxn_rng *rng);
NXN_API uint32_t nxn_rng_below(struct nxn_rng *rng, uint32_t n);
NXN_API double nxn_rng_real(struct nxn_rng *rng);

/* The position CELLS[rows][cols] that a game starts from. */
NXN_API void nxn_start(const struct nxn_game *game, struct nxn_rng *rng, uint8_t *cells);

/* A tile appears in CELLS[rows][cols]; 0, and nothing is drawn, if there is no empty cell. */
NXN_API int nxn_spawn(const struct nxn_game *game, struct nxn_rng *rng, uint8_t *cells);

/* ---- Environments: N games at once. */

struct nxn_envs;

/* What reset and step write; any pointer may be NULL. */
struct nxn_observation {
	uint8_t *cells;	     /* [n][rows][cols], exponents */
	double *reward;	     /* [n], points of the move; 0 after a reset */
	uint8_t *terminated; /* [n], 1 if no move is left */
	uint8_t *mask;	     /* [n][4], 1 if the move is legal */
	uint64_t *score;     /* [n], points of the game so far */
};

/*
 * Makes N > 0 environments, which nxn_envs_reset() must start. Environment i plays the games i,
 * i + N, i + 2 N, ... of SEED. NXN_INPUT for N = 0; NXN_SYSTEM when memory runs out.
 */
NXN_API enum nxn_status nxn_envs_new(const struct nxn_game *game, size_t n, uint64_t seed,
				     struct nxn_envs **envs, struct nxn_why *why);
NXN_API void nxn_envs_free(struct nxn_envs *envs);

/*
 * From the next reset on environment I plays the games FIRST, FIRST + STEP, FIRST + 2 STEP, ... of
 * SEED. NXN_INPUT if I is not below N.
 */
NXN_API enum nxn_status nxn_envs_games(struct nxn_envs *envs, size_t i, uint64_t seed,
				       uint64_t first, uint64_t step, struct nxn_why *why);

/* The same for the games I, I + N, I + 2 N, ... of SEED; nothing if I is not below N. */
NXN_API void nxn_envs_seed(struct nxn_envs *envs, size_t i, uint64_t seed);

/* Each environment starts its next game. OUT may be NULL. */
NXN_API void nxn_envs_reset(struct nxn_envs *envs, const struct nxn_observation *out);

/*
 * The same for the environments with WHICH[i] != 0, and those that have not started; WHICH[n] may
 * be NULL for all. OUT gets the observations of all, with reward 0.
 */
NXN_API void nxn_envs_reset_some(struct nxn_envs *envs, const uint8_t *which,
				 const struct nxn_observation *out);

/*
 * Makes the move ACTION[i] in environment i < n, and a tile appears; a move that is not legal
 * changes nothing. In an environment whose game was over before this step, the action is ignored
 * and the next game starts, with reward 0 (autoreset in the next step). NXN_INPUT if an action is
 * above 3: then nothing has changed.
 */
NXN_API enum nxn_status nxn_envs_step(struct nxn_envs *envs, const uint8_t *action,
				      const struct nxn_observation *out, struct nxn_why *why);

/*
 * All that decides what follows: positions, points, seeds, games, and places in their random
 * streams. STATE has nxn_envs_state_size() bytes, the same on every machine.
 */
NXN_API size_t nxn_envs_state_size(const struct nxn_envs *envs);
NXN_API void nxn_envs_save(const struct nxn_envs *envs, void *state);

/*
 * ENVS go on from STATE, SIZE bytes that nxn_envs_save() wrote of as many environments of the same
 * shape and spawn rule. Every byte is checked: NXN_INPUT for a state that no environments have.
 */
NXN_API enum nxn_status nxn_envs_load(struct nxn_envs *envs, const void *state, size_t size,
				      struct nxn_why *why);

struct nxn_agent;

/*
 * ACTION[n]: the moves of AGENT, made for the same shape and spawn rule, in the environments; each
 * draws from the stream NXN_STREAM_AGENT of its game, so that the games are those of nxn_agent_play(). 0
 * where the game is over. Errors of nxn_agent_act().
 */
NXN_API enum nxn_status nxn_envs_act(struct nxn_envs *envs, struct nxn_agent *agent,
				     uint8_t *action, struct nxn_why *why);

/* ---- Agents: the players of nxn. `nxn info agents` lists them with their parameters. */

/*
 * Makes the agent that TEXT names, such as "expectimax:depth=2", for GAME. NXN_INPUT tells what is
 * wrong with TEXT, or with a file that it names; NXN_SYSTEM when memory runs out.
 */
NXN_API enum nxn_status nxn_agent_new(const struct nxn_game *game, const char *text,
				      struct nxn_agent **agent, struct nxn_why *why);
NXN_API void nxn_agent_free(struct nxn_agent *agent);

/*
 * Whether TEXT names an agent, its parameters, and files that are there; needs no game. NXN_INPUT
 * tells what is wrong with TEXT; NXN_SYSTEM when memory runs out or a file cannot be read.
 */
NXN_API enum nxn_status nxn_agent_check(const char *text, struct nxn_why *why);

/*
 * A learner that has learned nothing does not play: what asks it for moves or games fails as
 * nxn_agent_ready(), with NXN_INPUT and the command that trains it. With ALLOWED != 0 it plays.
 */
NXN_API void nxn_agent_untrained(struct nxn_agent *agent, int allowed);
NXN_API enum nxn_status nxn_agent_ready(const struct nxn_agent *agent, struct nxn_why *why);

/*
 * Asks AGENT for its move in positions CELLS[n][rows][cols]. SCORE[n], points so far, may be NULL
 * for 0. Position i draws from the stream (SEED, NXN_STREAM_AGENT, INDEX + i).
 *
 * ACTION[n]: directions; 0 where none is legal. VALUE[n][4]: what it thinks of each move, in the
 * agent's own unit, NaN where it tells none or the move is not legal. NODES[n]: positions searched.
 * Any of the three may be NULL. NXN_INPUT for positions that nxn_board_check() refuses, and for an
 * untrained learner; else only agents that depend on another program can fail.
 */
NXN_API enum nxn_status nxn_agent_act(struct nxn_agent *agent, const uint8_t *cells, size_t n,
				      const uint64_t *score, uint64_t seed, uint64_t index,
				      uint8_t *action, double *value, uint64_t *nodes,
				      struct nxn_why *why);

/*
 * CHANCE[n][4]: the probability that AGENT makes each move in positions CELLS[n][rows][cols], 0
 * where it is not legal: of its policy if it has one; else the softmax of its standardised values,
 * if it tells any; else 1 for its move. Draws as nxn_agent_act(); errors too.
 */
NXN_API enum nxn_status nxn_agent_policy(struct nxn_agent *agent, const uint8_t *cells, size_t n,
					 uint64_t seed, uint64_t index, double *chance,
					 struct nxn_why *why);

/*
 * Plays the games FIRST .. FIRST + N - 1 of SEED, those of the command nxn: SCORE[n] in points,
 * MOVES[n], MAX_EXPONENT[n]; any may be NULL. NXN_INPUT for an untrained learner; else only agents
 * that depend on another program can fail.
 */
NXN_API enum nxn_status nxn_agent_play(struct nxn_agent *agent, uint64_t seed, uint64_t first,
				       size_t n, uint64_t *score, uint64_t *moves,
				       uint8_t *max_exponent, struct nxn_why *why);

/*
 * AGENT, a learner, plays training games and learns until GAMES of them have ended in all; training
 * game i draws from SEED. NXN_INPUT if the agent does not learn, or only from its own file.
 */
NXN_API enum nxn_status nxn_agent_train(struct nxn_agent *agent, uint64_t seed, uint64_t games,
					struct nxn_why *why);

/*
 * Writes what AGENT, a learner, has learned to the model file PATH, complete or not at all; agents
 * such as "ntuple:PATH" read it. NXN_INPUT if the agent does not learn, PATH is something else
 * or has no folder; NXN_SYSTEM if it cannot be written.
 */
NXN_API enum nxn_status nxn_agent_save(const struct nxn_agent *agent, const char *path,
				       struct nxn_why *why);

/* ---- Values: evaluation functions. */

struct nxn_value;

/*
 * Makes the value that TEXT names, NAME[:ARGUMENT][,KEY=VALUE...], such as "heuristic" or
 * "heuristic,w_empty=3", for GAME. Errors of nxn_agent_new().
 */
NXN_API enum nxn_status nxn_value_new(const struct nxn_game *game, const char *text,
				      struct nxn_value **value, struct nxn_why *why);
NXN_API void nxn_value_free(struct nxn_value *value);

/* OUT[n]: the values of positions CELLS[n][rows][cols], in the unit of the value. */
NXN_API enum nxn_status nxn_value_eval(struct nxn_value *value, const uint8_t *cells, size_t n,
				       double *out, struct nxn_why *why);

/* ---- Exact solutions. */

struct nxn_solution {
	double value;	      /* the expected score of best play, in points */
	uint64_t states;      /* positions that games can reach, images counted once */
	uint64_t afterstates; /* positions right after a move, likewise */
};

/*
 * Solves GAME: the largest expected score, by THREADS threads, in at most MEMORY bytes (0: 1 GiB).
 * If PATH is not NULL, a table for nxn_table_open() is written there, complete or not at all. The
 * result does not depend on THREADS. NXN_INPUT if positions do not fit into 64 bits or the memory
 * does not do; NXN_SYSTEM: memory, disk, threads.
 */
NXN_API enum nxn_status nxn_solve(const struct nxn_game *game, const char *path, int threads,
				  uint64_t memory, struct nxn_solution *solution,
				  struct nxn_why *why);

struct nxn_table;

/*
 * Opens the table at PATH, which nxn_solve() or the command `nxn solve` wrote, of GAME's shape and
 * spawn rule. NXN_INPUT if there is none, or it is damaged or of another game; NXN_SYSTEM if it
 * cannot be read.
 */
NXN_API enum nxn_status nxn_table_open(const struct nxn_game *game, const char *path,
				       struct nxn_table **table, struct nxn_why *why);
NXN_API void nxn_table_close(struct nxn_table *table);

/* What the table is about ("score", "target", "moves", ...), and that from the start of games. */
NXN_API const char *nxn_table_goal(const struct nxn_table *table);
NXN_API double nxn_table_value(const struct nxn_table *table);

/*
 * WORTH[n][4]: what each move in CELLS[n][rows][cols] leads to under best play, its own points
 * included (or the probability of the target, or the moves). NaN where it is not legal, and where
 * the table does not hold the position: it holds all that games reach.
 */
NXN_API enum nxn_status nxn_table_moves(const struct nxn_table *table, const uint8_t *cells,
					size_t n, double *worth, struct nxn_why *why);

/* All games of an agent, exactly. */
struct nxn_exact_score {
	double score, sd, moves;	/* of a game: points, their standard deviation, moves */
	double max_tile[NXN_EXPONENTS]; /* the probability of each largest exponent at the end */
	uint64_t states;		/* positions that it can reach */
	double visits[NXN_EXPONENTS];	/* moves expected under each largest exponent */
	double optimal[NXN_EXPONENTS];	/* of these, as good as the best; 0 without a table */
	double loss[NXN_EXPONENTS];	/* points expected to be lost by them; 0 likewise */
};

/*
 * What the agent TEXT scores in GAME, whose moves must be a function of the position or drawn with
 * chances that it tells, held against TABLE (goal "score"), which may be NULL. MEMORY in bytes, 0:
 * no limit. NXN_INPUT for another agent or table, or if positions do not fit into 64 bits;
 * NXN_SYSTEM: memory, threads.
 */
NXN_API enum nxn_status nxn_exact_play(const struct nxn_game *game, const char *text,
				       const struct nxn_table *table, int threads, uint64_t memory,
				       struct nxn_exact_score *result, struct nxn_why *why);

/* ---- Recorded games, in files that `nxn play --record` writes and `nxn play --replay` shows. */

/* A game and who played it. */
struct nxn_record {
	const struct nxn_game *game;
	const char *player; /* 1 to 2047 bytes of UTF-8 without control characters */
	int has_seed, has_index;
	uint64_t seed, index;
	const uint8_t *start; /* [rows][cols] */
	size_t moves;
	const uint8_t *direction; /* [moves] */
	const uint8_t *cell;	  /* [moves], in reading order from 0: where a tile then appeared */
	const uint8_t *exponent;  /* [moves], of that tile; 0 if not known, behind the last move */
	uint64_t score;		  /* points at the end */
	int finished;		  /* 1 if no move is left at the end */
};

struct nxn_record_reader;

/*
 * Opens the record file at PATH. NXN_INPUT if there is none or it is another kind of file;
 * NXN_SYSTEM if it cannot be read.
 */
NXN_API enum nxn_status nxn_record_reader_open(const char *path, struct nxn_record_reader **reader,
					       struct nxn_why *why);

/*
 * The next game, checked move by move; *RECORD and what it points to are the reader's, until the
 * next call, and NULL behind the last game. NXN_INPUT, as FILE:LINE: move N: REASON.
 */
NXN_API enum nxn_status nxn_record_reader_next(struct nxn_record_reader *reader,
					       const struct nxn_record **record,
					       struct nxn_why *why);
NXN_API void nxn_record_reader_close(struct nxn_record_reader *reader);

struct nxn_record_writer;

/*
 * Opens the record file at PATH to append games of PLAYER; it is made if there is none. No other
 * process can write it until it is closed. NXN_INPUT for another kind of file, a name that a line
 * cannot hold, or a file that is being written; NXN_SYSTEM if it cannot be opened.
 */
NXN_API enum nxn_status nxn_record_writer_open(const char *path, const char *player,
					       struct nxn_record_writer **writer,
					       struct nxn_why *why);

/*
 * Appends RECORD in one piece; `player`, `score` and `finished` are not looked at. NXN_INPUT if a
 * move is not legal, or a tile could not have appeared there; NXN_SYSTEM if it cannot be written.
 */
NXN_API enum nxn_status nxn_record_writer_append(struct nxn_record_writer *writer,
						 const struct nxn_record *record,
						 struct nxn_why *why);

/* NXN_SYSTEM if what was written may not be on the disk. The writer is freed either way. */
NXN_API enum nxn_status nxn_record_writer_close(struct nxn_record_writer *writer,
						struct nxn_why *why);

/*
 * ---- Game logs: the games.tsv of `nxn compare`, by the rules of `nxn report`. A game that is there
 * twice counts once, a contradiction is an error, a torn last line is left out.
 */

struct nxn_log;

/* A player is known by CONFIG, which stands for all that decides its games but their seeds. */
struct nxn_log_player {
	uint64_t config;
	const char *board, *label, *agent; /* the label that it was first seen with */
	uint64_t trained;		   /* training games behind it */
};

struct nxn_log_game {
	uint64_t player;     /* its place in nxn_log_players() */
	uint64_t log;	     /* the place in PATHS of the log that it was found in first */
	uint64_t seed, game; /* its number under its seed */
	uint64_t score, max_tile, moves;
	uint64_t tile_sum;  /* at the end; 0 where it was not recorded */
	double seconds;	    /* NaN where they were not recorded */
	double uncertainty; /* mean distance to certainty of a move; NaN likewise */
};

/*
 * Reads the logs in PATHS[n], N > 0: files, or folders with a games.tsv. NXN_INPUT, with file and
 * line, for one that is missing, no game log, or contradicts itself or another, and if there is no
 * game in any; NXN_SYSTEM if one cannot be read or memory runs out.
 */
NXN_API enum nxn_status nxn_log_read(const char *const *paths, size_t n, struct nxn_log **log,
				     struct nxn_why *why);
NXN_API void nxn_log_close(struct nxn_log *log);

/* Arrays of *N, valid as long as the log: players as they first appeared, games as they ended. */
NXN_API const struct nxn_log_player *nxn_log_players(const struct nxn_log *log, size_t *n);
NXN_API const struct nxn_log_game *nxn_log_games(const struct nxn_log *log, size_t *n);

/* The files whose last line was torn, and left out: I below their number, else NULL. */
NXN_API size_t nxn_log_torn_count(const struct nxn_log *log);
NXN_API const char *nxn_log_torn(const struct nxn_log *log, size_t i);

/*
 * ---- Estimates with 95% intervals. They are in a library of their own, since they need GSL:
 * pkg-config --libs nxn-stats.
 */

/* No bounds (NaN) for one observation, or where all are alike. */
struct nxn_interval {
	double value, low, high;
};

/* IQM: the mean of the middle half. SD: with n - 1. */
enum nxn_statistic { NXN_MEAN, NXN_MEDIAN, NXN_SD, NXN_IQM };

/*
 * STATISTIC of the N numbers X, in any order; NaN of none. NXN_INPUT for a number that is not
 * finite or not within 1e90 of 0, or an unknown statistic; NXN_SYSTEM when memory runs out.
 */
NXN_API enum nxn_status nxn_estimate(enum nxn_statistic statistic, const double *x, size_t n,
				     struct nxn_interval *interval, struct nxn_why *why);

/*
 * The mean of A over that of B, independent samples. Errors of nxn_estimate(); NXN_INPUT also for
 * means that are not both positive.
 */
NXN_API enum nxn_status nxn_estimate_ratio(const double *a, size_t a_n, const double *b, size_t b_n,
					   struct nxn_interval *interval, struct nxn_why *why);

/* The mean of a[i] - b[i], i < N, of the same games. Errors of nxn_estimate(). */
NXN_API enum nxn_status nxn_estimate_paired(const double *a, const double *b, size_t n,
					    struct nxn_interval *interval, struct nxn_why *why);

/* HITS <= N of N, as a share, with Wilson's interval; NaN of none, and for more HITS than N. */
NXN_API struct nxn_interval nxn_estimate_rate(size_t hits, size_t n);

#ifdef __cplusplus
}
#endif

#endif
