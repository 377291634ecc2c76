/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tree search: against the printed formulas followed naively with the same draws, against exact
 * values on 2x2, and what of its parts can be said by itself.
 */
#include "tests/agents/agent_of.h"
#include "tests/agents/value_of.h"
#include "tests/agents/recursion.h"
#include "base/stop.h"
#include "boards/oracle.h"
#include "tests/random_board.h"
#include "tests/test.h"

#include <math.h>
#include <signal.h>

static void turn_of(const struct game *game, const char *text, struct board *board,
		    struct turn *turn)
{
	*board = board_of(game, text);
	turn_init(turn, game, board, 0);
}

/* The game on SHAPE in which only 2s appear. */
static void twos_of(const char *shape, struct game *game)
{
	game_make(&(struct game_options){.shape = shape, .spawn = "2:1"}, game);
}

/*
 * The search, naively: positions in a list, every sum made anew, the rules of the oracle. A
 * roll-out is by the random mover, with a draw in [0, 1) for each move.
 */
enum { NAIVE_NODES = 3000, NAIVE_SIMS = 600, NAIVE_DEPTH = 8 };

struct naive_visit {
	int move;
	double returned; /* NAN while under way */
};

struct naive_node {
	struct board board;
	double prior[DIRECTIONS];
	int visits;
	struct naive_visit visit[NAIVE_SIMS];
};

struct naive_search {
	const struct game *game;
	char select[8], norm[8], untried[8], leaves[8], grow[8], reward[8], spawns[8];
	double c, uniform;
	int sims, depth, rollouts, rewards;
	struct agent *prior; /* NULL: uniform */

	int count, returns;
	double returned[NAIVE_SIMS];
	double least, most;
	struct naive_node *nodes;
	struct rng rng;
	uint64_t positions;
};

