/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Learning curves: tables with a row per block of training games. Columns: trained (games after
 * the block); games (in the block, without partial ones); seconds (of training so far, including
 * earlier runs); moves (in the block, those of retries too); mean, mean_low, mean_high (of the
 * score); max; for each of several tiles T reach_T, reach_T_low, reach_T_high, end_T: the
 * proportions of games that reached T and that ended with T as their largest tile; tile_sum with
 * its bounds (the mean sum of tiles at the end); uncertainty with its bounds (the mean distance to
 * certainty, decision_uncertainty(); NaN for a learner without move probabilities). Intervals are
 * 95%. The tiles are 256 up to the largest that the shape can reach, at most 2^24; a shape that
 * cannot reach 8192 begins lower.
 *
 * During training rows are only appended, each before its model is saved. A model has a note with
 * the tally of its unfinished block. Opening keeps the rows up to the games of the model. So curve
 * and model agree even if the process was killed, and every row covers all games of its block. A
 * model is first saved before its first game, so rows without a model are those of another one.
 *
 * Means and squared deviations use Welford's recurrence (Technometrics 4, 1962), which, unlike sums
 * of squares, loses no digits over millions of games. Check value: scores 2, 4, 9 have mean 5 and
 * squares 26.
 *
 * Opening copies the rows to be kept to a new file and renames it: if the process is killed, either
 * the old or the new file exists, and both are valid.
 */
#include "src/learn/curve.h"

#include "analysis/tables/table.h"
#include "analysis/tables/tsv.h"
#include "base/file.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "src/games/experiment.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

uint64_t tally_reached(const struct tally *tally, int exponent)
{
	uint64_t games = 0;
	for (int k = exponent; k < TALLY_EXPONENTS; k++)
		games += tally->ended[k];
	return games;
}

struct interval tally_mean(const struct tally_mean *mean, uint64_t games)
{
	if (mean->n < games)
		return (struct interval){NAN, NAN, NAN};
	return stats_mean_of(mean->mean, mean->squares, mean->n);
}

struct interval tally_reach(const struct tally *tally, int exponent)
{
	return stats_rate(tally_reached(tally, exponent), tally->games);
}

double tally_ended(const struct tally *tally, int exponent)
{
	return tally->games ? (double)tally->ended[exponent] / (double)tally->games : NAN;
}

void tally_brief(const struct tally *tally, char brief[TALLY_BRIEF_MAX])
{
	char text[GRID_TEXT_MAX];
	interval_text(tally_mean(&tally->score, tally->games), 0, text);
	int top = TALLY_EXPONENTS - 1, length = snprintf(brief, TALLY_BRIEF_MAX, "mean %s", text);
	while (top > 0 && 2 * tally_reached(tally, top) < tally->games)
		top--;
	/* Starts with the tile that half of the games reach; smaller tiles are uninformative. */
	for (int k = top; k < top + 3 && k < TALLY_EXPONENTS && tally_reached(tally, k) > 0; k++) {
		share_text(tally_reach(tally, k).value, 0, text);
		length += snprintf(brief + length, (size_t)(TALLY_BRIEF_MAX - length),
				   ", %" PRIu64 " %s", UINT64_C(1) << k, text);
	}
}

void tally_report(const struct tally *tally, FILE *out)
{
	char reach[GRID_TEXT_MAX], end[GRID_TEXT_MAX], mean[GRID_TEXT_MAX];
	interval_text(tally_mean(&tally->score, tally->games), 0, mean);
	fprintf(out, "mean score %s, best %" PRIu64 "\n", mean, tally->max);
	fprintf(out, "%10s  %20s  %8s\n", "tile", "reached [95%]", "largest");
	for (int k = 0; k < TALLY_EXPONENTS - 1; k++) {
		/* Omits uninformative rows: tiles that all games pass, and that no game reaches. */
		if (tally_reached(tally, k) == 0 || tally_reached(tally, k + 1) == tally->games)
			continue;
		percent_text(tally_reach(tally, k), 1, reach);
		share_text(tally_ended(tally, k), 1, end);
		fprintf(out, "%10" PRIu64 "  %20s  %8s\n", UINT64_C(1) << k, reach, end);
	}
	if (tally->partial)
		fprintf(out, "(and %" PRIu64 " games on other boards or from other starts)\n",
			tally->partial);
}

void tally_print(const struct tally *tally, FILE *out)
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

