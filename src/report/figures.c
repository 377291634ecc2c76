/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures: their list, their files, and drawing by gnuplot.
 *
 * The script beside a figure is the installed one with the style inserted in place of its `load`
 * line, so that an author can take script and tables away and restyle the figure. nxn draws the
 * figure with that same script.
 *
 * gnuplot runs without a shell and with an empty standard input; it succeeded only if it printed
 * nothing. It does not check its writes: on a full disk it leaves incomplete figures without an
 * error. So its picture and its messages go to files in memory.
 *
 * gnuplot runs a data file named "<command" as a command and expands "~". So the path of a folder
 * whose name begins with such a character is prefixed with "./".
 */
#include "src/report/figures.h"

#include "analysis/tables/tsv.h"
#include "base/file.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/program.h"
#include "src/cli/data_dir.h"
#include "src/cli/options.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

const struct figure figures[] = {
    {.name = "sizes",
     .tables = {"means"},
     .points = 2,
     .caption = "Mean score of each player against the number of cells of the board."},
    {.name = "leads",
     .script = "sizes",
     .tables = {"leads", "means"},
     .column = "slope",
     .caption = "Ratio of the mean score of each player to that of one of them, against the number "
		"of cells of the board."},
    {.name = "means", .tables = {"means"}, .caption = "Mean score of each player on each board."},
    {.name = "scores",
     .tables = {"scores", "means"},
     .caption = "Cumulative distribution of the scores: the share of games with at most that "
		"score."},
    {.name = "tiles",
     .tables = {"tiles"},
     .caption = "Share of the games by their largest tile, one panel per board."},
    {.name = "curve",
     .tables = {"curve", "means"},
     .points = 2,
     .caption = "Mean score of learners over their training."},
    {.name = "learning",
     .tables = {"curve", "means"},
     .points = 2,
     .caption = "Learners over their training: mean score, best score, and the share of games "
		"that reached a tile."},
    {.name = "crossover",
     .tables = {"crossover", "means"},
     .points = 2,
     .caption =
	 "Ratio of the mean score of learners to that of other players, over their training. "
	 "Intervals contain how far trainings differ."},
    {.name = "certainty",
     .tables = {"curve", "means"},
     .column = "uncertainty",
     .caption = "Learners over their training: sum of the final tiles of a game, and mean "
		"distance of a move to certainty: 0 if the move was certain, 1.5 if it was one of "
		"four equally probable moves. Bands: 95% intervals, Student's t."},
    {.name = "moves",
     .tables = {"moves", "means"},
     .column = "uncertainty",
     .caption = "Distance to certainty of each move of one game, before training and after; "
		"grey: equal probabilities of all legal moves."},
    {.name = "law",
     .tables = {"law", "means"},
     .column = "law",
     .caption =
	 "Mean score against the number of cells, with the law of each player, named in the key: "
	 "of six forms the one that predicts best the boards that it was not fitted to. "
	 "Below: mean scores divided by the law."},
    {.name = "sweep",
     .tables = {"sweep"},
     .caption = "Time per move of the search against its depth: one curve per cutoff, one panel "
		"per board."},
    {.name = "boards",
     .script = "sweep",
     .tables = {"boards"},
     .caption = "Time per move of the search against its depth: one curve per board, one panel "
		"per cutoff."},
    {.name = "pareto",
     .tables = {"pareto"},
     .caption = "Mean score against time per move, with the Pareto front: the settings that no "
		"other beats in both, by the estimates. The number at a point is its depth."},
    {.name = "gap",
     .tables = {"gap"},
     .caption = "Expected score of each player as a share of the exact optimum."},
    {.name = "gap-phase",
     .tables = {"gap-phase"},
     .caption = "Points that moves lose against the exact optimum, and share of optimal moves, "
		"by the largest tile before the move."},
    {.name = "gap-learning",
     .tables = {"gap-learning", "gap-phase"},
     .points = 2,
     .caption = "Distance of learners to the exact optimum over their training."},
    {.name = "duel",
     .tables = {"duel"},
     .column = "ratio_low",
     .caption = "A duel: ratio of mean scores, A to B, at each look. Band: intervals that hold at "
		"all looks together."},
    {.name = "training",
     .tables = {"training"},
     .names = "\"trained\"\t\"games\"\t\"seconds\"\t",
     .caption = "One learner over its training games: mean and best score of each block, and the "
		"share of its games that reached a tile. Bands: 95% intervals."},
    {.name = "curves",
     .script = "curve",
     .tables = {"curves"},
     .points = 2,
     .caption = "Learners over their training: mean score of each block. Bands: 95% intervals, "
		"Student's t."},
    {.name = "tuning",
     .tables = {"tuning"},
     .names = "\"generation\"\t\"best\"\t\"elite\"\t",
     .caption = "Tuning by the cross-entropy method. Scores: of the best candidate, of the elite "
		"(the candidates that the next generation is fitted to), of all candidates, and of "
		"held-out games with 95% intervals. Parameters: the mean of each, with a band of "
		"one standard deviation."},
    {.name = NULL},
};

