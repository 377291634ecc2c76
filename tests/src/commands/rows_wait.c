/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rows_wait FILE N: waits until FILE has N lines. Exits with status 1 after five minutes.
 *
 * A shell that counts lines starts two processes each time; on a busy machine a command writes
 * hundreds of rows meanwhile and ends before it can be interrupted.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* The number of lines of the file PATH; 0 if it does not exist. */
static long lines_count(const char *path)
{
	FILE *file = fopen(path, "r");
	long lines = 0;
	if (!file)
		return 0;
	for (int c; (c = getc(file)) != EOF;)
		lines += c == '\n';
	fclose(file);
	return lines;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	const long wanted = strtol(argv[2], NULL, 10);
	for (int i = 0; i < 300000; i++) {
		if (lines_count(argv[1]) >= wanted)
			return 0;
		nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
	}
	return 1;
}
