/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * N-tuple networks as agents, which learn by td.c and play by one-move search, and as a value for
 * searches: parameters, networks and trainers made from them, model files, and the classes.
 *
 * A model file has these sections: the state of training; the boxes of a network on demand; the
 * weights; and, if the learning rates need it, the coherence of each weight's updates.
 */
#include "agents/ntuple/ntuple.h"

#include "agents/model.h"
#include "base/number.h"
#include "base/virtual_memory.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The parameters; see their help texts. */
struct ntuple_settings {
	char file[FIELD_TEXT_MAX], tuples[FIELD_TEXT_MAX], weights[FIELD_TEXT_MAX],
	    curriculum[FIELD_TEXT_MAX];
	int share; /* a choice */
	int64_t levels;
	double init;
	struct td_options training;
	bool on_demand; /* not a parameter */
};

/* The state of the agent ntuple; the first member of that of qlearn. */
struct ntuple {
	struct ntuple_settings settings;
	const struct game *game;
	const struct ntuple *learner; /* itself, or the instance whose network it uses */
	struct network network;	      /* of a learner, like the next member */
	struct td td;
};

#define FIELD(name) .offset = offsetof(struct ntuple_settings, name)

static const struct field ntuple_params[] = {
    {"file", FIELD_FILE, FIELD(file), "", 0, 0, NULL,
     "model file, or built-in, the one that comes with nxn; its settings are taken with it"},
    {"tuples", FIELD_CHARS, FIELD(tuples), "auto", 0, 0, NULL,
     "cells in base 36, as in 012345,456789, or sets: lines, rectangles=RxC, snakes=N, group0, "
     "group1, group2, 4x6, 8x6; auto: tuples that suit the board, and settings for the parameters "
     "below that are auto"},
    {"share", FIELD_CHOICE, FIELD(share), "auto", 0, 0, "none|orbit|all|auto",
     "what shares the weights of a tuple: nothing, its symmetric images, or all tuples of its "
     "shape in every place; auto: orbit, unless tuples is auto"},
    {"weights", FIELD_FILE, FIELD(weights), "", 0, 0, NULL,
     "model file whose weights learning starts with; of any board, with share=all"},
    {"curriculum", FIELD_CHARS, FIELD(curriculum), "auto", 0, 0, NULL,
     "boards and training games that come first, with share=all, as in 4x4:5000+5x5:1000; none; "
     "auto: none, unless tuples is auto"},
    {"curriculum_alpha", FIELD_REAL, FIELD(training.curriculum_alpha), "1", 0, 1e6, NULL,
     "learning rate in the games of curriculum"},
    {"levels", FIELD_INTEGER, FIELD(levels), "auto", 2, INDEXER_LEVELS, "auto",
     "number of distinct exponents, from 0; auto: enough for strong play"},
    {"init", FIELD_REAL, FIELD(init), "0", -1e15, 1e15, NULL,
     "value of a position before anything is learned, points; large: optimistic", .scale = 1000},
    {"rule", FIELD_CHOICE, FIELD(training.rule), "td-after", 0, 0, "td-after|td-state|q",
     "what has values: after-states, positions, or after-states with the points of the move"},
    {"lost", FIELD_CHOICE, FIELD(training.lost), "estimate", 0, 0, "estimate|zero",
     "value of a lost position when td-state chooses a move: that of the network, or 0"},
    {"update", FIELD_CHOICE, FIELD(training.order), "forward", 0, 0, "forward|backward",
     "learn after every move, or after the game from its end"},
    {"rate", FIELD_CHOICE, FIELD(training.rate), "auto", 0, 0, "fixed|tc|visits|auto",
     "a weight's own rate: 1, temporal coherence, 1/sqrt of its updates; auto: fixed, unless "
     "tuples "
     "is auto"},
    {"alpha", FIELD_REAL, FIELD(training.alpha), "auto", 0, 1e6, "auto",
     "learning rate, divided among the features; auto: 0.1, unless tuples is auto", .scale = 0.1},
    {"alpha_end", FIELD_REAL, FIELD(training.alpha_end), "0.01", 1e-9, 1e6, NULL,
     "learning rate from training game alpha_games on"},
    {"alpha_games", FIELD_INTEGER, FIELD(training.alpha_games), "0", 0, 1e15, NULL,
     "training games until then; 0: alpha stays"},
    {"decay", FIELD_CHOICE, FIELD(training.decay), "linear", 0, 0, "linear|geometric",
     "how alpha goes to alpha_end"},
    {"lambda", FIELD_REAL, FIELD(training.lambda), "0", 0, 1, NULL,
     "how far errors update earlier moves: TD(lambda)", .scale = 0.5},
    {"trace", FIELD_INTEGER, FIELD(training.trace), "5", 1, TRACE_MAX, NULL,
     "number of earlier moves that errors update, with update=forward"},
    {"gamma", FIELD_REAL, FIELD(training.gamma), "1", 0, 1, NULL, "discount of the next value"},
    {"epsilon", FIELD_REAL, FIELD(training.epsilon), "0", 0, 1, NULL,
     "probability of a random move in training", .scale = 0.1},
    {"error", FIELD_CHOICE, FIELD(training.error), "linear", 0, 0, "linear|sqrt",
     "the error divided among the features, or its signed root for every feature"},
    {"terminal", FIELD_CHOICE, FIELD(training.terminal), "zero", 0, 0, "zero|neg-score",
     "reward at the end of a game: none, or minus the score"},
    {"retries", FIELD_INTEGER, FIELD(training.retries), "auto", 0, 1000000, "auto",
     "number of times that a lost training game continues from a position before the loss; auto: "
     "0, unless tuples is auto"},
    {"lanes", FIELD_INTEGER, FIELD(training.lanes), "auto", 1, LANES_MAX, "auto",
     "games in parallel per thread in training; auto: 2 up to 40 features, else 1"},
    {0},
};

