/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Command lines by getopt_long(3); see options.h.
 *
 * The tables for getopt_long() are made from those of the command. Its error messages are replaced
 * by our own, which mention agents and experiment files and suggest names.
 */
#include "src/cli/options.h"

#include "agents/agent.h"
#include "base/number.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/virtual_memory.h"
#include "config.h"
#include "src/cli/provenance.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Values of options. */

void threads_initial(void *member)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
#ifdef HAVE_SCHED_GETAFFINITY
	cpu_set_t allowed;
	/* Fails if the machine has more processors than a cpu_set_t can hold. */
	if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
		n = CPU_COUNT(&allowed);
#endif
	*(int *)member = n > THREADS_MAX ? THREADS_MAX : n < 1 ? 1 : (int)n;
}

void memory_initial(void *member)
{
	const uint64_t share = virtual_memory_half();
	const uint64_t least = (uint64_t)MEMORY_MIN, most = (uint64_t)MEMORY_MAX;
	*(uint64_t *)member = share < least ? least : share > most ? most : share;
}

size_t agent_label(const char *text)
{
	const size_t length = strcspn(text, ":=");
	return text[length] == '=' &&
		       (agent_class_of(text + length + 1) || strchr(text + length, ':'))
		   ? length
		   : 0;
}

/*
 * Whether REST is LABEL=AGENT, with a label of END bytes, and not a key=value of the agent AGENT of
 * LENGTH bytes before it, since some parameters are agents.
 */
static bool labelled_begins(const char *agent, size_t length, const char *rest, size_t end)
{
	char before[SPEC_MAX], named[SPEC_MAX];
	snprintf(named, sizeof named, "%.*s", (int)strcspn(rest + end + 1, ",:"), rest + end + 1);
	snprintf(before, sizeof before, "%.*s", (int)length, agent);
	const size_t label = agent_label(before);
	const struct agent_class *class = agent_class_of(before + (label ? label + 1 : 0));
	return agent_class_of(named) && !(class && field_find(class->params, rest, end));
}

/*
 * Whether REST continues the agent AGENT of LENGTH bytes before it: REST starts with a key=value,
 * or with a piece of text that is not an agent's name and is valid as a continuation of AGENT.
 */
static bool agent_continues(const char *agent, size_t length, const char *rest)
{
	char text[SPEC_MAX], canonical[SPEC_MAX];
	size_t end = strcspn(rest, ",:=");
	if (rest[end] == '=')
		return !labelled_begins(agent, length, rest, end);
	if (rest[end] == ':' || end == 0 || length + 1 + end >= sizeof text)
		return false;
	memcpy(text, agent, length + 1 + end); /* including the comma between them */
	text[length + 1 + end] = '\0';
	return !agent_class_of(text + length + 1) &&
	       agent_canonical(text, canonical, NULL) == STATUS_OK;
}

enum status agents_read(void *member, const char *what, const char *text, struct why *why)
{
	if (strchr(text, ';'))
		return list_split(member, what, text, ';', NULL, why);
	return list_split(member, what, text, ',', agent_continues, why);
}

enum status rules_check(const struct option_rule *rules, struct why *why)
{
	while (rules->message && !rules->broken)
		rules++;
	return rules->message ? why_set(why, STATUS_INPUT, "%s", rules->message) : STATUS_OK;
}

enum status argument_add(void *input, const char *argument, struct why *why)
{
	return list_add(input, argument, strlen(argument), why);
}

enum status argument_keep(void *input, const char *argument, struct why *why)
{
	const char **kept = input;
	if (*kept)
		return why_set(why, STATUS_INPUT, "unexpected argument '%s' after '%s'", argument,
			       *kept);
	*kept = argument;
	return STATUS_OK;
}

/* ---- The options of a command. */

/* Whether O is an option, not the heading of a group. */
static bool is_option(const struct command_option *o)
{
	return o->field.name;
}

static const struct command_option *option_named(const struct command *command, const char *name)
{
	for (const struct command_option *o = command->options; o && o->field.help; o++)
		if (is_option(o) && strcmp(o->field.name, name) == 0)
			return o;
	return NULL;
}

