/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The subcommands of nxn: a file cmd_NAME.c each, a row each in main.c.
 *
 * A command gets argv[0] = "nxn NAME", parses its arguments with its NAME_argp, whose --help ends
 * with examples, and returns its exit status: 0; 1 for what is not the user's doing; 2 for what is;
 * 75 after SIGTERM, SIGUSR1 or the end of --time-budget, when the same command would go on; 130 after
 * Ctrl-C, and, of a game by a person, 129 after SIGHUP.
 */
#ifndef NXN_COMMAND_H
#define NXN_COMMAND_H

#include "boards/status.h"

#include <argp.h>

struct command {
	const char *name, *summary;
	int (*run)(int argc, char **argv);
	const struct argp
	    *argp; /* what run() parses by; completion and man pages go by it as well */
};

/* All of them, ending with a NULL name (main.c). */
extern const struct command commands[];

int cmd_bench(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_completion(int argc, char **argv);
int cmd_duel(int argc, char **argv);
int cmd_eval(int argc, char **argv);
int cmd_gap(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_paper(int argc, char **argv);
int cmd_perft(int argc, char **argv);
int cmd_play(int argc, char **argv);
int cmd_plot(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_serve(int argc, char **argv);
int cmd_solve(int argc, char **argv);
int cmd_stats(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_train(int argc, char **argv);
int cmd_tune(int argc, char **argv);
int cmd_verify(int argc, char **argv);

extern const struct argp bench_argp;
extern const struct argp compare_argp;
extern const struct argp completion_argp;
extern const struct argp duel_argp;
extern const struct argp eval_argp;
extern const struct argp gap_argp;
extern const struct argp info_argp;
extern const struct argp merge_argp;
extern const struct argp paper_argp;
extern const struct argp perft_argp;
extern const struct argp play_argp;
extern const struct argp plot_argp;
extern const struct argp run_argp;
extern const struct argp serve_argp;
extern const struct argp solve_argp;
extern const struct argp stats_argp;
extern const struct argp sweep_argp;
extern const struct argp train_argp;
extern const struct argp tune_argp;
extern const struct argp verify_argp;

/*
 * The exit status that STATUS stands for. Unless it is 0 or STATUS_STOPPED, prints "NAME: WHY" as
 * one line on standard error; NAME is the command's argv[0].
 */
int command_exit(const char *name, enum status status, const struct why *why);

#endif