char *path_make(char path[FOLDER_PATH_MAX], const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const int length = vsnprintf(path, FOLDER_PATH_MAX, format, args);
	va_end(args);
	if (length >= 0 && length < FOLDER_PATH_MAX)
		return path;
	fprintf(stderr, "nxn: %.80s...: too long a path\n", path);
	exit(2);
}

enum status figures_folder(char path[FOLDER_PATH_MAX], struct why *why)
{
	const char *folder = getenv("NXN_PLOTS");
	if (!folder || !*folder)
		return data_dir_find(DATA_DIR_PLOTS, path, why);
	path_make(path, "%s", folder);
	return STATUS_OK;
}

/* ---- gnuplot. */

enum {
	MESSAGES_MAX = 1 << 20,
	PICTURE_MAX = 1 << 30,
	TABLE_BYTES_MAX = 1 << 30,
	ARGUMENTS_MAX = 6 + FIGURE_TABLES_MAX
};

/* Opens a file in memory. */
static enum status memory_open(int *fd, const char *what, struct why *why)
{
	*fd = unnamed_open("nxn");
	return *fd >= 0 ? STATUS_OK
			: why_errno(why, "gnuplot's %s: cannot be held in memory", what);
}

/* Reads all of the file FD, at most MOST bytes. */
static enum status memory_read(int fd, size_t most, char **bytes, size_t *size, struct why *why)
{
	char name[24];
	snprintf(name, sizeof name, "/dev/fd/%d", fd);
	return file_read(name, most, bytes, size, why) ? STATUS_SYSTEM : STATUS_OK;
}

/* One run of gnuplot: its arguments and output. */
struct drawing {
	const char *script, *format;
	const char *const *tables;
	const char *out;       /* the final file */
	int picture, messages; /* files in memory */
};

/* The time limit of gnuplot for one drawing, in seconds. */
static double gnuplot_seconds(void)
{
	const char *text = getenv("NXN_PLOT_SECONDS");
	double seconds;
	return text && real_parse(text, &seconds) && seconds > 0 ? seconds : 120;
}

/*
 * Runs gnuplot and stores its wait status in *RESULT. Returns 0 or an errno; ETIMEDOUT if the time
 * limit was reached and gnuplot was killed.
 */
static int gnuplot_run(const struct drawing *d, int *result)
{
	const char *arguments[ARGUMENTS_MAX + 1] = {"gnuplot", "-d",	  "-c",
						    d->script, d->format, "/dev/stdout"};
	const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	const int fd[] = {nothing, d->picture, d->messages};
	pid_t pid = 0;
	for (int i = 0; d->tables[i]; i++)
		arguments[6 + i] = d->tables[i];
	const int error =
	    nothing >= 0 ? program_spawn((char *const *)arguments, fd, false, &pid) : errno;
	if (nothing >= 0)
		close(nothing);
	if (error)
		return error;
	return program_finish(pid, false, gnuplot_seconds(), result) ? 0 : ETIMEDOUT;
}

