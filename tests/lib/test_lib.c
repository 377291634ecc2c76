/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libnxn against the rooms behind it, and each error that nxn.h promises. The rules stand by
 * tests/vectors; what a program outside sees is tests/lib/lib_install.sh.
 */
#include "agents/play.h"
#include "lib/nxn.h"
#include "tests/exact_values.h"
#include "tests/files.h"
#include "tests/near.h"
#include "tests/random_board.h"

#include <locale.h>
#include <math.h>

static struct nxn_why why;

#define ok(CALL)                                                                                   \
	do {                                                                                       \
		why.text[0] = '\0';                                                                \
		if ((CALL) != NXN_OK)                                                              \
			fail_msg("%s: %s", #CALL, why.text);                                       \
	} while (0)

/* CALL fails with STATUS in one line that says SAYS. */
#define refused(STATUS, SAYS, CALL)                                                                \
	do {                                                                                       \
		why.text[0] = '\0';                                                                \
		assert_int_equal(CALL, STATUS);                                                    \
		assert_null(strchr(why.text, '\n'));                                               \
		if (!strstr(why.text, SAYS))                                                       \
			fail_msg("'%s' does not say '%s'", why.text, SAYS);                        \
	} while (0)

static struct nxn_game *public_game(const char *shape)
{
	struct nxn_game *game;
	ok(nxn_game_new(shape, NULL, 0, NULL, &game, &why));
	return game;
}

static void a_game_is_what_its_text_says(void **state)
{
	struct nxn_game *game = NULL;
	char version[40];
	(void)state;
	snprintf(version, sizeof version, "%d.%d.%d", NXN_VERSION_MAJOR, NXN_VERSION_MINOR,
		 NXN_VERSION_PATCH);
	assert_string_equal(nxn_version(), version);
	assert_int_equal(NXN_VERSION_NUMBER, 100);
	ok(nxn_game_new("3x5", "4:0.25,2:0.75", 1, NULL, &game, &why));
	assert_int_equal(nxn_game_rows(game), 3);
	assert_int_equal(nxn_game_cols(game), 5);
	assert_int_equal(nxn_game_max_exponent(game), 16);
	assert_string_equal(nxn_game_shape(game), "3x5");
	assert_string_equal(nxn_game_spawn(game), "2:0.75,4:0.25");
	nxn_game_free(game);
	ok(nxn_game_new(NULL, NULL, 0, "0,2/4,0/0,0", &game, &why));
	assert_string_equal(nxn_game_shape(game), "3x2");
	nxn_game_free(game);
	nxn_game_free(NULL);
	refused(NXN_INPUT, "7x7", nxn_game_new("7x7", NULL, 0, NULL, &game, &why));
	refused(NXN_INPUT, "spawn", nxn_game_new("4x4", "3:1", 0, NULL, &game, &why));
	refused(NXN_INPUT, "start tiles", nxn_game_new("2x2", NULL, 5, NULL, &game, &why));
	refused(NXN_INPUT, "position", nxn_game_new("2x2", NULL, 0, "0,2", &game, &why));
	assert_int_equal(nxn_game_new("7x7", NULL, 0, NULL, &game, NULL), NXN_INPUT);
}

/* Makes a locale with a decimal comma, if the machine can, and sets it. */
static bool comma_set(void)
{
	char command[5 * sizeof temporary_path];
	if (setlocale(LC_NUMERIC, "de_DE.UTF-8"))
		return true;
	snprintf(command, sizeof command,
		 "rm %s && mkdir %s && localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>%s/log",
		 temporary_path, temporary_path, temporary_path, temporary_path);
	setenv("LOCPATH", temporary_path, 1);
	return system(command) == 0 && setlocale(LC_NUMERIC, "de_DE.UTF-8");
}

static void numbers_have_a_point_in_every_locale(void **state)
{
	struct nxn_game *game;
	struct nxn_agent *agent;
	(void)state;
	const bool comma = comma_set();
	if (comma)
		assert_string_equal(localeconv()->decimal_point, ",");
	ok(nxn_game_new("3x3", "2:0.75,4:0.25", 0, NULL, &game, &why));
	assert_string_equal(nxn_game_spawn(game), "2:0.75,4:0.25");
	ok(nxn_agent_new(game, "expectimax:cutoff=0.125", &agent, &why));
	nxn_agent_free(agent);
	nxn_game_free(game);
	setlocale(LC_NUMERIC, "C");
	snprintf(why.text, sizeof why.text, "rm -rf %s", temporary_path);
	assert_int_equal(system(why.text), 0);
	temporary_make(state);
	if (!comma)
		skip(); /* without a locale to try it in */
}

static void positions_are_read_written_and_checked(void **state)
{
	struct nxn_game *game = public_game("2x3");
	uint8_t cells[2][6], canonical[2][6];
	char text[NXN_BOARD_TEXT_MAX];
	(void)state;
	ok(nxn_board_read(game, "0,2,4/128,0,0", cells[0], &why));
	assert_memory_equal(cells[0], ((uint8_t[]){0, 1, 2, 7, 0, 0}), 6);
	ok(nxn_board_format(game, cells[0], text, &why));
	assert_string_equal(text, "0,2,4/128,0,0");
	ok(nxn_board_read(game, "4,2,0/0,0,128", cells[1], &why));
	nxn_board_canonical(game, cells[0], 2, canonical[0]);
	assert_memory_equal(canonical[0], canonical[1], 6);
	ok(nxn_board_check(game, cells[0], 2, &why));
	refused(NXN_INPUT, "256", nxn_board_read(game, "0,2,4/256,0,0", cells[0], &why));
	refused(NXN_INPUT, "character 2", nxn_board_read(game, "0;2,4/8,0,0", cells[0], &why));
	cells[1][4] = 200;
	refused(NXN_INPUT, "position 1: exponent 200 in row 2, column 2",
		nxn_board_check(game, cells[0], 2, &why));
	refused(NXN_INPUT, "exponent 200", nxn_board_format(game, cells[1], text, &why));
	cells[1][4] = cells[1][5] = 7;
	refused(NXN_INPUT, "position 1: no game on 2x3 holds 2 tiles",
		nxn_board_check(game, cells[0], 2, &why));
	nxn_game_free(game);
}

/* CELLS of random boards, as bytes and as the rules know them. */
static void moves_are_those_of_the_rules(void **state)
{
	enum { N = 50 };
	static const char *const shapes[] = {"2x2", "2x5", "3x3", "4x4", "5x4", "6x6"};
	(void)state;
	for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) {
		struct nxn_game *public = public_game(shapes[s]);
		struct game game;
		struct board board[N];
		struct rng rng;
		uint8_t cells[N * NXN_CELLS_MAX], legal[N];
		static uint8_t after[N * NXN_DIRECTIONS * NXN_CELLS_MAX];
		uint64_t reward[N][NXN_DIRECTIONS];
		game_of(shapes[s], &game);
		rng_init(&rng, 5, RNG_TEST, s);
		const size_t size = (size_t)game.cells;
		for (size_t i = 0; i < N; i++) {
			random_board(&game, (int)(i % RANDOM_KINDS), &rng, &board[i]);
			for (size_t c = 0; c < size; c++)
				cells[i * size + c] =
				    board[i].cell[c / (size_t)game.cols][c % (size_t)game.cols];
		}
		nxn_moves(public, cells, N, after, reward[0], legal);
		for (size_t i = 0; i < N; i++) {
			struct moves moves;
			game.moves(&board[i], &moves);
			assert_int_equal(legal[i], moves.legal);
			assert_memory_equal(reward[i], moves.reward, sizeof moves.reward);
			for (size_t d = 0; d < DIRECTIONS; d++)
				for (size_t c = 0; c < size; c++)
					assert_int_equal(
					    after[(i * DIRECTIONS + d) * size + c],
					    moves.after[d].cell[c / (size_t)game.cols]
							       [c % (size_t)game.cols]);
		}
		nxn_moves(public, cells, N, NULL, NULL, NULL);
		nxn_game_free(public);
	}
}