enum { LETTER_GAMES = 'n', LETTER_HELP = '?', LETTER_VERSION = 'V', LETTER_VERSION_TOO = 'v' };

/* Finds the option for LETTER; -n is a number of games unless it has another meaning. */
static const struct command_option *option_lettered(const struct command *command, int letter)
{
	static const char *const games[] = {"games", "episodes", "max-games"};
	const struct command_option *found = NULL;
	for (const struct command_option *o = command->options; o && o->field.help; o++)
		if (is_option(o) && o->letter == letter)
			return o;
	for (size_t i = 0; letter == LETTER_GAMES && !found && i < 3; i++)
		found = option_named(command, games[i]);
	return found;
}

/*
 * Names of options in other programs: a command that has the option NAME accepts OTHER for it,
 * unless it has its own option OTHER. A command whose arguments are agents also accepts --agent and
 * --agents.
 */
static const struct {
	const char *name, *other;
} synonyms[] = {
    {"episodes", "games"},  {"episodes", "rounds"},  {"games", "episodes"}, {"games", "rounds"},
    {"max-games", "games"}, {"max-games", "rounds"}, {"threads", "jobs"},   {"out", "output"},
    {"boards", "board"},    {"board", "boards"},     {"agents", "agent"},   {"agent", "agents"},
};

/* A command line that is being parsed. */
struct parser {
	const struct command *command;
	const char *name; /* "nxn compare" */
	void *input;
	struct invocation *call;
	struct option names[80]; /* ends with one without a name */
	int n;			 /* number of names */
	int shown;		 /* those that --help shows; they come first */
	char letters[128];
	bool arguments; /* arguments were given as an option */
};

/* Results of getopt_long() for long options: the index in the table plus KEY_FIRST. */
enum { KEY_HELP = 0x100, KEY_VERSION, KEY_AGENTS, KEY_FIRST };

static void name_add(struct parser *parser, const char *name, int has_arg, int key)
{
	assert(parser->n + 1 < (int)(sizeof parser->names / sizeof *parser->names));
	parser->names[parser->n++] = (struct option){.name = name, .has_arg = has_arg, .val = key};
}

static void letter_add(struct parser *parser, int letter, int has_arg)
{
	static const char *const colons[] = {"", ":", "::"};
	const size_t used = strlen(parser->letters);
	assert(used + 4 < sizeof parser->letters);
	snprintf(parser->letters + used, 4, "%c%s", letter, colons[has_arg]);
}

static int argument_of(const struct command_option *o)
{
	return !o->argument ? no_argument : o->optional ? optional_argument : required_argument;
}

/* Fills in the names for getopt_long(), which parses IN_ORDER or not. */
static void parser_init(struct parser *parser, bool in_order)
{
	const struct command *command = parser->command;
	const bool agents = command->arguments && strstr(command->arguments, "AGENT");
	const struct command_option *games = option_lettered(command, LETTER_GAMES);
	strcpy(parser->letters, in_order ? "+:" : ":");
	for (const struct command_option *o = command->options; o && o->field.help; o++) {
		if (!is_option(o))
			continue;
		name_add(parser, o->field.name, argument_of(o),
			 KEY_FIRST + (int)(o - command->options));
		if (o->letter)
			letter_add(parser, o->letter, argument_of(o));
	}
	name_add(parser, "help", no_argument, KEY_HELP);
	name_add(parser, "version", no_argument, KEY_VERSION);
	letter_add(parser, LETTER_VERSION, no_argument);
	if (!command->options)
		letter_add(parser, LETTER_VERSION_TOO, no_argument);
	parser->shown = parser->n;
	for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++) {
		const struct command_option *o = option_named(command, synonyms[i].name);
		if (o && !option_named(command, synonyms[i].other))
			name_add(parser, synonyms[i].other, argument_of(o),
				 KEY_FIRST + (int)(o - command->options));
	}
	for (int i = 0; agents && i < 2; i++)
		name_add(parser, i ? "agents" : "agent", required_argument, KEY_AGENTS);
	if (games && games->letter != LETTER_GAMES)
		letter_add(parser, LETTER_GAMES, argument_of(games));
}

/* ---- Errors in options. */