/*
 * Whether LINE is no error: a font cache that Fontconfig cannot write, a degree sign, which no
 * figure uses, that the locale "C" cannot write, a comment of more than 2 KiB in a table, such as
 * a command with many players, or the mark of a position.
 */
static bool is_harmless(const char *line)
{
	return strncmp(line, "Fontconfig ", 11) == 0 || strstr(line, " warning: iconv") ||
	       strstr(line, " very long line with no separators") ||
	       strspn(line, " \t^") == strlen(line);
}

/*
 * The line of MESSAGES with the error, or NULL if there is none. gnuplot quotes the command before
 * the line `"FILE" line N: error`.
 */
static const char *error_line_find(char *messages)
{
	const char *first = NULL;
	char *rest = messages;

	for (char *line; (line = strtok_r(rest, "\n", &rest));) {
		if (is_harmless(line))
			continue;
		if (*line == '"')
			return line;
		first = first ? first : line;
	}
	return first;
}

/* The status of gnuplot's run, by its messages and its wait status RESULT. */
static enum status gnuplot_check(const struct drawing *d, int result, struct why *why)
{
	char *messages;
	size_t size;
	enum status status = memory_read(d->messages, MESSAGES_MAX, &messages, &size, why);
	if (status)
		return status;
	const char *line = error_line_find(messages);
	if (line)
		status = why_set(why, STATUS_SYSTEM, "gnuplot: %s", line);
	else if (WIFSIGNALED(result))
		status =
		    why_set(why, STATUS_SYSTEM, "gnuplot: ended by signal %d", WTERMSIG(result));
	else if (result != 0)
		status = why_set(why, STATUS_SYSTEM, "gnuplot: ended with status %d and no word",
				 WEXITSTATUS(result));
	free(messages);
	return status;
}

/* STATUS_SYSTEM unless the SIZE bytes begin and end like a picture in the format of D. */
static enum status picture_check(const struct drawing *d, const char *picture, size_t size,
				 struct why *why)
{
	const bool svg = strcmp(d->format, "svg") == 0;
	const char *begin = svg ? "<?xml" : "%PDF-", *end = svg ? "</svg>" : "%%EOF";
	while (size > 0 && strchr(" \n", picture[size - 1]))
		size--;
	if (size == 0)
		return why_set(why, STATUS_SYSTEM, "%s: gnuplot has drawn nothing", d->out);
	return size >= strlen(begin) + strlen(end) && memcmp(picture, begin, strlen(begin)) == 0 &&
		       memcmp(picture + size - strlen(end), end, strlen(end)) == 0
		   ? STATUS_OK
		   : why_set(why, STATUS_SYSTEM,
			     "%s: what gnuplot has drawn is no whole %s picture", d->out,
			     d->format);
}

/*
 * Replaces the digits of the time of drawing in PDF, of SIZE bytes, "/CreationDate
 * (D:YYYYMMDDhhmmss", by those of SOURCE_DATE_EPOCH (reproducible-builds.org), which
 * src/cli/options.c has checked, or of 1970-01-01: equal tables give equal figures.
 */
static void date_set(char *pdf, size_t size)
{
	enum { DIGITS = 14 };
	static const char key[] = "/CreationDate (D:";
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	char *found = memmem(pdf, size, key, sizeof key - 1), date[DIGITS + 1];
	double seconds = 0;
	struct tm broken;
	if (!found || size - (size_t)(found - pdf) < sizeof key - 1 + DIGITS)
		return;
	const time_t when = epoch && real_parse(epoch, &seconds) ? (time_t)seconds : 0;
	gmtime_r(&when, &broken);
	if (strftime(date, sizeof date, "%Y%m%d%H%M%S", &broken) == DIGITS)
		memcpy(found + sizeof key - 1, date, DIGITS);
}

