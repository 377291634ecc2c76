/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn stats: the table again, from game logs. */
#include "src/commands/command.h"
#include "src/run/logs.h"
#include "src/cli/options.h"
#include "src/report/report.h"
#include "src/run/launch.h"

#include "analysis/tables/summary_tables.h"

#include <stdlib.h>

enum { KEY_TSV = 0x100 };

struct stats_options {
	struct text_list logs;
	const char *table; /* NULL: the one for people */
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct stats_options *options = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &options->logs;
		return 0;
	case KEY_TSV:
		options->table = arg ? arg : "summary";
		if (!summary_table_find(options->table))
			option_error(state, "--tsv: no table '%s'; nxn stats --help lists them",
				     options->table);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option table[] = {
    {"tsv", KEY_TSV, "TABLE", OPTION_ARG_OPTIONAL,
     "Print a table for gnuplot instead: summary (the default), results, tiles, reach, scores, "
     "curve, sizes or ratios",
     0},
    {0},
};

static const char doc[] =
    "Prints the table of the games in LOG, a game log or a folder that holds one. The games of "
    "several logs are taken together."
    "\v"
    "EXAMPLES\n"
    "  nxn compare -a random,greedy -g 20 -o out/c\n"
    "  nxn stats out/c\n"
    "  nxn stats --tsv=reach out/c/games.tsv";

static const struct argp_child children[] = {{.argp = &options_logs}, {0}};
const struct argp stats_argp = {
    .options = table, .parser = parse, .doc = doc, .children = children};

static enum status stats_print(const struct stats_options *options, const char *command,
			       struct why *why)
{
	struct gamelog log;
	struct provenance provenance;
	enum status status = logs_read(&log, &options->logs, why);
	if (status)
		return status;
	status = logs_provenance(&log, command, &provenance, why);
	if (status)
		goto end;
	const char *const *lines = provenance_lines(&provenance);
	if (options->table)
		status = report_print_table(&log, options->table, lines, why);
	else
		status = report_make(&log, &(struct report_options){.provenance = lines}, why);
	provenance_fini(&provenance);
end:
	gamelog_fini(&log);
	return status;
}

int cmd_stats(int argc, char **argv)
{
	struct why why;
	char *command;
	struct stats_options options = {0};
	enum status status = shell_join(argc, argv, &command, &why);
	if (status)
		return command_exit(argv[0], status, &why);
	options_parse(&stats_argp, argc, argv, 0, &options);
	status = stats_print(&options, command, &why);
	list_free(&options.logs);
	free(command);
	return command_exit(argv[0], status, &why);
}
