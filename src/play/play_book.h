/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A record file that games of one player, board and seed are added to. */
#ifndef NXN_PLAY_BOOK_H
#define NXN_PLAY_BOOK_H

#include "boards/record.h"

struct book {
	struct record_writer writer;
	/* What the games have in common. */
	const struct game *game;
	const char *player;
	struct record_number config;
	uint64_t seed;
	/* The numbers of those that were in the file, ascending. */
	uint64_t *played;
	size_t count;
};

/*
 * Opens the record file at PATH for games that have in common what BOOK says, all of it the
 * caller's, and finds out which of them are there: those of the same config if it is known, else
 * those without one of the same player, shape, spawn rule and seed. COMMAND is for the file's
 * provenance. Tells on standard error, as NAME, of a torn last line. STATUS_INPUT as record_open(),
 * as record_player_check() and for whatever is wrong in the file, STATUS_SYSTEM if it cannot be had.
 */
MUST_USE enum status book_open(struct book *book, const char *path, const char *command,
			       const char *name, struct why *why);

/* Whether game INDEX was in the file when it was opened. */
bool book_has(const struct book *book, uint64_t index);

/* The least number that no game in the file had when it was opened. */
uint64_t book_free_index(const struct book *book);

/* Appends game INDEX, as record_append(). One thread at a time. */
MUST_USE enum status book_append(struct book *book, uint64_t index, const struct record *record,
				 struct why *why);

/* Closes it, as record_close(). */
MUST_USE enum status book_close(struct book *book, struct why *why);

#endif
