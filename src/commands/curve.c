/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The learning curve of nxn train; see curve.h.
 *
 * Means and squared deviations are kept by Welford's recurrence (Technometrics 4, 1962), which,
 * unlike sums of squares, loses no digits over millions of games. Check value: scores 2, 4, 9 have
 * mean 5 and squares 26.
 *
 * Opening and tidying copy the lines to be kept to a new file, which then takes the name: whatever
 * is killed in between, the old file or the new one is there, and both do.
 */
#include "src/commands/curve.h"

#include "analysis/stats/stats.h"
#include "analysis/tables/table.h"
#include "base/append.h"
#include "base/file.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Blocks. */

static void mean_add(struct tally_mean *mean, double x)
{
	double off = x - mean->mean;
	mean->n++;
	mean->mean += off / (double)mean->n;
	mean->squares += off * (x - mean->mean);
}

void tally_add(struct tally *tally, const struct outcome *outcome)
{
	tally->moves += outcome->moves;
	if (outcome->partial) {
		tally->partial++;
		return;
	}
	tally->games++;
	mean_add(&tally->score, (double)outcome->score);
	mean_add(&tally->sum, (double)board_sum(&outcome->last));
	if (!isnan(outcome->uncertainty))
		mean_add(&tally->uncertainty, outcome->uncertainty);
	if (outcome->score > tally->max)
		tally->max = outcome->score;
	tally->ended[outcome->max_exponent]++;
}

static uint64_t reached(const struct tally *tally, int exponent)
{
	uint64_t games = 0;
	for (int k = exponent; k < TALLY_EXPONENTS; k++)
		games += tally->ended[k];
	return games;
}

/* The mean of a block of so many GAMES, with Student's t; NANs unless every game told it. */
static struct interval tally_mean(const struct tally_mean *mean, uint64_t games)
{
	if (mean->n < games)
		return (struct interval){NAN, NAN, NAN};
	return stats_mean_of(mean->mean, mean->squares, mean->n);
}

/* The share of games with a tile of EXPONENT or more, Wilson. */
static struct interval tally_reach(const struct tally *tally, int exponent)
{
	return stats_rate(reached(tally, exponent), tally->games);
}

/* The share of games whose largest tile is that of EXPONENT; NAN without games. */
static double tally_ended(const struct tally *tally, int exponent)
{
	return tally->games ? (double)tally->ended[exponent] / (double)tally->games : NAN;
}

void tally_brief(const struct tally *tally, char brief[TALLY_BRIEF_MAX])
{
	char text[GRID_TEXT_MAX];
	interval_text(tally_mean(&tally->score, tally->games), 0, text);
	int top = TALLY_EXPONENTS - 1, length = snprintf(brief, TALLY_BRIEF_MAX, "mean %s", text);
	while (top > 0 && 2 * reached(tally, top) < tally->games)
		top--;
	/* From the tile that half of the games reach; what lies below says little. */
	for (int k = top; k < top + 3 && k < TALLY_EXPONENTS && reached(tally, k) > 0; k++) {
		percent_text(tally_reach(tally, k), text);
		length += snprintf(brief + length, (size_t)(TALLY_BRIEF_MAX - length),
				   ", %" PRIu64 " %s%%", UINT64_C(1) << k, text);
	}
}

void tally_report(const struct tally *tally, FILE *out)
{
	char reach[GRID_TEXT_MAX], mean[GRID_TEXT_MAX];
	interval_text(tally_mean(&tally->score, tally->games), 0, mean);
	fprintf(out, "mean score %s, largest %" PRIu64 "\n", mean, tally->max);
	fprintf(out, "%10s  %20s  %8s\n", "tile", "% reach [95%]", "% ended");
	for (int k = 0; k < TALLY_EXPONENTS - 1; k++) {
		/* Rows that say nothing: tiles that all games pass, and that none reaches. */
		if (reached(tally, k) == 0 || reached(tally, k + 1) == tally->games)
			continue;
		percent_text(tally_reach(tally, k), reach);
		fprintf(out, "%10" PRIu64 "  %20s  %8.1f\n", UINT64_C(1) << k, reach,
			100 * tally_ended(tally, k));
	}
	if (tally->partial)
		fprintf(out, "(and %" PRIu64 " games that did not start where games start)\n",
			tally->partial);
}

