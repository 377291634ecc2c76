/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Data, tables and figures of a run in a bundle.
 *
 * Data: logs, positions, traces, and with --models what was learned. Tables: those of the run byte
 * for byte, and for print (src/report/print.h); and of a game log the table `players`, which tells what
 * each game is filed under: board label agent trained games seed config training_seconds. Figures
 * are drawn from these tables.
 */
#include "src/paper/paper.h"

#include "agents/agent.h"
#include "agents/param.h"
#include "analysis/logs/gamelog.h"
#include "analysis/tables/table.h"
#include "base/append.h"
#include "base/xalloc.h"
#include "src/games/experiment.h"
#include "src/report/print.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- Data. */

/* Copies the file FROM into the bundle. */
static enum status paper_copy(const struct paper *paper, const char *from, const char *path,
			      struct why *why)
{
	char place[FOLDER_PATH_MAX];
	FILE *out;
	enum status status = paper_create(paper, path, place, &out, why);
	return status ? status : part_finish(out, place, file_append(out, from, why), why);
}

/* Copies SOURCE/FILE to data/RUN/FILE, if it is there. */
static enum status file_take(struct paper *paper, const struct paper_run *run, const char *file,
			     struct why *why)
{
	char from[FOLDER_PATH_MAX], to[FOLDER_PATH_MAX];
	enum status status = path_format(from, why, "%s/%s", run->source, file);
	status = status ? status : path_format(to, why, "data/%s/%s", run->page.name, file);
	if (status || access(from, F_OK) != 0)
		return status;
	return paper_copy(paper, from, to, why);
}

static int is_visible(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');
	return entry->d_name[0] != '.' &&
	       !(dot && (strcmp(dot, ".tmp") == 0 || strcmp(dot, ".part") == 0 ||
			 strcmp(dot, ".lock") == 0));
}

/* Copies the files in SOURCE/FOLDER, if it is there. */
static enum status folder_take(struct paper *paper, const struct paper_run *run, const char *folder,
			       struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct stat there;
	struct dirent **entries;
	enum status status = path_format(path, why, "%s/%s", run->source, folder);
	int count = status ? 0 : scandir(path, &entries, is_visible, alphasort);
	if (count < 0)
		return errno == ENOENT ? STATUS_OK : why_errno(why, "%s: cannot be read", path);
	for (int i = 0; i < count; i++) {
		status = status ? status
				: path_format(path, why, "%s/%s/%s", run->source, folder,
					      entries[i]->d_name);
		if (!status && stat(path, &there) == 0 && S_ISREG(there.st_mode))
			status = file_take(paper, run, path + strlen(run->source) + 1, why);
		free(entries[i]);
	}
	if (count > 0)
		free(entries);
	return status;
}

static enum status single_data(struct paper *paper, struct paper_run *run, struct why *why)
{
	char to[FOLDER_PATH_MAX];
	const char *slash = strrchr(run->source, '/');
	enum status status =
	    path_format(to, why, "data/%s/%s", run->page.name, slash ? slash + 1 : run->source);
	status = status ? status : page_provenance_read(&run->page, run->source, why);
	return status ? status : paper_copy(paper, run->source, to, why);
}

static enum status paper_data(struct paper *paper, struct paper_run *run, struct why *why)
{
	static const char *const files[] = {"games.tsv", "searches.tsv", "positions.txt",
					    "gap.tsv"};
	static const char *const logs[] = {"games.tsv", "searches.tsv", "gap.tsv"}; /* by kind */
	char path[FOLDER_PATH_MAX];
	if (run->kind == PAPER_SINGLE)
		return single_data(paper, run, why);
	enum status status = path_format(path, why, "%s/%s", run->source, logs[run->kind]);
	status = status ? status : page_provenance_read(&run->page, path, why);
	for (size_t i = 0; !status && i < sizeof files / sizeof *files; i++)
		status = file_take(paper, run, files[i], why);
	if (!status && *run->experiment) {
		status = path_format(path, why, "data/%s/experiment.yaml", run->page.name);
		status = status ? status : paper_copy(paper, run->experiment, path, why);
	}
	status = status ? status : folder_take(paper, run, "traces", why);
	return status || !paper->models ? status : folder_take(paper, run, "models", why);
}

