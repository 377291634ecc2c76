/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn bench: its options; the measurements are in src/measure. */
#include "src/cli/options.h"
#include "src/commands/command.h"
#include "src/measure/bench.h"

#define FIELD(M) offsetof(struct bench_options, M)

static const struct command_option options_table[] = {
    OPTION_NUMBER("repeats", 0, "N", FIELD_INT, FIELD(repeats), 1, REPEATS_MAX,
		  "Repeats per median (default 9)"),
    FORMAT_OPTION,
    BOARDS_OPTION(boards),
    OPTIONS_END,
};

static const char doc[] =
    "Times after-states, random games, playouts, a search and its leaves on fixed positions, for "
    "each board and each instruction set that this machine has.\v"
    "Each row has the median of the repeats and their median absolute deviation (mad). The search "
    "is expectimax:depth=3,cutoff=0.001,tt=2M. Times hold for this machine at this moment: to "
    "compare two builds, run them in turn and use ratios.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn bench --boards 4x4 --repeats 3\n";

static enum status bench_run(void *input, const struct invocation *call, struct why *why)
{
	struct bench_options *options = input;
	enum status status = STATUS_OK;
	if (!options->boards.n)
		status = list_split(&options->boards, "--boards", "4x4,5x5,6x6", ',', NULL, why);
	return status ? status : bench(options, call, why);
}

static const struct bench_options defaults = {.repeats = 9};

const struct command cmd_bench = {
    .options = options_table,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = bench_run,
};