/* Writes all of it as text without a newline, from which tally_scan() makes the same bits. */
static void tally_print(const struct tally *tally, FILE *out)
{
	int top = TALLY_EXPONENTS - 1;
	while (top > 0 && !tally->ended[top])
		top--;
	fprintf(out,
		"games %" PRIu64 " partial %" PRIu64 " moves %" PRIu64 " mean %a squares %a "
		"max %" PRIu64 " sum %" PRIu64 " %a %a doubt %" PRIu64 " %a %a ended",
		tally->games, tally->partial, tally->moves, tally->score.mean, tally->score.squares,
		tally->max, tally->sum.n, tally->sum.mean, tally->sum.squares, tally->uncertainty.n,
		tally->uncertainty.mean, tally->uncertainty.squares);
	for (int k = 0; k <= top; k++)
		fprintf(out, " %" PRIu64, tally->ended[k]);
}

/* Reads all up to the games by their largest tile; the length of that, or 0. */
static int head_scan(struct tally *t, const char *text)
{
	int length = 0;
	sscanf(text,
	       "games %" SCNu64 " partial %" SCNu64 " moves %" SCNu64 " mean %la squares %la "
	       "max %" SCNu64 " sum %" SCNu64 " %la %la doubt %" SCNu64 " %la %la ended%n",
	       &t->games, &t->partial, &t->moves, &t->score.mean, &t->score.squares, &t->max,
	       &t->sum.n, &t->sum.mean, &t->sum.squares, &t->uncertainty.n, &t->uncertainty.mean,
	       &t->uncertainty.squares, &length);
	t->score.n = t->games;
	return length;
}

/* False, and TALLY untouched, if TEXT is not what tally_print() writes. */
static bool tally_scan(struct tally *tally, const char *text)
{
	struct tally t = {0};
	int at = head_scan(&t, text);
	uint64_t games = 0;
	if (at == 0 || t.sum.n > t.games || t.uncertainty.n > t.games)
		return false;
	bool number = true;
	text += at;
	for (int k = 0; k < TALLY_EXPONENTS && number; k++) {
		char *end;
		t.ended[k] = strtoull(text, &end, 10);
		games += t.ended[k];
		number = end != text;
		text = end;
	}
	if (text[strspn(text, "\n")] || games != t.games)
		return false;
	*tally = t;
	return true;
}

/* ---- The learning curve. */

static const char open_mark[] = "# open block: ";

enum { COLUMNS_MAX = 4096, FIRST_EXPONENT = 8, LAST_EXPONENT = 24, LEAST_TILES = 6 };

/* The line of column names. */
static void columns_format(const struct curve *curve, char columns[COLUMNS_MAX])
{
	int at = snprintf(columns, COLUMNS_MAX,
			  "\"trained\"\t\"games\"\t\"seconds\"\t\"moves\"\t\"mean\"\t"
			  "\"mean_low\"\t\"mean_high\"\t\"max\"");
	for (int k = curve->first; k <= curve->last; k++) {
		uint64_t tile = UINT64_C(1) << k;
		at += snprintf(columns + at, (size_t)(COLUMNS_MAX - at),
			       "\t\"reach_%" PRIu64 "\"\t\"reach_%" PRIu64
			       "_low\"\t\"reach_%" PRIu64 "_high\"\t\"end_%" PRIu64 "\"",
			       tile, tile, tile, tile);
	}
	snprintf(
	    columns + at, (size_t)(COLUMNS_MAX - at),
	    "\t\"sum\"\t\"sum_low\"\t\"sum_high\"\t\"doubt\"\t\"doubt_low\"\t\"doubt_high\"\n");
}

static void head_write(const struct curve *curve, const struct provenance *provenance)
{
	char columns[COLUMNS_MAX];
	for (const char *const *line = provenance_lines(provenance); *line; line++)
		fprintf(curve->file, "# %s\n", *line);
	fputs("# intervals: 95%; mean: Student's t; rates: Wilson\n", curve->file);
	columns_format(curve, columns);
	fputs(columns, curve->file);
}

/* Writes the column names if LINE is those of such a curve. */
static bool names_keep(struct curve *curve, const char *line)
{
	char columns[COLUMNS_MAX];
	columns_format(curve, columns);
	if (strcmp(line, columns) != 0)
		return false;
	fputs(columns, curve->file);
	return true;
}