/* Parses everything before the games by largest tile. Returns the length of that, or 0. */
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

bool tally_scan(struct tally *tally, const char *text)
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

void tally_columns(const struct tally *tally, int first, int last, struct record *record)
{
	char name[32];
	record_interval(record, "mean", tally_mean(&tally->score, tally->games));
	record_number(record, "max", tally->max);
	for (int k = first; k <= last; k++) {
		snprintf(name, sizeof name, "reach_%" PRIu64, UINT64_C(1) << k);
		record_interval(record, name, tally_reach(tally, k));
		snprintf(name, sizeof name, "end_%" PRIu64, UINT64_C(1) << k);
		record_real(record, name, tally_ended(tally, k));
	}
	record_interval(record, "tile_sum", tally_mean(&tally->sum, tally->games));
	record_interval(record, "uncertainty", tally_mean(&tally->uncertainty, tally->games));
}

/* ---- The file of the curve. */

enum { FIRST_EXPONENT = 8, LAST_EXPONENT = 24, LEAST_TILES = 6 };

/* Writes the line of column names. */
static void columns_write(const struct curve *curve, FILE *out)
{
	struct record record = {0};
	tally_columns(&(struct tally){0}, curve->first, curve->last, &record);
	fputs("\"trained\"\t\"games\"\t\"seconds\"\t\"moves\"\t", out);
	table_head(out, record.columns);
	record_fini(&record);
}

static void head_write(const struct curve *curve, const struct provenance *provenance)
{
	table_comments(curve->file, provenance_lines(provenance));
	fputs("# intervals: 95%; mean: Student's t; rates: Wilson\n", curve->file);
	columns_write(curve, curve->file);
}

/* Whether LINE has the column names of a curve of this board. */
static bool is_columns(const struct curve *curve, const char *line)
{
	char *columns;
	size_t size;
	FILE *out = xstream_open(&columns, &size);
	columns_write(curve, out);
	xstream_close(out);
	const bool same = strlen(line) + 1 == size && strncmp(columns, line, size - 1) == 0;
	free(columns);
	return same;
}

/* Parses the training games and seconds of a row. */
static bool row_parse(const char *line, struct training_point *row)
{
	uint64_t games;
	const char *at = whole_scan(line, &row->trained);
	at = at && *at == '\t' ? whole_scan(at + 1, &games) : NULL;
	at = at && *at == '\t' ? real_scan(at + 1, &row->seconds) : NULL;
	return at && *at == '\t';
}

/*
 * Refuses a row without exactly COLUMNS cells, with no more games than LAST, or without a model,
 * which would be deleted.
 */
static enum status row_check(const struct curve *curve, const struct lines *lines, size_t columns,
			     uint64_t last, uint64_t trained, struct why *why)
{
	enum status status = tsv_row_check(curve->path, lines->number, lines->text, columns, why);
	if (!status && trained <= last)
		return why_set(why, STATUS_INPUT,
			       "%s:%zu: %" PRIu64 " games after %" PRIu64 "; expected more",
			       curve->path, lines->number, trained, last);
	if (!status && curve->fresh)
		return why_set(why, STATUS_INPUT,
			       "%s:%zu: has a row after %" PRIu64
			       " games, but the model of --out does not exist; expected its model, "
			       "or another curve",
			       curve->path, lines->number, trained);
	return status;
}

/*
 * Copies the rows up to at->trained games from FROM to the curve's file. Sets *WRONG to the number
 * of a line that no curve has, or to 0. Ignores a row without a newline, which was never completed.
 * STATUS_INPUT for a row that row_check() refuses.
 */
static enum status rows_copy(struct curve *curve, FILE *from, struct training_point *at,
			     size_t *wrong, struct why *why)
{
	struct lines lines;
	enum status status = STATUS_OK;
	bool names = false, sound = true;
	size_t columns = 1;
	struct training_point row = {0};
	lines_start(&lines, from, curve->path);
	while (lines_next(&lines, &status, why) && lines.ended) {
		const uint64_t last = row.trained;
		if (*lines.text == '#') {
			status = line_plain(curve->path, lines.number, lines.text, why);
		} else if (!names) {
			sound = names = is_columns(curve, lines.text);
			for (const char *c = lines.text; *c; c++)
				columns += *c == '\t';
		} else {
			sound = row_parse(lines.text, &row);
			if (sound)
				status = row_check(curve, &lines, columns, last, row.trained, why);
			if (row.trained > at->trained)
				break;
			at->seconds = row.seconds;
		}
		if (status || !sound)
			break;
		fprintf(curve->file, "%s\n", lines.text);
	}
	if (!status && sound && names && lines.torn)
		torn_warn(curve->path, lines.torn);
	lines_end(&lines);
	*wrong = sound && names ? 0 : lines.number + (lines.number == 0);
	return status;
}

