/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cancelling a time budget, for work that is tried for a moment; see base/stop.h. */
#ifndef NXN_STOP_CANCEL_H
#define NXN_STOP_CANCEL_H

/*
 * Cancels stop_after(), whether the time is over or not. Afterwards no stop is requested, unless a
 * signal arrived.
 */
void stop_cancel(void);

#endif
