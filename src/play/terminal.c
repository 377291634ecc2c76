/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The terminal, with ncursesw; see terminal.h.
 *
 * The signals of Ctrl-Z and of continuation are handled between two keys, when nothing is half
 * drawn; the signal of a new size arrives while waiting for a key. A handler restores the terminal
 * after a fault that ends the process, another if memory runs out.
 */
#include "src/play/terminal.h"

#include "base/stop.h"
#include "src/cli/data_dir.h"
#include "src/play/play.h"

#include <errno.h>
#include <locale.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <unistd.h>

/* term.h defines these as macros. */
#undef lines
#undef columns

/* The bytes of an escape sequence arrive within this time; a lone byte is the Escape key. */
enum { SEQUENCE_MILLISECONDS = 50 };

static const char *variable(const char *name)
{
	const char *value = getenv(name);
	return value ? value : "";
}

/*
 * Sets the environment variable NAME, unless it is set, to the folder PLACE, if that exists: a
 * static program cannot rely on the machine's files for its own C library and curses.
 */
static bool variable_set(const char *name, enum data_dir place)
{
	char path[FOLDER_PATH_MAX];
	return !getenv(name) && data_dir_find(place, path, NULL) == STATUS_OK &&
	       access(path, F_OK) == 0 && setenv(name, path, 1) == 0;
}

const char *terminal_lacks(void)
{
	int error;
	if (!isatty(STDOUT_FILENO))
		return "standard output is not a terminal";
	bool known = setupterm(NULL, STDOUT_FILENO, &error) == OK;
	if (!known && variable_set("TERMINFO", DATA_DIR_TERMINFO))
		known = setupterm(NULL, STDOUT_FILENO, &error) == OK;
	const bool places = known && cursor_address;
	if (known)
		del_curterm(cur_term);
	return places ? NULL : "the terminal that TERM names cannot position text; try TERM=xterm";
}

/* Checks the name, since the locale itself may not be installed. */
static bool locale_is_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	for (int i = 0; i < 3; i++)
		if (*variable(names[i]))
			return strcasestr(variable(names[i]), "utf-8") ||
			       strcasestr(variable(names[i]), "utf8");
	return false;
}

/* Switches to UTF-8; false if neither the machine nor nxn has a locale for it. */
static bool utf8_set(void)
{
	bool set = setlocale(LC_CTYPE, "C.UTF-8");
	if (!set && variable_set("LOCPATH", DATA_DIR_LOCALE)) {
		set = setlocale(LC_CTYPE, "C.UTF-8");
		unsetenv("LOCPATH");
	}
	return set;
}

void terminal_prepare(struct terminal *terminal)
{
	sigset_t set;
	*terminal = (struct terminal){.prepared = true};
	sigemptyset(&set);
	sigaddset(&set, SIGWINCH);
	sigaddset(&set, SIGTSTP);
	sigaddset(&set, SIGCONT);
	pthread_sigmask(SIG_BLOCK, &set, &terminal->mask);
	terminal->waiting = terminal->mask;
	sigaddset(&terminal->waiting, SIGTSTP);
	sigaddset(&terminal->waiting, SIGCONT);
	/* Not in terminal_open(), because other threads may use the locale by then. */
	terminal->canvas.utf8 = locale_is_utf8() && utf8_set();
}

static void screen_leave(void)
{
	endwin();
}

static void on_fatal(int signal_number)
{
	endwin();
	/* SA_RESETHAND and SA_NODEFER: the default effect follows at once. */
	raise(signal_number);
}

static void fatal_catch(void)
{
	static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGQUIT};
	struct sigaction action = {.sa_handler = on_fatal,
				   .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
		sigaction(fatal[i], &action, NULL);
}

/* Defines arrow keys and similar ones in both forms of xterm, for any TERM. */
static void sequences_define(void)
{
	static const struct {
		char end;
		int key;
	} arrows[] = {{'A', KEY_UP},   {'B', KEY_DOWN}, {'C', KEY_RIGHT},
		      {'D', KEY_LEFT}, {'H', KEY_HOME}, {'F', KEY_END}},
	  numbers[] = {{'1', KEY_HOME},	 {'4', KEY_END},  {'5', KEY_PPAGE},
		       {'6', KEY_NPAGE}, {'7', KEY_HOME}, {'8', KEY_END}};
	for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++) {
		define_key((char[]){KEY_ESCAPE, '[', arrows[i].end, '\0'}, arrows[i].key);
		define_key((char[]){KEY_ESCAPE, 'O', arrows[i].end, '\0'}, arrows[i].key);
		define_key((char[]){KEY_ESCAPE, '[', numbers[i].end, '~', '\0'}, numbers[i].key);
	}
}