/* ---- Tables. */

enum { TABLE_MAX = 1 << 26 };

/* Writes TSV, which is SHOWN so, for print. */
static enum status printed_add(const struct paper *paper, const struct paper_run *run,
			       const struct shown_table *shown, const struct tsv *tsv, bool latex,
			       struct why *why)
{
	FILE *file;
	char path[FOLDER_PATH_MAX], place[FOLDER_PATH_MAX];
	enum status status = path_format(path, why, "tables/%s/%s.%s", run->page.name, shown->name,
					 latex ? "tex" : "md");
	status = status ? status : paper_create(paper, path, place, &file, why);
	if (status)
		return status;
	table_print(file, tsv, shown, latex);
	return part_finish(file, place, STATUS_OK, why);
}

/* Warns, once for RUN, if TSV says that games are missing or do not count. */
static void run_warn(struct paper_run *run, const struct tsv *tsv)
{
	static const char *const marks[] = {"unfinished: ", "counted: "};
	const bool warned = run->warned;
	for (size_t i = 0; i < sizeof marks / sizeof *marks && !warned; i++) {
		const char *note = tsv_note(tsv, marks[i]);
		if (!note)
			continue;
		fprintf(stderr, "nxn: warning: %s: %s%s\n", run->source, marks[i], note);
		run->warned = true;
	}
}

/* Adds the table SHOWN, whose file PATH is in its place in the bundle, to RUN. */
static enum status item_add(const struct paper *paper, struct paper_run *run,
			    const struct shown_table *shown, const char *path, struct why *why)
{
	char place[FOLDER_PATH_MAX];
	struct tsv tsv;
	enum status status = path_format(place, why, "%s/%s", paper->stage, path);
	status = status ? status : tsv_read(&tsv, place, TABLE_MAX, why);
	if (status)
		return status;
	run_warn(run, &tsv);
	if (page_table_add(&run->page, shown, path, &tsv) && !shown->data) {
		status = printed_add(paper, run, shown, &tsv, true, why);
		status = status ? status : printed_add(paper, run, shown, &tsv, false, why);
	}
	tsv_fini(&tsv);
	return status;
}

/* Copies the table SHOWN of RUN if it has it. */
static enum status table_take(const struct paper *paper, struct paper_run *run,
			      const struct shown_table *shown, struct why *why)
{
	char from[FOLDER_PATH_MAX], to[FOLDER_PATH_MAX];
	enum status status = path_format(from, why, "%s/tables/%s.tsv", run->source, shown->name);
	status =
	    status ? status : path_format(to, why, "tables/%s/%s.tsv", run->page.name, shown->name);
	if (status || access(from, F_OK) != 0)
		return status;
	status = paper_copy(paper, from, to, why);
	return status ? status : item_add(paper, run, shown, to, why);
}

