/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batches of games, recorded; see episodes.h.
 *
 * Invariant: a game's moves depend on (network, seed, index) alone.
 */
#include "agents/nets/episodes.h"

#include "agents/nets/chances.h"
#include "agents/play.h"

#include <assert.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

/* A game under way. */
struct lane {
	struct episode *episode;
	struct rng rng;
	struct board board;
	double uncertainty; /* summed up */
};

/* A worker: its lanes, and what the network makes of their positions. */
struct player {
	struct lane lane[EPISODE_LANES];
	struct brain_work work;
	const struct board *board[EPISODE_LANES];
	float out[EPISODE_LANES][DIRECTIONS];
};

/* A batch while it is played. */
struct playing {
	struct episodes *e;
	const struct brain *brain;
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

static void players_fini(struct episodes *e)
{
	for (int i = 0; i < e->workers; i++)
		brain_work_fini(&e->player[i].work);
	free(e->player);
	e->player = NULL;
	e->workers = 0;
}

void episodes_fini(struct episodes *e)
{
	for (size_t i = 0; e->episode && i < e->count; i++)
		free(e->episode[i].step);
	free(e->episode);
	players_fini(e);
	*e = (struct episodes){0};
}

static enum status players_init(struct episodes *e, const struct brain *brain, int threads,
				struct why *why)
{
	assert(threads > 0);
	if (e->workers == threads)
		return STATUS_OK;
	players_fini(e);
	e->player = calloc((size_t)threads, sizeof *e->player);
	if (!e->player)
		return why_set(why, STATUS_SYSTEM, "out of memory for %d threads", threads);
	enum status status = STATUS_OK;
	for (; !status && e->workers < threads; e->workers += !status)
		status = brain_work_init(&e->player[e->workers].work, brain, EPISODE_LANES, why);
	return status;
}

/* Begins the next game in LANE; false if there is none. */
static bool lane_begin(struct playing *p, struct lane *lane)
{
	const size_t number = atomic_fetch_add(&p->next, 1);
	if (number >= p->e->count)
		return false;
	struct episode *episode = &p->e->episode[number];
	episode->index = p->first + number;
	episode->outcome = (struct outcome){0};
	episode->lost = false;
	*lane = (struct lane){.episode = episode};
	if (p->rules->aside)
		episode->outcome.partial = p->rules->aside(p->rules->context, episode->index);
	rng_init(&lane->rng, p->seed, RNG_TRAIN, episode->index);
	if (p->rules->start) {
		p->rules->start(p->rules->context, episode->index, &lane->rng, &lane->board);
		episode->outcome.partial = true;
	} else {
		board_start(p->brain->game, &lane->board, &lane->rng);
	}
	return true;
}

/* Room for a step more. */
static struct step *step_new(struct episode *episode)
{
	const size_t used = (size_t)episode->outcome.moves;
	if (used == episode->room) {
		const size_t room = used ? 2 * used : 256;
		struct step *more = realloc(episode->step, room * sizeof *more);
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
static bool lane_move(struct playing *p, struct lane *lane, const float out[DIRECTIONS])
{
	const struct episode_rules *rules = p->rules;
	struct episode *episode = lane->episode;
	struct turn turn;
	struct decision decision;
	turn_init(&turn, p->brain->game, &lane->board, episode->outcome.score);
	if (!turn.moves.legal ||
	    (rules->ends && rules->ends(rules->context, episode->index, &lane->board)))
		return false;
	struct step *step = step_new(episode);
	if (!step)
		return false;
	policy_chances(out, turn.moves.legal, decision.chance);
	const int d =
	    rules->choose(rules->context, episode->index, &turn, decision.chance, &lane->rng);
	*step = (struct step){.board = lane->board,
			      .legal = (uint8_t)turn.moves.legal,
			      .move = (uint8_t)d,
			      .chance = (float)decision.chance[d],
			      .reward = (float)turn.moves.reward[d]};
	lane->uncertainty += decision_uncertainty(&decision);
	episode->outcome.moves++;
	episode->outcome.score += turn.moves.reward[d];
	lane->board = turn.moves.after[d];
	board_spawn(p->brain->game, &lane->board, &lane->rng);
	return true;
}

static void lane_end(struct lane *lane)
{
	struct outcome *outcome = &lane->episode->outcome;
	outcome->last = lane->board;
	outcome->max_exponent = board_max(&lane->board);
	outcome->uncertainty = outcome->moves ? lane->uncertainty / (double)outcome->moves : NAN;
}

static void player_task(void *context, size_t number, int worker)
{
	struct playing *p = context;
	struct player *player = &p->e->player[number];
	(void)worker;
	/* Games are dealt out evenly, so that none waits while a thread has none. */
	const size_t share = (p->e->count + (size_t)p->e->workers - 1) / (size_t)p->e->workers;
	const size_t most = share < EPISODE_LANES ? share : EPISODE_LANES;
	size_t live = 0;
	while (live < most && lane_begin(p, &player->lane[live]))
		live++;
	while (live > 0) {
		for (size_t i = 0; i < live; i++)
			player->board[i] = &player->lane[i].board;
		brain_outputs(p->brain, &player->work, player->board, live, player->out);
		for (size_t i = live; i-- > 0;) {
			struct lane *lane = &player->lane[i];
			if (lane_move(p, lane, player->out[i]))
				continue;
			lane_end(lane);
			if (!lane_begin(p, lane))
				*lane = player->lane[--live];
		}
	}
}

enum status episodes_play(struct episodes *e, const struct brain *brain,
			  const struct episode_rules *rules, uint64_t seed, uint64_t first,
			  struct thread_team *team, int threads, struct why *why)
{
	enum status status = players_init(e, brain, threads, why);
	if (status)
		return status;
	struct playing playing = {
	    .e = e, .brain = brain, .rules = rules, .seed = seed, .first = first};
	if (team)
		thread_team_run(team, player_task, &playing, (size_t)threads);
	else
		player_task(&playing, 0, 0);
	for (size_t i = 0; i < e->count; i++)
		if (e->episode[i].lost)
			return why_set(why, STATUS_SYSTEM, "out of memory for the moves of a game");
	return STATUS_OK;
}
