/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What cells are called, and the order they come in. */
#ifndef NXN_LABELS_H
#define NXN_LABELS_H

#include "analysis/stats/summary.h"

/*
 * Gives the cells of S their labels, sorts them, and lists the labels; see summary.h. The cells
 * know their player, board and training. STATUS_SYSTEM if memory runs out.
 */
MUST_USE enum status labels_make(struct summary *s, struct why *why);

#endif