/* Settings of agents that users may try as options. */
static const char *const agent_keys[] = {"depth", "cutoff", "nodes", "ms", "value", NULL};

/* Whether WORD of LENGTH bytes is one of WORDS, which end with NULL. */
static bool is_one_of(const char *const *words, const char *word, size_t length)
{
	while (*words && (length != strlen(*words) || memcmp(word, *words, length) != 0))
		words++;
	return *words;
}

/* Reports that WORD, "--NAME" of LENGTH bytes, is not an option. */
static enum status name_unknown(const struct parser *parser, const char *word, int length,
				struct why *why)
{
	const char *name = word + 2;
	const size_t name_length = (size_t)length - 2;
	struct suggestion suggestion = suggestion_start(name, name_length);
	for (int i = 0; i < parser->shown; i++)
		suggestion_try(&suggestion, parser->names[i].name, strlen(parser->names[i].name));
	/* Many programs have --resume; these commands do not need it. */
	if (name_length > 2 && strncmp(name, "resume", name_length) == 0)
		return why_set(why, STATUS_INPUT,
			       "'%.*s' is not needed: the same command continues where it stopped",
			       length, word);
	if (is_one_of(agent_keys, name, name_length))
		return why_set(why, STATUS_INPUT,
			       "'%.*s' is a setting of an agent, as in expectimax:%.*s=...", length,
			       word, (int)name_length, name);
	if (suggestion.name)
		return why_set(why, STATUS_INPUT,
			       "unrecognized option '%.*s'; did you mean '--%s'?", length, word,
			       suggestion.name);
	return why_set(why, STATUS_INPUT, "unrecognized option '%.*s'; %s --help lists the options",
		       length, word, parser->name);
}

/* Reports why getopt_long() rejected WORD, "--NAME" or "--NAME=...". */
static enum status name_refuse(const struct parser *parser, const char *word, struct why *why)
{
	const int length = (int)strcspn(word, "=");
	const struct option *match[2] = {NULL};
	for (const struct option *o = parser->names; o->name && !match[1]; o++)
		if (strncmp(o->name, word + 2, (size_t)length - 2) == 0 &&
		    (!match[0] || match[0]->val != o->val))
			match[match[0] != NULL] = o;
	if (!match[0])
		return name_unknown(parser, word, length, why);
	if (match[1] && optopt == 0)
		return why_set(why, STATUS_INPUT, "option '%.*s' is ambiguous: '--%s' or '--%s'?",
			       length, word, match[0]->name, match[1]->name);
	return why_set(why, STATUS_INPUT, "option '%.*s' takes no argument", length, word);
}

/* Reports that the letter `optopt` in WORD is not an option. */
static enum status letter_refuse(const struct parser *parser, const char *word, struct why *why)
{
	const char letter[] = {'-', (char)optopt, '\0'};
	/* Shows a letter of more than one byte together with what surrounds it. */
	return why_set(why, STATUS_INPUT,
		       "unrecognized option '%.80s'; %s --help lists the options",
		       isascii((unsigned char)optopt) ? letter : word, parser->name);
}

/* Reports that the option `optopt` at the end of the line needs an argument. */
static enum status argument_lacks(const struct parser *parser, const char *word, struct why *why)
{
	const bool lettered = optopt < KEY_HELP;
	const struct command_option *o = lettered ? option_lettered(parser->command, optopt)
					 : optopt >= KEY_FIRST
					     ? parser->command->options + (optopt - KEY_FIRST)
					     : NULL;
	const char letter[] = {'-', (char)optopt, '\0'};
	const char *written = lettered ? letter : word;
	return why_set(why, STATUS_INPUT, "option '%s' needs an argument: %s %s", written, written,
		       o ? o->argument : "AGENT");
}

/* Reports that ARGUMENT is not allowed, and where an argument of its kind belongs. */
static enum status argument_refuse(const struct parser *parser, const char *argument,
				   struct why *why)
{
	const bool board = isdigit((unsigned char)argument[0]) && argument[1] == 'x';
	const struct command_option *o = option_named(parser->command, "boards");
	o = o ? o : option_named(parser->command, "board");
	if (board && o)
		return why_set(why, STATUS_INPUT, "unexpected argument '%s'; expected --%s %s%s",
			       argument, o->field.name, argument,
			       strcmp(o->field.name, "boards") == 0 ? ",..." : "");
	return why_set(why, STATUS_INPUT, "unexpected argument '%s'; %s --help lists the options",
		       argument, parser->name);
}

