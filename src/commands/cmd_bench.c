/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn bench: how fast the hot paths are here, and a hash of how nxn plays. */
#include "boards/simd/isa.h"
#include "src/verify/verify.h"
#include "src/commands/command.h"
#include "src/cli/options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct bench_options {
	struct text_list boards;
	int threads, repeats;
	bool signature, json;
};

#define FIELD(M) offsetof(struct bench_options, M)

static const struct command_option options_table[] = {
    OPTION("signature", 0, NULL, OPTION_FLAG, FIELD(signature),
	   "Print the hash of fixed games instead, and stop"),
    OPTION_NUMBER("repeats", 0, "N", OPTION_INT, FIELD(repeats), 1, REPEATS_MAX,
		  "Repeats behind each median (default 9)"),
    OPTION("json", 0, NULL, OPTION_FLAG, FIELD(json), "Print JSON instead of tab-separated lines"),
    BOARDS_OPTION(boards),
    THREADS_OPTION(threads),
    {0},
};

static const char doc[] =
    "Times after-states, random games, playouts, a search and its leaves on fixed positions, for "
    "each board and each instruction set that this machine has.\v"
    "A row is the median of the repeats and their median absolute deviation (mad). The search is "
    "expectimax:depth=3,cutoff=0.001,tt=2M. Times hold for this machine, now: to compare two "
    "builds, run them in turn and quote ratios. --threads is for --signature, which is the same "
    "for every instruction set (NXN_ISA) and number of threads.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn bench --boards 4x4 --repeats 3\n"
    "  nxn bench --signature\n";

/* The rows of one board on one instruction set; FIRST is true until something was printed. */
static void rows_print(const struct bench_options *options, const char *board, enum isa isa,
		       const struct measurement *rows, bool *first)
{
	for (int i = 0; i < MEASUREMENTS; i++) {
		const char *format = options->json
					 ? "%s  {\"board\": \"%s\", \"isa\": \"%s\", "
					   "\"measure\": \"%s\", \"unit\": \"%s\", "
					   "\"median\": %.6g, \"mad\": %.3g, \"repeats\": %d}"
					 : "%s%s\t%s\t%s\t%s\t%.6g\t%.3g\t%d\n";
		printf(format, options->json && !*first ? ",\n" : "", board, isa_name(isa),
		       rows[i].name, rows[i].unit, rows[i].median, rows[i].mad, options->repeats);
		*first = false;
	}
	fflush(stdout);
}

static enum status bench_all(const struct bench_options *options, struct why *why)
{
	bool first = true;
	enum status status = STATUS_OK;
	puts(options->json ? "[" : "board\tisa\tmeasure\tunit\tmedian\tmad\trepeats");
	for (size_t i = 0; !status && i < options->boards.n; i++)
		for (int isa = 0; !status && isa < ISAS; isa++) {
			struct measurement rows[MEASUREMENTS];
			const char *board = options->boards.item[i];
			if (!isa_available((enum isa)isa))
				continue;
			setenv("NXN_ISA", isa_name((enum isa)isa), 1);
			status = bench_board(board, options->repeats, rows, why);
			if (!status)
				rows_print(options, board, (enum isa)isa, rows, &first);
		}
	if (options->json)
		puts("\n]");
	return status;
}

static enum status bench_run(void *input, const struct invocation *call, struct why *why)
{
	struct bench_options *options = input;
	uint64_t signature;
	enum status status = STATUS_OK;
	(void)call;
	if (!options->boards.n)
		status = list_split(&options->boards, "--boards", "4x4,5x5,6x6", why);
	if (status || !options->signature)
		return status ? status : bench_all(options, why);
	status = signature_make(options->threads, &signature, why);
	if (!status)
		printf("%016" PRIx64 "\n", signature);
	return status;
}

static const struct bench_options defaults = {.repeats = 9};

const struct command cmd_bench = {
    .options = options_table,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = bench_run,
};
