/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Positions of a sweep: read from a file, or sampled from games and left as one; see
 * sweep_positions.h.
 *
 * One position a game, so that they are independent, as intervals over them require. Which move of
 * a game it is, is decided while the game is played (reservoir sampling, Vitter, Random sampling
 * with a reservoir, ACM TOMS 11, 1985, for a sample of one): move t takes the place of the position
 * kept with probability 1/t.
 */
#include "src/run/sweep_positions.h"

#include "base/append.h"
#include "base/file.h"
#include "base/text.h"
#include "src/run/pool.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Sets, and files of them. */

static enum status set_grow(struct positions *set, struct why *why)
{
	size_t room = set->room ? 2 * set->room : 64;
	struct position *grown = aligned_alloc(_Alignof(struct position), room * sizeof *grown);
	if (!grown)
		return why_errno(why, "%zu positions", room);
	if (set->n)
		memcpy(grown, set->position, set->n * sizeof *grown);
	free(set->position);
	set->position = grown;
	set->room = room;
	return STATUS_OK;
}

/* Appends BOARD unless an image of it is there; whether it was ADDED. STATUS_SYSTEM: memory. */
static enum status positions_add(struct positions *set, const struct game *game,
				 const struct board *board, bool *added, struct why *why)
{
	struct position new = {.board = *board};
	board_canonical(game, board, &new.canonical);
	*added = false;
	for (size_t i = 0; i < set->n; i++)
		if (board_equal(&set->position[i].canonical, &new.canonical))
			return STATUS_OK;
	enum status status = set->n < set->room ? STATUS_OK : set_grow(set, why);
	if (status)
		return status;
	*added = true;
	set->position[set->n++] = new;
	return STATUS_OK;
}

void positions_fini(struct positions *set)
{
	free(set->position);
	*set = (struct positions){0};
}

/* Adds the position TEXT to the set of its shape, if it is one of COUNT. */
static enum status text_add(struct positions *sets, const struct game *const *games, size_t count,
			    const char *text, struct why *why)
{
	struct board board;
	bool added;
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
	status = positions_add(&sets[i], games[i], &board, &added, why);
	if (!status && !added)
		status = why_set(why, STATUS_INPUT,
				 "position %s is there already, perhaps turned or mirrored", text);
	return status;
}

static enum status lines_read(struct positions *sets, const struct game *const *games, size_t count,
			      FILE *in, const char *path, struct why *why)
{
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	enum status status = STATUS_OK;
	for (size_t n = 1; !status && (length = getline(&line, &size, in)) > 0; n++) {
		struct why reason;
		if (line[length - 1] != '\n' && lines_cut_short(in))
			break;
		if (strlen(line) != (size_t)length) {
			status = why_set(why, STATUS_INPUT, "%s:%zu: holds a NUL", path, n);
			break;
		}
		while (length > 0 && strchr(" \t\r\n", line[length - 1]))
			line[--length] = '\0';
		if (*line && *line != '#')
			status = text_add(sets, games, count, line, &reason);
		if (status)
			why_set(why, status, "%s:%zu: %s", path, n, reason.text);
	}
	if (!status && lines_cut_short(in))
		status = why_file(why, path, NULL);
	free(line);
	return status;
}

enum status positions_read(struct positions *sets, const struct game *const *games, size_t count,
			   const char *path, struct why *why)
{
	FILE *in = fopen(path, "r");
	if (!in) {
		bool missing = errno == ENOENT || errno == ENOTDIR;
		why_errno(why, "%s", path);
		return missing ? STATUS_INPUT : STATUS_SYSTEM;
	}
	enum status status = lines_read(sets, games, count, in, path, why);
	fclose(in);
	for (size_t i = 0; !status && i < count; i++)
		if (!sets[i].n)
			status = why_set(why, STATUS_INPUT, "%s: holds no position of %s", path,
					 games[i]->name);
	for (size_t i = 0; status && i < count; i++)
		positions_fini(&sets[i]);
	return status;
}

