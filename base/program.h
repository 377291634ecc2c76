/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starting another program, without a shell, and exchanging lines with it: a request is one line
 * to its standard input, a reply one line from its standard output. Binary data may follow either.
 */
#ifndef NXN_PROGRAM_H
#define NXN_PROGRAM_H

#include "base/status.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * Starts the program WORDS[0] with the arguments WORDS (ends with NULL). Its descriptor i is FD[i],
 * or inherited if FD[i] < 0. No signals are blocked in it, and SIGPIPE and SIGXFSZ have their
 * default effect, as after a start from a shell. With GROUP it has a process group of its own, so
 * Ctrl-C in a terminal does not reach it. Returns 0 or errno. The caller must wait for *PID.
 */
int program_spawn(char *const *words, const int fd[3], bool group, pid_t *pid);

/* Whether the child PID has ended. Does not reap it, so the system cannot reuse its number. */
bool program_ended(pid_t pid);

/*
 * Waits at most SECONDS for the child PID to end, then kills it. With GROUP, also kills the rest of
 * its process group in either case. *RESULT is the wait status. Returns whether the child ended by
 * itself.
 */
bool program_finish(pid_t pid, bool group, double seconds, int *result);

/* Including the NUL. The longest line of the protocol, for 6x6, has about 2,200 characters. */
enum { PROGRAM_LINE_MAX = 4096 };

/* A program that replies to lines, in a process group of its own. */
struct program;

/*
 * Calls EACH with CONTEXT for each word of COMMAND that is the path of a readable regular file, the
 * program included. Returns the first status of EACH that is not STATUS_OK, or the error of
 * program_start() for a malformed command.
 */
MUST_USE enum status program_files(const char *command,
				   enum status (*each)(void *context, const char *path,
						       struct why *why),
				   void *context, struct why *why);

/*
 * Starts COMMAND: words separated by blanks. '...' and "..." quote blanks; a backslash quotes the
 * next character, except within '...'. Every reply must arrive within SECONDS. While waiting for a
 * reply, ENDING is called unless it is NULL; when it returns true, the wait ends with
 * STATUS_STOPPED. The program inherits standard error. STATUS_INPUT if there is no word or too many
 * words, a quote is not closed, or the program cannot be run; STATUS_SYSTEM if memory, processes or
 * descriptors run out.
 */
MUST_USE enum status program_start(const char *command, double seconds, bool (*ending)(void),
				   struct program **program, struct why *why);

/*
 * Sends LINE (without its newline) and waits for the reply line, returned in ANSWER without
 * trailing blanks. STATUS_SYSTEM if the program ends, does not reply in time, replies with a line
 * that is too long or not plain text, or sent more than was requested. After a failure every call
 * fails the same way. One thread at a time; any signal mask.
 */
MUST_USE enum status program_ask(struct program *program, const char *line,
				 char answer[PROGRAM_LINE_MAX], struct why *why);

/*
 * program_ask() with SIZE bytes of DATA after LINE. Binary data after the reply line is left for
 * program_receive().
 */
MUST_USE enum status program_ask_data(struct program *program, const char *line, const void *data,
				      size_t size, char answer[PROGRAM_LINE_MAX], struct why *why);

/* Reads the SIZE bytes of DATA that follow the reply to LINE and complete it. */
MUST_USE enum status program_receive(struct program *program, const char *line, void *data,
				     size_t size, struct why *why);

/* Total seconds that this thread has waited for replies of programs. */
double program_wait_seconds(void);

/* The command, truncated, for messages. */
const char *program_name(const struct program *program);

/* Sends a last line, which has no reply. Ignores errors; does nothing after a failure. */
void program_send(struct program *program, const char *line);

/*
 * Ends the program: closes its input, waits up to a second for it to end, then kills its process
 * group. NULL is allowed.
 */
void program_end(struct program *program);

#endif
