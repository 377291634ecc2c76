/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nxn completion: the script for bash: the program's tables as functions of the shell, and
 * src/commands/completion.bash, which reads them. Those for zsh and fish ask bash by that script.
 *
 * Nothing is listed twice: options come from the tables that parse them, parameters from those of
 * agents and values. What an option's argument can be follows from the word that --help has for
 * it (its metavariable): SPEC is an agent, RxC a board, FILE a file, and a word in small letters
 * itself.
 */
#include "agents/agent.h"
#include "analysis/tables/tables.h"
#include "src/commands/command.h"
#include "src/cli/provenance.h"
#include "src/cli/data_dir.h"
#include "src/verify/verify.h"

#include <assert.h>
#include <string.h>

/* The lines of src/commands/completion.SHELL. */
static const char *const bash_script[] = {
#include "src/commands/completion_bash.inc"
    NULL,
};
static const char *const zsh_script[] = {
#include "src/commands/completion_zsh.inc"
    NULL,
};
static const char *const fish_script[] = {
#include "src/commands/completion_fish.inc"
    NULL,
};

/* TEXT comes from tables of ours, and none of them has a quote. */
static const char *unquoted(const char *text)
{
	assert(!strchr(text, '\''));
	return text;
}

/* FUNCTION prints a word for what $1 is. */
static void function_begin(FILE *out, const char *function)
{
	fprintf(out, "%s()\n{\n\tcase $1 in\n", function);
}

static void function_end(FILE *out)
{
	fputs("\t*) return 1 ;;\n\tesac\n}\n\n", out);
}

static void option_words(FILE *out, const struct command_option *option)
{
	fprintf(out, " --%s%s", option->field.name,
		option->argument && !option->optional ? "=" : "");
	if (option->letter)
		fprintf(out, " -%c", option->letter);
}

/* The argument of an option: "run --out" if it may be a word of its own, "stats --tsv=" if not. */
static void option_argument(FILE *out, const char *command, const struct command_option *option)
{
	if (!option->argument)
		return;
	fprintf(out, "\t'%s --%s%s'", command, option->field.name, option->optional ? "=" : "");
	if (option->letter && !option->optional)
		fprintf(out, " | '%s -%c'", command, option->letter);
	fprintf(out, ") echo '%s' ;;\n", unquoted(option->argument));
}

/* The next option from OPTION on that is no mark of a group, or NULL. */
static const struct command_option *option_next(const struct command_option *option)
{
	while (option && option->field.help && !option->field.name)
		option++;
	return option && option->field.help ? option : NULL;
}

static void commands_print(FILE *out)
{
	const struct command_option *o;
	function_begin(out, "_nxn_options");
	for (const struct named_command *c = commands; c->name; c++) {
		fprintf(out, "\t%s) echo '", c->name);
		for (o = c->command->options; (o = option_next(o)); o++)
			option_words(out, o);
		/* Those that every command has. */
		fputs(" --help --version' ;;\n", out);
	}
	function_end(out);
	function_begin(out, "_nxn_argument");
	for (const struct named_command *c = commands; c->name; c++) {
		const char *text = c->command->arguments;
		if (text)
			fprintf(out, "\t%s) echo '%s' ;;\n", c->name, unquoted(text));
		for (o = c->command->options; (o = option_next(o)); o++)
			option_argument(out, c->name, o);
	}
	function_end(out);
}

static void keys_print(FILE *out, const char *prefix, const char *name, const struct field *params)
{
	fprintf(out, "\t%s%s) echo '", prefix, name);
	for (; params->name; params++)
		fprintf(out, " %s=", params->name);
	fputs("' ;;\n", out);
}

/* What a parameter may be set to, where there is a list. */
static void choices_print(FILE *out, const char *prefix, const char *name,
			  const struct field *param, bool first)
{
	const char *choices = field_is_chars(param)	   ? "FILE"
			      : param->kind == FIELD_VALUE ? "VALUE"
							   : param->choices;
	if (!choices)
		return;
	fprintf(out, "\t'%s%s %s'", prefix, name, param->name);
	/* A bare word behind the name goes to the first parameter. */
	if (first && field_is_chars(param))
		fprintf(out, " | '%s%s '", prefix, name);
	fprintf(out, ") echo '%s' ;;\n", unquoted(choices));
}

static void choices_all(FILE *out, const char *prefix, const char *name, const struct field *params)
{
	for (const struct field *p = params; p->name; p++)
		choices_print(out, prefix, name, p, p == params);
}

