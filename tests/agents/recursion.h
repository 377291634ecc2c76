/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Exact values of agents by a recursion backwards over positions, by the rules of boards/oracle.h:
 * no symmetries, no layers. agents/solver/exact_play.h is compared with it on tiny boards.
 */
#ifndef NXN_TESTS_RECURSION_H
#define NXN_TESTS_RECURSION_H

#include "agents/play.h"
#include "agents/solver/exact_play.h"
#include "tests/agents/naive.h"
#include "tests/games.h"

static inline struct exact_play play_of(const struct exact_play_task *task)
{
	struct exact_play result;
	struct why why;
	if (exact_play(task, &result, &why))
		fail_msg("%s", why.text);
	return result;
}

static inline bool near_by(double a, double b, double tolerance)
{
	return fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b));
}

/* The chances of the moves in TURN, by whatever a test takes for the agent. */
typedef void chances_of(void *context, const struct turn *turn, double chance[DIRECTIONS]);

enum { KINDS = 16, MEMO = 1 << 21 };

/* What is to come from a position on. */
struct future {
	double score, squares;
	double visits[KINDS], max_tile[KINDS];
	double optimal[KINDS], loss[KINDS]; /* with an optimum */
};

/* The recursion, which knows positions by their packed form, at most 21 bits. */
struct recursion {
	const struct game *game;
	chances_of *chances;
	void *context;
	uint64_t max_sum;    /* 0: none */
	struct naive *naive; /* the optimum; NULL: none */
	uint64_t states;
	struct future **memo; /* MEMO of them */
};

static inline void future_add(struct future *to, const struct future *from, double p, double reward)
{
	to->score += p * (reward + from->score);
	to->squares += p * (reward * reward + 2 * reward * from->score + from->squares);
	for (int k = 0; k < KINDS; k++) {
		to->visits[k] += p * from->visits[k];
		to->max_tile[k] += p * from->max_tile[k];
		to->optimal[k] += p * from->optimal[k];
		to->loss[k] += p * from->loss[k];
	}
}

static inline void spawns_follow(struct recursion *r, const struct board *after, int left, double p,
				 double reward, struct future *to);

/* What a move of TURN loses. */
static inline double move_loss(struct naive *naive, const struct turn *turn, int d)
{
	return naive_value(naive, turn->board) -
	       ((double)turn->moves.reward[d] + naive_after(naive, &turn->moves.after[d], 1));
}

static inline const struct future *future_of(struct recursion *r, const struct board *board)
{
	static const struct future none;
	uint64_t packed = 0;
	for (int cell = 0; cell < r->game->cells; cell++)
		packed = packed << r->game->bits |
			 board->cell[cell / r->game->cols][cell % r->game->cols];
	assert_true(packed < MEMO);
	struct future **memo = &r->memo[packed];
	if (*memo)
		return *memo;
	struct future *made = *memo = malloc(sizeof *made);
	struct turn turn = {.game = r->game, .board = board};
	*made = none;
	r->states++;
	oracle_moves(r->game, board, &turn.moves);
	if (!turn.moves.legal) {
		made->max_tile[board_max(board)] = 1;
		return made;
	}
	double chance[DIRECTIONS];
	const int k = board_max(board);
	r->chances(r->context, &turn, chance);
	made->visits[k] = 1;
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(chance[d] > 0))
			continue;
		spawns_follow(r, &turn.moves.after[d], 1, chance[d], (double)turn.moves.reward[d],
			      made);
		const double loss = r->naive ? move_loss(r->naive, &turn, d) : 0;
		made->loss[k] += chance[d] * loss;
		made->optimal[k] += r->naive && loss < 1e-9 ? chance[d] : 0;
	}
	return made;
}

/* LEFT tiles appear, then the game goes on or, beyond the largest sum, ends. */
static inline void spawns_follow(struct recursion *r, const struct board *after, int left, double p,
				 double reward, struct future *to)
{
	const struct spawn_rule *spawn = &r->game->spawn;
	if (left == 0 && r->max_sum && board_sum(after) > r->max_sum) {
		struct future end = {0};
		end.max_tile[board_max(after)] = 1;
		future_add(to, &end, p, reward);
		return;
	}
	if (left == 0) {
		future_add(to, future_of(r, after), p, reward);
		return;
	}
	uint8_t cells[CELLS_MAX];
	const int count = board_empty_cells(r->game, after, cells);
	for (int i = 0; i < count; i++)
		for (int k = 0; k < spawn->kinds; k++) {
			struct board board = *after;
			*board_at(&board, cells[i]) = spawn->exponent[k];
			spawns_follow(r, &board, left - 1, p * spawn->probability[k] / count,
				      reward, to);
		}
}

