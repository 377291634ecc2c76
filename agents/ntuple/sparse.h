/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of floats in model files: only those blocks of 64 that hold more than zeros, each with its
 * number, in order. Equal tables give equal bytes.
 */
#ifndef NXN_SPARSE_H
#define NXN_SPARSE_H

#include "agents/model.h"

/*
 * Writes TABLE, a multiple of 64 floats, as one section. STATUS_INPUT if one is not finite, because
 * learning diverged; otherwise as model_write().
 */
MUST_USE enum status sparse_save(const float *table, uint64_t count, struct model_writer *writer,
				 struct why *why);

/* Reads such a section into a table of zeros. STATUS_INPUT for what sparse_save() does not write. */
MUST_USE enum status sparse_load(float *table, uint64_t count, struct model_reader *reader,
				 struct why *why);

#endif
