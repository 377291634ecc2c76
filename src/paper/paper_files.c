/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files of a bundle; see paper.h. Each is written as PATH.part, which then takes its place. */
#include "src/paper/paper.h"

#include "boards/simd/isa.h"
#include "src/cli/provenance.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

/* The first line of provenance.txt, by which a bundle is known. */
static const char mark[] = "nxn bundle 1";

enum status paper_bundle_find(const char *path, bool *found, struct why *why)
{
	char file[FOLDER_PATH_MAX], line[sizeof mark + 1] = "";
	enum status status = path_format(file, why, "%s/provenance.txt", path);
	if (status)
		return status;
	FILE *in = fopen(file, "re");
	*found = in && fgets(line, sizeof line, in) && strncmp(line, mark, sizeof mark - 1) == 0;
	if (in ? ferror(in) != 0 && errno != EISDIR : errno != ENOENT && errno != ENOTDIR)
		status = why_errno(why, "%s: cannot be read", file);
	if (in)
		fclose(in);
	return status;
}

/* Whether the folder may become a bundle: it is not there, or empty but for the beginning of one. */
static enum status folder_find_free(const char *path, bool *vacant, struct why *why)
{
	DIR *files = opendir(path);
	*vacant = !files && errno == ENOENT;
	if (!files)
		return *vacant || errno == ENOTDIR ? STATUS_OK
						   : why_errno(why, "%s: cannot be read", path);
	*vacant = true;
	errno = 0;
	for (struct dirent *file; *vacant && (file = readdir(files));)
		*vacant = strcmp(file->d_name, ".") == 0 || strcmp(file->d_name, "..") == 0 ||
			  strcmp(file->d_name, "provenance.txt.part") == 0;
	enum status status = errno ? why_errno(why, "%s: cannot be read", path) : STATUS_OK;
	closedir(files);
	return status;
}

/* The lines of RUN that tell its games from others. */
static void run_write(FILE *file, const struct paper_run *run)
{
	static const char *const wanted[] = {"nxn ", "command: ", "configuration: ", "seed: "};
	fprintf(file, "run %s: from %s\n", run->name, run->source);
	for (char *const *line = run->provenance; *line; line++)
		for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
			if (strncmp(*line, wanted[i], strlen(wanted[i])) == 0)
				fprintf(file, "run %s: %s\n", run->name, *line);
}

enum status paper_provenance(struct paper *paper, struct why *why)
{
	FILE *file;
	enum status status = paper_create(paper, "provenance.txt", &file, why);
	if (status)
		return status;
	fprintf(file, "%s\n", mark);
	for (char **line = paper->provenance; *line; line++)
		fprintf(file, "%s\n", *line);
	for (size_t i = 0; i < paper->run_count; i++)
		run_write(file, &paper->runs[i]);
	return paper_finish(paper, "provenance.txt", file, STATUS_OK, why);
}

enum status paper_begin(struct paper *paper, struct why *why)
{
	bool bundle, vacant = false;
	enum status status = paper_bundle_find(paper->directory, &bundle, why);
	if (!status && !bundle)
		status = folder_find_free(paper->directory, &vacant, why);
	if (!status && !bundle && !vacant)
		status = why_set(why, STATUS_INPUT,
				 "%s: is there, and no bundle of nxn paper; give another folder",
				 paper->directory);
	status = status ? status : paper_unseal(paper, why);
	return status ? status : paper_provenance(paper, why);
}

