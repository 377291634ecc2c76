/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recorded games: a starting position, and for each move its direction and the tile that appeared
 * after it. So nxn can replay, check and learn from a game of any program or person.
 *
 * A record file is text. Its first line is `# nxn record 1`, the format and its version; other
 * lines that begin with `#` are comments. Every further line is a game in eleven columns separated
 * by tabs:
 *
 *    board     the shape, "4x4"
 *    spawn     the spawn rule, "2:0.9,4:0.1"
 *    player    a name: 1 to 2047 bytes of plain text (base/text.h)
 *    config    16 hexadecimal digits that identify the player's games in logs, or -
 *    seed      a nonnegative integer, or -
 *    game      the number of the game under its seed, or -
 *    start     the position before the first move, as board_parse() reads it, with start tiles
 *    score     points at the end
 *    max_tile  the largest tile at the end; 0 on an empty board
 *    end       `over` if no move is left at the end, else `unfinished`
 *    moves     three characters per move without separators, or - for none
 *
 * A move is a letter U, R, D or L; the cell where a tile then appeared, counted in reading order
 * from 0 to 35; and the exponent k of that tile 2^k. Cell and exponent are one digit of base 36,
 * 0-9a-z. The last move of an unfinished game may have 00 there, if the tile is not known.
 *
 * base/lines.h reads the lines. A last line without a newline counts only if its game is over: then
 * the replay proves that nothing is missing. The concatenation of record files is a record file.
 *
 * The reader trusts nothing: every move must be legal, every cell of a new tile empty, every tile
 * one of the spawn rule, and score, largest tile and end must be the results of the replay.
 */
#ifndef NXN_RECORD_H
#define NXN_RECORD_H

#include "base/append.h"
#include "boards/board.h"

#include <stddef.h>
#include <sys/types.h>

enum { RECORD_PLAYER_MAX = 2048 };

struct record_move {
	uint8_t direction;
	uint8_t place;	  /* r * ROW_BYTES + c */
	uint8_t exponent; /* of the new tile; 0: unknown, only after the last move */
};

struct record {
	struct board start;
	size_t moves;
	const struct record_move *move;
	uint64_t score;
	int max_exponent; /* at the end */
	bool finished;	  /* no legal move is left at the end */
};

/* A game that is being replayed. */
struct replay {
	const struct game *game;
	struct board board;
	struct moves moves; /* of the board; the caller of move_replay() computes them */
	uint64_t score;
	bool no_spawn; /* the tile after the last move is not known */
};

/*
 * Replays MOVE, number I of COUNT, of a game that is FINISHED or not. STATUS_INPUT, as move N:
 * REASON, for a move that is not legal or a tile that cannot appear.
 */
MUST_USE enum status move_replay(struct replay *replay, const struct record_move *move, size_t i,
				 size_t count, bool finished, struct why *why);

/* A number that may be unknown, written `-`. */
struct record_number {
	bool known;
	uint64_t number;
};

/* A line: a game and its player. */
struct record_line {
	size_t number;		 /* line number in the file, from 1 */
	const struct game *game; /* shape and spawn rule */
	const char *player;
	struct record_number config, seed, index;
	struct record record;
};

/* Games of one shape with the same spawn tiles. */
struct records {
	size_t games;
	struct record *game;
	bool torn; /* the file had an incomplete last line, which was ignored */
};

/*
 * Reads all games of the file PATH that have the shape and the spawn tiles of GAME, with any
 * probabilities; checks the other games as well. STATUS_INPUT for anything wrong in the file, as
 * FILE:LINE: move N: REASON for a move, and if no game fits; STATUS_SYSTEM if the file cannot be
 * read or memory runs out. On success the caller frees RECORDS with records_free().
 */
MUST_USE enum status records_read(const char *path, const struct game *game,
				  struct records *records, struct why *why);
void records_free(struct records *records);

struct record_reader;

/*
 * Opens the file PATH for reading line by line. STATUS_INPUT if it does not exist or does not begin
 * like a record file; STATUS_SYSTEM if it cannot be read or memory runs out.
 */
MUST_USE enum status record_reader_open(const char *path, struct record_reader **reader,
					struct why *why);

/*
 * Reads and checks the next game. *LINE is NULL after the last game; it belongs to the reader and
 * is valid until the next call. Errors as records_read().
 */
MUST_USE enum status record_reader_next(struct record_reader *reader,
					const struct record_line **line, struct why *why);

/* Closes the file. Returns whether an incomplete last line was read and ignored. */
bool record_reader_close(struct record_reader *reader);

/* A record file that is being written. One thread at a time. append_close() of `file` closes it. */
struct record_writer {
	struct append_file file;
	bool broken; /* a line may have been written only in part */
};

/*
 * Opens the record file PATH to append games of PLAYER; creates it if it does not exist, with
 * PROVENANCE as comments (lines without "# ", ending with NULL; or NULL). No other process can
 * write to it until it is closed. Removes an incomplete last line. STATUS_INPUT if the name PLAYER
 * does not fit on a line, the file is of another kind (it is left unchanged), or another process is
 * writing it; STATUS_SYSTEM if it cannot be opened.
 */
MUST_USE enum status record_writer_open(struct record_writer *writer, const char *path,
					const char *player, const char *const *provenance,
					struct why *why);

/*
 * Appends a game with one write(2), without checking its moves. STATUS_INPUT if the player's name
 * does not fit on a line; STATUS_SYSTEM if the file cannot be written, and for every later call.
 */
MUST_USE enum status record_writer_append(struct record_writer *writer,
					  const struct record_line *line, struct why *why);

/*
 * Returns the record of a move: DIRECTION, which led to AFTER, and the spawn that led from AFTER to
 * NEXT.
 */
static inline struct record_move record_move_of(int direction, const struct board *after,
						const struct board *next)
{
	struct record_move move = {.direction = (uint8_t)direction};
	for (int place = 0; place < SIDE_MAX * ROW_BYTES; place++) {
		const int r = place / ROW_BYTES, c = place % ROW_BYTES;
		if (after->cell[r][c] == next->cell[r][c])
			continue;
		move.place = (uint8_t)place;
		move.exponent = next->cell[r][c];
	}
	return move;
}

#endif
