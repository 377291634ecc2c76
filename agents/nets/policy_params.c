/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameters of the policy network, and the networks that they describe. */
#include "agents/nets/policy.h"

#include <stdlib.h>
#include <string.h>

#define FIELD(name) offsetof(struct policy_settings, name)

const struct param policy_params[] = {
    {"file", PARAM_FILE, FIELD(file), "", 0, 0, NULL, "model file; its settings are taken with it"},
    {"play", PARAM_CHOICE, FIELD(play), "argmax", 0, 0, "argmax|sample",
     "moves outside of training: the most likely, or drawn by their chances"},
    {"hidden", PARAM_TEXT, FIELD(hidden), "200,100", 0, 0, NULL, "units of each hidden layer"},
    {"input", PARAM_CHOICE, FIELD(input), "onehot", 0, 0, "onehot|exponents",
     "what a cell is to the network: a vector with a 1 for its exponent, or the exponent"},
    {"levels", PARAM_INT, FIELD(levels), "auto", 2, 64, "auto",
     "exponents told apart, from 0 on; auto: 16 on 4x4, as many as cells on larger boards"},
    {"symmetry", PARAM_CHOICE, FIELD(symmetry), "none", 0, 0, "none|canonical",
     "canonical: one of the board's symmetric images stands for all"},
    {"stages", PARAM_TEXT, FIELD(stages), "", 0, 0, NULL,
     "tiles from which on there is another network, as in 512+1024"},
    {"start", PARAM_CHOICE, FIELD(start), "plain", 0, 0, "scaled|plain|torch",
     "first weights: variance 2/n and 1/n for the first layer, 1/n, or 1/(3n) with biases"},
    {"last", PARAM_REAL, FIELD(last), "1", 0, 100, NULL,
     "factor of the last layer's first weights; 0: all moves begin equal"},
    {"actions", PARAM_CHOICE, FIELD(actions), "probabilistic", 0, 0, "probabilistic|egreedy",
     "moves in training: drawn by their chances, or the most likely but for some at random"},
    {"epsilon", PARAM_REAL, FIELD(epsilon), "0.1", 0, 1, NULL,
     "probability of a random move with actions=egreedy"},
    {"epsilon_end", PARAM_REAL, FIELD(epsilon_end), "0", 0, 1, NULL,
     "epsilon from training game epsilon_games on"},
    {"epsilon_games", PARAM_INT, FIELD(epsilon_games), "0", 0, 1e15, NULL,
     "training games until then; 0: epsilon stays"},
    {"batch", PARAM_INT, FIELD(batch), "10", 1, 100000, NULL,
     "games that are learned from at once"},
    {"gradient", PARAM_CHOICE, FIELD(gradient), "reinforce", 0, 0, "reinforce|printed",
     "the gradient of the expected reward, or the formula as the paper prints it"},
    {"reward", PARAM_CHOICE, FIELD(reward), "sum", 0, 0, "sum|score|max|moves|win",
     "what a game is judged by: sum of the last tiles, points, largest tile, moves, 2048 or not"},
    {"credit", PARAM_CHOICE, FIELD(credit), "game", 0, 0, "game|togo|critic",
     "what a move is judged by: the whole game, what came after it, or that against a critic"},
    {"gamma", PARAM_REAL, FIELD(gamma), "1", 0, 1, NULL,
     "discount a move of what comes after it, with togo and critic"},
    {"lambda", PARAM_REAL, FIELD(lambda), "0.95", 0, 1, NULL,
     "how far the critic's errors go back, with credit=critic"},
    {"entropy", PARAM_REAL, FIELD(entropy), "0", 0, 100, NULL,
     "what uncertainty is worth, in standard deviations of credit a unit of entropy"},
    {"minibatch", PARAM_INT, FIELD(minibatch), "0", 0, 1e9, NULL,
     "moves of a step of the weights, in random order; 0: all of the batch in one step"},
    {"epochs", PARAM_INT, FIELD(epochs), "1", 1, 100, NULL, "times that a batch is learned from"},
    {"clip", PARAM_REAL, FIELD(clip), "0", 0, 10, NULL,
     "a move's chance is not pushed further from what it was than by this factor; 0: no limit"},
    {"optimiser", PARAM_CHOICE, FIELD(optimiser), "rmsprop-norm", 0, 0,
     "sgd|rmsprop|rmsprop-norm|adam", "how gradients become steps; -norm as the paper prints it"},
    {"alpha", PARAM_REAL, FIELD(alpha), "0.01", 0, 1e6, NULL, "learning rate"},
    {"alpha_end", PARAM_REAL, FIELD(alpha_end), "0.001", 0, 1e6, NULL,
     "learning rate from training game alpha_games on"},
    {"alpha_games", PARAM_INT, FIELD(alpha_games), "0", 0, 1e15, NULL,
     "training games until then; 0: alpha stays"},
    {"rho", PARAM_REAL, FIELD(rho), "0.99", 0, 0.999999, NULL,
     "share of the past in the mean of squares"},
    {"critic_alpha", PARAM_REAL, FIELD(critic_alpha), "0.001", 0, 1e6, NULL,
     "learning rate of the critic, which adam fits"},
    {"weights", PARAM_FILE, FIELD(weights), "", 0, 0, NULL,
     "model file of another policy, whose weights learning begins with"},
    {"demonstrations", PARAM_FILE, FIELD(demonstrations), "", 0, 0, NULL,
     "file of recorded games to learn from"},
    {"demo_games", PARAM_INT, FIELD(demo_games), "10", 1, 100000, NULL,
     "recorded games that are added to each batch"},
    {"demo_only", PARAM_INT, FIELD(demo_only), "0", 0, 1e15, NULL,
     "batches that learn from recorded games alone, to play like them, before it goes on"},
    {0},
};

