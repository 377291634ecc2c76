/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Command lines; see options.h.
 *
 * A command line is read twice: first as getopt_long() will, so that what is wrong with an option
 * is told in one line (argp takes two), then by argp, whose table is made from that of the
 * command.
 */
#include "src/cli/options.h"

#include "agents/agent.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/virtual_memory.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void threads_initial(void *field)
{
	cpu_set_t allowed;
	/* Fails on machines with more processors than a cpu_set_t has room for. */
	int n = sched_getaffinity(0, sizeof allowed, &allowed) ? THREADS_MAX : CPU_COUNT(&allowed);
	*(int *)field = n > THREADS_MAX ? THREADS_MAX : n;
}

void option_error(struct argp_state *state, const char *reason, ...)
{
	struct why why;
	char text[sizeof why.text];
	va_list args;
	va_start(args, reason);
	vsnprintf(text, sizeof text, reason, args);
	va_end(args);
	why_set(&why, STATUS_INPUT, "%s", text);
	argp_failure(state, argp_err_exit_status, 0, "%s", why.text);
	exit(argp_err_exit_status);
}

/* Ends the process with WHY unless STATUS is STATUS_OK. */
static void option_check(struct argp_state *state, enum status status, const struct why *why)
{
	if (status == STATUS_INPUT)
		option_error(state, "%s", why->text);
	if (status == STATUS_OK)
		return;
	fprintf(stderr, "%s: %s\n", state->name, why->text);
	exit(EXIT_FAILURE);
}

void torn_warn(const char *path, size_t cut)
{
	if (cut)
		fprintf(stderr, "nxn: %s: cut off a torn last line of %zu bytes\n", path, cut);
	else
		fprintf(stderr, "nxn: %s: the torn last line was left out\n", path);
}

enum status number_parse(const char *what, const char *text, uint64_t min, uint64_t max,
			 uint64_t *number, struct why *why)
{
	char *end;
	errno = 0;
	uint64_t n = strtoull(text, &end, 10);
	bool digits = *text && strspn(text, "0123456789") == strlen(text);
	if (!digits || errno || n < min || n > max)
		return why_set(why, STATUS_INPUT,
			       "%s: '%s' is not a whole number from %" PRIu64 " to %" PRIu64, what,
			       text, min, max);
	*number = n;
	return STATUS_OK;
}

uint64_t option_number(struct argp_state *state, const char *what, const char *text, uint64_t min,
		       uint64_t max)
{
	struct why why;
	uint64_t number = 0;
	option_check(state, number_parse(what, text, min, max, &number, &why), &why);
	return number;
}

/* A time above 0 with its unit, s, m or h, in seconds. */
static double option_duration(struct argp_state *state, const char *what, const char *text)
{
	char *unit;
	double number = strtod(text, &unit);
	double seconds = number * (!strcmp(unit, "h") ? 3600 : !strcmp(unit, "m") ? 60 : 1);
	/* strtod() knows more ways to write numbers than there should be here. */
	bool plain = strspn(text, "0123456789.") == (size_t)(unit - text);
	if (!plain || !*unit || !strchr("smh", *unit) || unit[1] ||
	    !(seconds > 0 && seconds < 1e10))
		option_error(state, "%s: '%s' is not a time such as 90s, 10m or 1.5h", what, text);
	return seconds;
}

enum status list_add(struct text_list *list, const char *text, size_t length, struct why *why)
{
	char **grown = reallocarray(list->item, list->n + 1, sizeof *grown);
	if (!grown)
		return why_errno(why, "a list of %zu", list->n + 1);
	list->item = grown;
	char *copy = strndup(text, length);
	if (!copy)
		return why_errno(why, "a list of %zu", list->n + 1);
	list->item[list->n++] = copy;
	return STATUS_OK;
}

void argument_add(struct argp_state *state, char *argument, void *input)
{
	struct why why;
	option_check(state, list_add(input, argument, strlen(argument), &why), &why);
}

void list_free(struct text_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->item[i]);
	free(list->item);
	*list = (struct text_list){0};
}