static void streams_are_those_of_the_games(void **state)
{
	struct nxn_game *public = public_game("3x4");
	struct nxn_rng *rng;
	struct rng want;
	struct game game;
	struct board board;
	uint8_t cells[12], full[12];
	(void)state;
	game_of("3x4", &game);
	ok(nxn_rng_new(9, NXN_STREAM_SPAWN, 4, &rng, &why));
	rng_init(&want, 9, RNG_SPAWN, 4);
	board_start(&game, &board, &want);
	nxn_start(public, rng, cells);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(nxn_spawn(public, rng, cells), 1);
		board_spawn(&game, &board, &want);
	}
	for (int c = 0; c < 12; c++)
		assert_int_equal(cells[c], board.cell[c / 4][c % 4]);
	memset(full, 1, sizeof full);
	assert_int_equal(nxn_spawn(public, rng, full), 0);
	assert_int_equal(nxn_rng_u32(rng), rng_u32(&want));
	assert_int_equal(nxn_rng_below(rng, 10), rng_below(&want, 10));
	assert_true(nxn_rng_real(rng) == rng_real(&want));
	nxn_rng_free(rng);
	ok(nxn_rng_new(9, NXN_STREAM_USER, 4, &rng, &why));
	rng_init(&want, 9, RNG_SPAWN, 4);
	assert_int_not_equal(nxn_rng_u32(rng), rng_u32(&want));
	nxn_rng_free(rng);
	nxn_game_free(public);
}

/* 2x2 and 3 plies, as in tests/vectors/perft.txt. */
static void perft_counts_and_refuses(void **state)
{
	struct nxn_game *game = public_game("2x2");
	struct nxn_perft_counts perft;
	uint8_t cells[4];
	(void)state;
	ok(nxn_board_read(game, "0,2/2,0", cells, &why));
	ok(nxn_perft(game, cells, 0, &perft, &why));
	assert_int_equal(perft.states, 1);
	assert_int_equal(perft.leaves, 1);
	assert_int_equal(perft.pairs, 4);
	refused(NXN_INPUT, "-1 plies", nxn_perft(game, cells, -1, &perft, &why));
	cells[0] = 9;
	refused(NXN_INPUT, "exponent 9", nxn_perft(game, cells, 1, &perft, &why));
	nxn_game_free(game);
}

/* 178.743854: the exact expected score of random moves on 3x3 (tests/vectors/exact.txt). */
static void playouts_have_the_exact_mean(void **state)
{
	enum { N = 20000 };
	struct nxn_game *game = public_game("3x3");
	static uint8_t cells[N][9];
	static uint64_t points[N], moves[N];
	double sum = 0, squares = 0;
	struct nxn_rng *rng;
	(void)state;
	ok(nxn_rng_new(1, NXN_STREAM_SPAWN, 0, &rng, &why));
	for (int i = 0; i < N; i++)
		nxn_start(game, rng, cells[i]);
	ok(nxn_playouts(game, cells[0], N, 1, 0, points, moves, &why));
	for (int i = 0; i < N; i++) {
		assert_true(moves[i] > 0);
		sum += (double)points[i];
		squares += (double)points[i] * (double)points[i];
	}
	const double mean = sum / N, error = sqrt((squares / N - mean * mean) / N);
	assert_true(fabs(mean - 178.743854) < 4 * error);
	ok(nxn_playouts(game, cells[0], 0, 1, 0, points, moves, &why));
	cells[7][0] = 99;
	refused(NXN_INPUT, "position 7", nxn_playouts(game, cells[0], N, 1, 0, NULL, NULL, &why));
	nxn_rng_free(rng);
	nxn_game_free(game);
}

/* ---- Environments. */

enum { ENVS = 5, GAMES = 20 };

static struct {
	uint8_t cells[ENVS][9], terminated[ENVS], mask[ENVS][NXN_DIRECTIONS];
	double reward[ENVS];
	uint64_t score[ENVS];
} seen;

static const struct nxn_observation out = {.cells = seen.cells[0],
					   .reward = seen.reward,
					   .terminated = seen.terminated,
					   .mask = seen.mask[0],
					   .score = seen.score};

