/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn info: what this program can do, out of its own tables, and what a model or a table holds. */
#include "agents/agent.h"
#include "base/text.h"
#include "agents/model.h"
#include "agents/solver/optimum.h"
#include "src/commands/command.h"
#include "src/cli/options.h"
#include "src/cli/provenance.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void topic_take(struct argp_state *state, char *text, void *input)
{
	const char **topic = input;
	if (*topic)
		option_error(state, "unexpected argument '%s': expected one TOPIC", text);
	*topic = text;
}

static const char doc[] =
    "Describes this program: its version and machine, boards, agents, values.\v"
    "TOPIC is one of program, boards, agents, values, the name of an agent or value, or a file: a "
    "model of nxn train or a table of nxn solve.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn info\n"
    "  nxn info boards\n"
    "  nxn info expectimax\n";

static enum status print_program(struct why *why)
{
	char processor[256];
	enum isa best;
	enum status status = isa_choose(&best, why);
	if (status)
		return status;
	processor_name(processor, sizeof processor);
	printf("nxn              %s\n", version_text);
	printf("compiler         %s\n", compiler_text);
	printf("processor        %s\n", processor);
	printf("instruction set  %s; this machine has", isa_name(best));
	for (int i = 0; i < ISAS; i++)
		if (isa_available((enum isa)i))
			printf(" %s", isa_name((enum isa)i));
	puts(" (NXN_ISA chooses)");
	return STATUS_OK;
}

static enum status print_board(const char *shape, struct why *why)
{
	struct game game;
	enum status status = game_init(&game, &(struct game_options){.shape = shape}, why);
	if (!status)
		printf("%-7s %5d %13" PRIu64 " %9d %10d %12d %11d\n", game.name, game.cells,
		       (uint64_t)1 << game.max_exponent, game.max_exponent, game.bits,
		       game.cells * game.bits, game.symmetries);
	return status;
}

static enum status print_boards(struct why *why)
{
	static const char *const shapes[] = {
#define SHAPE(rows, cols) #rows "x" #cols,
#include "boards/shapes.def"
	};
	enum status status = STATUS_OK;
	puts("Boards; the largest tile and the bits are those of spawns up to 4");
	puts("board   cells  largest tile  exponent  bits/cell  packed bits  symmetries");
	for (size_t i = 0; !status && i < sizeof shapes / sizeof *shapes; i++)
		status = print_board(shapes[i], why);
	return status;
}

/* What a parameter may be: a range, choices, or the names of the values. */
static void param_range(const struct param *param, char *text, size_t size)
{
	size_t used = 0;
	switch (param->kind) {
	case PARAM_REAL:
	case PARAM_INT:
		snprintf(text, size, "%.7g .. %.7g%s%s", param->min, param->max,
			 param->choices ? "|" : "", param->choices ? param->choices : "");
		break;
	case PARAM_SIZE:
		snprintf(text, size, "bytes, as in 64M");
		break;
	case PARAM_CHOICE:
		snprintf(text, size, "%s", param->choices);
		break;
	case PARAM_TEXT:
		snprintf(text, size, "text");
		break;
	case PARAM_FILE:
		snprintf(text, size, "file");
		break;
	case PARAM_AGENT:
		snprintf(text, size, "agent");
		break;
	case PARAM_VALUE:
		for (int i = 0; value_classes[i] && used < size; i++)
			used += (size_t)snprintf(text + used, size - used, "%s%s", i ? "|" : "",
						 value_classes[i]->name);
		break;
	}
}

/* NEEDS, or NULL, is what must be written behind the name. */
static void print_class(const char *name, const char *needs, const char *summary,
			const struct param *params)
{
	char written[64];
	snprintf(written, sizeof written, "%s%s%s", name, needs ? ":" : "", needs ? needs : "");
	printf("%-12s %s\n", written, summary);
	for (; params->name; params++) {
		char setting[PARAM_TEXT_MAX + 64], range[256];
		snprintf(setting, sizeof setting, "%s=%s", params->name, params->fallback);
		param_range(params, range, sizeof range);
		printf("  %-20s %-22s %s", setting, range, params->doc);
		if (params->scale > 0)
			printf("; scale %g%s", params->scale,
			       params->per_tile ? " / large tile" : "");
		putchar('\n');
	}
}

/* Prints the agents called NAME, or all of them if it is NULL; whether there is any. */
static bool print_agents(const char *name)
{
	bool found = false;
	if (!name)
		puts("Agents, written NAME:KEY=VALUE,...; keys of the value an agent uses stand "
		     "among "
		     "its own");
	for (const struct agent_class *const *c = agent_classes; *c; c++)
		if (!name || strcmp((*c)->name, name) == 0) {
			print_class((*c)->name, (*c)->needs, (*c)->summary, (*c)->params);
			found = true;
		}
	for (const struct agent_alias *alias = agent_aliases; alias->name; alias++)
		if (!name || strcmp(alias->name, name) == 0) {
			printf("%-12s stands for %s\n", alias->name, alias->text);
			found = true;
		}
	return found;
}

