/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fail [-p FOLDER] [-n N] [-a] [-r FILE] -c CALLS -e WHAT COMMAND...
 *
 * Runs a command in a world that breaks at its N-th system call of some kind on files below a
 * folder. CALLS is a list of the names in the table below; WHAT is the name of an error that the
 * call then returns, HALF for a write of which only the first half gets through and after which the
 * disk is full, the name of a signal that arrives just before the call, or LOSE=NAME for the folder
 * NAME being moved to NAME.lost. With -a all calls from the N-th on fail. FILE gets a line for what
 * was done; without -n, which does nothing, the number of calls. The exit status is the command's,
 * or 128 plus the number of its signal; 125 where the system does not allow this.
 *
 * The calls are seen by a filter of seccomp(2) that asks this process before each
 * (seccomp_unotify(2)). So nothing is put into the command, what the C library does by itself is
 * seen as well, and so are the programs that the command starts, save for calls that have no file.
 *
 * Invariant: calls that do not match, and those before the N-th, are carried out by the system as
 * if nobody had looked.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, CALLS_MAX = 64, STACK_BYTES = 1 << 16, CANNOT = 125 };

/* Where a call has its file: a descriptor, or a path that may be relative to a folder. */
enum where { BY_FD, BY_PATH, BY_PATH_AT, BY_NOTHING };

struct call {
	const char *name; /* as on the command line, where several may share one */
	int number;
	enum where where;
	int argument; /* which: the descriptor, the path, or the folder before a path */
	int flags;    /* of open(2): which argument they are; else -1 */
};

/* "open" is one that may write; "openread" one that only reads. */
static const struct call calls[] = {
    {"write", SYS_write, BY_FD, 0, -1},		 {"write", SYS_pwrite64, BY_FD, 0, -1},
    {"write", SYS_writev, BY_FD, 0, -1},	 {"read", SYS_read, BY_FD, 0, -1},
    {"read", SYS_pread64, BY_FD, 0, -1},	 {"fsync", SYS_fsync, BY_FD, 0, -1},
    {"ftruncate", SYS_ftruncate, BY_FD, 0, -1},	 {"flock", SYS_flock, BY_FD, 0, -1},
    {"open", SYS_openat, BY_PATH_AT, 0, 2},	 {"openread", SYS_openat, BY_PATH_AT, 0, 2},
    {"rename", SYS_renameat, BY_PATH_AT, 0, -1}, {"rename", SYS_renameat2, BY_PATH_AT, 0, -1},
    {"mkdir", SYS_mkdirat, BY_PATH_AT, 0, -1},	 {"unlink", SYS_unlinkat, BY_PATH_AT, 0, -1},
#ifdef SYS_open
    {"open", SYS_open, BY_PATH, 0, 1},		 {"openread", SYS_open, BY_PATH, 0, 1},
    {"rename", SYS_rename, BY_PATH, 0, -1},	 {"mkdir", SYS_mkdir, BY_PATH, 0, -1},
    {"unlink", SYS_unlink, BY_PATH, 0, -1},
#endif
    {"mmap", SYS_mmap, BY_NOTHING, 0, -1},	 {"clone", SYS_clone, BY_NOTHING, 0, -1},
    {"clone", SYS_clone3, BY_NOTHING, 0, -1},	 {"pipe", SYS_pipe2, BY_NOTHING, 0, -1},
};

enum { CALLS = sizeof calls / sizeof *calls };

static const struct {
	const char *name;
	int number;
} errors[] = {{"ENOSPC", ENOSPC}, {"EIO", EIO},	      {"EROFS", EROFS},	  {"ENOMEM", ENOMEM},
	      {"EINTR", EINTR},	  {"EACCES", EACCES}, {"EMFILE", EMFILE}, {"EAGAIN", EAGAIN}},
  signals[] = {{"SIGKILL", SIGKILL}, {"SIGTERM", SIGTERM}, {"SIGINT", SIGINT}, {"SIGHUP", SIGHUP}};

struct job {
	const struct call *chosen[CALLS_MAX];
	int chosen_count;
	int error, signal;
	bool half, all;
	const char *lost;	/* the folder to be moved away, or NULL */
	unsigned long at, seen; /* the call that breaks, from 1 on, or 0; those that were */
	char folder[PATH_BYTES];
	const char *report;
	char **command;
	int listener, failure; /* of the child that becomes the command */
	pid_t pid;
};

static void complain(const char *what, const char *which)
{
	fprintf(stderr, "fail: %s '%s'\n", what, which);
	exit(CANNOT);
}

static void calls_choose(struct job *job, char *list)
{
	for (char *name; (name = strsep(&list, ","));) {
		const int before = job->chosen_count;
		for (int i = 0; i < CALLS; i++)
			if (strcmp(calls[i].name, name) == 0 && job->chosen_count < CALLS_MAX)
				job->chosen[job->chosen_count++] = &calls[i];
		if (job->chosen_count == before)
			complain("no call", name);
	}
}