/* The games that an agent plays in environments, in any order, are the games that it plays. */
static void games_in_environments_are_the_games_of_the_agent(void **state)
{
	struct nxn_game *game = public_game("3x3");
	struct nxn_envs *envs;
	struct nxn_agent *agent;
	uint64_t score[GAMES], moves[GAMES], played[ENVS] = {0}, steps[ENVS] = {0};
	double sum[ENVS] = {0};
	uint8_t max[GAMES], action[ENVS];
	(void)state;
	ok(nxn_agent_new(game, "random", &agent, &why));
	ok(nxn_agent_play(agent, 7, 0, GAMES, score, moves, max, &why));
	ok(nxn_envs_new(game, ENVS, 7, &envs, &why));
	nxn_envs_reset(envs, &out);
	for (int left = GAMES; left > 0;) {
		ok(nxn_envs_act(envs, agent, action, &why));
		ok(nxn_envs_step(envs, action, &out, &why));
		for (size_t i = 0; i < ENVS; i++) {
			const uint64_t number = i + ENVS * played[i];
			sum[i] += seen.reward[i];
			steps[i]++;
			if (!seen.terminated[i] || number >= GAMES)
				continue;
			assert_int_equal(seen.score[i], score[number]);
			assert_true(sum[i] == (double)score[number]);
			/* One step more in all games but the first: the one that starts it. */
			assert_int_equal(steps[i] - (played[i] > 0), moves[number]);
			assert_memory_equal(seen.mask[i], "\0\0\0\0", 4);
			uint8_t largest = 0;
			for (int c = 0; c < 9; c++)
				largest = seen.cells[i][c] > largest ? seen.cells[i][c] : largest;
			assert_int_equal(largest, max[number]);
			played[i]++;
			steps[i] = 0;
			sum[i] = 0;
			left--;
		}
	}
	nxn_envs_free(envs);
	nxn_agent_free(agent);
	nxn_game_free(game);
}

static void a_game_that_is_over_starts_again_in_the_next_step(void **state)
{
	struct nxn_game *game;
	struct nxn_envs *envs;
	uint8_t action = NXN_UP;
	(void)state;
	/* From here only down and right are legal, and a 2 or 4 then fills the board or not. */
	ok(nxn_game_new(NULL, "2:1", 0, "2,4/0,8", &game, &why));
	ok(nxn_envs_new(game, 1, 1, &envs, &why));
	nxn_envs_reset(envs, &out);
	assert_memory_equal(seen.cells[0], ((uint8_t[]){1, 2, 0, 3}), 4);
	assert_memory_equal(seen.mask[0], ((uint8_t[]){0, 0, 1, 1}), 4);
	assert_true(seen.reward[0] == 0 && !seen.terminated[0]);
	/* Not legal: nothing changes. */
	ok(nxn_envs_step(envs, &action, &out, &why));
	assert_memory_equal(seen.cells[0], ((uint8_t[]){1, 2, 0, 3}), 4);
	assert_true(seen.reward[0] == 0 && !seen.terminated[0]);
	/* 0,4/2,8 and a 2 above: 2,4/2,8, the first column merges to 4,4/0,8 and so on. */
	action = NXN_DOWN;
	ok(nxn_envs_step(envs, &action, &out, &why));
	assert_memory_equal(seen.cells[0], ((uint8_t[]){1, 2, 1, 3}), 4);
	action = NXN_LEFT;
	refused(NXN_INPUT, "action 4 in environment 0",
		nxn_envs_step(envs, (uint8_t[]){4}, &out, &why));
	action = NXN_UP; /* 4,4/0,8 and a 2: 4,4/2,8, 4 points */
	ok(nxn_envs_step(envs, &action, &out, &why));
	assert_memory_equal(seen.cells[0], ((uint8_t[]){2, 2, 1, 3}), 4);
	assert_true(seen.reward[0] == 4);
	action = NXN_LEFT; /* 8,0/2,8 and a 2: 8,2/2,8, over */
	ok(nxn_envs_step(envs, &action, &out, &why));
	assert_memory_equal(seen.cells[0], ((uint8_t[]){3, 1, 1, 3}), 4);
	assert_true(seen.reward[0] == 8 && seen.score[0] == 12 && seen.terminated[0]);
	ok(nxn_envs_step(envs, &action, &out, &why));
	assert_memory_equal(seen.cells[0], ((uint8_t[]){1, 2, 0, 3}), 4);
	assert_true(seen.reward[0] == 0 && seen.score[0] == 0 && !seen.terminated[0]);
	nxn_envs_free(envs);
	nxn_game_free(game);
}

static void a_seed_starts_the_games_anew(void **state)
{
	struct nxn_game *game = public_game("3x3");
	struct nxn_envs *envs;
	uint8_t first[ENVS][9];
	(void)state;
	ok(nxn_envs_new(game, ENVS, 3, &envs, &why));
	nxn_envs_reset(envs, &out);
	memcpy(first, seen.cells, sizeof first);
	nxn_envs_reset(envs, &out);
	assert_memory_not_equal(first, seen.cells, sizeof first);
	nxn_envs_seed(envs, 2, 3);
	nxn_envs_reset(envs, &out);
	assert_memory_equal(first[2], seen.cells[2], 9);
	nxn_envs_reset(envs, NULL);
	nxn_envs_free(envs);
	nxn_envs_free(NULL);
	refused(NXN_INPUT, "0 environments", nxn_envs_new(game, 0, 3, &envs, &why));
	refused(NXN_SYSTEM, "out of memory", nxn_envs_new(game, SIZE_MAX / 2, 3, &envs, &why));
	nxn_game_free(game);
}

