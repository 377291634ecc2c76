/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recorded games: a start, and for each move its direction and the tile that appeared behind it, so
 * that whatever program or person played, the game can be replayed, checked and learned from.
 *
 * A record file is text. Its first line is `# nxn record 1`, the format and its version; other
 * lines that begin with `#` are comments. Every further line is a game, eleven columns with a tab
 * between them:
 *
 *   board     its shape, "4x4"
 *   spawn     the spawn rule, "2:0.9,4:0.1"
 *   player    a name: 1 to 2047 bytes of plain text (base/text.h)
 *   config    16 hexadecimal digits that the player's games are filed under, or -
 *   seed      a whole number, or -
 *   game      the number of the game under its seed, or -
 *   start     the position before the first move, as board_parse() reads it, start tiles included
 *   score     points at the end
 *   max_tile  the largest tile at the end; 0 on an empty board
 *   end       `over` if no move is left at the end, else `unfinished`
 *   moves     three characters each, nothing between them, or - for none
 *
 * A move is a letter U, R, D or L; the cell where a tile then appeared, counted in reading order
 * from 0 to 35; and the exponent k of that tile 2^k; both one digit of base 36, 0-9a-z. The last
 * move of an unfinished game may have 00 there: what appeared is not known.
 *
 * Lines are read as by base/lines.h. A last line without a newline may have been torn off while it
 * was written: it counts if it is a game that is over, since replaying then shows that nothing is
 * missing. Files put one behind the other are a record file again.
 *
 * Reading trusts nothing: every move must be legal, every cell free, every tile one of the rule,
 * and score, largest tile and end must be what replaying comes to.
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
	uint8_t exponent; /* of the tile that appeared; 0: not known, behind the last move */
};

struct record {
	struct board start;
	size_t moves;
	const struct record_move *move;
	uint64_t score;
	int max_exponent; /* at the end */
	bool finished;	  /* no move is left at the end */
};

/* A number that may not be known, written `-`. */
struct record_number {
	bool known;
	uint64_t number;
};

/* A line: a game, and who played it. */
struct record_line {
	size_t number;		 /* of the line in its file, counted from 1 */
	const struct game *game; /* shape and spawn rule */
	const char *player;
	struct record_number config, seed, index;
	struct record record;
};

/* Games of one shape. */
struct records {
	size_t games;
	struct record *game;
	bool torn; /* the file had a torn last line, which is left out */
};

/*
 * All games of the file at PATH that are of GAME's shape and kinds of spawn, whatever their
 * probabilities; the others are checked as well. STATUS_INPUT, as FILE:LINE: move N: REASON where
 * it is a move, for whatever is wrong in the file, and if none fits; STATUS_SYSTEM if it cannot be
 * read or memory runs out. RECORDS, new on success, is freed by records_free().
 */
MUST_USE enum status records_read(const char *path, const struct game *game,
				  struct records *records, struct why *why);
void records_free(struct records *records);

struct record_reader;

/*
 * Opens the file at PATH to read it line by line. STATUS_INPUT if there is none or it does not
 * begin as a record file; STATUS_SYSTEM if it cannot be read or memory runs out.
 */
MUST_USE enum status record_reader_open(const char *path, struct record_reader **reader,
					struct why *why);

/*
 * The next game, checked; *LINE is the reader's, until the next call, and NULL behind the last one.
 * Errors as records_read().
 */
MUST_USE enum status record_reader_next(struct record_reader *reader,
					const struct record_line **line, struct why *why);

/* Closes the file; whether it ended, as far as it was read, with a torn line. */
bool record_reader_close(struct record_reader *reader);

/* One thread at a time. append_close() of FILE closes it. */
struct record_writer {
	struct append_file file;
	bool broken; /* a line may have got only partly into the file */
};

/*
 * Opens the record file at PATH to append games of PLAYER to it, made if there is none, with
 * PROVENANCE (lines without "# ", ending with NULL; or NULL) as comments; no other process can
 * write it until it is closed. Cuts off a torn last line. STATUS_INPUT if a line cannot hold the
 * name PLAYER, it is another kind of file, which is left as it is, or another process is writing
 * it; STATUS_SYSTEM if it cannot be opened.
 */
MUST_USE enum status record_writer_open(struct record_writer *writer, const char *path,
					const char *player, const char *const *provenance,
					struct why *why);

/*
 * Appends a game, with one write(2). It is trusted to be one; STATUS_INPUT for a player's name that
 * a line cannot hold, STATUS_SYSTEM if it cannot be written, and from then on always.
 */
MUST_USE enum status record_writer_append(struct record_writer *writer,
					  const struct record_line *line, struct why *why);

/* The move DIRECTION that made AFTER, and the spawn that made NEXT out of that. */
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
