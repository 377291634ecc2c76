/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nxn verify --against: another program held against the rules, by the protocol of
 * docs/conformance.md.
 *
 * Positions: its after-states of the boards of perft.txt and of drawn ones are compared with nxn's.
 * Games: it plays games of its own, in which nxn chooses the moves at random. Every position must
 * be the after-state and one new tile, every list of legal moves that of the position shown with
 * it, every score the one before and the points of the move. The score of a whole game is also
 * computed from its tiles alone: a tile 2^k that was made of tiles 2 is worth (k - 1) 2^k points,
 * and what appeared as 2^s came without its (s - 1) 2^s.
 *
 * Where tiles appear: the place of a new tile among the n empty cells, in reading order, is
 * uniform. Each n has its chi-squared test, since a count of empty cells that is out of date, a
 * common mistake, shows at the last of them. The start tiles of a game are taken in random order,
 * so each is such a tile, too.
 */
#include "agents/external/protocol.h"
#include "agents/play.h"
#include "analysis/stats/stats.h"
#include "base/stop.h"
#include "src/verify/verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Positions to show; what a bin of a test must expect; moves of games for one start at least. */
enum { SHOWN = 5, EXPECTED_MIN = 10, MOVES_A_START = 10 };

/* The probability of a false alarm in a line of tests. */
static const double FALSE_ALARM = 1e-5;

/* ---- Positions. */

/* ---- Another program. */

/* The program under test on one board. */
struct trial {
	struct verify *verify;
	struct program *program;
	struct ability ability;
	struct game game;
	uint64_t agreed, asked, left; /* positions; those whose tiles it cannot hold */
	uint64_t acts, legal;	      /* moves asked for, and fine */
	char shown[SHOWN][DIFFERENCE_MAX];
	int differences;	   /* in SHOWN */
	char last[BOARD_TEXT_MAX]; /* of perft.txt */
};

static void difference_keep(struct trial *t, const char *text)
{
	if (t->differences < SHOWN)
		snprintf(t->shown[t->differences++], DIFFERENCE_MAX, "%s", text);
}

/* The program's after-states of BOARD, and ours. */
static enum status trial_moves(struct trial *t, const struct board *board,
			       const struct moves *expected, struct why *why)
{
	char text[DIFFERENCE_MAX];
	struct moves found;
	enum status status = protocol_moves(t->program, &t->game, board, &found, why);
	if (status)
		return status;
	t->asked++;
	if (moves_differ(&t->game, board, &found, expected, text))
		difference_keep(t, text);
	else
		t->agreed++;
	return STATUS_OK;
}

/* The program's move in BOARD, in which there is one. */
static enum status trial_act(struct trial *t, const struct board *board,
			     const struct moves *expected, struct why *why)
{
	char position[BOARD_TEXT_MAX], text[DIFFERENCE_MAX];
	double value[DIRECTIONS];
	int move;
	enum status status =
	    protocol_act(t->program, &t->game, board, (uint32_t)t->acts, &move, value, why);
	if (status)
		return status;
	t->acts++;
	if (expected->legal >> move & 1) {
		t->legal++;
		return STATUS_OK;
	}
	board_format(&t->game, board, position);
	snprintf(text, sizeof text, "%s: plays %c, which is not legal", position, "URDL"[move]);
	difference_keep(t, text);
	return STATUS_OK;
}

/* Whether a program that can do that holds all after-states. */
static bool ability_holds(const struct ability *ability, const struct moves *moves)
{
	for (int d = 0; d < DIRECTIONS; d++)
		if (ability->largest && board_max(&moves->after[d]) > ability->largest)
			return false;
	return true;
}

static enum status trial_position(struct trial *t, const struct board *board, struct why *why)
{
	struct moves expected;
	enum status status = STATUS_OK;
	t->game.moves(board, &expected);
	if (!ability_holds(&t->ability, &expected)) {
		t->left++;
		return STATUS_OK;
	}
	if (t->ability.moves)
		status = trial_moves(t, board, &expected, why);
	if (!status && t->ability.act && expected.legal)
		status = trial_act(t, board, &expected, why);
	return status;
}

