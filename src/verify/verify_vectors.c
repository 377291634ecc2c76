/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks against the vectors of an independent program: files of lines that docs/conformance.md
 * defines. A line that cannot be read is an error in the file, not a failed check.
 */
#include "agents/play.h"
#include "base/append.h"
#include "boards/perft.h"
#include "base/file.h"
#include "src/verify/verify.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { WORDS_MAX = 12 };

enum status facts_open(const struct verify *verify, const char *name, FILE **file, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	enum status status = path_format(path, why, "%s/%s", verify->vectors, name);
	if (status)
		return status;
	*file = fopen(path, "re");
	if (*file)
		return STATUS_OK;
	const bool missing = errno == ENOENT || errno == ENOTDIR;
	why_errno(why, "%s", path);
	return missing ? STATUS_INPUT : STATUS_SYSTEM;
}

bool facts_next(FILE *file, char **line, size_t *size, int *number)
{
	ssize_t length;
	while ((length = getline(line, size, file)) > 0) {
		if ((*line)[length - 1] != '\n' && lines_cut_short(file))
			return false;
		++*number;
		while (length > 0 && strchr("\r\n ", (*line)[length - 1]))
			(*line)[--length] = '\0';
		if (length > 0 && (*line)[0] != '#')
			return true;
	}
	return false;
}

enum status facts_end(const struct verify *verify, const char *name, FILE *file, struct why *why)
{
	return lines_cut_short(file)
		   ? why_errno(why, "%s/%s: cannot be read", verify->vectors, name)
		   : STATUS_OK;
}

/* The words of LINE, which is cut up; their number, or WORDS_MAX + 1. */
static int words_split(char *line, char *word[WORDS_MAX])
{
	int n = 0;
	for (char *rest = line, *next; (next = strtok_r(rest, " \t", &rest)); n++) {
		if (n == WORDS_MAX)
			return WORDS_MAX + 1;
		word[n] = next;
	}
	return n;
}

static bool atomic_file_read(const char *word, uint64_t *number)
{
	char *end;
	errno = 0;
	*number = strtoull(word, &end, 10);
	return *word >= '0' && *word <= '9' && !*end && !errno;
}

static bool real_read(const char *word, double *number)
{
	char *end;
	*number = strtod(word, &end);
	return *word && !*end && isfinite(*number);
}

static enum status line_refuse(const struct verify *verify, const char *name, int number,
			       const char *expected, struct why *why)
{
	return why_set(why, STATUS_INPUT, "%s/%s:%d: expected %s", verify->vectors, name, number,
		       expected);
}

enum status facts_find(const struct verify *verify, const char *shape, const char *key,
		       double *value, struct why *why)
{
	FILE *file;
	char *line = NULL, *word[WORDS_MAX];
	size_t size = 0;
	int number = 0;
	bool found = false;
	enum status status = facts_open(verify, "exact.txt", &file, why);
	if (status)
		return status;
	while (!status && !found && facts_next(file, &line, &size, &number)) {
		if (words_split(line, word) != 3 || !real_read(word[2], value))
			status = line_refuse(verify, "exact.txt", number, "SHAPE KEY VALUE", why);
		else
			found = strcmp(word[0], shape) == 0 && strcmp(word[1], key) == 0;
	}
	if (!status && !found)
		status = facts_end(verify, "exact.txt", file, why);
	if (!status && !found)
		status = why_set(why, STATUS_INPUT, "%s/exact.txt: no %s of %s", verify->vectors,
				 key, shape);
	free(line);
	fclose(file);
	return status;
}

/* A row of perft.txt. */
struct perft_row {
	const char *shape, *position;
	uint64_t plies;
	struct perft perft;
};

static bool perft_read(char *line, struct perft_row *row)
{
	char *word[WORDS_MAX];
	struct perft *p = &row->perft;
	uint64_t *const number[] = {&row->plies,     &p->states,  &p->terminal, &p->pairs,
				    &p->afterstates, &p->rewards, &p->leaves,	&p->leaf_score};
	const int numbers = sizeof number / sizeof *number;
	if (words_split(line, word) != 2 + numbers)
		return false;
	row->shape = word[0];
	row->position = word[1];
	for (int i = 0; i < numbers; i++)
		if (!atomic_file_read(word[2 + i], number[i]))
			return false;
	return row->plies <= INT32_MAX;
}

/* Every shape that a file has gets a line: TALLIES by rows and columns. */
struct agreements {
	struct agreement of[SIDE_MAX + 1][SIDE_MAX + 1];
};

static void tallies_tell(struct verify *verify, const struct agreements *tallies, const char *what)
{
	char text[80];
	for (int r = SIDE_MIN; r <= SIDE_MAX; r++)
		for (int c = SIDE_MIN; c <= SIDE_MAX; c++)
			if (tallies->of[r][c].all) {
				snprintf(text, sizeof text, "%dx%d: %s", r, c, what);
				verify_tally(verify, text, &tallies->of[r][c]);
			}
}

/* COMPARE on every line of the file NAME; then a line of the report for each shape. */
static enum status lines_compare(struct verify *verify, const char *name,
				 enum status (*compare)(struct verify *verify, char *line,
							int number, struct agreements *tallies,
							struct why *why),
				 const char *what, struct why *why)
{
	FILE *file;
	char *line = NULL;
	size_t size = 0;
	int number = 0;
	struct agreements *tallies = calloc(1, sizeof *tallies);
	if (!tallies)
		return why_set(why, STATUS_SYSTEM, "out of memory");
	enum status status = facts_open(verify, name, &file, why);
	if (status)
		goto end;
	while (!status && facts_next(file, &line, &size, &number))
		status = compare(verify, line, number, tallies, why);
	status = status ? status : facts_end(verify, name, file, why);
	free(line);
	fclose(file);
	if (!status)
		tallies_tell(verify, tallies, what);
end:
	free(tallies);
	return status;
}

