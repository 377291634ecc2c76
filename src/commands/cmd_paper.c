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
#include "src/run/sweep.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct paper_options {
	struct text_list runs;
	const char *directory;
	bool latex, models, check, no_times;
	struct paper_check checking;
};

static void fraction_take(struct argp_state *state, const char *what, char *text, void *field)
{
	char *end;
	double x = strtod(text, &end);
	if (*text && *end == '%' && end[1] == '\0') {
		x /= 100;
		end++;
	}
	if (!*text || *end || strspn(text, "0123456789.e-%") != strlen(text) || !(x > 0 && x <= 1))
		option_error(state, "%s: '%.40s' is not a share above 0 and at most 1, or 100%%",
			     what, text);
	*(double *)field = x;
}

static void run_take(struct argp_state *state, char *run, void *input)
{
	struct paper_options *options = input;
	struct why why;
	if (!*run)
		option_error(state, "a RUN must not be empty");
	option_check(state, list_add(&options->runs, run, strlen(run), &why), &why);
}

static void options_check(struct argp_state *state, void *input)
{
	struct paper_options *options = input;
	if (options->checking.fraction > 0 && !options->check)
		option_error(state, "--fraction: is the share of games that --check plays again; "
				    "--check is missing");
	if (!options->checking.fraction)
		options->checking.fraction = 0.01;
}

#define FIELD(M) offsetof(struct paper_options, M)

static const struct command_option options_table[] = {
    OPTION("out", 'o', "DIR", OPTION_NAME, FIELD(directory),
	   "Folder of the bundle (default out/bundle); one that is there is made anew"),
    OPTION("latex", 0, NULL, OPTION_FLAG, FIELD(latex),
	   "Also draw figures with text set by LaTeX, and write main.tex, which includes all "
	   "figures and tables"),
    OPTION("models", 0, NULL, OPTION_FLAG, FIELD(models),
	   "Also put what learners have learned into the bundle"),
    OPTION("no-times", 0, NULL, OPTION_FLAG, FIELD(no_times),
	   "Leave out how long games of experiments took that are played for this"),
    OPTION_GROUP_MARK(1, ""),
    OPTION("check", 0, NULL, OPTION_FLAG, FIELD(check),
	   "Play games of the runs, or of a bundle, again and compare them"),
    OPTION_TAKEN("fraction", 0, "SHARE", FIELD(checking.fraction), fraction_take,
		 "Share of the games of each player to check, at least one of each (default 1%)"),
    OPTION_GROUP_MARK(2, "Rules that games to check were played by, if not the usual ones:"),
    RULE_OPTIONS(checking.game),
    OPTION_GROUP_MARK(3, ""),
    SEED_OPTION(checking.seed),
    THREADS_OPTION(checking.threads),
    {0},
};

static const char doc[] =
    "Makes a bundle of figures and tables of each RUN: a folder that run, compare, duel, sweep or "
    "gap has left, a table of nxn train --curve or nxn tune or a folder of such, or an experiment, "
    "a file or one that comes with nxn, which is then run first, in DIR/runs. Figures are SVG and "
    "PDF, each with the script and the table that draw it; tables are for programs (TSV) and for "
    "print (LaTeX with booktabs, Markdown); with the logs, where they come from, and checksums. "
    "Interrupted, the same command goes on; the same runs give the same bundle, byte for byte.\v"
    "With --check, games of the logs, chosen by --seed, are played again as their agent says, with "
    "models that are still there, and compared: score, largest tile, moves, and of players that "
    "tell chances sum and doubt, bit for bit. Learners in the midst of their training whose "
    "weights have gone, and agents that decide by the clock, cannot be checked, and are named. The "
    "exit status is 1 if a game came out otherwise or a file of the bundle differs from its "
    "checksum. --seed is for that choice alone.\n\n"
    "EXAMPLES\n"
    "  nxn compare -b 3x3 -a random,corners -g 40 -o out/e --no-figures\n"
    "  nxn paper out/e --out out/bundle --latex\n"
    "  nxn paper --check out/bundle --fraction 10%";

const struct command_line paper_line = {
    .options = options_table,
    .arguments = "RUN...",
    .missing = "the run is missing: a folder that run, compare, duel, sweep or gap has "
	       "left, a table of train or tune, or an experiment",
    .argument = run_take,
    .check = options_check,
    .doc = doc,
};

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
	command_line_parse(&paper_line, argc, argv, &options);
	int result = options.check ? paper_verify(&options)
				   : paper_make(&options, command.provenance, command.resume);
	list_free(&options.runs);
	launch_command_fini(&command);
	return result;
}
