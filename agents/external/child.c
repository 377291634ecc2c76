/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Talks to another program through two pipes; see child.h.
 *
 * Neither end can make the other wait for ever: both pipes are non-blocking here and waited for
 * with poll(), whose deadline is that of the answer. A write to a program that is gone raises
 * SIGPIPE in the thread that writes; it is blocked around the write and taken off again, since the
 * process may need it elsewhere (Stevens, Rago, Advanced Programming in the UNIX Environment,
 * section 12.8).
 *
 * Invariant: between two requests the buffer is empty, or the program has said too much.
 */
#include "agents/external/child.h"

#include "base/program.h"
#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SHOWN_MAX = 60, SLICE_MS = 100, GRACE_MS = 1000, GRACE_STEP_MS = 5 };

struct child {
	struct program program; /* its pid is 0 once it was waited for */
	double seconds;
	bool (*ending)(void);
	size_t used; /* of buffer */
	char buffer[CHILD_LINE_MAX];
	enum status failed; /* and why */
	struct why why;
};

enum status child_start(const char *command, double seconds, bool (*ending)(void),
			struct child **child, struct why *why)
{
	struct child *made = calloc(1, sizeof *made);
	if (!made)
		return why_set(why, STATUS_SYSTEM, "out of memory");
	made->seconds = seconds;
	made->ending = ending;
	enum status status = program_start(command, &made->program, why);
	if (status)
		free(made);
	else
		*child = made;
	return status;
}

const char *child_name(const struct child *child)
{
	return child->program.name;
}

/* Keeps the first failure. */
__attribute__((format(printf, 2, 3))) static enum status child_fail(struct child *child,
								    const char *format, ...)
{
	va_list args;
	va_start(args, format);
	int used = snprintf(child->why.text, sizeof child->why.text, "%s: ", child->program.name);
	vsnprintf(child->why.text + used, sizeof child->why.text - (size_t)used, format, args);
	va_end(args);
	return child->failed = STATUS_SYSTEM;
}

/* Waits at most MILLISECONDS for the program to end; true if it has, with its exit in *RESULT. */
static bool child_reap(struct child *child, int milliseconds, int *result)
{
	for (; child->program.pid; milliseconds -= GRACE_STEP_MS) {
		const pid_t done = waitpid(child->program.pid, result, WNOHANG);
		if (done == child->program.pid || (done < 0 && errno != EINTR))
			child->program.pid = 0;
		else if (milliseconds <= 0)
			return false;
		else
			nanosleep(&(struct timespec){.tv_nsec = GRACE_STEP_MS * 1000000L}, NULL);
	}
	return true;
}

static enum status child_gone(struct child *child, const char *asked)
{
	int result = 0;
	const pid_t group = child->program.pid;
	if (!child_reap(child, GRACE_MS, &result))
		return child_fail(child, "closed its standard output instead of answering '%.*s'",
				  SHOWN_MAX, asked);
	kill(-group, SIGKILL); /* what it has left behind */
	if (WIFSIGNALED(result))
		return child_fail(child, "was ended by signal %d instead of answering '%.*s'",
				  WTERMSIG(result), SHOWN_MAX, asked);
	return child_fail(child, "ended with exit status %d instead of answering '%.*s'",
			  WEXITSTATUS(result), SHOWN_MAX, asked);
}

/* Waits until FD can do EVENTS. */
static enum status child_wait(struct child *child, int fd, short events, double deadline,
			      const char *asked)
{
	for (;;) {
		const double left = deadline - clock_seconds();
		if (child->ending && child->ending()) {
			child_fail(child, "stopped");
			return child->failed = STATUS_STOPPED;
		}
		if (left <= 0)
			return child_fail(child, "no answer within %g s to '%.*s'", child->seconds,
					  SHOWN_MAX, asked);
		struct pollfd wait = {.fd = fd, .events = events};
		const int n =
		    poll(&wait, 1, left * 1e3 < SLICE_MS ? 1 + (int)(left * 1e3) : SLICE_MS);
		if (n > 0)
			return STATUS_OK;
		if (n < 0 && errno != EINTR)
			return child_fail(child, "cannot wait for it: %s", strerror(errno));
	}
}

