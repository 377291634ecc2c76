/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Of which paper a figure or table shows what one of that shows. Which experiment it was is read from the
 * command in the table's head, for folders can be called anything.
 */
#include "src/paper/paper.h"

#include <string.h>

#define STANFORD "Mayer-Hirshfeld, Navarro, Saleh, AI Agent for 2048"
#define MIT "Dedieu, Amar, Deep Reinforcement Learning for 2048"
#define LAB "2048-Temporal Difference Learning (Deep Learning and Practice, lab 3)"

/* What experiments show of papers, by figure or table; "" goes for any name that begins with it. */
static const struct origin {
	const char *experiment; /* or with "-full", "-scaled" behind it */
	bool figure;
	const char *name, *text;
} origins[] = {
    {"quickstart", true, "tiles", "what figures 2, 4 and 6 of " STANFORD ", show"},
    {"quickstart", true, "scores", "what figures 3, 5 and 7 of " STANFORD ", show"},
    {"quickstart", true, "curve", "what figure 8 of " STANFORD ", shows"},
    {"quickstart", false, "results", "what table 2 of " STANFORD ", shows"},
    {"quickstart", false, "ratios", "what table 2 of " STANFORD ", shows"},
    {"paper", true, "tiles", "what figures 2, 4 and 6 of " STANFORD ", show"},
    {"paper", true, "scores", "what figures 3, 5 and 7 of " STANFORD ", show"},
    {"paper", true, "curve", "what figure 8 of " STANFORD ", shows"},
    {"paper", false, "results", "what table 2 of " STANFORD ", shows"},
    {"paper", false, "ratios", "what table 2 of " STANFORD ", shows"},
    {"paper", false, "players", "what table 1 of " STANFORD ", shows"},
    {"figure8", true, "curve", "what figure 8 of " STANFORD ", shows"},
    {"figure9", true, "sweep", "what figure 9 of " STANFORD ", shows"},
    {"figure10", true, "boards", "what figure 10 of " STANFORD ", shows"},
    {"policy-figures", true, "certainty", "what figures 3, 4 and 5 of " MIT ", show"},
    {"policy-figures", true, "moves", "what figure 6 of " MIT ", shows"},
    {"td-rates", true, "learning", "what figures 2 and 10 of the report " LAB " show"},
    {"td-rates", false, "results", "what the first half of table 2 of the report " LAB " shows"},
    {"td-rates", false, "reach", "what figure 1 of the report " LAB " shows"},
    {"td-groups", true, "learning", "what figure 11 of the report " LAB " shows"},
    {"td-groups", false, "results", "what the second half of table 2 of the report " LAB " shows"},
    {"td-groups", false, "reach", "what figure 1 of the report " LAB " shows"},
};

enum { ORIGINS = sizeof origins / sizeof *origins };

/* Whether WORD of LENGTH bytes names the experiment NAME, with a path, an ending or not. */
static bool word_is(const char *word, size_t length, const char *name)
{
	static const char *const ends[] = {"-scaled", "-full", ".yaml"};
	for (size_t i = 0; i < length; i++)
		if (word[i] == '/')
			return word_is(word + i + 1, length - i - 1, name);
	size_t n = strlen(name);
	if (length < n || strncmp(word, name, n) != 0)
		return false;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (length >= n + strlen(ends[i]) &&
		    strncmp(word + n, ends[i], strlen(ends[i])) == 0)
			n += strlen(ends[i]);
	return n == length;
}

/* Whether an option of LENGTH bytes has its value in the word behind it. */
static bool option_takes(const char *option, size_t length)
{
	static const char *const options[] = {"-o",	   "--out",	    "-j",
					      "--threads", "--time-budget", "--shard"};
	for (size_t i = 0; i < sizeof options / sizeof *options; i++)
		if (strlen(options[i]) == length && strncmp(option, options[i], length) == 0)
			return true;
	return false;
}

/* Whether COMMAND ran the experiment NAME: it is the word behind "nxn run" that belongs to no option. */
static bool command_ran(const char *command, const char *name)
{
	static const char run[] = "nxn run ";
	bool value = false;
	if (!command || strncmp(command, run, sizeof run - 1) != 0)
		return false;
	for (const char *at = command + sizeof run - 1; *at;) {
		size_t length = strcspn(at, " ");
		if (*at != '-' && !value)
			return word_is(at, length, name);
		value = option_takes(at, length);
		at += length + (at[length] == ' ');
	}
	return false;
}

const char *paper_shown(const char *command, bool figure, const char *name)
{
	for (size_t i = 0; i < ORIGINS; i++)
		if (origins[i].figure == figure && strcmp(origins[i].name, name) == 0 &&
		    command_ran(command, origins[i].experiment))
			return origins[i].text;
	return NULL;
}
