/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads a command line as getopt_long() will, so that an argument of an option is not taken for an
 * option: `--out --boards` is a folder of that name. getopt() and argp would say in two lines what is
 * wrong with an option, so all of it is found here.
 */
#include "src/cli/option_names.h"

#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* What argp has by itself. */
static const struct argp_option own_table[] = {
    {"help", '?', NULL, 0, NULL, 0},
    {"usage", 0, NULL, 0, NULL, 0},
    {"version", 'V', NULL, 0, NULL, 0},
    {"program-name", 0, "NAME", OPTION_HIDDEN, NULL, 0},
    {"HANG", 0, "SECS", OPTION_ARG_OPTIONAL | OPTION_HIDDEN, NULL, 0},
    {0},
};
static const struct argp own = {.options = own_table};

/* A command line, with what there is to say about it. */
struct line {
	const struct argp *argp;
	int argc;
	char **argv;
	struct why *why;
};

struct names {
	struct guess guess;		 /* at what is looked for, without -- and = */
	bool full;			 /* FOUND is named in full, not by its beginning */
	const struct argp_option *found; /* the option that is meant, or NULL */
	const struct argp_option *other; /* one that begins alike, or NULL */
};

static bool takes_argument(const struct argp_option *option)
{
	return option->arg && !(option->flags & OPTION_ARG_OPTIONAL);
}

static void name_compare(struct names *names, const struct argp_option *option)
{
	if (strncmp(option->name, names->guess.word, names->guess.length) == 0) {
		bool full = !option->name[names->guess.length];
		if (!names->found || (full && !names->full))
			names->found = option;
		else if (strcmp(option->name, names->found->name) != 0)
			names->other = option;
		names->full |= full;
	}
	if (!(option->flags & OPTION_HIDDEN))
		guess_try(&names->guess, option->name, strlen(option->name));
}

static void names_compare(struct names *names, const struct argp *argp)
{
	for (const struct argp_option *o = argp->options; o && (o->name || o->key || o->doc); o++)
		if (o->name && !(o->flags & OPTION_DOC))
			name_compare(names, o);
	for (const struct argp_child *c = argp->children; c && c->argp; c++)
		names_compare(names, c->argp);
}

static const struct argp_option *letter_find(const struct argp *argp, char letter)
{
	for (const struct argp_option *o = argp->options; o && (o->name || o->key || o->doc); o++)
		if (o->key == letter && !(o->flags & OPTION_DOC))
			return o;
	for (const struct argp_child *c = argp->children; c && c->argp; c++) {
		const struct argp_option *found = letter_find(c->argp, letter);
		if (found)
			return found;
	}
	return NULL;
}

/* Says that what is written as the first LENGTH bytes of OPTION is none. */
static enum status unknown(const struct line *line, int length, const char *option)
{
	return why_set(line->why, STATUS_INPUT,
		       "unrecognized option '%.*s'; %s --help lists what there is", length, option,
		       line->argv[0]);
}

/*
 * OPTION, written as the first LENGTH bytes of WRITTEN, takes the argument after the I-th: *SKIPPED is
 * then how many there are.
 */
static enum status argument_skip(const struct line *line, int i, const struct argp_option *option,
				 int length, const char *written, int *skipped)
{
	if (i + 1 == line->argc)
		return why_set(line->why, STATUS_INPUT, "option '%.*s' needs an argument: %.*s %s",
			       length, written, length, written, option->arg);
	*skipped = 1;
	return STATUS_OK;
}

/* Checks the letters of the I-th argument. */
static enum status letters_check(const struct line *line, int i, int *skipped)
{
	for (const char *letter = line->argv[i] + 1; *letter; letter++) {
		const char written[] = {'-', *letter, '\0'};
		const struct argp_option *option = letter_find(line->argp, *letter);
		if (!option)
			option = letter_find(&own, *letter);
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
static enum status name_check(const struct line *line, int i, int *skipped)
{
	const char *word = line->argv[i];
	const int length = (int)strcspn(word, "=");
	struct names names = {.guess = guess_start(word + 2, (size_t)length - 2)};
	names_compare(&names, line->argp);
	names_compare(&names, &own);
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

enum status option_names_check(const struct argp *argp, int argc, char **argv, unsigned flags,
			       struct why *why)
{
	const struct line line = {argp, argc, argv, why};
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