static void fault_choose(struct job *job, const char *name)
{
	job->half = strcmp(name, "HALF") == 0;
	job->lost = strncmp(name, "LOSE=", 5) == 0 ? name + 5 : NULL;
	job->all |= job->half;
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++)
		if (strcmp(errors[i].name, name) == 0)
			job->error = errors[i].number;
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		if (strcmp(signals[i].name, name) == 0)
			job->signal = signals[i].number;
	if (job->half)
		job->error = ENOSPC;
	if (!job->lost && !job->error && !job->signal)
		complain("no fault", name);
}

static void arguments_read(struct job *job, int argc, char **argv)
{
	const char *folder = ".";
	for (int c; (c = getopt(argc, argv, "+p:n:ar:c:e:")) != -1;) {
		switch (c) {
		case 'p':
			folder = optarg;
			break;
		case 'n':
			job->at = strtoul(optarg, NULL, 10);
			break;
		case 'a':
			job->all = true;
			break;
		case 'r':
			job->report = optarg;
			break;
		case 'c':
			calls_choose(job, optarg);
			break;
		case 'e':
			fault_choose(job, optarg);
			break;
		default:
			exit(CANNOT);
		}
	}
	if (!realpath(folder, job->folder))
		complain("no folder", folder);
	job->command = argv + optind;
	if (!job->chosen_count || !*job->command)
		complain("expected -c CALLS and a", "COMMAND");
}

/*
 * Sends the chosen calls of this process, and of all that it starts, to a listener. -1 with errno.
 */
static int filter_install(const struct job *job)
{
	struct sock_filter code[2 * CALLS_MAX + 2];
	unsigned short n = 0;
	code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
						 offsetof(struct seccomp_data, nr));
	for (int i = 0; i < job->chosen_count; i++) {
		code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
							 (unsigned)job->chosen[i]->number, 0, 1);
		code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
	}
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	const struct sock_fprog program = {n, code};
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
			    &program);
}

/* Shares memory and descriptors with its parent until it has become the command. */
static int child(void *context)
{
	struct job *job = context;
	job->listener = filter_install(job);
	if (job->listener < 0)
		job->failure = errno;
	else
		execvp(job->command[0], job->command);
	_exit(CANNOT);
}

static void command_start(struct job *job)
{
	char *stack = malloc(STACK_BYTES);
	assert(stack);
	job->pid =
	    clone(child, stack + STACK_BYTES, CLONE_VM | CLONE_VFORK | CLONE_FILES | SIGCHLD, job);
	free(stack);
	if (job->pid < 0 || job->failure) {
		errno = job->failure ? job->failure : errno;
		perror("fail: cannot watch system calls");
		exit(CANNOT);
	}
}

/* The text of link /proc/PID/NAME; false if there is none. */
static bool link_read(pid_t pid, const char *name, char path[PATH_BYTES])
{
	char link[64];
	snprintf(link, sizeof link, "/proc/%d/%s", (int)pid, name);
	const ssize_t length = readlink(link, path, PATH_BYTES - 1);
	path[length < 0 ? 0 : length] = '\0';
	return length > 0;
}

static bool descriptor_path(pid_t pid, int fd, char path[PATH_BYTES])
{
	char name[32];
	snprintf(name, sizeof name, "fd/%d", fd);
	return link_read(pid, fd == AT_FDCWD ? "cwd" : name, path);
}

/* The path at ADDRESS of a process, below FROM if it is relative. */
static bool path_fetch(pid_t pid, uint64_t address, int from, char path[PATH_BYTES])
{
	char text[PATH_BYTES], folder[PATH_BYTES];
	size_t got = 0;
	/* Page by page, for the text may stand at the end of what there is. */
	while (got < sizeof text && !memchr(text, '\0', got)) {
		const size_t step = 256 - (address + got) % 256;
		const struct iovec to = {text + got,
					 step < sizeof text - got ? step : sizeof text - got};
		const struct iovec there = {(void *)(uintptr_t)(address + got), to.iov_len};
		const ssize_t n = process_vm_readv(pid, &to, 1, &there, 1, 0);
		if (n <= 0)
			return false;
		got += (size_t)n;
	}
	text[sizeof text - 1] = '\0';
	if (*text == '/')
		return snprintf(path, PATH_BYTES, "%s", text) < PATH_BYTES;
	return descriptor_path(pid, from, folder) &&
	       snprintf(path, PATH_BYTES, "%s/%s", folder, text) < PATH_BYTES;
}

static bool path_of(const struct call *call, const struct seccomp_notif *asked,
		    char path[PATH_BYTES])
{
	const __u64 *argument = asked->data.args + call->argument;
	const pid_t pid = (pid_t)asked->pid;
	switch (call->where) {
	case BY_FD:
		return descriptor_path(pid, (int)argument[0], path);
	case BY_PATH:
		return path_fetch(pid, argument[0], AT_FDCWD, path);
	case BY_PATH_AT:
		return path_fetch(pid, argument[1], (int)argument[0], path);
	case BY_NOTHING:
		break;
	}
	return snprintf(path, PATH_BYTES, "-") > 0;
}

