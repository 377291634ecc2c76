/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a command ends. */
#ifndef NXN_COMMAND_EXIT_H
#define NXN_COMMAND_EXIT_H

#include "base/status.h"

/*
 * The exit status that STATUS stands for. Unless it is 0 or STATUS_STOPPED, prints "NAME: WHY" as
 * one line on standard error; NAME is the command's argv[0].
 */
int command_exit(const char *name, enum status status, const struct why *why);

#endif
