/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parameters of the agent relative, and what they describe. Those from game_type to
 * game_penalty_type are the article's "Final parameter list"; where it gives no default (batch_size),
 * ours is what its kind of network is trained with elsewhere.
 */
#include "agents/nets/relative.h"

#include "agents/nets/relative_starts.h"

#define FIELD(name) offsetof(struct relative_settings, name)

const struct param relative_params[] = {
    {"file", PARAM_FILE, FIELD(file), "", 0, 0, NULL, "model file; its settings are taken with it"},
    {"play", PARAM_CHOICE, FIELD(play), "argmax", 0, 0, "argmax|sample",
     "moves outside of training: the most likely, or drawn by their chances"},
    {"game_type", PARAM_CHOICE, FIELD(game_type), "full", 0, 0, "full|mini_iterative|mini_random",
     "training games: whole ones, or from a layout to the next tile"},
    {"random_games", PARAM_CHOICE, FIELD(random_games), "false", 0, 0, "false|true",
     "as many games again in each batch, all of whose moves are random"},
    {"random_frac", PARAM_REAL, FIELD(random_frac), "0", 0, 1, NULL,
     "share of random moves in the other games"},
    {"batch_size", PARAM_INT, FIELD(batch_size), "10", 1, 100000, NULL,
     "games that are compared with each other and learned from at once"},
    {"lr", PARAM_REAL, FIELD(lr), "0.001", 0, 1e6, NULL, "learning rate"},
    {"move_penalty_type", PARAM_CHOICE, FIELD(move_penalty_type), "none", 0, 0,
     "none|nonzero|linear_move_num|exponential_move_num",
     "what the weight of a move grows with: nothing, tiles on the board, its number in the game"},
    {"game_penalty_type", PARAM_CHOICE, FIELD(game_penalty_type), "none", 0, 0,
     "none|scores|max|log2_max|tile_sums",
     "what tells good games from bad and weighs them; none: the score, without weights"},
    {"hidden1", PARAM_INT, FIELD(hidden1), "200", 1, PERCEPTRON_WIDTH, NULL,
     "units of the first hidden layer"},
    {"hidden2", PARAM_INT, FIELD(hidden2), "100", 1, PERCEPTRON_WIDTH, NULL,
     "units of the second hidden layer"},
    {"input", PARAM_CHOICE, FIELD(input), "exponents", 0, 0, "exponents|onehot",
     "what a cell is to the network: the exponent, or a vector with a 1 for it"},
    {"levels", PARAM_INT, FIELD(levels), "auto", 2, 64, "auto",
     "exponents told apart, from 0 on; auto: 16 on 4x4, as many as cells on larger boards"},
    {"symmetry", PARAM_CHOICE, FIELD(symmetry), "none", 0, 0, "none|canonical",
     "canonical: one of the board's symmetric images stands for all"},
    {"among", PARAM_CHOICE, FIELD(among), "legal", 0, 0, "legal|all",
     "moves that share the probability in what is learned; played are legal ones"},
    {"bad", PARAM_REAL, FIELD(bad), "1", 0, 1000, NULL, "weight of bad games, beside good ones"},
    {"minibatch", PARAM_INT, FIELD(minibatch), "0", 0, 1e9, NULL,
     "moves of a step of the weights, in random order; 0: all of the batch in one step"},
    {"win", PARAM_INT, FIELD(win), "2048", 2, 1e12, "none", "tile that ends a whole game"},
    {"mini_first", PARAM_INT, FIELD(mini_first), "64", 2, 1e12, NULL,
     "largest tile of the layouts of the first mini-games"},
    {"mini_last", PARAM_INT, FIELD(mini_last), "1024", 2, 1e12, NULL,
     "largest tile of the layouts of the last ones"},
    {"mini_batches", PARAM_INT, FIELD(mini_batches), "10", 1, 1e15, NULL,
     "batches of mini-games before the tile is doubled"},
    {0},
};

/* The exponent of TILE within LEAST .. MOST. */
static enum status exponent_read(const char *name, int64_t tile, const struct game *game, int least,
				 int most, int *exponent, struct why *why)
{
	const int k = __builtin_ctzll((uint64_t)tile);
	if (tile != (int64_t)1 << k || k < least || k > most)
		return why_set(why, STATUS_INPUT,
			       "relative: %s=%lld: expected a tile from %lld to %lld on %s", name,
			       (long long)tile, 1LL << least, 1LL << most, game->name);
	*exponent = k;
	return STATUS_OK;
}

/* The course of mini-games; of whole games there is none, and its parameters need not fit. */
static enum status course_plan(const struct relative_settings *s, const struct game *game,
			       struct relative_course *course, struct why *why)
{
	int least, most;
	*course = (struct relative_course){.game = game,
					   .type = (enum game_type)s->game_type,
					   .batches = (uint64_t)s->mini_batches};
	if (course->type == GAME_FULL)
		return STATUS_OK;
	starts_range(game, &least, &most);
	enum status status =
	    exponent_read("mini_first", s->mini_first, game, least, most, &course->first, why);
	return status ? status
		      : exponent_read("mini_last", s->mini_last, game, course->first, most,
				      &course->last, why);
}

enum status relative_plan(const struct relative_settings *settings, const struct game *game,
			  struct brain_plan *plan, int *limit, struct relative_course *course,
			  struct why *why)
{
	*plan = (struct brain_plan){
	    .exponents = settings->input == 0,
	    .canonical = settings->symmetry,
	    .levels = settings->levels == PARAM_WORD ? brain_levels(game) : (int)settings->levels,
	    .layers = 3,
	    .width = {(int)settings->hidden1, (int)settings->hidden2, DIRECTIONS},
	    .stages = 1,
	    .start = START_TORCH,
	    .last = 1,
	};
	*limit = 0;
	enum status status = STATUS_OK;
	if (settings->win != PARAM_WORD)
		status = exponent_read("win", settings->win, game, game->spawn.exponent[0] + 1, 43,
				       limit, why);
	return status ? status : course_plan(settings, game, course, why);
}