/* Opens the existing curve PATH; *OLD is NULL if there is none or it is empty. */
static enum status existing_open(const char *path, FILE **old, struct why *why)
{
	struct stat st;
	*old = NULL;
	if (stat(path, &st))
		return errno == ENOENT ? STATUS_OK : why_file(why, path, "cannot be read");
	if (!S_ISREG(st.st_mode))
		return why_set(why, STATUS_INPUT, "%s: exists and is not a regular file", path);
	if (st.st_size == 0)
		return STATUS_OK;
	return input_open(path, old, why);
}

/* Refuses the curve PATH if its header is of another training than PROVENANCE. */
static enum status training_check(const char *path, const struct provenance *provenance,
				  struct why *why)
{
	static const char *const keys[] = {"seed: ", "configuration: "};
	const char *own[sizeof keys / sizeof *keys + 1] = {NULL};
	char *columns;
	size_t n = 0;
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
		for (const char *const *line = provenance_lines(provenance); *line; line++)
			if (strncmp(*line, keys[k], strlen(keys[k])) == 0)
				own[n++] = *line;
	enum status status =
	    table_head_check(path, "the curve of this training", own, &columns, why);
	free(columns);
	return status;
}

/*
 * Creates the new file with the rows of OLD to be kept, or with a new header from PROVENANCE, and
 * renames it.
 */
static enum status curve_rewrite(struct curve *curve, FILE *old,
				 const struct provenance *provenance, struct training_point *at,
				 struct why *why)
{
	enum status status = part_create(curve->path, &curve->file, why);
	if (status)
		return status;
	size_t wrong = 0;
	if (!old)
		head_write(curve, provenance);
	else
		status = rows_copy(curve, old, at, &wrong, why);
	if (!status && wrong)
		status =
		    why_set(why, STATUS_INPUT,
			    "%s:%zu: exists and is not a learning curve of this board and version",
			    curve->path, wrong);
	return part_publish(curve->file, curve->path, status, why);
}

enum status curve_open(struct curve *curve, const char *path, const struct game *game,
		       const struct provenance *provenance, bool fresh, struct training_point *at,
		       struct why *why)
{
	FILE *old;
	struct curve c = {
	    .path = path, .fresh = fresh, .first = FIRST_EXPONENT, .last = game->max_exponent};
	if (c.last > LAST_EXPONENT)
		c.last = LAST_EXPONENT;
	if (c.first > c.last - LEAST_TILES + 1)
		c.first = c.last < LEAST_TILES ? 1 : c.last - LEAST_TILES + 1;
	enum status status = existing_open(path, &old, why);
	if (status)
		return status;
	status = old ? training_check(path, provenance, why) : STATUS_OK;
	status = status ? status : curve_rewrite(&c, old, provenance, at, why);
	if (old)
		fclose(old);
	if (!status)
		*curve = c;
	return status;
}

enum status curve_row(struct curve *curve, const struct training_point *at,
		      const struct tally *block, struct why *why)
{
	struct record record = {0};
	tally_columns(block, curve->first, curve->last, &record);
	fprintf(curve->file, "%" PRIu64 "\t%" PRIu64 "\t%.3f\t%" PRIu64 "\t", at->trained,
		block->games, at->seconds, block->moves);
	table_row(curve->file, record.columns, record.fields);
	record_fini(&record);
	if (!stream_flush(curve->file))
		return why_errno(why, "%s: cannot be written", curve->path);
	return STATUS_OK;
}

enum status curve_checkpoint(struct curve *curve, struct why *why)
{
	if (!stream_flush(curve->file) || fsync(fileno(curve->file)))
		return why_errno(why, "%s: cannot be written", curve->path);
	return STATUS_OK;
}

enum status curve_close(struct curve *curve, struct why *why)
{
	if (fclose(curve->file))
		return why_errno(why, "%s: cannot be written", curve->path);
	return STATUS_OK;
}
