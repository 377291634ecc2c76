/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The location of files that come with nxn; see data_dir.h. */
#include "src/cli/data_dir.h"

#include "base/text.h"
#include "src/cli/built.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
	const char *name, *installed, *source; /* source: relative to the top of the source tree */
} places[] = {
    [DATA_DIR_PLOTS] = {"plots", PLOTS_DIR, "plots"},
    [DATA_DIR_EXPERIMENTS] = {"experiments", EXPERIMENTS_DIR, "analysis/experiments"},
    [DATA_DIR_VECTORS] = {"vectors", VECTORS_DIR, "tests/vectors"},
    [DATA_DIR_LOCALE] = {"locale", "", "locale"},
    [DATA_DIR_TERMINFO] = {"terminfo", "", "terminfo"},
};

/* Writes the folder of this program's file; false if the system does not provide it. */
static bool own_folder(char folder[FOLDER_PATH_MAX])
{
	ssize_t length = readlink("/proc/self/exe", folder, FOLDER_PATH_MAX - 1);
	if (length <= 0)
		return false;
	folder[length] = '\0';
	*strrchr(folder, '/') = '\0';
	return true;
}

/*
 * Finds the top of the source tree if FOLDER, or a folder above it, is where nxn was built: the
 * build writes the path to a file there, so that the program itself contains no path of the machine
 * that built it. Truncates FOLDER.
 */
static bool source_find(char folder[FOLDER_PATH_MAX], char source[FOLDER_PATH_MAX])
{
	char path[FOLDER_PATH_MAX];
	struct why why;
	bool found = false;
	for (char *end; !found && (end = strrchr(folder, '/')); *end = '\0') {
		FILE *file =
		    path_format(path, &why, "%s/source-folder", folder) ? NULL : fopen(path, "re");
		if (!file)
			continue;
		found = fgets(source, FOLDER_PATH_MAX, file);
		fclose(file);
	}
	if (found)
		source[strcspn(source, "\n")] = '\0';
	return found;
}

enum status data_dir_find(enum data_dir place, char path[FOLDER_PATH_MAX], struct why *why)
{
	char own[FOLDER_PATH_MAX], source[FOLDER_PATH_MAX];
	if (own_folder(own)) {
		const char *name = places[place].name;
		char *bin = strrchr(own, '/');
		int length = bin ? (int)(bin - own) : 0;
		enum status status = path_format(path, why, "%.*s/share/nxn/%s", length, own, name);
		if (status || access(path, F_OK) == 0)
			return status;
		if (source_find(own, source))
			return path_format(path, why, "%s/%s", source, places[place].source);
	}
	return path_format(path, why, "%s", places[place].installed);
}

/* ---- Experiments: NAME.yaml in a folder of them. */

static const char suffix[] = ".yaml";

static int is_experiment(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name), end = strlen(suffix);
	return length > end && strcmp(entry->d_name + length - end, suffix) == 0;
}

/* Order for scandir(): figure8 before figure10, paper before paper-scaled. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
	char names[2][sizeof(*a)->d_name];
	for (int i = 0; i < 2; i++) {
		const char *name = (i ? *b : *a)->d_name;
		snprintf(names[i], sizeof names[i], "%.*s", (int)(strlen(name) - strlen(suffix)),
			 name);
	}
	return strverscmp(names[0], names[1]);
}

/* Reports that there is no experiment FILE, and suggests a similar name. */
static enum status builtin_unknown(const char *file, struct why *why)
{
	struct text_list names = {0};
	struct why unlisted;
	struct suggestion suggestion = suggestion_start(file, strcspn(file, "."));
	char hint[HINT_MAX] = "nxn info experiments lists those";
	(void)!builtin_list(&names, &unlisted);
	for (size_t i = 0; i < names.n; i++)
		suggestion_try(&suggestion, names.item[i], strlen(names.item[i]));
	if (suggestion.name)
		snprintf(hint, sizeof hint, "did you mean '%.*s'?", (int)suggestion.name_length,
			 suggestion.name);
	list_free(&names);
	return why_set(why, STATUS_INPUT,
		       "%s: no such file, and no experiment that comes with nxn; %s", file, hint);
}

enum status builtin_find(const char *file, char path[FOLDER_PATH_MAX], struct why *why)
{
	bool word = !strpbrk(file, "./"), exists = access(file, F_OK) == 0;
	if (strchr(file, '/') || (exists && !word))
		return path_format(path, why, "%s", file);
	char folder[FOLDER_PATH_MAX];
	enum status status = data_dir_find(DATA_DIR_EXPERIMENTS, folder, why);
	if (!status)
		status = path_format(path, why, "%s/%s%s", folder, file, word ? suffix : "");
	if (status || access(path, F_OK) == 0)
		return status;
	if (exists)
		return path_format(path, why, "%s", file);
	return builtin_unknown(file, why);
}

enum status builtin_list(struct text_list *names, struct why *why)
{
	struct dirent **entries;
	char folder[FOLDER_PATH_MAX];
	enum status status = data_dir_find(DATA_DIR_EXPERIMENTS, folder, why);
	if (status)
		return status;
	const int n = scandir(folder, &entries, is_experiment, by_name);
	if (n < 0)
		return why_errno(why, "%s", folder);
	for (int i = 0; i < n; i++) {
		const char *name = entries[i]->d_name;
		if (!status)
			status = list_add(names, name, strlen(name) - strlen(suffix), why);
		free(entries[i]);
	}
	free(entries);
	return status;
}