/* ---- Parsing. */

/* Reads the pieces of TEXT between commas with the reader of O. */
static enum status pieces_read(const struct command_option *o, const char *what, const char *text,
			       void *member, struct why *why)
{
	struct text_list list = {0};
	enum status status = list_split(&list, what, text, ',', NULL, why);
	for (size_t i = 0; !status && i < list.n; i++)
		status = o->read(member, what, list.item[i], why);
	list_free(&list);
	return status;
}

static enum status option_take(struct parser *parser, const struct command_option *o,
			       const char *text, struct why *why)
{
	static const struct field format = {.kind = FIELD_CHOICE, .choices = "text|tsv|json"};
	char what[64];
	void *const member = (char *)parser->input + o->field.offset;
	snprintf(what, sizeof what, "--%s", o->field.name);
	if (o->given)
		*(bool *)((char *)parser->input + o->given) = true;
	if (strcmp(o->field.name, "format") == 0)
		return field_read(&format, what, &parser->call->printer.format, text, why);
	if (o->each)
		return pieces_read(o, what, text, member, why);
	if (o->read)
		return o->read(member, what, text, why);
	return field_read(&o->field, what, parser->input, text ? text : "1", why);
}

/* Splits TEXT, which was given by an option, into agents and treats these as arguments. */
static enum status agents_take(struct parser *parser, char *text, struct why *why)
{
	struct text_list list = {0};
	enum status status = agents_read(&list, "--agents", text, why);
	for (size_t i = 0; !status && i < list.n; i++) {
		const size_t length = strlen(list.item[i]);
		text[length] = '\0';
		status = parser->command->argument(parser->input, text, why);
		text += length + 1;
	}
	list_free(&list);
	parser->arguments = true;
	return status;
}

void version_print(FILE *out)
{
	fprintf(out,
		"nxn %s\n"
		"Licence GPLv3+: GNU GPL version 3 or later <https://gnu.org/licenses/gpl.html>.\n"
		"This is free software: you are free to change and redistribute it.\n"
		"There is no warranty, to the extent permitted by law.\n"
		"\n"
		"Built with %s. `nxn info program` describes this machine.\n",
		version_text, compiler_text);
}

/* Prints the help of COMMAND and ends the process. */
__attribute__((noreturn)) static void help_exit(const struct parser *parser)
{
	command_help(parser->command, parser->name, stdout);
	exit(0);
}

/*
 * Returns the word with the unknown letter `optopt`, which getopt_long() has passed if that was its
 * last byte.
 */
static const char *lettered_word(char *const *argv)
{
	const char *word = argv[optind];
	return word && *word == '-' && strchr(word, optopt) ? word : argv[optind - 1];
}

/*
 * Handles KEY, the result of getopt_long() for the argument before argv[optind], with its `optarg`.
 */
static enum status key_take(struct parser *parser, int key, char *const *argv, struct why *why)
{
	const char *word = argv[optind - 1];
	if (key == ':')
		return argument_lacks(parser, word, why);
	if (key == KEY_HELP || (key == '?' && optopt == LETTER_HELP))
		help_exit(parser);
	if (key == '?')
		return optopt != 0 && optopt < KEY_HELP && strncmp(word, "--", 2) != 0
			   ? letter_refuse(parser, lettered_word(argv), why)
			   : name_refuse(parser, word, why);
	if (key == KEY_VERSION || key == LETTER_VERSION ||
	    (key == LETTER_VERSION_TOO && !parser->command->options)) {
		version_print(stdout);
		exit(0);
	}
	if (key == KEY_AGENTS)
		return agents_take(parser, optarg, why);
	return option_take(parser,
			   key < KEY_HELP ? option_lettered(parser->command, key)
					  : parser->command->options + (key - KEY_FIRST),
			   optarg, why);
}