/* The boards of this shape in perft.txt, which stand in several rows one after the other. */
static enum status trial_line(void *context, char *line, int number, struct why *why)
{
	struct trial *t = context;
	struct board board;
	char shape[8], text[BOARD_TEXT_MAX];
	(void)number;
	if (sscanf(line, "%7s %504s", shape, text) != 2 || strcmp(shape, t->game.name) != 0 ||
	    strcmp(text, t->last) == 0)
		return STATUS_OK;
	snprintf(t->last, sizeof t->last, "%s", text);
	enum status status = board_read(&t->game, text, &board, why);
	return status ? status : trial_position(t, &board, why);
}

static enum status trial_drawn(struct trial *t, uint64_t positions, struct why *why)
{
	enum status status = STATUS_OK;
	for (uint64_t i = 0; !status && i < positions; i++) {
		struct board board;
		position_draw(&t->game, t->verify->seed, i, &board);
		status = trial_position(t, &board, why);
	}
	return status;
}

static void count_tell(struct trial *t, const char *what, uint64_t good, uint64_t all)
{
	char left[80] = "", found[32], expected[32];
	if (t->left)
		snprintf(left, sizeof left, " (%" PRIu64 " left out: tiles above %" PRIu64 ")",
			 t->left, UINT64_C(1) << t->ability.largest);
	snprintf(found, sizeof found, "%" PRIu64 " agree", good);
	snprintf(expected, sizeof expected, "%" PRIu64, all);
	verify_tell(t->verify, good == all && all > 0, found, expected, "%s: %s%s", t->game.name,
		    what, left);
}

static void trial_tell(struct trial *t)
{
	if (t->ability.moves)
		count_tell(t, "positions, four moves each", t->agreed, t->asked);
	if (t->ability.act)
		count_tell(t, "moves played, legal ones", t->legal, t->acts);
	for (int i = 0; i < t->differences; i++)
		printf("            %s\n", t->shown[i]);
}

static enum status positions_try(struct trial *t, uint64_t positions, struct why *why)
{
	enum status status = facts_each(t->verify, "perft.txt", trial_line, t, why);
	if (!status)
		status = trial_drawn(t, positions, why);
	if (!status)
		trial_tell(t);
	return status;
}

/* ---- Games. */

/* Where tiles appeared, by the number of empty cells before and the place among them; and kinds. */
struct tile_counts {
	uint64_t place[CELLS_MAX + 1][CELLS_MAX];
	uint64_t kind[SPAWN_KINDS_MAX];
};

/* The program's games on one board. */
struct games_trial {
	struct agreement begun, positions, points, legal, scores;
	struct tile_counts start, later;
};

/* The kind of a tile of EXPONENT, or -1. */
static int tile_kind(const struct game *game, int exponent)
{
	for (int k = 0; k < game->spawn.kinds; k++)
		if (game->spawn.exponent[k] == exponent)
			return k;
	return -1;
}

/* Counts a tile of KIND that appeared at PLACE, an empty cell of BEFORE. */
static void tile_count(const struct game *game, const struct board *before, int place, int kind,
		       struct tile_counts *counts)
{
	uint8_t cells[CELLS_MAX];
	const int n = board_empty_cells(game, before, cells);
	int i = 0;
	while (cells[i] != place)
		i++;
	counts->place[n][i]++;
	counts->kind[kind]++;
}

/* Points that the tiles of BOARD would be worth, had they all been made of tiles 2. */
static uint64_t tiles_points(const struct game *game, const struct board *board)
{
	uint64_t points = 0;
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++) {
			const int k = board->cell[r][c];
			points += k > 0 ? (uint64_t)(k - 1) << k : 0;
		}
	return points;
}

/* Whether AFTER is BEFORE and one tile, of *KIND at *PLACE. */
static bool tile_find(const struct game *game, const struct board *before,
		      const struct board *after, int *place, int *kind)
{
	struct board without = *after;
	*place = -1;
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++)
			if (!before->cell[r][c] && after->cell[r][c])
				*place = r * ROW_BYTES + c;
	if (*place < 0)
		return false;
	*kind = tile_kind(game, *board_at(&without, *place));
	*board_at(&without, *place) = 0;
	return *kind >= 0 && board_equal(&without, before);
}

