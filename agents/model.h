/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: what a learner has learned, whoever the learner is.
 *
 * A file is a header of fixed size, which says whose it is and for which game, and then sections of
 * bytes that only that learner understands. Writing and reading are streams: a section may be
 * larger than memory. A file appears under its name complete or not at all.
 *
 * agent_save(), agent_load() and init() of a class write and read it; struct agent_model says what
 * a learner has to tell of its sections. Numbers, reals and tables of floats go both ways through
 * one function, so that one function of a learner does both.
 *
 * Errors stay: after the first failure nothing more is written or read, what is read is 0, and
 * every call returns the status of that failure, whose reason is in the `why` that the file was
 * opened with. So a caller may look at the status once, at the end.
 *
 * Files are untrusted: whatever the bytes are, reading ends with STATUS_INPUT and one line that
 * begins with the path, in memory that does not depend on what the file claims.
 * A file belongs to one thread.
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
	MODEL_HEADER_BYTES = 2504,
	MODEL_HASH_BYTES = 8,
};

struct model_header {
	char agent[MODEL_AGENT_MAX];   /* the class that can read it */
	char board[MODEL_BOARD_MAX];   /* "4x4" */
	char spawn[SPAWN_TEXT_MAX];    /* "2:0.9,4:0.1", as spawn_format() writes it */
	char layout[MODEL_LAYOUT_MAX]; /* all else that must agree for the sections to make sense */
	char params[MODEL_PARAMS_MAX]; /* how it was trained, for the reader's information */
	uint64_t games;		       /* training games behind it */
	uint32_t sections;	       /* 1 .. MODEL_SECTIONS_MAX */
};

/*
 * Behind all that there may be a note, text of the program that trains: what training needs to go on,
 * and the model is not. So files of equal models may differ by it, and agent_input_digest() leaves it out.
 *
 * agent_save(), with NOTE unless that is NULL; and the note of the model PATH, on the heap, or NULL
 * if it has none. STATUS_INPUT for one that is damaged; STATUS_SYSTEM.
 */
struct agent;
MUST_USE enum status agent_save_noted(const struct agent *agent, const char *path, const char *note,
				      struct why *why);
MUST_USE enum status model_note(const char *path, char **note, struct why *why);

/* The bytes of a file of SIZE bytes that come before its note. */
uint64_t model_size(int fd, uint64_t size);

/* A file that is being written or read. */
struct model_file;

/*
 * Opens PATH for reading, without waiting for the writer of a pipe: a file descriptor, or -1 and
 * errno. "built-in" is the model that is part of the program, agents/built_in.nxn.
 */
int model_descriptor(const char *path);

/*
 * Starts a file that is to be called PATH, in the same folder under a temporary name. WHY, which
 * outlives FILE, gets the first failure from here on. STATUS_INPUT if PATH exists and is not a
 * regular file; STATUS_SYSTEM if the folder cannot be written or memory runs out.
 */
MUST_USE enum status model_create(struct model_file **file, const char *path,
				  const struct model_header *header, struct why *why);

/*
 * Opens a file and checks its header. STATUS_INPUT if there is none, or it is not a model file of
 * this version, or its header is damaged; STATUS_SYSTEM if it cannot be read. WHY, which outlives
 * FILE, gets the first failure from here on.
 */
MUST_USE enum status model_open(struct model_file **file, const char *path, struct why *why);

/*
 * Reads all that follows the header of FILE, which was just opened: STATUS_INPUT unless the checksum
 * of the sections agrees. Nothing else can be read from FILE then.
 */
MUST_USE enum status model_verify(struct model_file *file);

/* Makes the game that the model PATH was trained on; errors as of model_open(). */
MUST_USE enum status model_game(const char *path, struct game *game, struct why *why);

/* Whether FILE is being read. */
bool model_reading(const struct model_file *file);

/* The path and the header, valid until model_close(). */
const char *model_path(const struct model_file *file);
const struct model_header *model_header(const struct model_file *file);

/* The status of the first failure. */
enum status model_status(const struct model_file *file);

/* Writes SIZE bytes, or reads them: STATUS_INPUT if the section has fewer or is damaged. */
enum status model_bytes(struct model_file *file, void *data, size_t size);

/* Writes SIZE bytes. */
enum status model_write(struct model_file *file, const void *data, size_t size);

/* Reads at most SIZE bytes: how many there were before the section ended. 0 on failure. */
size_t model_read_some(struct model_file *file, void *data, size_t size);

/*
 * Writes X and returns it, or returns the number read, 64 bits, little-endian. STATUS_INPUT and 0
 * if it is more than MOST.
 */
uint64_t model_number(struct model_file *file, uint64_t x, uint64_t most);

/* The same for the bits of a double, whatever they are. */
double model_real(struct model_file *file, double x);

/* Whether GAME can have BOARD, which may be any bytes that were read. */
bool model_board_valid(const struct game *game, const struct board *board);

/*
 * Writes or reads TABLE, a multiple of 64 floats, as a section of its own: only those blocks of 64
 * that hold more than zeros. It is read into a table of zeros. STATUS_INPUT if a float is not
 * finite: learning diverged, or the file is forged; STATUS_SYSTEM if more is read than half of the
 * machine's memory.
 */
enum status model_floats(struct model_file *file, float *table, uint64_t count);

/* Ends the present section. STATUS_INPUT if bytes are left in it, or its checksum is wrong. */
enum status model_section_end(struct model_file *file);

/*
 * After the last section. Of a file that is written: puts it in its place; on failure what was
 * there before still is. Of one that is read: STATUS_INPUT unless the checksum of the whole file
 * agrees and nothing follows it.
 */
enum status model_finish(struct model_file *file);

/* A failure of the caller's own, with its reason. */
__attribute__((format(printf, 3, 4))) enum status model_fail(struct model_file *file,
							     enum status status, const char *format,
							     ...);

/* An objection to what was read: "PATH: damaged: WHAT, expected WANT". STATUS_INPUT. */
enum status model_reject(struct model_file *file, const char *what, const char *want);

/* Frees FILE; one that was not finished leaves nothing behind. NULL is fine. */
void model_close(struct model_file *file);

#endif