/*
 * The best known settings for boards of up to CELLS cells (docs/learning.md): tables of everything
 * on small boards; the four 6-tuples of the literature; on large boards a few forms for all places,
 * trained on smaller boards first.
 */
static const struct preset {
	int cells;
	const char *tuples;
	enum network_share share;
	const char *curriculum;
	double alpha;
	int retries;
} presets[] = {
    {4, "rectangles=2x2", SHARE_ORBIT, "none", 1, 0},
    {6, "rectangles=2x3", SHARE_ORBIT, "none", 1, 0},
    {8, "4x6", SHARE_ORBIT, "none", 1, 0},
    {9, "rectangles=2x3+0134678", SHARE_ORBIT, "none", 1, 0},
    {16, "4x6", SHARE_ORBIT, "none", 1, 0},
    {25, "rectangles=2x2+rectangles=1x5+4x6", SHARE_ALL, "4x4:3000", 1, 10},
    {CELLS_MAX, "rectangles=2x2+rectangles=1x3+rectangles=1x4+rectangles=1x5", SHARE_ALL,
     "4x4:300+5x5:800", 1, 1000},
};

/* Replaces settings that are auto by their values on GAME. */
static void settings_resolve(struct ntuple_settings *settings, const struct game *game)
{
	const struct preset *preset = presets;
	const bool automatic = strcmp(settings->tuples, "auto") == 0;
	struct td_options *training = &settings->training;
	while (preset->cells < game->cells)
		preset++;
	if (automatic)
		strcpy(settings->tuples, preset->tuples);
	if (settings->share == SHARE_AUTO)
		settings->share = (int)(automatic ? preset->share : SHARE_ORBIT);
	if (strcmp(settings->curriculum, "auto") == 0)
		strcpy(settings->curriculum,
		       automatic && settings->share == SHARE_ALL ? preset->curriculum : "none");
	if (training->rate == RATE_AUTO)
		training->rate = automatic ? RATE_TC : RATE_FIXED;
	if (isnan(training->alpha))
		training->alpha = automatic && training->rate == RATE_TC ? preset->alpha : 0.1;
	if (training->retries == FIELD_WORD)
		training->retries = automatic ? preset->retries : 0;
}