/* Checks that arguments are plain text, since messages, tables and files contain them. */
static enum status texts_check(int argc, char **argv, struct why *why)
{
	enum status status = STATUS_OK;
	for (int i = 1; !status && i < argc; i++)
		status = *argv[i] ? text_check("argument", argv[i], SIZE_MAX, why) : STATUS_OK;
	return status;
}

/* Checks the numbers of the environment here, since the functions that use them cannot fail. */
static enum status environment_check(struct why *why)
{
	static const struct {
		const char *name;
		double least, most;
	} numbers[] = {{"NXN_PLOT_SECONDS", 1e-3, 1e9},
		       {"NXN_PROGRESS_SECONDS", 1e-3, 1e9},
		       {"SOURCE_DATE_EPOCH", 0, 253402300799}};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		const char *text = getenv(numbers[i].name);
		double x;
		if (text && *text &&
		    !(real_parse(text, &x) && x >= numbers[i].least && x <= numbers[i].most))
			return why_set(why, STATUS_INPUT,
				       "%s: '%.40s' is not a number of seconds from %.15g to %.15g",
				       numbers[i].name, text, numbers[i].least, numbers[i].most);
	}
	return STATUS_OK;
}

/* Reads the options in ARGV. *FIRST is the index of the first argument. */
static enum status options_read(struct parser *parser, bool in_order, int argc, char **argv,
				int *first, struct why *why)
{
	enum status status = texts_check(argc, argv, why);
	status = status ? status : environment_check(why);
	int key;
	parser_init(parser, in_order);
	opterr = 0;
	optind = 0; /* restart getopt_long(), which may have parsed the options of nxn itself */
	while (!status &&
	       (key = getopt_long(argc, argv, parser->letters, parser->names, NULL)) != -1)
		status = key_take(parser, key, argv, why);
	*first = optind;
	return status;
}

static enum status arguments_read(struct parser *parser, int first, int argc, char **argv,
				  struct why *why)
{
	const struct command *command = parser->command;
	enum status status = STATUS_OK;
	if (first == argc && command->missing && !parser->arguments)
		return why_set(why, STATUS_INPUT, "%s", command->missing);
	for (int i = first; !status && i < argc; i++)
		status = !*argv[i] ? why_set(why, STATUS_INPUT, "an argument must not be empty")
			 : command->argument ? command->argument(parser->input, argv[i], why)
					     : argument_refuse(parser, argv[i], why);
	if (!status && command->check)
		status = command->check(parser->input, why);
	return status;
}

/* Refuses options that change the text for people alone, beside another format. */
static enum status text_options_refuse(const struct parser *parser, struct why *why)
{
	static const char *const names[] = {"full", "spread", "by-board"};
	for (size_t i = 0; parser->call->printer.format != FORMAT_TEXT && i < 3; i++) {
		const struct command_option *o = option_named(parser->command, names[i]);
		if (o && *(bool *)((char *)parser->input + o->field.offset))
			return why_set(why, STATUS_INPUT, "--%s: only as text, not with --format",
				       names[i]);
	}
	return STATUS_OK;
}

/* Parses ARGV into INPUT, which has the defaults, and CALL. Ends the process after --help. */
static enum status command_parse(const struct command *command, int argc, char **argv, void *input,
				 struct invocation *call, struct why *why)
{
	struct parser parser = {.command = command, .name = argv[0], .input = input, .call = call};
	int first;
	for (const struct command_option *o = command->options; o && o->field.help; o++)
		if (o->initial)
			o->initial((char *)input + o->field.offset);
	enum status status = options_read(&parser, false, argc, argv, &first, why);
	status = status ? status : arguments_read(&parser, first, argc, argv, why);
	return status ? status : text_options_refuse(&parser, why);
}

int options_skip(const struct command *command, int argc, char **argv)
{
	struct why why;
	struct parser parser = {.command = command, .name = argv[0]};
	int first;
	if (!options_read(&parser, true, argc, argv, &first, &why))
		return first;
	fprintf(stderr, "%s: %s\n", argv[0], why.text);
	exit(2);
}

