/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn paper: figures and tables of finished runs, as a bundle; and games of it played again. */
#include "src/commands/command.h"
#include "src/run/experiment.h"
#include "src/run/launch.h"
#include "base/atomic_file.h"
#include "src/cli/options.h"
#include "src/paper/paper.h"
#include "src/cli/provenance.h"
#include "base/stop.h"
#include "src/run/sweep_launch.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_LATEX = 0x100, KEY_MODELS, KEY_CHECK, KEY_FRACTION, KEY_NO_TIMES };

struct paper_options {
	struct text_list runs;
	const char *directory;
	bool latex, models, check, no_times;
	struct paper_check checking;
};

static double fraction_read(struct argp_state *state, const char *text)
{
	char *end;
	double x = strtod(text, &end);
	if (*text && *end == '%' && end[1] == '\0') {
		x /= 100;
		end++;
	}
	if (!*text || *end || strspn(text, "0123456789.e-%") != strlen(text) || !(x > 0 && x <= 1))
		option_error(state,
			     "--fraction: '%.40s' is not a share above 0 and at most 1, or 100%%",
			     text);
	return x;
}

static error_t parse_argument(char *arg, struct argp_state *state)
{
	struct paper_options *options = state->input;
	struct why why;
	if (!*arg)
		option_error(state, "a RUN must not be empty");
	option_check(state, list_add(&options->runs, arg, strlen(arg), &why), &why);
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct paper_options *options = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->checking.game;
		state->child_inputs[1] = &options->checking.seed;
		state->child_inputs[2] = &options->checking.threads;
		return 0;
	case 'o':
		options->directory = option_text(state, "--out", arg);
		return 0;
	case KEY_LATEX:
		options->latex = true;
		return 0;
	case KEY_MODELS:
		options->models = true;
		return 0;
	case KEY_CHECK:
		options->check = true;
		return 0;
	case KEY_NO_TIMES:
		options->no_times = true;
		return 0;
	case KEY_FRACTION:
		options->checking.fraction = fraction_read(state, arg);
		return 0;
	case ARGP_KEY_ARG:
		return parse_argument(arg, state);
	case ARGP_KEY_NO_ARGS:
		option_error(
		    state, "the run is missing: a folder that run, compare, duel, sweep or gap has "
			   "left, a table of train or tune, or an experiment");
	case ARGP_KEY_END:
		if (options->checking.fraction > 0 && !options->check)
			option_error(state,
				     "--fraction: is the share of games that --check plays again; "
				     "--check is missing");
		if (!options->checking.fraction)
			options->checking.fraction = 0.01;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option table[] = {
    {"out", 'o', "DIR", 0,
     "Folder of the bundle (default out/bundle); one that is there is made anew", 0},
    {"latex", KEY_LATEX, NULL, 0,
     "Also draw figures with text set by LaTeX, and write main.tex, which includes all figures and "
     "tables",
     0},
    {"models", KEY_MODELS, NULL, 0, "Also put what learners have learned into the bundle", 0},
    {"no-times", KEY_NO_TIMES, NULL, 0,
     "Leave out how long games of experiments took that are played for this", 0},
    {"check", KEY_CHECK, NULL, 0, "Play games of the runs, or of a bundle, again and compare them",
     1},
    {"fraction", KEY_FRACTION, "SHARE", 0,
     "Share of the games of each player to check, at least one of each (default 1%)", 1},
    {0},
};

static const struct argp_child children[] = {
    {.argp = &options_rule,
     .header = "Rules that games to check were played by, if not the usual ones:",
     .group = 2},
    {.argp = &options_seed, .group = 3},
    {.argp = &options_threads, .group = 3},
    {0}};

static const char doc[] = "Makes a bundle of figures and tables of each RUN: a folder that run, "
			  "compare, duel, sweep or gap has left, a table "
			  "of nxn train --curve or nxn tune or a folder of such, or an experiment, "
			  "a file or one that comes with nxn, which "
			  "is then run first, in DIR/runs. Figures are SVG and PDF, each with the "
			  "script and the table that draw it; tables "
			  "are for programs (TSV) and for print (LaTeX with booktabs, Markdown); "
			  "with the logs, where they come from, and "
			  "checksums. Interrupted, the same command goes on; the same runs give "
			  "the same bundle, byte for byte."
			  "\v"
			  "With --check, games of the logs, chosen by --seed, are played again as "
			  "their agent says, with models that are "
			  "still there, and compared: score, largest tile, moves, and of players "
			  "that tell chances sum and doubt, bit for "
			  "bit. Learners in the midst of their training whose weights have gone, "
			  "and agents that decide by the clock, "
			  "cannot be checked, and are named. The exit status is 1 if a game came "
			  "out otherwise or a file of the bundle "
			  "differs from its checksum. --seed is for that choice alone.\n\n"
			  "EXAMPLES\n"
			  "  nxn compare -b 3x3 -a random,corners -g 40 -o out/e --no-figures\n"
			  "  nxn paper out/e --out out/bundle --latex\n"
			  "  nxn paper --check out/bundle --fraction 10%";

const struct argp paper_argp = {
    .options = table, .parser = parse, .args_doc = "RUN...", .doc = doc, .children = children};

/* ---- The bundle. */

/* Plays the experiment of RUN as nxn run would. Returns the exit status. */
static int run_play(const struct paper_run *run, const struct paper_options *options,
		    const char *resume)
{
	struct why why;
	struct experiment experiment;
	char name[] = "nxn run", out[] = "--out", no_times[] = "--no-times";
	char *argv[] = {name,
			(char *)run->experiment,
			out,
			(char *)run->source,
			options->no_times ? no_times : NULL,
			NULL};
	struct launch_command command = {.name = "nxn paper", .resume = (char *)resume};
	struct launch_options launching = {.directory = run->source,
					   .pace = {.threads = options->checking.threads},
					   .no_times = options->no_times,
					   .no_figures = true};
	enum status status = shell_join(options->no_times ? 5 : 4, argv, &command.provenance, &why);
	if (!status)
		status = experiment_read(&experiment, run->experiment, &why);
	if (status)
		return command_exit("nxn paper", status, &why);
	int result = experiment.sweep
			 ? sweep_launch(&experiment, experiment.sweep, &launching, &command)
			 : launch(&experiment, &launching, &command);
	experiment_fini(&experiment);
	free(command.provenance);
	putchar('\n');
	return result;
}

static enum status run_bundle(struct paper *paper, struct paper_run *run, struct why *why)
{
	enum status status = paper_data(paper, run, why);
	status = status ? status : paper_tables(paper, run, why);
	status = status ? status : paper_figures(paper, run, why);
	if (!status)
		printf("%s: %zu figure%s, %zu table%s\n", run->name, run->figure_count,
		       run->figure_count == 1 ? "" : "s", run->table_count,
		       run->table_count == 1 ? "" : "s");
	fflush(stdout);
	return stop_requested() ? STATUS_STOPPED : status;
}

static enum status bundle_write(struct paper *paper, struct why *why)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < paper->run_count; i++)
		status = run_bundle(paper, &paper->runs[i], why);
	status = status ? status : paper_provenance(paper, why);
	status = status ? status : paper_readme(paper, why);
	if (!status && paper->latex)
		status = paper_main(paper, why);
	status = status ? status : paper_page(paper, why);
	return status ? status : paper_end(paper, why);
}

