/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Positions; see positions.h.
 *
 * One position is sampled per game, so that positions are independent, as intervals over them
 * require. Its move is chosen during the game (reservoir sampling, Vitter, Random sampling with a
 * reservoir, ACM TOMS 11, 1985, for a sample of one): the position of move t replaces the one kept
 * with probability 1/t.
 */
#include "src/measure/positions.h"

#include "base/file.h"
#include "base/lines.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "src/games/pool.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Sets, and files of them. */

/* Appends BOARD unless SET has it up to symmetry. Returns whether it was added. */
static bool positions_add(struct positions *set, const struct game *game, const struct board *board)
{
	struct position new = {.board = *board};
	board_canonical(game, board, &new.canonical);
	for (size_t i = 0; i < set->n; i++)
		if (board_equal(&set->position[i].canonical, &new.canonical))
			return false;
	set->position = xgrow(set->position, set->n, sizeof new);
	set->position[set->n++] = new;
	return true;
}

void positions_fini(struct positions *set)
{
	free(set->position);
	*set = (struct positions){0};
}

/* Adds the position TEXT to the set of its shape, if one of the COUNT games has it. */
static enum status text_add(struct positions *sets, const struct game *const *games, size_t count,
			    const char *text, struct why *why)
{
	struct board board;
	int rows, cols;
	enum status status = board_parse(text, &board, &rows, &cols, why);
	if (status)
		return status;
	size_t i = 0;
	while (i < count && (games[i]->rows != rows || games[i]->cols != cols))
		i++;
	if (i == count)
		return STATUS_OK;
	status = board_read(games[i], text, &board, why);
	if (status)
		return status;
	if (games[i]->over(&board))
		return why_set(why, STATUS_INPUT, "position %s has no legal move", text);
	if (sets[i].n == POSITIONS_MAX)
		return why_set(why, STATUS_INPUT, "position %s: expected at most %d of %s", text,
			       POSITIONS_MAX, games[i]->name);
	if (!positions_add(&sets[i], games[i], &board))
		return why_set(why, STATUS_INPUT,
			       "position %s is there already, perhaps turned or mirrored", text);
	return STATUS_OK;
}

enum status positions_read(struct positions *sets, const struct game *const *games, size_t count,
			   const char *path, struct why *why)
{
	struct lines lines;
	enum status status = lines_open_stream(&lines, path, why);
	if (status)
		return status;
	while (!status && lines_next(&lines, &status, why)) {
		struct why reason;
		while (lines.length > 0 && strchr(" \t", lines.text[lines.length - 1]))
			lines.text[--lines.length] = '\0';
		if (*lines.text && *lines.text != '#')
			status = text_add(sets, games, count, lines.text, &reason);
		if (status)
			why_set(why, status, "%s:%zu: %s", path, lines.number, reason.text);
	}
	lines_close(&lines);
	for (size_t i = 0; !status && i < count; i++)
		if (!sets[i].n)
			status = why_set(why, STATUS_INPUT, "%s: holds no position of %s", path,
					 games[i]->name);
	for (size_t i = 0; status && i < count; i++)
		positions_fini(&sets[i]);
	return status;
}

/* ---- Sampling. */

/* The heuristic one move ahead: fast, and as good as a weak human. It uses no table. */
static const char positions_player[] = "expectimax:depth=1,tt=0,tuned=1";

enum { GAMES_A_POSITION = 50 };

/* The position kept of a game in progress. */
struct reservoir {
	const struct pool *pool;
	struct rng rng;
	struct board *kept;
	uint32_t moves;
};

static bool reservoir_move(void *context, const struct turn *turn, int move,
			   const struct decision *decision)
{
	struct reservoir *r = context;
	(void)move;
	(void)decision;
	if (rng_below(&r->rng, ++r->moves) == 0)
		*r->kept = *turn->board;
	return !pool_ending(r->pool);
}

/* Games FIRST, FIRST + 1, ... as a job: the position of game FIRST + i goes to kept[i]. */
struct sample_round {
	struct job job;
	struct pool *pool;
	uint64_t seed, first;
	struct instances players;
	struct board *kept; /* unchanged for a game without a move */
};

static enum status round_run(struct job *job, uint64_t unit, int thread, struct why *why)
{
	struct sample_round *round = (struct sample_round *)job;
	struct agent *agent;
	struct outcome outcome;
	struct reservoir reservoir = {.pool = round->pool, .kept = &round->kept[unit]};
	struct play_watch watch = {.move = reservoir_move, .context = &reservoir};
	uint64_t index = round->first + unit;
	enum status status = instances_get(&round->players, thread, &agent, why);
	if (status)
		return status;
	rng_init(&reservoir.rng, round->seed, RNG_SAMPLE, index);
	return play_game(agent, round->seed, index, &watch, &outcome) ? STATUS_OK : STATUS_STOPPED;
}