/* Steps of a thousand environments; the result is their saved state. */
static uint8_t *stepped(const struct nxn_game *game, int threads, size_t *size)
{
	enum { MANY = 1000, STEPS = 60 };
	static uint8_t mask[MANY][NXN_DIRECTIONS], action[MANY];
	const struct nxn_observation legal = {.mask = mask[0]};
	struct nxn_envs *envs;
	ok(nxn_envs_new(game, MANY, 5, &envs, &why));
	ok(nxn_envs_threads(envs, threads, &why));
	nxn_envs_reset(envs, &legal);
	for (int k = 0; k < STEPS; k++) {
		for (size_t i = 0; i < MANY; i++)
			action[i] = (uint8_t)(mask[i][k % 4] ? k % 4 : mask[i][3] ? 3 : 0);
		ok(nxn_envs_step(envs, action, &legal, &why));
	}
	refused(NXN_INPUT, "0 threads", nxn_envs_threads(envs, 0, &why));
	refused(NXN_INPUT, "1025 threads", nxn_envs_threads(envs, 1025, &why));
	*size = nxn_envs_state_size(envs);
	uint8_t *state = malloc(*size);
	assert_non_null(state);
	nxn_envs_save(envs, state);
	nxn_envs_free(envs);
	return state;
}

static void threads_do_not_change_the_games(void **state)
{
	struct nxn_game *game = public_game("3x3");
	size_t size;
	uint8_t *one = stepped(game, 1, &size), *three = stepped(game, 3, &size);
	(void)state;
	assert_memory_equal(one, three, size);
	free(one);
	free(three);
	nxn_game_free(game);
}

/* K moves of ENVS, in each the first legal one; the last observation is in `seen`. */
static void moves_make(struct nxn_envs *envs, int k)
{
	while (k-- > 0) {
		uint8_t action[ENVS] = {0};
		for (size_t i = 0; i < ENVS; i++)
			while (action[i] < 3 && !seen.mask[i][action[i]])
				action[i]++;
		ok(nxn_envs_step(envs, action, &out, &why));
	}
}

/* The rules draw the same when a game is played again: what is expected comes from there. */
static void some_environments_start_again_with_games_of_their_own(void **state)
{
	struct nxn_game *game = public_game("3x3");
	struct nxn_envs *envs, *alone;
	uint8_t before[ENVS][9], first[2][9], which[ENVS] = {0};
	(void)state;
	ok(nxn_envs_new(game, 1, 77, &alone, &why));
	for (int i = 0; i < 2; i++) {
		nxn_envs_reset(alone, &out);
		memcpy(first[i], seen.cells[0], 9);
	}
	nxn_envs_free(alone);
	ok(nxn_envs_new(game, ENVS, 3, &envs, &why));
	nxn_envs_reset(envs, &out);
	moves_make(envs, 4);
	memcpy(before, seen.cells, sizeof before);
	which[1] = 1;
	ok(nxn_envs_games(envs, 1, 77, 0, 1, &why));
	for (int i = 0; i < 2; i++) {
		nxn_envs_reset_some(envs, which, &out);
		assert_memory_equal(seen.cells[1], first[i], 9);
		assert_memory_equal(seen.cells[0], before[0], 9);
		assert_memory_equal(seen.cells[2], before[2], 9);
	}
	refused(NXN_INPUT, "environment 99", nxn_envs_games(envs, 99, 1, 0, 1, &why));
	nxn_envs_seed(envs, 99, 1);
	nxn_envs_free(envs);
	nxn_game_free(game);
}

/* Any byte of the state SAVED may be any other: it is refused, or what follows is within bounds. */
static void envs_forge(const struct nxn_game *game, struct nxn_envs *envs,
		       const unsigned char *saved, size_t size)
{
	static unsigned char forged[8192];
	uint8_t action[ENVS];
	size_t taken = 0;
	memset(action, 1, sizeof action);
	for (size_t i = 0; i < size; i++)
		for (int bit = 0; bit < 8; bit++) {
			memcpy(forged, saved, size);
			forged[i] ^= (unsigned char)(1 << bit);
			if (nxn_envs_load(envs, forged, size, &why) != NXN_OK) {
				assert_null(strchr(why.text, '\n'));
				continue;
			}
			taken++;
			ok(nxn_envs_step(envs, action, &out, &why));
			ok(nxn_board_check(game, seen.cells[0], ENVS, &why));
			for (int k = 0; k < ENVS; k++)
				assert_in_range(seen.score[k], 0, 1 << 20);
		}
	assert_in_range(taken, 1, size * 8);
	memcpy(forged, saved, size);
	forged[size - 1] = 40;
	refused(NXN_INPUT, "position", nxn_envs_load(envs, forged, size, &why));
	memset(forged + size - 9, 0, 9);
	refused(NXN_INPUT, "position", nxn_envs_load(envs, forged, size, &why));
}

static void a_saved_state_goes_on_and_a_forged_one_is_refused(void **state)
{
	struct nxn_game *game = public_game("3x3"), *other = public_game("3x4");
	struct nxn_envs *envs, *again, *wrong;
	struct nxn_agent *agent;
	static unsigned char saved[8192];
	uint8_t cells[ENVS][9], action[2][ENVS];
	uint64_t score[ENVS];
	(void)state;
	ok(nxn_envs_new(game, ENVS, 3, &envs, &why));
	ok(nxn_envs_new(game, ENVS, 9, &again, &why));
	ok(nxn_envs_new(other, ENVS, 9, &wrong, &why));
	ok(nxn_agent_new(game, "random", &agent, &why));
	const size_t size = nxn_envs_state_size(envs);
	assert_true(size <= sizeof saved);
	/* Before the first reset, too: the games of seed 3 are still to come. */
	nxn_envs_save(envs, saved);
	ok(nxn_envs_load(again, saved, size, &why));
	nxn_envs_reset(again, &out);
	memcpy(cells, seen.cells, sizeof cells);
	nxn_envs_reset(envs, &out);
	assert_memory_equal(cells, seen.cells, sizeof cells);
	for (int round = 0; round < 40; round++) {
		ok(nxn_envs_act(envs, agent, action[0], &why));
		ok(nxn_envs_step(envs, action[0], &out, &why));
		nxn_envs_save(envs, saved);
		ok(nxn_envs_load(again, saved, size, &why));
		ok(nxn_envs_act(envs, agent, action[0], &why));
		ok(nxn_envs_act(again, agent, action[1], &why));
		assert_memory_equal(action[0], action[1], ENVS);
		ok(nxn_envs_step(again, action[1], &out, &why));
		memcpy(cells, seen.cells, sizeof cells);
		memcpy(score, seen.score, sizeof score);
		ok(nxn_envs_step(envs, action[0], &out, &why));
		assert_memory_equal(cells, seen.cells, sizeof cells);
		assert_memory_equal(score, seen.score, sizeof score);
	}
	refused(NXN_INPUT, "3x4", nxn_envs_load(wrong, saved, size, &why));
	refused(NXN_INPUT, "saved state", nxn_envs_load(again, saved, size - 1, &why));
	refused(NXN_INPUT, "saved state", nxn_envs_load(again, saved, 0, &why));
	envs_forge(game, again, saved, size);
	nxn_agent_free(agent);
	nxn_envs_free(envs);
	nxn_envs_free(again);
	nxn_envs_free(wrong);
	nxn_game_free(game);
	nxn_game_free(other);
}

