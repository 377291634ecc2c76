/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn info: describes this program from its own tables, and files of models and tables. */
#include "agents/agent.h"
#include "base/text.h"
#include "agents/model.h"
#include "agents/solver/optimum.h"
#include "analysis/tables/record.h"
#include "src/commands/command.h"
#include "base/xalloc.h"
#include "src/cli/data_dir.h"
#include "src/cli/describe.h"
#include "src/cli/options.h"
#include "src/cli/provenance.h"
#include "src/measure/experiment_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TOPICS_TEXT                                                                                \
	"program, boards, agents, values, experiments, the name of an agent or value, or a file "  \
	"of a model or a table"

static const char doc[] =
    "Describes this program: its version and machine, boards, agents, values, experiments.\v"
    "TOPIC is one of program, boards, agents, values, experiments (those that come with nxn), the "
    "name of an agent or value, or a file: a model of nxn train or a table of nxn solve.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn info\n"
    "  nxn info boards\n"
    "  nxn info experiments\n"
    "  nxn info expectimax\n";

static enum status print_program(const struct invocation *call, struct why *why)
{
	const bool text = call->printer.format == FORMAT_TEXT;
	struct record record = {.name = "program", .width = 17};
	char processor[256], line[256], available[128] = "";
	enum isa best;
	enum status status = isa_choose(&best, why);
	if (status)
		return status;
	for (int i = 0; i < ISAS; i++)
		if (isa_available((enum isa)i))
			snprintf(available + strlen(available),
				 sizeof available - strlen(available), " %s",
				 isa_name((enum isa)i));
	processor_name(processor, sizeof processor);
	snprintf(line, sizeof line, "%s; this machine has%s (NXN_ISA chooses)", isa_name(best),
		 available);
	record_text(&record, "nxn", version_text);
	record_text(&record, "compiler", compiler_text);
	record_text(&record, "processor", processor);
	record_text(&record, "instruction set", text ? line : isa_name(best));
	if (!text)
		record_text(&record, "available", available + 1);
	return record_print(call, &record, why);
}

static enum status print_boards(const struct invocation *call, struct why *why)
{
	enum isa isa;
	enum status status = isa_choose(&isa, why);
	return status ? status : result_print(call, &board_tables, NULL, why);
}

static enum status print_agents(const struct invocation *call, struct description what,
				struct why *why)
{
	return result_print(call, &description_tables, &what, why);
}

/* ---- Experiments that come with nxn. */

static const struct table_column experiment_columns[] = {
    TABLE_COLUMN(struct experiment, "name", TEXT, name),
    TABLE_COLUMN(struct experiment, "duration", TEXT, duration),
    TABLE_COLUMN(struct experiment, "title", TEXT, title),
    {0},
};

static void experiment_line(const struct table_out *out, const void *data)
{
	const struct experiment *experiment = data;
	text_fill(out->file,
		  fprintf(out->file, "%-19s  %-15s  ", experiment->name, experiment->duration),
		  experiment->title);
}

static void experiment_rows(const struct table_out *out, const void *data)
{
	for (const struct experiment *experiment = data; experiment->name; experiment++)
		table_put(out, experiment);
}

static void experiments_text(FILE *file, const void *data, bool full)
{
	(void)full;
	fputs("Experiments that come with nxn, and how long they take on 2 cores:\n\n", file);
	experiment_rows(&(struct table_out){.file = file, .put = experiment_line}, data);
	fputs("\nnxn compare NAME plays one; with --dry-run it estimates its time here.\n", file);
}

/* Reads the head of the file of the experiment NAME. */
static enum status experiment_look(const char *name, struct experiment *experiment, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	enum status status = builtin_find(name, path, why);
	status = status ? status : experiment_read_head(experiment, path, why);
	if (!status && !experiment->duration)
		experiment->duration = xstrdup("-");
	if (!status && !experiment->title)
		experiment->title = xstrdup("");
	return status;
}

static enum status print_experiments(const struct invocation *call, struct why *why)
{
	static const struct tables tables = {.print = experiments_text,
					     .table = {TABLE("experiments", "duration on 2 cores",
							     experiment_columns, experiment_rows)}};
	struct text_list names = {0};
	enum status status = builtin_list(&names, why);
	struct experiment *experiments = xcalloc(names.n + 1, sizeof *experiments);
	size_t n = 0;
	while (!status && n < names.n &&
	       !(status = experiment_look(names.item[n], &experiments[n], why)))
		n++;
	status = status ? status : result_print(call, &tables, experiments, why);
	while (n > 0)
		experiment_fini(&experiments[--n]);
	free(experiments);
	list_free(&names);
	return status;
}

/* ---- Topics. */

static enum status print_listed(const struct invocation *call, struct why *why)
{
	return print_agents(call, (struct description){.agents = true}, why);
}

static enum status print_values(const struct invocation *call, struct why *why)
{
	return print_agents(call, (struct description){.values = true}, why);
}

static const struct {
	const char *name;
	enum status (*print)(const struct invocation *call, struct why *why);
} topics[] = {
    {"program", print_program}, {"boards", print_boards},	    {"agents", print_listed},
    {"values", print_values},	{"experiments", print_experiments},
};

enum { TOPICS = sizeof topics / sizeof *topics };

const char *info_topic(size_t i)
{
	return i < TOPICS ? topics[i].name : NULL;
}

static enum status topic_unknown(const char *topic, struct why *why)
{
	struct suggestion suggestion = suggestion_start(topic, strlen(topic));
	char hint[HINT_MAX];
	for (size_t i = 0; i < TOPICS; i++)
		suggestion_try(&suggestion, topics[i].name, strlen(topics[i].name));
	agent_names_suggest(&suggestion);
	for (int i = 0; value_classes[i]; i++)
		suggestion_try(&suggestion, value_classes[i]->name, strlen(value_classes[i]->name));
	return why_set(why, STATUS_INPUT, "'%s': %sexpected " TOPICS_TEXT, topic,
		       suggestion_hint(&suggestion, hint));
}

static enum status print_topic(const struct invocation *call, const char *topic, struct why *why)
{
	for (size_t i = 0; i < TOPICS; i++)
		if (strcmp(topic, topics[i].name) == 0)
			return topics[i].print(call, why);
	if (description_kind(topic))
		return print_agents(call, (struct description){true, true, topic}, why);
	const int fd = model_descriptor(topic);
	if (fd < 0)
		return topic_unknown(topic, why);
	close(fd);
	return file_describe(call, topic, why);
}

static enum status print_all(const struct invocation *call, struct why *why)
{
	if (call->printer.format != FORMAT_TEXT)
		return why_set(why, STATUS_INPUT, "--format: for one topic: " TOPICS_TEXT);
	enum status status = print_program(call, why);
	if (status)
		return status;
	fputs("boards           2x2 to 6x6, rectangles too: nxn info boards\n\n", stdout);
	status = print_agents(call, (struct description){true, true, NULL}, why);
	if (!status)
		fputs("\nnxn info NAME lists the parameters of an agent or value.\n", stdout);
	return status;
}

static enum status info_run(void *input, const struct invocation *call, struct why *why)
{
	const char *const *topic = input;
	return *topic ? print_topic(call, *topic, why) : print_all(call, why);
}

static const struct command_option options_table[] = {
    FORMAT_OPTION,
    OPTIONS_END,
};

static const char *const no_topic;

const struct command cmd_info = {
    .options = options_table,
    .arguments = "[TOPIC]",
    .argument = argument_keep,
    .doc = doc,
    COMMAND_INPUT(no_topic),
    .run = info_run,
};
