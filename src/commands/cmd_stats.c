/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn stats: the table again, from game logs. */
#include "src/commands/command.h"
#include "src/cli/options.h"
#include "src/measure/scores.h"
#include "src/report/report.h"
#include "analysis/tables/tables.h"

#include <stdlib.h>
#include <string.h>

struct stats_options {
	struct text_list logs;
	const char *table; /* for programs; NULL: one for people */
	bool spread, full, scores;
	const char *column; /* of scores; NULL: one per line */
};

static enum status table_read(void *member, const char *what, const char *text, struct why *why)
{
	const char *table = text ? text : "summary";
	if (!table_find(&summary_tables, table) && !table_find(&gamelog_tables, table))
		return why_set(why, STATUS_INPUT, "%s: no table '%s'; nxn stats --help lists them",
			       what, table);
	*(const char **)member = table;
	return STATUS_OK;
}

static enum status options_check(void *input, struct why *why)
{
	const struct stats_options *options = input;
	if (options->spread && options->scores)
		return why_set(why, STATUS_INPUT,
			       "--spread: not with --scores, which has it with --full");
	if (options->column && !options->scores)
		return why_set(why, STATUS_INPUT, "--column: only with --scores");
	return STATUS_OK;
}

#define FIELD(M) offsetof(struct stats_options, M)

static const struct command_option options_table[] = {
    OPTION("spread", 0, NULL, FIELD_FLAG, FIELD(spread),
	   "Print minimum, median, maximum and standard deviation of score, largest tile, moves "
	   "and running time instead"),
    FULL_OPTION(full),
    SCORES_OPTIONS(scores, column),
    {
	.field = {.name = "tsv",
		  .offset = FIELD(table),
		  .help = "Print a table for programs instead, as tab-separated values: summary "
			  "(the default), results, spread, tiles, reach, scores, curve, means, "
			  "ratios, law, front, or games, one row per game"},
	.argument = "TABLE",
	.optional = true,
	.read = table_read,
    },
    FORMAT_OPTION,
    OPTIONS_END,
};

static const char doc[] =
    "Prints the players of the games in LOG, a game log or a folder that has one. Several logs are "
    "combined. With --scores each LOG is a file of scores of games that nxn did not play: mean, "
    "median and ratio with 95% intervals.\v"
    "EXAMPLES\n"
    "  nxn compare -a random,greedy -g 20 -o out/c\n"
    "  nxn stats out/c\n"
    "  nxn stats --spread out/c\n"
    "  nxn stats --tsv=reach out/c/games.tsv\n"
    "  nxn stats --tsv=games out/c\n"
    "  nxn stats --format=json out/c\n"
    "  nxn stats --scores --column score out/c/games.tsv";

static enum status stats_run(void *input, const struct invocation *call, struct why *why)
{
	const struct stats_options *options = input;
	struct table_printer printer = call->printer;
	const char *table = options->table ? options->table : "summary";
	if (options->table && printer.format == FORMAT_TEXT)
		printer.format = FORMAT_TSV;
	if (options->spread && printer.format != FORMAT_TEXT)
		return why_set(why, STATUS_INPUT, "--spread: as TSV it is --tsv=spread");
	if (options->scores)
		return scores_report(&options->logs, options->column, &printer, table,
				     options->full, call->provenance, why);
	const struct report_options report = {
	    .printer = printer, .table = table, .spread = options->spread, .full = options->full};
	return report_logs(&options->logs, call->provenance, &report, why);
}

static const struct stats_options defaults;

const struct command cmd_stats = {
    .options = options_table,
    .arguments = "LOG...",
    .missing = LOGS_MISSING,
    .argument = argument_add,
    .check = options_check,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = stats_run,
};
