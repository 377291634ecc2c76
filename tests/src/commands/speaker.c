/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that speaks the protocol of docs/conformance.md, for tests of nxn: its rules are those
 * of boards/oracle.h, or with one of them broken, which the first argument names. The second one is
 * what its hello says that it can do.
 */
#include "agents/external/protocol.h"
#include "boards/oracle.h"

#include <endian.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 4096 };

static void tiles_pack(int *line, int n)
{
	int used = 0;
	for (int i = 0; i < n; i++)
		if (line[i])
			line[used++] = line[i];
	while (used < n)
		line[used++] = 0;
}

static uint64_t pair_merge(int *line, int i)
{
	line[i]++;
	line[i + 1] = 0;
	return (uint64_t)1 << line[i];
}

/* What was merged merges again: 4,2,2 becomes 8. */
static uint64_t line_again(int *line, int n)
{
	uint64_t points = 0;
	tiles_pack(line, n);
	for (int i = 0; i + 1 < n; i++)
		if (line[i] && line[i] == line[i + 1]) {
			points += pair_merge(line, i);
			tiles_pack(line, n);
			i = -1;
		}
	return points;
}

/* The pair far from the wall merges first: 2,2,2 becomes 2,4. */
static uint64_t line_far(int *line, int n)
{
	uint64_t points = 0;
	tiles_pack(line, n);
	for (int i = n - 2; i >= 0; i--)
		if (line[i] && line[i] == line[i + 1])
			points += pair_merge(line, i--);
	tiles_pack(line, n);
	return points;
}

/* One pair of a line merges: 2,2,2,2 becomes 4,2,2. */
static uint64_t line_once(int *line, int n)
{
	tiles_pack(line, n);
	for (int i = 0; i + 1 < n; i++)
		if (line[i] && line[i] == line[i + 1]) {
			uint64_t points = pair_merge(line, i);
			tiles_pack(line, n);
			return points;
		}
	return 0;
}

/* Neighbours merge before the tiles slide: 2,0,2 becomes 2,2. */
static uint64_t line_hasty(int *line, int n)
{
	uint64_t points = 0;
	for (int i = 0; i + 1 < n; i++)
		if (line[i] && line[i] == line[i + 1])
			points += pair_merge(line, i);
	tiles_pack(line, n);
	return points;
}

static void directions_swap(struct moves *moves, int a, int b)
{
	const struct moves right = *moves;
	const unsigned others = right.legal & ~(1u << a | 1u << b);
	moves->after[a] = right.after[b];
	moves->after[b] = right.after[a];
	moves->reward[a] = right.reward[b];
	moves->reward[b] = right.reward[a];
	moves->legal = others | (right.legal >> b & 1) << a | (right.legal >> a & 1) << b;
}

/* Spawns a 2 in the first empty cell. */
static void cell_fill(const struct game *game, struct board *board)
{
	uint8_t cells[CELLS_MAX];
	if (board_empty_cells(game, board, cells))
		*board_at(board, cells[0]) = 1;
}

static void tiles_saturate(struct board *board)
{
	for (int r = 0; r < SIDE_MAX; r++)
		for (int c = 0; c < ROW_BYTES; c++)
			if (board->cell[r][c] > 15)
				board->cell[r][c] = 15;
}

/* What is wrong with one direction D of MOVES. */
static void move_break(const char *fault, const struct game *game, const struct board *board, int d,
		       struct moves *moves)
{
	if (strcmp(fault, "reward-none") == 0)
		moves->reward[d] = 0;
	else if (strcmp(fault, "reward-half") == 0)
		moves->reward[d] /= 2;
	else if (strcmp(fault, "reward-16-bits") == 0)
		moves->reward[d] &= 0xffff;
	else if (strcmp(fault, "idle-legal") == 0)
		moves->legal |= 1u << d;
	else if (strcmp(fault, "slides-illegal") == 0 && !moves->reward[d])
		moves->legal &= ~(1u << d);
	else if (strcmp(fault, "saturates") == 0)
		tiles_saturate(&moves->after[d]);
	else if (strcmp(fault, "spawns") == 0 && moves->legal >> d & 1)
		cell_fill(game, &moves->after[d]);
	else if (strcmp(fault, "stays") == 0)
		moves->after[d] = *board;
}

