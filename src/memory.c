/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --memory; see memory.h. What is free at the moment does not count, or the same command would fail
 * at one time and not at another.
 */
#include "src/memory.h"

#include "src/options.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const uint64_t memory_min = (uint64_t)1 << 20, memory_max = (uint64_t)1 << 50;

/* The number in the file PATH; UINT64_MAX if there is none ("max", or no such file). */
static uint64_t limit_read(const char *path)
{
	uint64_t limit = UINT64_MAX;
	FILE *in = fopen(path, "r");
	if (!in)
		return limit;
	if (fscanf(in, "%" SCNu64, &limit) != 1)
		limit = UINT64_MAX;
	fclose(in);
	return limit;
}

uint64_t memory_default(void)
{
	/* Version 2 of control groups, and version 1. */
	static const char *const files[] = {"/sys/fs/cgroup/memory.max",
					    "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
	const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
	uint64_t all = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_MAX;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		const uint64_t limit = limit_read(files[i]);
		all = limit < all ? limit : all;
	}
	all /= 2;
	return all < memory_min ? memory_min : all > memory_max ? memory_max : all;
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
