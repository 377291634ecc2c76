/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn verify: what a sceptical reader runs first; the checks are in src/verify. */
#include "src/commands/command.h"
#include "src/cli/options.h"
#include "src/cli/data_dir.h"
#include "src/cli/provenance.h"
#include "base/stop.h"
#include "src/verify/verify.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct verify_options {
	struct verify verify;
	const char *only; /* NULL: all */
	bool list;
	struct against_options against; /* its command NULL: nxn itself is checked */
};

/* Options of nxn's own checks and those of another program's do not mix. */
static enum status options_match(void *input, struct why *why)
{
	const struct verify_options *options = input;
	const bool against = options->against.command;
	if (against && (options->only || options->list || options->verify.thorough))
		return why_set(why, STATUS_INPUT,
			       "--only, --list and --long are not for --against");
	if (!against && (options->against.positions || options->against.steps ||
			 options->against.seconds > 0 || options->against.boards.n))
		return why_set(why, STATUS_INPUT,
			       "--boards, --positions, --steps and --timeout are for --against");
	return STATUS_OK;
}

#define FIELD(M) offsetof(struct verify_options, M)

static const struct command_option options_table[] = {
    OPTION("only", 'o', "CHECK", FIELD_TEXT, FIELD(only),
	   "Run the checks with this name or pattern: perft, '*s', solver-long. A check of --long "
	   "needs its full name, or --long"),
    OPTION("list", 0, NULL, FIELD_FLAG, FIELD(list), "List the checks and run none"),
    OPTION("long", 0, NULL, FIELD_FLAG, FIELD(verify.thorough),
	   "Also run the checks that take longer"),
    OPTION("vectors", 0, "DIR", FIELD_TEXT, FIELD(verify.vectors),
	   "Read perft.txt, expectimax.txt, exact.txt and layers.txt from DIR (default: those that "
	   "come with nxn)"),
    OPTION_GROUP_MARK(1, ""),
    OPTION("against", 0, "COMMAND", FIELD_TEXT, FIELD(against.command),
	   "Check another program, which COMMAND starts without a shell, by the protocol of "
	   "docs/conformance.md"),
    OPTION("boards", 'b', "RxC,...", FIELD_LIST, FIELD(against.boards),
	   "With --against: boards, as in 3x3,4x4,5x6 (default: all that the program knows)"),
    OPTION_NUMBER("positions", 0, "N", FIELD_COUNT, FIELD(against.positions), 1, 1000000000,
		  "With --against: positions drawn on each board (default 1000)"),
    OPTION_NUMBER("steps", 0, "N", FIELD_COUNT, FIELD(against.steps), 1, 1000000000,
		  "With --against: moves in games that the program plays on each board (default "
		  "20000)"),
    OPTION("timeout", 0, "TIME", FIELD_DURATION, FIELD(against.seconds),
	   "With --against: time that an answer may take (default 10s)"),
    OPTION_GROUP_MARK(0, ""),
    FORMAT_OPTION,
    SEED_OPTION(verify.seed),
    THREADS_OPTION(verify.threads),
    OPTIONS_END,
};

static const char doc[] =
    "Checks nxn against results from elsewhere: counts and values of independent programs, "
    "published figures, plain definitions and statistics.\v"
    "Prints one line per figure: the check, what was compared, the figure found, the one expected, "
    "and ok or FAILED. The last line counts them. The exit status is 1 if any failed. "
    "docs/conformance.md defines the figures.\n"
    "\n"
    "With --against the program's after-states and scores, and the moves it plays, are compared "
    "with nxn's on the boards that it knows, or on --boards. The first positions that differ are "
    "shown with what the program says and what is right. If the program plays games itself "
    "(`step`), nxn also checks its start tiles, new tiles, legal moves and scores; chi-squared "
    "tests check cells and kinds of new tiles. docs/check-program.md is a guide.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn verify\n"
    "  nxn verify --list\n"
    "  nxn verify --only perft\n"
    "  nxn verify --against 'nxn serve' --boards 3x3,4x5\n";

static bool check_wanted(const struct verify_options *options, const struct verify_check *check)
{
	if (options->only && fnmatch(options->only, check->name, 0) != 0)
		return false;
	return !check->thorough || options->verify.thorough || options->list ||
	       (options->only && strcmp(options->only, check->name) == 0);
}