/* Compares the counts of ROW, one by one. */
static enum status perft_compare(const struct perft_row *row, int line, struct agreements *tallies,
				 struct why *why)
{
	static const char *const names[] = {"states",  "terminal", "pairs",	"afterstates",
					    "rewards", "leaves",   "leaf_score"};
	struct game game;
	struct perft perft;
	enum status status = game_init(&game, &(struct game_options){.start = row->position}, why);
	if (!status)
		status = perft_count(&game, &game.start, (int)row->plies, &perft, why);
	if (status)
		return status;
	const struct perft *want = &row->perft;
	const uint64_t got[] = {perft.states,  perft.terminal, perft.pairs,	perft.afterstates,
				perft.rewards, perft.leaves,   perft.leaf_score};
	const uint64_t wanted[] = {want->states,      want->terminal, want->pairs,
				   want->afterstates, want->rewards,  want->leaves,
				   want->leaf_score};
	for (int i = 0; i < 7; i++)
		agree_add(&tallies->of[game.rows][game.cols], got[i] == wanted[i],
			  "perft.txt:%d: %s are %" PRIu64 ", not %" PRIu64, line, names[i], got[i],
			  wanted[i]);
	return STATUS_OK;
}

/* One line of perft.txt. */
static enum status perft_line(struct verify *verify, char *line, int number,
			      struct agreements *tallies, struct why *why)
{
	struct perft_row row;
	if (!perft_read(line, &row))
		return line_refuse(verify, "perft.txt", number,
				   "SHAPE BOARD and eight whole numbers", why);
	if (strstr(row.shape, "1x") == row.shape) /* nxn has no single lines */
		return STATUS_OK;
	return perft_compare(&row, number, tallies, why);
}

enum status verify_perft(struct verify *verify, struct why *why)
{
	return lines_compare(verify, "perft.txt", perft_line, "counts of brute force", why);
}

/* A row of expectimax.txt. */
struct search_row {
	const char *leaf, *position, *best;
	uint64_t depth;
	double value, q[DIRECTIONS];
};

static bool search_read(char *line, struct search_row *row)
{
	char *word[WORDS_MAX];
	if (words_split(line, word) != 10 || !atomic_file_read(word[3], &row->depth) ||
	    !real_read(word[4], &row->value) || row->depth < 1 || row->depth > 64)
		return false;
	row->leaf = word[0];
	row->position = word[2];
	row->best = word[5];
	for (int d = 0; d < DIRECTIONS; d++) {
		row->q[d] = NAN;
		if (strcmp(word[6 + d], "-") != 0 && !real_read(word[6 + d], &row->q[d]))
			return false;
	}
	return strcmp(row->leaf, "zero") == 0 || strcmp(row->leaf, "empty") == 0;
}

/* Rounded to 12 digits in the file. */
static bool real_agrees(double got, double wanted)
{
	return isnan(wanted) ? isnan(got) : fabs(got - wanted) <= 1e-9 * fmax(1, fabs(wanted));
}

/* Compares the values of the moves and the move that is played. */
static enum status search_compare(const struct search_row *row, int line,
				  struct agreements *tallies, struct why *why)
{
	char spec[160];
	struct game game;
	struct agent *agent;
	struct turn turn;
	struct decision decision;
	struct rng rng;
	int move = -1;
	snprintf(spec, sizeof spec,
		 "expectimax:depth=%" PRIu64 ",cutoff=0,terminal=0,rewards=1,value=%s", row->depth,
		 strcmp(row->leaf, "zero") == 0 ? "score" : "empty");
	enum status status = game_init(&game, &(struct game_options){.start = row->position}, why);
	const struct agent_env env = {.game = &game};
	if (!status)
		status = agent_new(spec, &env, &agent, why);
	if (status)
		return status;
	rng_init(&rng, 0, RNG_AGENT, 0);
	decision_init(&decision);
	turn_init(&turn, &game, &game.start, 0);
	if (turn.moves.legal)
		move = agent->class->act(agent->self, &turn, &rng, &decision);
	agent_free(agent);
	struct agreement *tally = &tallies->of[game.rows][game.cols];
	for (int d = 0; d < DIRECTIONS; d++)
		agree_add(tally, real_agrees(decision.value[d], row->q[d]),
			  "expectimax.txt:%d: %c is worth %.12g, not %.12g", line, "URDL"[d],
			  decision.value[d], row->q[d]);
	agree_add(tally, strchr(row->best, move < 0 ? '-' : "URDL"[move]) != NULL,
		  "expectimax.txt:%d: plays %c, not one of %s", line, move < 0 ? '-' : "URDL"[move],
		  row -> best);
	return STATUS_OK;
}

/* One line of expectimax.txt. */
static enum status search_line(struct verify *verify, char *line, int number,
			       struct agreements *tallies, struct why *why)
{
	struct search_row row;
	if (search_read(line, &row))
		return search_compare(&row, number, tallies, why);
	return line_refuse(verify, "expectimax.txt", number,
			   "LEAF SHAPE BOARD d V BEST and four values", why);
}

enum status verify_expectimax(struct verify *verify, struct why *why)
{
	return lines_compare(verify, "expectimax.txt", search_line,
			     "values of moves and moves, to 1e-9", why);
}