/* Returns the plan of the network that SETTINGS describe for GAME. */
static struct network_plan network_plan(const struct ntuple_settings *settings,
					const struct game *game)
{
	struct network_plan plan = {
	    .tuples = settings->tuples,
	    .share = (enum network_share)settings->share,
	    .levels = settings->levels == FIELD_WORD ? 0 : (int)settings->levels,
	    .coherence = settings->training.rate != RATE_FIXED && !settings->on_demand,
	    .on_demand = settings->on_demand,
	    .visits = settings->training.rate == RATE_VISITS && settings->on_demand,
	    .start = settings->init,
	};
	if (plan.levels > game->max_exponent + 1 && plan.share != SHARE_ALL)
		plan.levels = game->max_exponent + 1;
	return plan;
}

/*
 * A second game hides the latency of loading the weights of the first: 1.15 times the moves per
 * second with the four 6-tuples of 4x4. With eight tuples the two games compete for the cache and
 * lose as much.
 */
static int lanes_auto(const struct network *network)
{
	return network->indexer.features <= 40 ? 2 : 1;
}

/* Parses the next "4x4:5000" of *TEXT; false if it is malformed. */
static bool lesson_parse(const char **text, char shape[8], uint64_t *games)
{
	const size_t length = strcspn(*text, ":");
	if (length == 0 || length >= 8 || (*text)[length] != ':')
		return false;
	snprintf(shape, 8, "%.*s", (int)length, *text);
	const char *end = whole_scan(*text + length + 1, games);
	if (!end || *games < 1 || *games > 1000000000000000 || (*end && *end != '+'))
		return false;
	*text = end;
	return true;
}

/* Adds the lesson SHAPE, whose games follow those of the lessons so far. */
static enum status lesson_add(struct td *td, const char *shape, uint64_t games, struct why *why)
{
	struct td_lesson *lesson = &td->lesson[td->lessons];
	*lesson = (struct td_lesson){0};
	const struct game *own = td->network->game;
	const struct game_options options = {.shape = shape, .spawn = own->spawn.text};
	enum status status = game_init(&lesson->game, &options, why);
	/* As many as in its own games, if the smaller board has room for them. */
	if (!status)
		lesson->game.start_tiles =
		    own->start_tiles < lesson->game.cells ? own->start_tiles : lesson->game.cells;
	lesson->end = games + (td->lessons ? lesson[-1].end : 0);
	status = status ? status : network_view(&lesson->network, td->network, &lesson->game, why);
	td->lessons += !status;
	return status;
}

/* Creates the curriculum that TEXT lists. STATUS_INPUT; STATUS_SYSTEM if memory runs out. */
static enum status curriculum_make(struct td *td, const char *text, struct why *why)
{
	const char *next = text;
	char shape[8];
	uint64_t games;
	if (strcmp(text, "none") == 0)
		return STATUS_OK;
	if (td->network->plan.share != SHARE_ALL)
		return why_set(why, STATUS_INPUT, "curriculum=%.40s: expected share=all with it",
			       text);
	td->lesson = aligned_alloc(_Alignof(struct td_lesson), LESSONS_MAX * sizeof *td->lesson);
	if (!td->lesson)
		return why_set(why, STATUS_SYSTEM, "out of memory for a curriculum");
	for (;; next++) {
		if (td->lessons == LESSONS_MAX || !lesson_parse(&next, shape, &games))
			return why_set(why, STATUS_INPUT,
				       "curriculum=%.80s: expected at most %d boards with their "
				       "training games, as in 4x4:5000+5x5:1000",
				       text, LESSONS_MAX);
		enum status status = lesson_add(td, shape, games, why);
		if (status || !*next)
			return status;
	}
}

static void ntuple_fini(void *self)
{
	struct ntuple *n = self;
	struct td *td = &n->td;
	if (n->learner != n)
		return;
	for (int i = 0; i < td->count; i++)
		td_game_fini(&td->waiting[i]);
	free(td->waiting);
	free(td->lesson);
	network_fini(&n->network);
}

