/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures: which there are, the files that they consist of, and gnuplot, which draws them.
 *
 * The script left beside a figure is the installed one with the style that it loads in its place,
 * so that an author can take three files away and restyle them. It is also the one that draws the
 * figure: what is left behind is what was drawn.
 *
 * gnuplot is started without a shell and with nothing on its standard input, and it has succeeded
 * only if it said nothing. It does not check its reads: where a disk fails in the middle of a
 * table, it draws the first half. Nor does it check its writes: on a full disk it leaves figures
 * with holes, without a word. So all that it reads, draws and says is in files in memory
 * (memfd_create(2)), which it inherits and opens as /dev/fd/N; the files on the disk are ours to
 * read and write.
 *
 * gnuplot takes a data file called "<command" or an output called "|command" for a command to run,
 * and expands "~". Of our files it knows only that one name, a path that begins with "/" or "./",
 * which is nothing but a path.
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
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

const struct figure figures[] = {
    {.name = "means",
     .tables = {"means", "ratios"},
     .caption = "Mean score of each player on each board.",
     .intervals = MEANS},
    {.name = "scores",
     .tables = {"scores", "means"},
     .caption = "Cumulative distribution of the scores: the share of games with at most that "
		"score."},
    {.name = "tiles",
     .tables = {"tiles"},
     .caption = "Share of the games by their largest tile, one panel per board.",
     .intervals = RATES},
    {.name = "curve",
     .tables = {"curve", "means"},
     .points = 2,
     .caption = "Mean score of learners over their training.",
     .intervals = MEANS},
    {.name = "learning",
     .tables = {"curve", "means"},
     .points = 2,
     .caption = "Learners over their training: mean score, best score, and the share of games "
		"that reached a tile.",
     .intervals = MEANS | RATES},
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
     .column = "exponent",
     .caption = "Mean score against the number of cells, with the law fitted to each player: "
		"log2 of the score is a power of the number of cells; the key has the exponent. "
		"Below: mean scores divided by the law.",
     .intervals = MEANS},
    {.name = "sweep",
     .tables = {"sweep"},
     .caption = "Time per move of the search against its depth: one curve per cutoff, one panel "
		"per board.",
     .intervals = MEANS},
    {.name = "boards",
     .script = "sweep",
     .tables = {"boards"},
     .caption = "Time per move of the search against its depth: one curve per board, one panel "
		"per cutoff.",
     .intervals = MEANS},
    {.name = "pareto",
     .tables = {"pareto"},
     .caption = "Mean score against time per move, with the Pareto front: the settings that no "
		"other beats in both. The number at a point is its depth.",
     .intervals = MEANS},
    {.name = "gap",
     .tables = {"gap"},
     .caption = "Expected score of each player as a share of the exact optimum.",
     .intervals = MEANS},
    {.name = "gap-phase",
     .tables = {"gap-phase"},
     .caption = "Points that moves lose against the exact optimum, and share of optimal moves, "
		"by the largest tile before the move.",
     .intervals = MEANS},
    {.name = "gap-learning",
     .tables = {"gap-learning", "gap-phase"},
     .points = 2,
     .caption = "Distance of learners to the exact optimum over their training.",
     .intervals = MEANS},
    {.name = "duel",
     .tables = {"duel"},
     .column = "ratio_low",
     .caption = "A duel: ratio of mean scores, A to B, at each look. Band: intervals that hold at "
		"all looks together."},
    {.name = NULL},
};

/*
 * Figures of a table that a command writes where it is told to:
 *
 * training  the learning curve of `nxn train` (src/commands/cmd_train.c): mean and best score and
 *           the share of games that reached tiles, over training games
 * tuning    the table of `nxn tune` (src/measure/tune.c): scores of candidates over the
 *           generations, and what the parameters are drawn from
 */