/*
 * Appends the pieces of TEXT between SEPARATORs; CONTINUES (or NULL) tells whether what follows a
 * separator, REST, belongs to the piece of LENGTH bytes before it.
 */
static enum status list_add_pieces(
    struct text_list *list, const char *what, const char *text, char separator,
    bool (*continues)(const char *piece, size_t length, const char *rest), struct why *why)
{
	const char *stop = (char[]){separator, '\0'};
	for (const char *piece = text;;) {
		size_t length = strcspn(piece, stop);
		while (continues && piece[length] && continues(piece, length, piece + length + 1))
			length += 1 + strcspn(piece + length + 1, stop);
		if (length == 0)
			return why_set(why, STATUS_INPUT, "%s: '%s' has an empty item", what, text);
		enum status status = list_add(list, piece, length, why);
		if (status || !piece[length])
			return status;
		piece += length + 1;
	}
}

enum status list_split(struct text_list *list, const char *what, const char *text, struct why *why)
{
	return list_add_pieces(list, what, text, ',', NULL, why);
}

/*
 * Whether REST starts with a key=value of the specification AGENT of LENGTH bytes before it, or
 * goes on with a text in it: with what is no agent's name and makes an agent together with AGENT.
 */
static bool agent_continues(const char *agent, size_t length, const char *rest)
{
	char text[SPEC_MAX], canonical[SPEC_MAX];
	size_t end = strcspn(rest, ",:=");
	if (rest[end] == '=')
		return true;
	if (rest[end] == ':' || end == 0 || length + 1 + end >= sizeof text)
		return false;
	memcpy(text, agent, length + 1 + end); /* with the comma between them */
	text[length + 1 + end] = '\0';
	return !agent_class_of(text + length + 1) &&
	       agent_canonical(text, canonical, NULL) == STATUS_OK;
}

/*
 * Appends the agents in TEXT. They are separated by ';' where there is one, else by ','; but a
 * piece with a '=' before any ':' continues the specification before it, so that
 * "random,expectimax:depth=2,cutoff=1e-3,corners" is three agents; and so does a piece that is no
 * agent where that one ends with a text (agents/agent.h). STATUS_INPUT if one is empty.
 */
static enum status list_split_agents(struct text_list *list, const char *what, const char *text,
				     struct why *why)
{
	if (strchr(text, ';'))
		return list_add_pieces(list, what, text, ';', NULL, why);
	return list_add_pieces(list, what, text, ',', agent_continues, why);
}

static const uint64_t memory_min = (uint64_t)1 << 20, memory_max = (uint64_t)1 << 50;

void memory_initial(void *field)
{
	const uint64_t share = virtual_memory_share();
	*(uint64_t *)field = share < memory_min	  ? memory_min
			     : share > memory_max ? memory_max
						  : share;
}

/* A size in bytes, as in 800M. */
static uint64_t option_bytes(struct argp_state *state, const char *what, const char *text)
{
	static const char suffixes[] = "KMGT";
	char *end;
	errno = 0;
	const uint64_t number = strtoull(text, &end, 10);
	const char *suffix = *end ? strchr(suffixes, *end) : NULL;
	const int shift = suffix ? 10 * (int)(suffix - suffixes + 1) : 0;
	if (*text < '0' || *text > '9' || errno || (*end && (!suffix || end[1])) ||
	    number > memory_max >> shift || number << shift < memory_min)
		option_error(state, "%s: '%s' is not a size from 1M to 1024T, such as 800M or 8G",
			     what, text);
	return number << shift;
}

/* A number in LOW .. HIGH. */
static double option_real(struct argp_state *state, const char *what, const char *text, double low,
			  double high)
{
	char *end;
	const double x = strtod(text, &end);
	const bool plain = strspn(text, "0123456789.eE-+") == strlen(text);
	if (!plain || end == text || *end || !(x >= low && x <= high))
		option_error(state, "%s: '%s' is not a number from %g to %g", what, text, low,
			     high);
	return x;
}

/* Reads each piece of TEXT into FIELD. */
static void pieces_read(const struct command_option *option, const char *what, const char *text,
			struct argp_state *state, void *field)
{
	struct why why;
	struct text_list list = {0};
	enum status status = list_split(&list, what, text, &why);
	for (size_t i = 0; !status && i < list.n; i++)
		status = option->read(field, what, list.item[i], &why);
	list_free(&list);
	option_check(state, status, &why);
}