/* Creates an untrained network and its trainer from the settings. */
static enum status ntuple_make(void *self, const struct game *game, struct why *why)
{
	struct ntuple *n = self;
	struct ntuple_settings settings = n->settings;
	struct game trained_on = *game;
	enum status status =
	    *settings.file ? model_game(settings.file, &trained_on, why) : STATUS_OK;
	settings_resolve(&settings, &trained_on);
	/* A model from another board keeps its settings instead of those for the new board. */
	if (!status && strcmp(trained_on.name, game->name) != 0)
		n->settings = settings;
	const struct network_plan plan = network_plan(&settings, game);
	n->game = game;
	if (!status)
		status = network_init(&n->network, game, &plan, why);
	if (status)
		return status;
	n->td = (struct td){.options = settings.training, .network = &n->network};
	n->learner = n;
	struct td_options *options = &n->td.options;
	if (options->lambda == 0)
		options->trace = 1;
	if (options->lanes == FIELD_WORD)
		options->lanes = lanes_auto(&n->network);
	pthread_mutex_init(&n->td.lock, NULL);
	status = curriculum_make(&n->td, settings.curriculum, why);
	if (status)
		ntuple_fini(n);
	return status;
}

static enum status ntuple_borrow(void *self, const struct game *game, const void *owner,
				 struct why *why)
{
	struct ntuple *n = self;
	const struct ntuple *from = owner;
	(void)why;
	n->game = game;
	n->learner = from->learner;
	n->settings = from->settings;
	return STATUS_OK;
}

static void ntuple_learn(void *self, const struct training_request *request)
{
	struct ntuple *n = self;
	assert(n->learner == n);
	td_learn(&n->td, request);
}

static uint64_t ntuple_trained(const void *self)
{
	return atomic_load(&((const struct ntuple *)self)->learner->td.games);
}

static int ntuple_act(void *self, const struct turn *turn, struct rng *rng,
		      struct decision *decision)
{
	const struct ntuple *n = self;
	(void)rng;
	return td_best(&n->learner->network, &n->settings.training, &turn->moves, decision->value);
}

static void numbers32(struct model_file *file, uint32_t *x, int n)
{
	for (int i = 0; i < n; i++)
		x[i] = (uint32_t)model_number(file, x[i], UINT32_MAX);
}

/* Writes or reads the points of a move. */
static double reward_section(struct model_file *file, double x)
{
	x = model_real(file, x);
	if (!(x >= 0 && x <= 0x1p64))
		model_reject(file, "a reward that no move has", "points");
	return x;
}

static void position_section(struct model_file *file, const struct game *game, struct board *board)
{
	model_bytes(file, board, sizeof *board);
	if (model_reading(file) && !model_board_valid(game, board))
		model_reject(file, "a board that the game cannot have",
			     "positions of the model's board");
}

/*
 * Makes room in the path for one more step and subtracts the memory from *BYTES. If a file claims
 * more steps than it has, reading fails before much memory is allocated.
 */
static bool path_reserve(struct model_file *file, const struct td *td, struct td_game *game,
			 uint64_t *bytes)
{
	const size_t before = game->capacity;
	if (!td_path_grow(td, game)) {
		model_fail(file, STATUS_SYSTEM, "out of memory for the games under way");
		return false;
	}
	const uint64_t more = (game->capacity - before) * sizeof *game->path;
	if (more > *bytes)
		model_fail(
		    file, STATUS_SYSTEM,
		    "no memory for the games under way: expected half of the machine's to be "
		    "enough");
	*bytes -= more;
	return !model_status(file);
}

static void restart_section(struct model_file *file, const struct game *rules,
			    struct td_restart *restart)
{
	position_section(file, rules, &restart->board);
	restart->score = model_number(file, restart->score, UINT64_MAX);
}

/* Writes or reads the trail of GAME and its number of restarts; BYTES as in game_section(). */
static void trail_section(struct model_file *file, const struct td *td, struct td_game *game,
			  uint64_t *bytes)
{
	const struct game *rules = td->network->game;
	game->retried = model_number(file, game->retried, (uint64_t)td->options.retries);
	if (game->retried)
		restart_section(file, rules, &game->ended);
	const uint64_t entries =
	    model_number(file, game->trail ? game->trail->end - game->trail->first : 0, TRAIL_MAX);
	if (!entries)
		return;
	if (model_reading(file)) {
		game->trail = *bytes < sizeof *game->trail ? NULL : calloc(1, sizeof *game->trail);
		if (!game->trail) {
			model_fail(file, STATUS_SYSTEM, "out of memory for the games under way");
			return;
		}
		*bytes -= sizeof *game->trail;
		game->trail->end = entries;
	}
	/* NOLINTBEGIN(clang-analyzer-core.NullDereference): without a trail, entries = 0 */
	for (uint64_t i = 0; i < entries && !model_status(file); i++)
		restart_section(file, rules,
				&game->trail->entry[(game->trail->first + i) % TRAIL_MAX]);
	/* NOLINTEND(clang-analyzer-core.NullDereference) */
}

