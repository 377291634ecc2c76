/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Training games, lanes of them; see td.h.
 *
 * Threads. All learn on the same weights without a lock (Niu et al.: Hogwild!, NIPS 2011). A weight
 * is an aligned float, which every machine with 32-bit words reads and writes as one; what can happen is that one
 * of two updates at the same time is lost, as if that game had had one error less. A weight is never
 * made of halves of two others. One thread is exact.
 *
 * Invariant: a lane's turn is the same whether the game has just been fetched from `waiting` or was
 * there before, and lanes keep their cyclic order; so stopping and going on changes nothing. For that
 * a lane whose game has ended takes another at once: one without a game, between others that have
 * theirs, would not be found again.
 */
#include "agents/ntuple/td.h"

#include "agents/ntuple/td_lane.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double td_alpha(const struct td_options *options, uint64_t episode)
{
	const double from = options->alpha, to = options->alpha_end;
	if (!options->alpha_games)
		return from;
	const double part = fmin((double)episode / (double)options->alpha_games, 1);
	if (options->decay == DECAY_LINEAR)
		return from + (to - from) * part;
	return from > 0 ? from * pow(to / from, part) : 0;
}

enum status td_init(struct td *td, struct network *network, const struct td_options *options,
		    struct why *why)
{
	*td = (struct td){.options = *options, .network = network};
	assert(options->trace >= 1 && options->trace <= TRACE_MAX);
	assert(options->rate == RATE_FIXED || network->coherence);
	for (int s = 1; options->carousel && s < network->plan.stages; s++) {
		struct td_restarts *r = &td->restarts[s];
		r->entry = calloc(RESTARTS_MAX, sizeof *r->entry);
		if (!r->entry) {
			td_fini(td);
			return why_set(why, STATUS_SYSTEM, "out of memory for restarts");
		}
	}
	pthread_mutex_init(&td->lock, NULL);
	return STATUS_OK;
}

void td_fini(struct td *td)
{
	for (int i = 0; i < td->count; i++)
		free(td->waiting[i].path);
	free(td->waiting);
	for (int s = 0; s < STAGES_MAX; s++)
		free(td->restarts[s].entry);
	*td = (struct td){0};
}

/* Makes room for one more step. Memory for a path is a game's, and small beside the tables. */
static bool path_room(const struct td *td, struct td_game *game)
{
	const bool forward = td->options.order == ORDER_FORWARD, whole = forward && game->room;
	if (game->steps < game->room || whole)
		return true;
	const size_t room = forward ? (size_t)td->options.trace : game->room * 2 + 1024;
	void *path = realloc(game->path, room * sizeof *game->path);
	if (!path)
		return false;
	game->path = path;
	game->room = room;
	return true;
}

/* The position where a stage began that the next game starts from, or NULL for a new game. */
static const struct td_restart *restart_choose(struct td *td, struct rng *rng)
{
	if (!td->options.carousel)
		return NULL;
	td->stage = (td->stage + 1) % td->network->plan.stages;
	const struct td_restarts *r = &td->restarts[td->stage];
	const uint64_t there = r->count < RESTARTS_MAX ? r->count : RESTARTS_MAX;
	if (!there) {
		td->stage = 0;
		return NULL;
	}
	return &r->entry[rng_below(rng, (uint32_t)there)];
}

/* A board of stage S > 0 that the game has just reached. */
static void restart_keep(struct td *td, int s, const struct outcome *now)
{
	pthread_mutex_lock(&td->lock);
	struct td_restarts *r = &td->restarts[s];
	r->entry[r->count++ % RESTARTS_MAX] =
	    (struct td_restart){.board = now->last, .score = now->score};
	pthread_mutex_unlock(&td->lock);
}

/* A game that begins: new, or from a restart. */
static struct td_game game_new(struct td *td, uint64_t seed)
{
	struct td_game game = {.episode = td->begun++};
	rng_init(&game.rng, seed, RNG_TRAIN, game.episode);
	const struct td_restart *restart = restart_choose(td, &game.rng);
	if (restart)
		game.outcome = (struct outcome){
		    .score = restart->score, .partial = true, .last = restart->board};
	else
		board_start(td->network->game, &game.outcome.last, &game.rng);
	return game;
}

