/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: what a learner has learned, whoever the learner is.
 *
 * A file is a head of fixed size, which says whose it is and for which game, and then sections of
 * bytes that only that learner understands. Writing and reading are streams: a section may be
 * larger than memory. A file appears under its name complete or not at all.
 *
 *	model_create(), then for each section model_write() ... model_write_end(), model_commit()
 *	model_open(), model_expect(), for each section model_read() ... model_read_end(),
 *	model_finish(), model_close()
 *
 * Files are untrusted: whatever the bytes are, a reader answers STATUS_INPUT with one line that
 * begins with the path, in memory that does not depend on what the file claims.
 * A writer or reader belongs to one thread.
 */
#ifndef NXN_MODEL_H
#define NXN_MODEL_H

#include "boards/game.h"

#include <stddef.h>

enum {
	MODEL_AGENT_MAX = 32,
	MODEL_BOARD_MAX = 8,
	MODEL_LAYOUT_MAX = 256,
	MODEL_PARAMS_MAX = 2048,
	MODEL_SECTIONS_MAX = 4096,
};

struct model_head {
	char agent[MODEL_AGENT_MAX];   /* the class that can read it */
	char board[MODEL_BOARD_MAX];   /* "4x4" */
	char spawn[SPAWN_TEXT_MAX];    /* "2:0.9,4:0.1", as spawn_format() writes it */
	char layout[MODEL_LAYOUT_MAX]; /* all else that must agree for the sections to make sense */
	char params[MODEL_PARAMS_MAX]; /* how it was trained, for the reader's information */
	uint64_t games;		       /* training games behind it */
	uint32_t sections;	       /* 1 .. MODEL_SECTIONS_MAX */
};

struct model_writer;
struct model_reader;

/*
 * Starts a file that is to be called PATH, in the same folder under a temporary name. The texts of
 * HEAD are copied; head->sections must be what follows. STATUS_INPUT if PATH exists and is not a
 * regular file; STATUS_SYSTEM if the folder cannot be written or memory runs out.
 */
MUST_USE enum status model_create(struct model_writer **writer, const char *path,
				  const struct model_head *head, struct why *why);

/* Appends SIZE bytes to the present section; numbers are little-endian by convention. */
MUST_USE enum status model_write(struct model_writer *writer, const void *data, size_t size,
				 struct why *why);

/* Ends the present section. */
MUST_USE enum status model_write_end(struct model_writer *writer, struct why *why);

/*
 * Puts the complete file in its place. On failure what was at PATH before is still there. The
 * writer is freed either way.
 */
MUST_USE enum status model_commit(struct model_writer *writer, struct why *why);

/* Gives up: removes the temporary file and frees the writer. NULL is fine. */
void model_abort(struct model_writer *writer);

/*
 * Opens a file and checks its head. STATUS_INPUT if there is none, or it is not a model file of
 * this version, or its head is damaged; STATUS_SYSTEM if it cannot be read.
 */
MUST_USE enum status model_open(struct model_reader **reader, const char *path, struct why *why);

/* The head, valid until model_close(). */
const struct model_head *model_head(const struct model_reader *reader);

/* STATUS_INPUT unless agent, board, spawn rule, layout and number of sections are those of WANT. */
MUST_USE enum status model_expect(const struct model_reader *reader, const struct model_head *want,
				  struct why *why);

/* The next SIZE bytes of the present section. STATUS_INPUT if it has fewer or is damaged. */
MUST_USE enum status model_read(struct model_reader *reader, void *data, size_t size,
				struct why *why);

/*
 * The same, but that the section may end here, as those do that were written before something was
 * added to them: MORE, whether there was anything.
 */
MUST_USE enum status model_read_more(struct model_reader *reader, void *data, size_t size,
				     bool *more, struct why *why);

/* Ends the present section: STATUS_INPUT if bytes are left in it, or its checksum is wrong. */
MUST_USE enum status model_read_end(struct model_reader *reader, struct why *why);

/*
 * To be called after the last section, before what was read is believed: STATUS_INPUT unless the
 * checksum of the whole file agrees and nothing follows it.
 */
MUST_USE enum status model_finish(struct model_reader *reader, struct why *why);

/* A reader's own objection to the contents: "PATH: damaged: WHAT, expected WANT". STATUS_INPUT. */
enum status model_reject(const struct model_reader *reader, const char *what, const char *want,
			 struct why *why);

void model_close(struct model_reader *reader);

#endif
