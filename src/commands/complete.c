/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nxn __complete LINE: prints the candidates for the last word of LINE, a command line up to the
 * cursor, one per line. The scripts of nxn completion call it.
 *
 * This file repeats no list: options come from the tables that parse them, parameters from those of
 * agents and values. The candidates for an option's argument follow from its word in --help (its
 * metavariable): agents for SPEC, boards for RxC, files for FILE, and for a word in small letters
 * that word.
 */
#include "agents/agent.h"
#include "analysis/tables/tables.h"
#include "src/commands/command.h"
#include "src/commands/complete.h"
#include "src/cli/data_dir.h"
#include "src/verify/verify.h"

#include <ctype.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void complete_add(const struct completion *c, const char *text, const char *name,
		  const char *suffix)
{
	if (strncmp(name, text, strlen(text)) == 0)
		printf("%.*s%s%s\n", (int)(text - c->word), c->word, name, suffix);
}

/* ---- Files. */

enum { TEXT_MAX = FOLDER_PATH_MAX };

/*
 * Makes the pattern for glob() of the paths in FOLDER that begin with TEXT, whose special
 * characters are escaped.
 */
static void pattern_make(const char *folder, const char *text, char pattern[2 * TEXT_MAX])
{
	size_t n = (size_t)snprintf(pattern, TEXT_MAX, "%s%s", folder, *folder ? "/" : "");
	n = n < TEXT_MAX ? n : TEXT_MAX - 1;
	for (; *text && n < 2 * TEXT_MAX - 3; text++) {
		if (strchr("*?[\\", *text))
			pattern[n++] = '\\';
		pattern[n++] = *text;
	}
	strcpy(pattern + n, "*");
}

enum file_kind { FILES, FOLDERS, PROGRAMS };

/* Adds the paths of KIND in FOLDER ("": the working folder) that begin with TEXT. */
static void paths_add(const struct completion *c, const char *folder, const char *text,
		      enum file_kind kind)
{
	char pattern[2 * TEXT_MAX];
	glob_t found;
	pattern_make(folder, text, pattern);
	if (glob(pattern, GLOB_MARK, NULL, &found))
		return;
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *path = found.gl_pathv[i];
		const bool is_folder = path[strlen(path) - 1] == '/';
		if (kind == PROGRAMS ? !is_folder && access(path, X_OK) == 0
				     : is_folder || kind == FILES)
			complete_add(c, text, path + (*folder ? strlen(folder) + 1 : 0), "");
	}
	globfree(&found);
}

static void files_add(const struct completion *c, const char *text)
{
	paths_add(c, "", text, FILES);
}

static void folders_add(const struct completion *c, const char *text)
{
	paths_add(c, "", text, FOLDERS);
}

/* Adds the programs that a shell finds in PATH. */
static void programs_add(const struct completion *c, const char *text)
{
	const char *path = getenv("PATH");
	char *folders = path ? strdup(path) : NULL, *rest = folders, *folder;
	while ((folder = strsep(&rest, ":")))
		paths_add(c, folder, text, PROGRAMS);
	free(folders);
}

/* ---- Names. */

static void agents_add(const struct completion *c, const char *text)
{
	for (int i = 0; agent_classes[i]; i++)
		complete_add(c, text, agent_classes[i]->name, "");
	for (const struct agent_alias *alias = agent_aliases; alias->name; alias++)
		complete_add(c, text, alias->name, "");
}

static void values_add(const struct completion *c, const char *text)
{
	for (int i = 0; value_classes[i]; i++)
		complete_add(c, text, value_classes[i]->name, "");
}

static void commands_add(const struct completion *c, const char *text)
{
	for (const struct named_command *command = commands; command->name; command++)
		complete_add(c, text, command->name, "");
	complete_add(c, text, "help", "");
}

static void tables_add(const struct completion *c, const char *text)
{
	for (const struct table *t = summary_tables.table; t->name; t++)
		complete_add(c, text, t->name, "");
	complete_add(c, text, "games", "");
}

static void checks_add(const struct completion *c, const char *text)
{
	for (const struct verify_check *const *table = verify_checks; *table; table++)
		for (const struct verify_check *check = *table; check->name; check++)
			complete_add(c, text, check->name, "");
}

/* Adds boards for the last item of a list with commas. */
static void boards_add(const struct completion *c, const char *text)
{
	const char *comma = strrchr(text, ',');
	text = comma ? comma + 1 : text;
#define SHAPE(rows, cols) complete_add(c, text, #rows "x" #cols, "");
#include "boards/shapes.def"
}

static void experiments_add(const struct completion *c, const char *text)
{
	struct text_list names = {0};
	struct why why;
	if (builtin_list(&names, &why))
		fprintf(stderr, "nxn: %s\n", why.text);
	for (size_t i = 0; i < names.n; i++)
		complete_add(c, text, names.item[i], "");
	list_free(&names);
}

static void agent_add(const struct completion *c, const char *text)
{
	complete_agent(c, text, false);
}

static void agents_list_add(const struct completion *c, const char *text)
{
	complete_agent(c, text, true);
}

/* ---- The command line. */

static void topics_add(const struct completion *c, const char *text)
{
	for (size_t i = 0; info_topic(i); i++)
		complete_add(c, text, info_topic(i), "");
	agents_add(c, text);
	values_add(c, text);
	files_add(c, text);
}

/* Adds the candidates for KIND, one word of a metavariable. */
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
	    {"MODEL", files_add},
	    {"DIR", folders_add},
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
		complete_add(c, text, kind, "");
}

void complete_kind(const struct completion *c, const char *metavariable, const char *text)
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

/* Finds the option of WORD, "--name", "--name=..." or "-n"; or NULL. */
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
		complete_add(c, c->word, name, o->argument && !o->optional ? "=" : "");
		snprintf(name, sizeof name, "-%c", o->letter);
		if (o->letter)
			complete_add(c, c->word, name, "");
	}
	complete_add(c, c->word, "--help", "");
	complete_add(c, c->word, "--version", "");
}

/* Adds the candidates for the word C of COMMAND, which follows the word BEFORE. */
static void argument_add_all(const struct completion *c, const struct command *command,
			     const char *before)
{
	const char *equals = strncmp(c->word, "--", 2) == 0 ? strchr(c->word, '=') : NULL;
	const struct command_option *o = option_of(command, equals ? c->word : before);
	if (equals && o && o->argument)
		complete_kind(c, o->argument, equals + 1);
	else if (!equals && o && o->argument && !o->optional)
		complete_kind(c, o->argument, c->word);
	else if (!equals && *c->word == '-')
		options_add(c, command);
	else if (!equals && command->arguments)
		complete_kind(c, command->arguments, c->word);
}

/* Returns the next word of *LINE, which may have blanks in quotes, without its opening quote. */
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
		complete_add(&c, word, "--help", "");
		complete_add(&c, word, "--version", "");
	} else if (words > 2 && strcmp(command, "help") == 0) {
		commands_add(&c, word);
	} else if (words > 2) {
		for (const struct named_command *named = commands; named->name; named++)
			if (strcmp(named->name, command) == 0)
				argument_add_all(&c, named->command, before);
	}
}