/* The same of a table of its own. */
static enum status single_table(const struct paper *paper, struct paper_run *run, struct why *why)
{
	FILE *out;
	char path[FOLDER_PATH_MAX], place[FOLDER_PATH_MAX];
	const struct figure *figure;
	enum status status = figure_single(run->source, &figure, why);
	if (status)
		return status;
	if (!figure)
		return why_set(why, STATUS_INPUT, "%s: is no table of train or tune any more",
			       run->source);
	status = path_format(path, why, "tables/%s/%s.tsv", run->page.name, figure->name);
	status = status ? status : paper_create(paper, path, place, &out, why);
	if (status)
		return status;
	status = part_finish(out, place, figure_single_copy(figure, run->source, out, why), why);
	return status ? status : item_add(paper, run, shown_table_find(figure->name), path, why);
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

static enum status players_write(const struct paper *paper, struct paper_run *run,
				 const struct gamelog *log, struct gamelog_player *const *players,
				 struct why *why)
{
	FILE *file;
	char path[FOLDER_PATH_MAX], place[FOLDER_PATH_MAX];
	enum status status = path_format(path, why, "tables/%s/players.tsv", run->page.name);
	status = status ? status : paper_create(paper, path, place, &file, why);
	if (status)
		return status;
	table_comments(file, (const char *const *)run->page.provenance);
	fputs("# units: trained in games; config: what the log knows games by, beside seed and "
	      "number; training_seconds of one processor\n"
	      "\"board\"\t\"label\"\t\"agent\"\t\"trained\"\t\"games\"\t\"seed\"\t"
	      "\"config\"\t\"training_seconds\"\n",
	      file);
	for (size_t i = 0; i < log->player_count; i++)
		player_write(file, log, players[i]);
	status = part_finish(file, place, STATUS_OK, why);
	return status ? status : item_add(paper, run, shown_table_find("players"), path, why);
}

enum { TRAINED_MAX = 48, SETTINGS_MAX = TRAINED_MAX + SPEC_MAX };

/*
 * The table `parameters`: all parameters of the players after their training, those that are the
 * defaults included, a column a board.
 */
struct parameter_table {
	char *
	    settings; /* [boards]: of the player called the same on each board, SETTINGS_MAX each */
	const char **boards;
	size_t count; /* of boards */
};

/* The piece at *AT of settings, "key=value" with the commas of the value; steps behind it. */
static size_t piece_take(const char **at)
{
	const char *begin = *at;
	setting_skip(at);
	while (**at && !setting_equals(*at))
		setting_skip(at);
	return (size_t)(*at - begin) - (**at != '\0');
}

/* The value of the KEY, of LENGTH characters with its '=', among SETTINGS as text; "" for none. */
static void value_find(const char *settings, const char *key, size_t length, char text[SPEC_MAX])
{
	*text = '\0';
	for (const char *at = settings; *at;) {
		const char *piece = at;
		const size_t size = piece_take(&at);
		if (size >= length && strncmp(piece, key, length) == 0)
			snprintf(text, SPEC_MAX, "%.*s", (int)(size - length), piece + length);
	}
}

static const char *settings_on(const struct parameter_table *t, size_t board)
{
	return t->settings + board * SETTINGS_MAX;
}

/* A row for each parameter of the player LABEL, in the order of the first board that has it. */
static void parameters_write(FILE *file, const struct parameter_table *t, const char *label)
{
	char text[SPEC_MAX];
	for (size_t b = 0; b < t->count; b++)
		for (const char *at = settings_on(t, b); *at;) {
			const char *key = at, *equals = setting_equals(at);
			const size_t length = equals ? (size_t)(equals - at) + 1 : 0;
			bool known = !equals;
			piece_take(&at);
			for (size_t before = 0; before < b && !known; before++) {
				value_find(settings_on(t, before), key, length, text);
				known = *text;
			}
			if (known)
				continue;
			text_write(file, label, "");
			snprintf(text, sizeof text, "%.*s", (int)length - 1, key);
			putc('\t', file);
			text_write(file, text, "");
			for (size_t other = 0; other < t->count; other++) {
				value_find(settings_on(t, other), key, length, text);
				putc('\t', file);
				text_write(file, text, "");
			}
			putc('\n', file);
		}
}

/*
 * The parameters of PLAYER on its board, as a dry run has them. What cannot be made here, such as a
 * player whose file is gone, has those that its text tells with the defaults, and an agent that
 * this nxn does not know those of the log.
 */
static void settings_of(const struct gamelog_player *player, char text[SPEC_MAX])
{
	struct game game;
	struct agent *agent;
	char all[SPEC_MAX];
	const struct game_options options = {.shape = player->board};
	const struct agent_env env = {.game = &game};
	if (!game_init(&game, &options, NULL) && !agent_new(player->agent, &env, &agent, NULL)) {
		player_parameters(agent, text);
		agent_free(agent);
		return;
	}
	const bool known = agent_settings(player->agent, all, NULL) == STATUS_OK;
	const char *settings = strchr(known ? all : player->agent, ':');
	snprintf(text, SPEC_MAX, "%s", settings ? settings + 1 : "");
}

/* Puts the parameters of PLAYER, and how long it was trained, in the place of BOARD. */
static void settings_put(struct parameter_table *t, const struct gamelog_player *player)
{
	char all[SPEC_MAX] = "";
	size_t b = 0;
	while (strcmp(t->boards[b], player->board) != 0) {
		b++;
		assert(b < t->count);
	}
	settings_of(player, all);
	char trained[TRAINED_MAX] = "";
	if (player->trained)
		snprintf(trained, sizeof trained, "training games=%" PRIu64 "%s", player->trained,
			 *all ? "," : "");
	snprintf(t->settings + b * SETTINGS_MAX, SETTINGS_MAX, "%s%s", trained, all);
}

/* All rows of the table, of N sorted players of LOG. */
static void all_parameters_write(FILE *file, struct parameter_table *t, const struct gamelog *log,
				 struct gamelog_player *const *players)
{
	fputs("# units: as in nxn info; training games: what the player has learned from\n"
	      "\"label\"\t\"parameter\"",
	      file);
	for (size_t b = 0; b < t->count; b++) {
		putc('\t', file);
		text_write(file, t->boards[b], "");
	}
	putc('\n', file);
	for (size_t place = 0; place < log->label_count; place++) {
		memset(t->settings, 0, t->count * SETTINGS_MAX);
		/* The most trained is the last. */
		for (size_t i = 0; i < log->player_count; i++)
			if (players[i]->place == place)
				settings_put(t, players[i]);
		parameters_write(file, t, log->labels[place]);
	}
}

static enum status parameters_add(const struct paper *paper, struct paper_run *run,
				  const struct gamelog *log, struct gamelog_player *const *players,
				  struct why *why)
{
	FILE *file;
	char path[FOLDER_PATH_MAX], place[FOLDER_PATH_MAX];
	enum status status = path_format(path, why, "tables/%s/parameters.tsv", run->page.name);
	status = status ? status : paper_create(paper, path, place, &file, why);
	if (status)
		return status;
	struct parameter_table t = {.settings = xcalloc(log->player_count, SETTINGS_MAX),
				    .boards = xcalloc(log->player_count, sizeof *t.boards)};
	for (size_t i = 0; i < log->player_count; i++)
		if (!t.count || strcmp(t.boards[t.count - 1], players[i]->board) != 0)
			t.boards[t.count++] = players[i]->board;
	table_comments(file, (const char *const *)run->page.provenance);
	all_parameters_write(file, &t, log, players);
	free(t.settings);
	free(t.boards);
	status = part_finish(file, place, STATUS_OK, why);
	return status ? status : item_add(paper, run, shown_table_find("parameters"), path, why);
}

/* The tables `parameters` and `players` of LOG. */
static enum status log_tables(const struct paper *paper, struct paper_run *run,
			      const struct gamelog *log, struct why *why)
{
	struct gamelog_player **players =
	    xcalloc(log->player_count, sizeof(struct gamelog_player *));
	for (size_t i = 0; i < log->player_count; i++)
		players[i] = log->players[i];
	qsort(players, log->player_count, sizeof(struct gamelog_player *), by_player);
	enum status status = parameters_add(paper, run, log, players, why);
	status = status ? status : players_write(paper, run, log, players, why);
	free(players);
	return status;
}

/* Those, of a run with a game log. */
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
		status = log_tables(paper, run, &log, why);
	gamelog_fini(&log);
	return status;
}

