/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * terminal COLUMNSxLINES COMMAND WORDS...: runs a command on a terminal of its own, which is a
 * pseudo-terminal with tests/src/play/vt.h on its other side, under a shell that does no more than
 * job control. What is to happen is read from standard input, a line each:
 *
 *   wait TEXT        until it is on the screen; not TEXT: until it is not
 *   keys TEXT        presses them; \e is Escape, \xHH a byte
 *   size CxL         of the terminal, from now on
 *   signal NUMBER    for the command
 *   stopped          waits until the command is stopped, and tells how the terminal is
 *   continue         goes on with it in the foreground
 *   screen           prints what is to be seen
 *   inks             prints what it is drawn with, each once
 *   within MS        until the next wait, and the end, no more time than that may pass
 *
 * At the end, when the command has ended, prints what is to be seen, `status N` (128 and the signal
 * that ended it), how the terminal is, and errors of what was sent to it. Exit status 1 if
 * something did not happen.
 */
#include "tests/src/play/vt.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utmp.h>

enum { PATIENCE_MS = 300000, SLICE_MS = 10, QUIET_MS = 60 };

struct terminal {
	struct vt vt;
	int master, news; /* what the shell tells: 's' stopped, 'x' ended, each with a status */
	pid_t shell, command;
	struct termios before;
	int patience;
	bool stopped, ended, bad;
	int status;
};

/* What the shell tells. */
struct news {
	char kind; /* 'p' the command's pid, 's' it is stopped, 'x' it has ended */
	int number;
};

static double now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void tell(int to, char kind, int number)
{
	struct news news = {kind, number};
	if (write(to, &news, sizeof news) != sizeof news)
		_exit(1);
}

