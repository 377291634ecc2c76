/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nxn train: a learner trains until it has played enough games or enough time has passed, and is
 * saved now and then, so that it may be killed at any moment and goes on from the last save. With
 * one thread the model is then, and but for its times the curve, what they would have been
 * without.
 *
 * Training is cut into stretches. In a stretch the threads learn until over() tells one after the
 * other, each at the end of its game, that it is time to save, or that this is the end; then the
 * threads are gone, and the learner is saved. What an open block has come to goes into the curve
 * before the model that it belongs to, games under way go into the model, so that a checkpoint
 * may be at the end of any game. Invariant: t->at.trained is the number of games of which over()
 * was told, which between stretches is what the learner itself says.
 */
#include "agents/agent.h"
#include "agents/model.h"
#include "analysis/stats/stats.h"
#include "analysis/tables/record.h"
#include "analysis/tables/table.h"
#include "base/clock.h"
#include "base/file.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/stop.h"
#include "boards/game.h"
#include "src/cli/options.h"
#include "src/cli/provenance.h"
#include "src/commands/command.h"
#include "src/games/experiment.h"
#include "src/measure/launch.h"
#include "src/games/progress.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * ---- The learning curve is a table with a row for each block of training games. Columns: trained
 * (games after the block); games (in it, those that means and rates are of); seconds (of training
 * until then, those of earlier runs included); moves (in the block); mean, mean_low, mean_high
 * (of the score); max; and for each of some tiles T reach_T, reach_T_low, reach_T_high, end_T:
 * the shares of games that reached T and that ended with it as their largest; tile_sum with
 * its bounds (the mean of the sum of the tiles in the end); uncertainty with its bounds (of the
 * distance to certainty, decision_uncertainty(); NaN for a learner that tells no chances).
 * Intervals are 95%. The tiles are 256 up to the largest that the shape can reach, at most 2^24;
 * a shape that cannot reach 8192 begins lower.
 *
 * A line `# open block: trained T ...` holds what a block has come to at a checkpoint in its midst,
 * after T games. While training runs, lines are only ever added, and before the model that they
 * belong to is saved; opening keeps the lines that belong to the model that there is. So curve and
 * model agree wherever the process was killed, and a row is of all games of its block.
 *
 * Means and squared deviations are kept by Welford's recurrence (Technometrics 4, 1962), which,
 * unlike sums of squares, loses no digits over millions of games. Check value: scores 2, 4, 9 have
 * mean 5 and squares 26.
 *
 * Opening and tidying copy the lines to be kept to a new file, which then takes the name: whatever
 * is killed in between, the old file or the new one is there, and both do.
 */

enum { TALLY_EXPONENTS = 64, TALLY_BRIEF_MAX = 256 };

/* A mean over N games. */
struct tally_mean {
	uint64_t n;
	double mean;
	double squares; /* sum of squared deviations from the mean */
};

/*
 * What a block of training games comes to, kept in memory that does not grow with the games, so
 * that an unfinished block can be written down and gone on with by another process.
 *
 * Games that are not whole games of the board (outcome->partial) count as such and in the moves;
 * means and rates are without them.
 *
 * Zeroed is no game.
 */
struct tally {
	uint64_t games, partial;
	uint64_t moves; /* of all games */
	struct tally_mean score;
	struct tally_mean sum; /* of the tiles in the end; n < games if some were not told */
	struct tally_mean uncertainty;	 /* of the games that told it, outcome.uncertainty */
	uint64_t max;			 /* score */
	uint64_t ended[TALLY_EXPONENTS]; /* games by their largest exponent */
};

struct curve {
	FILE *file;
	const char *path;
	int first, last; /* exponents of the tiles */
};

/* Where training is. */
struct curve_point {
	uint64_t trained; /* games */
	double seconds;	  /* of training */
};

static void mean_add(struct tally_mean *mean, double x)
{
	double off = x - mean->mean;
	mean->n++;
	mean->mean += off / (double)mean->n;
	mean->squares += off * (x - mean->mean);
}

static void tally_add(struct tally *tally, const struct outcome *outcome)
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

/* One line for the screen: mean score, and the two or three tiles that tell most. */
static void tally_brief(const struct tally *tally, char brief[TALLY_BRIEF_MAX])
{
	char text[GRID_TEXT_MAX];
	interval_text(tally_mean(&tally->score, tally->games), 0, text);
	int top = TALLY_EXPONENTS - 1, length = snprintf(brief, TALLY_BRIEF_MAX, "mean %s", text);
	while (top > 0 && 2 * reached(tally, top) < tally->games)
		top--;
	/* From the tile that half of the games reach; what lies below says little. */
	for (int k = top; k < top + 3 && k < TALLY_EXPONENTS && reached(tally, k) > 0; k++) {
		share_text(tally_reach(tally, k).value, 0, text);
		length += snprintf(brief + length, (size_t)(TALLY_BRIEF_MAX - length),
				   ", %" PRIu64 " %s", UINT64_C(1) << k, text);
	}
}