static bool naive_same(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

/* N, and the number and the sum of the returns that are known; MOVE -1 stands for all. */
static int naive_visits(const struct naive_node *node, int move, int *known, double *sum)
{
	int visits = 0;
	*known = 0;
	*sum = 0;
	for (int i = 0; i < node->visits; i++) {
		if (move >= 0 && node->visit[i].move != move)
			continue;
		visits++;
		if (isnan(node->visit[i].returned))
			continue;
		*sum += node->visit[i].returned;
		++*known;
	}
	return visits;
}

static void naive_prior(struct naive_search *naive, struct naive_node *node,
			const struct moves *moves)
{
	const int legal = __builtin_popcount(moves->legal);
	double value[DIRECTIONS], sum = 0, squares = 0, total = 0;
	for (int d = 0; d < DIRECTIONS; d++)
		node->prior[d] = moves->legal >> d & 1 ? 1.0 / legal : 0;
	if (!naive->prior)
		return;
	struct turn turn;
	struct decision decision;
	turn_init(&turn, naive->game, &node->board, 0);
	const int move = turn_ask(naive->prior, &turn, 0, &decision);
	for (int d = 0; d < DIRECTIONS; d++) {
		value[d] = decision.value[d];
		if (moves->legal >> d & 1)
			sum += value[d];
	}
	for (int d = 0; d < DIRECTIONS; d++)
		if (moves->legal >> d & 1)
			squares += pow(value[d] - sum / legal, 2);
	for (int d = 0; d < DIRECTIONS; d++) {
		node->prior[d] = d == move;
		if (squares > 0)
			node->prior[d] = moves->legal >> d & 1
					     ? exp((value[d] - sum / legal) / sqrt(squares / legal))
					     : 0;
		total += node->prior[d];
	}
	for (int d = 0; d < DIRECTIONS; d++)
		if (moves->legal >> d & 1)
			node->prior[d] =
			    (1 - naive->uniform) * node->prior[d] / total + naive->uniform / legal;
}

static struct naive_node *naive_find(struct naive_search *naive, const struct board *board,
				     bool *fresh)
{
	struct moves moves;
	for (int i = 0; i < naive->count; i++)
		if (board_equal(&naive->nodes[i].board, board)) {
			*fresh = false;
			return &naive->nodes[i];
		}
	assert_true(naive->count < NAIVE_NODES);
	struct naive_node *node = &naive->nodes[naive->count++];
	*fresh = true;
	node->board = *board;
	node->visits = 0;
	oracle_moves(naive->game, board, &moves);
	naive_prior(naive, node, &moves);
	return node;
}

static void naive_scale(const struct naive_search *naive, double *offset, double *width)
{
	double sum = 0, squares = 0;
	*offset = 0;
	*width = 1;
	if (naive_same(naive->norm, "none") || naive->returns == 0)
		return;
	for (int i = 0; i < naive->returns; i++)
		sum += naive->returned[i];
	*offset = sum / naive->returns;
	for (int i = 0; i < naive->returns; i++)
		squares += pow(naive->returned[i] - *offset, 2);
	*width = sqrt(squares / naive->returns);
	if (naive_same(naive->norm, "range")) {
		*offset = naive->least;
		*width = naive->most - naive->least;
	}
	if (*width == 0)
		*width = 1;
}

static double naive_worth(const struct naive_search *naive, const struct naive_node *node, int move)
{
	double offset, width, sum, all_sum, q;
	int known, all_known;
	const int visits = naive_visits(node, move, &known, &sum);
	const int all = naive_visits(node, -1, &all_known, &all_sum);
	if (naive_same(naive->select, "even"))
		return -visits;
	naive_scale(naive, &offset, &width);
	if (known)
		q = (sum / known - offset) / width;
	else if (!naive_same(naive->untried, "zero") && all_known)
		q = (all_sum / all_known - offset) / width;
	else
		q = 0;
	if (naive_same(naive->untried, "first") && visits == 0)
		return INFINITY;
	if (naive_same(naive->select, "printed"))
		return q + naive->c * node->prior[move] / (1 + visits);
	if (naive_same(naive->select, "puct"))
		return q + naive->c * node->prior[move] * sqrt(all) / (1 + visits);
	return visits ? q + naive->c * sqrt(log(all) / visits) : INFINITY;
}

/* Of equal moves the n-th replaces the one before with probability 1/n. */
static int naive_choose(struct naive_search *naive, const struct naive_node *node, unsigned legal)
{
	double most = 0;
	int best = -1;
	uint32_t equal = 0;
	for (int d = 0; d < DIRECTIONS; d++) {
		if (!(legal >> d & 1))
			continue;
		const double worth = naive_worth(naive, node, d);
		if (best < 0 || worth > most) {
			best = d;
			most = worth;
			equal = 1;
		} else if (worth == most && rng_below(&naive->rng, ++equal) == 0) {
			best = d;
		}
	}
	return best;
}

struct naive_walk {
	struct board board;
	bool walks;
	int length;
	struct naive_node *node[NAIVE_DEPTH];
	struct naive_visit *visit[NAIVE_DEPTH];
	double reward[NAIVE_DEPTH];
};

static void naive_step(struct naive_search *naive, struct naive_walk *walk, int depth)
{
	struct moves moves;
	oracle_moves(naive->game, &walk->board, &moves);
	struct naive_node *node = walk->node[depth];
	const int move = naive_choose(naive, node, moves.legal);
	walk->visit[depth] = &node->visit[node->visits++];
	*walk->visit[depth] = (struct naive_visit){move, NAN};
	walk->reward[depth] = (double)moves.reward[move];
	walk->board = moves.after[move];
	board_spawn(naive->game, &walk->board, &naive->rng);
	walk->length = depth + 1;
	naive->positions++;
	oracle_moves(naive->game, &walk->board, &moves);
	walk->walks = moves.legal != 0;
}

/* Games from WORTH[i]'s position on, one move of each game in turn. */
static void naive_rollouts(struct naive_search *naive, const struct naive_walk *walks, int n,
			   double *worth)
{
	const int games = n * naive->rollouts;
	struct board *board = calloc((size_t)games, sizeof *board);
	double *points = calloc((size_t)games, sizeof *points);
	int *chosen = calloc((size_t)games, sizeof *chosen);
	for (int g = 0; g < games; g++)
		board[g] = walks[g / naive->rollouts].board;
	for (bool any = true; any;) {
		struct moves moves;
		any = false;
		for (int g = 0; g < games; g++) {
			oracle_moves(naive->game, &board[g], &moves);
			chosen[g] = -1;
			if (!moves.legal)
				continue;
			double draw = rng_real(&naive->rng);
			const double share = 1.0 / __builtin_popcount(moves.legal);
			for (int d = 0; d < DIRECTIONS && chosen[g] < 0; d++) {
				if (!(moves.legal >> d & 1))
					continue;
				if (draw < share)
					chosen[g] = d;
				draw -= share;
			}
			assert_true(chosen[g] >= 0);
		}
		for (int g = 0; g < games; g++) {
			if (chosen[g] < 0)
				continue;
			oracle_moves(naive->game, &board[g], &moves);
			board[g] = moves.after[chosen[g]];
			points[g] += (double)moves.reward[chosen[g]];
			board_spawn(naive->game, &board[g], &naive->rng);
			naive->positions++;
			any = true;
		}
	}
	for (int i = 0; i < n; i++) {
		worth[i] = 0;
		for (int g = i * naive->rollouts; g < (i + 1) * naive->rollouts; g++)
			worth[i] += naive_same(naive->reward, "max")
					? pow(2, board_max(&board[g])) / 2048
					: points[g];
		worth[i] /= naive->rollouts;
	}
	free(board);
	free(points);
	free(chosen);
}

static void naive_learn(struct naive_search *naive, const struct naive_walk *walk, double returned)
{
	for (int depth = walk->length - 1; depth >= 0; depth--) {
		int known;
		double sum;
		if (naive->rewards)
			returned +=
			    walk->reward[depth] / (naive_same(naive->reward, "max") ? 2048 : 1);
		walk->visit[depth]->returned = returned;
		naive_visits(walk->node[depth], walk->visit[depth]->move, &known, &sum);
		naive->least = fmin(naive->least, sum / known);
		naive->most = fmax(naive->most, sum / known);
	}
	naive->returned[naive->returns++] = returned;
}

/* N simulations, step by step. */
static void naive_batch(struct naive_search *naive, const struct board *root, int n)
{
	struct naive_walk *walks = calloc((size_t)n, sizeof *walks);
	double *worth = calloc((size_t)n, sizeof *worth);
	for (int i = 0; i < n; i++) {
		walks[i].board = *root;
		walks[i].walks = true;
	}
	for (int depth = 0; depth < naive->depth; depth++) {
		for (int i = 0; i < n; i++) {
			bool fresh;
			if (!walks[i].walks)
				continue;
			walks[i].node[depth] = naive_find(naive, &walks[i].board, &fresh);
			walks[i].walks = !(fresh && depth > 0 && naive_same(naive->grow, "node"));
		}
		for (int i = 0; i < n; i++)
			if (walks[i].walks)
				naive_step(naive, &walks[i], depth);
	}
	naive_rollouts(naive, walks, n, worth);
	for (int i = 0; i < n; i++)
		naive_learn(naive, &walks[i], worth[i]);
	free(walks);
	free(worth);
}

/* What SETTINGS say; all of them, in this order. */
static struct naive_search naive_read(const char *settings)
{
	struct naive_search n = {0};
	const int read =
	    sscanf(settings,
		   "sims=%d,depth=%d,leaves=%7[^,],rollouts=%d,select=%7[^,],c=%lf,norm=%7[^,],"
		   "untried=%7[^,],grow=%7[^,],reward=%7[^,],rewards=%d,uniform=%lf,spawns=%7[^,]",
		   &n.sims, &n.depth, n.leaves, &n.rollouts, n.select, &n.c, n.norm, n.untried,
		   n.grow, n.reward, &n.rewards, &n.uniform, n.spawns);
	assert_int_equal(read, 13);
	return n;
}

/* The root's tables against those of the agent. */
static void naive_compare(const struct naive_search *naive, const struct naive_node *root, int move,
			  const struct decision *decision)
{
	int best = -1, visited[DIRECTIONS], known;
	double q[DIRECTIONS], sum, total = 0;
	const bool by_value = naive_same(naive->select, "even");
	for (int d = 0; d < DIRECTIONS; d++) {
		visited[d] = naive_visits(root, d, &known, &sum);
		q[d] = sum / known;
		assert_true(fabs(decision->chance[d] * naive->sims - visited[d]) < 1e-6);
		assert_int_equal(isnan(decision->value[d]), visited[d] == 0);
		assert_true(visited[d] == 0 ||
			    fabs(decision->value[d] - q[d]) <= 1e-9 * fmax(1, fabs(q[d])));
		total += visited[d];
		if (visited[d] && (best < 0 || (!by_value && visited[d] > visited[best]) ||
				   ((by_value || visited[d] == visited[best]) && q[d] > q[best])))
			best = d;
	}
	assert_true(total == naive->sims);
	assert_int_equal(move, best);
	assert_int_equal(decision->nodes, naive->positions + 1);
}

static void naive_check(const char *settings, const char *shape, const struct board *board)
{
	struct naive_search n = naive_read(settings), *naive = &n;
	struct game game, twos;
	struct turn turn;
	struct decision decision;
	game_of(shape, &game);
	twos_of(shape, &twos);
	turn_init(&turn, &game, board, 0);
	naive->prior =
	    naive->uniform > 0 ? agent_of("expectimax:depth=1,value=empty", &game) : NULL;
	struct agent *agent =
	    agent_of(text_of("mcts:%s,rollout_moves=1000000,prior=%s%s", settings,
			     naive->prior ? "expectimax:depth=1+value=empty" : "random",
			     naive_same(naive->select, "even") ? ",decide=value" : ""),
		     &game);
	const int move = turn_ask(agent, &turn, 3, &decision);

	naive->game = naive_same(naive->spawns, "2") ? &twos : &game;
	naive->nodes = calloc(NAIVE_NODES, sizeof *naive->nodes);
	naive->least = INFINITY;
	naive->most = -INFINITY;
	rng_init(&naive->rng, 7, RNG_TEST, 3);
	while (naive->returns < naive->sims) {
		const int left = naive->sims - naive->returns;
		int next = atoi(naive->leaves);
		if (!next) /* auto: a quarter, 16 to 256 */
			next = naive->returns < 64     ? 16
			       : naive->returns > 1024 ? 256
						       : naive->returns / 4;
		naive_batch(naive, board, next < left ? next : left);
	}
	naive_compare(naive, &naive->nodes[0], move, &decision);
	free(naive->nodes);
	agent_free(naive->prior);
	agent_free(agent);
}

/* What each search is told, as naive_read() takes it. */
static const char *const naive_cases[] = {
    "sims=597,depth=2,leaves=auto,rollouts=1,select=puct,c=3,"
    "norm=sd,untried=mean,grow=path,reward=score,rewards=1,uniform=0,spawns=game",
    "sims=300,depth=3,leaves=1,rollouts=1,select=printed,c=1,"
    "norm=none,untried=zero,grow=path,reward=max,rewards=0,uniform=0,spawns=game",
    "sims=200,depth=2,leaves=1,rollouts=2,select=printed,c=0.1,"
    "norm=none,untried=zero,grow=path,reward=max,rewards=1,uniform=0.25,spawns=game",
    "sims=300,depth=4,leaves=1,rollouts=1,select=printed,c=1,"
    "norm=none,untried=zero,grow=path,reward=max,rewards=0,uniform=0,spawns=2",
    "sims=300,depth=4,leaves=7,rollouts=1,select=printed,c=20,"
    "norm=sd,untried=mean,grow=path,reward=score,rewards=1,uniform=0.5,spawns=game",
    "sims=250,depth=8,leaves=1,rollouts=1,select=puct,c=1.5,"
    "norm=range,untried=zero,grow=node,reward=score,rewards=1,uniform=0,spawns=game",
    "sims=301,depth=3,leaves=16,rollouts=3,select=puct,c=0.7,"
    "norm=sd,untried=first,grow=node,reward=score,rewards=1,uniform=1,spawns=game",
    "sims=300,depth=5,leaves=1,rollouts=1,select=ucb1,c=1,"
    "norm=sd,untried=mean,grow=path,reward=score,rewards=1,uniform=0,spawns=game",
    "sims=300,depth=2,leaves=50,rollouts=1,select=ucb1,c=0.5,"
    "norm=range,untried=first,grow=path,reward=score,rewards=0,uniform=0,spawns=game",
    "sims=203,depth=1,leaves=64,rollouts=2,select=even,c=0,"
    "norm=none,untried=zero,grow=path,reward=score,rewards=1,uniform=0,spawns=game",
};

TEST(tables_equal_those_of_the_formulas_followed_naively)
{
	static const char *const shapes[] = {"2x2", "3x3", "2x5", "4x4"};
	struct rng rng;
	rng_init(&rng, 1, RNG_TEST, 1);
	for (size_t i = 0; i < sizeof naive_cases / sizeof naive_cases[0]; i++)
		for (size_t j = 0; j < sizeof shapes / sizeof shapes[0]; j++) {
			struct game game;
			struct board board;
			struct moves moves = {0};
			game_of(shapes[j], &game);
			while (!moves.legal) {
				random_board(&game, CHAINS, &rng, &board);
				oracle_moves(&game, &board, &moves);
			}
			naive_check(naive_cases[i], shapes[j], &board);
		}
}

/*
 * Simulations of one move, every move as often as the others: Q is the mean of their roll-outs.
 * Without a limit of moves these are playouts (boards/simd/playout.h), with one games of the agent
 * random. Some end with the move itself.
 */
TEST(rollouts_of_both_kinds_have_the_exact_mean)
{
	enum { EACH = 10000 / SANITIZED_SHARE };
	static const char *const starts[] = {"2,0/0,2", "4,2/0,2", "4,4/16,8", "16,2/4,4"};
	struct game game[2];
	struct recursion r[2];
	game_of("2x2", &game[0]);
	twos_of("2x2", &game[1]);
	for (int i = 0; i < 2; i++)
		r[i] = (struct recursion){.game = &game[i],
					  .chances = random_chances,
					  .memo = calloc(MEMO, sizeof(struct future *))};
	for (int i = 0; i < 4 * 2 * 2 * 2 * 2; i++) {
		const bool tile = i >> 1 & 1, twos = i >> 3 & 1;
		struct board board;
		struct turn turn;
		struct decision v;
		turn_of(&game[0], starts[i / 16], &board, &turn);
		struct agent *agent = agent_of(
		    text_of("mcts:depth=1,select=even,decide=value,leaves=100,sims=%d,rollouts=%d,"
			    "rollout_moves=%d,reward=%s,spawns=%s",
			    EACH * __builtin_popcount(turn.moves.legal), i >> 2 & 1 ? 3 : 1,
			    i & 1 ? 1000000 : 0, tile ? "max" : "score", twos ? "2" : "game"),
		    &game[0]);
		turn_ask(agent, &turn, (uint64_t)i, &v);
		for (int d = 0; d < DIRECTIONS; d++) {
			struct future future = {0};
			double mean = 0, square = 0;
			if (!(turn.moves.legal >> d & 1))
				continue;
			spawns_follow(&r[twos], &turn.moves.after[d], 1, 1,
				      (double)turn.moves.reward[d], &future);
			for (int k = 0; k < KINDS; k++) {
				mean += future.max_tile[k] * ldexp(1, k) / 2048;
				square += future.max_tile[k] * pow(ldexp(1, k) / 2048, 2);
			}
			mean = tile ? mean : future.score;
			square = tile ? square : future.squares;
			/*
			 * Roll-outs of a simulation share its spawn: this is no less than theirs.
			 */
			const double error = sqrt(fmax(square - mean * mean, 0) / EACH);
			assert_true(fabs(v.value[d] - mean) <= 4.5 * error + 1e-9);
		}
		agent_free(agent);
	}
	recursion_free(&r[0]);
	recursion_free(&r[1]);
}

/* After a move of a simulation, LIMIT more; a pair of 2s is there, then one of 4s. */
TEST(a_limit_ends_rollouts_after_so_many_moves)
{
	struct game game;
	game_of("4x4", &game);
	for (uint64_t limit = 1; limit < 4; limit++) {
		struct board board;
		struct turn turn;
		struct decision v;
		turn_of(&game, "2,2,4,8/0,0,0,0/0,0,0,0/0,0,0,0", &board, &turn);
		struct agent *agent = agent_of(
		    text_of("mcts:depth=1,sims=9,rollouts=5,rollout=greedy,rollout_moves=%d",
			    (int)limit),
		    &game);
		turn_ask(agent, &turn, limit, &v);
		assert_int_equal(v.nodes, 1 + 9 * (1 + 5 * limit));
		/* Down leaves the pair where it is. */
		assert_true(limit == 1 ? v.value[DOWN] >= 4 && v.value[DOWN] < 12
				       : v.value[DOWN] >= 12);
		agent_free(agent);
	}
}

/* What VALUE says of move D of TURN as the last one. */
static double move_worth(const struct value *value, const struct turn *turn, int d)
{
	const double reward = (double)turn->moves.reward[d];
	const struct transition move = {turn->board, &turn->moves.after[d], reward};
	double worth;
	if (value->class->eval_moves)
		value->class->eval_moves(value->self, &move, 1, &worth);
	else
		value_eval(value, &turn->moves.after[d], 1, &worth);
	return worth;
}

/* What a simulation that ends in TURN is worth. */
static double leaf_worth(const struct value *value, const struct turn *turn, bool after,
			 bool rewards)
{
	double most = after ? -INFINITY : 0;
	if (!turn->moves.legal)
		return -7;
	if (!after)
		value_eval(value, turn->board, 1, &most);
	for (int d = 0; after && d < DIRECTIONS; d++)
		if (turn->moves.legal >> d & 1)
			most = fmax(most, move_worth(value, turn, d) +
					      (rewards ? (double)turn->moves.reward[d] : 0));
	return most;
}

/*
 * Where a move leaves one empty cell and only 2s appear, simulations of one move end in one place.
 */
TEST(a_value_evaluates_positions_or_the_best_last_move)
{
	static const char *const names[] = {"strong", "empty", "linear9"};
	struct game game;
	game_of("3x4", &game);
	for (int mode = 0; mode < 12; mode++) {
		const bool after = mode & 1, rewards = mode >> 1 & 1;
		struct value *value = value_of(names[mode / 4], "", &game);
		struct rng rng;
		int checked = 0, lost = 0;
		struct agent *agent = agent_of(
		    text_of("mcts:depth=1,sims=12,leaves=12,select=even,decide=value,rollout=none,"
			    "value=%s,leaf=%s,rewards=%d,spawns=2,terminal=-7",
			    names[mode / 4], after ? "after" : "state", rewards),
		    &game);
		rng_init(&rng, 1, RNG_TEST, 1);
		for (int i = 0; i < 400; i++) {
			struct board board;
			struct turn turn, next;
			struct decision v;
			random_board(&game, FULL, &rng, &board);
			if (i % 2)
				board.cell[i / 2 % 3][i / 6 % 4] = 0;
			turn_init(&turn, &game, &board, 0);
			if (!turn.moves.legal)
				continue;
			turn_ask(agent, &turn, 1, &v);
			for (int d = 0; d < DIRECTIONS; d++) {
				uint8_t cells[CELLS_MAX];
				struct board end = turn.moves.after[d];
				if (!(turn.moves.legal >> d & 1) ||
				    board_empty_cells(&game, &end, cells) != 1)
					continue;
				*board_at(&end, cells[0]) = 1;
				turn_init(&next, &game, &end, 0);
				const double want = leaf_worth(value, &next, after, rewards) +
						    (rewards ? (double)turn.moves.reward[d] : 0);
				assert_true(fabs(v.value[d] - want) <= 1e-12 * fmax(1, fabs(want)));
				checked++;
				lost += !next.moves.legal;
			}
		}
		assert_true(checked > 100 && lost > 3);
		agent_free(agent);
		value_free(value);
	}
}

TEST(tables_that_are_full_end_simulations_early)
{
	struct game game;
	struct board board;
	struct turn turn;
	struct decision decision;
	game_of("4x4", &game);
	turn_of(&game, "2,2,4,8/0,0,0,0/0,0,0,0/0,0,0,0", &board, &turn);
	struct agent *agent = agent_of("mcts:sims=999,depth=40,memory=1K,rollout=none", &game);
	for (uint64_t i = 0; i < 3; i++) {
		double visits = 0;
		const int move = turn_ask(agent, &turn, i, &decision);
		for (int d = 0; d < DIRECTIONS; d++)
			visits += 999 * decision.chance[d];
		assert_true(fabs(visits - 999) < 1e-6);
		assert_true(turn.moves.legal >> move & 1);
		assert_true(decision.depth <= 7); /* 1K has room for no more positions */
		assert_true(decision.nodes <= 1 + 999 * 7);
	}
	agent_free(agent);
}

TEST(a_budget_of_time_makes_as_many_simulations_as_fit)
{
	struct game game;
	struct board board;
	struct turn turn;
	struct decision shorter, longer, bounded;
	game_of("4x4", &game);
	turn_of(&game, "2,2,4,8/0,0,0,0/0,0,0,0/0,0,0,0", &board, &turn);
	struct agent *agent = agent_of("mcts:ms=0.001,leaves=10,rollout=none,depth=1", &game);
	turn_ask(agent, &turn, 1, &shorter);
	agent_free(agent);
	agent = agent_of("mcts:ms=50,leaves=10,rollout=none,depth=1", &game);
	turn_ask(agent, &turn, 1, &longer);
	agent_free(agent);
	agent = agent_of("mcts:ms=60000,sims=25,leaves=10,rollout=none,depth=1", &game);
	turn_ask(agent, &turn, 1, &bounded);
	agent_free(agent);
	/* A simulation of depth 1 with a value makes one position. */
	assert_true(shorter.nodes >= 11 && (shorter.nodes - 1) % 10 == 0);
	assert_true(longer.nodes > 2 * shorter.nodes);
	assert_int_equal(bounded.nodes, 26);
}

/* Ctrl-C is not to wait for the ends of games: a roll-out makes at most the move under way. */
TEST(a_request_to_stop_ends_rollouts)
{
	static const char *const specs[] = {
	    "mcts:sims=64",
	    "mcts:sims=64,reward=max",
	    "mcts:sims=64,rollout=corners",
	    "mcts:sims=64,rollout=corners,reward=max",
	};
	struct game game;
	struct board board;
	struct turn turn;
	struct decision decision;
	struct why why;
	game_of("4x4", &game);
	turn_of(&game, "2,2,4,8/0,0,0,0/0,0,0,0/0,0,0,0", &board, &turn);
	for (size_t i = 0; i < sizeof specs / sizeof *specs; i++) {
		struct agent *agent = agent_of(specs[i], &game);
		stop_request(SIGALRM);
		const int move = turn_ask(agent, &turn, i, &decision);
		assert_int_equal(agent_check(agent, &why), STATUS_STOPPED);
		stop_cancel();
		assert_true(turn.moves.legal >> move & 1);
		assert_true(decision.nodes <= 1 + 64 * (3 + 1));
		agent_free(agent);
	}
}

TEST(every_kind_of_agent_can_be_prior_and_rollout)
{
	static const char *const specs[] = {
	    "mcts:sims=20,prior=greedy,uniform=0.1,rollout=corners",
	    "mcts:sims=20,prior=expectimax:depth=1+value=strong,rollout=greedy:ties=random",
	    "mcts:sims=8,rollout=expectimax:depth=1+tt=0,rollout_moves=5,rollouts=2",
	    "mcts:sims=8,prior=mcts:sims=4+rollout=none+depth=1,rollout=none,value=empty",
	    "mcts:sims=20,rollout=none,value=score,leaf=after",
	    "mcts:sims=20,rollout=none,value=heuristic,norm=range,grow=node,depth=9",
	};
	struct game game;
	game_of("3x3", &game);
	for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
		struct agent *agent = agent_of(specs[i], &game), *other;
		const struct agent_env env = {.game = &game, .owner = agent->self};
		struct outcome first, again;
		assert_int_equal(agent_new(specs[i], &env, &other, NULL), STATUS_OK);
		assert_true(play_game(agent, 3, 2, NULL, &first));
		assert_true(play_game(agent, 3, 5, NULL, &again));
		assert_true(play_game(other, 3, 2, NULL, &again));
		assert_memory_equal(&first.last, &again.last, sizeof first.last);
		assert_int_equal(first.score, again.score);
		assert_true(first.uncertainty >= 0 && first.uncertainty <= 1.5);
		agent_free(other);
		agent_free(agent);
	}
}

