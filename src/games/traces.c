/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traces; see traces.h. Used for figure 6 of Dedieu and Amar, Deep Reinforcement Learning for 2048:
 * how certain a player is of each move. Check value: the distance of n equal probabilities to
 * certainty is 2 (1 - 1 / n).
 */
#include "src/games/traces.h"

#include "analysis/tables/table.h"
#include "analysis/tables/tsv.h"
#include "base/file.h"
#include "base/lines.h"
#include "base/xalloc.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct trace {
	char path[FOLDER_PATH_MAX];
	FILE *file;
	uint64_t trained, game, moves;
	const struct play_watch *then; /* called next, for the same move; may abandon the game */
};

/* A row of the trace. */
struct trace_line {
	uint64_t trained, game, move, score, max_tile;
	int empty, direction, legal;
	double value, chance, uncertainty;
};

#define LINE(title, kind, member) TABLE_COLUMN(struct trace_line, title, kind, member)

static const struct table_column trace_columns[] = {
    LINE("trained", NUMBER, trained),	LINE("game", NUMBER, game),
    LINE("move", NUMBER, move),		LINE("score", NUMBER, score),
    LINE("max_tile", NUMBER, max_tile), LINE("empty", INT, empty),
    LINE("direction", INT, direction),	LINE("value", REAL, value),
    LINE("chance", REAL, chance),	LINE("uncertainty", REAL, uncertainty),
    LINE("legal", INT, legal),		{0},
};

enum status trace_check(const char *path, struct why *why)
{
	struct stat st;
	const bool there = stat(path, &st) == 0;
	if (there && S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return why_file(why, path, NULL);
	}
	/* The trace would replace a device or pipe instead of being written to it. */
	if (there && !S_ISREG(st.st_mode))
		return why_set(why, STATUS_INPUT,
			       "%s: exists and is not a regular file; expected a file, or none",
			       path);
	if (!there || st.st_size == 0)
		return STATUS_OK;
	static const char names[] = "\"trained\"\t\"game\"\t\"move\"\t";
	struct lines lines;
	bool found;
	enum status status = lines_open(&lines, path, why);
	if (status)
		return status;
	do
		found = lines_next(&lines, &status, why);
	while (found && *lines.text == '#');
	if (!status && (!found || strncmp(lines.text, names, sizeof names - 1) != 0))
		status =
		    why_set(why, STATUS_INPUT, "%s: exists and is not the trace of a game", path);
	lines_close(&lines);
	return status;
}

/* Creates the file of TRACE at the end of the links of PATH. */
static enum status trace_open(struct trace *trace, const char *path, const char *const *provenance,
			      struct why *why)
{
	char *target;
	enum status status = links_follow(path, &target, why);
	if (status)
		return status;
	status = path_format(trace->path, why, "%s", target);
	free(target);
	if (!status && part_create(trace->path, &trace->file, why))
		status = why_errno(why, "%s: cannot be written", path);
	if (status)
		return status;
	table_comments(trace->file, provenance);
	table_head(trace->file, trace_columns);
	return STATUS_OK;
}

/* Writes the row of a move. For play_watch.move, with the trace as context. */
static bool trace_move(void *context, const struct turn *turn, int move,
		       const struct decision *decision)
{
	struct trace *trace = context;
	const struct board *board = turn->board;
	const struct trace_line line = {
	    .trained = trace->trained,
	    .game = trace->game,
	    .move = ++trace->moves,
	    .score = turn->score,
	    .max_tile = UINT64_C(1) << board_max(board),
	    .empty = board_empty(turn->game, board),
	    .direction = move,
	    .legal = __builtin_popcount(turn->moves.legal),
	    .value = decision->value[move],
	    .chance = decision->chance[move],
	    .uncertainty = decision_uncertainty(decision),
	};
	table_row(trace->file, trace_columns, &line);
	return trace->then->move(trace->then->context, turn, move, decision);
}

