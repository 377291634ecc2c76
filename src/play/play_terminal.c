/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Control of the terminal by ECMA-48 and what xterm added to it; see play_terminal.h.
 *
 * Ctrl-Z, a new size and going on behind a stop come as bytes of a signalfd(2), which the wait for
 * keys looks at as well, so nothing happens in handlers. What ends the process by a fault gives the
 * terminal back in a handler, which puts back the usual line mode instead of what was there: it can
 * know no more without a global.
 */
#include "src/play/play_terminal.h"

#include "base/text.h"
#include "base/stop.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <unistd.h>

/* Another screen, no cursor, no new line behind the last column; and back. */
#define TERMINAL_OPEN "\033[?1049h\033[?25l\033[?7l\033[2J"
#define TERMINAL_CLOSE "\033[0m\033[?7h\033[?25h\033[?1049l"

enum { COLUMNS = 80, LINES = 24, SIDE_LIMIT = 1000 };

static const int fatal_signals[TERMINAL_FATAL] = {SIGSEGV, SIGBUS,  SIGFPE,
						  SIGILL,  SIGABRT, SIGQUIT};

static const char *variable(const char *name)
{
	const char *value = getenv(name);
	return value ? value : "";
}

const char *terminal_lacks(void)
{
	const char *term = variable("TERM");
	if (!isatty(STDOUT_FILENO))
		return "standard output is not a terminal";
	if (!*term || strcmp(term, "dumb") == 0 || strcmp(term, "unknown") == 0)
		return "a terminal of the kind TERM says cannot place text; TERM=xterm may do";
	return NULL;
}

static enum colours look_colours(void)
{
	const char *term = variable("TERM"), *more = variable("COLORTERM");
	if (*variable("NO_COLOR") || strncmp(term, "vt", 2) == 0 || strstr(term, "-m"))
		return COLOURS_NONE;
	if (strcmp(more, "truecolor") == 0 || strcmp(more, "24bit") == 0 || strstr(term, "-direct"))
		return COLOURS_TRUE;
	return strstr(term, "256color") ? COLOURS_256 : COLOURS_16;
}

static bool look_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	for (int i = 0; i < 3; i++)
		if (*variable(names[i]))
			return strcasestr(variable(names[i]), "utf-8") ||
			       strcasestr(variable(names[i]), "utf8");
	return false;
}

struct look terminal_look(void)
{
	struct winsize window;
	struct look look = {
	    .columns = COLUMNS, .lines = LINES, .colours = look_colours(), .utf8 = look_utf8()};
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col && window.ws_row) {
		look.columns = window.ws_col < SIDE_LIMIT ? window.ws_col : SIDE_LIMIT;
		look.lines = window.ws_row < SIDE_LIMIT ? window.ws_row : SIDE_LIMIT;
	}
	return look;
}

/* Writes all of it, if the terminal is still there. */
static void bytes_write(const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t written = write(STDOUT_FILENO, bytes, n);
		if (written < 0 && errno != EINTR)
			return;
		if (written > 0) {
			bytes += written;
			n -= (size_t)written;
		}
	}
}

static void on_fatal(int signal_number)
{
	struct termios mode;
	bytes_write(TERMINAL_CLOSE, sizeof TERMINAL_CLOSE - 1);
	if (tcgetattr(STDIN_FILENO, &mode) == 0) {
		mode.c_lflag |= (tcflag_t)(ICANON | ECHO | IEXTEN);
		tcsetattr(STDIN_FILENO, TCSANOW, &mode);
	}
	/* SA_RESETHAND and SA_NODEFER: this has its default effect at once. */
	raise(signal_number);
}