/* Keys and choices of agents, and of values behind "value=". */
static void params_print(FILE *out)
{
	static const char value[] = "value=";
	function_begin(out, "_nxn_keys");
	for (int i = 0; agent_classes[i]; i++)
		keys_print(out, "", agent_classes[i]->name, agent_classes[i]->params);
	for (int i = 0; value_classes[i]; i++)
		keys_print(out, value, value_classes[i]->name, value_classes[i]->params);
	function_end(out);
	function_begin(out, "_nxn_choices");
	for (int i = 0; agent_classes[i]; i++)
		choices_all(out, "", agent_classes[i]->name, agent_classes[i]->params);
	for (int i = 0; value_classes[i]; i++)
		choices_all(out, value, value_classes[i]->name, value_classes[i]->params);
	function_end(out);
	function_begin(out, "_nxn_value");
	for (int i = 0; agent_classes[i]; i++)
		for (const struct field *p = agent_classes[i]->params; p->name; p++)
			if (p->kind == FIELD_VALUE)
				fprintf(out, "\t%s) echo '%s' ;;\n", agent_classes[i]->name,
					unquoted(p->fallback));
	function_end(out);
}

/* The words that a metavariable stands for, a line each. */
static enum status words_print(FILE *out, struct why *why)
{
	function_begin(out, "_nxn_words");
	fputs("\tCOMMAND) echo '", out);
	for (const struct named_command *c = commands; c->name; c++)
		fprintf(out, " %s", c->name);
	fputs(" help' ;;\n\tSPEC) echo '", out);
	for (int i = 0; agent_classes[i]; i++)
		fprintf(out, " %s%s", agent_classes[i]->name, agent_classes[i]->needs ? ":" : "");
	for (const struct agent_alias *alias = agent_aliases; alias->name; alias++)
		fprintf(out, " %s", alias->name);
	fputs("' ;;\n\tVALUE) echo '", out);
	for (int i = 0; value_classes[i]; i++)
		fprintf(out, " %s", value_classes[i]->name);
	fputs("' ;;\n\tTABLE) echo '", out);
	for (const struct table *t = summary_tables.table; t->name; t++)
		fprintf(out, " %s", t->name);
	fputs(" games' ;;\n\tCHECK) echo '", out);
	for (const struct verify_check *const *table = verify_checks; *table; table++)
		for (const struct verify_check *c = *table; c->name; c++)
			fprintf(out, " %s", c->name);
	fputs("' ;;\n\tRxC) echo '", out);
#define SHAPE(rows, cols) fputs(" " #rows "x" #cols, out);
#include "boards/shapes.def"
	fputs("' ;;\n\tEXPERIMENT) echo '", out);
	enum status status = builtin_print(out, why);
	fputs("' ;;\n", out);
	function_end(out);
	return status;
}

static enum status bash_tables_print(FILE *out, struct why *why)
{
	fprintf(out,
		"# bash completion for nxn %s, made by `nxn completion bash' from its tables.\n\n",
		version_text);
	commands_print(out);
	params_print(out);
	return words_print(out, why);
}

static const struct shell {
	const char *name;
	enum status (*tables)(FILE *out, struct why *why); /* NULL: none */
	const char *const *script;
} shells[] = {{"bash", bash_tables_print, bash_script},
	      {"zsh", NULL, zsh_script},
	      {"fish", NULL, fish_script}};

static enum status completion_run(void *input, const struct invocation *call, struct why *why)
{
	const struct shell *shell = *(const struct shell *const *)input;
	(void)call;
	enum status status = shell->tables ? shell->tables(stdout, why) : STATUS_OK;
	for (const char *const *line = shell->script; *line; line++)
		puts(*line);
	return status;
}

static enum status shell_take(void *input, const char *name, struct why *why)
{
	const struct shell **shell = input;
	if (*shell)
		return why_set(why, STATUS_INPUT, "unexpected argument '%s'", name);
	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
		if (strcmp(name, shells[i].name) == 0)
			*shell = &shells[i];
	if (!*shell)
		return why_set(why, STATUS_INPUT, "no shell '%s': expected bash, zsh or fish",
			       name);
	return STATUS_OK;
}

static const char doc[] =
    "Prints a script for bash, zsh or fish, made from the program's own tables, that completes "
    "commands, options, agents with their parameters, boards, experiments and files.\v"
    "make install installs the scripts. bash loads its own automatically if the package "
    "bash-completion is installed. Otherwise run eval \"$(nxn completion bash)\" in bash, the same "
    "with zsh in zsh, or nxn completion fish | source in fish. zsh and fish ask bash, which must "
    "be installed.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn completion bash\n"
    "  nxn completion zsh\n"
    "  nxn completion fish\n";

static const struct shell *unknown;

const struct command cmd_completion = {
    .arguments = "bash|zsh|fish",
    .missing = "the shell is missing: expected bash, zsh or fish",
    .argument = shell_take,
    .doc = doc,
    COMMAND_INPUT(unknown),
    .run = completion_run,
};