static void rules(const char *fault, const struct game *game, const struct board *board,
		  struct moves *moves)
{
	static const struct {
		const char *fault;
		uint64_t (*slide)(int *line, int n);
	} lines[] = {{"merges-again", line_again},
		     {"merges-far", line_far},
		     {"merges-once", line_once},
		     {"merges-hasty", line_hasty}};
	oracle_moves(game, board, moves);
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		if (strcmp(fault, lines[i].fault) == 0)
			oracle_moves_by(game, board, lines[i].slide, moves);
	for (int d = 0; d < DIRECTIONS; d++)
		move_break(fault, game, board, d, moves);
	if (strcmp(fault, "up-is-down") == 0)
		directions_swap(moves, UP, DOWN);
	if (strcmp(fault, "right-is-left") == 0)
		directions_swap(moves, RIGHT, LEFT);
}

static void answer_moves(const char *fault, const struct game *game, const struct board *board)
{
	struct moves moves;
	char after[BOARD_TEXT_MAX];
	rules(fault, game, board, &moves);
	printf("moves");
	for (int d = 0; d < DIRECTIONS; d++) {
		board_format(game, &moves.after[d], after);
		if (moves.legal >> d & 1)
			printf(" %" PRIu64 ":%s", moves.reward[d], after);
		else
			printf(" -");
	}
	putchar('\n');
}

/* The first legal move, or the first that is not. */
static void answer_act(const char *fault, const struct game *game, const struct board *board)
{
	struct moves moves;
	oracle_moves(game, board, &moves);
	const unsigned fit = strcmp(fault, "acts-illegally") ? moves.legal : ~moves.legal & 15;
	printf("act %c\n", "URDL"[fit ? __builtin_ctz(fit) : 0]);
}

/* The number of empty cells. */
static void answer_value(const char *fault, const struct game *game, const struct board *board)
{
	if (strcmp(fault, "no-number") == 0)
		puts("value much");
	else if (strcmp(fault, "infinite") == 0)
		puts("value inf");
	else if (strcmp(fault, "two-numbers") == 0)
		puts("value 1 2");
	else
		printf("value %d\n", board_empty(game, board));
}

/* A game of its own. */
struct own {
	struct game game;
	struct observation seen;
	struct rng rng;
	uint32_t turn[CELLS_MAX + 1]; /* of the cells, by their number */
};

/*
 * A new tile in one of the first COUNT empty cells. With the fault stale-empty it is the number of
 * empty cells before the move, as in PufferLib's g2048 until 2026 (its issue 491): none appears
 * after a merge on a full board, and the last cells that a merge has made empty get none.
 */
static void tile_spawn(const char *fault, struct own *own, int count)
{
	uint8_t cells[CELLS_MAX];
	const double fours = strcmp(fault, "fours-often") ? 0.1 : 0.2;
	struct board *board = &own->seen.board;
	const int empty = board_empty_cells(&own->game, board, cells);
	if (strcmp(fault, "stale-empty"))
		count = empty;
	if (strcmp(fault, "first-cell") == 0)
		count = 1;
	if (count == 0 || strcmp(fault, "no-tile") == 0)
		return;
	uint32_t cell = rng_below(&own->rng, (uint32_t)count);
	if (strcmp(fault, "takes-turns") == 0)
		cell = own->turn[count]++ % (uint32_t)count;
	if (strcmp(fault, "odd-cells-less") == 0 && cell % 2)
		cell -= rng_below(&own->rng, 8) == 0;
	*board_at(board, cells[cell]) = rng_real(&own->rng) < fours ? 2 : 1;
	if (strcmp(fault, "two-tiles") == 0 && empty > 1)
		board_spawn(&own->game, board, &own->rng);
}

/*
 * The legal moves of the position; with the fault mask-before those of before the new tile, as in
 * jumanji's Game2048 until 2023 (its issue 127).
 */
static unsigned legal_of(const struct own *own, const struct board *board)
{
	struct moves moves;
	oracle_moves(&own->game, board, &moves);
	return moves.legal;
}

static void answer_start(const char *fault, struct own *own, uint64_t seed)
{
	rng_init(&own->rng, seed, RNG_TEST, 0);
	own->seen = (struct observation){.score = strcmp(fault, "score-stays") ? 0 : 8};
	for (int i = strcmp(fault, "one-start") ? 0 : 1; i < own->game.start_tiles; i++)
		tile_spawn(strcmp(fault, "start-corner") || i ? fault : "first-cell", own,
			   own->game.cells - i);
	own->seen.legal = legal_of(own, &own->seen.board);
}

static void answer_step(const char *fault, struct own *own, int d)
{
	struct moves moves;
	const int stale = board_empty(&own->game, &own->seen.board);
	rules(fault, &own->game, &own->seen.board, &moves);
	own->seen.board = moves.after[d];
	own->seen.score += strcmp(fault, "score-wrong") ? moves.reward[d] : 4;
	own->seen.legal = legal_of(own, &own->seen.board);
	tile_spawn(fault, own, stale);
	if (strcmp(fault, "mask-before"))
		own->seen.legal = legal_of(own, &own->seen.board);
}

