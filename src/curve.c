/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The learning curve of `nxn train`; see curve.h. */
#include "src/curve.h"

#include "analysis/stats.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char column[] = "\"trained\"";

/*
 * Finds the end of the last row of at most TRAINED games; *end is 0 in a file without column names,
 * which is not a curve unless it is empty.
 */
static void rows_find(FILE *file, uint64_t trained, off_t *end)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	bool names = false;
	*end = 0;
	for (off_t at = 0; (length = getline(&line, &size, file)) > 0;) {
		at += length;
		if (line[length - 1] != '\n')
			break;
		if (*line == '#' && !names)
			continue;
		if (!names && strncmp(line, column, strlen(column)) != 0)
			break;
		if (names && strtoull(line, NULL, 10) > trained)
			break;
		names = true;
		*end = at;
	}
	free(line);
}

static void head_write(FILE *file, const struct provenance *provenance)
{
	for (const char *const *line = provenance_lines(provenance); *line; line++)
		fprintf(file, "# %s\n", *line);
	fprintf(file, "# intervals: %s\n", stats_method);
	fprintf(file, "%s\t\"games\"\t\"mean\"\t\"mean_low\"\t\"mean_high\"\t\"max\"", column);
	for (int i = 0; i < CURVE_TILES; i++) {
		int tile = 1 << (CURVE_FIRST_EXPONENT + i);
		fprintf(file, "\t\"reach_%d\"\t\"reach_%d_low\"\t\"reach_%d_high\"", tile, tile,
			tile);
	}
	fputc('\n', file);
}

enum status curve_open(struct curve *curve, const char *path, uint64_t trained, size_t block,
		       const struct provenance *provenance, struct why *why)
{
	struct curve c = {.path = path, .room = block};
	c.file = fopen(path, "a+");
	if (!c.file)
		return why_errno(why, "%s: cannot be written", path);
	off_t end;
	rows_find(c.file, trained, &end);
	enum status status = STATUS_SYSTEM;
	fseeko(c.file, 0, SEEK_END);
	if (end == 0 && ftello(c.file) > 0) {
		status = why_set(why, STATUS_INPUT, "%s: exists and is not a learning curve", path);
		goto fail;
	}
	if (ftruncate(fileno(c.file), end)) {
		why_errno(why, "%s: cannot be written", path);
		goto fail;
	}
	if (end == 0)
		head_write(c.file, provenance);
	c.scores = malloc(block * sizeof *c.scores);
	if (!c.scores) {
		why_errno(why, "a block of %zu games", block);
		goto fail;
	}
	*curve = c;
	return STATUS_OK;
fail:
	fclose(c.file);
	return status;
}

void curve_add(struct curve *curve, const struct outcome *outcome)
{
	curve->scores[curve->games++] = (double)outcome->score;
	for (int i = 0; i < CURVE_TILES; i++)
		curve->reached[i] += outcome->max_exponent >= CURVE_FIRST_EXPONENT + i;
}

enum status curve_row(struct curve *curve, uint64_t trained, struct why *why)
{
	size_t n = curve->games;
	if (n == 0)
		return STATUS_OK;
	struct interval mean;
	const struct statistic *stat = &stat_mean;
	stats_sort(curve->scores, n);
	struct bootstrap bootstrap = {.seed = 1, .sample = trained};
	enum status status =
	    stats_estimate(curve->scores, n, &stat, 1, &bootstrap, &mean, NULL, why);
	if (status)
		return status;
	fprintf(curve->file, "%" PRIu64 "\t%zu\t%.2f\t%.2f\t%.2f\t%.0f", trained, n, mean.value,
		mean.low, mean.high, curve->scores[n - 1]);
	for (int i = 0; i < CURVE_TILES; i++) {
		struct interval rate = stats_rate(curve->reached[i], n);
		fprintf(curve->file, "\t%.4f\t%.4f\t%.4f", rate.value, rate.low, rate.high);
		curve->reached[i] = 0;
	}
	fputc('\n', curve->file);
	curve->games = 0;
	if (fflush(curve->file))
		return why_errno(why, "%s: cannot be written", curve->path);
	return STATUS_OK;
}

enum status curve_close(struct curve *curve, struct why *why)
{
	free(curve->scores);
	if (fclose(curve->file))
		return why_errno(why, "%s: cannot be written", curve->path);
	return STATUS_OK;
}