static const struct figure figures_single[] = {
    {.name = "training",
     .tables = {"training"},
     .caption = "One learner over its training games: mean and best score of each block, and the "
		"share of its games that reached a tile. Bands: 95% intervals."},
    {.name = "tuning",
     .tables = {"tuning"},
     .caption = "Tuning by the cross-entropy method. Scores: of the best candidate, of the elite "
		"(the candidates that the next generation is fitted to), of all candidates, and of "
		"held-out games with 95% intervals. Parameters: the mean of each, with a band of "
		"one standard deviation."},
    {.name = NULL},
};

enum status figures_folder(char path[FOLDER_PATH_MAX], struct why *why)
{
	const char *folder = getenv("NXN_PLOTS");
	if (folder && *folder)
		return path_format(path, why, "%s", folder);
	return data_dir_find(DATA_DIR_PLOTS, path, why);
}

/* ---- gnuplot. */

enum {
	MESSAGES_MAX = 1 << 20,
	PICTURE_MAX = 1 << 30,
	TABLE_BYTES_MAX = 1 << 30,
	ARGUMENTS_MAX = 6 + FIGURE_TABLES_MAX
};

/*
 * Appends the text file PATH to OUT; a line that begins with "load " is replaced by the file
 * LOADED, if not NULL.
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

/* The file FROM into the file TO. */
static enum status text_copy(const char *from, const char *to, struct why *why)
{
	FILE *out;
	enum status status = part_create(to, &out, why);
	if (status)
		return status;
	return part_finish(out, to, text_append(out, from, NULL, why), why);
}

/*
 * A file in memory that a child process can open by NAME, from its beginning and as often as it
 * likes.
 */
struct memory_file {
	const char *path; /* of the file that it is a copy of, or what it is for */
	char name[24];
	FILE *file;
};

static void memory_close(struct memory_file *memory)
{
	if (memory->file)
		fclose(memory->file);
	memory->file = NULL;
}

static enum status memory_open(struct memory_file *memory, const char *path, struct why *why)
{
	*memory = (struct memory_file){.path = path};
	const int descriptor = memfd_create("nxn", 0);
	if (descriptor < 0 || !(memory->file = fdopen(descriptor, "w"))) {
		const enum status status = why_errno(why, "%s: cannot be held in memory", path);
		if (descriptor >= 0)
			close(descriptor);
		return status;
	}
	snprintf(memory->name, sizeof memory->name, "/dev/fd/%d", descriptor);
	return STATUS_OK;
}

/* Opens a copy of the file PATH, as text_append() makes it. */
static enum status memory_copy(struct memory_file *memory, const char *path, const char *loaded,
			       struct why *why)
{
	enum status status = memory_open(memory, path, why);
	status = status ? status : text_append(memory->file, path, loaded, why);
	if (!status && !stream_flush(memory->file))
		status = why_errno(why, "%s: cannot be held in memory", path);
	if (status)
		memory_close(memory);
	return status;
}

/* The files of one run of gnuplot. */
struct gnuplot {
	struct memory_file inputs[1 + FIGURE_TABLES_MAX]; /* the script, then the tables */
	int input_count;
	struct memory_file picture, messages;
};

static void gnuplot_close(struct gnuplot *g)
{
	while (g->input_count > 0)
		memory_close(&g->inputs[--g->input_count]);
	memory_close(&g->picture);
	memory_close(&g->messages);
}

static enum status input_add(struct gnuplot *g, const char *path, const char *loaded,
			     struct why *why)
{
	const enum status status = memory_copy(&g->inputs[g->input_count], path, loaded, why);
	g->input_count += !status;
	return status;
}

/* To be closed, also after a failure. A script loads nothing but the style beside it. */
static enum status gnuplot_open(struct gnuplot *g, const char *script, const char *const *tables,
				struct why *why)
{
	char style[FOLDER_PATH_MAX];
	const char *end = strrchr(script, '/');
	enum status status =
	    path_format(style, why, "%.*sstyle.gp", end ? (int)(end + 1 - script) : 0, script);
	if (!status && access(script, R_OK) != 0)
		status = why_errno(why, "%s: cannot read the plot script", script);
	status = status ? status : input_add(g, script, style, why);
	for (int i = 0; !status && tables[i]; i++) {
		if (access(tables[i], R_OK) != 0)
			status = why_set(why, STATUS_INPUT, "%s: cannot read the table: %s",
					 tables[i], strerror(errno));
		status = status ? status : input_add(g, tables[i], NULL, why);
	}
	status = status ? status : memory_open(&g->picture, "gnuplot's picture", why);
	return status ? status : memory_open(&g->messages, "gnuplot's messages", why);
}