/* write() without a SIGPIPE that outlives it. */
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

static enum status line_send(struct child *child, const char *line, double deadline)
{
	char bytes[CHILD_LINE_MAX + 1];
	const int length = snprintf(bytes, sizeof bytes, "%s\n", line);
	if (length >= (int)sizeof bytes)
		return child_fail(child, "asked with a line of %d characters", length - 1);
	for (size_t sent = 0; sent < (size_t)length;) {
		const ssize_t n =
		    write_quietly(child->program.to, bytes + sent, (size_t)length - sent);
		if (n > 0)
			sent += (size_t)n;
		else if (n < 0 && errno == EPIPE)
			return child_gone(child, line);
		else if (n < 0 && errno == EAGAIN) {
			enum status status =
			    child_wait(child, child->program.to, POLLOUT, deadline, line);
			if (status)
				return status;
		} else if (n < 0 && errno != EINTR)
			return child_fail(child, "cannot be written to: %s", strerror(errno));
	}
	return STATUS_OK;
}

/* Reads until there is the end of a line in the buffer. */
static enum status line_await(struct child *child, const char *asked, double deadline, size_t *end)
{
	for (;;) {
		const char *found = memchr(child->buffer, '\n', child->used);
		if (found) {
			*end = (size_t)(found - child->buffer);
			return STATUS_OK;
		}
		if (child->used == sizeof child->buffer)
			return child_fail(child,
					  "answers '%.*s' with more than %d characters in a line",
					  SHOWN_MAX, asked, CHILD_LINE_MAX - 1);
		enum status status =
		    child_wait(child, child->program.from, POLLIN, deadline, asked);
		if (status)
			return status;
		const ssize_t n = read(child->program.from, child->buffer + child->used,
				       sizeof child->buffer - child->used);
		if (n == 0)
			return child_gone(child, asked);
		if (n > 0)
			child->used += (size_t)n;
		else if (errno != EINTR && errno != EAGAIN)
			return child_fail(child, "cannot be read from: %s", strerror(errno));
	}
}

/* The first LENGTH bytes of the buffer as text in ANSWER; false if they are no plain text. */
static bool line_take(const struct child *child, size_t length, char answer[CHILD_LINE_MAX])
{
	while (length > 0 && strchr(" \t\r", child->buffer[length - 1]))
		length--;
	for (size_t i = 0; i < length; i++)
		if (child->buffer[i] < ' ' || child->buffer[i] > '~')
			return false;
	memcpy(answer, child->buffer, length);
	answer[length] = '\0';
	return true;
}

static enum status line_exchange(struct child *child, const char *line, char answer[CHILD_LINE_MAX])
{
	const double deadline = clock_seconds() + child->seconds;
	size_t end = 0;
	enum status status = line_send(child, line, deadline);
	if (!status)
		status = line_await(child, line, deadline, &end);
	if (status)
		return status;
	if (!line_take(child, end, answer))
		return child_fail(child, "answers '%.*s' with what is not plain ASCII text",
				  SHOWN_MAX, line);
	child->used -= end + 1;
	memmove(child->buffer, child->buffer + end + 1, child->used);
	if (child->used > 0)
		return child_fail(child, "says more than one line in answer to '%.*s'", SHOWN_MAX,
				  line);
	return STATUS_OK;
}

enum status child_ask(struct child *child, const char *line, char answer[CHILD_LINE_MAX],
		      struct why *why)
{
	if (!child->failed && line_exchange(child, line, answer) == STATUS_OK)
		return STATUS_OK;
	*why = child->why;
	return child->failed;
}

void child_tell(struct child *child, const char *line)
{
	if (!child->failed && line_send(child, line, clock_seconds() + child->seconds) != STATUS_OK)
		return; /* it is being ended anyway */
}

void child_end(struct child *child)
{
	int result = 0;
	if (!child)
		return;
	const pid_t group = child->program.pid;
	close(child->program.to);
	/* One that has failed has had its time. */
	if (group && !child_reap(child, child->failed ? 0 : GRACE_MS, &result)) {
		kill(-group, SIGKILL);
		while (waitpid(group, &result, 0) < 0 && errno == EINTR)
			;
	}
	close(child->program.from);
	free(child);
}
