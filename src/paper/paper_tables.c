/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of a bundle: those of the run byte for byte, and for print (src/report/printed.h); and of a game log
 * the table `players`, which tells what each game is filed under:
 *
 *	board label agent trained games seed config training_seconds
 */
#include "src/paper/paper.h"

#include "analysis/tables/table.h"
#include "analysis/logs/gamelog.h"
#include "base/append.h"
#include "src/report/printed.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* All that there may be, in the order in which a reader wants them. */
static const char *const names[] = {
    "results", "summary", "ratios", "tiles",	 "reach",	 "curve", "sizes",  "sweep",
    "boards",  "pareto",  "gap",    "gap-phase", "gap-learning", "duel",  "scores", "moves"};

enum { NAMES = sizeof names / sizeof *names, TABLE_MAX = 1 << 26 };

/* Writes SHEET as FORMAT, "tex" or "md". */
static enum status printed_add(struct paper *paper, const struct paper_run *run, const char *name,
			       const struct sheet *sheet, bool latex, struct why *why)
{
	FILE *file;
	char path[FOLDER_PATH_MAX];
	enum status status =
	    path_format(path, why, "tables/%s/%s.%s", run->name, name, latex ? "tex" : "md");
	status = status ? status : paper_create(paper, path, &file, why);
	if (status)
		return status;
	if (latex)
		printed_latex(file, sheet, name);
	else
		printed_markdown(file, sheet, name);
	return paper_finish(paper, path, file, STATUS_OK, why);
}

static bool has_rows(const struct sheet *sheet)
{
	for (size_t i = 0; i < sheet->block_count; i++)
		if (sheet->blocks[i].rows > 0)
			return true;
	return false;
}

/* The title of the experiment: tables have it where a log of before has not. */
static void title_take(struct paper_run *run, const struct sheet *sheet)
{
	static const char title[] = "title: ";
	for (size_t i = 0; i < sheet->note_count; i++)
		if (strncmp(sheet->notes[i], title, sizeof title - 1) == 0)
			paper_title(run, sheet->notes[i] + sizeof title - 1);
}

/* Adds the table NAME, whose file PATH is in its place in the bundle, to RUN. */
static enum status item_add(struct paper *paper, struct paper_run *run, const char *name,
			    const char *path, struct why *why)
{
	char place[FOLDER_PATH_MAX];
	struct sheet sheet;
	struct paper_item *item = &run->tables[run->table_count];
	enum status status = path_format(place, why, "%s/%s", paper->directory, path);
	status = status ? status : sheet_read(&sheet, place, TABLE_MAX, why);
	if (status)
		return status;
	if (has_rows(&sheet)) {
		snprintf(item->name, sizeof item->name, "%.63s", name);
		snprintf(item->path, sizeof item->path, "%.255s", path);
		title_take(run, &sheet);
		paper_table_caption(run, name, &sheet, item->caption);
		run->table_count++;
		if (printed_is(name)) {
			status = printed_add(paper, run, name, &sheet, true, why);
			status =
			    status ? status : printed_add(paper, run, name, &sheet, false, why);
		}
	}
	sheet_fini(&sheet);
	return status;
}

/* Copies the table NAME of RUN if it has it. */
static enum status table_take(struct paper *paper, struct paper_run *run, const char *name,
			      struct why *why)
{
	char from[FOLDER_PATH_MAX], to[FOLDER_PATH_MAX];
	enum status status = path_format(from, why, "%s/tables/%s.tsv", run->source, name);
	status = status ? status : path_format(to, why, "tables/%s/%s.tsv", run->name, name);
	if (status || access(from, F_OK) != 0)
		return status;
	status = paper_copy(paper, from, to, why);
	return status ? status : item_add(paper, run, name, to, why);
}

/* Copies a table of its own: lines between its rows, which are for going on with, are left out. */
static enum status rows_copy(const char *from, FILE *out, struct why *why)
{
	FILE *in = fopen(from, "re");
	char *line = NULL;
	size_t size = 0;
	if (!in)
		return why_errno(why, "%s: cannot be read", from);
	for (bool head = true; getline(&line, &size, in) > 0;) {
		head = head && *line == '#';
		if (head || *line != '#')
			fputs(line, out);
	}
	enum status status =
	    lines_cut_short(in) ? why_errno(why, "%s: cannot be read", from) : STATUS_OK;
	free(line);
	fclose(in);
	return status;
}