/* The shell: the command in the foreground, and what becomes of it. */
static void shell(char **words, int to)
{
	signal(SIGTTOU, SIG_IGN);
	const pid_t pid = fork();
	if (pid == 0) {
		setpgid(0, 0);
		tcsetpgrp(0, getpid());
		signal(SIGTTOU, SIG_DFL);
		close(to);
		execvp(words[0], words);
		_exit(127);
	}
	setpgid(pid, pid);
	tell(to, 'p', (int)pid);
	/* The session must not end with the terminal's hangup before this has told of it. */
	signal(SIGHUP, SIG_IGN);
	for (int status; waitpid(pid, &status, WUNTRACED) == pid;) {
		if (WIFSTOPPED(status)) {
			tell(to, 's', WSTOPSIG(status));
			continue;
		}
		tell(to, 'x', WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
		break;
	}
	/* What the terminal was left like is looked at first. */
	pause();
}

static void hear(struct terminal *t)
{
	struct news news;
	if (read(t->news, &news, sizeof news) != sizeof news)
		return;
	if (news.kind == 'p') {
		t->command = news.number;
	} else if (news.kind == 's') {
		t->stopped = true;
	} else {
		t->ended = true;
		t->status = news.number;
	}
}

/* Takes in what comes in MS milliseconds; false if nothing came. */
static bool listen_to(struct terminal *t, int ms)
{
	struct pollfd files[] = {{.fd = t->master, .events = POLLIN},
				 {.fd = t->news, .events = POLLIN}};
	char bytes[4096];
	if (poll(files, 2, ms) <= 0)
		return false;
	if (files[0].revents & POLLIN) {
		ssize_t n = read(t->master, bytes, sizeof bytes);
		if (n > 0)
			vt_bytes(&t->vt, bytes, (size_t)n);
	}
	if (files[1].revents & POLLIN)
		hear(t);
	return true;
}

enum awaited { TEXT_THERE, TEXT_GONE, STOPPED, ENDED, STARTED };

static bool is_so(const struct terminal *t, enum awaited what, const char *text)
{
	switch (what) {
	case TEXT_THERE:
		return vt_has(&t->vt, text);
	case TEXT_GONE:
		return !vt_has(&t->vt, text);
	case STOPPED:
		return t->stopped;
	case ENDED:
		return t->ended;
	default:
		return t->command;
	}
}

static void await(struct terminal *t, enum awaited what, const char *text)
{
	const double until = now_ms() + t->patience;
	while (!is_so(t, what, text) && now_ms() < until &&
	       (!t->ended || what == ENDED || listen_to(t, QUIET_MS)))
		listen_to(t, SLICE_MS);
	if (is_so(t, what, text))
		return;
	printf("not in %d ms: %s '%s'\n", t->patience, what == ENDED ? "the end" : "wait", text);
	vt_dump(&t->vt, stdout);
	t->bad = true;
}

/* Speeds and unused bytes say nothing. */
static bool settings_same(const struct termios *a, const struct termios *b)
{
	return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_cflag == b->c_cflag &&
	       a->c_lflag == b->c_lflag && memcmp(a->c_cc, b->c_cc, sizeof a->c_cc) == 0;
}

static void terminal_tell(struct terminal *t)
{
	struct termios after;
	while (listen_to(t, QUIET_MS) && !t->ended)
		;
	tcgetattr(t->master, &after);
	printf("settings %s\n", settings_same(&after, &t->before) ? "same" : "changed");
	printf("screen %s\n", t->vt.alternate ? "alternate" : "main");
	printf("cursor %s\n", t->vt.hidden ? "hidden" : "shown");
	printf("wrap %s\n", t->vt.nowrap ? "off" : "on");
	printf("drawing %s\n", *t->vt.sgr && strcmp(t->vt.sgr, "0m") ? "coloured" : "plain");
}

static void size_set(struct terminal *t, int columns, int lines)
{
	struct winsize size = {.ws_col = (unsigned short)columns, .ws_row = (unsigned short)lines};
	vt_resize(&t->vt, columns, lines);
	ioctl(t->master, TIOCSWINSZ, &size);
}

static void keys_press(struct terminal *t, const char *text)
{
	for (; *text; text++) {
		unsigned byte = (unsigned char)*text;
		if (text[0] == '\\' && text[1] == 'e') {
			byte = 27;
			text++;
		} else if (text[0] == '\\' && sscanf(text + 1, "x%2x", &byte) == 1) {
			text += 3;
		}
		const unsigned char one = (unsigned char)byte;
		if (write(t->master, &one, 1) != 1)
			t->bad = true;
	}
}

static void inks_tell(struct terminal *t)
{
	enum { INKS = 100 };
	const char *seen[INKS];
	int inks = 0;
	while (listen_to(t, QUIET_MS))
		;
	for (int i = 0; i < t->vt.lines * t->vt.columns && inks < INKS; i++) {
		const char *ink =
		    t->vt.screen[t->vt.alternate][i / t->vt.columns][i % t->vt.columns].sgr;
		int n = 0;
		while (n < inks && strcmp(seen[n], ink) != 0)
			n++;
		if (n == inks) {
			seen[inks++] = ink;
			printf("ink %s\n", ink);
		}
	}
}

static void act(struct terminal *t, const char *line)
{
	int a, b;
	if (strncmp(line, "wait ", 5) == 0)
		await(t, TEXT_THERE, line + 5);
	else if (strncmp(line, "not ", 4) == 0)
		await(t, TEXT_GONE, line + 4);
	else if (strncmp(line, "keys ", 5) == 0)
		keys_press(t, line + 5);
	else if (sscanf(line, "size %dx%d", &a, &b) == 2)
		size_set(t, a, b);
	else if (sscanf(line, "signal %d", &a) == 1)
		kill(t->command, a);
	else if (sscanf(line, "within %d", &a) == 1)
		t->patience = a;
	else if (strcmp(line, "stopped") == 0) {
		await(t, STOPPED, "");
		terminal_tell(t);
	} else if (strcmp(line, "continue") == 0) {
		t->stopped = false;
		kill(t->command, SIGCONT);
	} else if (strcmp(line, "inks") == 0) {
		inks_tell(t);
	} else if (strcmp(line, "screen") == 0) {
		while (listen_to(t, QUIET_MS))
			;
		vt_dump(&t->vt, stdout);
	} else {
		printf("what is '%s'?\n", line);
		t->bad = true;
	}
}

static void start(struct terminal *t, char **words)
{
	struct winsize size = {.ws_col = (unsigned short)t->vt.columns,
			       .ws_row = (unsigned short)t->vt.lines};
	int slave, news[2];
	if (openpty(&t->master, &slave, NULL, NULL, &size) || pipe(news)) {
		perror("terminal");
		exit(1);
	}
	tcgetattr(t->master, &t->before);
	fflush(stdout);
	t->shell = fork();
	if (t->shell == 0) {
		close(t->master);
		close(news[0]);
		if (login_tty(slave))
			_exit(126);
		fcntl(news[1], F_SETFD, FD_CLOEXEC);
		shell(words, news[1]);
		_exit(0);
	}
	close(slave);
	close(news[1]);
	t->news = news[0];
	await(t, STARTED, "");
}

static void finish(struct terminal *t)
{
	await(t, ENDED, "");
	if (!t->ended)
		kill(-t->command, SIGKILL);
	while (listen_to(t, QUIET_MS))
		;
	vt_dump(&t->vt, stdout);
	printf("status %d\n", t->status);
	terminal_tell(t);
	if (t->vt.errors)
		printf("%d errors: %s\n", t->vt.errors, t->vt.error);
	kill(t->shell, SIGKILL);
	waitpid(t->shell, NULL, 0);
}

int main(int argc, char **argv)
{
	static struct terminal t = {.patience = PATIENCE_MS};
	char line[512];
	int columns, lines;
	if (argc < 3 || sscanf(argv[1], "%dx%d", &columns, &lines) != 2 || columns > VT_COLUMNS ||
	    lines > VT_LINES) {
		fprintf(stderr, "usage: terminal COLUMNSxLINES COMMAND WORDS...\n");
		return 2;
	}
	vt_init(&t.vt, columns, lines);
	start(&t, argv + 2);
	while (!t.bad && fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\n")] = '\0';
		act(&t, line);
	}
	finish(&t);
	return t.bad || t.vt.errors;
}
