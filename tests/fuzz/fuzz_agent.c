/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Specifications of agents, made for the board of the first line. */
#include "agents/agent.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

/* A canonical text is its own canonical text, and of the same agent. */
static void canonical_check(const char *text, const char *canonical)
{
	char again[SPEC_MAX], settings[SPEC_MAX];
	struct why why = {""};
	FUZZ_CHECK(!agent_canonical(canonical, again, &why));
	FUZZ_CHECK(strcmp(again, canonical) == 0);
	if (agent_settings(text, settings, &why) == STATUS_OK) {
		FUZZ_CHECK(!agent_canonical(settings, again, &why));
		FUZZ_CHECK(strcmp(again, canonical) == 0);
	}
}

static void agent_make(const char *shape, const char *text)
{
	struct game game;
	struct agent *agent;
	struct why why = {""};
	if (game_init(&game, &(struct game_options){.shape = shape}, &why))
		return;
	const struct agent_env env = {.game = &game};
	if (fuzz_fine(agent_new(text, &env, &agent, &why), &why))
		agent_free(agent);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size), *rest = text, canonical[SPEC_MAX];
	const char *shape = fuzz_line(&rest), *spec = fuzz_line(&rest);
	struct why why = {""};
	if (fuzz_fine(agent_canonical(spec, canonical, &why), &why)) {
		canonical_check(spec, canonical);
		agent_make(shape, spec);
	}
	free(text);
	return 0;
}