/* Frees the lists in INPUT. */
static void command_input_fini(const struct command *command, void *input)
{
	if (command->argument == argument_add)
		list_free(input);
	for (const struct command_option *o = command->options; o && o->field.help; o++)
		if (o->field.kind == FIELD_LIST)
			list_free((struct text_list *)((char *)input + o->field.offset));
}

/* ---- Help. */

enum { HELP_COLUMN = 29, OPTIONS_MAX = 64 };

static int by_name(const void *a, const void *b)
{
	const struct command_option *const *x = a, *const *y = b;
	return strcmp((*x)->field.name, (*y)->field.name);
}

/* Prints "  -a, --agents=SPEC,...      Agents, as in ...". */
static void option_help(const struct command_option *o, FILE *out)
{
	char head[256], letter[] = "    ";
	if (o->letter)
		snprintf(letter, sizeof letter, "-%c, ", o->letter);
	int width = snprintf(head, sizeof head, "  %.4s--%s%s%s%s%s", letter, o->field.name,
			     o->optional ? "[" : "", o->argument ? "=" : "",
			     o->argument ? o->argument : "", o->optional ? "]" : "");
	fputs(head, out);
	if (width > HELP_COLUMN - 2) {
		fputc('\n', out);
		width = 0;
	}
	fprintf(out, "%*s", HELP_COLUMN - width, "");
	text_fill(out, HELP_COLUMN, o->field.help);
}

/*
 * Prints the heading of GROUP of COMMAND, and its options by name. Returns the last group's number.
 */
static int group_help(const struct command *command, int group, FILE *out)
{
	const struct command_option *found[OPTIONS_MAX] = {0};
	const char *heading = "";
	int n = 0, now = 0, last = 0;
	for (const struct command_option *o = command->options; o && o->field.help; o++) {
		now = is_option(o) ? now : o->group;
		last = now > last ? now : last;
		if (now == group && !is_option(o))
			heading = o->field.help;
		assert(n < OPTIONS_MAX);
		if (now == group && is_option(o))
			found[n++] = o;
	}
	qsort(found, (size_t)n, sizeof *found, by_name);
	fprintf(out, "%s%s%s", n ? "\n" : "", *heading ? " " : "", heading);
	fputs(*heading ? "\n" : "", out);
	for (int i = 0; i < n; i++)
		option_help(found[i], out);
	return last;
}

/*
 * Prints TEXT up to its end or a '\v', wrapping each line that does not begin with a blank. Returns
 * where it stopped.
 */
static const char *paragraphs_print(const char *text, FILE *out)
{
	while (*text && *text != '\v') {
		const int length = (int)strcspn(text, "\n\v");
		char *line = strndup(text, (size_t)length);
		if (line && *line && *line != ' ')
			text_fill(out, 0, line);
		else
			fprintf(out, "%.*s\n", length, text);
		free(line);
		text += length + (text[length] == '\n');
	}
	return *text ? text + 1 : text;
}

void command_help(const struct command *command, const char *name, FILE *out)
{
	static const struct command_option own[] = {
	    OPTION("help", '?', NULL, FIELD_NONE, 0, "Print this help"),
	    OPTION("version", 'V', NULL, FIELD_NONE, 0, "Print the version"),
	};
	fprintf(out, "Usage: %s [OPTION...]%s%s\n", name, command->arguments ? " " : "",
		command->arguments ? command->arguments : "");
	const char *rest = paragraphs_print(command->doc, out);
	for (int group = 0, last = 0; group <= last; group++)
		last = group_help(command, group, out);
	if (!command->options)
		fputs("\n", out);
	for (size_t i = 0; i < 2; i++)
		option_help(&own[i], out);
	if (*rest)
		fputs("\n", out);
	paragraphs_print(rest, out);
	if (command->details)
		command->details(out);
}

void torn_warn(const char *path, size_t cut)
{
	if (cut)
		fprintf(stderr, "nxn: %s: cut off a torn last line of %zu bytes\n", path, cut);
	else
		fprintf(stderr, "nxn: %s: the torn last line was left out\n", path);
}

/* ---- Lines for a shell. */

