/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plays an experiment and reports on it; see launch.h. */
#include "src/run/launch.h"

#include "src/cli/command_exit.h"
#include "base/file.h"
#include "src/cli/options.h"
#include "src/cli/provenance.h"
#include "src/report/report.h"
#include "src/run/selection.h"
#include "src/run/shell.h"
#include "base/stop.h"
#include "src/run/tournament.h"
#include "src/run/traces.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { KEY_NO_FIGURES = 0x100, KEY_NO_TIMES };

static const struct argp_option table[] = {
    {"out", 'o', "DIR", 0, "Folder of the results; if it holds some, they are gone on with", 0},
    {"no-figures", KEY_NO_FIGURES, NULL, 0, "Write tables, but draw no figures", 0},
    {"no-times", KEY_NO_TIMES, NULL, 0,
     "Leave out how long games took, so that equal runs give equal logs", 0},
    {0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct launch_options *options = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->pace;
		state->child_inputs[1] = &options->share;
		return 0;
	case 'o':
		options->directory = option_text(state, "--out", arg);
		return 0;
	case KEY_NO_FIGURES:
		options->no_figures = true;
		return 0;
	case KEY_NO_TIMES:
		options->no_times = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {
    {.argp = &options_pace}, {.argp = &options_share}, {0}};
const struct argp launch_argp = {.options = table, .parser = parse, .children = children};

enum status launch_command_init(struct launch_command *command, int argc, char **argv,
				struct why *why)
{
	struct launch_command c = {.name = argv[0]};
	enum status status = shell_join("nxn", argc, argv, &c.provenance, why);
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

/* Reports on the games of EXPERIMENT in the log of its folder; on screen only, if it STOPPED. */
static enum status launch_report(const struct experiment *experiment,
				 const struct launch_options *options, const char *command,
				 bool stopped, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct gamelog log, selection;
	struct provenance provenance;
	gamelog_init(&log);
	enum status status = path_format(path, why, "%s/games.tsv", options->directory);
	if (!status)
		status = gamelog_read(&log, path, why);
	if (!status)
		status = selection_init(&selection, &log, experiment, why);
	gamelog_fini(&log);
	if (status)
		return status;
	status = experiment_provenance(experiment, command, &provenance, why);
	if (!status) {
		struct report_options report = {
		    .directory = stopped ? NULL : options->directory,
		    .provenance = provenance_lines(&provenance),
		    .figures = !options->no_figures,
		};
		if (experiment->traces && !stopped)
			status =
			    traces_write(experiment, options->directory, report.provenance, why);
		status = status ? status : report_make(&selection, &report, why);
		provenance_fini(&provenance);
	}
	gamelog_fini(&selection);
	return status;
}

static void resume_print(const struct launch_command *command, const struct tournament_count *count)
{
	fflush(stdout);
	fprintf(stderr, "%s: stopped after %" PRIu64 " of %" PRIu64 " games; to go on:\n%s\n",
		command->name, count->done, count->total, command->resume);
}

/* After Ctrl-C: what there is, and how to go on. */
static int launch_stopped(const struct experiment *experiment, const struct launch_options *options,
			  const struct launch_command *command,
			  const struct tournament_count *count)
{
	struct why why;
	enum status status = STATUS_OK;
	if (count->done > 0 && !*options->share.part)
		status = launch_report(experiment, options, command->provenance, true, &why);
	resume_print(command, count);
	return command_exit(command->name, status ? status : STATUS_STOPPED, &why);
}

int launch(const struct experiment *experiment, const struct launch_options *options,
	   const struct launch_command *command)
{
	struct why why;
	struct tournament_count count = {0};
	struct tournament_options tournament = {
	    .directory = options->directory,
	    .command = command->provenance,
	    .threads = options->pace.threads,
	    .share = options->share,
	    .times = !options->no_times,
	    .progress = options->pace.progress,
	};
	stop_catch();
	stop_after(options->pace.budget);
	if (experiment->title)
		printf("%s\n\n", experiment->title);
	enum status status = tournament_play(experiment, &tournament, &count, &why);
	if (status == STATUS_STOPPED)
		return launch_stopped(experiment, options, command, &count);
	if (!status && *options->share.part) {
		share_done_print(&options->share, options->directory);
		return 0;
	}
	if (!status)
		status = launch_report(experiment, options, command->provenance, false, &why);
	/* Ctrl-C on a terminal ends gnuplot, too. */
	if (status && stop_requested()) {
		resume_print(command, &count);
		return command_exit(command->name, STATUS_STOPPED, &why);
	}
	if (!status)
		printf("\nGame log %s/games.tsv, tables in %s/tables%s%s%s.\n", options->directory,
		       options->directory, options->no_figures ? "" : ", figures in ",
		       options->no_figures ? "" : options->directory,
		       options->no_figures ? "" : "/figures");
	return command_exit(command->name, status, &why);
}
