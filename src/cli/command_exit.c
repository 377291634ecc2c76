/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How a command ends; see command_exit.h. */
#include "src/cli/command_exit.h"

#include "base/stop.h"

#include <stdio.h>

int command_exit(const char *name, enum status status, const struct why *why)
{
	switch (status) {
	case STATUS_OK:
		return 0;
	case STATUS_STOPPED:
		return stop_status();
	case STATUS_INPUT:
	case STATUS_SYSTEM:
		break;
	}
	fprintf(stderr, "%s: %s\n", name, why->text);
	return status == STATUS_INPUT ? 2 : 1;
}