/* Seconds that gnuplot has for a drawing. */
static double gnuplot_seconds(void)
{
	const char *text = getenv("NXN_PLOT_SECONDS");
	double seconds;
	return text && real_parse(text, &seconds) && seconds > 0 ? seconds : 120;
}

/*
 * Starts gnuplot and waits for its end: its wait status in *RESULT. Returns errno or 0; ETIMEDOUT
 * if it had to be ended.
 */
static int gnuplot_run(const struct gnuplot *g, char *const *arguments, int *result)
{
	const int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
	const int fd[] = {nothing, fileno(g->picture.file), fileno(g->messages.file)};
	pid_t pid;
	const int error = nothing >= 0 ? program_spawn(arguments, fd, false, &pid) : errno;
	if (nothing >= 0)
		close(nothing);
	if (error)
		return error;
	return program_finish(pid, false, gnuplot_seconds(), result) ? 0 : ETIMEDOUT;
}

/*
 * What is no fault of a figure: the font library's cache that it cannot write, and a degree sign,
 * which no figure uses, that the locale "C" cannot write.
 */
static bool is_harmless(const char *line)
{
	return strncmp(line, "Fontconfig ", 11) == 0 || strstr(line, " warning: iconv") ||
	       strspn(line, " \t^") == strlen(line);
}

/*
 * The line of MESSAGES that says what is wrong, or NULL if nothing is. gnuplot quotes the command
 * before it says "FILE" line N: what.
 */
static const char *complaint_find(char *messages)
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

/* Whether gnuplot was refused a file, all of which were there when it was started, or memory. */
static bool is_refusal(const char *line)
{
	static const char *const words[] = {"cannot open",     "or open file",
					    ": open of ",      "out of memory",
					    "cannot allocate", "error while loading"};
	bool is = false;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		is = is || strstr(line, words[i]);
	return is;
}

/* The input whose name LINE begins with, or NULL. */
static const struct memory_file *input_at(const struct gnuplot *g, const char *line)
{
	for (int i = 0; i < g->input_count; i++) {
		const size_t length = strlen(g->inputs[i].name);
		const char next =
		    strncmp(line, g->inputs[i].name, length) == 0 ? line[length] : '0';
		if (next < '0' || next > '9')
			return &g->inputs[i];
	}
	return NULL;
}

/*
 * Writes LINE to TEXT, of SIZE bytes, as far as it fits, with the paths in place of names of
 * inputs.
 */
static void inputs_name(const struct gnuplot *g, const char *line, char *text, size_t size)
{
	size_t used = 0;
	while (*line && used + 1 < size) {
		const struct memory_file *here = input_at(g, line);
		const int n = here ? snprintf(text + used, size - used, "%s", here->path)
				   : snprintf(text + used, size - used, "%c", *line);
		used += (size_t)n < size - used ? (size_t)n : size - used - 1;
		line += here ? strlen(here->name) : 1;
	}
	text[used] = '\0';
}

/* Whether gnuplot, which ended with the wait status RESULT, has failed. */
static enum status gnuplot_judge(const struct gnuplot *g, int result, struct why *why)
{
	char *messages, named[sizeof why->text];
	size_t size;
	enum status status = file_read(g->messages.name, MESSAGES_MAX, &messages, &size, why);
	if (status)
		return STATUS_SYSTEM;
	const char *line = complaint_find(messages);
	if (line) {
		inputs_name(g, line, named, sizeof named);
		status = why_set(
		    why, is_refusal(line) || WIFSIGNALED(result) ? STATUS_SYSTEM : STATUS_INPUT,
		    "gnuplot: %s", named);
	} else if (WIFSIGNALED(result)) {
		status =
		    why_set(why, STATUS_SYSTEM, "gnuplot: ended by signal %d", WTERMSIG(result));
	} else if (result != 0) {
		status = why_set(why, STATUS_SYSTEM, "gnuplot: ended with status %d and no word",
				 WEXITSTATUS(result));
	}
	free(messages);
	return status;
}

