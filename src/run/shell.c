/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quotes words for a POSIX shell; see shell.h. */
#include "src/run/shell.h"

#include "base/text.h"
#include "src/run/ranks.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			    "-_./:,=+@%";

static void put_word(FILE *out, const char *word)
{
	if (*word && word[strspn(word, plain)] == '\0') {
		fputs(word, out);
		return;
	}
	fputc('\'', out);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	}
	fputc('\'', out);
}

static enum status words_join(int ranks, const char *program, int n, char **argv, char **line,
			      struct why *why)
{
	char *text = NULL;
	size_t size;
	FILE *out = stream_open(&text, &size);
	if (!out)
		return why_errno(why, "command line");
	if (ranks > 1)
		fprintf(out, "mpirun -n %d ", ranks);
	put_word(out, program);
	fputs(argv[0] + strlen("nxn"), out);
	for (int i = 1; i < n; i++) {
		fputc(' ', out);
		put_word(out, argv[i]);
	}
	if (fclose(out)) {
		free(text);
		return why_errno(why, "command line");
	}
	*line = text;
	return STATUS_OK;
}

enum status shell_join(const char *program, int n, char **argv, char **line, struct why *why)
{
	return words_join(1, program, n, argv, line, why);
}

enum status shell_again(int n, char **argv, char **line, struct why *why)
{
	return words_join(ranks_size(), program_invocation_name, n, argv, line, why);
}
