/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batches of games, recorded; see episodes.h.
 *
 * Invariant: a game's moves depend on (network, seed, index) alone.
 */
#include "agents/nets/episodes.h"

#include "agents/play.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

/* A game under way. */
struct episode_lane {
	struct episode *episode;
	struct rng rng;
	struct board board;
	double uncertainty; /* summed up */
};

/* A worker: its lanes, and what the network makes of their positions. */
struct episode_worker {
	struct episode_lane lane[EPISODE_LANES];
	struct staged_work work;
	const struct board *board[EPISODE_LANES];
	float out[EPISODE_LANES][DIRECTIONS];
};

/* A batch while it is played. */
struct episode_round {
	struct episodes *e;
	const struct staged_network *network;
	const struct episode_rules *rules;
	uint64_t seed, first;
	atomic_size_t next; /* the first game that nobody has begun */
};

enum status episodes_init(struct episodes *e, size_t count, struct why *why)
{
	*e = (struct episodes){.count = count, .episode = calloc(count, sizeof *e->episode)};
	return e->episode
		   ? STATUS_OK
		   : why_set(why, STATUS_SYSTEM, "out of memory for a batch of %zu games", count);
}

static void workers_fini(struct episodes *e)
{
	for (int i = 0; i < e->workers; i++)
		staged_work_fini(&e->worker[i].work);
	free(e->worker);
	e->worker = NULL;
	e->workers = 0;
}

void episodes_fini(struct episodes *e)
{
	for (size_t i = 0; e->episode && i < e->count; i++)
		free(e->episode[i].step);
	free(e->episode);
	workers_fini(e);
	*e = (struct episodes){0};
}

static enum status workers_init(struct episodes *e, const struct staged_network *network,
				int threads, struct why *why)
{
	assert(threads > 0);
	if (e->workers == threads)
		return STATUS_OK;
	workers_fini(e);
	e->worker = calloc((size_t)threads, sizeof *e->worker);
	if (!e->worker)
		return why_set(why, STATUS_SYSTEM, "out of memory for %d threads", threads);
	enum status status = STATUS_OK;
	for (; !status && e->workers < threads; e->workers += !status)
		status = staged_work_init(&e->worker[e->workers].work, network, EPISODE_LANES, why);
	return status;
}

/* Begins the next game in LANE; false if there is none. */
static bool lane_begin(struct episode_round *p, struct episode_lane *lane)
{
	const size_t number = atomic_fetch_add(&p->next, 1);
	if (number >= p->e->count)
		return false;
	struct episode *episode = &p->e->episode[number];
	episode->index = p->first + number;
	episode->outcome = (struct outcome){0};
	episode->lost = false;
	*lane = (struct episode_lane){.episode = episode};
	if (p->rules->aside)
		episode->outcome.partial = p->rules->aside(p->rules->context, episode->index);
	rng_init(&lane->rng, p->seed, RNG_TRAIN, episode->index);
	if (p->rules->start) {
		p->rules->start(p->rules->context, episode->index, &lane->rng, &lane->board);
		episode->outcome.partial = true;
	} else {
		board_start(p->network->game, &lane->board, &lane->rng);
	}
	return true;
}

/* Room for a step more. */
static struct episode_move *step_new(struct episode *episode)
{
	const size_t used = (size_t)episode->outcome.moves;
	if (used == episode->room) {
		const size_t room = used ? 2 * used : 256;
		struct episode_move *more = realloc(episode->step, room * sizeof *more);
		if (!more) {
			episode->lost = true;
			return NULL;
		}
		episode->step = more;
		episode->room = room;
	}
	return &episode->step[used];
}

/* Makes the move of a lane; false if its game is over. */
static bool lane_move(struct episode_round *p, struct episode_lane *lane,
		      const float out[DIRECTIONS])
{
	const struct episode_rules *rules = p->rules;
	struct episode *episode = lane->episode;
	struct turn turn;
	struct decision decision;
	turn_init(&turn, p->network->game, &lane->board, episode->outcome.score);
	if (!turn.moves.legal ||
	    (rules->ends && rules->ends(rules->context, episode->index, &lane->board)))
		return false;
	struct episode_move *step = step_new(episode);
	if (!step)
		return false;
	moves_chances(out, turn.moves.legal, decision.chance);
	const int d =
	    rules->choose(rules->context, episode->index, &turn, decision.chance, &lane->rng);
	*step = (struct episode_move){.board = lane->board,
				      .legal = (uint8_t)turn.moves.legal,
				      .move = (uint8_t)d,
				      .chance = (float)decision.chance[d],
				      .reward = (float)turn.moves.reward[d]};
	lane->uncertainty += decision_uncertainty(&decision);
	episode->outcome.moves++;
	episode->outcome.score += turn.moves.reward[d];
	lane->board = turn.moves.after[d];
	board_spawn(p->network->game, &lane->board, &lane->rng);
	return true;
}

static void lane_end(struct episode_lane *lane)
{
	struct outcome *outcome = &lane->episode->outcome;
	outcome->last = lane->board;
	outcome->max_exponent = board_max(&lane->board);
	outcome->uncertainty = outcome->moves ? lane->uncertainty / (double)outcome->moves : NAN;
}

static void worker_task(void *context, size_t number, int worker)
{
	struct episode_round *p = context;
	struct episode_worker *self = &p->e->worker[number];
	(void)worker;
	/* Games are dealt out evenly, so that none waits while a thread has none. */
	const size_t share = (p->e->count + (size_t)p->e->workers - 1) / (size_t)p->e->workers;
	const size_t most = share < EPISODE_LANES ? share : EPISODE_LANES;
	size_t live = 0;
	while (live < most && lane_begin(p, &self->lane[live]))
		live++;
	while (live > 0) {
		for (size_t i = 0; i < live; i++)
			self->board[i] = &self->lane[i].board;
		staged_outputs(p->network, &self->work, self->board, live, self->out);
		for (size_t i = live; i-- > 0;) {
			struct episode_lane *lane = &self->lane[i];
			if (lane_move(p, lane, self->out[i]))
				continue;
			lane_end(lane);
			if (!lane_begin(p, lane))
				*lane = self->lane[--live];
		}
	}
}

enum status episodes_play(struct episodes *e, const struct staged_network *network,
			  const struct episode_rules *rules, uint64_t seed, uint64_t first,
			  struct thread_team *team, int threads, struct why *why)
{
	enum status status = workers_init(e, network, threads, why);
	if (status)
		return status;
	struct episode_round playing = {
	    .e = e, .network = network, .rules = rules, .seed = seed, .first = first};
	if (team)
		thread_team_run(team, worker_task, &playing, (size_t)threads);
	else
		worker_task(&playing, 0, 0);
	for (size_t i = 0; i < e->count; i++)
		if (e->episode[i].lost)
			return why_set(why, STATUS_SYSTEM, "out of memory for the moves of a game");
	return STATUS_OK;
}