/* ---- Agents and values. */

enum { ANSWERS = 30 };

/* Fills in random positions of 4x4, and checks that AGENT moves in each as WANT does. */
static void acts_alike(struct nxn_agent *agent, struct agent *want, const struct game *game,
		       uint8_t cells[ANSWERS][16])
{
	struct rng rng;
	uint8_t action;
	double value[NXN_DIRECTIONS];
	uint64_t nodes;
	rng_init(&rng, 2, RNG_TEST, 0);
	for (int i = 0; i < ANSWERS; i++) {
		struct board board;
		struct turn turn;
		struct decision decision;
		random_board(game, CHAINS, &rng, &board);
		for (int c = 0; c < 16; c++)
			cells[i][c] = board.cell[c / 4][c % 4];
		turn_init(&turn, game, &board, 0);
		decision_init(&decision);
		ok(nxn_agent_act(agent, cells[i], 1, NULL, 1, 0, &action, value, &nodes, &why));
		if (!turn.moves.legal) {
			assert_true(isnan(value[0]) && action == 0 && nodes == 0);
			continue;
		}
		assert_int_equal(want->class->act(want->self, &turn, &rng, &decision), action);
		assert_memory_equal(value, decision.value, sizeof decision.value);
		assert_int_equal(nodes, decision.nodes);
	}
}

static void agents_answer_as_their_classes_do(void **state)
{
	struct nxn_game *public = public_game("4x4");
	struct game game;
	struct nxn_agent *agent = NULL;
	uint8_t cells[ANSWERS][16];
	double chance[ANSWERS][NXN_DIRECTIONS];
	const struct agent_env env = {.game = &game};
	struct agent *want;
	(void)state;
	game_of("4x4", &game);
	assert_int_equal(agent_new("expectimax:depth=2", &env, &want, NULL), STATUS_OK);
	ok(nxn_agent_new(public, "expectimax:depth=2", &agent, &why));
	acts_alike(agent, want, &game, cells);
	ok(nxn_agent_policy(agent, cells[0], ANSWERS, 1, 0, chance[0], &why));
	for (int i = 0; i < ANSWERS; i++) {
		uint8_t legal;
		double sum = 0;
		nxn_moves(public, cells[i], 1, NULL, NULL, &legal);
		for (int d = 0; d < NXN_DIRECTIONS; d++) {
			assert_true(chance[i][d] >= 0 && (legal >> d & 1 || chance[i][d] == 0));
			sum += chance[i][d];
		}
		assert_near(sum, legal != 0, 1e-12);
	}
	nxn_agent_free(agent);
	agent_free(want);
	nxn_game_free(public);
}

static void agents_refuse_what_is_not_theirs(void **state)
{
	enum { N = 4 };
	struct nxn_game *public = public_game("4x4"), *other = public_game("4x3");
	struct nxn_agent *agent = NULL;
	struct nxn_envs *envs;
	uint8_t cells[N][16] = {{1}, {1}, {1}, {1, 77}}, action[N];
	double chance[N][NXN_DIRECTIONS];
	(void)state;
	ok(nxn_agent_new(public, "expectimax:depth=2", &agent, &why));
	refused(NXN_INPUT, "position 3",
		nxn_agent_act(agent, cells[0], N, NULL, 1, 0, NULL, NULL, NULL, &why));
	refused(NXN_INPUT, "position 3",
		nxn_agent_policy(agent, cells[0], N, 1, 0, chance[0], &why));
	ok(nxn_envs_new(other, N, 1, &envs, &why));
	nxn_envs_reset(envs, NULL);
	refused(NXN_INPUT, "another game", nxn_envs_act(envs, agent, action, &why));
	nxn_envs_free(envs);
	refused(NXN_INPUT, "does not learn", nxn_agent_train(agent, 1, 10, &why));
	refused(NXN_INPUT, "does not learn", nxn_agent_save(agent, "x", &why));
	nxn_agent_free(agent);
	refused(NXN_INPUT, "depht", nxn_agent_new(public, "expectimax:depht=2", &agent, &why));
	refused(NXN_INPUT, "expectimax", nxn_agent_check("expectimx", &why));
	refused(NXN_INPUT, "no-such.nxn", nxn_agent_check("ntuple:no-such.nxn", &why));
	ok(nxn_agent_check("ntuple", &why));
	nxn_agent_free(NULL);
	nxn_game_free(public);
	nxn_game_free(other);
}

/* The words of `nxn compare`. */
static const char learn_first[] =
    "qlearn has not been trained: do that by 'nxn train qlearn --board 2x3 --time-budget 1m --out "
    "FILE' and name qlearn:FILE, or ";

