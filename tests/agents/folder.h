/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder for a test program's files, and two names in it. */
#ifndef NXN_TESTS_FOLDER_H
#define NXN_TESTS_FOLDER_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char folder[] = "test_files.XXXXXX";
static char path[64], other[64];

/* cmocka's setup and teardown. */
static int folder_setup(void **state)
{
	(void)state;
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof path, "%s/model", folder);
	snprintf(other, sizeof other, "%s/other", folder);
	return 0;
}

static int folder_remove(void **state)
{
	(void)state;
	unlink(path);
	unlink(other);
	return rmdir(folder);
}

#endif