/* The same of values. */
static bool print_values(const char *name)
{
	bool found = false;
	if (!name)
		puts("Values that a search can use, written value=NAME");
	for (const struct value_class *const *c = value_classes; *c; c++)
		if (!name || strcmp((*c)->name, name) == 0) {
			print_class((*c)->name, NULL, (*c)->summary, (*c)->params);
			found = true;
		}
	return found;
}

static enum status print_all(struct why *why)
{
	enum status status = print_program(why);
	putchar('\n');
	if (!status)
		status = print_boards(why);
	putchar('\n');
	print_agents(NULL);
	putchar('\n');
	print_values(NULL);
	return status;
}

static enum status print_model(const char *path, struct why *why)
{
	struct model_file *file;
	enum status status = model_open(&file, path, why);
	if (status)
		return status;
	const struct model_head *head = model_head(file);
	printf("model           %s\n", path);
	printf("agent           %s\n", head->agent);
	printf("board           %s\n", head->board);
	printf("spawns          %s\n", head->spawn);
	printf("training games  %" PRIu64 "\n", head->games);
	printf("parameters      %s\n", head->params);
	printf("layout          %s\n", head->layout);
	model_close(file);
	return STATUS_OK;
}

static enum status print_table(const char *path, struct why *why)
{
	struct optimum *optimum;
	char value[REAL_TEXT_MAX];
	enum status status = optimum_open(path, NULL, &optimum, why);
	if (status)
		return status;
	const struct optimum_head *head = optimum_head(optimum);
	real_format(head->value, value);
	printf("table           %s\n", path);
	printf("board           %s\n", head->board);
	printf("spawns          %s\n", head->spawn);
	if (head->start[0])
		printf("start           %s\n", head->start);
	else
		printf("start tiles     %d\n", head->start_tiles);
	printf("goal            %s", goal_name(head->goal));
	if (head->target)
		printf(" %" PRIu64, (uint64_t)1 << head->target);
	printf("\nvalue           %s\n", value);
	if (head->max_sum)
		printf("largest sum     %" PRIu64 "\n", head->max_sum);
	printf("states          %" PRIu64 "\n", head->states);
	printf("after-states    %" PRIu64 "\n", head->afterstates);
	if (head->made[0])
		printf("made by         nxn %s\n", head->made);
	status = optimum_verify(optimum, why);
	if (!status)
		puts("checksums       good");
	optimum_close(optimum);
	return status;
}

/* What a file holds: a table if it says so, otherwise a model, or not. */
static enum status print_file(const char *path, struct why *why)
{
	return optimum_claims(path) ? print_table(path, why) : print_model(path, why);
}

static enum status topic_unknown(const char *topic, struct why *why)
{
	static const char *const others[] = {"program", "boards", "agents", "values"};
	struct guess guess = guess_start(topic, strlen(topic));
	char hint[HINT_MAX];
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		guess_try(&guess, others[i], strlen(others[i]));
	for (int i = 0; agent_classes[i]; i++)
		guess_try(&guess, agent_classes[i]->name, strlen(agent_classes[i]->name));
	for (const struct agent_alias *alias = agent_aliases; alias->name; alias++)
		guess_try(&guess, alias->name, strlen(alias->name));
	for (int i = 0; value_classes[i]; i++)
		guess_try(&guess, value_classes[i]->name, strlen(value_classes[i]->name));
	return why_set(why, STATUS_INPUT,
		       "'%s': %sexpected program, boards, agents, values, the name of an "
		       "agent or value, or a file of a model or a table",
		       topic, guess_hint(&guess, hint));
}

static enum status print_topic(const char *topic, struct why *why)
{
	if (strcmp(topic, "boards") == 0)
		return print_boards(why);
	if (strcmp(topic, "program") == 0)
		return print_program(why);
	const bool agents = strcmp(topic, "agents") == 0, values = strcmp(topic, "values") == 0;
	bool found = !values && print_agents(agents ? NULL : topic);
	found = (!agents && print_values(values ? NULL : topic)) || found;
	if (found)
		return STATUS_OK;
	const int fd = model_descriptor(topic);
	if (fd < 0)
		return topic_unknown(topic, why);
	close(fd);
	return print_file(topic, why);
}

static enum status info_run(void *input, const struct invocation *call, struct why *why)
{
	const char *const *topic = input;
	(void)call;
	return *topic ? print_topic(*topic, why) : print_all(why);
}

static const char *const no_topic;

const struct command cmd_info = {
    .arguments = "[TOPIC]",
    .argument = topic_take,
    .doc = doc,
    COMMAND_INPUT(no_topic),
    .run = info_run,
};
