/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs gnuplot: no shell, nothing on its standard input, and success only if it said nothing.
 *
 * gnuplot takes a data file called "<command" or an output called "|command" for a command to run,
 * and expands "~". No path that begins with "/" or "./" is anything but a path, so every relative
 * one gets "./" in front. After an error gnuplot leaves what it has drawn so far: it draws into
 * OUT.part, which takes its place only when all went well. (The format "tex" makes a second
 * file, which gnuplot calls OUT.part.pdf, and src/figures_latex.c puts into its place.)
 */
#include "src/figures.h"

#include "src/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { COMPLAINT_MAX = 4096, ARGUMENTS_MAX = 6 + FIGURE_TABLES_MAX + 1 };

static enum status path_plain(char plain[FOLDER_PATH_MAX], const char *path, struct why *why)
{
	return path_format(plain, why, "%s%s", *path == '/' ? "" : "./", path);
}

/* Starts gnuplot with its messages going to the descriptor MESSAGES. Returns errno or 0. */
static int gnuplot_start(char *const *arguments, int messages, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);
	if (error)
		return error;
	error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	if (!error)
		error = posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, messages, 2);
	if (!error)
		error = posix_spawnp(pid, arguments[0], &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/* Reads to the end, keeps what fits, ends it with a NUL. */
static void complaint_read(int from, char complaint[COMPLAINT_MAX])
{
	char rest[512];
	size_t used = 0;
	ssize_t n;

	do {
		bool full = used == COMPLAINT_MAX - 1;
		n = full ? read(from, rest, sizeof rest)
			 : read(from, complaint + used, COMPLAINT_MAX - 1 - used);
		if (n > 0 && !full)
			used += (size_t)n;
	} while (n > 0 || (n < 0 && errno == EINTR));
	complaint[used] = '\0';
}

/*
 * The line that says what is wrong, or NULL if nothing is. gnuplot quotes the command before it
 * says "FILE" line N: what; the font library complains about a cache that it cannot write, which
 * is no fault of a figure.
 */
static const char *complaint_line(char *complaint)
{
	const char *first = NULL;
	char *rest = complaint;

	for (char *line; (line = strtok_r(rest, "\n", &rest));) {
		if (strncmp(line, "Fontconfig ", 11) == 0 || strspn(line, " \t^") == strlen(line))
			continue;
		if (*line == '"')
			return line;
		first = first ? first : line;
	}
	return first;
}

/* Runs the command ARGUMENTS, which is gnuplot's. */
static enum status gnuplot_run(char *const *arguments, struct why *why)
{
	char complaint[COMPLAINT_MAX];
	int messages[2], result = 0;
	pid_t pid;

	if (pipe2(messages, O_CLOEXEC) != 0)
		return why_errno(why, "gnuplot: cannot make a pipe");
	int error = gnuplot_start(arguments, messages[1], &pid);
	close(messages[1]);
	if (!error)
		complaint_read(messages[0], complaint);
	close(messages[0]);
	if (error) {
		errno = error;
		return why_errno(why,
				 "gnuplot: cannot run it; install gnuplot (Debian: gnuplot-nox)");
	}
	while (waitpid(pid, &result, 0) < 0 && errno == EINTR)
		;
	const char *line = complaint_line(complaint);
	if (line)
		return why_set(why, STATUS_INPUT, "gnuplot: %s", line);
	if (WIFSIGNALED(result))
		return why_set(why, STATUS_SYSTEM, "gnuplot: ended by signal %d", WTERMSIG(result));
	if (result != 0)
		return why_set(why, STATUS_SYSTEM, "gnuplot: ended with status %d and no word",
			       WEXITSTATUS(result));
	return STATUS_OK;
}

/* Makes an empty PATH, with the rights of a new file. */
static enum status file_make(const char *path, struct why *why)
{
	int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (file < 0)
		return why_errno(why, "%s: cannot write", path);
	close(file);
	return STATUS_OK;
}

enum status figure_draw(const char *script, const char *format, const char *out,
			const char *const *tables, struct why *why)
{
	char script_path[FOLDER_PATH_MAX], part[FOLDER_PATH_MAX];
	char paths[FIGURE_TABLES_MAX][FOLDER_PATH_MAX];
	char *arguments[ARGUMENTS_MAX] = {"gnuplot", "-d", "-c", script_path, (char *)format, part};
	char **argument = arguments + 6;
	enum status status = path_plain(script_path, script, why);

	if (!status && access(script_path, R_OK) != 0)
		status = why_errno(why, "%s: cannot read the plot script", script);
	for (int i = 0; !status && tables[i]; i++) {
		*argument++ = paths[i];
		status = path_plain(paths[i], tables[i], why);
		if (!status && access(paths[i], R_OK) != 0)
			status = why_set(why, STATUS_INPUT, "%s: cannot read the table: %s",
					 tables[i], strerror(errno));
	}
	status = status ? status
			: path_format(part, why, "%s%s.part%s", *out == '/' ? "" : "./", out,
				      strcmp(format, "tex") == 0 ? ".tex" : "");
	status = status ? status : file_make(part, why);
	if (status)
		return status;

	status = gnuplot_run(arguments, why);
	if (!status && rename(part, out) != 0)
		status = why_errno(why, "%s: cannot write", out);
	if (status)
		unlink(part);
	return status;
}