/*
 * Writes or reads GAME. *BYTES is the memory that this and the following unfinished games may take
 * together.
 */
static void game_section(struct model_file *file, const struct td *td, struct td_game *game,
			 uint64_t *bytes)
{
	const bool backward = td->options.order == ORDER_BACKWARD;
	const size_t most = backward ? SIZE_MAX / 2 : (size_t)td->options.trace;
	game->episode = model_number(file, game->episode, UINT64_MAX);
	const struct game *rules = td_game_of(td, game->episode);
	numbers32(file, game->rng.key, 2);
	numbers32(file, game->rng.counter, 4);
	numbers32(file, game->rng.block, 4);
	game->rng.used = (unsigned)model_number(file, game->rng.used, 4);
	game->outcome.score = model_number(file, game->outcome.score, UINT64_MAX);
	game->outcome.moves = model_number(file, game->outcome.moves, UINT64_MAX);
	game->outcome.partial = model_number(file, game->outcome.partial, 1);
	position_section(file, rules, &game->outcome.last);
	const size_t steps = (size_t)model_number(file, game->steps, most);
	if (model_reading(file))
		game->steps = 0;
	for (size_t i = 0; i < steps && !model_status(file); i++) {
		if (model_reading(file)) {
			if (!path_reserve(file, td, game, bytes))
				break;
			game->steps = i + 1;
		}
		position_section(file, rules, &game->path[i].board);
		game->path[i].reward = reward_section(file, game->path[i].reward);
	}
	if (td->options.retries > 0 && rules == td->network->game)
		trail_section(file, td, game, bytes);
}

/*
 * Writes or reads the state of training: numbers of games, unfinished games; 64-bit numbers,
 * boards as 48 bytes. Reads into a new TD; after a failure only fini() may be called.
 */
static void training_section(struct td *td, struct model_file *file)
{
	enum { WAITING_MAX = 1 << 16 };
	const uint64_t games = model_header(file)->games;
	uint64_t bytes = virtual_memory_half();
	if (atomic_load(&td->out_of_memory))
		model_fail(file, STATUS_SYSTEM, "out of memory for the games under way");
	td->begun = model_number(file, td->begun, UINT64_MAX);
	const uint64_t count = model_number(file, (uint64_t)td->count, WAITING_MAX);
	if (model_reading(file)) {
		atomic_store(&td->games, games);
		td->waiting = calloc((size_t)count + 1, sizeof *td->waiting);
		td->count = td->waiting ? (int)count : 0;
		if (!td->waiting)
			model_fail(file, STATUS_SYSTEM, "out of memory for games under way");
	}
	for (int i = 0; i < td->count && !model_status(file); i++)
		game_section(file, td, &td->waiting[i], &bytes);
	if (model_reading(file) && td->begun != games + count)
		model_reject(file, "the games do not add up",
			     "those begun to be over or under way");
	model_section_end(file);
}

static uint64_t weights_place(uint64_t block)
{
	return index_exchange(64 * block) / 64;
}

static uint64_t coherence_place(uint64_t block)
{
	return 2 * weights_place(block / 2) + block % 2;
}

static void ntuple_layout(const void *self, char *layout)
{
	const struct network *network = &((const struct ntuple *)self)->learner->network;
	const struct network_plan *plan = &network->plan;
	const uint64_t cells =
	    XXH3_64bits(&network->patterns.pattern,
			(size_t)network->patterns.count * sizeof network->patterns.pattern[0]);
	char images[32] = "all places";
	if (plan->share != SHARE_ALL)
		snprintf(images, sizeof images, "%d images",
			 network->indexer.features / network->patterns.count);
	snprintf(layout, MODEL_LAYOUT_MAX,
		 "%d tuples (%016" PRIx64 ") in %s, %d levels, low bits apart",
		 network->patterns.count, cells, images, plan->levels);
}