enum status traces_play(const char *path, const char *const *provenance, struct agent *agent,
			uint64_t trained, uint64_t seed, uint64_t index,
			const struct play_watch *watch, struct outcome *outcome, bool *finished,
			struct why *why)
{
	struct trace trace = {.trained = trained, .game = index, .then = watch};
	const struct play_watch tracing = {.move = trace_move, .context = &trace};
	enum status status = trace_open(&trace, path, provenance, why);
	if (status)
		return status;
	*finished = play_game(agent, seed, index, &tracing, outcome);
	status = agent_check(agent, why);
	if (!status && !*finished)
		status = STATUS_STOPPED;
	/* The trace is on the disk before the game is logged. */
	status = part_finish(trace.file, trace.path, status, why);
	return status == STATUS_STOPPED ? STATUS_OK : status;
}

/* ---- Traces of an experiment. */

enum status traces_path(const char *traces, const struct experiment_entry *entry, uint64_t trained,
			uint64_t index, char path[FOLDER_PATH_MAX], struct why *why)
{
	char label[RESULT_NAME_MAX];
	path_component(entry->label, label);
	uint32_t hash =
	    (uint32_t)(entry_config(entry, trained) ^ entry->seed * UINT64_C(0x9e3779b97f4a7c15));
	return path_format(path, why, "%s/%s-%s-%" PRIu64 "-%" PRIu64 "-%08" PRIx32 ".tsv", traces,
			   entry->game.name, label, trained, index, hash);
}

/* Checks that LINES is at a line of a trace: the names of the columns, or as many values. */
static enum status line_check(const struct lines *lines, const char *path, struct why *why)
{
	char *names;
	size_t size;
	if (lines->number > 1) {
		const size_t columns = sizeof trace_columns / sizeof *trace_columns - 1;
		enum status status = line_plain(path, lines->number, lines->text, why);
		return status ? status
			      : tsv_row_check(path, lines->number, lines->text, columns, why);
	}
	FILE *out = xstream_open(&names, &size);
	table_head(out, trace_columns);
	xstream_close(out);
	names[strcspn(names, "\n")] = '\0';
	const bool same = strcmp(lines->text, names) == 0;
	free(names);
	return same ? STATUS_OK
		    : why_set(why, STATUS_INPUT, "%s:1: is not the trace of a game", path);
}

/*
 * Appends the rows of the file PATH, a trace of ENTRY. A missing file means that the game was not
 * played.
 */
static enum status rows_append(FILE *out, const struct experiment_entry *entry, const char *path,
			       struct why *why)
{
	struct lines lines;
	enum status status = lines_open(&lines, path, why);
	if (status)
		return errno == ENOENT ? STATUS_OK : status;
	while (lines_next(&lines, &status, why)) {
		status = line_check(&lines, path, why);
		if (status)
			break;
		if (lines.number == 1)
			continue;
		fprintf(out, "\"%s\"\t", entry->game.name);
		text_write(out, entry->label);
		fprintf(out, "\t%s\n", lines.text);
	}
	lines_close(&lines);
	return status;
}

/* Appends the traces of ENTRY in the folder TRACES: of GAMES games at each point of training. */
static enum status entry_append(FILE *out, const char *traces, uint64_t games,
				const struct experiment_entry *entry, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	enum status status = STATUS_OK;
	for (uint64_t k = 0; !status && k <= entry->schedule.repeat; k++) {
		uint64_t trained = entry_stage(entry, k);
		bool known = k == 0 || trained > 0;
		for (uint64_t i = 0; !status && known && i < games; i++) {
			status = traces_path(traces, entry, trained, i, path, why);
			status = status ? status : rows_append(out, entry, path, why);
		}
	}
	return status;
}

enum status traces_write(const struct experiment *experiment, const char *directory,
			 const char *const *provenance, struct why *why)
{
	char tables[FOLDER_PATH_MAX], traces[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
	enum status status = path_format(tables, why, "%s/tables", directory);
	status = status ? status : path_format(traces, why, "%s/traces", directory);
	status = status ? status : path_format(path, why, "%s/moves.tsv", tables);
	status = status ? status : folder_make_in(tables, why);
	FILE *out;
	status = status ? status : part_create(path, &out, why);
	if (status)
		return status;
	table_comments(out, provenance);
	fputs("# units: scores in points; uncertainty: distance to certainty of the move, 0 to "
	      "1.5\n\"board\"\t\"label\"\t",
	      out);
	table_head(out, trace_columns);
	for (size_t i = 0; !status && i < experiment->count; i++)
		status = entry_append(out, traces, experiment->traces, experiment->entries[i], why);
	return part_finish(out, path, status, why);
}
