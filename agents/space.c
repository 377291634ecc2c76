/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Anonymous mappings; see space.h. */
#include "agents/space.h"

#include <inttypes.h>
#include <sys/mman.h>
#include <unistd.h>

enum { HUGE_BYTES = 2 << 20 };

/* Lengths in whole huge pages, so that munmap() has the length of mmap(). */
static size_t whole_pages(uint64_t count, size_t size)
{
	return (size_t)(count * size + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES;
}

enum status space_map(uint64_t count, size_t size, const char *what, void **space, struct why *why)
{
	const uint64_t memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
	if (count > memory / size)
		return why_set(why, STATUS_SYSTEM,
			       "%s may take %.1f GiB, expected at most the %.1f GiB of this "
			       "machine's memory",
			       what, (double)count * (double)size / 0x1p30,
			       (double)memory / 0x1p30);
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
	void *map = mmap(NULL, whole_pages(count, size), PROT_READ | PROT_WRITE, flags, -1, 0);
	if (map == MAP_FAILED)
		return why_errno(why, "%s: cannot map %.1f GiB", what,
				 (double)count * (double)size / 0x1p30);
	madvise(map, whole_pages(count, size), MADV_HUGEPAGE); /* only a matter of speed */
	*space = map;
	return STATUS_OK;
}

void space_unmap(void *space, uint64_t count, size_t size)
{
	if (space)
		munmap(space, whole_pages(count, size));
}