/* The first of the games that wait. */
static struct td_game waiting_pop(struct td *td)
{
	struct td_game game = td->waiting[0];
	td->count--;
	memmove(td->waiting, td->waiting + 1, (size_t)td->count * sizeof *td->waiting);
	return game;
}

/* Puts the next game into LANE, one that waits or a new one, if one is left. */
static void game_begin(struct td *td, const struct training_request *request, struct td_lane *lane)
{
	bool more = true;
	struct td_game game;
	pthread_mutex_lock(&td->lock);
	if (td->count > 0)
		game = waiting_pop(td);
	else if (td->begun < request->end)
		game = game_new(td, request->seed);
	else
		more = false;
	pthread_mutex_unlock(&td->lock);
	if (more)
		td_lane_take(lane, &game);
}

/* The game in LANE has ended. False to stop. */
static bool game_end(struct td *td, const struct training_request *request, struct td_lane *lane)
{
	struct outcome *outcome = &lane->game.outcome;
	outcome->max_exponent = board_max(&outcome->last);
	outcome->uncertainty = NAN;
	lane->live = false;
	free(lane->game.path);
	lane->game.path = NULL;
	atomic_fetch_add(&td->games, 1);
	return request->over(request->context, outcome);
}

/* Lets the games of the lanes wait, from lane FIRST on around. */
static void lanes_put_back(struct td *td, struct td_lane *lanes, int first)
{
	const int n = td->options.lanes;
	pthread_mutex_lock(&td->lock);
	void *waiting = realloc(td->waiting, (size_t)(td->count + n) * sizeof *td->waiting);
	if (waiting)
		td->waiting = waiting;
	else
		atomic_store(&td->starved, true);
	for (int i = 0; i < n; i++) {
		struct td_lane *lane = &lanes[(first + i) % n];
		if (lane->live && waiting)
			td->waiting[td->count++] = lane->game;
		else if (lane->live)
			free(lane->game.path);
	}
	pthread_mutex_unlock(&td->lock);
}

/* A turn of LANE, which has a game, after that of BEFORE, and what it leads to. False to stop. */
static bool lane_run(struct td *td, const struct training_request *request, struct td_lane *lane,
		     struct td_lane *before)
{
	if (!path_room(td, &lane->game)) {
		atomic_store(&td->starved, true);
		return false;
	}
	const int stage =
	    td->options.carousel ? network_stage(td->network, &lane->game.outcome.last) : 0;
	if (td_lane_turn(lane, before)) {
		if (!game_end(td, request, lane))
			return false;
		game_begin(td, request, lane);
		return true;
	}
	if (td->options.carousel && network_stage(td->network, &lane->game.outcome.last) > stage)
		restart_keep(td, stage + 1, &lane->game.outcome);
	return true;
}

/* Until no lane has a game, or it is time to stop; the lane that would be next. */
static int lanes_run(struct td *td, const struct training_request *request, struct td_lane *lanes)
{
	const int n = td->options.lanes;
	int at = 0;
	for (int idle = 0; idle < n; at = (at + 1) % n) {
		struct td_lane *lane = &lanes[at], *before = &lanes[(at + n - 1) % n];
		idle = lane->live ? 0 : idle + 1;
		if (!before->live || before == lane)
			before = NULL;
		if (lane->live && !lane_run(td, request, lane, before))
			return (at + 1) % n;
	}
	return at;
}

void td_learn(struct td *td, const struct training_request *request)
{
	const int n = td->options.lanes;
	struct td_lane lanes[LANES_MAX];
	int made = 0;
	while (made < n && !td_lane_init(&lanes[made], td, NULL))
		made++;
	if (made < n)
		atomic_store(&td->starved, true);
	for (int i = 0; made == n && i < n; i++)
		game_begin(td, request, &lanes[i]);
	if (made == n)
		lanes_put_back(td, lanes, lanes_run(td, request, lanes));
	while (made > 0)
		td_lane_fini(&lanes[--made]);
}