/* Counts the tiles of BOARD, taken in random order; false if they are not those of a start. */
static bool start_count(const struct game *game, const struct board *board, struct rng *rng,
			struct tile_counts *counts)
{
	uint8_t place[CELLS_MAX];
	uint32_t n = 0;
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++) {
			if (!board->cell[r][c])
				continue;
			if (tile_kind(game, board->cell[r][c]) < 0)
				return false;
			place[n++] = (uint8_t)(r * ROW_BYTES + c);
		}
	if ((int)n != game->start_tiles)
		return false;
	struct board before = {0}, all = *board;
	while (n > 0) {
		const uint32_t i = rng_below(rng, n);
		const int at = place[i], exponent = *board_at(&all, at);
		place[i] = place[--n];
		tile_count(game, &before, at, tile_kind(game, exponent), counts);
		*board_at(&before, at) = (uint8_t)exponent;
	}
	return true;
}

static void legal_format(unsigned legal, char text[DIRECTIONS + 1])
{
	int n = 0;
	for (int d = 0; d < DIRECTIONS; d++)
		if (legal >> d & 1)
			text[n++] = "URDL"[d];
	if (!n)
		text[n++] = '-';
	text[n] = '\0';
}

/* What the game shows, held against the rules. */
static void seen_check(const struct game *game, const struct observation *seen,
		       const struct moves *expected, struct agreement *tally)
{
	char board[BOARD_TEXT_MAX], found[DIRECTIONS + 1], right[DIRECTIONS + 1];
	board_format(game, &seen->board, board);
	legal_format(seen->legal, found);
	legal_format(expected->legal, right);
	agree_add(tally, seen->legal == expected->legal, "%s: legal %s, expected %s", board, found,
		  right);
}

/*
 * A move D from BEFORE to AFTER; *SPAWNED gets the points of the new tile. False if there is none.
 */
static bool step_check(const struct game *game, const struct observation *before,
		       const struct moves *expected, int d, const struct observation *after,
		       struct games_trial *g, uint64_t *spawned)
{
	char from[BOARD_TEXT_MAX], to[BOARD_TEXT_MAX], right[BOARD_TEXT_MAX];
	int place, kind = 0;
	const struct board *slid = &expected->after[d];
	const uint64_t score = before->score + expected->reward[d];
	const bool found = tile_find(game, slid, &after->board, &place, &kind);
	board_format(game, &before->board, from);
	board_format(game, &after->board, to);
	board_format(game, slid, right);
	agree_add(&g->positions, found, "%s %c: %s, expected %s and one new tile", from, "URDL"[d],
		  to, right);
	agree_add(&g->points, after->score == score,
		  "%s %c: score %" PRIu64 " after %" PRIu64 ", expected %" PRIu64, from, "URDL"[d],
		  after -> score, before -> score, score);
	if (!found)
		return false;
	tile_count(game, slid, place, kind, &g->later);
	const int s = game->spawn.exponent[kind];
	*spawned += (uint64_t)(s - 1) << s;
	return true;
}

/* Begins game NUMBER. False in *WHOLE if what it begins with is wrong. */
static enum status game_begin(struct trial *t, struct games_trial *g, uint64_t number,
			      struct rng *rng, struct observation *seen, bool *whole,
			      struct why *why)
{
	char board[BOARD_TEXT_MAX];
	rng_init(rng, t->verify->seed, RNG_AGENT, number);
	enum status status = protocol_start(t->program, &t->game, rng_u32(rng), seen, why);
	if (status)
		return status;
	*whole = start_count(&t->game, &seen->board, rng, &g->start) && seen->score == 0;
	board_format(&t->game, &seen->board, board);
	agree_add(&g->begun, *whole, "%s with %" PRIu64 " points", board, seen->score);
	return STATUS_OK;
}

/* Plays game NUMBER until it is over, *LEFT moves are made, or it has left the rules. */
static enum status game_try(struct trial *t, struct games_trial *g, uint64_t number, uint64_t *left,
			    struct why *why)
{
	const struct game *game = &t->game;
	struct observation seen, next;
	struct moves expected;
	struct rng rng;
	bool whole;
	enum status status = game_begin(t, g, number, &rng, &seen, &whole, why);
	uint64_t spawned = status ? 0 : tiles_points(game, &seen.board);
	for (; !status && game_admits(game, &seen.board, NULL) == STATUS_OK; seen = next) {
		game->moves(&seen.board, &expected);
		seen_check(game, &seen, &expected, &g->legal);
		const struct moves open = {.legal = expected.legal & seen.legal};
		if (!open.legal || !*left || !ability_holds(&t->ability, &expected))
			break;
		const int d = moves_any(&open, &rng);
		status = protocol_step(t->program, game, d, &next, why);
		if (status)
			break;
		--*left;
		whole = step_check(game, &seen, &expected, d, &next, g, &spawned) && whole;
	}
	if (status || !whole)
		return status;
	char board[BOARD_TEXT_MAX];
	const uint64_t right = tiles_points(game, &seen.board) - spawned;
	board_format(game, &seen.board, board);
	agree_add(&g->scores, seen.score == right,
		  "%s at the end with %" PRIu64 " points; its tiles make %" PRIu64, board,
		  seen.score, right);
	return STATUS_OK;
}

