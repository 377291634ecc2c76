/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nxn __complete LINE: what the last word of a command line, up to the cursor, can be, a word a
 * line. The scripts of nxn completion ask for it.
 *
 * Nothing is listed twice: options come from the tables that parse them, parameters from those of
 * agents and values. What an option's argument can be follows from the word that --help has for
 * it (its metavariable): SPEC is an agent, RxC a board, FILE a file, and a word in small letters
 * itself.
 */
#include "agents/agent.h"
#include "analysis/tables/tables.h"
#include "src/commands/command.h"
#include "src/cli/data_dir.h"
#include "src/verify/verify.h"

#include <ctype.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The word that is completed. A candidate replaces what is from `text` on, a part of it. */
struct completion {
	const char *word;
};

/* Prints the candidate NAME and SUFFIX if NAME begins with TEXT. */
static void add(const struct completion *c, const char *text, const char *name, const char *suffix)
{
	if (strncmp(name, text, strlen(text)) == 0)
		printf("%.*s%s%s\n", (int)(text - c->word), c->word, name, suffix);
}

/* ---- Files. */

enum file_kind { FILES, FOLDERS, PROGRAMS };

/* Those of the folder PATH that begin with TEXT. */
static void folder_add(const struct completion *c, const char *path, const char *text,
		       enum file_kind kind)
{
	struct dirent **entries;
	const int n = scandir(path, &entries, NULL, alphasort);
	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name;
		char full[FOLDER_PATH_MAX];
		struct stat status;
		const bool hidden = *name == '.' && *text != '.';
		const int length = snprintf(full, sizeof full, "%s/%s", path, name);
		if (!hidden && strcmp(name, ".") && strcmp(name, "..") &&
		    length < (int)sizeof full && stat(full, &status) == 0) {
			const bool folder = S_ISDIR(status.st_mode);
			if (kind == PROGRAMS ? !folder && access(full, X_OK) == 0
					     : folder || kind == FILES)
				add(c, text, name, folder ? "/" : "");
		}
		free(entries[i]);
	}
	if (n >= 0)
		free(entries);
}

static void paths_add(const struct completion *c, const char *text, enum file_kind kind)
{
	const char *slash = strrchr(text, '/');
	char path[FOLDER_PATH_MAX] = ".";
	if (slash)
		snprintf(path, sizeof path, "%.*s", slash > text ? (int)(slash - text) : 1, text);
	folder_add(c, path, slash ? slash + 1 : text, kind);
}

static void files_add(const struct completion *c, const char *text)
{
	paths_add(c, text, FILES);
}

static void folders_add(const struct completion *c, const char *text)
{
	paths_add(c, text, FOLDERS);
}

/* What a shell would find. */
static void programs_add(const struct completion *c, const char *text)
{
	const char *path = getenv("PATH");
	char *folders = path ? strdup(path) : NULL, *rest = folders, *folder;
	while ((folder = strsep(&rest, ":")))
		folder_add(c, folder, text, PROGRAMS);
	free(folders);
}

/* ---- Names. */

static void agents_add(const struct completion *c, const char *text, bool needs)
{
	for (int i = 0; agent_classes[i]; i++)
		add(c, text, agent_classes[i]->name, needs && agent_classes[i]->needs ? ":" : "");
	for (const struct agent_alias *alias = agent_aliases; alias->name; alias++)
		add(c, text, alias->name, "");
}

static void values_add(const struct completion *c, const char *text)
{
	for (int i = 0; value_classes[i]; i++)
		add(c, text, value_classes[i]->name, "");
}

static void commands_add(const struct completion *c, const char *text)
{
	for (const struct named_command *command = commands; command->name; command++)
		add(c, text, command->name, "");
	add(c, text, "help", "");
}

static void tables_add(const struct completion *c, const char *text)
{
	for (const struct table *t = summary_tables.table; t->name; t++)
		add(c, text, t->name, "");
	add(c, text, "games", "");
}

static void checks_add(const struct completion *c, const char *text)
{
	for (const struct verify_check *const *table = verify_checks; *table; table++)
		for (const struct verify_check *check = *table; check->name; check++)
			add(c, text, check->name, "");
}

/* A board, the last one of a list between commas. */
static void boards_add(const struct completion *c, const char *text)
{
	const char *comma = strrchr(text, ',');
	text = comma ? comma + 1 : text;
#define SHAPE(rows, cols) add(c, text, #rows "x" #cols, "");
#include "boards/shapes.def"
}

static void experiments_add(const struct completion *c, const char *text)
{
	struct text_list names = {0};
	struct why why;
	if (builtin_list(&names, &why))
		fprintf(stderr, "nxn: %s\n", why.text);
	for (size_t i = 0; i < names.n; i++)
		add(c, text, names.item[i], "");
	list_free(&names);
}