static void what_an_agent_learned_is_saved_and_read(void **state)
{
	struct nxn_game *game = public_game("2x3");
	struct nxn_agent *agent, *again;
	struct nxn_envs *envs;
	struct nxn_exact_score exact;
	uint64_t score[2][GAMES];
	uint8_t cells[6] = {1, 1};
	double chance[NXN_DIRECTIONS];
	char text[300];
	(void)state;
	ok(nxn_agent_new(game, "qlearn", &agent, &why));
	refused(NXN_INPUT, learn_first, nxn_agent_ready(agent, &why));
	refused(NXN_INPUT, learn_first,
		nxn_agent_play(agent, 1, 0, GAMES, score[0], NULL, NULL, &why));
	refused(NXN_INPUT, learn_first,
		nxn_agent_act(agent, cells, 1, NULL, 1, 0, NULL, NULL, NULL, &why));
	refused(NXN_INPUT, learn_first, nxn_agent_policy(agent, cells, 1, 1, 0, chance, &why));
	ok(nxn_envs_new(game, 1, 1, &envs, &why));
	refused(NXN_INPUT, learn_first, nxn_envs_act(envs, agent, cells, &why));
	nxn_envs_free(envs);
	refused(NXN_INPUT, learn_first, nxn_exact_play(game, "qlearn", NULL, 1, 0, &exact, &why));
	nxn_agent_untrained(agent, 1);
	ok(nxn_agent_play(agent, 1, 0, 1, score[0], NULL, NULL, &why));
	nxn_agent_untrained(agent, 0);
	ok(nxn_agent_train(agent, 1, 200, &why));
	ok(nxn_agent_play(agent, 1, 0, GAMES, score[0], NULL, NULL, &why));
	ok(nxn_agent_save(agent, temporary_path, &why));
	refused(NXN_INPUT, "no-folder", nxn_agent_save(agent, "/no-folder/x", &why));
	snprintf(text, sizeof text, "qlearn:%s", temporary_path);
	ok(nxn_agent_new(game, text, &again, &why));
	ok(nxn_agent_play(again, 1, 0, GAMES, score[1], NULL, NULL, &why));
	assert_memory_equal(score[0], score[1], sizeof score[0]);
	nxn_agent_free(agent);
	nxn_agent_free(again);
	nxn_game_free(game);
}

static void values_evaluate_and_take_settings(void **state)
{
	struct nxn_game *game = public_game("2x2");
	struct nxn_value *value;
	uint8_t cells[2][4];
	double worth[2];
	(void)state;
	ok(nxn_board_read(game, "0,2/2,0", cells[0], &why));
	ok(nxn_board_read(game, "2,4/8,0", cells[1], &why));
	ok(nxn_value_new(game, "empty", &value, &why));
	ok(nxn_value_eval(value, cells[0], 2, worth, &why));
	assert_true(worth[0] == 2 && worth[1] == 1);
	cells[1][0] = 50;
	refused(NXN_INPUT, "position 1", nxn_value_eval(value, cells[0], 2, worth, &why));
	nxn_value_free(value);
	/* Empty cells alone count, 3 each. */
	ok(nxn_value_new(game, "heuristic,w_empty=3,w_corner=0,w_monotone=0,w_merge=0", &value,
			 &why));
	ok(nxn_board_read(game, "2,4/8,0", cells[1], &why));
	ok(nxn_value_eval(value, cells[0], 2, worth, &why));
	assert_true(worth[0] == 6 && worth[1] == 3);
	nxn_value_free(value);
	refused(NXN_INPUT, "no such value", nxn_value_new(game, "hueristic", &value, &why));
	refused(NXN_INPUT, "no key 'w_emtpy'",
		nxn_value_new(game, "heuristic,w_emtpy=1", &value, &why));
	refused(NXN_INPUT, "w_empty", nxn_value_new(game, "heuristic,w_empty=x", &value, &why));
	nxn_value_free(NULL);
	nxn_game_free(game);
}

/* ---- Exact solutions, against tests/vectors/exact.txt. */

static void boards_are_solved_and_tables_looked_up(void **state)
{
	struct nxn_game *game = public_game("2x2"), *other = public_game("2x3");
	struct nxn_solution solution;
	struct nxn_exact_score play;
	struct nxn_table *table;
	uint8_t cells[4];
	double worth[NXN_DIRECTIONS];
	(void)state;
	ok(nxn_solve(game, temporary_path, 1, 0, &solution, &why));
	assert_near(solution.value, exact("2x2", "optimal_score"), 1e-9);
	assert_int_equal(solution.states, (int)exact("2x2", "states"));
	assert_int_equal(solution.afterstates, (int)exact("2x2", "afterstates"));
	ok(nxn_table_open(game, temporary_path, &table, &why));
	assert_string_equal(nxn_table_goal(table), "score");
	assert_true(nxn_table_value(table) == solution.value);
	ok(nxn_table_check(table, &why));
	ok(nxn_board_read(game, "2,2/0,0", cells, &why));
	ok(nxn_table_moves(table, cells, 1, worth, &why));
	double best = 0;
	for (int d = 0; d < NXN_DIRECTIONS; d++)
		best = fmax(best, worth[d]);
	assert_near(best, exact("2x2", "start_value.2,2/0,0"), 1e-9);
	assert_true(isnan(worth[NXN_UP]));
	/* Best play scores the optimum, and loses nothing. */
	char text[300];
	snprintf(text, sizeof text, "optimal:%s", temporary_path);
	ok(nxn_exact_play(game, text, table, 1, 0, &play, &why));
	assert_near(play.score, solution.value, 1e-9);
	double visits = 0, optimal = 0, loss = 0, ends = 0;
	for (int k = 0; k < NXN_EXPONENTS; k++) {
		visits += play.visits[k];
		optimal += play.optimal[k];
		loss += play.loss[k];
		ends += play.max_tile[k];
	}
	assert_near(visits, play.moves, 1e-9);
	assert_near(optimal, play.moves, 1e-9);
	assert_near(loss, 0, 1e-9);
	assert_near(ends, 1, 1e-9);
	refused(NXN_INPUT, "mcts", nxn_exact_play(game, "mcts", NULL, 1, 0, &play, &why));
	refused(NXN_INPUT, "0 threads", nxn_exact_play(game, "random", NULL, 0, 0, &play, &why));
	refused(NXN_INPUT, "0 threads", nxn_solve(game, NULL, 0, 0, &solution, &why));
	cells[0] = 60;
	refused(NXN_INPUT, "exponent 60", nxn_table_moves(table, cells, 1, worth, &why));
	nxn_table_close(table);
	nxn_table_close(NULL);
	refused(NXN_INPUT, "2x2", nxn_table_open(other, temporary_path, &table, &why));
	refused(NXN_INPUT, "/no-folder/x", nxn_table_open(game, "/no-folder/x", &table, &why));
	nxn_game_free(game);
	nxn_game_free(other);
}