/* Runs gnuplot for D into memory. */
static enum status gnuplot_draw(struct drawing *d, struct why *why)
{
	int result = 0;
	enum status status = memory_open(&d->picture, "picture", why);
	status = status ? status : memory_open(&d->messages, "messages", why);
	if (status)
		return status;
	errno = gnuplot_run(d, &result);
	if (errno == ETIMEDOUT)
		return why_set(why, STATUS_SYSTEM,
			       "%s: gnuplot has not drawn it within %g s (NXN_PLOT_SECONDS)",
			       d->out, gnuplot_seconds());
	if (errno)
		return why_errno(why, "gnuplot: cannot run it; tables and logs are there, figures "
				      "are not; install gnuplot (Debian: gnuplot-nox)");
	return gnuplot_check(d, result, why);
}

/*
 * Draws the picture of D into its file, complete or not at all. It depends only on script and
 * tables. STATUS_SYSTEM, with gnuplot's first message.
 */
static enum status figure_draw(struct drawing *d, struct why *why)
{
	char *picture = NULL;
	size_t size;
	FILE *out;
	enum status status = gnuplot_draw(d, why);
	status = status ? status : memory_read(d->picture, PICTURE_MAX, &picture, &size, why);
	if (d->picture >= 0)
		close(d->picture);
	if (d->messages >= 0)
		close(d->messages);
	status = status ? status : picture_check(d, picture, size, why);
	status = status ? status : part_create(d->out, &out, why);
	if (!status) {
		if (strcmp(d->format, "pdf") == 0)
			date_set(picture, size);
		fwrite(picture, 1, size, out);
		status = part_finish(out, d->out, STATUS_OK, why);
	}
	free(picture);
	return status;
}

/* ---- Files of figures. */

/*
 * Appends the text file PATH to OUT; replaces a line that begins with "load " by the file LOADED,
 * unless that is NULL.
 */
static enum status text_append(FILE *out, const char *path, const char *loaded, struct why *why)
{
	struct lines lines;
	enum status status = lines_open(&lines, path, why);
	if (status)
		return status;
	while (!status && lines_next(&lines, &status, why)) {
		if (loaded && strncmp(lines.text, "load ", 5) == 0)
			status = text_append(out, loaded, NULL, why);
		else
			fprintf(out, "%s\n", lines.text);
	}
	lines_close(&lines);
	return status;
}

/* Draws FIGURE, with the script and tables in the folder TO, in all formats. */
static enum status formats_draw(const struct figure *figure, const char *to, struct why *why)
{
	static const char *const formats[] = {"svg", "pdf", NULL};
	const char *here = strchr("<|~-", *to) ? "./" : "", *tables[FIGURE_TABLES_MAX + 1] = {0};
	char script[FOLDER_PATH_MAX], out[FOLDER_PATH_MAX],
	    paths[FIGURE_TABLES_MAX][FOLDER_PATH_MAX];
	enum status status = STATUS_OK;
	path_make(script, "%s%s/%s.gp", here, to, figure->name);
	for (int i = 0; figure->tables[i]; i++)
		tables[i] = path_make(paths[i], "%s%s/%s.tsv", here, to, figure->tables[i]);
	for (size_t i = 0; !status && formats[i]; i++) {
		struct drawing d = {.script = script,
				    .format = formats[i],
				    .tables = tables,
				    .picture = -1,
				    .messages = -1};
		d.out = path_make(out, "%s/%s.%s", to, figure->name, formats[i]);
		status = figure_draw(&d, why);
	}
	return status;
}