/* Puts the number that is the argument of OPTION into FIELD. */
static void number_take(const struct command_option *option, const char *what, const char *text,
			struct argp_state *state, void *field)
{
	const enum option_kind kind = option->kind;
	if (kind == OPTION_REAL)
		*(double *)field = option_real(state, what, text, option->low, option->high);
	else if (kind == OPTION_DURATION)
		*(double *)field = option_duration(state, what, text);
	else if (kind == OPTION_BYTES)
		*(uint64_t *)field = option_bytes(state, what, text);
	else if (kind == OPTION_INT)
		*(int *)field = (int)option_number(state, what, text, option->min, option->max);
	else if (kind == OPTION_COUNT)
		*(uint64_t *)field = option_number(state, what, text, option->min, option->max);
	else
		*(size_t *)field =
		    (size_t)option_number(state, what, text, option->min, option->max);
}

/* The field of OPTION in INPUT, whose argument is TEXT. */
static void option_take(const struct command_option *option, char *text, struct argp_state *state,
			void *input)
{
	struct why why;
	char what[64];
	void *const field = (char *)input + option->offset;
	snprintf(what, sizeof what, "--%s", option->name);
	switch (option->kind) {
	case OPTION_GROUP:
		break;
	case OPTION_FLAG:
		*(bool *)field = true;
		break;
	case OPTION_NAME:
		if (!*text)
			option_error(state, "%s: must not be empty", what);
		*(const char **)field = text;
		break;
	case OPTION_TEXT:
		*(const char **)field = text;
		break;
	case OPTION_LIST:
		option_check(state, list_split(field, what, text, &why), &why);
		break;
	case OPTION_AGENTS:
		option_check(state, list_split_agents(field, what, text, &why), &why);
		break;
	case OPTION_READ:
		option_check(state, option->read(field, what, text, &why), &why);
		break;
	case OPTION_READ_EACH:
		pieces_read(option, what, text, state, field);
		break;
	case OPTION_CALL:
		option->take(state, what, text, field);
		break;
	default:
		number_take(option, what, text, state, field);
		break;
	}
}

/* A command line that is parsed into INPUT and CALL. */
struct parsing {
	const struct command *command;
	void *input;
	struct invocation *call;
	bool arguments; /* there are some, given as an option */
};

static void format_take(struct argp_state *state, const char *text, enum table_format *format)
{
	static const char *const names[] = {"text", "tsv", "json"};
	for (int i = FORMAT_TEXT; i <= FORMAT_JSON; i++)
		if (strcmp(text, names[i]) == 0) {
			*format = (enum table_format)i;
			return;
		}
	option_error(state, "--format: '%s' is not text, tsv or json", text);
}

enum { KEY_FIRST = 0x100, OPTIONS_MAX = 64, GROUPS_MAX = 4 };

/*
 * What people who know other programs call an option: a command that has NAME takes OTHER for it,
 * and -n for its number of games, unless it has an option of its own that is called so. A command
 * whose arguments are agents takes them by --agent and --agents, too.
 */
static const struct {
	const char *name, *other;
} synonyms[] = {
    {"episodes", "games"},  {"episodes", "rounds"},  {"games", "episodes"}, {"games", "rounds"},
    {"max-games", "games"}, {"max-games", "rounds"}, {"threads", "jobs"},   {"out", "output"},
    {"boards", "board"},    {"board", "boards"},     {"agents", "agent"},   {"agent", "agents"},
};

enum {
	SYNONYMS = sizeof synonyms / sizeof *synonyms,
	LETTER_GAMES = 'n',
	KEY_AGENTS = KEY_FIRST + OPTIONS_MAX
};

static const struct command_option *option_named(const struct command *command, const char *name)
{
	for (const struct command_option *o = command->options; o && o->doc; o++)
		if (o->kind != OPTION_GROUP && strcmp(o->name, name) == 0)
			return o;
	return NULL;
}

