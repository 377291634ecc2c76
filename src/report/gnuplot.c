/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs gnuplot: no shell, nothing on its standard input, and success only if it said nothing.
 *
 * gnuplot does not look whether it could read: where a disk fails in the middle of a table, it draws the
 * first half. So we read the script and the tables, and it gets them from memory. Nor whether it could
 * write: on a full disk it leaves figures with holes, without a word. So it draws into a pipe, and we
 * write the file. The format "tex" takes a name that ends so, for it makes a second file, which gnuplot
 * calls OUT.part.pdf and src/report/figures_latex.c puts into its place: OUT.part.tex is a link to the pipe.
 *
 * gnuplot takes a data file called "<command" or an output called "|command" for a command to run,
 * and expands "~". Of our files it knows only that link, by a path that begins with "/" or "./", which is
 * nothing but a path. After an error gnuplot leaves what it has drawn so far: it is drawn into
 * OUT.part, which takes its place only when all went well.
 */
#include "src/report/figures.h"

#include "base/file.h"
#include "src/report/texts.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { COMPLAINT_MAX = 4096, HELD_MAX = 1 + FIGURE_TABLES_MAX, ARGUMENTS_MAX = 6 + HELD_MAX };

/* What gnuplot reads: the script, then the tables. */
struct reading {
	struct held held[HELD_MAX];
	int count;
};

static void reading_close(struct reading *reading)
{
	while (reading->count > 0)
		held_close(&reading->held[--reading->count]);
}

static enum status reading_add(struct reading *reading, const char *path, const char *loaded,
			       struct why *why)
{
	const enum status status = held_open(&reading->held[reading->count], path, loaded, why);
	reading->count += !status;
	return status;
}

/* To be closed, also after a failure. A script loads nothing but the style beside it. */
static enum status reading_open(struct reading *reading, const char *script,
				const char *const *tables, struct why *why)
{
	char style[FOLDER_PATH_MAX];
	const char *end = strrchr(script, '/');
	enum status status =
	    path_format(style, why, "%.*sstyle.gp", end ? (int)(end + 1 - script) : 0, script);
	if (!status && access(script, R_OK) != 0)
		status = why_errno(why, "%s: cannot read the plot script", script);
	status = status ? status : reading_add(reading, script, style, why);
	for (int i = 0; !status && tables[i]; i++) {
		if (access(tables[i], R_OK) != 0)
			status = why_set(why, STATUS_INPUT, "%s: cannot read the table: %s",
					 tables[i], strerror(errno));
		status = status ? status : reading_add(reading, tables[i], NULL, why);
	}
	return status;
}

/* Both ends of a pipe, -1 when closed. */
struct buffered_file {
	int from, to;
};

static enum status buffered_file_open(struct buffered_file *flow, struct why *why)
{
	int ends[2];
	if (pipe2(ends, O_CLOEXEC) != 0)
		return why_errno(why, "gnuplot: cannot make a pipe");
	*flow = (struct buffered_file){ends[0], ends[1]};
	return STATUS_OK;
}

static void end_close(int *end)
{
	if (*end >= 0)
		close(*end);
	*end = -1;
}

/* Starts gnuplot with its output and its messages going to these descriptors. Returns errno or 0. */
static int gnuplot_start(char *const *arguments, int output, int messages, pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	int error = posix_spawn_file_actions_init(&actions);
	if (error)
		return error;
	error = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, output, 1);
	if (!error)
		error = posix_spawn_file_actions_adddup2(&actions, messages, 2);
	if (!error)
		error = posix_spawnp(pid, arguments[0], &actions, NULL, arguments, environ);
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/* What gnuplot reads, says and draws, on its way. */
struct talk {
	const struct reading *reading;
	struct buffered_file messages, picture;
	FILE *file; /* for the picture */
	char complaint[COMPLAINT_MAX];
	size_t used; /* of complaint, which keeps what fits */
};

/* Takes a piece from the pipe FLOW, which closes at the end. */
static void piece_take(struct talk *talk, struct buffered_file *flow)
{
	char piece[1 << 14];
	const ssize_t n = read(flow->from, piece, sizeof piece);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		end_close(&flow->from);
	} else if (flow == &talk->picture) {
		fwrite(piece, 1, (size_t)n, talk->file);
	} else {
		const size_t room = COMPLAINT_MAX - 1 - talk->used;
		const size_t kept = (size_t)n < room ? (size_t)n : room;
		memcpy(talk->complaint + talk->used, piece, kept);
		talk->used += kept;
	}
}

/* Takes all that comes, until both pipes end. */
static void talk_follow(struct talk *talk)
{
	struct buffered_file *const flows[] = {&talk->messages, &talk->picture};
	while (talk->messages.from >= 0 || talk->picture.from >= 0) {
		/* poll() passes over negative descriptors. */
		struct pollfd ready[] = {{.fd = talk->messages.from, .events = POLLIN},
					 {.fd = talk->picture.from, .events = POLLIN}};
		if (poll(ready, 2, -1) < 0 && errno != EINTR)
			return;
		for (int i = 0; i < 2; i++)
			if (ready[i].revents)
				piece_take(talk, flows[i]);
	}
	talk->complaint[talk->used] = '\0';
}

/*
 * What is no fault of a figure: the font library's cache that it cannot write, and a degree sign, which
 * no figure uses, that the locale "C" cannot write.
 */
