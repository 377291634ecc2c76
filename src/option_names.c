/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads a command line as getopt_long() will, so that an argument of an option is not taken for an
 * option: `--out --boards` is a folder of that name. What is wrong in any other way is left to argp.
 */
#include "src/option_names.h"

#include "agents/guess.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct names {
	struct guess guess;   /* at what is looked for, without -- and = */
	bool known, argument; /* ... and whether it takes the next argument */
};

static bool takes_argument(const struct argp_option *option)
{
	return option->arg && !(option->flags & OPTION_ARG_OPTIONAL);
}

static void name_compare(struct names *names, const char *name, bool argument)
{
	if (strncmp(name, names->guess.word, names->guess.length) == 0) {
		names->known = true;
		names->argument = argument;
	}
	guess_try(&names->guess, name, strlen(name));
}

static void names_compare(struct names *names, const struct argp *argp)
{
	for (const struct argp_option *o = argp->options; o && (o->name || o->key || o->doc); o++)
		if (o->name && !(o->flags & OPTION_DOC))
			name_compare(names, o->name, takes_argument(o));
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

/* Whether the last of the letters in WORD takes the next argument. */
static bool letters_take_argument(const struct argp *argp, const char *word)
{
	for (const char *letter = word + 1; *letter; letter++) {
		const struct argp_option *option = letter_find(argp, *letter);
		if (option && option->arg)
			return takes_argument(option) && !letter[1];
	}
	return false;
}

static struct names word_compare(const struct argp *argp, const char *word)
{
	struct names names = {.guess = guess_start(word + 2, strcspn(word + 2, "="))};
	/* argp has these by itself. */
	name_compare(&names, "help", false);
	name_compare(&names, "usage", false);
	name_compare(&names, "version", false);
	names_compare(&names, argp);
	return names;
}

int option_names_check(const struct argp *argp, int argc, char **argv, unsigned flags,
		       const char **hint)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		if (argv[i][0] != '-' && flags & ARGP_IN_ORDER)
			return -1;
		if (strncmp(argv[i], "--", 2) != 0) {
			if (argv[i][0] == '-' && letters_take_argument(argp, argv[i]))
				i++;
			continue;
		}
		struct names names = word_compare(argp, argv[i]);
		if (names.known && names.argument && names.guess.word[names.guess.length] != '=')
			i++;
		if (!names.known && names.guess.name) {
			*hint = names.guess.name;
			return i;
		}
	}
	return -1;
}