/* Whether a thread is one of the command itself, not of a program that it has started. */
static bool own_thread(const struct job *job, pid_t thread)
{
	char path[64];
	snprintf(path, sizeof path, "/proc/%d/task/%d", (int)job->pid, (int)thread);
	return access(path, F_OK) == 0;
}

/* The first of the chosen calls that what is ASKED is one of, and on what; NULL if none. */
static const struct call *call_match(const struct job *job, const struct seccomp_notif *asked,
				     char path[PATH_BYTES])
{
	const size_t length = strlen(job->folder);
	for (int i = 0; i < job->chosen_count; i++) {
		const struct call *call = job->chosen[i];
		if (call->number != asked->data.nr || !path_of(call, asked, path))
			continue;
		if (call->flags >= 0) {
			const bool writes =
			    (asked->data.args[call->flags] & (O_WRONLY | O_RDWR | O_CREAT)) != 0;
			if (writes != (strcmp(call->name, "open") == 0))
				continue;
		}
		if (call->where == BY_NOTHING ? own_thread(job, (pid_t)asked->pid)
					      : strncmp(path, job->folder, length) == 0 &&
						    (path[length] == '/' || !path[length]))
			return call;
	}
	return NULL;
}

/* Writes the first half for the process that asks; the number of bytes, or 0. */
static int64_t half_write(const struct seccomp_notif *asked)
{
	const __u64 *a = asked->data.args;
	char *data = NULL;
	ssize_t done = -1;
	size_t size = a[2] / 2;
	int process = (int)syscall(SYS_pidfd_open, asked->pid, 0);
	/* A thread that is not the first of its process has no such descriptor. */
	char status[64];
	snprintf(status, sizeof status, "/proc/%u/fd/%d", asked->pid, (int)a[0]);
	int fd = process >= 0 ? (int)syscall(SYS_pidfd_getfd, process, (int)a[0], 0) : -1;
	if (fd < 0)
		fd = open(status, asked->data.nr == SYS_write ? O_WRONLY | O_APPEND : O_WRONLY);
	const struct iovec there = {(void *)(uintptr_t)a[1], size};
	if (fd >= 0 && size > 0 && asked->data.nr != SYS_writev && (data = malloc(size))) {
		const struct iovec to = {data, size};
		if (process_vm_readv((pid_t)asked->pid, &to, 1, &there, 1, 0) == (ssize_t)size)
			done = asked->data.nr == SYS_write ? write(fd, data, size)
							   : pwrite(fd, data, size, (off_t)a[3]);
	}
	free(data);
	if (fd >= 0)
		close(fd);
	if (process >= 0)
		close(process);
	return done < 0 ? 0 : done;
}

static void report(const struct job *job, const char *what, const char *path)
{
	FILE *file = job->report ? fopen(job->report, "w") : NULL;
	if (file) {
		fprintf(file, "%s %s\n", what, path);
		fclose(file);
	}
}

static void folder_lose(const struct job *job)
{
	char away[PATH_BYTES];
	snprintf(away, sizeof away, "%s.lost", job->lost);
	rename(job->lost, away);
}

/* What is to become of the call: sets errors and values of the ANSWER. */
static void call_judge(struct job *job, const struct seccomp_notif *asked,
		       struct seccomp_notif_resp *answer)
{
	char path[PATH_BYTES];
	const struct call *call = call_match(job, asked, path);
	answer->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	if (!call)
		return;
	job->seen++;
	if (!job->at || job->seen < job->at || (job->seen > job->at && !job->all))
		return;
	if (job->seen == job->at)
		report(job, call->name, path);
	if (job->signal)
		kill(job->pid, job->signal);
	if (job->lost)
		folder_lose(job);
	if (!job->error)
		return;
	answer->flags = 0;
	answer->val = job->half && job->seen == job->at ? half_write(asked) : 0;
	answer->error = answer->val ? 0 : -job->error;
}

/* Answers until nobody is left to ask. */
static void calls_answer(struct job *job)
{
	struct pollfd listener = {.fd = job->listener, .events = POLLIN};
	for (;;) {
		struct seccomp_notif asked = {0};
		struct seccomp_notif_resp answer = {0};
		if (poll(&listener, 1, -1) < 0 && errno == EINTR)
			continue;
		if (!(listener.revents & POLLIN))
			return;
		if (ioctl(job->listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0)
			continue; /* The one that asked is gone. */
		answer.id = asked.id;
		call_judge(job, &asked, &answer);
		(void)ioctl(job->listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
	}
}

int main(int argc, char **argv)
{
	static struct job job = {.listener = -1};
	char count[32];
	int result = 0;
	arguments_read(&job, argc, argv);
	command_start(&job);
	calls_answer(&job);
	while (waitpid(job.pid, &result, 0) < 0 && errno == EINTR)
		;
	if (!job.at) {
		snprintf(count, sizeof count, "%lu", job.seen);
		report(&job, "calls", count);
	}
	return WIFSIGNALED(result) ? 128 + WTERMSIG(result) : WEXITSTATUS(result);
}