/* The least p-value of some tests, and the count that is furthest off there. */
struct least_p {
	double p;
	int tests;
	char worst[128];
};

/*
 * Adds the test of the N counts of bins with probabilities P; KINDS: they are kinds of tiles, else
 * cells. A test in which some bin expects too little for the distribution to hold is left out.
 */
static void least_add(const struct game *game, const uint64_t *count, const double *p, int n,
		      bool kinds, struct least_p *least)
{
	double all = 0, furthest = -1;
	int worst = 0;
	for (int i = 0; i < n; i++)
		all += (double)count[i];
	for (int i = 0; i < n; i++) {
		if (all * p[i] < EXPECTED_MIN)
			return;
		const double off = fabs((double)count[i] - all * p[i]) / sqrt(all * p[i]);
		worst = off > furthest ? i : worst;
		furthest = fmax(off, furthest);
	}
	const double found = stats_chi_squared(count, p, (size_t)n);
	char bin[48];
	if (kinds)
		snprintf(bin, sizeof bin, "tile %d", 1 << game->spawn.exponent[worst]);
	else
		snprintf(bin, sizeof bin, "cell %d of %d empty ones", worst + 1, n);
	if (!least->tests || found < least->p) {
		least->p = found;
		snprintf(least->worst, sizeof least->worst,
			 "%s: %" PRIu64 " of %.0f new tiles, expected %.1f", bin, count[worst], all,
			 all * p[worst]);
	}
	least->tests++;
}

static void places_add(const struct game *game, const struct tile_counts *counts,
		       struct least_p *least)
{
	double p[CELLS_MAX];
	for (int n = 2; n <= game->cells; n++) {
		for (int i = 0; i < n; i++)
			p[i] = 1.0 / n;
		least_add(game, counts->place[n], p, n, false, least);
	}
}

static void kinds_add(const struct game *game, const struct tile_counts *counts,
		      struct least_p *least)
{
	if (game->spawn.kinds > 1)
		least_add(game, counts->kind, game->spawn.probability, game->spawn.kinds, true,
			  least);
}

/* The line of some tests, if there are any: one that is too even is no mistake. */
static void least_tell(const struct trial *t, const struct least_p *least, const char *what)
{
	char found[32], expected[32];
	if (!least->tests)
		return;
	const double bound = FALSE_ALARM / least->tests;
	snprintf(found, sizeof found, "p = %.2g", least->p);
	snprintf(expected, sizeof expected, "p > %.1g", bound);
	verify_tell(t->verify, least->p > bound, found, expected, "%s: %s", t->game.name, what);
	if (least->p <= bound)
		printf("            %s\n", least->worst);
}

static void games_tell(const struct trial *t, const struct games_trial *g)
{
	const char *name = t->game.name;
	struct least_p start = {0}, places = {0}, kinds = {0};
	verify_tally(t->verify, &g->begun, "%s: games begun, %d tiles and no points", name,
		     t->game.start_tiles);
	verify_tally(t->verify, &g->positions, "%s: moves of games, one new tile each", name);
	verify_tally(t->verify, &g->points, "%s: moves of games, points", name);
	verify_tally(t->verify, &g->legal, "%s: positions of games, legal moves", name);
	verify_tally(t->verify, &g->scores, "%s: games, score against tiles", name);
	places_add(&t->game, &g->start, &start);
	kinds_add(&t->game, &g->start, &start);
	places_add(&t->game, &g->later, &places);
	kinds_add(&t->game, &g->later, &kinds);
	least_tell(t, &start, "start tiles, cells and kinds");
	least_tell(t, &places, "new tiles, cells");
	least_tell(t, &kinds, "new tiles, kinds");
}

