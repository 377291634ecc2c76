/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files, unpacked: what targets of model files mutate, so that they get behind compression
 * and checksums. A text of seven lines (agent, board, spawn rule, layout, params, games, sections),
 * then the sections: the number of bytes of each, 32 bits, and these.
 */
#ifndef NXN_FUZZ_MODEL_H
#define NXN_FUZZ_MODEL_H

#include "agents/model.h"

#include <stdint.h>
#include <stdio.h>

/* The input of targets for what is in the file PATH, to OUT; false if it is no model file. */
bool model_unpack(const char *path, FILE *out);

/* The head that the text in DATA tells; the number of bytes that it took. */
size_t model_unpacked_head(const uint8_t *data, size_t size, struct model_header *head);

/* The path of a model file with HEAD and the sections in DATA, until the next fuzz_file(). */
const char *model_pack(const struct model_header *head, const uint8_t *data, size_t size);

#endif