/* ---- Agents, with their settings. */

static void find(const struct completion *c, const char *metavariable, const char *text);

/* Whether NAME is the first LENGTH bytes of TEXT. */
static bool is_name(const char *name, const char *text, size_t length)
{
	return strlen(name) == length && strncmp(name, text, length) == 0;
}

static const struct field *value_params(const char *text, size_t length)
{
	for (int i = 0; value_classes[i]; i++)
		if (is_name(value_classes[i]->name, text, length))
			return value_classes[i]->params;
	return NULL;
}

/* An agent's parameters, and those of the value that it uses; or NULL. */
struct settings {
	const struct field *agent, *value;
};

/* Takes over what the settings in TEXT, up to END, say. */
static void settings_read(struct settings *settings, const char *text, const char *end)
{
	while (text < end) {
		const char *comma = memchr(text, ',', (size_t)(end - text));
		const char *piece = comma ? comma : end;
		const size_t name = strcspn(text, ":=,;");
		for (int i = 0; text[name] != '=' && agent_classes[i]; i++) {
			if (!is_name(agent_classes[i]->name, text, name))
				continue;
			*settings = (struct settings){.agent = agent_classes[i]->params};
			for (const struct field *p = settings->agent; p->name; p++)
				if (p->kind == FIELD_VALUE)
					settings->value =
					    value_params(p->fallback, strlen(p->fallback));
			text += name + (text[name] == ':');
			break;
		}
		if (strncmp(text, "value=", 6) == 0)
			settings->value = value_params(text + 6, strcspn(text + 6, ":,;"));
		text = piece + 1;
	}
}

/* What the parameter of PARAMS with the name of LENGTH bytes can be; NULL if no list says that. */
static const char *param_choices(const struct field *params, const char *name, size_t length)
{
	for (const struct field *p = params; p && p->name; p++)
		if (is_name(p->name, name, length))
			return field_is_chars(p)	? "FILE"
			       : p->kind == FIELD_VALUE ? "VALUE"
							: p->choices;
	return NULL;
}

static void keys_add(const struct completion *c, const struct field *params, const char *text)
{
	for (const struct field *p = params; p && p->name; p++)
		add(c, text, p->name, "=");
}

/* The setting TEXT, behind its '='. */
static void choices_add(const struct completion *c, const struct settings *settings,
			const char *text)
{
	const size_t key = strcspn(text, "=");
	const char *choices = param_choices(settings->agent, text, key);
	const char *last = text + key + 1;
	if (!choices)
		choices = param_choices(settings->value, text, key);
	if (choices && strcmp(choices, "VALUE") == 0 && strchr(last, ':')) {
		/* A value can be told a file: value=ntuple:FILE. */
		const struct field *value = value_params(last, strcspn(last, ":"));
		choices = value && field_is_chars(value) ? "FILE" : NULL;
		last = strchr(last, ':') + 1;
	}
	if (choices)
		find(c, choices, last);
}

/* An agent, NAME:KEY=VALUE,..., or the last of a LIST between commas or semicolons. */
static void spec_add(const struct completion *c, const char *text, bool list)
{
	const char *semicolon = list ? strrchr(text, ';') : NULL;
	const char *first = semicolon ? semicolon + 1 : text, *comma = strrchr(first, ',');
	const char *last = comma ? comma + 1 : first;
	const size_t name = strcspn(last, ":=");
	struct settings settings = {NULL, NULL};
	settings_read(&settings, first, last);
	if (last[name] == ':') {
		settings_read(&settings, last, last + name);
		last += name + 1;
		/* A bare word goes to the first parameter. */
		if (!strchr(last, '=') && settings.agent && field_is_chars(settings.agent))
			files_add(c, last);
	} else if (last[name] != '=' && (!settings.agent || (list && !strchr(text, ';')))) {
		agents_add(c, last, true);
	}
	if (strchr(last, '=')) {
		choices_add(c, &settings, last);
		return;
	}
	keys_add(c, settings.agent, last);
	keys_add(c, settings.value, last);
}

static void agent_add(const struct completion *c, const char *text)
{
	spec_add(c, text, false);
}

static void agents_list_add(const struct completion *c, const char *text)
{
	spec_add(c, text, true);
}

/* ---- The command line. */

static void topics_add(const struct completion *c, const char *text)
{
	for (size_t i = 0; info_topic(i); i++)
		add(c, text, info_topic(i), "");
	agents_add(c, text, false);
	values_add(c, text);
	files_add(c, text);
}