/* What gnuplot is to draw. */
struct drawing {
	const char *script, *format;
	const char *const *tables;
	const char *out; /* the file that it is for, in messages */
};

/* Refuses SIZE bytes that do not begin and end as a picture in the format of D does. */
static enum status picture_check(const struct drawing *d, const char *picture, size_t size,
				 struct why *why)
{
	static const struct {
		const char *format, *begin, *end;
	} formats[] = {
	    {"svg", "<?xml", "</svg>"},
	    {"pdf", "%PDF-", "%%EOF"},
	};
	while (size > 0 && strchr(" \n", picture[size - 1]))
		size--;
	if (size == 0)
		return why_set(why, STATUS_SYSTEM, "%s: gnuplot has drawn nothing", d->out);
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		const char *begin = formats[i].begin, *end = formats[i].end;
		if (strcmp(d->format, formats[i].format) == 0 &&
		    (size < strlen(begin) + strlen(end) ||
		     memcmp(picture, begin, strlen(begin)) != 0 ||
		     memcmp(picture + size - strlen(end), end, strlen(end)) != 0))
			return why_set(why, STATUS_SYSTEM,
				       "%s: what gnuplot has drawn is no whole %s picture", d->out,
				       d->format);
	}
	return STATUS_OK;
}

/* Sets *PICTURE, for free(), to the *SIZE bytes that gnuplot writes to its output. */
static enum status picture_draw(const struct drawing *d, char **picture, size_t *size,
				struct why *why)
{
	struct gnuplot g = {.input_count = 0};
	int result = 0;
	enum status status = gnuplot_open(&g, d->script, d->tables, why);
	const char *arguments[ARGUMENTS_MAX + 1] = {"gnuplot",	      "-d",	 "-c",
						    g.inputs[0].name, d->format, "/dev/stdout"};
	for (int i = 1; i < g.input_count; i++)
		arguments[5 + i] = g.inputs[i].name;
	if (!status && (errno = gnuplot_run(&g, (char *const *)arguments, &result)) != 0)
		status =
		    errno == ETIMEDOUT
			? why_set(why, STATUS_SYSTEM,
				  "%s: gnuplot has not drawn it within %g s (NXN_PLOT_SECONDS)",
				  d->out, gnuplot_seconds())
			: why_errno(
			      why, "gnuplot: cannot run it; install gnuplot (Debian: gnuplot-nox)");
	status = status ? status : gnuplot_judge(&g, result, why);
	if (!status && file_read(g.picture.name, PICTURE_MAX, picture, size, why))
		status = STATUS_SYSTEM;
	gnuplot_close(&g);
	if (status)
		return status;
	status = picture_check(d, *picture, *size, why);
	if (status)
		free(*picture);
	return status;
}

/* The file PATH becomes SIZE bytes. */
static enum status bytes_write(const char *path, const char *bytes, size_t size, struct why *why)
{
	FILE *file;
	enum status status = part_create(path, &file, why);
	if (status)
		return status;
	fwrite(bytes, 1, size, file);
	return part_finish(file, path, STATUS_OK, why);
}

/*
 * Draws the files TABLES (at most FIGURE_TABLES_MAX, then NULL) with SCRIPT into OUT. FORMAT is
 * "svg", "pdf" or "png". All are file names and nothing else, whatever characters are in them. OUT appears complete or not at all. SVG and PNG depend on
 * script and tables alone.
 *
 * STATUS_INPUT if a table cannot be read or gnuplot complains, with its first complaint;
 * STATUS_SYSTEM if the script is missing, OUT cannot be written, gnuplot cannot open a file or
 * there is no gnuplot.
 */
