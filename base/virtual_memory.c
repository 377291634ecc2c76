/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Anonymous mappings; see virtual_memory.h. */
#include "base/virtual_memory.h"

#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

enum { HUGE_BYTES = 2 << 20 };

/* Rounds up to whole huge pages, so munmap() gets the length of mmap(). Returns 0 on overflow. */
static size_t whole_pages(uint64_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes) ||
	    __builtin_add_overflow(bytes, HUGE_BYTES - 1, &bytes))
		return 0;
	return bytes / HUGE_BYTES * HUGE_BYTES;
}

void *virtual_memory_reserve(uint64_t count, size_t size)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	const size_t bytes = whole_pages(count, size);
	if (bytes == 0) {
		errno = ENOMEM;
		return NULL;
	}
	void *space = mmap(NULL, bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
	return space == MAP_FAILED ? NULL : space;
}

void virtual_memory_use_huge_pages(void *space, uint64_t count, size_t size)
{
#if HAVE_DECL_MADV_HUGEPAGE
	madvise(space, whole_pages(count, size), MADV_HUGEPAGE);
#else
	(void)space, (void)count, (void)size;
#endif
}

/* Reads the number in the file PATH; UINT64_MAX if there is none ("max", or no such file). */
static uint64_t limit_read(const char *path)
{
	uint64_t limit = UINT64_MAX;
	FILE *in = fopen(path, "re");
	if (!in)
		return limit;
	if (fscanf(in, "%" SCNu64, &limit) != 1)
		limit = UINT64_MAX;
	fclose(in);
	return limit;
}

uint64_t virtual_memory_half(void)
{
	/* Control groups version 2, then version 1. */
	static const char *const files[] = {"/sys/fs/cgroup/memory.max",
					    "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
	const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
	uint64_t all = pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_MAX;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		const uint64_t limit = limit_read(files[i]);
		all = limit < all ? limit : all;
	}
	struct rlimit limit; /* set by ulimit -v */
	if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur < all)
		all = limit.rlim_cur;
	return all / 2;
}

enum status virtual_memory_fits(uint64_t count, size_t size, const char *what, struct why *why)
{
	const uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	if (count <= memory / size)
		return STATUS_OK;
	return why_set(
	    why, STATUS_SYSTEM,
	    "%s may take %.1f GiB, expected at most the %.1f GiB of this machine's memory", what,
	    (double)count * (double)size / 0x1p30, (double)memory / 0x1p30);
}

enum status virtual_memory_map(uint64_t count, size_t size, const char *what, void **space,
			       struct why *why)
{
	enum status status = virtual_memory_fits(count, size, what, why);
	if (status)
		return status;
	void *map = virtual_memory_reserve(count, size);
	if (!map)
		return why_errno(why, "%s: cannot map %.1f GiB", what,
				 (double)count * (double)size / 0x1p30);
	virtual_memory_use_huge_pages(map, count, size);
	*space = map;
	return STATUS_OK;
}

void virtual_memory_unmap(void *space, uint64_t count, size_t size)
{
	if (space)
		munmap(space, whole_pages(count, size));
}