/* Two tiles of at most 4 at the start, and then more than a 2 a move, whatever simulations see. */
TEST(fours_still_appear_in_the_game)
{
	struct game game;
	struct outcome outcome;
	game_of("4x4", &game);
	struct agent *agent = agent_of("mcts:sims=50,leaves=50,spawns=2", &game);
	assert_true(play_game(agent, 5, 1, NULL, &outcome));
	assert_true(board_sum(&outcome.last) > 8 + 2 * outcome.moves);
	agent_free(agent);
}

/* An agent that tells what the test says. */
struct teller {
	struct decision decision;
	int move;
};

static int teller_act(void *self, const struct turn *turn, struct rng *rng,
		      struct decision *decision)
{
	const struct teller *teller = self;
	(void)turn;
	(void)rng;
	*decision = teller->decision;
	return teller->move;
}

TEST(chances_come_from_what_an_agent_tells)
{
	static const struct agent_class teller_agent = {.name = "teller", .act = teller_act};
	const double e = exp(1), t = exp(sqrt(3)), u = exp(-1 / sqrt(3));
	const struct {
		struct teller teller;
		double chance[DIRECTIONS];
	} cases[] = {
	    {{{.value = {1, 2, 3, 4}, .chance = {0.1, 0.2, 0.3, 0.4}}, 0}, {0.1, 0.2, 0.3, 0.4}},
	    {{{.value = {NAN, NAN, NAN, NAN}, .chance = {NAN, NAN, NAN, NAN}}, 2}, {0, 0, 1, 0}},
	    {{{.value = {5, 5, 5, 5}, .chance = {NAN, NAN, NAN, NAN}}, 3}, {0, 0, 0, 1}},
	    {{{.value = {9, NAN, NAN, NAN}, .chance = {NAN, NAN, NAN, NAN}}, 1}, {0, 1, 0, 0}},
	    {{{.value = {700, NAN, -300, NAN}, .chance = {NAN, NAN, NAN, NAN}}, 0},
	     {e / (e + 1 / e), 0, 1 / e / (e + 1 / e), 0}},
	    {{{.value = {1, 1, 9, 1}, .chance = {NAN, NAN, NAN, NAN}}, 0},
	     {u / (t + 3 * u), u / (t + 3 * u), t / (t + 3 * u), u / (t + 3 * u)}},
	};
	struct game game;
	struct board board;
	struct turn turn;
	struct rng rng;
	game_of("2x2", &game);
	turn_of(&game, "2,0/0,0", &board, &turn);
	turn.moves.legal = 15; /* as far as it is looked at */
	rng_init(&rng, 1, RNG_TEST, 1);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct teller teller = cases[i].teller;
		struct agent agent = {.class = &teller_agent, .game = &game, .self = &teller};
		double chance[1][DIRECTIONS];
		int move;
		agent_policy_chances(&agent, &turn, 1, &rng, chance);
		for (int d = 0; d < DIRECTIONS; d++)
			assert_true(fabs(chance[0][d] - cases[i].chance[d]) < 1e-12);
		agent_policy_moves(&agent, &turn, 1, &rng, chance, &move);
		assert_int_equal(move, teller.move);
	}
}

TESTS(NULL, NULL)
