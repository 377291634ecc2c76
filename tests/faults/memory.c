/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * To be preloaded (LD_PRELOAD): the N-th allocation of nxn fails, with N in NXN_FAIL_ALLOCATION,
 * and all behind it as well if NXN_FAIL_ALL is set. That it did is told by making the file that
 * NXN_FAIL_REPORT names. What the C library allocates for itself is counted too, and programs that
 * nxn starts are left alone.
 *
 * For glibc, whose allocator goes by a second set of names.
 */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong allocations;

/* Whether this allocation is to fail. */
static bool fails(void)
{
	const char *text = getenv("NXN_FAIL_ALLOCATION"), *name = program_invocation_short_name;
	if (!text || !name || strcmp(name, "nxn") != 0)
		return false;
	const unsigned long at = strtoul(text, NULL, 10),
			    now = atomic_fetch_add(&allocations, 1) + 1;
	if (now < at || (now > at && !getenv("NXN_FAIL_ALL")))
		return false;
	const char *report = getenv("NXN_FAIL_REPORT");
	const int fd = report ? open(report, O_WRONLY | O_CREAT | O_CLOEXEC, 0666) : -1;
	if (fd >= 0)
		close(fd);
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
	return fails() ? NULL : __libc_realloc(block, size);
}

void *reallocarray(void *block, size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(block, bytes);
}

void *memalign(size_t alignment, size_t size)
{
	return fails() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return memalign(alignment, size);
}

int posix_memalign(void **block, size_t alignment, size_t size)
{
	void *made = memalign(alignment, size);
	if (!made)
		return ENOMEM;
	*block = made;
	return 0;
}