static enum status hidden_read(const char *text, struct brain_plan *plan, struct why *why)
{
	plan->layers = 0;
	for (const char *at = text;; at++) {
		char *end;
		const long width = strtol(at, &end, 10);
		if (end == at || width < 1 || width > PERCEPTRON_WIDTH ||
		    plan->layers == PERCEPTRON_LAYERS - 1 || (*end && *end != ','))
			return why_set(why, STATUS_INPUT,
				       "hidden=%.60s: expected 1 to %d widths from 1 to %d, as in "
				       "200,100",
				       text, PERCEPTRON_LAYERS - 1, PERCEPTRON_WIDTH);
		plan->width[plan->layers++] = (int)width;
		at = end;
		if (!*end)
			return STATUS_OK;
	}
}

static enum status stages_read(const char *text, struct brain_plan *plan, struct why *why)
{
	plan->stages = 1;
	for (const char *at = text; *at;) {
		char *end;
		const unsigned long long tile = strtoull(at, &end, 10);
		const int k = tile ? __builtin_ctzll(tile) : 0;
		const int before = plan->stages > 1 ? plan->threshold[plan->stages - 2] : 1;
		if (end == at || k <= before || tile != 1ULL << k || (*end && *end != '+') ||
		    (*end && !end[1]) || plan->stages == BRAIN_STAGES)
			return why_set(why, STATUS_INPUT,
				       "stages=%.60s: expected at most %d rising tiles, as in "
				       "512+1024",
				       text, BRAIN_STAGES - 1);
		plan->threshold[plan->stages++ - 1] = k;
		at = end + (*end == '+');
	}
	return STATUS_OK;
}

enum status policy_plan(const struct policy_settings *settings, const struct game *game,
			struct brain_plan *plan, struct why *why)
{
	*plan = (struct brain_plan){
	    .exponents = settings->input,
	    .canonical = settings->symmetry,
	    .levels = settings->levels == PARAM_WORD ? brain_levels(game) : (int)settings->levels,
	    .start = (enum perceptron_start)settings->start,
	    .last = settings->last,
	};
	enum status status = hidden_read(settings->hidden, plan, why);
	if (!status)
		status = stages_read(settings->stages, plan, why);
	plan->width[plan->layers++] = DIRECTIONS;
	return status;
}