static enum status paper_tables(struct paper *paper, struct paper_run *run, struct why *why)
{
	enum status status = STATUS_OK;
	if (run->kind == PAPER_SINGLE)
		return single_table(paper, run, why);
	for (const struct shown_table *t = shown_tables; !status && t->name; t++)
		status = table_take(paper, run, t, why);
	if (!status && run->page.table_count == 0)
		status = why_set(why, STATUS_INPUT,
				 "%s/tables: has none of the tables of a run; the same command "
				 "makes them again",
				 run->source);
	return status ? status : players_add(paper, run, why);
}

/*
 * ---- Dates of PDF files. What draws them writes when it did so, which would make every bundle
 * another one: the digits of "/CreationDate (D:YYYYMMDDhhmmss" are replaced in place, so that all
 * offsets stay true, by those of SOURCE_DATE_EPOCH (reproducible-builds.org), or of 1970-01-01.
 */

enum { DIGITS = 14 };

static void date_text(char text[DIGITS + 1])
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	char *end;
	struct tm broken;
	time_t when = 0;
	if (epoch && *epoch) {
		long long seconds = strtoll(epoch, &end, 10);
		/* Up to the year 9999, which 14 digits can say. */
		when = *end == '\0' && seconds >= 0 && seconds < 253402300800 ? (time_t)seconds : 0;
	}
	gmtime_r(&when, &broken);
	strftime(text, DIGITS + 1, "%Y%m%d%H%M%S", &broken);
}