/* ---- Sampling. */

/* The heuristic one move ahead: fast, and as good as a weak human. It needs no table. */
static const char positions_player[] = "expectimax:depth=1,tt=0,tuned=1";

enum { GAMES_A_POSITION = 50 };

/* A position kept of a game under way. */
struct reservoir {
	const struct pool *pool;
	struct rng rng;
	struct board kept;
	uint32_t moves;
};

static bool reservoir_move(void *context, const struct turn *turn, int move,
			   const struct decision *decision)
{
	struct reservoir *r = context;
	(void)move;
	(void)decision;
	if (rng_below(&r->rng, ++r->moves) == 0)
		r->kept = *turn->board;
	return !pool_ending(r->pool);
}

/* Games FIRST, FIRST + 1, ... as a job: the position of game FIRST + i goes to kept[i]. */
struct sample_round {
	struct job job;
	struct pool *pool;
	uint64_t seed, first;
	struct instances players;
	struct board *kept;
	bool *there; /* the game had a move */
};

static enum status round_run(struct job *job, uint64_t unit, int thread, struct why *why)
{
	struct sample_round *round = (struct sample_round *)job;
	struct agent *agent;
	struct outcome outcome;
	struct reservoir reservoir = {.pool = round->pool};
	struct play_watch watch = {.move = reservoir_move, .context = &reservoir};
	uint64_t index = round->first + unit;
	enum status status = instances_get(&round->players, thread, &agent, why);
	if (status)
		return status;
	rng_init(&reservoir.rng, round->seed, RNG_SAMPLE, index);
	if (!play_game(agent, round->seed, index, &watch, &outcome))
		return STATUS_STOPPED;
	round->there[unit] = reservoir.moves > 0;
	round->kept[unit] = reservoir.kept;
	return STATUS_OK;
}

/* Plays N games from round->first on. */
static enum status round_play(struct sample_round *round, uint64_t n, struct why *why)
{
	round->job = (struct job){.run = round_run, .end = n};
	enum status status = pool_new(round->players.threads, &round->pool, why);
	if (status)
		return status;
	pool_add(round->pool, &round->job);
	return pool_run(round->pool, NULL, why);
}

/* Plays rounds of as many games as there are positions missing. */
static enum status rounds_play(struct sample_round *round, struct positions *set, size_t n,
			       struct why *why)
{
	bool added;
	enum status status = STATUS_OK;
	while (!status && set->n < n && round->first < (uint64_t)GAMES_A_POSITION * n) {
		uint64_t games = n - set->n;
		status = round_play(round, games, why);
		for (uint64_t i = 0; !status && i < games; i++)
			if (round->there[i])
				status = positions_add(set, round->players.game, &round->kept[i],
						       &added, why);
		round->first += games;
	}
	if (!status && set->n < n)
		status = why_set(why, STATUS_INPUT,
				 "positions: %zu games on %s have only %zu different positions "
				 "instead of %zu",
				 (size_t)round->first, round->players.game->name, set->n, n);
	return status;
}

enum status positions_sample(struct positions *set, const struct game *game, size_t n,
			     uint64_t seed, int threads, struct why *why)
{
	struct sample_round round = {
	    .seed = seed,
	    .kept = aligned_alloc(_Alignof(struct board), n * sizeof(struct board)),
	    .there = calloc(n, sizeof(bool)),
	};
	struct positions made = {0};
	enum status status = instances_init(&round.players, game, positions_player, threads, why);
	if (!status && (!round.kept || !round.there))
		status = why_set(why, STATUS_SYSTEM, "out of memory for %zu positions", n);
	if (!status)
		status = rounds_play(&round, &made, n, why);
	instances_fini(&round.players);
	free(round.kept);
	free(round.there);
	if (status)
		positions_fini(&made);
	else
		*set = made;
	return status;
}