/* Reads an open block of AT's games; false if LINE is none. */
static bool open_scan(const char *line, struct curve_point *at, struct tally *open)
{
	uint64_t trained;
	double seconds;
	int length = 0;
	if (strncmp(line, open_mark, strlen(open_mark)) != 0)
		return false;
	sscanf(line + strlen(open_mark), "trained %" SCNu64 " seconds %lf %n", &trained, &seconds,
	       &length);
	if (length == 0 || trained != at->trained ||
	    !tally_scan(open, line + strlen(open_mark) + length))
		return false;
	at->seconds = seconds;
	return true;
}

/* What a curve that is there says of its training, and the first of it that is not so now. */
struct heading {
	char command[512], was[64];
	const char *now; /* NULL while all agrees */
};

/* As much of FROM up to its newline as fits, for a message. */
static void line_show(const char *from, char *to, size_t size)
{
	snprintf(to, size, "%.*s", (int)strcspn(from, "\n"), from);
}

/* Whether the line FROM ends with its newline where TEXT ends, and is the same. */
static bool line_is(const char *from, const char *text)
{
	const size_t length = strlen(text);
	return strncmp(from, text, length) == 0 && from[length] == '\n';
}

/*
 * Notes whether LINE of a head, if it tells the agent, its game or its seed, is a line of
 * PROVENANCE.
 */
static void heading_see(struct heading *heading, const char *line,
			const struct provenance *provenance)
{
	static const char *const keys[] = {"# configuration: ", "# seed: "};
	static const char command[] = "# command: ";
	if (strncmp(line, command, strlen(command)) == 0)
		line_show(line + strlen(command), heading->command, sizeof heading->command);
	for (size_t k = 0; !heading->now && k < sizeof keys / sizeof *keys; k++) {
		const size_t length = strlen(keys[k]);
		if (strncmp(line, keys[k], length) != 0)
			continue;
		const char *const *now = provenance_lines(provenance);
		while (*now && strncmp(*now, keys[k] + 2, length - 2) != 0)
			now++;
		if (!*now || line_is(line + 2, *now))
			continue;
		heading->now = *now;
		line_show(line + 2, heading->was, sizeof heading->was);
	}
}

static enum status heading_refuse(const struct curve *curve, const struct heading *heading,
				  struct why *why)
{
	return why_set(why, STATUS_INPUT,
		       "%s: exists and is the curve of another agent, game or seed ('%.300s': %s, "
		       "not %s); expected that of this training, or another name",
		       curve->path, heading->command, heading->was, heading->now);
}

/*
 * Copies from FROM to the curve's file what belongs to AT; false if it is no curve. A row without
 * its newline is one that never was, but where reading failed (CUT_SHORT). Where the HEADING is
 * that of another training than PROVENANCE tells, unless that is NULL, it ends with the column
 * names.
 */
static bool lines_keep(struct curve *curve, FILE *from, const struct provenance *provenance,
		       struct heading *heading, struct curve_point *at, struct tally *open,
		       bool *cut_short)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	bool names = false, sound = true, beyond = false;
	while (sound && (length = getline(&line, &size, from)) > 0 && line[length - 1] == '\n') {
		if (*line != '#' && !names) {
			sound = names = names_keep(curve, line);
			if (heading->now)
				break;
			continue;
		} else if (*line != '#') {
			struct curve_point row;
			sound =
			    isdigit((unsigned char)*line) &&
			    sscanf(line, "%" SCNu64 "\t%*u\t%lf", &row.trained, &row.seconds) == 2;
			beyond = sound && row.trained > at->trained;
			if (!sound || beyond)
				break;
			at->seconds = row.seconds;
		} else if (strncmp(line, open_mark, strlen(open_mark)) == 0 &&
			   !open_scan(line, at, open)) {
			continue;
		} else if (!names && provenance) {
			heading_see(heading, line, provenance);
		}
		fputs(line, curve->file);
	}
	free(line);
	*cut_short = sound && !beyond && !(names && heading->now) && lines_cut_short(from);
	return sound && names;
}

/* Opens what is at PATH for reading; NULL and STATUS_OK if there is nothing. */
static enum status old_open(const char *path, FILE **old, struct why *why)
{
	struct stat st;
	*old = NULL;
	if (stat(path, &st))
		return errno == ENOENT ? STATUS_OK : why_errno(why, "%s: cannot be read", path);
	if (!S_ISREG(st.st_mode))
		return why_set(why, STATUS_INPUT, "%s: exists and is not a regular file", path);
	if (st.st_size == 0)
		return STATUS_OK;
	*old = fopen(path, "re");
	return *old ? STATUS_OK : why_errno(why, "%s: cannot be read", path);
}