/* The option that LETTER_GAMES is for, or NULL. */
static const struct command_option *games_option(const struct command *command)
{
	static const char *const names[] = {"games", "episodes", "max-games"};
	for (const struct command_option *o = command->options; o && o->doc; o++)
		if (o->letter == LETTER_GAMES)
			return NULL;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct command_option *o = option_named(command, names[i]);
		if (o)
			return o;
	}
	return NULL;
}

static int option_key(const struct command_option *options, int i)
{
	return options[i].letter ? options[i].letter : KEY_FIRST + i;
}

/* Says that there is no place for ARG, and where one of its kind belongs. */
static void argument_refuse(const struct command *command, struct argp_state *state,
			    const char *arg)
{
	const bool board = isdigit((unsigned char)arg[0]) && arg[1] == 'x';
	for (const struct command_option *o = command->options; board && o->name; o++)
		if (strncmp(o->name, "board", 5) == 0)
			option_error(state, "unexpected argument '%s'; expected --%s %s%s", arg,
				     o->name, arg, o->name[5] ? ",..." : "");
	option_error(state, "unexpected argument '%s'; %s --help lists what there is", arg,
		     state->name);
}

/* Takes the agents in TEXT, which becomes as many texts, as arguments. */
static void agents_take(struct parsing *parsing, struct argp_state *state, char *text)
{
	struct why why;
	struct text_list list = {0};
	option_check(state, list_split_agents(&list, "--agents", text, &why), &why);
	for (size_t i = 0; i < list.n; i++) {
		const size_t length = strlen(list.item[i]);
		text[length] = '\0';
		parsing->command->argument(state, text, parsing->input);
		text += length + 1;
	}
	list_free(&list);
	parsing->arguments = true;
}

static error_t line_parse(int key, char *arg, struct argp_state *state)
{
	struct parsing *parsing = state->input;
	const struct command *command = parsing->command;
	switch (key) {
	case KEY_AGENTS:
		agents_take(parsing, state, arg);
		return 0;
	case ARGP_KEY_ARG:
		if (!command->argument)
			argument_refuse(command, state, arg);
		command->argument(state, arg, parsing->input);
		return 0;
	case ARGP_KEY_NO_ARGS:
		if (command->missing && !parsing->arguments)
			option_error(state, "%s", command->missing);
		return 0;
	case ARGP_KEY_END:
		if (command->check)
			command->check(state, parsing->input);
		return 0;
	default:
		break;
	}
	const struct command_option *option = key == LETTER_GAMES ? games_option(command) : NULL;
	for (const struct command_option *o = command->options; !option && o && o->doc; o++)
		if (o->kind != OPTION_GROUP &&
		    option_key(command->options, (int)(o - command->options)) == key)
			option = o;
	if (!option)
		return ARGP_ERR_UNKNOWN;
	if (option->kind == OPTION_FORMAT)
		format_take(state, arg, &parsing->call->printer.format);
	else
		option_take(option, arg, state, parsing->input);
	return 0;
}

/* Appends the options of COMMAND in GROUP to TABLE, which has N. Returns how many it has then. */
static int group_add(const struct command *command, int group, struct argp_option *table, int n)
{
	int now = 0;
	for (int i = 0; command->options && command->options[i].doc; i++) {
		const struct command_option *o = &command->options[i];
		const bool mark = o->kind == OPTION_GROUP;
		now = mark ? o->group : now;
		if (now != group || (mark && !*o->doc))
			continue;
		assert(n < OPTIONS_MAX);
		table[n++] = (struct argp_option){.name = o->name,
						  .key = mark ? 0 : option_key(command->options, i),
						  .arg = o->argument,
						  .flags = o->optional ? OPTION_ARG_OPTIONAL : 0,
						  .doc = o->doc,
						  .group = group};
	}
	return n;
}