/* Bytes that need no quotes in a shell. */
static const char unquoted[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
			       "-_./:,=+@%";

static void put_word(FILE *out, const char *word)
{
	if (*word && word[strspn(word, unquoted)] == '\0') {
		fputs(word, out);
		return;
	}
	fputc('\'', out);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", out);
		else
			fputc(*word, out);
	}
	fputc('\'', out);
}

enum status shell_join(const char *prefix, const char *program, int n, char **argv, char **line,
		       struct why *why)
{
	char *text = NULL;
	size_t size;
	FILE *out = stream_open(&text, &size);
	if (!out)
		return why_errno(why, "command line");
	fputs(prefix, out);
	put_word(out, program);
	fputs(argv[0] + strlen("nxn"), out);
	for (int i = 1; i < n; i++) {
		fputc(' ', out);
		put_word(out, argv[i]);
	}
	if (fclose(out)) {
		free(text);
		return why_errno(why, "command line");
	}
	*line = text;
	return STATUS_OK;
}

/* ---- Running a command. */

/* Exit status that asks for the same command again: EX_TEMPFAIL, as for batch systems. */
enum { STOP_AGAIN = 75 };

/*
 * Ctrl-C ends the work for good. The other signals mean that the work should continue later: those
 * of a batch system, of a closed terminal, of the budget, and of the limit on processor time.
 */
static int stop_status(void)
{
	const int signal = stop_signal();
	return signal == SIGINT ? 128 + signal : STOP_AGAIN;
}

int command_exit(const char *name, enum status status, const struct why *why)
{
	if (status == STATUS_OK)
		return 0;
	if (status == STATUS_STOPPED)
		return stop_status();
	if (*why->text)
		fprintf(stderr, "%s: %s\n", name, why->text);
	return status == STATUS_INPUT ? 2 : 1;
}

/* Builds the command lines of CALL: one for provenance, and one to start the program again. */
static enum status invocation_init(struct invocation *call, const char *prefix, int argc,
				   char **argv, struct why *why)
{
	call->name = argv[0];
	enum status status = shell_join("", "nxn", argc, argv, &call->provenance, why);
	if (status)
		return status;
	return shell_join(prefix, program_invocation_name, argc, argv, &call->resume, why);
}

/*
 * Reserves standard output for a table, at *TABLE, and redirects everything else that this process
 * and its children print to it to SAID.
 */
static enum status output_part(FILE **table, FILE *said, struct why *why)
{
	const int kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	*table = kept < 0 ? NULL : fdopen(kept, "w");
	if (!*table || dup2(fileno(said), STDOUT_FILENO) < 0)
		return why_errno(why, "standard output");
	setvbuf(stdout, NULL, _IOLBF, 0); /* keeps the order relative to standard error */
	return STATUS_OK;
}

/* Runs COMMAND. If its result is a table for programs, nothing else goes to standard output. */
static enum status command_run(const struct command *command, void *input, struct invocation *call,
			       FILE *said, struct why *why)
{
	call->printer.file = stdout;
	if (call->printer.format == FORMAT_TEXT)
		return command->run(input, call, why);
	enum status status = output_part(&call->printer.file, said, why);
	if (status)
		return status;
	status = command->run(input, call, why);
	errno = 0;
	const bool failed = ferror(call->printer.file);
	/* An earlier failed write left no errno. */
	if ((fclose(call->printer.file) != 0 || failed) && !status)
		status = why_set(why, STATUS_SYSTEM, "standard output: %s",
				 errno ? strerror(errno) : "write error");
	return status;
}

int command_start(const struct command *command, int argc, char **argv, const char *prefix,
		  FILE *said)
{
	struct why why;
	struct invocation call = {0};
	void *input = calloc(1, command->size);
	enum status status =
	    input ? invocation_init(&call, prefix, argc, argv, &why) : why_errno(&why, "a command");
	if (!status) {
		memcpy(input, command->defaults, command->size);
		status = command_parse(command, argc, argv, input, &call, &why);
		if (!status)
			status = command_run(command, input, &call, said, &why);
		command_input_fini(command, input);
	}
	const int result = command_exit(argv[0], status, &why);
	free(call.provenance);
	free(call.resume);
	free(input);
	return result;
}