/* A forged or too large model must not exhaust the machine's memory. */
static void blocks_check(const struct network *network, uint64_t blocks, struct model_file *file)
{
	const uint64_t bytes = network->block * sizeof(float);
	const uint64_t fit = virtual_memory_half() / bytes;
	if (blocks >= network->capacity)
		model_reject(file, "more blocks than the board has boxes", "fewer");
	else if (blocks > fit)
		model_fail(file, STATUS_SYSTEM,
			   "a model of %" PRIu64 " blocks of %" PRIu64
			   " bytes, expected at most the %" PRIu64
			   " that fit into half of this machine's memory",
			   blocks, bytes, fit);
}

/* Writes or reads the boxes, in the order of their blocks. Reads into a network without blocks. */
static void boxes_section(struct network *network, struct model_file *file)
{
	const bool reading = model_reading(file);
	const uint64_t blocks = model_number(file, network->blocks - 1, UINT64_MAX);
	if (reading)
		blocks_check(network, blocks, file);
	for (uint64_t b = 1; b <= blocks && !model_status(file); b++) {
		const uint64_t box = model_number(file, network->box[b], UINT64_MAX);
		if (reading && !model_status(file) &&
		    (box >= network->boxes || !network_box_add(network, box)))
			model_reject(file, "a block in a wrong place",
				     "each box of the board at most once");
	}
	model_section_end(file);
}

static void ntuple_sections(void *self, struct model_file *file)
{
	struct ntuple *n = self;
	struct network *network = &n->network;
	static const float zeros[2 * NETWORK_BOX];
	training_section(&n->td, file);
	if (network->directory) {
		boxes_section(network, file);
		model_floats(file, network->weight, network->blocks * network->block, NULL);
		/*
		 * A forged file may have weights in the block that all boxes without a block
		 * share.
		 */
		if (memcmp(network->weight, zeros, network->block * sizeof *zeros))
			model_reject(file, "a block in a wrong place", "none without a box");
		return;
	}
	const bool exchanged = !network->indexer.shared;
	model_floats(file, network->weight, network->size, exchanged ? weights_place : NULL);
	if (network->coherence)
		model_floats(file, &network->coherence->sum, 2 * network->size,
			     exchanged ? coherence_place : NULL);
}

/* Copies the weights and the number of games of the model PATH, whatever its board. */
static enum status ntuple_inherit(void *self, const char *path, struct why *why)
{
	struct ntuple *n = self;
	char text[FIELD_TEXT_MAX + 16];
	struct game game;
	struct agent *agent = NULL;
	enum status status = model_game(path, &game, why);
	snprintf(text, sizeof text, "ntuple:file=%s", path);
	if (!status)
		status = agent_new(text, &(struct agent_env){.game = &game}, &agent, why);
	if (status)
		return status;
	const struct ntuple *other = agent->self;
	struct why reason;
	status = network_inherit(&n->network, &other->network, &reason);
	if (status)
		status = why_set(why, status, "%s: %s", path, reason.text);
	atomic_store(&n->td.games, ntuple_trained(other));
	n->td.begun = ntuple_trained(other);
	agent_free(agent);
	return status;
}

/* A learner that starts with another model's weights counts only its own games. */
static enum status ntuple_init(void *self, const struct agent_env *env, struct why *why)
{
	struct ntuple *n = self;
	const bool inherits = !env->owner && !n->settings.file[0] && n->settings.weights[0];
	enum status status = learner_init(&ntuple_agent, self, env, why);
	if (status || !inherits)
		return status;
	status = ntuple_inherit(n, n->settings.weights, why);
	atomic_store(&n->td.games, 0);
	n->td.begun = 0;
	if (status)
		ntuple_fini(n);
	return status;
}

static const struct agent_model ntuple_model = {
    .params = ntuple_params + 1,
    .make = ntuple_make,
    .inherit = ntuple_inherit,
    .borrow = ntuple_borrow,
    .layout = ntuple_layout,
    .sections = ntuple_sections,
};

static void ntuple_resolve(void *self, const struct game *game)
{
	struct ntuple *n = self;
	settings_resolve(&n->settings, game);
	/* Values that depend on the network, if there is one. */
	if (n->learner && n->settings.levels == FIELD_WORD)
		n->settings.levels = n->learner->network.plan.levels;
	if (n->learner && n->settings.training.lanes == FIELD_WORD)
		n->settings.training.lanes = lanes_auto(&n->learner->network);
}

