/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where files are that come with nxn: seen from the program's own file. */
#include "src/cli/data_dir.h"

#include "src/cli/built.h"

#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static const struct {
	const char *name, *installed, *source;
} places[] = {
    [DATA_DIR_PLOTS] = {"plots", PLOTS_DIR, PLOTS_SOURCE_DIR},
    [DATA_DIR_EXPERIMENTS] = {"experiments", EXPERIMENTS_DIR, EXPERIMENTS_SOURCE_DIR},
    [DATA_DIR_VECTORS] = {"vectors", VECTORS_DIR, VECTORS_SOURCE_DIR},
};

/* The folder of this program's file; false if the system does not tell. */
static bool own_folder(char folder[FOLDER_PATH_MAX])
{
	ssize_t length = readlink("/proc/self/exe", folder, FOLDER_PATH_MAX - 1);
	if (length <= 0)
		return false;
	folder[length] = '\0';
	*strrchr(folder, '/') = '\0';
	return true;
}

/* Whether FOLDER, or one that it is in, is where configure has run. FOLDER is cut short. */
static bool is_built(char folder[FOLDER_PATH_MAX])
{
	char path[FOLDER_PATH_MAX];
	struct why why;
	for (char *end; (end = strrchr(folder, '/')); *end = '\0')
		if (!path_format(path, &why, "%s/config.status", folder) && access(path, F_OK) == 0)
			return true;
	return false;
}

enum status data_dir_find(enum data_dir place, char path[FOLDER_PATH_MAX], struct why *why)
{
	char own[FOLDER_PATH_MAX];
	if (own_folder(own)) {
		const char *name = places[place].name;
		char *bin = strrchr(own, '/');
		int length = bin ? (int)(bin - own) : 0;
		enum status status = path_format(path, why, "%.*s/share/nxn/%s", length, own, name);
		if (status || access(path, F_OK) == 0)
			return status;
		if (is_built(own))
			return path_format(path, why, "%s", places[place].source);
	}
	return path_format(path, why, "%s", places[place].installed);
}
