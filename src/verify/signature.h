/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One number for how nxn plays: a hash of every move and score of fixed games of fixed players. It
 * is the same for every instruction set and number of threads, and a change that claims to change no
 * behaviour leaves it as it was.
 */
#ifndef NXN_SIGNATURE_H
#define NXN_SIGNATURE_H

#include "base/status.h"

#include <stdint.h>

/* Plays the games on THREADS workers. STATUS_SYSTEM when memory or threads cannot be had. */
MUST_USE enum status signature_make(int threads, uint64_t *signature, struct why *why);

#endif