/* Returns 0 if there are fewer colours than needed. */
static int colours_init(void)
{
	if (*variable("NO_COLOR") || !has_colors() || start_color() == ERR ||
	    use_default_colors() == ERR)
		return 0;
	const int colours = COLORS >= 256 ? 256 : COLORS >= 8 ? 8 : 0;
	if (colours)
		tile_colours_init(colours);
	return colours;
}

enum status terminal_open(struct terminal *terminal, bool keys, struct why *why)
{
	/* This must come first: curses checks which signals are caught. */
	stop_catch_terminal();
	fflush(stdout);
	/*
	 * Curses installs no handler for a signal that is caught or ignored now; otherwise signals
	 * could be lost.
	 */
	void (*const stop)(int) = signal(SIGTSTP, SIG_IGN);
	terminal->screen = newterm(NULL, stdout, stdin);
	signal(SIGTSTP, stop);
	if (!terminal->screen)
		return why_set(why, STATUS_SYSTEM, "the terminal cannot be set");
	fatal_catch();
	atexit(screen_leave);
	terminal->keys = keys;
	terminal->canvas.colours = colours_init();
	cbreak();
	noecho();
	nodelay(stdscr, true);
	keypad(stdscr, true);
	set_escdelay(SEQUENCE_MILLISECONDS);
	sequences_define();
	curs_set(0);
	return STATUS_OK;
}

/* Stops the process, as an uncaught Ctrl-Z does, until it is continued. */
static void terminal_stop(void)
{
	sigset_t stop;
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	raise(SIGTSTP);
	pthread_sigmask(SIG_UNBLOCK, &stop, NULL);
	pthread_sigmask(SIG_BLOCK, &stop, NULL);
}

/* Handles Ctrl-Z, and the continuation after a stop, in which the shell used the terminal. */
static void signals_take(void)
{
	const struct timespec now = {0};
	sigset_t set;
	int number;
	sigemptyset(&set);
	sigaddset(&set, SIGTSTP);
	sigaddset(&set, SIGCONT);
	while ((number = sigtimedwait(&set, NULL, &now)) > 0) {
		endwin();
		if (number == SIGTSTP)
			terminal_stop();
		terminal_refresh();
		refresh();
	}
}

/* Reads the next byte or key of curses. */
static int key_read(struct terminal *terminal, int milliseconds)
{
	struct pollfd input = {.fd = terminal->keys ? STDIN_FILENO : -1, .events = POLLIN};
	const struct timespec wait = {milliseconds / 1000, milliseconds % 1000 * 1000000L};
	const bool curses = terminal->screen && terminal->keys;
	unsigned char byte;
	int key = curses ? getch() : ERR;
	if (key != ERR)
		return key;
	const int ready = ppoll(&input, 1, &wait, terminal->prepared ? &terminal->waiting : NULL);
	if (ready <= 0)
		return ready == 0 || errno == EINTR ? KEY_NONE : KEY_CLOSED;
	if (curses)
		key = getch();
	else if (read(STDIN_FILENO, &byte, 1) == 1)
		key = byte;
	return key == ERR ? KEY_CLOSED : key;
}

int terminal_key(struct terminal *terminal, int milliseconds)
{
	if (terminal->screen)
		signals_take();
	int key = key_read(terminal, milliseconds);
	if (key >= KEY_NONE || key == KEY_RESIZE)
		return key == KEY_RESIZE ? KEY_NONE : key;
	terminal->taken++;
	if (key != KEY_ESCAPE)
		return key;
	key = key_read(terminal, SEQUENCE_MILLISECONDS);
	if (key == KEY_NONE)
		return KEY_ESCAPE;
	terminal->taken++;
	if (key != '[' && key != 'O')
		return KEY_OTHER;
	do {
		key = key_read(terminal, SEQUENCE_MILLISECONDS);
		terminal->taken += key < KEY_NONE;
	} while (key >= ' ' && key < '@');
	return KEY_OTHER;
}

/* Gives the canvas the size of the terminal, regardless of the environment. */
static void terminal_fit(struct terminal *terminal)
{
	struct winsize window;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col && window.ws_row &&
	    is_term_resized(window.ws_row, window.ws_col)) {
		resize_term(window.ws_row, window.ws_col);
		terminal_refresh();
	}
	getmaxyx(stdscr, terminal->canvas.lines, terminal->canvas.columns);
}

void terminal_show(struct terminal *terminal, const struct scene *scene)
{
	terminal_fit(terminal);
	erase();
	scene_draw(scene, &terminal->canvas);
	refresh();
}

void terminal_refresh(void)
{
	clearok(curscr, true);
}

void terminal_close(struct terminal *terminal)
{
	if (terminal->screen) {
		/* A terminal may have no alternate screen. */
		erase();
		refresh();
		endwin();
		delscreen(terminal->screen);
	}
	if (terminal->prepared)
		pthread_sigmask(SIG_SETMASK, &terminal->mask, NULL);
	terminal->screen = NULL;
	terminal->prepared = false;
}