static void fatal_catch(struct terminal *terminal)
{
	struct sigaction action = {.sa_handler = on_fatal,
				   .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
	sigemptyset(&action.sa_mask);
	for (int i = 0; i < TERMINAL_FATAL; i++)
		sigaction(fatal_signals[i], &action, &terminal->fatal[i]);
}

enum status terminal_prepare(struct terminal *terminal, struct why *why)
{
	sigset_t set;
	*terminal = (struct terminal){0};
	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	sigaddset(&set, SIGTSTP);
	sigaddset(&set, SIGCONT);
	terminal->signals = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
	if (terminal->signals < 0)
		return why_errno(why, "signals cannot be read");
	pthread_sigmask(SIG_BLOCK, &set, &terminal->mask);
	return STATUS_OK;
}

enum status terminal_open(struct terminal *terminal, bool keys, struct why *why)
{
	enum status status = keys_open(&terminal->keys, keys, terminal->signals, why);
	if (status)
		return status;
	stop_catch_terminal();
	fatal_catch(terminal);
	fflush(stdout);
	bytes_write(TERMINAL_OPEN, sizeof TERMINAL_OPEN - 1);
	terminal->taken = true;
	return STATUS_OK;
}

/* Stops the process, as Ctrl-Z does where it is not caught, until it is to go on. */
static void terminal_stop(struct terminal *terminal)
{
	sigset_t stop;
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	bytes_write(TERMINAL_CLOSE, sizeof TERMINAL_CLOSE - 1);
	keys_restore(&terminal->keys);
	raise(SIGTSTP);
	pthread_sigmask(SIG_UNBLOCK, &stop, NULL);
	pthread_sigmask(SIG_BLOCK, &stop, NULL);
}

static void terminal_resume(struct terminal *terminal)
{
	keys_take(&terminal->keys);
	bytes_write(TERMINAL_OPEN, sizeof TERMINAL_OPEN - 1);
	terminal_refresh(terminal);
}

int terminal_key(struct terminal *terminal, int milliseconds)
{
	int key = keys_next(&terminal->keys, milliseconds);
	struct signalfd_siginfo info;
	if (key != KEY_SIGNAL)
		return key;
	while (read(terminal->signals, &info, sizeof info) == sizeof info) {
		if (info.ssi_signo == SIGTSTP)
			terminal_stop(terminal);
		if (info.ssi_signo == SIGTSTP || info.ssi_signo == SIGCONT)
			terminal_resume(terminal);
	}
	return KEY_NONE;
}

/* Makes the canvass fit LOOK. */
static enum status terminal_fit(struct terminal *terminal, const struct look *look, struct why *why)
{
	const struct look *had = &terminal->canvas.look;
	if (terminal->canvas.spot && had->columns == look->columns && had->lines == look->lines)
		return STATUS_OK;
	canvas_fini(&terminal->canvas);
	canvas_fini(&terminal->before);
	terminal->known = false;
	enum status status = canvas_init(&terminal->canvas, look, why);
	return status ? status : canvas_init(&terminal->before, look, why);
}

enum status terminal_show(struct terminal *terminal, const struct scene *scene, struct why *why)
{
	const struct look look = terminal_look();
	char *bytes = NULL;
	size_t length = 0;
	enum status status = terminal_fit(terminal, &look, why);
	FILE *file = status ? NULL : stream_open(&bytes, &length);
	if (!file)
		return status ? status : why_errno(why, "a screen");
	scene_draw(scene, &terminal->canvas);
	if (!terminal->known)
		fputs("\033[0m\033[2J", file);
	canvas_paint(&terminal->canvas, terminal->known ? &terminal->before : NULL, file);
	if (fclose(file) != 0)
		return why_errno(why, "a screen");
	bytes_write(bytes, length);
	free(bytes);
	const struct canvas drawn = terminal->canvas;
	terminal->canvas = terminal->before;
	terminal->before = drawn;
	terminal->known = true;
	return STATUS_OK;
}

void terminal_refresh(struct terminal *terminal)
{
	terminal->known = false;
}

void terminal_close(struct terminal *terminal)
{
	if (terminal->taken) {
		bytes_write(TERMINAL_CLOSE, sizeof TERMINAL_CLOSE - 1);
		keys_close(&terminal->keys);
		for (int i = 0; i < TERMINAL_FATAL; i++)
			sigaction(fatal_signals[i], &terminal->fatal[i], NULL);
	}
	close(terminal->signals);
	pthread_sigmask(SIG_SETMASK, &terminal->mask, NULL);
	canvas_fini(&terminal->canvas);
	canvas_fini(&terminal->before);
	terminal->taken = false;
}