/* Writes the script of FIGURE, for a WIDTH, to the folder TO as NAME.gp. */
static enum status script_write(const struct figure *figure, double width, const char *to,
				struct why *why)
{
	char folder[FOLDER_PATH_MAX], script[FOLDER_PATH_MAX], style[FOLDER_PATH_MAX],
	    path[FOLDER_PATH_MAX];
	FILE *out;
	enum status status = figures_folder(folder, why);
	if (status)
		return status;
	path_make(script, "%s/%s.gp", folder, figure->script ? figure->script : figure->name);
	path_make(style, "%s/style.gp", folder);
	path_make(path, "%s/%s.gp", to, figure->name);
	if (access(script, R_OK) != 0)
		return why_errno(
		    why, "%s: cannot read the plot script (NXN_PLOTS names its folder)", script);
	status = part_create(path, &out, why);
	if (status)
		return status;
	if (width > 0)
		fprintf(out, "FIT = %.6g # inches; see below\n", width);
	return part_finish(out, path, text_append(out, script, style, why), why);
}

/* Copies the table NAME from the file SOURCE to the folder TO, in blocks for gnuplot. */
static enum status table_copy(const char *source, const char *name, const char *to, struct why *why)
{
	const struct shown_table *shown = shown_table_find(name);
	char path[FOLDER_PATH_MAX];
	struct tsv tsv;
	FILE *out;
	if (access(source, R_OK) != 0)
		return why_set(why, STATUS_SYSTEM,
			       "%s: cannot read: %s; the command of the run makes its tables again",
			       source, strerror(errno));
	enum status status = part_create(path_make(path, "%s/%s.tsv", to, name), &out, why);
	if (status || !shown || !shown->series)
		return status ? status
			      : part_finish(out, path, text_append(out, source, NULL, why), why);
	status = tsv_read(&tsv, source, TABLE_BYTES_MAX, why);
	if (!status) {
		tsv_blocks_write(out, &tsv, shown);
		tsv_fini(&tsv);
	}
	return part_finish(out, path, status, why);
}

enum status figure_make(const struct figure *figure, double width, const char *from, const char *to,
			struct why *why)
{
	char source[FOLDER_PATH_MAX];
	enum status status = folder_make_in(to, why);

	status = status ? status : script_write(figure, width, to, why);
	for (int i = 0; !status && figure->tables[i]; i++) {
		path_make(source, "%s/%s.tsv", from, figure->tables[i]);
		status = table_copy(source, figure->tables[i], to, why);
	}
	return status ? status : formats_draw(figure, to, why);
}

enum status figure_single(const char *path, const struct figure **figure, struct why *why)
{
	struct lines lines;
	*figure = NULL;
	enum status status = lines_open(&lines, path, why);
	if (status)
		return errno == ENOENT || errno == ENOTDIR || errno == EISDIR ? STATUS_OK : status;
	bool names;
	do
		names = lines_next(&lines, &status, why);
	while (names && *lines.text == '#');
	for (const struct figure *f = figures; names && f->name; f++)
		if (f->names && strncmp(lines.text, f->names, strlen(f->names)) == 0)
			*figure = f;
	lines_close(&lines);
	return status;
}

/* The number of columns in the header LINE. */
static size_t columns_count(const char *line)
{
	size_t count = 1;
	for (; *line; line++)
		count += *line == '\t';
	return count;
}

/*
 * Refuses a TABLE with a header only, and invalid rows: gnuplot would report the copy and its
 * script instead of TABLE.
 */