/* Appends the names from elsewhere that COMMAND knows to TABLE, which has N. Returns as above. */
static int synonyms_add(const struct command *command, struct argp_option *table, int n)
{
	const struct command_option *games = games_option(command);
	for (int i = 0; i < SYNONYMS; i++) {
		const struct command_option *o = option_named(command, synonyms[i].name);
		if (!o || option_named(command, synonyms[i].other))
			continue;
		assert(n < OPTIONS_MAX);
		table[n++] = (struct argp_option){
		    .name = synonyms[i].other,
		    .key = option_key(command->options, (int)(o - command->options)),
		    .arg = o->argument,
		    .flags = OPTION_HIDDEN};
	}
	assert(n + 2 < OPTIONS_MAX);
	if (games)
		table[n++] = (struct argp_option){
		    .key = LETTER_GAMES, .arg = games->argument, .flags = OPTION_HIDDEN};
	for (int i = 0; i < 2 && command->arguments && strstr(command->arguments, "AGENT"); i++)
		table[n++] = (struct argp_option){.name = i ? "agents" : "agent",
						  .key = KEY_AGENTS,
						  .arg = "AGENT",
						  .flags = OPTION_HIDDEN};
	return n;
}

/*
 * Parses ARGV into INPUT, which has the defaults, and CALL, or ends the process: with one line and
 * exit status 2 for what is wrong, with exit status 1 when memory runs out, with 0 after --help.
 */
static void command_parse(const struct command *command, int argc, char **argv, void *input,
			  struct invocation *call)
{
	struct parsing parsing = {command, input, call, false};
	struct argp_option table[OPTIONS_MAX + 1] = {{0}};
	int n = 0;
	/* In ascending order: argp takes group 0 behind another for that. */
	for (int group = 0; group < GROUPS_MAX; group++)
		n = group_add(command, group, table, n);
	n = synonyms_add(command, table, n);
	for (const struct command_option *o = command->options; o && o->doc; o++)
		if (o->initial)
			o->initial((char *)input + o->offset);
	/* argp leaks a table without rows. */
	const struct argp argp = {.options = n > 0 ? table : NULL,
				  .parser = line_parse,
				  .args_doc = command->arguments,
				  .doc = command->doc};
	options_parse(&argp, argc, argv, 0, &parsing);
}

/* Frees the lists in INPUT. */
static void command_input_fini(const struct command *command, void *input)
{
	if (command->argument == argument_add)
		list_free(input);
	for (const struct command_option *o = command->options; o && o->doc; o++)
		if (o->kind == OPTION_LIST || o->kind == OPTION_AGENTS)
			list_free((struct text_list *)((char *)input + o->offset));
}

/* What argp has by itself. */
static const struct argp_option own_table[] = {
    {"help", '?', NULL, 0, NULL, 0},
    {"usage", 0, NULL, 0, NULL, 0},
    {"version", 'V', NULL, 0, NULL, 0},
    {"program-name", 0, "NAME", OPTION_HIDDEN, NULL, 0},
    {"HANG", 0, "SECS", OPTION_ARG_OPTIONAL | OPTION_HIDDEN, NULL, 0},
    {0},
};

/* A command line, with what there is to say about it. */
struct checked_line {
	const struct argp *argp;
	int argc;
	char **argv;
	struct why *why;
};

struct name_search {
	struct guess guess;		 /* at what is looked for, without -- and = */
	bool full;			 /* FOUND is named in full, not by its beginning */
	const struct argp_option *found; /* the option that is meant, or NULL */
	const struct argp_option *other; /* one that begins alike, or NULL */
};

static bool takes_argument(const struct argp_option *option)
{
	return option->arg && !(option->flags & OPTION_ARG_OPTIONAL);
}

static void name_compare(struct name_search *names, const struct argp_option *option)
{
	if (strncmp(option->name, names->guess.word, names->guess.length) == 0) {
		bool full = !option->name[names->guess.length];
		if (!names->found || (full && !names->full))
			names->found = option;
		else if (option->key != names->found->key)
			names->other = option;
		names->full |= full;
	}
	if (!(option->flags & OPTION_HIDDEN))
		guess_try(&names->guess, option->name, strlen(option->name));
}

static void names_compare(struct name_search *names, const struct argp_option *option)
{
	for (; option && (option->name || option->key || option->doc); option++)
		if (option->name)
			name_compare(names, option);
}

static const struct argp_option *letter_find(const struct argp_option *option, char letter)
{
	for (; option && (option->name || option->key || option->doc); option++)
		if (option->key == letter)
			return option;
	return NULL;
}