/* Runs C, on each of its boards if it has any. */
static void check_run(struct verify *verify, const struct verify_check *c)
{
	const struct verify_board *board = c->boards;
	verify->check = c->name;
	c->run(verify, board->shape ? board : NULL);
	while (board->shape && (++board)->shape)
		c->run(verify, board);
}

/* What is done, or listed, while the table of it is printed. */
struct verify_work {
	struct verify_options *options;
	enum status *status;
	struct why *why;
};

/* Runs or lists the checks that are asked for. */
static enum status checks_run(struct verify_options *options, const struct table_out *out,
			      struct why *why)
{
	enum status status = STATUS_OK;
	bool any = false;
	for (const struct verify_check *const *table = verify_checks; *table; table++)
		for (const struct verify_check *c = *table; !status && c->name; c++) {
			if (!check_wanted(options, c))
				continue;
			any = true;
			if (options->list)
				table_put(out, c);
			else
				check_run(&options->verify, c);
			if (stop_requested())
				status = STATUS_STOPPED;
		}
	return any ? status
		   : why_set(why, STATUS_INPUT,
			     "--only: no check is called '%s'; --list lists them, and which take "
			     "--long",
			     options->only);
}

static void work_rows(const struct table_out *out, const void *data)
{
	const struct verify_work *work = data;
	struct verify_options *options = work->options;
	options->verify.out = out;
	*work->status = options->against.command
			    ? verify_against(&options->verify, &options->against, work->why)
			    : checks_run(options, out, work->why);
}

static void figures_print(FILE *file, const void *data, bool full)
{
	(void)full;
	work_rows(&(struct table_out){.file = file, .put = verify_figure_print}, data);
}

static const struct table_column list_columns[] = {
    TABLE_COLUMN(struct verify_check, "check", TEXT, name),
    TABLE_COLUMN(struct verify_check, "summary", TEXT, summary),
    TABLE_COLUMN(struct verify_check, "long", FLAG, thorough),
    {0},
};

static void check_print(const struct table_out *out, const void *check)
{
	const struct verify_check *c = check;
	fprintf(out->file, "%-13s %s%s\n", c->name, c->summary, c->thorough ? " (--long)" : "");
}

static void list_print(FILE *file, const void *data, bool full)
{
	(void)full;
	work_rows(&(struct table_out){.file = file, .put = check_print}, data);
}

static enum status verify_run(void *input, const struct invocation *call, struct why *why)
{
	static const struct tables figures = {
	    .print = figures_print, .table = {{"verify", NULL, verify_columns, work_rows}}};
	static const struct tables list = {.print = list_print,
					   .table = {{"checks", NULL, list_columns, work_rows}}};
	struct verify_options options = *(const struct verify_options *)input;
	struct against_options *against = &options.against;
	struct verify *verify = &options.verify;
	char vectors[FOLDER_PATH_MAX];
	enum status status = STATUS_OK, done = STATUS_OK;
	verify->name = call->name;
	if (!verify->vectors) {
		status = data_dir_find(DATA_DIR_VECTORS, vectors, why);
		verify->vectors = vectors;
	}
	if (status)
		return status;
	against->positions = against->positions ? against->positions : 1000;
	against->steps = against->steps ? against->steps : 20000;
	against->seconds = against->seconds > 0 ? against->seconds : 10;
	stop_catch();
	const struct verify_work work = {&options, &done, why};
	status = options.list ? result_print(call, &list, "checks", &work, false, why)
			      : result_print(call, &figures, "verify", &work, false, why);
	status = status ? status : done;
	verify_fini(verify);
	if (status || options.list)
		return status;
	printf("%" PRIu64 " of %" PRIu64 " figures are as expected%s\n",
	       verify->lines - verify->failed, verify->lines, verify->failed ? "; FAILED" : "");
	*why = (struct why){""};
	return verify->failed ? STATUS_SYSTEM : STATUS_OK;
}

static const struct verify_options defaults = {.verify = {.seed = 1}};

const struct command cmd_verify = {
    .options = options_table,
    .check = options_match,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = verify_run,
};