/* Plays a game for each position that is missing of N, and adds the new positions. */
static enum status round_play(struct sample_round *round, struct positions *set, size_t n,
			      struct why *why)
{
	const struct game *game = round->players.game;
	const size_t games = n - set->n;
	round->job = (struct job){.run = round_run, .end = games};
	round->pool = pool_new(round->players.threads);
	for (size_t i = 0; i < games; i++)
		round->kept[i] = (struct board){0};
	pool_add(round->pool, &round->job);
	enum status status = pool_run(round->pool, NULL, why);
	for (size_t i = 0; !status && i < games; i++)
		if (!game->over(&round->kept[i]))
			positions_add(set, game, &round->kept[i]);
	round->first += games;
	return status;
}

enum status positions_sample(struct positions *set, const struct game *game, size_t n,
			     uint64_t seed, int threads, struct why *why)
{
	struct sample_round round = {
	    .seed = seed,
	    .kept = xcalloc(n, sizeof(struct board)),
	};
	enum status status = STATUS_OK;
	instances_init(&round.players, game, positions_player, threads);
	while (!status && set->n < n && round.first < (uint64_t)GAMES_A_POSITION * n)
		status = round_play(&round, set, n, why);
	if (!status && set->n < n)
		status = why_set(why, STATUS_INPUT,
				 "positions: %zu games on %s have only %zu different positions "
				 "instead of %zu",
				 (size_t)round.first, game->name, set->n, n);
	instances_fini(&round.players);
	free(round.kept);
	if (status)
		positions_fini(set);
	return status;
}

/* ---- The sampled positions as a file, as --positions and nxn eval read them. */

/* Far more than sampled positions take. */
enum { POSITIONS_BYTES = 1 << 30 };

void positions_source(size_t n, uint64_t seed, char *text, size_t size)
{
	snprintf(text, size, "%zu of each board, one per game of %s with seed %" PRIu64, n,
		 positions_player, seed);
}

/* Returns the positions as text, on the heap. */
static char *text_make(const struct positions *sets, const struct game *const *games, size_t count,
		       uint64_t seed)
{
	char source[256], board[BOARD_TEXT_MAX], *text;
	size_t size;
	FILE *out = xstream_open(&text, &size);
	positions_source(sets->n, seed, source, sizeof source);
	fprintf(out, "# %s\n", source);
	for (size_t b = 0; b < count; b++)
		for (size_t i = 0; i < sets[b].n; i++) {
			board_format(games[b], &sets[b].position[i].board, board);
			fprintf(out, "%s\n", board);
		}
	xstream_close(out);
	return text;
}

/* The text after the comments at the beginning of TEXT. */
static const char *comments_skip(const char *text)
{
	while (*text == '#')
		text += strcspn(text, "\n") + (text[strcspn(text, "\n")] == '\n');
	return text;
}

/* Whether TEXT begins like a file of sampled positions; see positions_source(). */
static bool is_sampled(const char *text)
{
	int length = 0;
	sscanf(text, "# %*u of each board, one %*[a-z] game of %n", &length);
	return length > 0;
}

/* Sets *KEPT if PATH has the positions of TEXT. STATUS_INPUT if it must not be replaced. */
static enum status existing_check(const char *path, const char *text, bool *kept, struct why *why)
{
	char *there;
	size_t size;
	*kept = false;
	if (access(path, F_OK) != 0)
		return STATUS_OK;
	enum status status = file_read(path, POSITIONS_BYTES, &there, &size, why);
	if (status)
		return status;
	lines_normalize(there, size);
	*kept = strcmp(comments_skip(there), comments_skip(text)) == 0;
	if (!*kept && size && !is_sampled(there))
		status = why_set(why, STATUS_INPUT,
				 "%s: exists and is not what nxn sweep wrote; expected that, or "
				 "none",
				 path);
	free(there);
	return status;
}

enum status positions_leave(const struct positions *sets, const struct game *const *games,
			    size_t count, uint64_t seed, const char *directory, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	bool kept;
	FILE *file;
	enum status status = path_format(path, why, "%s/positions.txt", directory);
	status = status ? status : link_refuse(path, "a file", why);
	if (status)
		return status;
	char *text = text_make(sets, games, count, seed);
	status = existing_check(path, text, &kept, why);
	if (!status && !kept)
		status = part_create(path, &file, why);
	if (!status && !kept) {
		fputs(text, file);
		status = part_finish(file, path, STATUS_OK, why);
	}
	free(text);
	return status;
}
