/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One process, which is rank 0 of 1; see ranks.h. */
#include "src/run/ranks.h"

#include <stdlib.h>
#include <string.h>

const char ranks_program[] = "nxn";
const bool ranks_possible = false;

void ranks_join(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
}

int ranks_rank(void)
{
	return 0;
}

int ranks_size(void)
{
	return 1;
}

void ranks_gather(const void *mine, size_t size, void *all)
{
	memcpy(all, mine, size);
}

void ranks_broadcast(void *bytes, size_t size)
{
	(void)bytes;
	(void)size;
}

void ranks_abort(int status)
{
	exit(status);
}

void ranks_leave(void)
{
}

/* There is nobody to write to: src/run/pool.c does not open a post. */
enum status ranks_post_open(struct ranks_post **post, struct why *why)
{
	(void)why;
	*post = NULL;
	return STATUS_OK;
}

void ranks_post_send(struct ranks_post *post, int to, const struct ranks_note *note)
{
	(void)post;
	(void)to;
	(void)note;
	abort();
}

bool ranks_post_take(struct ranks_post *post, int *from, struct ranks_note *note)
{
	(void)post;
	(void)from;
	(void)note;
	return false;
}

void ranks_post_close(struct ranks_post *post)
{
	(void)post;
}