const struct agent_class ntuple_agent = {
    .name = "ntuple",
    .summary = "n-tuple network, one move ahead; learns by temporal differences",
    .params = ntuple_params,
    .size = sizeof(struct ntuple),
    .init = ntuple_init,
    .act = ntuple_act,
    .policy = POLICY_FIXED,
    .learn = ntuple_learn,
    .shared = true,
    .resolve = ntuple_resolve,
    .trained = ntuple_trained,
    .model = &ntuple_model,
    .fini = ntuple_fini,
};

static const struct field value_params[] = {
    {"file", FIELD_FILE, .offset = offsetof(struct ntuple, settings.file), "", 0, 0, NULL,
     "model file of the agent ntuple"},
    {0},
};

static enum status value_start(void *self, const struct agent_env *env, struct why *why)
{
	struct ntuple *n = self;
	if (!n->settings.file[0])
		return why_set(why, STATUS_INPUT,
			       "value=ntuple: expected a model file, as in value=ntuple:FILE");
	params_default(ntuple_params + 1, n); /* all except the file */
	return learner_init(&ntuple_agent, n, env, why);
}

/* Returns the largest Q of BOARD's moves; 0 if it has none. */
static double best_q(const struct ntuple *n, const struct board *board)
{
	struct moves moves;
	double value[DIRECTIONS];
	n->game->moves(board, &moves);
	return moves.legal
		   ? value[td_best(&n->learner->network, &n->settings.training, &moves, value)]
		   : 0;
}

static void value_evaluate(const void *self, const struct board *boards, size_t n, double *out)
{
	const struct ntuple *value = self;
	if (value->settings.training.rule != RULE_Q)
		network_eval(&value->learner->network, boards, n, out);
	else
		for (size_t i = 0; i < n; i++)
			out[i] = best_q(value, &boards[i]);
}

/* Q of an after-state includes the points of the move to it, which a search would add once more. */
static bool value_of_after_states(const void *self)
{
	return ((const struct ntuple *)self)->settings.training.rule == RULE_TD_AFTER;
}

const struct value_class ntuple_value = {
    .name = "ntuple",
    .summary = "n-tuple network from a model file, in points",
    .params = value_params,
    .size = sizeof(struct ntuple),
    .in_points = true,
    .init = value_start,
    .fini = ntuple_fini,
    .of_after_states = value_of_after_states,
    .eval = value_evaluate,
};

/*
 * Q-learning with tables of lines and rectangles (Mayer-Hirshfeld, Navarro, Saleh: AI Agent for
 * 2048, section 4): an n-tuple network with the tuples and the update of the paper.
 *
 * The features phi(s, a) are the contents of each row, column, 2x3 and 3x2 rectangle in the
 * after-state of a, each with its own weights, not shared by symmetry. 4x4: 8 lines, 12 rectangles;
 * 5x5: 10, 24; 6x6: 12, 40. After every move of a training game, which follows the greatest Q,
 *
 *	delta = Q(s, a) - (r + gamma V(s')),     V(s') = max over legal a' of Q(s', a')
 *	w_i  -= step(eta delta) / sqrt(freq_i)   for each feature i of phi(s, a)
 *
 * with freq_i the number of updates of w_i, including this one (up to 2^24). When s' has no legal
 * move, V(s') = 0, and r = -score, where the score includes the last reward (terminal=neg-score),
 * or r is the last reward (zero).
 *
 * The paper leaves these points open, or we deviate:
 * - phi(s, a) describes the after-state. The paper's features are of "the arrangement and position
 *   of all adjacent tiles"; it does not say on which board, nor how a enters: the tiles of s, with
 *   separate weights for each of the four moves, would be phi(s, a) as well. The work by Wu and
 *   others, from which the paper takes its features, describes after-states.
 * - Q(s, a) = r(s, a) + sum of w_i, since an after-state does not show the reward of the move to
 *   it. With reward=learned Q is the sum alone: the weights have to learn the points as well.
 * - error=sqrt: step(x) = sign(x) sqrt|x|, the printed square root extended to negative errors.
 * - error=linear: step(x) = x / (number of features). Without the division eta = 1 diverges: all
 *   features of one after-state would each correct the whole error.
 * - A move is chosen after the update for the previous one, of equal moves the first of up, right,
 *   down, left. There is no exploration unless epsilon > 0.
 * docs/qlearning.md has the effect of each part on each board.
 *
 * Check value: one update from zero weights with error=linear makes Q(s, a) the target exactly.
 */