static enum status figure_draw(const char *script, const char *format, const char *out,
			       const char *const *tables, struct why *why)
{
	const struct drawing drawing = {script, format, tables, out};
	char *picture;
	size_t size;
	enum status status = picture_draw(&drawing, &picture, &size, why);
	if (status)
		return status;
	status = bytes_write(out, picture, size, why);
	free(picture);
	return status;
}

/* The script and the tables of a figure in a folder. */
struct figure_sources {
	char script[FOLDER_PATH_MAX], paths[FIGURE_TABLES_MAX][FOLDER_PATH_MAX];
	const char *tables[FIGURE_TABLES_MAX + 1];
};

static enum status sources_find(struct figure_sources *sources, const struct figure *figure,
				const char *folder, struct why *why)
{
	enum status status = path_format(sources->script, why, "%s/%s.gp", folder, figure->name);
	memset(sources->tables, 0, sizeof sources->tables);
	for (int i = 0; !status && figure->tables[i]; i++) {
		status =
		    path_format(sources->paths[i], why, "%s/%s.tsv", folder, figure->tables[i]);
		sources->tables[i] = sources->paths[i];
	}
	return status;
}

/* ---- Files of figures. */

/* Makes the folder PATH, which is not to be a link out of the folder of results. */
static enum status folder_own(const char *path, struct why *why)
{
	enum status status = link_refuse(path, "a folder", why);
	return status ? status : folder_make(path, why);
}

/* Leaves the script of FIGURE, for a WIDTH, in the folder TO, as NAME.gp. */
static enum status script_leave(const struct figure *figure, double width, const char *to,
				struct why *why)
{
	char folder[FOLDER_PATH_MAX], script[FOLDER_PATH_MAX], style[FOLDER_PATH_MAX],
	    path[FOLDER_PATH_MAX];
	FILE *out;
	enum status status = figures_folder(folder, why);
	if (!status)
		status = path_format(script, why, "%s/%s.gp", folder,
				     figure->script ? figure->script : figure->name);