/* What is called KIND in --help. */
static void kind_add(const struct completion *c, const char *kind, const char *text)
{
	static const struct {
		const char *kind;
		void (*add)(const struct completion *c, const char *text);
	} kinds[] = {
	    {"SPEC,...", agents_list_add},
	    {"SPEC", agent_add},
	    {"AGENT", agent_add},
	    {"VALUE", values_add},
	    {"RxC", boards_add},
	    {"RxC,...", boards_add},
	    {"FILE", files_add},
	    {"LOG", files_add},
	    {"MODEL", files_add},
	    {"DIR", folders_add},
	    {"RUN", experiments_add},
	    {"RUN", files_add},
	    {"COMMAND", programs_add},
	    {"TOPIC", topics_add},
	    {"TABLE", tables_add},
	    {"CHECK", checks_add},
	    {"EXPERIMENT", experiments_add},
	};
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(kind, kinds[i].kind) == 0)
			kinds[i].add(c, text);
	if (islower((unsigned char)*kind))
		add(c, text, kind, "");
}

/* What an argument that begins with TEXT can be, where --help calls it METAVARIABLE. */
static void find(const struct completion *c, const char *metavariable, const char *text)
{
	char words[1024], *rest = words, *word, *seen[32];
	int n = 0;
	snprintf(words, sizeof words, "%s", metavariable);
	while (n < 32 && (word = strtok_r(rest, "[]| ", &rest))) {
		char *dots = strstr(word, "..."), *equals = strchr(word, '=');
		int i = 0;
		if (dots && (dots == word || dots[-1] != ','))
			*dots = '\0';
		if (equals)
			equals[1] = '\0';
		while (i < n && strcmp(seen[i], word) != 0)
			i++;
		if (i == n && *word)
			kind_add(c, word, text);
		seen[n++] = word;
	}
}

/* The option that WORD is, "--name" or "-n", up to a '='; or NULL. */
static const struct command_option *option_of(const struct command *command, const char *word)
{
	const size_t length = strcspn(word, "=");
	for (const struct command_option *o = command->options; o && o->field.help; o++) {
		const char letter[] = {'-', (char)o->letter, '\0'};
		if (!o->field.name)
			continue;
		if ((word[0] == '-' && word[1] == '-' &&
		     is_name(o->field.name, word + 2, length - 2)) ||
		    (o->letter && is_name(letter, word, length)))
			return o;
	}
	return NULL;
}

static void options_add(const struct completion *c, const struct command *command)
{
	for (const struct command_option *o = command->options; o && o->field.help; o++) {
		char name[64];
		if (!o->field.name)
			continue;
		snprintf(name, sizeof name, "--%s", o->field.name);
		add(c, c->word, name, o->argument && !o->optional ? "=" : "");
		snprintf(name, sizeof name, "-%c", o->letter);
		if (o->letter)
			add(c, c->word, name, "");
	}
	add(c, c->word, "--help", "");
	add(c, c->word, "--version", "");
}

/* The word C of COMMAND, behind the word BEFORE. */
static void argument_add_all(const struct completion *c, const struct command *command,
			     const char *before)
{
	const char *equals = strncmp(c->word, "--", 2) == 0 ? strchr(c->word, '=') : NULL;
	const struct command_option *o = option_of(command, equals ? c->word : before);
	if (equals && o && o->argument)
		find(c, o->argument, equals + 1);
	else if (!equals && o && o->argument && !o->optional)
		find(c, o->argument, c->word);
	else if (!equals && *c->word == '-')
		options_add(c, command);
	else if (!equals && command->arguments)
		find(c, command->arguments, c->word);
}

/* The next word of *LINE; a quote that is open holds blanks together. Without its first quote. */
static char *word_next(char **line)
{
	char quote = 0, *word = *line + strspn(*line, " \t"), *at = word;
	for (; *at && (quote || (*at != ' ' && *at != '\t')); at++)
		if (quote ? *at == quote : *at == '\'' || *at == '"')
			quote = quote ? 0 : *at;
	*line = *at ? at + 1 : NULL;
	*at = '\0';
	return word + (*word == '\'' || *word == '"');
}

void completion_print(char *line)
{
	const char *command = NULL, *before = "", *word = "";
	int words = 0;
	for (; line; words++) {
		before = word;
		word = word_next(&line);
		command = words == 1 ? word : command;
	}
	const struct completion c = {word};
	if (words == 2) {
		commands_add(&c, word);
		add(&c, word, "--help", "");
		add(&c, word, "--version", "");
	} else if (words > 2 && strcmp(command, "help") == 0) {
		commands_add(&c, word);
	} else if (words > 2) {
		for (const struct named_command *named = commands; named->name; named++)
			if (strcmp(named->name, command) == 0)
				argument_add_all(&c, named->command, before);
	}
}