static void real_put(double real)
{
	uint64_t bits;
	memcpy(&bits, &real, sizeof bits);
	bits = htole64(bits);
	fwrite(&bits, sizeof bits, 1, stdout);
}

/* Position I of those at BYTES. */
static void cells_take(const struct game *game, const uint8_t *bytes, size_t i, struct board *board)
{
	*board = (struct board){0};
	for (int r = 0; r < game->rows; r++)
		memcpy(board->cell[r], bytes + i * (size_t)game->cells + (size_t)(r * game->cols),
		       (size_t)game->cols);
}

/*
 * A frame of N positions: the first legal move of each, with chances of 1/4 of every direction, or
 * the number of empty cells.
 */
static void answer_frame(const char *fault, const struct game *game, const char *word, size_t n)
{
	const bool acts = strcmp(word, "acts") == 0, none = strcmp(fault, "no-chances") == 0,
		   huge = strcmp(fault, "huge-chances") == 0,
		   chances = none || huge || strcmp(fault, "chances") == 0;
	uint8_t *bytes = malloc(n * (CELLS_MAX + 4));
	struct board board;
	struct moves moves;
	if (!bytes || fread(bytes, (size_t)game->cells + (acts ? 4 : 0), n, stdin) != n) {
		free(bytes);
		return;
	}
	printf("%s %zu%s\n", word, strcmp(fault, "other-number") ? n : n + 1,
	       acts && chances ? " chances" : "");
	for (size_t i = 0; i < n; i++) {
		cells_take(game, bytes, i, &board);
		oracle_moves(game, &board, &moves);
		if (!acts)
			real_put(strcmp(fault, "infinite") ? (double)board_empty(game, &board)
							   : (double)INFINITY);
		else if (strcmp(fault, "no-move") == 0)
			putchar(4);
		else
			putchar(__builtin_ctz(strcmp(fault, "acts-illegally") ? moves.legal
									      : ~moves.legal));
	}
	for (size_t i = 0; acts && chances && i < 4 * n; i++)
		real_put(none ? 0 : huge ? DBL_MAX : 0.25);
	if (strcmp(fault, "too-much") == 0)
		putchar('x');
	free(bytes);
}

/* `new`, `start`, `step`, `acts` and `values`; false if it is none of them. */
static bool answer_game(const char *fault, const char *word, const char *text)
{
	static struct own own;
	struct why why;
	char line[PROGRAM_LINE_MAX];
	if (strcmp(word, "new") == 0) {
		if (game_init(&own.game, &(struct game_options){.shape = text}, &why))
			printf("error %s\n", why.text);
		else
			puts("new");
		return true;
	}
	if (strcmp(word, "start") == 0)
		answer_start(fault, &own, strtoull(text, NULL, 10));
	else if (strcmp(word, "step") == 0)
		answer_step(fault, &own, (int)(strchr("URDL", *text) - "URDL"));
	else if (strcmp(word, "acts") == 0 || strcmp(word, "values") == 0) {
		answer_frame(fault, &own.game, word, strtoull(text, NULL, 10));
		return true;
	} else
		return false;
	protocol_seen_format(&own.game, word, &own.seen, line);
	puts(line);
	return true;
}

static void answer(const char *fault, const char *can, char *line)
{
	struct game game;
	struct board board;
	struct why why;
	int rows, cols;
	char shape[8], *word = strtok(line, " \n"), *text = strtok(NULL, " \n");
	if (word && strcmp(word, "hello") == 0)
		printf("hello 1 %s\n", can);
	else if (word && text && answer_game(fault, word, text))
		return;
	else if (!word || (strcmp(word, "moves") && strcmp(word, "act") && strcmp(word, "value")))
		puts(strcmp(fault, "agrees") ? "error no such request" : "moves - - - -");
	else if (!text || board_parse(text, &board, &rows, &cols, &why))
		puts("error no such position");
	else {
		snprintf(shape, sizeof shape, "%dx%d", rows, cols);
		if (game_init(&game, &(struct game_options){.shape = shape}, &why))
			printf("error %s\n", why.text);
		else if (strcmp(word, "act") == 0)
			answer_act(fault, &game, &board);
		else if (strcmp(word, "value") == 0)
			answer_value(fault, &game, &board);
		else
			answer_moves(fault, &game, &board);
	}
}

int main(int argc, char **argv)
{
	char line[LINE_BYTES];
	const char *fault = argc > 1 ? argv[1] : "none";
	while (fgets(line, sizeof line, stdin) && strcmp(line, "quit\n") != 0) {
		answer(fault, argc > 2 ? argv[2] : "moves act", line);
		fflush(stdout);
	}
	return 0;
}