/* The digits in PDF, of SIZE bytes, or NULL. */
static char *digits_find(char *pdf, size_t size)
{
	static const char key[] = "/CreationDate (D:";
	char *found = memmem(pdf, size, key, sizeof key - 1);
	const bool whole = found && size - (size_t)(found - pdf) >= sizeof key - 1 + DIGITS;
	return whole ? found + sizeof key - 1 : NULL;
}

enum { PDF_MAX = 1 << 30 };

/* The date of the PDF file PATH becomes SOURCE_DATE_EPOCH, or 1970. */
static enum status paper_pdf_date(const char *path, struct why *why)
{
	char date[DIGITS + 1], *pdf;
	size_t size;
	FILE *out;
	if (file_read(path, PDF_MAX, &pdf, &size, why))
		return STATUS_SYSTEM;
	date_text(date);
	char *digits = digits_find(pdf, size);
	if (digits)
		memcpy(digits, date, DIGITS);
	enum status status = part_create(path, &out, why);
	if (!status) {
		fwrite(pdf, 1, size, out);
		status = part_finish(out, path, STATUS_OK, why);
	}
	free(pdf);
	return status;
}

/* ---- Figures. */

/* Adds FIGURE, which is drawn in the folder DRAWN of the tables in FROM, to RUN. */
static enum status figure_add(struct paper_run *run, const struct figure *figure, const char *from,
			      const char *drawn, struct why *why)
{
	char pdf[FOLDER_PATH_MAX], path[FOLDER_PATH_MAX];
	enum status status = path_format(pdf, why, "%s/%s.pdf", drawn, figure->name);
	status = status ? status
			: path_format(path, why, "figures/%s/%s.svg", run->page.name, figure->name);
	status = status ? status : paper_pdf_date(pdf, why);
	return status ? status : page_figure_add(&run->page, figure, from, path, why);
}

/* Draws the figures of all tables in the folder FROM into the folder TO. */
static enum status all_draw(struct paper *paper, struct paper_run *run, const char *from,
			    const char *to, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	/* Whatever a figure fails for, it is not what the user gave. */
	enum status status = figures_write(from, paper->width, to, why) ? STATUS_SYSTEM : STATUS_OK;
	for (const struct figure *f = figures; !status && f->name; f++) {
		status = path_format(path, why, "%s/%s.svg", to, f->name);
		if (!status && access(path, F_OK) == 0)
			status = figure_add(run, f, from, to, why);
	}
	return status;
}

static enum status paper_figures(struct paper *paper, struct paper_run *run, struct why *why)
{
	char from[FOLDER_PATH_MAX], to[FOLDER_PATH_MAX];
	enum status status = path_format(from, why, "%s/tables/%s", paper->stage, run->page.name);
	status =
	    status ? status : path_format(to, why, "%s/figures/%s", paper->stage, run->page.name);
	return status ? status : all_draw(paper, run, from, to, why);
}

enum status paper_contents(struct paper *paper, struct paper_run *run, struct why *why)
{
	enum status status = paper_data(paper, run, why);
	status = status ? status : paper_tables(paper, run, why);
	return status ? status : paper_figures(paper, run, why);
}