enum status paper_origin(struct paper *paper, const char *command, struct why *why)
{
	struct utsname system;
	enum isa isa;
	char processor[256], lines[6][FOLDER_PATH_MAX];
	enum status status = isa_choose(&isa, why);
	if (status)
		return status;
	processor_name(processor, sizeof processor);
	if (uname(&system) != 0)
		return why_errno(why, "the name of this machine");
	snprintf(lines[0], sizeof *lines, "nxn %s", version_text);
	snprintf(lines[1], sizeof *lines, "command: %s", command);
	snprintf(lines[2], sizeof *lines, "host: %.64s, %.64s %.64s %.64s", system.nodename,
		 system.sysname, system.release, system.machine);
	snprintf(lines[3], sizeof *lines, "instruction set: %s", isa_name(isa));
	snprintf(lines[4], sizeof *lines, "compiler: %s", compiler_text);
	snprintf(lines[5], sizeof *lines, "processor: %s", processor);
	for (int i = 0; i < 6; i++) {
		paper->provenance[i] = strdup(lines[i]);
		if (!paper->provenance[i])
			return why_set(why, STATUS_SYSTEM, "provenance: out of memory");
	}
	return STATUS_OK;
}

/* The file PATH of the bundle, and the one that becomes it. */
static enum status data_dir_find(const struct paper *paper, const char *path,
				 char place[FOLDER_PATH_MAX], char part[FOLDER_PATH_MAX],
				 struct why *why)
{
	enum status status = path_format(place, why, "%s/%s", paper->directory, path);
	return status ? status : path_format(part, why, "%s.part", place);
}

enum status paper_create(const struct paper *paper, const char *path, FILE **file, struct why *why)
{
	char folder[FOLDER_PATH_MAX], part[FOLDER_PATH_MAX];
	enum status status = data_dir_find(paper, path, folder, part, why);
	if (status)
		return status;
	*strrchr(folder, '/') = '\0';
	status = folder_make(folder, why);
	if (status)
		return status;
	*file = fopen(part, "we");
	return *file ? STATUS_OK : why_errno(why, "%s: cannot be written", part);
}

enum status paper_finish(struct paper *paper, const char *path, FILE *file, enum status status,
			 struct why *why)
{
	char place[FOLDER_PATH_MAX], part[FOLDER_PATH_MAX];
	const bool failed = ferror(file);
	if ((fclose(file) != 0 || failed) && !status)
		status = why_errno(why, "%s/%s: cannot be written", paper->directory, path);
	status = status ? status : data_dir_find(paper, path, place, part, why);
	if (!status && rename(part, place) != 0)
		status = why_errno(why, "%s: cannot be written", place);
	return status ? status : paper_note(paper, path, why);
}

enum status paper_copy(struct paper *paper, const char *from, const char *path, struct why *why)
{
	char bytes[1 << 14];
	FILE *in = fopen(from, "re"), *out;
	if (!in)
		return why_errno(why, "%s: cannot be read", from);
	enum status status = paper_create(paper, path, &out, why);
	if (!status) {
		for (size_t n; (n = fread(bytes, 1, sizeof bytes, in)) > 0;)
			fwrite(bytes, 1, n, out);
		if (ferror(in))
			status = why_errno(why, "%s: cannot be read", from);
		status = paper_finish(paper, path, out, status, why);
	}
	fclose(in);
	return status;
}

enum status paper_note(struct paper *paper, const char *path, struct why *why)
{
	for (size_t i = 0; i < paper->files.n; i++)
		if (strcmp(paper->files.item[i], path) == 0)
			return STATUS_OK;
	return list_add(&paper->files, path, strlen(path), why);
}

static int is_whole(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');
	return entry->d_name[0] != '.' && !(dot && strcmp(dot, ".part") == 0);
}

enum status paper_note_all(struct paper *paper, const char *folder, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct dirent **entries;
	struct stat there;
	enum status status = path_format(path, why, "%s/%s", paper->directory, folder);
	int count = status ? -1 : scandir(path, &entries, is_whole, alphasort);
	if (count < 0)
		return status ? status : why_errno(why, "%s: cannot be read", path);
	for (int i = 0; i < count; i++) {
		status = status ? status
				: path_format(path, why, "%s/%s/%s", paper->directory, folder,
					      entries[i]->d_name);
		if (!status && stat(path, &there) == 0 && S_ISREG(there.st_mode))
			status = paper_note(paper, path + strlen(paper->directory) + 1, why);
		free(entries[i]);
	}
	free(entries);
	return status;
}
