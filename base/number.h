/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as text that reads back as the same number. */
#ifndef NXN_NUMBER_H
#define NXN_NUMBER_H

#include <stddef.h>

enum { REAL_TEXT_MAX = 32 };

/* Writes X, which is finite, with the fewest digits that read back as X. */
void real_format(double x, char text[REAL_TEXT_MAX]);

#endif