/* ---- Records. */

static void recorded_games_come_back(void **state)
{
	static const uint8_t start[4] = {1, 2, 0, 3}, direction[3] = {NXN_DOWN, NXN_UP, NXN_LEFT},
			     cell[3] = {0, 2, 1}, exponent[3] = {1, 1, 1};
	struct nxn_game *game = public_game("2x2");
	struct nxn_record_writer *writer;
	struct nxn_record_reader *reader;
	const struct nxn_record *read;
	struct nxn_record record = {.game = game,
				    .has_seed = 1,
				    .seed = 4,
				    .start = start,
				    .moves = 3,
				    .direction = direction,
				    .cell = cell,
				    .exponent = exponent};
	(void)state;
	ok(nxn_record_writer_open(temporary_path, "me", &writer, &why));
	ok(nxn_record_writer_append(writer, &record, &why));
	record.direction = cell;
	refused(NXN_INPUT, "move 1: up is not legal",
		nxn_record_writer_append(writer, &record, &why));
	record.direction = direction;
	record.cell = exponent;
	refused(NXN_INPUT, "row 1, column 2, which is occupied",
		nxn_record_writer_append(writer, &record, &why));
	record.cell = cell;
	record.exponent = (const uint8_t[]){3, 1, 1};
	refused(NXN_INPUT, "spawn rule", nxn_record_writer_append(writer, &record, &why));
	record.exponent = exponent;
	record.cell = (const uint8_t[]){4, 1, 1};
	refused(NXN_INPUT, "outside", nxn_record_writer_append(writer, &record, &why));
	record.start = (const uint8_t[]){40, 0, 0, 0};
	refused(NXN_INPUT, "exponent 40", nxn_record_writer_append(writer, &record, &why));
	struct nxn_record_writer *second;
	refused(NXN_INPUT, "writing", nxn_record_writer_open(temporary_path, "me", &second, &why));
	ok(nxn_record_writer_close(writer, &why));
	refused(NXN_INPUT, "player", nxn_record_writer_open(temporary_path, "", &writer, &why));
	ok(nxn_record_reader_open(temporary_path, &reader, &why));
	ok(nxn_record_reader_next(reader, &read, &why));
	assert_string_equal(read->player, "me");
	assert_string_equal(nxn_game_shape(read->game), "2x2");
	assert_true(read->has_seed && read->seed == 4 && !read->has_index);
	assert_int_equal(read->moves, 3);
	assert_memory_equal(read->start, start, 4);
	assert_memory_equal(read->direction, direction, 3);
	assert_memory_equal(read->cell, cell, 3);
	assert_memory_equal(read->exponent, exponent, 3);
	assert_int_equal(read->score, 12);
	assert_true(read->finished);
	ok(nxn_record_reader_next(reader, &read, &why));
	assert_null(read);
	nxn_record_reader_close(reader);
	nxn_record_reader_close(NULL);
	file_write(temporary_path, "# nxn record 1\nnonsense\n");
	ok(nxn_record_reader_open(temporary_path, &reader, &why));
	refused(NXN_INPUT, ":2:", nxn_record_reader_next(reader, &read, &why));
	nxn_record_reader_close(reader);
	refused(NXN_INPUT, "/no-folder/x", nxn_record_reader_open("/no-folder/x", &reader, &why));
	nxn_game_free(game);
}

/* ---- Intervals. */

static void intervals_are_those_of_the_statistics(void **state)
{
	static const double x[] = {3, 1, 2, 10, 4}, y[] = {1, 1, 2, 5, 4}, bad[] = {1, NAN},
			    large[] = {1, 1e308}, below[] = {-3, 1},
			    near_zero[] = {9, -3, 12, -6, 8};
	struct nxn_interval interval;
	(void)state;
	ok(nxn_estimate(NXN_MEAN, x, 5, &interval, &why));
	assert_near(interval.value, 4, 1e-12);
	assert_true(interval.low < 4 && interval.high > 4);
	ok(nxn_estimate(NXN_MEDIAN, x, 5, &interval, &why));
	assert_near(interval.value, 3, 1e-12);
	ok(nxn_estimate(NXN_SD, x, 5, &interval, &why));
	assert_near(interval.value, sqrt(12.5), 1e-12);
	ok(nxn_estimate(NXN_IQM, x, 5, &interval, &why));
	assert_near(interval.value, 3, 1e-12);
	ok(nxn_estimate(NXN_MEAN, x, 0, &interval, &why));
	assert_true(isnan(interval.value));
	ok(nxn_estimate_ratio(x, 5, y, 5, &interval, &why));
	assert_near(interval.value, 20.0 / 13, 1e-12);
	ok(nxn_estimate_paired(x, y, 5, &interval, &why));
	assert_near(interval.value, 7.0 / 5, 1e-12);
	/* Wilson's interval of 5 in 10 (Agresti, Coull, 1998). */
	interval = nxn_estimate_rate(5, 10);
	assert_near(interval.low, 0.2366, 1e-4);
	assert_near(interval.high, 0.7634, 1e-4);
	refused(NXN_INPUT, "number 1", nxn_estimate(NXN_MEAN, bad, 2, &interval, &why));
	refused(NXN_INPUT, "number 1", nxn_estimate_ratio(x, 5, bad, 2, &interval, &why));
	refused(NXN_INPUT, "number 1", nxn_estimate_paired(bad, x, 2, &interval, &why));
	refused(NXN_INPUT, "number 1 is 1e+308", nxn_estimate(NXN_SD, large, 2, &interval, &why));
	refused(NXN_INPUT, "number 1", nxn_estimate_paired(x, large, 2, &interval, &why));
	/* Fourth powers of 1e78 overflow, those of 1e-78 are 0: no interval. */
	for (int i = 0; i < 2; i++) {
		const double unit = i ? 1e-78 : 1e78, beyond[] = {unit, 2 * unit, 3 * unit};
		refused(NXN_INPUT, "number 0 is 1e",
			nxn_estimate(NXN_SD, beyond, 3, &interval, &why));
	}
	/* The interval of the mean of 9, -3, 12, -6, 8 holds 0: 4 -+ 2.776 * 8.0 / sqrt(5). */
	ok(nxn_estimate_ratio(x, 5, near_zero, 5, &interval, &why));
	assert_near(interval.value, 1, 1e-12);
	assert_true(isnan(interval.low) && isnan(interval.high));
	refused(NXN_INPUT, "means 4 and -1", nxn_estimate_ratio(x, 5, below, 2, &interval, &why));
	refused(NXN_INPUT, "means -1 and 4", nxn_estimate_ratio(below, 2, x, 5, &interval, &why));
	assert_true(isnan(nxn_estimate_rate(2, 1).value) && isnan(nxn_estimate_rate(0, 0).low));
	refused(NXN_INPUT, "statistic 9",
		nxn_estimate((enum nxn_statistic)9, x, 5, &interval, &why));
}

