/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files: what a learner has learned, for every class of learner.
 *
 * A file is a header of fixed size, which names the class and the game, followed by sections of
 * bytes that only the class interprets. Files are written and read as streams: a section may be
 * larger than memory. A file appears under its name complete or not at all.
 *
 * agent_save(), agent_load() and the init() of a class write and read files; struct agent_model
 * describes the sections. Functions for numbers, reals and tables of floats both write and read, so
 * one function of a learner serves both directions.
 *
 * Errors are sticky: after the first failure nothing more is written or read, numbers read are 0,
 * and every call returns the status of that failure. Its reason is in the `why` that was passed
 * when the file was opened. So a caller may check the status once, at the end.
 *
 * Files are untrusted: reading invalid bytes fails with STATUS_INPUT and one line that begins with
 * the path, and takes limited memory (model.c). One thread per file.
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
	char agent[MODEL_AGENT_MAX];   /* name of the class that can read it */
	char board[MODEL_BOARD_MAX];   /* "4x4" */
	char spawn[SPAWN_TEXT_MAX];    /* "2:0.9,4:0.1", as in struct spawn_rule */
	char layout[MODEL_LAYOUT_MAX]; /* what else must agree to read the sections */
	char params[MODEL_PARAMS_MAX]; /* of the training, "key=value,key=value" */
	uint64_t games;		       /* training games so far */
	uint32_t sections;	       /* 1 .. MODEL_SECTIONS_MAX */
};

/*
 * Sets *NOTE to the note of the model PATH (agent_save()), on the heap, or to NULL if it has none.
 * Files of equal models may differ in their notes, which agent_input_digest() ignores. Errors as
 * model_open(); also STATUS_INPUT if the note is damaged, STATUS_SYSTEM if memory runs out.
 */
struct agent;
MUST_USE enum status model_note(const char *path, char **note, struct why *why);

/*
 * Checks that AGENT, a learner, may be saved at PATH: a missing or empty file, or a model of the
 * same learner, board, spawn rule and network. STATUS_INPUT if PATH is another file, which must not
 * be lost; STATUS_SYSTEM if it cannot be read. agent_save() refuses what is not a regular file.
 */
MUST_USE enum status model_replace_check(const struct agent *agent, const char *path,
					 struct why *why);

/* Returns the number of bytes before the note in a file of SIZE bytes. */
uint64_t model_size(int fd, uint64_t size);

/* A file that is being written or read. */
struct model_file;

/*
 * Opens PATH for reading, without waiting for the writer of a pipe. Returns a file descriptor, or
 * -1 with errno. "built-in" is the model in the program itself, agents/built_in.nxn.
 */
int model_descriptor(const char *path);

/*
 * Starts writing a file that will be called PATH, under a temporary name in the same folder. WHY,
 * which outlives FILE, receives the first failure. STATUS_INPUT if PATH exists and is not a regular
 * file; STATUS_SYSTEM if the folder is not writable or memory runs out.
 */
MUST_USE enum status model_create(struct model_file **file, const char *path,
				  const struct model_header *header, struct why *why);

/*
 * Opens a file and checks its header. STATUS_INPUT if the file does not exist, is not a model file
 * of this version, or has a damaged header; STATUS_SYSTEM if it cannot be read. WHY, which outlives
 * FILE, receives the first failure.
 */
MUST_USE enum status model_open(struct model_file **file, const char *path, struct why *why);

/*
 * Reads everything after the header of FILE, which must have just been opened, and verifies the
 * checksum of the sections. STATUS_INPUT if it is wrong. Nothing more can be read from FILE.
 */
MUST_USE enum status model_verify(struct model_file *file);

/* Initialises GAME as the game that the model PATH was trained on. Errors as model_open(). */
MUST_USE enum status model_game(const char *path, struct game *game, struct why *why);

/* Whether FILE is being read. */
bool model_reading(const struct model_file *file);

/* The path and the header; valid until model_close(). */
const char *model_path(const struct model_file *file);
const struct model_header *model_header(const struct model_file *file);

/*
 * Writes to SETTINGS all training parameters of FILE, a learner of CLASS, as this version names
 * them. STATUS_INPUT if it was trained with a setting that there is no more; STATUS_SYSTEM.
 */
struct agent_class;
MUST_USE enum status model_settings(struct model_file *file, const struct agent_class *class,
				    char settings[MODEL_PARAMS_MAX]);

/* Returns the status of the first failure, or STATUS_OK. */
enum status model_status(const struct model_file *file);

/* Writes or reads SIZE bytes. STATUS_INPUT if the section has fewer bytes or is damaged. */
enum status model_bytes(struct model_file *file, void *data, size_t size);

enum status model_write(struct model_file *file, const void *data, size_t size);

/* Reads at most SIZE bytes. Returns the number read before the section ended; 0 on failure. */
size_t model_read_some(struct model_file *file, void *data, size_t size);

/*
 * Writes X and returns it, or reads and returns a number: 64 bits, little-endian. STATUS_INPUT, and
 * the result 0, if it is above MOST.
 */
uint64_t model_number(struct model_file *file, uint64_t x, uint64_t most);

/* model_number() for the bits of a double, of any value. */
double model_real(struct model_file *file, double x);

/* Whether BOARD, which may be any bytes from a file, is a possible position of GAME. */
bool model_board_valid(const struct game *game, const struct board *board);

/*
 * Writes or reads TABLE, whose COUNT is a multiple of 64, as one section, which contains only the
 * blocks of 64 floats that are not all zero. Block b is block place(b) of TABLE, or b if PLACE is
 * NULL. When reading, TABLE must be zeroed. STATUS_INPUT if a float is not finite, because learning
 * diverged or the file is forged; STATUS_SYSTEM if more is read than half of the machine's memory.
 */
enum status model_floats(struct model_file *file, float *table, uint64_t count,
			 uint64_t (*place)(uint64_t block));

/* Ends the current section. STATUS_INPUT if bytes are left in it or its checksum is wrong. */
enum status model_section_end(struct model_file *file);

/*
 * Called after the last section. When writing, renames the file to its final name; on failure the
 * old file is unchanged. When reading, STATUS_INPUT unless the checksum of the whole file is right
 * and nothing follows.
 */
enum status model_finish(struct model_file *file);

/* Records a failure found by the caller, with its reason. */
__attribute__((format(printf, 3, 4))) enum status model_fail(struct model_file *file,
							     enum status status, const char *format,
							     ...);

/* Rejects what was read: "PATH: damaged: WHAT, expected WANT". STATUS_INPUT. */
enum status model_reject(struct model_file *file, const char *what, const char *want);

/* Frees FILE. A file that was not finished leaves nothing behind. NULL is allowed. */
void model_close(struct model_file *file);

#endif