/* The rule of corners as agents/rules/simple.c prints it. */
static inline void corners_chances(void *context, const struct turn *turn,
				   double chance[DIRECTIONS])
{
	int best = -1;
	uint64_t most = 0;
	(void)context;
	for (int d = 0; d < DIRECTIONS; d++) {
		chance[d] = 0;
		if (!(turn->moves.legal >> d & 1))
			continue;
		const struct board *after = &turn->moves.after[d];
		const int rows = turn->game->rows, cols = turn->game->cols, k = board_max(after);
		const bool corner = after->cell[0][0] == k || after->cell[0][cols - 1] == k ||
				    after->cell[rows - 1][0] == k ||
				    after->cell[rows - 1][cols - 1] == k;
		const uint64_t worth = 1 + turn->moves.reward[d] + (corner ? 1 << 20 : 0);
		best = worth > most ? d : best;
		most = worth > most ? worth : most;
	}
	chance[best] = 1;
}

static inline void random_chances(void *context, const struct turn *turn, double chance[DIRECTIONS])
{
	(void)context;
	for (int d = 0; d < DIRECTIONS; d++)
		chance[d] =
		    turn->moves.legal >> d & 1 ? 1.0 / __builtin_popcount(turn->moves.legal) : 0;
}

static inline void agent_chances(void *context, const struct turn *turn, double chance[DIRECTIONS])
{
	agent_act_chances(context, turn, chance);
}

/* What is compared with the recursion: an agent, and its chances as a test has them. */
struct recursion_case {
	const struct game *game;
	const char *agent;
	chances_of *chances;
	void *context;
	uint64_t max_sum; /* 0: none */
	/* The best play, in a table and found naively; NULL: without. */
	const struct optimum *optimum;
	struct naive *naive;
};

static inline void phases_compare(const struct exact_play *got, const struct future *want)
{
	double moves = 0;
	for (int k = 0; k < EXACT_EXPONENTS; k++) {
		const struct exact_phase *phase = &got->phase[k];
		const bool there = k < KINDS;
		assert_true(near_by(got->max_tile[k], there ? want->max_tile[k] : 0, 1e-12));
		assert_true(near_by(phase->visits, there ? want->visits[k] : 0, 1e-12));
		assert_true(near_by(phase->optimal, there ? want->optimal[k] : 0, 1e-12));
		assert_true(fabs(phase->loss - (there ? want->loss[k] : 0)) < 1e-10);
		moves += phase->visits;
	}
	assert_true(near_by(got->moves, moves, 1e-12));
}

static inline void recursion_free(struct recursion *r)
{
	for (int i = 0; i < MEMO; i++)
		free(r->memo[i]);
	free(r->memo);
}

/* exact_play() against the recursion. */
static inline void recursion_check(const struct recursion_case *c)
{
	const struct game *game = c->game;
	struct recursion r = {.game = game,
			      .chances = c->chances,
			      .context = c->context,
			      .max_sum = c->max_sum,
			      .naive = c->naive,
			      .memo = calloc(MEMO, sizeof(struct future *))};
	struct future want = {0};
	spawns_follow(&r, &game->start, game->has_start ? 0 : game->start_tiles, 1, 0, &want);
	const struct exact_play got = play_of(&(struct exact_play_task){.game = game,
									.agent = c->agent,
									.threads = 1,
									.optimum = c->optimum,
									.tie = 1e-11,
									.max_sum = c->max_sum});
	if (!near_by(got.score, want.score, 1e-12))
		fail_msg("%s on %s: %.15g, not %.15g", c->agent, game->name, got.score, want.score);
	assert_true(near_by(got.sd, sqrt(want.squares - want.score * want.score), 1e-9));
	phases_compare(&got, &want);
	if (!got.folded)
		assert_int_equal(got.states, r.states);
	recursion_free(&r);
}

#endif
