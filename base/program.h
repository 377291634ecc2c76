/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Another program, started directly, never by a shell; and one that is asked line by line: one line
 * to its standard input, one line back from its standard output, with bytes behind either.
 */
#ifndef NXN_PROGRAM_H
#define NXN_PROGRAM_H

#include "base/status.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * Starts the program WORDS[0] with WORDS, which end with NULL, as its arguments, and FD[i] as its
 * descriptor i; one below 0 is ours. It has no signal blocked and ends by SIGPIPE and SIGXFSZ, as
 * a shell would start it; with GROUP it has a process group of its own, so that Ctrl-C in a
 * terminal is not for it. Returns 0, or errno. The caller waits for *PID.
 */
int program_spawn(char *const *words, const int fd[3], bool group, pid_t *pid);

/* Whether the child PID has ended. It stays a zombie, so that no other process gets its number. */
bool program_ended(pid_t pid);

/*
 * Waits at most SECONDS for the child PID to end, and kills it if it has not; with GROUP also all
 * that is left of its process group, in either case. *RESULT is its wait status. Returns whether
 * it had ended by itself.
 */
bool program_finish(pid_t pid, bool group, double seconds, int *result);

/* With the NUL; the longest line of a protocol for 6x6 has some 2,200 characters. */
enum { PROGRAM_LINE_MAX = 4096 };

/* A program that answers lines, in a process group of its own. */
struct program;

/*
 * Calls EACH with CONTEXT for each word of COMMAND that names a regular file that can be read: its
 * own path and those among its arguments. The first status of EACH that is no STATUS_OK, or that of
 * program_start() for a command that is none.
 */
MUST_USE enum status program_files(const char *command,
				   enum status (*each)(void *context, const char *path,
						       struct why *why),
				   void *context, struct why *why);

/*
 * Starts COMMAND: words separated by blanks, in which '...' and "..." keep blanks and a backslash
 * keeps the next character, except within '...'. Every answer must come within SECONDS. ENDING, or
 * NULL, is looked at while an answer is waited for; when it is true, STATUS_STOPPED. What the
 * program writes to standard error goes where ours goes. STATUS_INPUT if there is no word, a quote
 * is not closed, or there is no such program; STATUS_SYSTEM if the machine cannot start any.
 */
MUST_USE enum status program_start(const char *command, double seconds, bool (*ending)(void),
				   struct program **program, struct why *why);

/*
 * Sends LINE (without its end) and waits for the line that answers it, which comes without blanks
 * at its end. STATUS_SYSTEM if the program ends, hangs, answers with a line that is too long or is
 * not plain text, or has said more than it was asked; after a failure every call fails the same
 * way. One thread at a time; any signal mask.
 */
MUST_USE enum status program_ask(struct program *program, const char *line,
				 char answer[PROGRAM_LINE_MAX], struct why *why);

/*
 * The same for requests with binary data: sends LINE and then SIZE bytes of DATA, and waits for the
 * line that answers; what follows that line is for program_receive().
 */
MUST_USE enum status program_ask_data(struct program *program, const char *line, const void *data,
				      size_t size, char answer[PROGRAM_LINE_MAX], struct why *why);

/* Takes the SIZE bytes of DATA that follow the answer to LINE, and are the end of it. */
MUST_USE enum status program_receive(struct program *program, const char *line, void *data,
				     size_t size, struct why *why);

/* Seconds that this thread has waited for answers of programs so far. */
double program_wait_seconds(void);

/* Its command, cut off where it is long, for messages. */
const char *program_name(const struct program *program);

/* Sends a last line, which has no answer; a program that is gone already is fine. */
void program_send(struct program *program, const char *line);

/*
 * Ends the program: its input ends, and a second later, or when it has ended, all of its process
 * group is killed. NULL is fine.
 */
void program_end(struct program *program);

#endif