/* Keys of the files of nxn run, and settings of agents, that many look for among options. */
static const char *const file_keys[] = {"agents", "boards", "games", "label", "train", NULL};
static const char *const agent_keys[] = {"depth", "cutoff", "nodes", "ms", "value", NULL};

/* Whether WORD of LENGTH bytes is one of WORDS, which end with NULL. */
static bool is_one_of(const char *const *words, const char *word, size_t length)
{
	while (*words && (length != strlen(*words) || memcmp(word, *words, length) != 0))
		words++;
	return *words;
}

/* Says that what is written as the first LENGTH bytes of OPTION is none. */
static enum status unknown(const struct checked_line *line, int length, const char *option)
{
	if (strcmp(line->argv[0], "nxn run") == 0 &&
	    is_one_of(file_keys, option + 2, (size_t)length - 2))
		return why_set(line->why, STATUS_INPUT,
			       "unrecognized option '%.*s': %.*s is a key of the file; %s --help "
			       "lists what there is",
			       length, option, length - 2, option + 2, line->argv[0]);
	return why_set(line->why, STATUS_INPUT,
		       "unrecognized option '%.*s'; %s --help lists what there is", length, option,
		       line->argv[0]);
}

/*
 * OPTION, written as the first LENGTH bytes of WRITTEN, takes the argument after the I-th:
 * *SKIPPED is then how many there are.
 */
static enum status argument_skip(const struct checked_line *line, int i,
				 const struct argp_option *option, int length, const char *written,
				 int *skipped)
{
	if (i + 1 == line->argc)
		return why_set(line->why, STATUS_INPUT, "option '%.*s' needs an argument: %.*s %s",
			       length, written, length, written, option->arg);
	*skipped = 1;
	return STATUS_OK;
}

/* Checks the letters of the I-th argument. */
static enum status letters_check(const struct checked_line *line, int i, int *skipped)
{
	for (const char *letter = line->argv[i] + 1; *letter; letter++) {
		const char written[] = {'-', *letter, '\0'};
		const struct argp_option *option = letter_find(line->argp->options, *letter);
		if (!option)
			option = letter_find(own_table, *letter);
		/* A letter that is no byte is shown as a whole, with what is around it. */
		if (!option)
			return *letter & 0x80 ? unknown(line, 80, line->argv[i])
					      : unknown(line, 2, written);
		if (takes_argument(option) && !letter[1])
			return argument_skip(line, i, option, 2, written, skipped);
		if (option->arg)
			return STATUS_OK;
	}
	return STATUS_OK;
}

/* Checks the name that the I-th argument has after its "--". */
static enum status name_check(const struct checked_line *line, int i, int *skipped)
{
	const char *word = line->argv[i];
	const int length = (int)strcspn(word, "=");
	struct name_search names = {.guess = guess_start(word + 2, (size_t)length - 2)};
	names_compare(&names, line->argp->options);
	names_compare(&names, own_table);
	/* Looked for in many programs, needed in none of these commands. */
	if (!names.found && strncmp(word, "--resume", (size_t)length) == 0 && length > 4)
		return why_set(line->why, STATUS_INPUT,
			       "'%.*s' is not needed: the same command goes on where it stopped",
			       length, word);
	if (!names.found && is_one_of(agent_keys, word + 2, (size_t)length - 2))
		return why_set(line->why, STATUS_INPUT,
			       "'%.*s' is a setting of an agent, as in expectimax:%.*s=...", length,
			       word, length - 2, word + 2);
	if (!names.found && names.guess.name)
		return why_set(line->why, STATUS_INPUT,
			       "unrecognized option '%.*s'; did you mean '--%s'?", length, word,
			       names.guess.name);
	if (!names.found)
		return unknown(line, length, word);
	if (!names.full && names.other)
		return why_set(line->why, STATUS_INPUT,
			       "option '%.*s' is ambiguous: '--%s' or '--%s'?", length, word,
			       names.found->name, names.other->name);
	if (word[length] && !names.found->arg)
		return why_set(line->why, STATUS_INPUT, "option '%.*s' takes no argument", length,
			       word);
	if (takes_argument(names.found) && !word[length])
		return argument_skip(line, i, names.found, length, word, skipped);
	return STATUS_OK;
}

