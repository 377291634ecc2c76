/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks against lines of an independent program, which docs/conformance.md defines: counts of
 * brute force, values of searches. A line that cannot be read is an error in the file, not a
 * failed check.
 */
#include "src/verify/verify.h"

#include "agents/play.h"
#include "boards/perft.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Every shape that a file has gets a line of the report: tallies by rows and columns. */
struct line_tallies {
	const struct verify *verify;
	struct agreement of[SIDE_MAX + 1][SIDE_MAX + 1];
};

/* COMPARE on every line of the file NAME; then a line of the report for each shape. */
static enum status lines_compare(struct verify *verify, const char *name,
				 enum status (*compare)(void *tallies, char *line, int number,
							struct why *why),
				 const char *what, struct why *why)
{
	struct line_tallies *tallies = calloc(1, sizeof *tallies);
	if (!tallies)
		return why_set(why, STATUS_SYSTEM, "out of memory");
	tallies->verify = verify;
	enum status status = facts_each(verify, name, compare, tallies, why);
	for (int r = SIDE_MIN; !status && r <= SIDE_MAX; r++)
		for (int c = SIDE_MIN; c <= SIDE_MAX; c++)
			if (tallies->of[r][c].all)
				verify_tally(verify, &tallies->of[r][c], "%dx%d: %s", r, c, what);
	free(tallies);
	return status;
}

/* The counts of a row of perft.txt, in its order. */
enum { PERFT_COUNTS = 7 };

static const struct {
	const char *name;
	size_t offset; /* in struct perft */
} perft_counts[PERFT_COUNTS] = {
    {"states", offsetof(struct perft, states)},
    {"terminal", offsetof(struct perft, terminal)},
    {"pairs", offsetof(struct perft, pairs)},
    {"afterstates", offsetof(struct perft, afterstates)},
    {"rewards", offsetof(struct perft, rewards)},
    {"leaves", offsetof(struct perft, leaves)},
    {"leaf_score", offsetof(struct perft, leaf_score)},
};

/* Compares the counts behind POSITION and PLIES in a line. */
static enum status perft_compare(const char *position, uint64_t plies,
				 const uint64_t wanted[PERFT_COUNTS], int line,
				 struct line_tallies *tallies, struct why *why)
{
	struct game game;
	struct perft perft;
	enum status status = game_init(&game, &(struct game_options){.start = position}, why);
	if (!status)
		status = perft_count(&game, &game.start, (int)plies, &perft, why);
	if (status)
		return status;
	for (int i = 0; i < PERFT_COUNTS; i++) {
		uint64_t got;
		memcpy(&got, (const char *)&perft + perft_counts[i].offset, sizeof got);
		agree_add(&tallies->of[game.rows][game.cols], got == wanted[i],
			  "perft.txt:%d: %s are %" PRIu64 ", not %" PRIu64, line,
			  perft_counts[i].name, got, wanted[i]);
	}
	return STATUS_OK;
}

/* One line of perft.txt. */
static enum status perft_line(void *context, char *line, int number, struct why *why)
{
	struct line_tallies *tallies = context;
	char *word[WORDS_MAX];
	uint64_t plies = 0, wanted[PERFT_COUNTS];
	bool sound = words_split(line, word) == 3 + PERFT_COUNTS && word_count(word[2], &plies) &&
		     plies <= INT32_MAX;
	for (int i = 0; sound && i < PERFT_COUNTS; i++)
		sound = word_count(word[3 + i], &wanted[i]);
	if (!sound)
		return facts_refuse(tallies->verify, "perft.txt", number,
				    "SHAPE BOARD and eight whole numbers", why);
	if (strstr(word[0], "1x") == word[0]) /* nxn has no single lines */
		return STATUS_OK;
	return perft_compare(word[1], plies, wanted, number, tallies, why);
}

enum status verify_perft(struct verify *verify, const struct verify_board *board, struct why *why)
{
	(void)board;
	return lines_compare(verify, "perft.txt", perft_line, "counts of brute force", why);
}

/* A row of expectimax.txt. */
struct search_line {
	const char *leaf, *position, *best;
	uint64_t depth;
	double value, q[DIRECTIONS];
};

static bool search_read(char *line, struct search_line *row)
{
	char *word[WORDS_MAX];
	if (words_split(line, word) != 10 || !word_count(word[3], &row->depth) ||
	    !word_real(word[4], &row->value) || row->depth < 1 || row->depth > 64)
		return false;
	row->leaf = word[0];
	row->position = word[2];
	row->best = word[5];
	for (int d = 0; d < DIRECTIONS; d++) {
		row->q[d] = NAN;
		if (strcmp(word[6 + d], "-") != 0 && !word_real(word[6 + d], &row->q[d]))
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
static enum status search_compare(const struct search_line *row, int line,
				  struct line_tallies *tallies, struct why *why)
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
static enum status search_line(void *context, char *line, int number, struct why *why)
{
	struct line_tallies *tallies = context;
	struct search_line row;
	if (search_read(line, &row))
		return search_compare(&row, number, tallies, why);
	return facts_refuse(tallies->verify, "expectimax.txt", number,
			    "LEAF SHAPE BOARD d V BEST and four values", why);
}

enum status verify_expectimax(struct verify *verify, const struct verify_board *board,
			      struct why *why)
{
	(void)board;
	return lines_compare(verify, "expectimax.txt", search_line,
			     "values of moves and moves, to 1e-9", why);
}
