/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What nxn play does. */
#ifndef NXN_SRC_PLAY_H
#define NXN_SRC_PLAY_H

/* NULL if standard output can show a game, else why not. */
const char *terminal_lacks(void);

#endif
