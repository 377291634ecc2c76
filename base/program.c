/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Other programs, connected by two pipes; see program.h.
 *
 * A program cannot block this process: the pipes are non-blocking at this end, and poll() waits for
 * them until the deadline of the reply. Writing to a program that has ended raises SIGPIPE in
 * the writing thread. The process may need SIGPIPE elsewhere, so it is blocked around the write and
 * removed afterwards (Stevens, Rago, Advanced Programming in the UNIX Environment, section 12.8).
 *
 * Invariant: between two requests the buffer is empty, unless the program has sent too much.
 */
#include "base/program.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { WORDS_MAX = 64, NAME_SIZE = 61, ADVICE_MAX = 300 };
enum { SHOWN_MAX = 60, SLICE_MS = 100, GRACE_SECONDS = 1, STEP_NS = 2000000 };

struct program {
	pid_t pid;	      /* also the process group; 0 after the program ended */
	int to, from;	      /* pipes to its input and from its output, non-blocking */
	char name[NAME_SIZE]; /* the command, truncated */
	double seconds;
	bool (*ending)(void);
	size_t used; /* of buffer */
	char buffer[PROGRAM_LINE_MAX];
	enum status failed; /* status and reason of the first failure */
	struct why why;
};

int program_spawn(char *const *words, const int fd[3], bool group, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none, defaults;
	int error = posix_spawn_file_actions_init(&actions);
	if (error)
		return error;
	error = posix_spawnattr_init(&attributes);
	if (error) {
		posix_spawn_file_actions_destroy(&actions);
		return error;
	}
	sigemptyset(&none);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	sigaddset(&defaults, SIGXFSZ);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setsigdefault(&attributes, &defaults);
	posix_spawnattr_setpgroup(&attributes, 0);
	error = posix_spawnattr_setflags(&attributes,
					 (short)((group ? POSIX_SPAWN_SETPGROUP : 0) |
						 POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
	for (int i = 0; i < 3 && !error; i++)
		if (fd[i] >= 0)
			error = posix_spawn_file_actions_adddup2(&actions, fd[i], i);
	if (!error)
		error = posix_spawnp(pid, words[0], &actions, &attributes, words, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

bool program_ended(pid_t pid)
{
	siginfo_t info = {.si_pid = 0};
	const int error = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) ? errno : 0;
	return error ? error != EINTR : info.si_pid != 0;
}

bool program_finish(pid_t pid, bool group, double seconds, int *result)
{
	const double deadline = clock_seconds() + seconds;
	bool ended;
	while (!(ended = program_ended(pid)) && clock_seconds() < deadline)
		nanosleep(&(struct timespec){.tv_nsec = STEP_NS}, NULL);
	if (group || !ended)
		kill(group ? -pid : pid, SIGKILL);
	while (waitpid(pid, result, 0) < 0 && errno == EINTR)
		;
	return ended;
}

/* Copies a word of AT to *OUT without its quotes. NULL if a quote is not closed. */
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

/*
 * Splits COMMAND into WORDS, which ends with NULL and points into ROOM. ROOM has one byte more than
 * COMMAND.
 */
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

enum status program_files(const char *command,
			  enum status (*each)(void *context, const char *path, struct why *why),
			  void *context, struct why *why)
{
	char *words[WORDS_MAX + 1];
	char *room = malloc(strlen(command) + 1);
	if (!room)
		return why_set(why, STATUS_SYSTEM, "out of memory");
	enum status status = words_split(command, room, words, why);
	for (int i = 0; !status && words[i]; i++) {
		struct stat stat_of;
		if (stat(words[i], &stat_of) == 0 && S_ISREG(stat_of.st_mode) &&
		    access(words[i], R_OK) == 0)
			status = each(context, words[i], why);
	}
	free(room);
	return status;
}

/* Creates the pipes of PROGRAM and starts WORDS at their other ends. Returns 0 or errno. */
static int program_connect(struct program *program, char *const *words)
{
	int end[4] = {-1, -1, -1, -1};
	int error = pipe2(end, O_CLOEXEC) || pipe2(end + 2, O_CLOEXEC) ? errno : 0;
	const int theirs[3] = {end[0], end[3], -1};
	error = error ? error : program_spawn(words, theirs, true, &program->pid);
	for (int i = 0; i < 4; i++)
		if (end[i] >= 0 && (error || end[i] == theirs[0] || end[i] == theirs[1]))
			close(end[i]);
	if (error)
		return error;
	program->to = end[1];
	program->from = end[2];
	fcntl(program->to, F_SETFL, O_NONBLOCK);
	fcntl(program->from, F_SETFL, O_NONBLOCK);
	return 0;
}

/* Suggests what to do about NAME, an existing file that could not be started because of ERROR. */
static void hint_make(const char *name, int error, char hint[ADVICE_MAX])
{
	const char *dot = strrchr(name, '.');
	const bool python = dot && strcmp(dot, ".py") == 0, plain = !strchr(name, '/');
	hint[0] = '\0';
	if (access(name, F_OK) != 0)
		return;
	if (python && access(name, X_OK) != 0)
		snprintf(hint, ADVICE_MAX, "; did you mean python3 %s?", name);
	else if (plain && error == ENOENT)
		snprintf(hint, ADVICE_MAX, "; did you mean ./%s?", name);
	else if (error == EACCES)
		snprintf(hint, ADVICE_MAX, "; chmod +x makes a program of it");
}

/* Copies COMMAND without leading blanks; truncates it with "..." if it does not fit. */
static void name_make(const char *command, char name[NAME_SIZE])
{
	command += strspn(command, " \t");
	if (snprintf(name, NAME_SIZE, "%s", command) >= NAME_SIZE)
		strcpy(name + NAME_SIZE - sizeof "...", "...");
}

enum status program_start(const char *command, double seconds, bool (*ending)(void),
			  struct program **program, struct why *why)
{
	char *words[WORDS_MAX + 1];
	struct program *made = calloc(1, sizeof *made);
	char *room = malloc(strlen(command) + 1);
	if (!room || !made) {
		free(room);
		free(made);
		return why_set(why, STATUS_SYSTEM, "out of memory");
	}
	made->seconds = seconds;
	made->ending = ending;
	enum status status = words_split(command, room, words, why);
	if (!status) {
		name_make(command, made->name);
		int error = program_connect(made, words);
		const bool ours = error == ENOMEM || error == EAGAIN || error == EMFILE;
		char hint[ADVICE_MAX];
		hint_make(words[0], error, hint);
		if (error)
			status =
			    why_set(why, ours ? STATUS_SYSTEM : STATUS_INPUT,
				    "%s: cannot be run: %s%s", words[0], strerror(error), hint);
	}
	free(room);
	if (status)
		free(made);
	else
		*program = made;
	return status;
}

const char *program_name(const struct program *program)
{
	return program->name;
}

/* Records the failure, which every later call returns. */
__attribute__((format(printf, 2, 3))) static enum status program_fail(struct program *program,
								      const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int used = snprintf(program->why.text, sizeof program->why.text, "%s: ", program->name);
	vsnprintf(program->why.text + used, sizeof program->why.text - (size_t)used, format, args);
	va_end(args);
	return program->failed = STATUS_SYSTEM;
}

static enum status program_gone(struct program *program, const char *asked)
{
	int result = 0;
	const pid_t pid = program->pid;
	program->pid = 0;
	if (!program_finish(pid, true, GRACE_SECONDS, &result))
		return program_fail(program,
				    "closed its standard output instead of answering '%.*s'",
				    SHOWN_MAX, asked);
	if (WIFSIGNALED(result))
		return program_fail(program, "was ended by signal %d instead of answering '%.*s'",
				    WTERMSIG(result), SHOWN_MAX, asked);
	return program_fail(program, "ended with exit status %d instead of answering '%.*s'",
			    WEXITSTATUS(result), SHOWN_MAX, asked);
}

static _Thread_local double waited;

double program_wait_seconds(void)
{
	return waited;
}

/*
 * Waits until EVENTS are possible on FD. Children of PROGRAM may keep its pipes open: if PROGRAM
 * has ended, reading stops after the bytes that it wrote.
 */
static enum status program_wait(struct program *program, int fd, short events, double deadline,
				const char *asked)
{
	for (;;) {
		const double now = clock_seconds(), left = deadline - now;
		if (program->ending && program->ending()) {
			program_fail(program, "stopped");
			return program->failed = STATUS_STOPPED;
		}
		if (left <= 0)
			return program_fail(program, "no answer within %g s to '%.*s'",
					    program->seconds, SHOWN_MAX, asked);
		const bool ended = program_ended(program->pid);
		const int slice = left * 1e3 < SLICE_MS ? 1 + (int)(left * 1e3) : SLICE_MS;
		struct pollfd wait = {.fd = fd, .events = events};
		const int n = poll(&wait, 1, ended ? 0 : slice);
		waited += clock_seconds() - now;
		if (n > 0)
			return STATUS_OK;
		if (n == 0 && ended)
			return program_gone(program, asked);
		if (n < 0 && errno != EINTR)
			return program_fail(program, "cannot wait for it: %s", strerror(errno));
	}
}

/* write() that does not leave a SIGPIPE pending. */
static ssize_t write_quietly(int fd, const char *bytes, size_t n)
{
	sigset_t pipe_only, before, waiting;
	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	sigpending(&waiting);
	const bool there = sigismember(&waiting, SIGPIPE);
	pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
	const ssize_t written = write(fd, bytes, n);
	const int error = errno;
	if (written < 0 && error == EPIPE && !there)
		while (sigtimedwait(&pipe_only, NULL, &(struct timespec){0}) < 0 && errno == EINTR)
			;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	errno = error;
	return written;
}

/* Writes LENGTH bytes, which are LINE or the data after it. */
static enum status bytes_write(struct program *program, const char *line, const char *bytes,
			       size_t length, double deadline)
{
	for (size_t sent = 0; sent < length;) {
		const ssize_t n = write_quietly(program->to, bytes + sent, length - sent);
		if (n > 0)
			sent += (size_t)n;
		else if (n < 0 && errno == EPIPE)
			return program_gone(program, line);
		else if (n < 0 && errno == EAGAIN) {
			enum status status =
			    program_wait(program, program->to, POLLOUT, deadline, line);
			if (status)
				return status;
		} else if (n < 0 && errno != EINTR)
			return program_fail(program, "cannot be written to: %s", strerror(errno));
	}
	return STATUS_OK;
}

static enum status line_send(struct program *program, const char *line, double deadline)
{
	char bytes[PROGRAM_LINE_MAX + 1];
	const int length = snprintf(bytes, sizeof bytes, "%s\n", line);
	if (length >= (int)sizeof bytes)
		return program_fail(program, "asked with a line of %d characters", length - 1);
	return bytes_write(program, line, bytes, (size_t)length, deadline);
}

/* Reads the available bytes, at most SIZE, after waiting for the first; their number is *GOT. */
static enum status bytes_read(struct program *program, const char *asked, void *bytes, size_t size,
			      double deadline, size_t *got)
{
	for (;;) {
		enum status status = program_wait(program, program->from, POLLIN, deadline, asked);
		if (status)
			return status;
		const ssize_t n = read(program->from, bytes, size);
		if (n == 0)
			return program_gone(program, asked);
		if (n > 0) {
			*got = (size_t)n;
			return STATUS_OK;
		}
		if (errno != EINTR && errno != EAGAIN)
			return program_fail(program, "cannot be read from: %s", strerror(errno));
	}
}

/* Reads until the buffer contains a complete line. */
static enum status line_wait(struct program *program, const char *asked, double deadline,
			     size_t *end)
{
	for (;;) {
		const char *found = memchr(program->buffer, '\n', program->used);
		if (found) {
			*end = (size_t)(found - program->buffer);
			return STATUS_OK;
		}
		if (program->used == sizeof program->buffer)
			return program_fail(program,
					    "answers '%.*s' with more than %d characters in a line",
					    SHOWN_MAX, asked, PROGRAM_LINE_MAX - 1);
		size_t got = 0;
		enum status status =
		    bytes_read(program, asked, program->buffer + program->used,
			       sizeof program->buffer - program->used, deadline, &got);
		if (status)
			return status;
		program->used += got;
	}
}

/* Copies the first LENGTH bytes of the buffer to ANSWER; false if they are not plain text. */
static bool line_take(const struct program *program, size_t length, char answer[PROGRAM_LINE_MAX])
{
	while (length > 0 && strchr(" \t\r", program->buffer[length - 1]))
		length--;
	for (size_t i = 0; i < length; i++)
		if (program->buffer[i] < ' ' || program->buffer[i] > '~')
			return false;
	memcpy(answer, program->buffer, length);
	answer[length] = '\0';
	return true;
}

/* Removes N bytes from the front of the buffer. */
static void buffer_drop(struct program *program, size_t n)
{
	program->used -= n;
	memmove(program->buffer, program->buffer + n, program->used);
}

/* Returns STATUS, with the recorded reason in WHY unless STATUS is STATUS_OK. */
static enum status failure_return(const struct program *program, enum status status,
				  struct why *why)
{
	if (status)
		*why = program->why;
	return status;
}

enum status program_ask(struct program *program, const char *line, char answer[PROGRAM_LINE_MAX],
			struct why *why)
{
	enum status status = program_ask_data(program, line, NULL, 0, answer, why);
	return status ? status : program_receive(program, line, answer, 0, why);
}

enum status program_ask_data(struct program *program, const char *line, const void *data,
			     size_t size, char answer[PROGRAM_LINE_MAX], struct why *why)
{
	const double deadline = clock_seconds() + program->seconds;
	enum status status = program->failed;
	size_t end = 0;
	status = status ? status : line_send(program, line, deadline);
	status = status ? status : bytes_write(program, line, data, size, deadline);
	status = status ? status : line_wait(program, line, deadline, &end);
	if (!status && !line_take(program, end, answer))
		status = program_fail(program, "answers '%.*s' with what is not plain ASCII text",
				      SHOWN_MAX, line);
	if (!status)
		buffer_drop(program, end + 1);
	return failure_return(program, status, why);
}

enum status program_receive(struct program *program, const char *line, void *data, size_t size,
			    struct why *why)
{
	const double deadline = clock_seconds() + program->seconds;
	enum status status = program->failed;
	size_t taken = 0, got = 0;
	if (!status) {
		taken = program->used < size ? program->used : size;
		memcpy(data, program->buffer, taken);
		buffer_drop(program, taken);
	}
	for (; !status && taken < size; taken += got)
		status =
		    bytes_read(program, line, (char *)data + taken, size - taken, deadline, &got);
	if (!status && program->used > 0)
		status = program_fail(program, "says more than one line in answer to '%.*s'",
				      SHOWN_MAX, line);
	return failure_return(program, status, why);
}

void program_send(struct program *program, const char *line)
{
	if (!program->failed &&
	    line_send(program, line, clock_seconds() + program->seconds) != STATUS_OK)
		return; /* the caller is about to end the program */
}

void program_end(struct program *program)
{
	int result = 0;
	if (!program)
		return;
	close(program->to);
	/* A program that has failed gets no more time. */
	if (program->pid)
		program_finish(program->pid, true, program->failed ? 0 : GRACE_SECONDS, &result);
	close(program->from);
	free(program);
}