/* Plays what has to be played, then writes the bundle. Returns the exit status. */
static int bundle_make(struct paper *paper, const struct paper_options *options, const char *resume)
{
	struct why why;
	struct lock lock = {0};
	char marked[FOLDER_PATH_MAX];
	enum status status = paper_begin(paper, &why);
	status = status ? status : path_format(marked, &why, "%s/provenance.txt", paper->directory);
	status = status ? status : lock_take(&lock, marked, &why);
	int result = command_exit("nxn paper", status, &why);
	for (size_t i = 0; !result && i < paper->run_count; i++)
		if (*paper->runs[i].experiment)
			result = run_play(&paper->runs[i], options, resume);
	if (!result) {
		status = bundle_write(paper, &why);
		if (status && stop_requested()) {
			fprintf(stderr, "nxn paper: stopped; to go on:\n%s\n", resume);
			status = STATUS_STOPPED;
		}
		result = command_exit("nxn paper", status, &why);
	}
	lock_release(&lock);
	if (!result)
		printf("Bundle of %zu files in %s; README.md tells what is where.\n",
		       paper->files.n + 1, paper->directory);
	return result;
}

static int paper_make(const struct paper_options *options, const char *command, const char *resume)
{
	struct why why;
	struct paper paper = {
	    .directory = options->directory, .latex = options->latex, .models = options->models};
	enum status status = paper_origin(&paper, command, &why);
	for (size_t i = 0; !status && i < options->runs.n; i++)
		status = paper_add(&paper, options->runs.item[i], &why);
	stop_catch();
	int result =
	    status ? command_exit("nxn paper", status, &why) : bundle_make(&paper, options, resume);
	paper_fini(&paper);
	return result;
}

/* ---- Checking. */

static int check_end(const struct paper_count *count, size_t files, size_t bad)
{
	if (files > 0)
		printf("%zu files, %zu of them other than when the bundle was made\n", files, bad);
	printf("%s: %" PRIu64 " of %" PRIu64 " games played again, %" PRIu64 " came out otherwise",
	       count->bad || bad ? "DIFFERENT"
	       : count->done	 ? "the same"
				 : "nothing to compare",
	       count->done, count->games, count->bad);
	if (count->left)
		printf("; %" PRIu64 " are of players that cannot be checked", count->left);
	putchar('\n');
	return count->bad || bad ? 1 : 0;
}

static int paper_verify(const struct paper_options *options)
{
	struct why why;
	struct paper_count count = {0};
	size_t files = 0, bad = 0;
	enum status status = STATUS_OK;
	stop_catch();
	for (size_t i = 0; !status && i < options->runs.n; i++)
		status = paper_check_folder(options->runs.item[i], &options->checking, &count,
					    &files, &bad, &why);
	return status ? command_exit("nxn paper", status, &why) : check_end(&count, files, bad);
}

int cmd_paper(int argc, char **argv)
{
	struct why why;
	struct launch_command command;
	struct paper_options options = {
	    .directory = "out/bundle",
	    .checking = {.seed = 1, .threads = threads_default()},
	};
	enum status status = launch_command_init(&command, argc, argv, &why);
	if (status)
		return command_exit(argv[0], status, &why);
	options_parse(&paper_argp, argc, argv, 0, &options);
	int result = options.check ? paper_verify(&options)
				   : paper_make(&options, command.provenance, command.resume);
	list_free(&options.runs);
	launch_command_fini(&command);
	return result;
}
