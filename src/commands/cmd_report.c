/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn report: prints results of logs, or makes a bundle of figures, tables and data. */
#include "analysis/tables/tables.h"
#include "base/stop.h"
#include "src/cli/options.h"
#include "src/commands/command.h"
#include "src/measure/scores.h"
#include "src/report/bundle.h"
#include "src/report/report.h"

#include <string.h>
#include <sys/stat.h>

struct options {
	struct text_list runs; /* first, for argument_add() */
	const char *table;     /* for programs; NULL: one for people */
	bool spread, full, scores, by_board;
	const char *column;	      /* of scores; NULL: one per line */
	struct bundle_options bundle; /* without a directory: tables are printed */
};

static enum status table_read(void *member, const char *what, const char *text, struct why *why)
{
	const char *table = text ? text : "summary";
	if (!table_find(&summary_tables, table) && !table_find(&gamelog_tables, table))
		return why_set(why, STATUS_INPUT, "%s: no table '%s'; nxn report --help lists them",
			       what, table);
	*(const char **)member = table;
	return STATUS_OK;
}

static bool same_file(const char *a, const char *b)
{
	struct stat x, y;
	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static enum status options_check(void *input, struct why *why)
{
	const struct options *o = input;
	const struct bundle_options *bundle = &o->bundle;
	const struct option_rule rules[] = {
	    {o->spread && o->scores, "--spread: not with --scores, which has it with --full"},
	    {o->column && !o->scores, "--column: only with --scores"},
	    {bundle->directory && (o->spread || o->full || o->scores || o->table || o->by_board),
	     "--spread, --full, --scores, --by-board and --tsv: not with --out, which has all "
	     "tables"},
	    {o->spread && o->table, "--spread: only as text; for programs, --tsv=spread"},
	    {o->full && o->table, "--full: only as text; --tsv names a table for programs"},
	    {o->by_board && o->table, "--by-board: only as text; tables for programs have all "
				      "boards"},
	    {(o->scores || o->spread) && (bundle->against || o->by_board),
	     "--against and --by-board: not with --scores or --spread"},
	    {!bundle->directory && (bundle->latex || bundle->models || bundle->width > 0),
	     "--latex, --models and --width: only with --out"},
	    {0},
	};
	const enum status status = rules_check(rules, why);
	if (status)
		return status;
	for (size_t i = 0; i < o->runs.n; i++) {
		for (size_t j = 0; j < i; j++)
			if (same_file(o->runs.item[i], o->runs.item[j]))
				return why_set(why, STATUS_INPUT, "%s: this RUN is named twice",
					       o->runs.item[i]);
	}
	return STATUS_OK;
}

#define FIELD(M) offsetof(struct options, M)

static const struct command_option options_table[] = {
    OPTION("spread", 0, NULL, FIELD_FLAG, FIELD(spread),
	   "Print minimum, median, maximum and standard deviation of score, largest tile, moves "
	   "and running time instead"),
    FULL_OPTION(full),
    ACROSS_OPTIONS(bundle.against, by_board),
    SCORES_OPTIONS(scores, column),
    {
	.field = {.name = "tsv",
		  .offset = FIELD(table),
		  .help = "Print a table for programs instead, as tab-separated values: summary "
			  "(the default), results, spread, tiles, reach, scores, curve, means, "
			  "ratios, leads, law, crossover, front, or games, one row per game"},
	.argument = "TABLE",
	.optional = true,
	.read = table_read,
    },
    FORMAT_OPTION,
    OPTION_GROUP_MARK(1, "A bundle:"),
    OPTION("out", 'o', "DIR", FIELD_NAME, FIELD(bundle.directory),
	   "Write figures, tables, a page of results and the data to DIR; a bundle in it is "
	   "replaced"),
    OPTION("latex", 0, NULL, FIELD_FLAG, FIELD(bundle.latex),
	   "Also write main.tex, a document that includes all figures and tables"),
    OPTION_READER("width", 0, "WIDTH", FIELD(bundle.width), figure_width_read,
		  "Figures no wider than WIDTH, with text of the usual size: 3.4 (inches), 86mm, "
		  "8.6cm or 246pt for a column of print"),
    OPTION("models", 0, NULL, FIELD_FLAG, FIELD(bundle.models),
	   "Also put the models of learners into the bundle"),
    OPTIONS_END,
};

static const char doc[] =
    "Prints the players of the games in each RUN, a game log or a folder that has one; several are "
    "combined. With --out, makes a bundle of figures, tables, data and a page instead.\v"
    "With --scores each RUN is a file of scores of games that nxn did not play: mean, median and "
    "ratio with 95% intervals.\n"
    "\n"
    "A folder's log is games.tsv and its parts games.*.tsv, from processes with --shard or a "
    "killed "
    "nxn-mpi; nothing is merged. If a share is missing or lacks games, a line says which one, and "
    "the exit status is 1.\n"
    "\n"
    "With --out a RUN is a folder of compare, duel, sweep or gap, a game log, a table "
    "of nxn train --curve or nxn tune, or a folder of such tables. Figures are SVG and PDF, each "
    "with the script and the table that draw it. Tables are TSV for programs, and LaTeX (booktabs) "
    "and Markdown for print. Logs, provenance and checksums are included. The same runs give the "
    "same bundle, byte for byte. `nxn verify DIR` plays games of it again.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn compare -a random,greedy -b 3x3 -g 40 -o out/e --no-figures\n"
    "  nxn report out/e\n"
    "  nxn report --spread out/e\n"
    "  nxn report --tsv=reach out/e/games.tsv\n"
    "  nxn report --format=json out/e\n"
    "  nxn train qlearn -b 3x3 -e 500 -o c.nxn --curve c.tsv --block 50\n"
    "  nxn report out/e c.tsv --out out/bundle --latex";

/* Refuses tables of train and tune, which are drawn but not printed. */
static enum status curves_refuse(const struct text_list *runs, struct why *why)
{
	enum status status = STATUS_OK;
	const struct figure *figure = NULL;
	for (size_t i = 0; !status && !figure && i < runs->n; i++)
		status = figure_single(runs->item[i], &figure, why);
	return status || !figure
		   ? status
		   : why_set(why, STATUS_INPUT,
			     "%s: is a table of nxn train or nxn tune; --out DIR draws its figure",
			     runs->n == 1 ? runs->item[0] : "one of the files");
}

static enum status report_run(void *input, const struct invocation *call, struct why *why)
{
	const struct options *options = input;
	struct table_printer printer = call->printer;
	const char *table = options->table ? options->table : "summary";
	if (options->bundle.directory && printer.format != FORMAT_TEXT)
		return why_set(why, STATUS_INPUT, "--format: not with --out, which has all tables");
	if (options->bundle.directory) {
		stop_catch();
		bundle_make(&options->bundle, &options->runs, call);
		return report_shares_check(&options->runs, false, why);
	}
	if (options->table && printer.format == FORMAT_TEXT)
		printer.format = FORMAT_TSV;
	const bool programs = printer.format != FORMAT_TEXT;
	const struct option_rule rules[] = {
	    {options->bundle.against && programs && strcmp(table, "leads") != 0,
	     "--against: not with a table for programs other than --tsv=leads"},
	    {0},
	};
	enum status status = rules_check(rules, why);
	if (status)
		return status;
	if (options->scores)
		return scores_report(&options->runs, options->column, &printer, table,
				     options->full, call->provenance, why);
	status = curves_refuse(&options->runs, why);
	status = status ? status : bundle_needed(&options->runs, why);
	const struct report_options report = {.printer = printer,
					      .table = table,
					      .spread = options->spread,
					      .full = options->full,
					      .against = options->bundle.against,
					      .by_board = options->by_board};
	status = status ? status : report_logs(&options->runs, call->provenance, &report, why);
	return status ? status : report_shares_check(&options->runs, true, why);
}

static const struct options defaults;

const struct command cmd_report = {
    .options = options_table,
    .arguments = "RUN...",
    .missing = LOGS_MISSING,
    .argument = argument_add,
    .check = options_check,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = report_run,
};
