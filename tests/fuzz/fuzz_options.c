/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers, times and lists of options. */
#include "src/cli/options.c"
#include "src/measure/sweep.c"
#include "tests/fuzz/fuzz.h"

static void list_check(enum status status, struct text_list *list, const struct why *why)
{
	fuzz_fine(status, why);
	for (size_t i = 0; i < list->n; i++)
		FUZZ_CHECK(list->item[i][0]);
	list_free(list);
}

static void lists_read(const char *text)
{
	struct text_list pieces = {0}, agents = {0};
	struct why why = {""};
	enum status status = list_split(&pieces, "--boards", text, ',', NULL, &why);
	list_check(status, &pieces, &why);
	status = agents_read(&agents, "--agents", text, &why);
	list_check(status, &agents, &why);
	agent_sets(text, "ms");
}

static void sweep_texts_read(const char *text)
{
	static struct sweep sweep;
	struct why why = {""};
	sweep = (struct sweep)SWEEP_DEFAULTS;
	enum status status = sweep_add_depths(&sweep.depths, "--depths", text, &why);
	if (!status)
		status = sweep_add_depths(&sweep.depths, "--depths", "1-9", &why);
	fuzz_fine(status, &why);
	fuzz_fine(sweep_add_cutoff(&sweep.cutoffs, "--cutoffs", text, &why), &why);
	fuzz_fine(sweep_add_budget(&sweep.budgets, "--budget", text, &why), &why);
	status = sweep_set_positions(&sweep, "--positions", text, &why);
	if (!status)
		status = sweep_set_agent(&sweep, "--agent", text, &why);
	fuzz_fine(status, &why);
	if (!sweep_complete(&sweep, &why)) {
		char spec[SWEEP_SPEC_MAX];
		for (size_t i = 0; i < sweep_board_cells(&sweep); i++)
			sweep_spec(&sweep, i, spec);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct why why = {""};
	uint64_t number;
	double ms;
	if (fuzz_fine(number_parse("--games", text, 3, UINT64_MAX, &number, &why), &why))
		FUZZ_CHECK(number >= 3);
	if (!experiment_time(&ms, "ms-per-move", text, &why))
		FUZZ_CHECK(ms > 0 && ms <= MS_PER_MOVE_MAX);
	lists_read(text);
	sweep_texts_read(text);
	free(text);
	return 0;
}