/* ---- Logs. */

static const char log_names[] =
    "config\tboard\tlabel\tagent\ttrained\tseed\tgame\tscore\tmax_tile\tmoves"
    "\tseconds\ttile_sum\tuncertainty\n";

/* Writes the log TEXT behind the names of its columns, and reads it. */
static enum nxn_status log_of(const char *text, struct nxn_log **log)
{
	const char *const paths[] = {temporary_path, temporary_path};
	FILE *file = fopen(temporary_path, "w");
	assert_non_null(file);
	fprintf(file, "%s%s", log_names, text);
	assert_int_equal(fclose(file), 0);
	return nxn_log_read(paths, 2, log, &why);
}

#define GREEDY "00c0ffee00c0ffee\t3x3\tone\tgreedy\t0\t1\t"

static void logs_are_read_by_the_rules_of_the_command(void **state)
{
	const char *const nowhere[] = {"no-such.tsv"};
	const struct nxn_log_player *player;
	const struct nxn_log_game *game;
	struct nxn_log *log;
	size_t n;
	(void)state;
	ok(log_of(
	    GREEDY
	    "0\t100\t16\t20\t0.5\t40\t1.25\n" GREEDY "7\t12\t8\t3\tNaN\tNaN\tNaN\n" GREEDY
	    "0\t100\t16\t20\t0.5\t40\t1.25\n"
	    "00c0ffee00c0ffef\t3x3\t\"a \"\"b\"\"\"\tntuple\t9\t1\t0\t4\t4\t1\t0\tNaN\tNaN\n" GREEDY
	    "9\t1",
	    &log));
	player = nxn_log_players(log, &n);
	assert_int_equal(n, 2);
	assert_true(player[0].config == 0x00c0ffee00c0ffee && player[1].trained == 9);
	assert_string_equal(player[1].label, "a \"b\"");
	assert_string_equal(player[1].agent, "ntuple");
	assert_string_equal(player[0].board, "3x3");
	game = nxn_log_games(log, &n);
	assert_int_equal(n, 3);
	assert_true(game[0].score == 100 && game[0].tile_sum == 40 && game[0].seconds == 0.5);
	assert_true(game[1].game == 7 && isnan(game[1].seconds) && game[1].tile_sum == 0);
	assert_true(game[2].player == 1 && game[2].log == 0 && game[2].max_tile == 4);
	assert_int_equal(nxn_log_torn_count(log), 2); /* it was read twice */
	assert_string_equal(nxn_log_torn(log, 1), temporary_path);
	assert_null(nxn_log_torn(log, 2));
	nxn_log_close(log);
	nxn_log_close(NULL);
	refused(NXN_INPUT, ":3: contradicts an earlier result",
		log_of(GREEDY "0\t100\t16\t20\t0\tNaN\tNaN\n" GREEDY
			      "0\t104\t16\t20\t0\tNaN\tNaN\n",
		       &log));
	refused(NXN_INPUT, ":2: score is ' '", log_of(GREEDY "0\t \t16\t20\t0\tNaN\tNaN\n", &log));
	refused(NXN_INPUT, "holds no games", log_of("", &log));
	refused(NXN_INPUT, "no-such.tsv: no such game log", nxn_log_read(nowhere, 1, &log, &why));
	refused(NXN_INPUT, "no log", nxn_log_read(nowhere, 0, &log, &why));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_game_is_what_its_text_says),
	    cmocka_unit_test_setup_teardown(numbers_have_a_point_in_every_locale, temporary_make,
					    temporary_remove),
	    cmocka_unit_test(positions_are_read_written_and_checked),
	    cmocka_unit_test(moves_are_those_of_the_rules),
	    cmocka_unit_test(streams_are_those_of_the_games),
	    cmocka_unit_test(perft_counts_and_refuses),
	    cmocka_unit_test(playouts_have_the_exact_mean),
	    cmocka_unit_test(games_in_environments_are_the_games_of_the_agent),
	    cmocka_unit_test(a_game_that_is_over_starts_again_in_the_next_step),
	    cmocka_unit_test(a_seed_starts_the_games_anew),
	    cmocka_unit_test(threads_do_not_change_the_games),
	    cmocka_unit_test(some_environments_start_again_with_games_of_their_own),
	    cmocka_unit_test(a_saved_state_goes_on_and_a_forged_one_is_refused),
	    cmocka_unit_test(agents_answer_as_their_classes_do),
	    cmocka_unit_test(agents_refuse_what_is_not_theirs),
	    cmocka_unit_test_setup_teardown(what_an_agent_learned_is_saved_and_read, temporary_make,
					    temporary_remove),
	    cmocka_unit_test(values_evaluate_and_take_settings),
	    cmocka_unit_test_setup_teardown(boards_are_solved_and_tables_looked_up, temporary_make,
					    temporary_remove),
	    cmocka_unit_test_setup_teardown(recorded_games_come_back, temporary_make,
					    temporary_remove),
	    cmocka_unit_test(intervals_are_those_of_the_statistics),
	    cmocka_unit_test_setup_teardown(logs_are_read_by_the_rules_of_the_command,
					    temporary_make, temporary_remove),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