void position_late(const struct game *game, uint64_t seed, uint64_t index, struct board *board)
{
	struct rng rng;
	struct moves moves;
	struct board now;
	rng_init(&rng, seed, RNG_SAMPLE, index);
	board_start(game, &now, &rng);
	*board = now;
	for (game->moves(&now, &moves); moves.legal; game->moves(&now, &moves)) {
		int move;
		*board = now;
		do
			move = (int)rng_below(&rng, DIRECTIONS);
		while (!(moves.legal >> move & 1));
		now = moves.after[move];
		board_spawn(game, &now, &rng);
	}
}

/* ---- The sampled positions as a file, as --positions and nxn eval read them. */

/* Far more than what sampling makes. */
enum { POSITIONS_BYTES = 1 << 30 };

void positions_source(size_t n, uint64_t seed, char *text, size_t size)
{
	snprintf(text, size, "%zu of each board, one a game of %s with seed %" PRIu64, n,
		 positions_player, seed);
}

/* The positions as text, on the heap. */
static enum status text_make(const struct positions *sets, const struct game *const *games,
			     size_t count, uint64_t seed, char **text, size_t *length,
			     struct why *why)
{
	char source[256], board[BOARD_TEXT_MAX];
	FILE *out = stream_open(text, length);
	if (!out)
		return why_errno(why, "out of memory for positions");
	positions_source(sets->n, seed, source, sizeof source);
	fprintf(out, "# %s\n", source);
	for (size_t b = 0; b < count; b++)
		for (size_t i = 0; i < sets[b].n; i++) {
			board_format(games[b], &sets[b].position[i].board, board);
			fprintf(out, "%s\n", board);
		}
	return fclose(out) ? why_errno(why, "out of memory for positions") : STATUS_OK;
}

/* Where the lines behind the comments at the beginning of TEXT are. */
static const char *comments_skip(const char *text)
{
	while (*text == '#')
		text += strcspn(text, "\n") + (text[strcspn(text, "\n")] == '\n');
	return text;
}

/* Whether TEXT begins as positions_source() describes sampled positions. */
static bool is_ours(const char *text)
{
	int length = 0;
	sscanf(text, "# %*u of each board, one a game of %n", &length);
	return length > 0;
}

/* What is at PATH is to stay (*KEPT), or may be replaced, or must not. */
static enum status there_check(const char *path, const char *text, bool *kept, struct why *why)
{
	char *there;
	size_t size;
	*kept = false;
	if (access(path, F_OK) != 0)
		return STATUS_OK;
	enum status status = file_read(path, POSITIONS_BYTES, &there, &size, why);
	if (status)
		return status;
	*kept = strlen(there) == size && strcmp(comments_skip(there), comments_skip(text)) == 0;
	if (!*kept && size && !is_ours(there))
		status = why_set(why, STATUS_INPUT,
				 "%s: exists and is not what nxn sweep wrote; expected that, or "
				 "none",
				 path);
	free(there);
	return status;
}

static enum status text_store(const char *path, const char *text, size_t length, struct why *why)
{
	struct atomic_file atomic;
	enum status status = atomic_file_begin(&atomic, path, "a file of positions", why);
	if (status)
		return status;
	status = atomic_file_write(&atomic, text, length, why);
	if (!status)
		return atomic_file_commit(&atomic, why);
	atomic_file_abort(&atomic);
	return status;
}

enum status positions_leave(const struct positions *sets, const struct game *const *games,
			    size_t count, uint64_t seed, const char *directory, bool alone,
			    struct why *why)
{
	char path[FOLDER_PATH_MAX], *text = NULL;
	size_t length;
	bool kept;
	enum status status = path_format(path, why, "%s/positions.txt", directory);
	if (status)
		return status;
	if (alone)
		leftovers_remove(path);
	status = text_make(sets, games, count, seed, &text, &length, why);
	if (!status)
		status = there_check(path, text, &kept, why);
	if (!status && !kept)
		status = text_store(path, text, length, why);
	free(text);
	return status;
}
