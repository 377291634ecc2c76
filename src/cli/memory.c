/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --memory; see memory.h. */
#include "src/cli/memory.h"

#include "base/virtual_memory.h"
#include "src/cli/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t memory_min = (uint64_t)1 << 20, memory_max = (uint64_t)1 << 50;

uint64_t memory_default(void)
{
	const uint64_t share = virtual_memory_share();
	return share < memory_min ? memory_min : share > memory_max ? memory_max : share;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	static const char suffixes[] = "KMGT";
	uint64_t *memory = state->input;
	char *end;
	if (key != 'M')
		return ARGP_ERR_UNKNOWN;
	errno = 0;
	const uint64_t number = strtoull(arg, &end, 10);
	const char *suffix = *end ? strchr(suffixes, *end) : NULL;
	const int shift = suffix ? 10 * (int)(suffix - suffixes + 1) : 0;
	if (*arg < '0' || *arg > '9' || errno || (*end && (!suffix || end[1])) ||
	    number > memory_max >> shift || number << shift < memory_min)
		option_error(state,
			     "--memory: '%s' is not a size from 1M to 1024T, such as 800M or 8G",
			     arg);
	*memory = number << shift;
	return 0;
}

static const struct argp_option table[] = {
    {"memory", 'M', "SIZE", 0,
     "Memory to take at most, as in 800M or 8G (default: half of the machine's)", 0},
    {0},
};

const struct argp options_memory = {.options = table, .parser = parse};
