/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A budget of time that is taken back, for work that is tried for a moment; see base/stop.h. */
#ifndef NXN_STOP_CANCEL_H
#define NXN_STOP_CANCEL_H

/*
 * Takes back what stop_after() asked for, whether the time is over or not: then nothing has asked
 * for an end, unless a signal has.
 */
void stop_cancel(void);

#endif