/* Games until MOVES are made. */
static enum status games_try(struct trial *t, uint64_t moves, struct why *why)
{
	struct games_trial *g = calloc(1, sizeof *g);
	enum status status = g ? STATUS_OK : why_set(why, STATUS_SYSTEM, "out of memory");
	for (uint64_t number = 0, left = moves; !status && left > 0; number++) {
		const uint64_t before = left;
		status = game_try(t, g, number, &left, why);
		left -= left == before;
	}
	/* On large boards games are few: more of their starts. */
	for (uint64_t number = g ? g->begun.all : 0; !status && number < moves / MOVES_A_START;
	     number++) {
		struct observation seen;
		struct rng rng;
		bool whole;
		status = game_begin(t, g, number, &rng, &seen, &whole, why);
	}
	if (!status)
		games_tell(t, g);
	free(g);
	return status;
}

/* ---- All of it. */

/* Everything on the board SHAPE. */
static enum status shape_try(struct verify *verify, struct program *program,
			     const struct ability *ability, const char *shape,
			     const struct against_options *options, struct why *why)
{
	struct trial *t = calloc(1, sizeof *t);
	if (!t)
		return why_set(why, STATUS_SYSTEM, "out of memory");
	*t = (struct trial){.verify = verify, .program = program, .ability = *ability};
	enum status status = game_init(&t->game, &(struct game_options){.shape = shape}, why);
	if (!status)
		status = protocol_knows(program, ability, &t->game, why);
	if (!status && (ability->act || ability->step))
		status = protocol_new(program, &t->game, why);
	if (!status && (ability->moves || ability->act))
		status = positions_try(t, options->positions, why);
	if (!status && ability->step)
		status = games_try(t, options->steps, why);
	free(t);
	return status;
}

/* The boards that were asked for, or all that the program knows. */
static enum status shapes_try(struct verify *verify, struct program *program,
			      const struct ability *ability, const struct against_options *options,
			      struct why *why)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < options->boards.n; i++)
		status = shape_try(verify, program, ability, options->boards.item[i], options, why);
	for (int r = SIDE_MIN; !options->boards.n && r <= SIDE_MAX; r++)
		for (int c = SIDE_MIN; !status && c <= SIDE_MAX; c++) {
			const char shape[] = {(char)('0' + r), 'x', (char)('0' + c), '\0'};
			if (ability_has(ability, r, c))
				status = shape_try(verify, program, ability, shape, options, why);
		}
	return status;
}

/* Whether the program says no to a request that there is not, and goes on. */
static enum status nonsense_ask(struct program *program, bool *refused, struct why *why)
{
	char answer[PROGRAM_LINE_MAX];
	enum status status = program_ask(program, "nonsense 2,2/0,0", answer, why);
	if (!status)
		*refused = strncmp(answer, "error", 5) == 0;
	return status;
}

static enum status program_try(struct verify *verify, struct program *program,
			       const struct against_options *options, struct why *why)
{
	struct ability ability;
	bool refused;
	enum status status = protocol_hello(program, &ability, why);
	if (!status && !ability.moves && !ability.act && !ability.step)
		status =
		    why_set(why, STATUS_SYSTEM, "%s: its hello has none of moves, act and step",
			    program_name(program));
	if (!status)
		status = nonsense_ask(program, &refused, why);
	if (status)
		return status;
	verify_tell(verify, refused, refused ? "error" : "no error", "error",
		    "a request that there is not");
	return shapes_try(verify, program, &ability, options, why);
}

/* Before a program is started for nothing. */
static enum status shapes_check(const struct text_list *boards, struct why *why)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < boards->n; i++) {
		struct game game;
		status = game_init(&game, &(struct game_options){.shape = boards->item[i]}, why);
	}
	return status;
}

enum status verify_against(struct verify *verify, const struct against_options *options,
			   struct why *why)
{
	struct program *program;
	enum status status = shapes_check(&options->boards, why);
	if (!status)
		status = program_start(options->command, options->seconds, stop_requested, &program,
				       why);
	if (status)
		return status;
	verify->check = "against";
	status = program_try(verify, program, options, why);
	if (!status)
		program_tell(program, "quit");
	program_end(program);
	return status;
}