/* The same of a table of its own. */
static enum status single_take(struct paper *paper, struct paper_run *run, struct why *why)
{
	FILE *out;
	char path[FOLDER_PATH_MAX];
	const struct figure *figure;
	enum status status = figure_single(run->source, &figure, why);
	if (status)
		return status;
	if (!figure)
		return why_set(why, STATUS_INPUT, "%s: is no table of train or tune any more",
			       run->source);
	status = path_format(path, why, "tables/%s/%s.tsv", run->name, figure->name);
	status = status ? status : paper_create(paper, path, &out, why);
	if (status)
		return status;
	status = rows_copy(run->source, out, why);
	status = paper_finish(paper, path, out, status, why);
	return status ? status : item_add(paper, run, figure->name, path, why);
}

/* What the log has of PLAYER: games, seeds. */
static void player_write(FILE *file, const struct gamelog *log, const struct gamelog_player *player)
{
	uint64_t games = 0, seeds = 0, first = 0;
	for (size_t i = 0; i < log->count; i++) {
		const struct gamelog_row *row = &log->rows[i];
		if (row->player != player)
			continue;
		seeds += games == 0 || row->seed != first;
		first = games++ == 0 ? row->seed : first;
	}
	text_write(file, player->board, "");
	putc('\t', file);
	text_write(file, player->label, "");
	putc('\t', file);
	text_write(file, player->agent, "");
	fprintf(file, "\t%" PRIu64 "\t%" PRIu64 "\t", player->trained, games);
	if (seeds > 1)
		text_write(file, "several", "");
	else
		fprintf(file, "%" PRIu64, first);
	fprintf(file, "\t\"%016" PRIx64 "\"", player->config);
	number_write(file, gamelog_training(log, player->config));
	putc('\n', file);
}

/* By board, label, and training. */
static int by_player(const void *a, const void *b)
{
	const struct gamelog_player *x = *(struct gamelog_player *const *)a,
				    *y = *(struct gamelog_player *const *)b;
	int order = strcmp(x->board, y->board);
	if (order == 0)
		order = (x->place > y->place) - (x->place < y->place);
	if (order == 0)
		order = (x->trained > y->trained) - (x->trained < y->trained);
	return order ? order : (x->config > y->config) - (x->config < y->config);
}

static enum status players_write(struct paper *paper, struct paper_run *run,
				 const struct gamelog *log, struct why *why)
{
	FILE *file;
	char path[FOLDER_PATH_MAX];
	struct gamelog_player **players =
	    calloc(log->player_count, sizeof(struct gamelog_player *));
	if (!players)
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", run->source);
	for (size_t i = 0; i < log->player_count; i++)
		players[i] = log->players[i];
	qsort(players, log->player_count, sizeof(struct gamelog_player *), by_player);
	enum status status = path_format(path, why, "tables/%s/players.tsv", run->name);
	status = status ? status : paper_create(paper, path, &file, why);
	if (!status) {
		table_comments(file, (const char *const *)run->provenance);
		fputs("# units: trained in games; config: what the log knows games by, beside seed "
		      "and number; "
		      "training_seconds of one processor\n",
		      file);
		fputs("\"board\"\t\"label\"\t\"agent\"\t\"trained\"\t\"games\"\t\"seed\"\t"
		      "\"config\"\t\"training_seconds\"\n",
		      file);
		for (size_t i = 0; i < log->player_count; i++)
			player_write(file, log, players[i]);
		status = paper_finish(paper, path, file, STATUS_OK, why);
	}
	free(players);
	return status ? status : item_add(paper, run, "players", path, why);
}

/* The table `players`, of a run with a game log. */
static enum status players_add(struct paper *paper, struct paper_run *run, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct gamelog log;
	enum status status = path_format(path, why, "%s/games.tsv", run->source);
	if (status || access(path, F_OK) != 0)
		return status;
	gamelog_init(&log);
	status = gamelog_read(&log, path, why);
	if (!status && log.player_count > 0)
		status = players_write(paper, run, &log, why);
	gamelog_fini(&log);
	return status;
}

enum status paper_tables(struct paper *paper, struct paper_run *run, struct why *why)
{
	enum status status = STATUS_OK;
	if (run->kind == PAPER_SINGLE)
		return single_take(paper, run, why);
	for (size_t i = 0; !status && i < NAMES; i++)
		status = table_take(paper, run, names[i], why);
	if (!status && run->table_count == 0)
		status = why_set(why, STATUS_INPUT,
				 "%s/tables: has none of the tables of a run; the same command "
				 "makes them again",
				 run->source);
	return status ? status : players_add(paper, run, why);
}
