/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starts another program with two pipes; see program.h.
 *
 * The process may have blocked or handled any signal: the program starts with none blocked, and with
 * SIGPIPE ending it, as a shell would start it.
 */
#include "base/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

enum { WORDS_MAX = 64 };

/* Copies a word of AT to OUT, without its quotes; NULL if a quote is not closed. */
static const char *word_take(const char *at, char **out)
{
	char quote = '\0';
	for (; *at && (quote || (*at != ' ' && *at != '\t')); at++) {
		if (*at == quote)
			quote = '\0';
		else if (!quote && (*at == '\'' || *at == '"'))
			quote = *at;
		else if (*at == '\\' && quote != '\'' && at[1])
			*(*out)++ = *++at;
		else
			*(*out)++ = *at;
	}
	*(*out)++ = '\0';
	return quote ? NULL : at;
}

/* Splits COMMAND into WORDS, which ends with NULL and points into ROOM, as long as COMMAND and 1. */
static enum status words_split(const char *command, char *room, char *words[WORDS_MAX + 1],
			       struct why *why)
{
	int n = 0;
	for (const char *at = command + strspn(command, " \t"); *at; at += strspn(at, " \t")) {
		if (n == WORDS_MAX)
			return why_set(why, STATUS_INPUT, "'%.60s': more than %d words", command,
				       WORDS_MAX);
		words[n++] = room;
		at = word_take(at, &room);
		if (!at)
			return why_set(why, STATUS_INPUT, "'%.60s': a quote is not closed",
				       command);
	}
	words[n] = NULL;
	return n > 0 ? STATUS_OK
		     : why_set(why, STATUS_INPUT, "a program is missing: expected a command");
}

/* A process group of its own, no signal blocked, SIGPIPE as by default. Returns errno or 0. */
static int attributes_init(posix_spawnattr_t *attributes)
{
	sigset_t none, pipe_only;
	sigemptyset(&none);
	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	int error = posix_spawnattr_init(attributes);
	if (error)
		return error;
	posix_spawnattr_setsigmask(attributes, &none);
	posix_spawnattr_setsigdefault(attributes, &pipe_only);
	posix_spawnattr_setpgroup(attributes, 0);
	return posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK |
							POSIX_SPAWN_SETSIGDEF);
}

/* Starts WORDS with these descriptors as standard input and output. Returns errno or 0. */
static int words_start(char *const *words, int in, int out, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int error = posix_spawn_file_actions_init(&actions);
	if (error)
		return error;
	error = attributes_init(&attributes);
	if (!error) {
		error = posix_spawn_file_actions_adddup2(&actions, in, 0);
		if (!error)
			error = posix_spawn_file_actions_adddup2(&actions, out, 1);
		if (!error)
			error = posix_spawnp(pid, words[0], &actions, &attributes, words, environ);
		posix_spawnattr_destroy(&attributes);
	}
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

static void pipe_close(int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

/* Makes the pipes of PROGRAM and starts WORDS at their other ends. Returns errno or 0. */
static int program_connect(struct program *program, char *const *words)
{
	int in[2], out[2];
	if (pipe2(in, O_CLOEXEC) != 0)
		return errno;
	if (pipe2(out, O_CLOEXEC) != 0) {
		int error = errno;
		pipe_close(in);
		return error;
	}
	int error = words_start(words, in[0], out[1], &program->pid);
	if (error) {
		pipe_close(in);
		pipe_close(out);
		return error;
	}
	close(in[0]);
	close(out[1]);
	program->to = in[1];
	program->from = out[0];
	fcntl(program->to, F_SETFL, O_NONBLOCK);
	fcntl(program->from, F_SETFL, O_NONBLOCK);
	return 0;
}

enum status program_start(const char *command, struct program *program, struct why *why)
{
	char *words[WORDS_MAX + 1];
	struct program made;
	char *room = malloc(strlen(command) + 1);
	if (!room)
		return why_set(why, STATUS_SYSTEM, "out of memory");
	enum status status = words_split(command, room, words, why);
	if (!status) {
		snprintf(made.name, sizeof made.name, "%s", words[0]);
		int error = program_connect(&made, words);
		const bool ours = error == ENOMEM || error == EAGAIN || error == EMFILE;
		if (error)
			status = why_set(why, ours ? STATUS_SYSTEM : STATUS_INPUT,
					 "%s: cannot be run: %s", words[0], strerror(error));
	}
	free(room);
	if (!status)
		*program = made;
	return status;
}