/*
 * A table for the screen: each largest tile with the shares of games that reach it and end at it.
 */
static void tally_report(const struct tally *tally, FILE *out)
{
	char reach[GRID_TEXT_MAX], end[GRID_TEXT_MAX], mean[GRID_TEXT_MAX];
	interval_text(tally_mean(&tally->score, tally->games), 0, mean);
	fprintf(out, "mean score %s, largest %" PRIu64 "\n", mean, tally->max);
	fprintf(out, "%10s  %20s  %8s\n", "tile", "reached [95%]", "largest");
	for (int k = 0; k < TALLY_EXPONENTS - 1; k++) {
		/* Rows that say nothing: tiles that all games pass, and that none reaches. */
		if (reached(tally, k) == 0 || reached(tally, k + 1) == tally->games)
			continue;
		percent_text(tally_reach(tally, k), 1, reach);
		share_text(tally_ended(tally, k), 1, end);
		fprintf(out, "%10" PRIu64 "  %20s  %8s\n", UINT64_C(1) << k, reach, end);
	}
	if (tally->partial)
		fprintf(out, "(and %" PRIu64 " games on other boards or from other starts)\n",
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

/* ---- The file of the curve. */

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
	static const char a[] = "tile_sum", b[] = "uncertainty";
	snprintf(columns + at, (size_t)(COLUMNS_MAX - at),
		 "\t\"%s\"\t\"%s_low\"\t\"%s_high\"\t\"%s\"\t\"%s_low\"\t\"%s_high\"", a, a, a, b,
		 b, b);
}

static void head_write(const struct curve *curve, const struct provenance *provenance)
{
	char columns[COLUMNS_MAX];
	for (const char *const *line = provenance_lines(provenance); *line; line++)
		fprintf(curve->file, "# %s\n", *line);
	fputs("# intervals: 95%; mean: Student's t; rates: Wilson\n", curve->file);
	columns_format(curve, columns);
	fprintf(curve->file, "%s\n", columns);
}

/* Writes the column names if LINE is those of such a curve. */
static bool names_keep(struct curve *curve, const char *line)
{
	char columns[COLUMNS_MAX];
	columns_format(curve, columns);
	if (strcmp(line, columns) != 0)
		return false;
	fprintf(curve->file, "%s\n", columns);
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
	char was[64];
	const char *now; /* NULL while all agrees */
};

/*
 * Notes whether LINE of a head, if it tells the agent, its game or its seed, is a line of
 * PROVENANCE.
 */
static void heading_see(struct heading *heading, const char *line,
			const struct provenance *provenance)
{
	static const char *const keys[] = {"# configuration: ", "# seed: "};
	for (size_t k = 0; !heading->now && k < sizeof keys / sizeof *keys; k++) {
		const size_t length = strlen(keys[k]);
		if (strncmp(line, keys[k], length) != 0)
			continue;
		const char *const *now = provenance_lines(provenance);
		while (*now && strncmp(*now, keys[k] + 2, length - 2) != 0)
			now++;
		if (!*now || strcmp(line + 2, *now) == 0)
			continue;
		heading->now = *now;
		snprintf(heading->was, sizeof heading->was, "%s", line + 2);
	}
}

static enum status heading_refuse(const struct curve *curve, const struct heading *heading,
				  struct why *why)
{
	return why_set(
	    why, STATUS_INPUT,
	    "%s: exists and is the curve of another training (%s, not %s); expected that "
	    "of this one, or another name",
	    curve->path, heading->was, heading->now);
}

/* Reads the training games and seconds of a row. */
static bool row_parse(const char *line, struct curve_point *row)
{
	uint64_t games;
	const char *at = whole_scan(line, &row->trained);
	at = at && *at == '\t' ? whole_scan(at + 1, &games) : NULL;
	at = at && *at == '\t' ? real_scan(at + 1, &row->seconds) : NULL;
	return at && *at == '\t';
}

/*
 * Copies from FROM to the curve's file what belongs to AT, and sets *WRONG to the line that no
 * curve has, or 0. A row without its newline is one that never was. Where the HEADING is
 * that of another training than PROVENANCE tells, unless that is NULL, it ends with the column
 * names.
 */
static enum status lines_keep(struct curve *curve, FILE *from, const struct provenance *provenance,
			      struct heading *heading, struct curve_point *at, struct tally *open,
			      size_t *wrong, struct why *why)
{
	struct lines lines;
	enum status status = STATUS_OK;
	bool names = false, sound = true;
	lines_start(&lines, from, curve->path);
	while (sound && lines_next(&lines, &status, why) && lines.ended) {
		const char *line = lines.text;
		if (*line != '#' && !names) {
			sound = names = names_keep(curve, line);
			if (heading->now)
				break;
			continue;
		} else if (*line != '#') {
			struct curve_point row;
			sound = row_parse(line, &row);
			if (!sound || row.trained > at->trained)
				break;
			at->seconds = row.seconds;
		} else if (strncmp(line, open_mark, strlen(open_mark)) == 0 &&
			   !open_scan(line, at, open)) {
			continue;
		} else if (!names && provenance) {
			heading_see(heading, line, provenance);
		}
		fprintf(curve->file, "%s\n", line);
	}
	if (!status && sound && names && lines.torn)
		torn_warn(curve->path, lines.torn);
	lines_end(&lines);
	*wrong = sound && names ? 0 : lines.number + (lines.number == 0);
	return status;
}

/* Opens what is at PATH for reading; NULL and STATUS_OK if there is nothing. */
static enum status old_open(const char *path, FILE **old, struct why *why)
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

/*
 * Makes the new file with what is kept of OLD, which has to be of the training that PROVENANCE
 * tells unless that is NULL, or else the head, and gives it its name.
 */
static enum status renew(struct curve *curve, FILE *old, const struct provenance *provenance,
			 struct curve_point *at, struct tally *open, struct why *why)
{
	enum status status = part_create(curve->path, &curve->file, why);
	if (status)
		return status;
	struct heading heading = {.now = NULL};
	size_t wrong = 0;
	if (!old)
		head_write(curve, provenance);
	else
		status = lines_keep(curve, old, provenance, &heading, at, open, &wrong, why);
	if (!status && wrong)
		status =
		    why_set(why, STATUS_INPUT,
			    "%s:%zu: exists and is not a learning curve of this board and version",
			    curve->path, wrong);
	else if (!status && heading.now)
		status = heading_refuse(curve, &heading, why);
	return part_publish(curve->file, curve->path, status, why);
}

/*
 * Opens PATH, which must outlive CURVE, is no symbolic link, and which nobody else may open. If it
 * is a learning curve of a board such as GAME already, what belongs to a model of at->trained games
 * is kept, and at->seconds and the block OPEN are what they were then; otherwise they stay
 * untouched. STATUS_INPUT if the file is something else, or its head tells another configuration or
 * seed than PROVENANCE, and it is then left as it was.
 */
static enum status curve_open(struct curve *curve, const char *path, const struct game *game,
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

/* Adds a row for BLOCK, which ends at AT. */
static enum status curve_row(struct curve *curve, const struct curve_point *at,
			     const struct tally *block, struct why *why)
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
	if (!stream_flush(curve->file))
		return why_errno(why, "%s: cannot be written", curve->path);
	return STATUS_OK;
}

/*
 * Hands to the disk what there is, before a model of AT is saved; BLOCK is open, and may be
 * empty.
 */
static enum status curve_checkpoint(struct curve *curve, const struct curve_point *at,
				    const struct tally *block, struct why *why)
{
	if (block->games + block->partial > 0) {
		fprintf(curve->file, "%strained %" PRIu64 " seconds %.3f ", open_mark, at->trained,
			at->seconds);
		tally_print(block, curve->file);
		fputc('\n', curve->file);
	}
	if (!stream_flush(curve->file) || fsync(fileno(curve->file)))
		return why_errno(why, "%s: cannot be written", curve->path);
	return STATUS_OK;
}

/*
 * Closes the file; if TIDY, without the open blocks that rows have taken the place of: only after
 * the model of AT has been saved.
 */
static enum status curve_close(struct curve *curve, const struct curve_point *at, bool tidy,
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

/* ---- Training. */

struct train_options {
	const char *agent; /* specification; first, for argument_keep() */
	struct game_options game;
	uint64_t seed;
	const char *demonstrations; /* path of a record file, or NULL */
	char written[SPEC_MAX];	    /* the agent with them */
	const char *model;	    /* path; if it exists, training goes on from it */
	const char *curve;	    /* path, or NULL */
	uint64_t episodes;	    /* games in all; UINT64_MAX for no end */
	double budget;		    /* seconds in all; INFINITY for no end */
	uint64_t block;		    /* games a row of the curve */
	uint64_t checkpoint;	    /* games after which to save; UINT64_MAX for never */
	double checkpoint_interval; /* seconds after which to save; INFINITY for never */
	int threads;
	bool progress; /* the line even if standard error is no terminal */
	bool verbose;  /* a line a block on standard error */
};

struct trainer {
	const struct train_options *options;
	struct game game;
	char canonical[SPEC_MAX], settings[SPEC_MAX]; /* of the agent */
	struct agent *agent;
	struct lock lock; /* of the model */
	struct curve curve;
	bool has_curve;

	pthread_mutex_t mutex; /* of all below, while threads learn */
	struct curve_point at;
	struct tally block; /* open */
	struct tally last;  /* the last whole one that ended in this run */
	struct curve_point last_at;
	double started, before; /* the stretch: clock, and seconds of training before it */
	bool pausing;		/* over() is false from now on */
	struct progress progress;
	enum status status; /* of writing a row */
	struct why why;
};

/* ---- The learner. */

/* The setting in LIST that holds its character AT, a list in it with its commas; its length. */
static int setting_at(const char *list, const char *at, const char **setting)
{
	const char *end = at + strcspn(at, ",");
	*setting = at;
	while (*setting > list &&
	       ((*setting)[-1] != ',' || strcspn(*setting, "=") > strcspn(*setting, ",")))
		--*setting;
	return (int)(end - *setting);
}

/* The first setting of which one is WAS and the other NOW. */
static enum status settings_differ(const char *path, const char *was, const char *now,
				   struct why *why)
{
	const char *was_piece, *now_piece;
	size_t at = 0;
	while (was[at] && was[at] == now[at])
		at++;
	const int was_length = setting_at(was, was + at, &was_piece);
	const int now_length = setting_at(now, now + at, &now_piece);
	return why_set(why, STATUS_INPUT, "%s: exists and was trained with %.*s, not %.*s", path,
		       was_length, was_piece, now_length, now_piece);
}

/*
 * Whether the model was trained with the parameters asked for, all but the file and what only
 * matters in play, which come first.
 */
static enum status model_check(const struct trainer *t, const char *path, struct why *why)
{
	struct model_file *file;
	enum status status = model_open(&file, path, why);
	if (status)
		return status;
	const struct model_head *head = model_head(file);
	const char *params = head->params;
	const size_t length = strcspn(params, "=") + 1;
	char key[MODEL_PARAMS_MAX + 2];
	snprintf(key, sizeof key, ",%.*s", (int)length, params);
	const char *asked = strstr(t->settings, key);
	if (strcmp(head->agent, t->agent->class->name) != 0 || !asked)
		status = why_set(why, STATUS_INPUT, "%s: exists and was trained as %s, not as %s",
				 path, head->agent, t->canonical);
	else if (strcmp(asked + 1, params) != 0)
		status = settings_differ(path, params, asked + 1, why);
	model_close(file);
	return status;
}

static enum status class_check(const struct trainer *t, int threads, struct why *why)
{
	const struct agent_class *class = agent_class_of(t->canonical);
	if (threads > 1 && !class->shared && !class->uses_team)
		return why_set(why, STATUS_INPUT,
			       "--threads: %s learns with one thread only, not with %d",
			       class->name, threads);
	return STATUS_OK;
}

/* Takes over what the model has learned, if it exists. */
static enum status model_load(struct trainer *t, const char *path, struct why *why)
{
	enum status locked = lock_take(&t->lock, path, why);
	if (locked)
		return locked;
	leftovers_remove(path);
	if (access(path, F_OK) != 0)
		return STATUS_OK;
	enum status status = model_check(t, path, why);
	return status ? status : agent_load(t->agent, path, why);
}

/*
 * Makes the learner of the options, with what it has learned if its model exists. STATUS_INPUT for
 * an agent that is wrong, not with so many threads, or other than that of the
 * model, and for a model that another process trains; STATUS_SYSTEM if files cannot be read or
 * memory is short.
 */
static enum status learner_make(struct trainer *t, struct why *why)
{
	const struct train_options *options = t->options;
	struct agent_env env = {.game = &t->game};
	enum status status = game_init(&t->game, &options->game, why);
	if (!status)
		status = agent_canonical(options->agent, t->canonical, why);
	if (!status)
		status = agent_settings(options->agent, t->settings, why);
	if (!status)
		status = class_check(t, options->threads, why);
	if (!status)
		status = agent_new(t->canonical, &env, &t->agent, why);
	if (status)
		return status;
	t->at.trained = t->agent->class->trained(t->agent->self);
	if (t->at.trained > 0)
		return why_set(why, STATUS_INPUT,
			       "%s: training goes on from the model given as --out only",
			       t->canonical);
	status = model_load(t, options->model, why);
	t->at.trained = t->agent->class->trained(t->agent->self);
	return status;
}

/* ---- Training. */

/* One of the threads that learn. */
struct train_thread {
	struct trainer *trainer;
	int number;
	pthread_t thread;
};

/* Calls of learn() at the same time. */
static int trainer_threads(const struct trainer *t)
{
	return t->agent->class->uses_team ? 1 : t->options->threads;
}

/* Whether all is done that was asked for. */
static bool trainer_done(const struct trainer *t)
{
	return t->at.trained >= t->options->episodes || t->at.seconds >= t->options->budget;
}

/* A line for a reader of a log. */
static void block_tell(const struct trainer *t)
{
	char brief[TALLY_BRIEF_MAX];
	double elapsed = clock_seconds() - t->progress.started;
	tally_brief(&t->last, brief);
	progress_clear(&t->progress);
	fprintf(stderr, "%" PRIu64 " games, %.3g s, %.3g M moves/s: %s\n", t->at.trained,
		t->at.seconds, 1e-6 * (double)t->progress.moves / elapsed, brief);
}

/* Ends the open block, if there is a game in it, with a row of the curve. */
static void block_end(struct trainer *t)
{
	if (t->block.games + t->block.partial == 0)
		return;
	if (t->has_curve && !t->status)
		t->status = curve_row(&t->curve, &t->at, &t->block, &t->why);
	/* The last block may be cut short; then the one before it tells more. */
	if (t->block.games + t->block.partial >= t->last.games + t->last.partial) {
		t->last = t->block;
		t->last_at = t->at;
	}
	t->block = (struct tally){0};
	tally_brief(&t->last, t->progress.note);
	if (t->options->verbose)
		block_tell(t);
}

static bool trainer_over(void *context, const struct outcome *outcome)
{
	struct trainer *t = context;
	const struct train_options *options = t->options;
	pthread_mutex_lock(&t->mutex);
	double elapsed = clock_seconds() - t->started;
	t->at.trained++;
	t->at.seconds = t->before + elapsed;
	tally_add(&t->block, outcome);
	atomic_fetch_add(&t->progress.training.done, 1);
	atomic_fetch_add(&t->progress.moves, outcome->moves);
	if (t->at.trained % options->block == 0)
		block_end(t);
	if (t->at.trained % options->checkpoint == 0 || elapsed >= options->checkpoint_interval ||
	    t->status || trainer_done(t) || stop_requested())
		t->pausing = true;
	progress_tick(&t->progress);
	bool go_on = !t->pausing;
	pthread_mutex_unlock(&t->mutex);
	return go_on;
}

static void *thread_learn(void *context)
{
	struct train_thread *thread = context;
	struct trainer *t = thread->trainer;
	/*
	 * A single thread begins games as if there were no end, so that a model that is trained
	 * further is the same as one trained in one go. With several, none must be beyond the end.
	 */
	const bool alone = trainer_threads(t) == 1;
	const struct training_request request = {.seed = t->options->seed,
						 .end = alone ? UINT64_MAX : t->options->episodes,
						 .thread = thread->number,
						 .threads = t->options->threads,
						 .over = trainer_over,
						 .context = t};
	t->agent->class->learn(t->agent->self, &request);
	return NULL;
}

/* Ends the stretch that has just begun, when the threads that it needs cannot be had. */
static void stretch_abandon(struct trainer *t, int error)
{
	pthread_mutex_lock(&t->mutex);
	t->status = why_set(&t->why, STATUS_SYSTEM, "--threads: cannot start %d: %s",
			    t->options->threads, strerror(error));
	t->pausing = true;
	pthread_mutex_unlock(&t->mutex);
}

/* Learns until it is time to save. */
static void stretch_learn(struct trainer *t, struct train_thread *team)
{
	int threads = trainer_threads(t), started = 1, error = 0;
	assert(threads > 0);
	t->pausing = false;
	t->before = t->at.seconds;
	t->started = clock_seconds();
	for (int i = 0; i < threads; i++)
		team[i] = (struct train_thread){.trainer = t, .number = i};
	for (; started < threads && !error; started += !error)
		error = pthread_create(&team[started].thread, NULL, thread_learn, &team[started]);
	if (error)
		stretch_abandon(t, error);
	else
		thread_learn(&team[0]);
	while (--started > 0)
		pthread_join(team[started].thread, NULL);
	t->at.seconds = t->before + clock_seconds() - t->started;
	assert(t->at.trained == t->agent->class->trained(t->agent->self));
}

/* Saves the learner, after the curve that leads up to it. */
static enum status trainer_save(struct trainer *t, struct why *why)
{
	enum status status = STATUS_OK;
	if (t->has_curve)
		status = curve_checkpoint(&t->curve, &t->at, &t->block, why);
	return status ? status : agent_save(t->agent, t->options->model, why);
}

static enum status trainer_learn(struct trainer *t, struct why *why)
{
	enum status status = STATUS_OK;
	struct train_thread *threads = calloc((size_t)t->options->threads, sizeof *threads);
	if (!threads)
		return why_errno(why, "%d threads", t->options->threads);
	/* A path that cannot be written is better known before there is something to lose. */
	if (t->at.trained == 0)
		status = agent_save(t->agent, t->options->model, why);
	while (!status && !trainer_done(t) && !stop_requested()) {
		stretch_learn(t, threads);
		if (trainer_done(t))
			block_end(t);
		*why = t->why;
		status = t->status ? t->status : trainer_save(t, why);
	}
	free(threads);
	return status || trainer_done(t) ? status : STATUS_STOPPED;
}

/* trainer_learn() with the progress line. */
static enum status trainer_show(struct trainer *t, struct why *why)
{
	struct progress *progress = &t->progress;
	progress->training.total = t->options->episodes;
	progress->training.before = t->at.trained;
	progress_start(progress, t->options->progress);
	if (t->options->budget < INFINITY)
		progress->end = progress->started + t->options->budget - t->at.seconds;
	enum status status = trainer_learn(t, why);
	progress_clear(progress);
	return status;
}

/* Opens the learning curve at PATH. */
static enum status trainer_curve_open(struct trainer *t, const char *path, const char *command,
				      struct why *why)
{
	const struct train_options *options = t->options;
	char seed[24];
	struct provenance provenance;
	snprintf(seed, sizeof seed, "%" PRIu64, options->seed);
	struct experiment_entry entry = {.game = t->game};
	memcpy(entry.settings, t->settings, sizeof entry.settings);
	enum status status =
	    provenance_init(&provenance, command, entry_config(&entry, 0), seed, NULL, why);
	if (status)
		return status;
	status = curve_open(&t->curve, path, &t->game, &provenance, &t->at, &t->block, why);
	provenance_fini(&provenance);
	t->has_curve = !status;
	return status;
}

/* trainer_show() with the learning curve at PATH, which is nobody else's. */
static enum status trainer_show_at(struct trainer *t, const char *path, const char *command,
				   struct why *why)
{
	enum status status = trainer_curve_open(t, path, command, why);
	if (status)
		return status;
	status = trainer_show(t, why);
	struct why close_why;
	bool saved = !status || status == STATUS_STOPPED;
	enum status closed = curve_close(&t->curve, &t->at, saved, &close_why);
	if (closed && saved) {
		*why = close_why;
		status = closed;
	}
	return status;
}

/* trainer_show() with the learning curve; a model of another name may be trained with the same. */
static enum status trainer_show_curve(struct trainer *t, const char *command, struct why *why)
{
	char *path;
	struct lock lock = {0};
	enum status status = links_follow(t->options->curve, &path, why);
	if (status)
		return status;
	status = lock_take(&lock, path, why);
	if (!status)
		status = trainer_show_at(t, path, command, why);
	lock_release(&lock);
	free(path);
	return status;
}

/* The games of the last block as columns, named like those of the curve. */
static void tally_add_columns(struct record *record, const struct tally *tally)
{
	char name[32];
	record_number(record, "games", tally->games);
	record_number(record, "moves", tally->moves);
	record_interval(record, "mean", tally_mean(&tally->score, tally->games));
	record_number(record, "max", tally->max);
	for (int k = 1; k < TALLY_EXPONENTS && reached(tally, k); k++) {
		snprintf(name, sizeof name, "reach_%" PRIu64, UINT64_C(1) << k);
		record_interval(record, name, tally_reach(tally, k));
		snprintf(name, sizeof name, "end_%" PRIu64, UINT64_C(1) << k);
		record_real(record, name, tally_ended(tally, k));
	}
	record_interval(record, "tile_sum", tally_mean(&tally->sum, tally->games));
	record_interval(record, "uncertainty", tally_mean(&tally->uncertainty, tally->games));
}

static enum status trainer_record_print(const struct trainer *t, const struct tally *tally,
					const struct invocation *call, struct why *why)
{
	struct record record = {.name = "train"};
	record_text(&record, "model", t->options->model);
	record_text(&record, "agent", t->canonical);
	record_text(&record, "board", t->game.name);
	record_number(&record, "trained", t->at.trained);
	record_real(&record, "seconds", t->at.seconds);
	tally_add_columns(&record, tally);
	return record_print(call, &record, why);
}

/* What there is now, and how the games of the last block went. */
static enum status trainer_report(const struct trainer *t, const struct invocation *call,
				  struct why *why)
{
	bool ended = t->last.games + t->last.partial > 0;
	const struct tally *tally = ended ? &t->last : &t->block;
	uint64_t games = tally->games + tally->partial;
	uint64_t end = ended ? t->last_at.trained : t->at.trained;
	if (call->printer.format != FORMAT_TEXT)
		return trainer_record_print(t, tally, call, why);
	printf("%s: %s on %s after %" PRIu64 " training games\n", t->options->model, t->canonical,
	       t->game.name, t->at.trained);
	if (games == 0 && t->at.trained >= t->options->episodes)
		puts("It has the games of --episodes already; a larger number goes on.");
	if (games == 0)
		return STATUS_OK;
	printf("\nGames %" PRIu64 " to %" PRIu64 ": ", end - games + 1, end);
	tally_report(tally, stdout);
	return STATUS_OK;
}

static enum status train_run(void *input, const struct invocation *call, struct why *why)
{
	const struct train_options *options = input;
	struct trainer t = {.options = options, .mutex = PTHREAD_MUTEX_INITIALIZER};
	enum status status = learner_make(&t, why);
	if (!status) {
		stop_catch();
		status = options->curve ? trainer_show_curve(&t, call->provenance, why)
					: trainer_show(&t, why);
	}
	if (t.agent && (!status || status == STATUS_STOPPED)) {
		const enum status reported = trainer_report(&t, call, why);
		status = reported ? reported : status;
	}
	agent_free(t.agent);
	lock_release(&t.lock);
	if (status == STATUS_STOPPED)
		launch_resume_print(call, "");
	return status;
}

/* ---- The command. */

enum { BLOCK_DEFAULT = 1000, MINUTES_DEFAULT = 5, MINUTES_MAX = 1000000 };

/* Refuses AGENT, naming those that learn. */
static enum status learns_not(const char *agent, struct why *why)
{
	char names[128] = "";
	for (int i = 0; agent_classes[i]; i++) {
		const size_t used = strlen(names);
		if (agent_classes[i]->learn)
			snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "",
				 agent_classes[i]->name);
	}
	return why_set(why, STATUS_INPUT, "%s does not learn; expected one of %s", agent, names);
}

/* Writes the demonstrations into the text of the agent. */
static enum status demonstrations_set(struct train_options *options, struct why *why)
{
	static const char key[] = "demonstrations";
	const char *agent = options->agent;
	const struct agent_class *class = agent_class_of(agent);
	/* An agent that there is not is told later. */
	if (!class)
		return STATUS_OK;
	if (!field_find(class->params, key, strlen(key)))
		return why_set(why, STATUS_INPUT,
			       "--demonstrations: %s learns from no demonstrations", class->name);
	if (agent_sets(agent, key))
		return why_set(why, STATUS_INPUT, "--demonstrations: '%s' has some already", agent);
	size_t end = strlen(agent);
	const char *before = !strchr(agent, ':') ? ":" : agent[end - 1] == ':' ? "" : ",";
	int length = snprintf(options->written, sizeof options->written, "%s%s%s=%s", agent, before,
			      key, options->demonstrations);
	if (length < 0 || (size_t)length >= sizeof options->written)
		return why_set(why, STATUS_INPUT, "--demonstrations: '%.80s...' is too long",
			       options->demonstrations);
	options->agent = options->written;
	return STATUS_OK;
}

static enum status options_check(void *input, struct why *why)
{
	struct train_options *options = input;
	if (!options->agent)
		return why_set(why, STATUS_INPUT,
			       "the agent is missing: a learner, such as qlearn");
	/* An agent that there is not is told later. */
	const struct agent_class *class = agent_class_of(options->agent);
	if (class && !class->learn)
		return learns_not(options->agent, why);
	if (options->episodes == UINT64_MAX && isinf(options->budget))
		return why_set(why, STATUS_INPUT,
			       "--episodes is missing, and so is --time-budget: how long to train");
	if (!options->model || !*options->model)
		return why_set(why, STATUS_INPUT, "--out is missing: the file for what is learned");
	if (options->curve && strcmp(options->curve, options->model) == 0)
		return why_set(why, STATUS_INPUT, "--curve: '%s' is the model of --out",
			       options->curve);
	if (options->checkpoint == UINT64_MAX && isinf(options->checkpoint_interval))
		options->checkpoint_interval = 60 * MINUTES_DEFAULT;
	return options->demonstrations ? demonstrations_set(options, why) : STATUS_OK;
}

static enum status minutes_read(void *member, const char *what, const char *text, struct why *why)
{
	uint64_t minutes = 0;
	enum status status = number_parse(what, text, 1, MINUTES_MAX, &minutes, why);
	if (!status)
		*(double *)member = 60 * (double)minutes;
	return status;
}

#define FIELD(M) offsetof(struct train_options, M)

static const struct command_option options_table[] = {
    OPTION_NUMBER("episodes", 'e', "N", FIELD_COUNT, FIELD(episodes), 1, COUNT_MAX,
		  "End after N training games, those of a resumed model included"),
    OPTION("time-budget", 0, "TIME", FIELD_DURATION, FIELD(budget),
	   "End after this time of training (90s, 10m, 1.5h); with --curve the time of earlier "
	   "runs counts"),
    OPTION("out", 'o', "MODEL", FIELD_TEXT, FIELD(model),
	   "Model file; if it exists, training continues from it"),
    OPTION("curve", 0, "FILE", FIELD_TEXT, FIELD(curve),
	   "Write the learning curve as a table, one row per block"),
    OPTION_NUMBER("block", 0, "N", FIELD_COUNT, FIELD(block), 1, COUNT_MAX,
		  "Games per row of the curve (default 1000)"),
    OPTION_NUMBER("checkpoint", 0, "N", FIELD_COUNT, FIELD(checkpoint), 1, COUNT_MAX,
		  "Save after every N training games"),
    OPTION_READER(
	"checkpoint-minutes", 0, "M", FIELD(checkpoint_interval), minutes_read,
	"Save after every M minutes of training (default 5, if there is no --checkpoint)"),
    OPTION_NUMBER("threads", 'j', "N", FIELD_INT, FIELD(threads), 1, THREADS_MAX,
		  "Threads that train one model together (default 1). With more than one the "
		  "result of ntuple depends on their timing, and no two runs are equal; learners "
		  "that train on batches always give the same result"),
    OPTION("demonstrations", 0, "LOG", FIELD_TEXT, FIELD(demonstrations),
	   "Record file (nxn play --record) from which the learner starts, for learners with the "
	   "parameter demonstrations; sets demonstrations=LOG in AGENT"),
    OPTION("progress", 0, NULL, FIELD_FLAG, FIELD(progress),
	   "Show progress even if standard error is not a terminal"),
    OPTION("verbose", 'v', NULL, FIELD_FLAG, FIELD(verbose),
	   "Write one line per block to standard error"),
    FORMAT_OPTION,
    BOARD_OPTION(game),
    RULE_OPTIONS(game),
    SEED_OPTION(seed),
    OPTIONS_END,
};

static const char doc[] =
    "Trains AGENT and saves the model: at intervals, at the end, and on Ctrl-C. Training game i "
    "uses stream i of the seed, so with one thread equal commands give equal models. If training "
    "is killed at any moment, the same command continues from the last save, and ends with the "
    "same model and, except for times, the same curve.\v"
    "The model is then an agent: qlearn:MODEL. For each block the curve has the mean score and the "
    "share of games that reached each tile, with 95% intervals, and the share that ended with it "
    "as the largest.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn train qlearn -b 3x3 -e 2000 -o q33.nxn --curve q33.tsv --block 500\n"
    "  nxn train qlearn -b 3x3 --time-budget 1s --checkpoint 1000 -o quick.nxn\n"
    "  nxn compare -b 3x3 -a random,qlearn:q33.nxn -o out/e";

static const struct train_options defaults = {.game = {.shape = "4x4"},
					      .seed = 1,
					      .episodes = UINT64_MAX,
					      .budget = INFINITY,
					      .block = BLOCK_DEFAULT,
					      .checkpoint = UINT64_MAX,
					      .checkpoint_interval = INFINITY,
					      .threads = 1};

const struct command cmd_train = {
    .options = options_table,
    .arguments = "AGENT",
    .argument = argument_keep,
    .check = options_check,
    .doc = doc,
    COMMAND_INPUT(defaults),
    .run = train_run,
};