enum status figure_single_copy(const struct figure *figure, const char *table, FILE *out,
			       struct why *why)
{
	struct lines lines;
	size_t columns = 0, rows = 0;
	enum status status = lines_open(&lines, table, why);
	if (status)
		return status;
	while (!status && lines_next(&lines, &status, why) && lines.ended) {
		const bool note = *lines.text == '#';
		if (note && columns > 0)
			continue;
		status = line_plain(table, lines.number, lines.text, why);
		if (status)
			break;
		fprintf(out, "%s\n", lines.text);
		if (!note && columns == 0) {
			columns = columns_count(lines.text);
		} else if (!note) {
			status = tsv_row_check(table, lines.number, lines.text, columns, why);
			rows++;
		}
	}
	if (lines.torn)
		torn_warn(table, 0);
	lines_close(&lines);
	if (!status && !rows)
		status = why_set(why, STATUS_INPUT, "%s: has no rows: no %s has ended", table,
				 strcmp(figure->name, "training") == 0 ? "block of training games"
								       : "generation");
	return status;
}

enum status figure_single_leave(const struct figure *figure, const char *table, const char *to,
				struct why *why)
{
	char path[FOLDER_PATH_MAX];
	FILE *out;
	enum status status = folder_make_in(to, why);
	path_make(path, "%s/%s.tsv", to, figure->name);
	status = status ? status : part_create(path, &out, why);
	return status ? status
		      : part_finish(out, path, figure_single_copy(figure, table, out, why), why);
}

enum status figure_width_read(void *inches, const char *what, const char *text, struct why *why)
{
	static const struct {
		const char *name;
		double inches;
	} units[] = {{"", 1}, {"in", 1}, {"cm", 1 / 2.54}, {"mm", 1 / 25.4}, {"pt", 1 / 72.27}};
	double number;
	const char *end = real_scan(text, &number);
	for (size_t i = 0; end && i < sizeof units / sizeof *units; i++) {
		const double width = number * units[i].inches;
		if (strcmp(end, units[i].name) == 0 && width >= 2 && width <= 20) {
			*(double *)inches = width;
			return STATUS_OK;
		}
	}
	return why_set(why, STATUS_INPUT,
		       "%s: '%.40s' is not a width from 2 to 20 inches, such as 3.4, 86mm or 246pt",
		       what, text);
}

void figures_remove(const char *folder)
{
	static const char *const forms[] = {"svg", "pdf", "gp"};
	char path[FOLDER_PATH_MAX];
	for (const struct figure *f = figures; f->name; f++)
		for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
			unlink(path_make(path, "%s/%s.%s", folder, f->name, forms[i]));
}

/*
 * Whether TABLE has enough rows for FIGURE in a series, and a number other than 0 in the column
 * that FIGURE requires, if any.
 */
static bool figure_has_rows(const struct figure *figure, const struct tsv *table)
{
	const struct shown_table *shown = shown_table_find(figure->tables[0]);
	size_t column = 0, first = 0;
	bool number = !figure->column, points = false;
	if (figure->column && !tsv_find(table, figure->column, &column))
		return false;
	for (size_t row = 0; row < table->rows && !number; row++)
		number = fabs(tsv_number(table, row, column).value) > 0;
	for (size_t rows; first < table->rows && !points; first += rows) {
		rows = shown ? tsv_series_rows(table, shown, first) : table->rows;
		points = rows >= figure->points;
	}
	return number && points;
}

/* Sets *HAS to figure_has_rows() of the first table in the folder FROM; false if it is missing. */
static enum status figure_check(const struct figure *figure, const char *from, bool *has,
				struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct tsv table;
	*has = false;
	path_make(path, "%s/%s.tsv", from, figure->tables[0]);
	if (access(path, F_OK) != 0)
		return STATUS_OK;
	enum status status = tsv_read(&table, path, TABLE_BYTES_MAX, why);
	if (status)
		return status;
	*has = figure_has_rows(figure, &table);
	tsv_fini(&table);
	return STATUS_OK;
}

enum status figures_write(const char *from, double width, const char *to, struct why *why)
{
	bool has;
	enum status status = folder_make_in(to, why);

	if (!status)
		figures_remove(to);
	for (const struct figure *f = figures; !status && f->name; f++) {
		status = figure_check(f, from, &has, why);
		if (!status && has)
			status = figure_make(f, width, from, to, why);
	}
	return status;
}