	status = status ? status : path_format(style, why, "%s/style.gp", folder);
	status = status ? status : path_format(path, why, "%s/%s.gp", to, figure->name);
	if (status)
		return status;
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

/* Leaves the table NAME, which is in the file SOURCE, in the folder TO, in blocks for gnuplot. */
static enum status table_leave(const char *source, const char *name, const char *to,
			       struct why *why)
{
	const struct shown_table *shown = shown_table_find(name);
	char path[FOLDER_PATH_MAX];
	struct tsv tsv;
	FILE *out;
	enum status status = path_format(path, why, "%s/%s.tsv", to, name);
	if (!status && access(source, R_OK) != 0)
		return why_set(why, STATUS_SYSTEM,
			       "%s: cannot read: %s; the command of the run makes its tables again",
			       source, strerror(errno));
	if (status || !shown || !shown->series)
		return status ? status : text_copy(source, path, why);
	status = tsv_read(&tsv, source, TABLE_BYTES_MAX, why);
	if (status)
		return status;
	status = part_create(path, &out, why);
	if (!status) {
		tsv_blocks_write(out, &tsv, shown);
		status = part_finish(out, path, STATUS_OK, why);
	}
	tsv_fini(&tsv);
	return status;
}

/* Draws FIGURE in the folder TO, where its script and tables are. */
static enum status formats_draw(const struct figure *figure, const char *to, struct why *why)
{
	static const char *const formats[] = {"svg", "pdf"};
	struct figure_sources sources;
	char out[FOLDER_PATH_MAX];
	enum status status = sources_find(&sources, figure, to, why);
	for (size_t i = 0; !status && i < sizeof formats / sizeof *formats; i++) {
		status = path_format(out, why, "%s/%s.%s", to, figure->name, formats[i]);
		status = status ? status
				: figure_draw(sources.script, formats[i], out, sources.tables, why);
	}
	return status;
}

static enum status figure_write(const struct figure *figure, double width, const char *from,
				const char *to, struct why *why)
{
	char source[FOLDER_PATH_MAX];
	enum status status = script_leave(figure, width, to, why);

	for (int i = 0; !status && figure->tables[i]; i++) {
		status = path_format(source, why, "%s/%s.tsv", from, figure->tables[i]);
		if (!status)
			status = table_leave(source, figure->tables[i], to, why);
	}
	return status ? status : formats_draw(figure, to, why);
}

enum status figure_single(const char *path, const struct figure **figure, struct why *why)
{
	/* What the row of names begins with, in the order of figures_single. */
	static const char *const first[] = {
	    "\"trained\"\t\"games\"\t\"seconds\"\t",
	    "\"generation\"\t\"best\"\t\"elite\"\t",
	};
	struct lines lines;
	*figure = NULL;
	enum status status = lines_open(&lines, path, why);
	if (status)
		return errno == ENOENT || errno == ENOTDIR || errno == EISDIR ? STATUS_OK : status;
	bool names;
	do
		names = lines_next(&lines, &status, why);
	while (names && *lines.text == '#');
	for (size_t i = 0; names && i < sizeof first / sizeof *first; i++)
		if (strncmp(lines.text, first[i], strlen(first[i])) == 0)
			*figure = &figures_single[i];
	lines_close(&lines);
	return status;
}

/* The columns of a row of names. */
static size_t names_count(const char *line)
{
	size_t count = 1;
	for (; *line; line++)
		count += *line == '\t';
	return count;
}

/*
 * A TABLE that has only its names yet is refused, and a row that is none: gnuplot would name the copy
 * of it, and its script.
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
		fprintf(out, "%s\n", lines.text);
		if (!note && columns == 0) {
			columns = names_count(lines.text);
		} else if (!note) {
			status = tsv_row_check(table, lines.number, lines.text, columns, why);
			rows++;
		}
	}
	if (lines.torn)
		torn_warn(table, 0);
	lines_close(&lines);
	if (!status && !rows)
		status =
		    why_set(why, STATUS_INPUT, "%s: has no rows: no %s has ended", table,
			    figure == figures_single ? "block of training games" : "generation");
	return status;
}

enum status figure_single_leave(const struct figure *figure, const char *table, const char *to,
				struct why *why)
{
	char path[FOLDER_PATH_MAX];
	FILE *out;
	enum status status = folder_own(to, why);
	status = status ? status : path_format(path, why, "%s/%s.tsv", to, figure->name);
	status = status ? status : part_create(path, &out, why);
	return status ? status
		      : part_finish(out, path, figure_single_copy(figure, table, out, why), why);
}

enum status figure_single_write(const struct figure *figure, double width, const char *table,
				const char *to, struct why *why)
{
	enum status status = figure_single_leave(figure, table, to, why);
	status = status ? status : script_leave(figure, width, to, why);
	return status ? status : formats_draw(figure, to, why);
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
			if (path_format(path, NULL, "%s/%s.%s", folder, f->name, forms[i]) ==
			    STATUS_OK)
				unlink(path);
}

/*
 * Whether TABLE has what FIGURE needs: so many rows of a series, and in its column, if it has one, a
 * number that is not 0.
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

/* The same of its first table in the folder FROM; one that is not there has no rows. */
static enum status figure_check(const struct figure *figure, const char *from, bool *has,
				struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct tsv table;
	*has = false;
	enum status status = path_format(path, why, "%s/%s.tsv", from, figure->tables[0]);
	if (status || access(path, F_OK) != 0)
		return status;
	status = tsv_read(&table, path, TABLE_BYTES_MAX, why);
	if (status)
		return status;
	*has = figure_has_rows(figure, &table);
	tsv_fini(&table);
	return STATUS_OK;
}

enum status figures_write(const char *from, double width, const char *to, struct why *why)
{
	bool has;
	enum status status = folder_own(to, why);

	if (!status)
		figures_remove(to);
	for (const struct figure *f = figures; !status && f->name; f++) {
		status = figure_check(f, from, &has, why);
		if (!status && has)
			status = figure_write(f, width, from, to, why);
	}
	return status;
}