static bool is_harmless(const char *line)
{
	return strncmp(line, "Fontconfig ", 11) == 0 || strstr(line, " warning: iconv") ||
	       strspn(line, " \t^") == strlen(line);
}

/*
 * The line that says what is wrong, or NULL if nothing is. gnuplot quotes the command before it
 * says "FILE" line N: what.
 */
static const char *complaint_line(char *complaint)
{
	const char *first = NULL;
	char *rest = complaint;

	for (char *line; (line = strtok_r(rest, "\n", &rest));) {
		if (is_harmless(line))
			continue;
		if (*line == '"')
			return line;
		first = first ? first : line;
	}
	return first;
}

/* Whether gnuplot complains of a file that it could not open, though it was there a moment ago. */
static bool is_refusal(const char *line)
{
	static const char *const words[] = {"cannot open", "or open file", ": open of "};
	bool is = false;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		is = is || strstr(line, words[i]);
	return is;
}

/* What became of gnuplot, whose wait status is RESULT. */
static enum status gnuplot_judge(struct talk *talk, int result, struct why *why)
{
	const char *line = complaint_line(talk->complaint);
	char named[sizeof why->text];
	if (line) {
		held_name(talk->reading->held, talk->reading->count, line, named, sizeof named);
		return why_set(
		    why, is_refusal(line) || WIFSIGNALED(result) ? STATUS_SYSTEM : STATUS_INPUT,
		    "gnuplot: %s", named);
	}
	if (WIFSIGNALED(result))
		return why_set(why, STATUS_SYSTEM, "gnuplot: ended by signal %d", WTERMSIG(result));
	if (result != 0)
		return why_set(why, STATUS_SYSTEM, "gnuplot: ended with status %d and no word",
			       WEXITSTATUS(result));
	return STATUS_OK;
}

/* Runs the command ARGUMENTS, which is gnuplot's, with its output going to the talk's file. */
static enum status gnuplot_run(char *const *arguments, struct talk *talk, struct why *why)
{
	int result = 0;
	pid_t pid;
	const int error = gnuplot_start(arguments, talk->picture.to, talk->messages.to, &pid);
	end_close(&talk->picture.to);
	end_close(&talk->messages.to);
	if (error) {
		errno = error;
		return why_errno(why,
				 "gnuplot: cannot run it; install gnuplot (Debian: gnuplot-nox)");
	}
	talk_follow(talk);
	while (waitpid(pid, &result, 0) < 0 && errno == EINTR)
		;
	return gnuplot_judge(talk, result, why);
}

/* The same with the talk's pipes, to be called once. */
static enum status talk_hold(struct talk *talk, char *const *arguments, struct why *why)
{
	enum status status = buffered_file_open(&talk->messages, why);
	status = status ? status : buffered_file_open(&talk->picture, why);
	status = status ? status : gnuplot_run(arguments, talk, why);
	end_close(&talk->messages.from);
	end_close(&talk->messages.to);
	end_close(&talk->picture.from);
	end_close(&talk->picture.to);
	return status;
}

/* What gnuplot draws in FORMAT, into a file that it knows by NAME, becomes the file PATH. */
static enum status gnuplot_draw(const struct reading *reading, const char *format, const char *name,
				const char *path, struct why *why)
{
	struct talk talk = {.reading = reading,
			    .messages = {-1, -1},
			    .picture = {-1, -1},
			    .file = fopen(path, "we")};
	const char *arguments[ARGUMENTS_MAX] = {"gnuplot", "-d", "-c", reading->held[0].name,
						format,	   name};
	for (int i = 1; i < reading->count; i++)
		arguments[5 + i] = reading->held[i].name;
	if (!talk.file)
		return why_errno(why, "%s: cannot write", path);
	enum status status = talk_hold(&talk, (char *const *)arguments, why);
	if (!status && ftell(talk.file) == 0)
		status = why_set(why, STATUS_SYSTEM, "%s: gnuplot has drawn nothing", path);
	const bool failed = ferror(talk.file);
	if ((fclose(talk.file) != 0 || failed) && !status)
		status = why_errno(why, "%s: cannot write", path);
	return status;
}

/* Makes PATH another name of a process's standard output. */
static enum status link_make(const char *path, struct why *why)
{
	unlink(path);
	return symlink("/dev/stdout", path) == 0
		   ? STATUS_OK
		   : why_errno(why, "%s: cannot be made, a link that gnuplot draws through", path);
}

static enum status held_draw(const struct reading *reading, const char *format, const char *out,
			     struct why *why)
{
	char part[FOLDER_PATH_MAX], link[FOLDER_PATH_MAX];
	const bool named = strcmp(format, "tex") == 0;
	enum status status = path_format(part, why, "%s%s.part", *out == '/' ? "" : "./", out);
	status = status ? status : path_format(link, why, "%s.tex", part);
	if (!status && named)
		status = link_make(link, why);
	if (status)
		return status;

	status = gnuplot_draw(reading, format, named ? link : "/dev/stdout", part, why);
	if (named)
		unlink(link);
	if (!status && rename(part, out) != 0)
		status = why_errno(why, "%s: cannot write", out);
	if (status)
		unlink(part);
	return status;
}

enum status figure_draw(const char *script, const char *format, const char *out,
			const char *const *tables, struct why *why)
{
	struct reading reading = {.count = 0};
	enum status status = reading_open(&reading, script, tables, why);
	status = status ? status : held_draw(&reading, format, out, why);
	reading_close(&reading);
	return status;
}
