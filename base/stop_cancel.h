/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cancelling a time budget, for a short trial run; see base/stop.h. */
#ifndef NXN_STOP_CANCEL_H
#define NXN_STOP_CANCEL_H

/*
 * Cancels stop_after(), even if the time is over. Afterwards a stop is requested only if another
 * signal has arrived.
 */
void stop_cancel(void);

#endif