/*
 * Checks the ARGC arguments in ARGV, from ARGV[1] on, for an option that ARGP has not, or not
 * exactly one of, and for arguments of options that are missing or too many. STATUS_INPUT names
 * the first of them, and the option that is within two edits of it. ARGV[0] is the command that
 * has a --help. Of FLAGS, those of argp_parse(), only ARGP_IN_ORDER counts. An argument of an
 * option is not taken for an option: `--out --boards` is a folder of that name.
 */
static enum status option_names_check(const struct argp *argp, int argc, char **argv,
				      unsigned flags, struct why *why)
{
	const struct checked_line line = {argp, argc, argv, why};
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		enum status status = STATUS_OK;
		int skipped = 0;
		if (strncmp(argv[i], "--", 2) == 0)
			status = name_check(&line, i, &skipped);
		else if (argv[i][0] == '-' && argv[i][1])
			status = letters_check(&line, i, &skipped);
		else if (flags & ARGP_IN_ORDER)
			return STATUS_OK;
		if (status)
			return status;
		i += skipped;
	}
	return STATUS_OK;
}

/* What arguments hold is printed: in messages, tables, heads of files. */
static enum status texts_check(int argc, char **argv, struct why *why)
{
	enum status status = STATUS_OK;
	for (int i = 1; !status && i < argc; i++)
		status = *argv[i] ? text_check("argument", argv[i], SIZE_MAX, why) : STATUS_OK;
	return status;
}

void options_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input)
{
	struct why why;
	if (texts_check(argc, argv, &why) || option_names_check(argp, argc, argv, flags, &why)) {
		fprintf(stderr, "%s: %s\n", argv[0], why.text);
		exit(argp_err_exit_status);
	}
	/* Whatever else is wrong ends the process in there. */
	const error_t error = argp_parse(argp, argc, argv, flags, NULL, input);
	if (!error)
		return;
	fprintf(stderr, "%s: command line: %s\n", argv[0], strerror(error));
	exit(EXIT_FAILURE);
}

/* ---- Lines for a shell. */

/* Bytes that need no quotes. */
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

/* Asks for the same command again: EX_TEMPFAIL, as batch systems know it. */
enum { STOP_AGAIN = 75 };

/*
 * Ctrl-C means enough; a batch system, a terminal that is gone, the budget and a limit on processor
 * time, another time.
 */
static int stop_status(void)
{
	const int signal = stop_signal();
	return signal == SIGINT ? 128 + signal : STOP_AGAIN;
}

/* The exit status that STATUS stands for. The reason of a failure is printed, if there is one. */
static int command_exit(const char *name, enum status status, const struct why *why)
{
	if (status == STATUS_OK)
		return 0;
	if (status == STATUS_STOPPED)
		return stop_status();
	if (*why->text)
		fprintf(stderr, "%s: %s\n", name, why->text);
	return status == STATUS_INPUT ? 2 : 1;
}

/* What was called, to be told, and to be typed again with the name that this program has there. */
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
 * Keeps standard output for a table, at *TABLE, and lets all else that is printed to it go to SAID,
 * also by programs that are started.
 */
static enum status output_part(FILE **table, FILE *said, struct why *why)
{
	const int kept = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	*table = kept < 0 ? NULL : fdopen(kept, "w");
	if (!*table || dup2(fileno(said), STDOUT_FILENO) < 0)
		return why_errno(why, "standard output");
	setvbuf(stdout, NULL, _IOLBF, 0); /* in the order of what is printed to standard error */
	return STATUS_OK;
}

/* Runs COMMAND with its result alone on standard output, if that is a table for programs. */
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
	/* An error that an earlier write met has left no errno. */
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
		command_parse(command, argc, argv, input, &call);
		status = command_run(command, input, &call, said, &why);
		command_input_fini(command, input);
	}
	const int result = command_exit(argv[0], status, &why);
	free(call.provenance);
	free(call.resume);
	free(input);
	return result;
}
