/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plays an experiment and reports on it; see launch.h. */
#include "base/text.h"
#include "src/run/ranks.h"
#include "src/run/launch.h"

#include "src/cli/command_exit.h"
#include "base/file.h"
#include "src/cli/options.h"
#include "src/cli/provenance.h"
#include "src/report/report.h"
#include "src/run/logs.h"
#include "base/stop.h"
#include "src/run/tournament.h"
#include "src/run/traces.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Command lines. */

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			    "-_./:,=+@%";

static void put_word(FILE *out, const char *word)
{
	if (*word && word[strspn(word, plain)] == '\0') {
		fputs(word, out);
		return;
	}
	fputc('\'', out);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	}
	fputc('\'', out);
}

static enum status words_join(int ranks, const char *program, int n, char **argv, char **line,
			      struct why *why)
{
	char *text = NULL;
	size_t size;
	FILE *out = stream_open(&text, &size);
	if (!out)
		return why_errno(why, "command line");
	if (ranks > 1)
		fprintf(out, "mpirun -n %d ", ranks);
	put_word(out, program);
	fputs(argv[0] + strlen("nxn"), out);
	for (int i = 1; i < n; i++) {
		fputc(' ', out);
		put_word(out, argv[i]);
	}
	if (fclose(out)) {
		free(text);
		return why_errno(why, "command line");
	}
	*line = text;
	return STATUS_OK;
}

enum status shell_join(int n, char **argv, char **line, struct why *why)
{
	return words_join(1, "nxn", n, argv, line, why);
}

/* The same as it would be typed to go on: with the name that this program was called by. */
static enum status shell_again(int n, char **argv, char **line, struct why *why)
{
	return words_join(ranks_size(), program_invocation_name, n, argv, line, why);
}

enum status launch_command_init(struct launch_command *command, int argc, char **argv,
				struct why *why)
{
	struct launch_command c = {.name = argv[0]};
	enum status status = shell_join(argc, argv, &c.provenance, why);
	if (!status)
		status = shell_again(argc, argv, &c.resume, why);
	if (status)
		free(c.provenance);
	else
		*command = c;
	return status;
}

void launch_command_fini(struct launch_command *command)
{
	free(command->provenance);
	free(command->resume);
}

void launch_resume_print(const struct launch_command *command, const char *text)
{
	fflush(stdout);
	fprintf(stderr, "%s: stopped%s%s; to go on:\n%s\n", command->name, *text ? " " : "", text,
		command->resume);
}

static void results_print(const struct launch_task *task, const struct launch_options *options)
{
	const char *directory = options->directory;
	const bool usual = !task->tables[0];
	printf("\n%s%s%s, %s%s%s", task->results[0], directory, task->results[1],
	       usual ? "tables in " : task->tables[0], directory,
	       usual ? "/tables" : task->tables[1]);
	if (!options->no_figures)
		printf(", %s in %s/figures", usual ? "figures" : task->figures, directory);
	printf(".\n");
}

/* How far TASK came, and how to go on. */
static void task_resume_print(const struct launch_task *task, const struct launch_command *command)
{
	char text[160] = "";
	const struct work_done *s = &task->searches, *g = &task->games;
	size_t used = 0;
	if (s->total)
		used =
		    (size_t)snprintf(text, sizeof text, "after %" PRIu64 " of %" PRIu64 " searches",
				     s->done, s->total);
	if (g->total)
		snprintf(text + used, sizeof text - used, "%s %" PRIu64 " of %s%" PRIu64 " games%s",
			 used ? " and" : "after", g->done, task->next ? "the " : "", g->total,
			 task->next ? task->next : "");
	else if (!used && task->nothing)
		snprintf(text, sizeof text, "after %s", task->nothing);
	launch_resume_print(command, text);
}

int launch_run(struct launch_task *task, const struct launch_options *options,
	       const struct launch_command *command)
{
	struct why why;
	const bool part = *options->share.part;
	stop_catch();
	stop_after(options->pace.budget);
	enum status status = task->work(task->context, &why);
	bool stopped = status == STATUS_STOPPED;
	if (!status && part) {
		share_done_print(&options->share, options->directory);
		return 0;
	}
	if (!status || (stopped && !part && task->searches.done + task->games.done > 0))
		status = task->report(task->context, stopped, &why);
	const bool leaves = task->results[0];
	if (!status && !stopped && leaves && !options->no_figures)
		status = report_figures(options->directory, &why);
	/* Ctrl-C on a terminal ends gnuplot, too. */
	if (stopped || (status && stop_requested())) {
		task_resume_print(task, command);
		status = status ? status : STATUS_STOPPED;
		return command_exit(command->name, stopped ? status : STATUS_STOPPED, &why);
	}
	if (!status && leaves)
		results_print(task, options);
	return command_exit(command->name, status, &why);
}

/* An experiment as a task. */
struct play {
	struct launch_task task;
	struct gamelog log; /* all that the folder's log holds */
	const struct experiment *experiment;
	const struct launch_options *options;
	struct provenance provenance;
};

static enum status play_work(void *context, struct why *why)
{
	struct play *play = context;
	const struct launch_options *options = play->options;
	const struct tournament_options tournament = {
	    .directory = options->directory,
	    .provenance = &play->provenance,
	    .threads = options->pace.threads,
	    .share = options->share,
	    .times = !options->no_times,
	    .progress = options->pace.progress,
	};
	return tournament_play(play->experiment, &tournament, &play->task.games, &play->log, why);
}

/* Reports on the games of the experiment. */
static enum status play_report(void *context, bool stopped, struct why *why)
{
	const struct play *play = context;
	const struct experiment *experiment = play->experiment;
	const char *directory = play->options->directory;
	const struct report_options report = {.directory = stopped ? NULL : directory,
					      .provenance = provenance_lines(&play->provenance)};
	struct gamelog selection;
	enum status status = selection_init(&selection, &play->log, experiment, why);
	if (status)
		return status;
	if (experiment->traces && !stopped)
		status = traces_write(experiment, directory, report.provenance, why);
	status = status ? status : report_make(&selection, &report, why);
	gamelog_fini(&selection);
	return status;
}

int launch(const struct experiment *experiment, const struct launch_options *options,
	   const struct launch_command *command)
{
	struct why why;
	struct play play = {.task = {.work = play_work,
				     .report = play_report,
				     .context = &play,
				     .nothing = "0 of 0 games",
				     .results = {"Game log ", "/games.tsv"}},
			    .experiment = experiment,
			    .options = options};
	enum status status =
	    experiment_provenance(experiment, command->provenance, &play.provenance, &why);
	if (status)
		return command_exit(command->name, status, &why);
	if (experiment->title)
		printf("%s\n\n", experiment->title);
	gamelog_init(&play.log);
	const int result = launch_run(&play.task, options, command);
	gamelog_fini(&play.log);
	provenance_fini(&play.provenance);
	return result;
}
