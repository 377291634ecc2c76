/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A game move by move; see trace.h. For figure 6 of Dedieu and Amar, Deep Reinforcement Learning
 * for 2048: how sure a player is of each move of a game. Check value: d(p) of n equal chances is 2
 * (1 - 1 / n).
 */
#include "src/run/trace.h"

#include "analysis/tables/format.h"
#include "base/append.h"
#include "base/atomic_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void trace_names(FILE *file)
{
	HEADER(file, "trained", "game", "move", "score", "max_tile", "empty", "direction", "value",
	       "chance", "doubt", "legal");
}

enum status trace_check(const char *path, struct why *why)
{
	struct stat st;
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	const bool there = stat(path, &st) == 0;
	if (there && S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return why_file(why, path, NULL);
	}
	/* The trace would take the place of a device or pipe, not go into it. */
	if (there && !S_ISREG(st.st_mode))
		return why_set(why, STATUS_INPUT,
			       "%s: exists and is not a regular file; expected a file, or none",
			       path);
	if (!there || st.st_size == 0)
		return STATUS_OK;
	FILE *file = fopen(path, "re");
	if (!file)
		return why_errno(why, "%s: cannot be read", path);
	do
		length = getline(&line, &room, file);
	while (length > 0 && *line == '#');
	static const char names[] = "\"trained\"\t\"game\"\t\"move\"\t";
	enum status status = STATUS_OK;
	if (length <= 0 && lines_cut_short(file))
		status = why_errno(why, "%s: cannot be read", path);
	else if (length <= 0 || strncmp(line, names, sizeof names - 1) != 0)
		status =
		    why_set(why, STATUS_INPUT, "%s: exists and is not the trace of a game", path);
	free(line);
	fclose(file);
	return status;
}

enum status trace_open(struct trace *trace, const char *path, uint64_t trained, uint64_t game,
		       const char *const *provenance, struct why *why)
{
	char part[FOLDER_PATH_MAX], *target;
	enum status status = links_follow(path, &target, why);
	if (status)
		return status;
	status = path_format(trace->path, why, "%s", target);
	free(target);
	status = status ? status : path_format(part, why, "%s.part", trace->path);
	if (status)
		return status;
	trace->file = fopen(part, "we");
	if (!trace->file)
		return why_errno(why, "%s: cannot be written", path);
	trace->trained = trained;
	trace->game = game;
	trace->moves = 0;
	trace->then = NULL;
	for (; provenance && *provenance; provenance++)
		fprintf(trace->file, "# %s\n", *provenance);
	trace_names(trace->file);
	return STATUS_OK;
}

bool trace_move(void *context, const struct turn *turn, int move, const struct decision *decision)
{
	struct trace *trace = context;
	const struct board *board = turn->board;
	fprintf(trace->file,
		"%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%d\t%d",
		trace->trained, trace->game, ++trace->moves, turn->score,
		UINT64_C(1) << board_max(board), board_empty(turn->game, board), move);
	number_write(trace->file, decision->value[move]);
	number_write(trace->file, decision->chance[move]);
	number_write(trace->file, decision_uncertainty(decision));
	fprintf(trace->file, "\t%d\n", __builtin_popcount(turn->moves.legal));
	return !trace->then || trace->then->move(trace->then->context, turn, move, decision);
}

enum status trace_close(struct trace *trace, bool whole, struct why *why)
{
	char part[FOLDER_PATH_MAX];
	enum status status = path_format(part, why, "%s.part", trace->path);
	bool failed = whole && (fflush(trace->file) || fsync(fileno(trace->file)));
	failed = ferror(trace->file) || failed;
	failed = fclose(trace->file) || failed;
	if (!status && whole && (failed || rename(part, trace->path)))
		status = why_errno(why, "%s: cannot be written", trace->path);
	if (status || !whole)
		unlink(part);
	return status;
}