struct qlearn {
	struct ntuple ntuple;
	int error, terminal, scale, reward; /* choices */
	int64_t levels;
};

#define QFIELD(name) .offset = offsetof(struct qlearn, name)

static const struct field qlearn_params[] = {
    {"file", FIELD_FILE, QFIELD(ntuple.settings.file), "", 0, 0, NULL,
     "model file; its settings are taken with it"},
    {"eta", FIELD_REAL, QFIELD(ntuple.settings.training.alpha), "1", 0, 1e6, NULL,
     "step size, before the root is taken"},
    {"gamma", FIELD_REAL, QFIELD(ntuple.settings.training.gamma), "1", 0, 1, NULL,
     "discount of the value of the next state"},
    {"epsilon", FIELD_REAL, QFIELD(ntuple.settings.training.epsilon), "0", 0, 1, NULL,
     "probability of a random move in training", .scale = 0.1},
    {"error", FIELD_CHOICE, QFIELD(error), "sqrt", 0, 0, "sqrt|linear",
     "the error that is divided among the features: its root, or the error itself"},
    {"terminal", FIELD_CHOICE, QFIELD(terminal), "neg-score", 0, 0, "neg-score|zero",
     "reward of a losing move: minus the score, or its points"},
    {"scale", FIELD_CHOICE, QFIELD(scale), "visits", 0, 0, "visits|none",
     "divide updates by the root of the number of visits, or not"},
    {"reward", FIELD_CHOICE, QFIELD(reward), "added", 0, 0, "added|learned",
     "points of a move: added to the sum of weights, or learned by them"},
    {"levels", FIELD_INTEGER, QFIELD(levels), "0", 0, INDEXER_LEVELS, NULL,
     "number of distinct exponents; 0: all of the board"},
    {0},
};

/* 2x2 has no 2x3 rectangle. */
static enum status qlearn_make(void *self, const struct game *game, struct why *why)
{
	const struct qlearn *q = self;
	struct ntuple_settings *s = self;
	if (q->levels == 1)
		return why_set(why, STATUS_INPUT, "qlearn: levels=1: expected 0, or from 2 to %d",
			       INDEXER_LEVELS);
	strcpy(s->tuples, game->cells < 6 ? "lines" : "lines+rectangles=2x3");
	s->share = SHARE_NONE;
	strcpy(s->curriculum, "none");
	s->levels = q->levels ? q->levels : game->max_exponent + 1;
	s->training.rule = q->reward == 0 ? RULE_Q_ADDED : RULE_Q;
	s->training.rate = q->scale == 0 ? RATE_VISITS : RATE_FIXED;
	s->training.error = q->error == 0 ? ERROR_SQRT : ERROR_LINEAR;
	s->training.terminal = q->terminal == 0 ? TERMINAL_NEG_SCORE : TERMINAL_ZERO;
	s->training.lanes = 1;
	s->on_demand = s->training.choose_last = true;
	return ntuple_make(self, game, why);
}

static void qlearn_layout(const void *self, char *layout)
{
	snprintf(layout, MODEL_LAYOUT_MAX, "lines and rectangles, levels=%d",
		 ((const struct ntuple *)self)->learner->network.plan.levels);
}

static const struct agent_model qlearn_model = {
    .params = qlearn_params + 1, /* all parameters except the file */
    .make = qlearn_make,
    .borrow = ntuple_borrow,
    .layout = qlearn_layout,
    .sections = ntuple_sections,
};

const struct agent_class qlearn_agent = {
    .name = "qlearn",
    .summary = "Q-learning over lines and rectangles",
    .params = qlearn_params,
    .size = sizeof(struct qlearn),
    .act = ntuple_act,
    .policy = POLICY_FIXED,
    .learn = ntuple_learn,
    .trained = ntuple_trained,
    .model = &qlearn_model,
    .fini = ntuple_fini,
};