/*
 * Makes the new file with what is kept of OLD, which has to be of the training that PROVENANCE
 * tells unless that is NULL, or else the head, and gives it its name.
 */
static enum status renew(struct curve *curve, FILE *old, const struct provenance *provenance,
			 struct curve_point *at, struct tally *open, struct why *why)
{
	char temporary[FOLDER_PATH_MAX];
	enum status status = path_format(temporary, why, "%s.tmp", curve->path);
	if (status)
		return status;
	curve->file = fopen(temporary, "we");
	if (!curve->file)
		return why_errno(why, "%s: cannot be written", curve->path);
	struct heading heading = {.now = NULL};
	bool cut_short = false, sound = true;
	if (!old)
		head_write(curve, provenance);
	else
		sound = lines_keep(curve, old, provenance, &heading, at, open, &cut_short);
	if (cut_short)
		status = why_errno(why, "%s: cannot be read", curve->path);
	else if (!sound)
		status = why_set(why, STATUS_INPUT,
				 "%s: exists and is not a learning curve of this board and version",
				 curve->path);
	else if (heading.now)
		status = heading_refuse(curve, &heading, why);
	if (!status && (fflush(curve->file) || ferror(curve->file) || fsync(fileno(curve->file)) ||
			rename(temporary, curve->path)))
		status = why_errno(why, "%s: cannot be written", curve->path);
	if (status) {
		fclose(curve->file);
		unlink(temporary);
	}
	return status;
}

enum status curve_open(struct curve *curve, const char *path, const struct game *game,
		       const struct provenance *provenance, struct curve_point *at,
		       struct tally *open, struct why *why)
{
	FILE *old;
	struct curve c = {.path = path, .first = FIRST_EXPONENT, .last = game->max_exponent};
	if (c.last > LAST_EXPONENT)
		c.last = LAST_EXPONENT;
	if (c.first > c.last - LEAST_TILES + 1)
		c.first = c.last < LEAST_TILES ? 1 : c.last - LEAST_TILES + 1;
	enum status status = old_open(path, &old, why);
	if (status)
		return status;
	status = renew(&c, old, provenance, at, open, why);
	if (old)
		fclose(old);
	if (!status)
		*curve = c;
	return status;
}

enum status curve_row(struct curve *curve, const struct curve_point *at, const struct tally *block,
		      struct why *why)
{
	fprintf(curve->file, "%" PRIu64 "\t%" PRIu64 "\t%.3f\t%" PRIu64, at->trained, block->games,
		at->seconds, block->moves);
	interval_write(curve->file, tally_mean(&block->score, block->games));
	number_write(curve->file, (double)block->max);
	for (int k = curve->first; k <= curve->last; k++) {
		interval_write(curve->file, tally_reach(block, k));
		number_write(curve->file, tally_ended(block, k));
	}
	interval_write(curve->file, tally_mean(&block->sum, block->games));
	interval_write(curve->file, tally_mean(&block->uncertainty, block->games));
	fputc('\n', curve->file);
	if (fflush(curve->file) || ferror(curve->file))
		return why_errno(why, "%s: cannot be written", curve->path);
	return STATUS_OK;
}

enum status curve_checkpoint(struct curve *curve, const struct curve_point *at,
			     const struct tally *block, struct why *why)
{
	if (block->games + block->partial > 0) {
		fprintf(curve->file, "%strained %" PRIu64 " seconds %.3f ", open_mark, at->trained,
			at->seconds);
		tally_print(block, curve->file);
		fputc('\n', curve->file);
	}
	if (fflush(curve->file) || ferror(curve->file) || fsync(fileno(curve->file)))
		return why_errno(why, "%s: cannot be written", curve->path);
	return STATUS_OK;
}

enum status curve_close(struct curve *curve, const struct curve_point *at, bool tidy,
			struct why *why)
{
	FILE *old;
	struct tally open;
	struct curve_point point = *at;
	if (fclose(curve->file))
		return why_errno(why, "%s: cannot be written", curve->path);
	if (!tidy)
		return STATUS_OK;
	enum status status = old_open(curve->path, &old, why);
	if (status || !old)
		return status;
	status = renew(curve, old, NULL, &point, &open, why);
	fclose(old);
	if (!status && fclose(curve->file))
		status = why_errno(why, "%s: cannot be written", curve->path);
	return status;
}
