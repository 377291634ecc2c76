/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long an experiment takes; see estimate.h.
 *
 * A game takes its moves times the time of a move, and both are bounded by what is seen. Each player
 * plays for a moment. Where games end, they tell both. Where none does, the player is timed in
 * positions that lie evenly in a game of a quicker player on that board, which also tells how long
 * games are. That is the same player with the default effort (without its depth, its positions and
 * its time), whose games are up to two and a half times shorter: expectimax:tuned=1 plays 1,080
 * moves at depth 1 and 1,820 at depth 2 on 4x4. Or else it is a search of depth 1; a game is taken
 * to be a third to two and a half times as long as one of that.
 *
 * A learner learns for a moment. The moves of its games grow by a power of the number of games,
 * which is fitted to what was seen if that is enough: m(k) = m(n) (k / n)^b has over N games the
 * mean m(n) (N / n)^b / (1 + b); up to twice the moves of a search of depth 1.
 *
 * All moments end by the flag of base/stop.h, at which searches and players give up a move.
 */
#include "src/run/estimate.h"

#include "agents/play.h"
#include "base/clock.h"
#include "base/program.h"
#include "base/stop.h"
#include "base/stop_cancel.h"
#include "src/cli/options.h"
#include "src/run/sweep.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

/* Seconds for: a first look at a player; all learners, after their first games; all slow players. */
static const double glance = 0.02, learners_time = 0.5, slow_time = 1;
/* For a model game; for all of these and for second tries of players that made no move. */
static const double model_time = 2.5, spare_time = 5;

static const char model_player[] = "expectimax:depth=1";

enum { GAMES_ENOUGH = 10, POSITIONS_MAX = 128, LENGTHS_MAX = 1 << 16 };

struct bounds {
	double low, high; /* high is INFINITY where none is known */
};

static struct bounds around(double x, double factor)
{
	return (struct bounds){x / factor, x * factor};
}

/* What was seen of a player. */
struct sample {
	uint64_t games, moves; /* games that ended; moves of all games */
	double seconds;
};

/* A game of a quick player: how long it is, and positions that lie evenly in it. */
struct model_game {
	const struct game *game;
	char agent[SPEC_MAX];
	bool ended;
	double length; /* mean moves of its games */
	uint64_t moves, stride;
	size_t count;
	struct board position[POSITIONS_MAX];
};

struct estimator {
	const struct experiment *experiment;
	struct model_game *models;
	size_t model_count;
	double spare;	      /* of spare_time */
	struct sample *seen;  /* [entries] */
	struct bounds *total; /* [entries]: seconds */
};

/* ---- Games. */

static bool watch_flag(void *context, const struct turn *turn, int move,
		       const struct decision *decision)
{
	(void)context;
	(void)turn;
	(void)move;
	(void)decision;
	return !stop_requested();
}

/* Plays at most MOST games of ENTRY, for so many SECONDS. */
static struct sample sample_play(const struct experiment_entry *entry, uint64_t most,
				 double seconds)
{
	struct agent *agent;
	struct sample sample = {0};
	const struct agent_env env = {.game = &entry->game};
	const struct play_watch watch = {.move = watch_flag};
	if (agent_new(entry->agent, &env, &agent, NULL))
		return sample;
	const double start = play_seconds();
	stop_after(seconds);
	for (bool ended = true; ended && sample.games < most;) {
		struct outcome outcome;
		ended = play_game(agent, 1, sample.games, &watch, &outcome);
		sample.games += ended;
		sample.moves += outcome.moves;
	}
	sample.seconds = play_seconds() - start;
	stop_cancel();
	agent_free(agent);
	return sample;
}

/* A game takes between these, by a SAMPLE with games that ended, all that there are if COMPLETE. */
static struct bounds sample_bounds(const struct sample *sample, bool complete)
{
	const double games = (double)sample->games;
	return around(sample->seconds / games, complete ? 1.2 : fmax(1.2, 1 + 1.5 / sqrt(games)));
}

/* ---- Games of quick players. */

static bool model_keep(void *context, const struct turn *turn, int move,
		       const struct decision *decision)
{
	struct model_game *model = context;
	(void)move;
	(void)decision;
	if (model->moves++ % model->stride == 0) {
		if (model->count == POSITIONS_MAX) {
			model->count /= 2;
			model->stride *= 2;
			for (size_t i = 0; i < model->count; i++)
				model->position[i] = model->position[2 * i];
		}
		model->position[model->count++] = *turn->board;
	}
	return !stop_requested();
}

/* The game of AGENT on GAME, played unless it is known; NULL if there is no agent or no time. */
static const struct model_game *model_of(struct estimator *e, const struct game *game,
					 const char *agent)
{
	struct agent *player;
	struct outcome outcome;
	const struct agent_env env = {.game = game};
	for (size_t i = 0; i < e->model_count; i++)
		if (strcmp(e->models[i].game->name, game->name) == 0 &&
		    strcmp(e->models[i].agent, agent) == 0)
			return &e->models[i];
	/* The search of depth 1, which serves all, still has its time when others have had theirs. */
	const double left = e->spare - (strcmp(agent, model_player) == 0 ? 0 : spare_time / 2);
	if (left <= 0 || agent_new(agent, &env, &player, NULL))
		return NULL;
	struct model_game *model = &e->models[e->model_count++];
	*model = (struct model_game){.game = game, .stride = 1};
	snprintf(model->agent, sizeof model->agent, "%s", agent);
	const struct play_watch watch = {.move = model_keep, .context = model};
	const double start = clock_seconds();
	stop_after(fmin(model_time, left));
	uint64_t games = model->ended = play_game(player, 1, 0, &watch, &outcome);
	model->length = (double)outcome.moves;
	for (; model->ended && games < GAMES_ENOUGH && clock_seconds() - start < glance; games++) {
		if (!play_game(player, 1, games, NULL, &outcome))
			break;
		model->length += ((double)outcome.moves - model->length) / (double)(games + 1);
	}
	stop_cancel();
	e->spare -= clock_seconds() - start;
	agent_free(player);
	return model;
}

/* AGENT with the default effort. */
static void effort_default(const char *agent, char text[SPEC_MAX])
{
	static const char *const keys[] = {"depth=", "ms=", "nodes="};
	const char *at = strchr(agent, ':');
	size_t used = at ? (size_t)(at - agent) : strlen(agent);
	char separator = ':';
	snprintf(text, SPEC_MAX, "%.*s", (int)used, agent);
	for (at = at ? at + 1 : ""; *at;) {
		const char *piece = at;
		bool effort = false;
		setting_skip(&at);
		for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
			effort |= strncmp(piece, keys[i], strlen(keys[i])) == 0;
		const int length = (int)strcspn(piece, ",");
		if (!effort)
			used += (size_t)snprintf(text + used, SPEC_MAX - used, "%c%.*s", separator,
						 length, piece);
		separator = effort ? separator : ',';
	}
}

/* ---- Players whose games take longer than a moment. */

/* Times moves of ENTRY in positions of MODEL, or from the start, for so many SECONDS. */
static struct bounds move_time(const struct experiment_entry *entry, const struct model_game *model,
			       double seconds)
{
	struct agent *agent;
	struct rng rng;
	const struct agent_env env = {.game = &entry->game};
	double spent = 0, place = 0.5;
	uint64_t moves = 0;
	if (!model->count || agent_new(entry->agent, &env, &agent, NULL))
		return (struct bounds){0, INFINITY};
	rng_init(&rng, 1, RNG_AGENT, 0);
	stop_after(seconds);
	for (; moves < POSITIONS_MAX && !stop_requested(); moves++) {
		struct turn turn;
		struct decision decision;
		const double start = play_seconds();
		turn_init(&turn, &entry->game,
			  &model->position[(size_t)(place * (double)model->count)], 0);
		decision_init(&decision);
		agent->class->act(agent->self, &turn, &rng, &decision);
		if (stop_requested() || agent_check(agent, NULL))
			break;
		spent += play_seconds() - start;
		/* The golden ratio spreads any number of places. */
		place = fmod(place + 0.6180339887498949, 1);
	}
	stop_cancel();
	agent_free(agent);
	if (!moves)
		return (struct bounds){seconds, INFINITY};
	return around(spent / (double)moves, moves < 10 ? 1.7 : 1.3);
}

/* The moves of a game of ENTRY, of whose games none ended. */
static struct bounds game_length(struct estimator *e, const struct experiment_entry *entry,
				 const struct sample *seen, const struct model_game **model)
{
	char agent[SPEC_MAX];
	const double least = fmax((double)seen->moves, 1);
	effort_default(entry->agent, agent);
	const bool own = strcmp(agent, entry->agent) == 0;
	*model = own ? NULL : model_of(e, &entry->game, agent);
	if (*model && (*model)->ended) {
		const double moves = fmax((*model)->length, least);
		return (struct bounds){moves, 2.5 * moves};
	}
	const struct model_game *other = model_of(e, &entry->game, model_player);
	*model = other ? other : *model;
	if (!other || !other->ended)
		return (struct bounds){least, INFINITY};
	return (struct bounds){fmax(least, other->length / 3),
			       fmax(2.5 * other->length, 3 * least)};
}

/* The seconds that ENTRY takes, which SEEN does not tell. */
static struct bounds slow_bounds(struct estimator *e, const struct experiment_entry *entry,
				 const struct sample *seen, double seconds)
{
	const struct sweep *sweep = e->experiment->sweep;
	const struct model_game *model;
	struct bounds length = game_length(e, entry, seen, &model);
	struct bounds move = {seen->moves ? 0.5 * seen->seconds / (double)seen->moves : glance,
			      INFINITY};
	if (model)
		move = move_time(entry, model, seconds);
	if (model && !sweep && isinf(move.high) && e->spare > seconds && !stop_requested()) {
		const double start = clock_seconds();
		move = move_time(entry, model, e->spare / 3);
		e->spare -= clock_seconds() - start;
	}
	double games = (double)entry_total(entry), positions = 0, limit = INFINITY;
	if (sweep) {
		positions = (double)(sweep->rounds * sweep->positions);
		limit = sweep->cell_limit;
		games = move.low > sweep->play_limit ? 0 : games;
	}
	const double low = fmin(positions * move.low, limit) + games * length.low * move.low;
	const double most = positions > 0 ? fmin(positions * move.high, limit) : 0;
	return (struct bounds){low, games > 0 ? most + games * length.high * move.high : most};
}

/* Those of ENTRY, whose games end soon. */
static struct bounds quick_bounds(const struct experiment *experiment,
				  const struct experiment_entry *entry, const struct sample *seen)
{
	const struct sweep *sweep = experiment->sweep;
	const uint64_t games = entry_total(entry);
	const struct bounds game = sample_bounds(seen, games && seen->games >= games);
	const double move = seen->seconds / (double)seen->moves;
	const double searches =
	    sweep ? fmin((double)(sweep->rounds * sweep->positions) * move, sweep->cell_limit) : 0;
	return (struct bounds){searches / 1.5 + (double)games * game.low,
			       searches * 2 + (double)games * game.high};
}

/* ---- Learners. */

/* The games of training, one after another. */
struct lessons {
	double slice;  /* seconds that are wanted */
	double begun;  /* by play_seconds() */
	double before; /* by user_seconds() */
	size_t games;
	bool timed;   /* training by time */
	bool partial; /* the last one was on another board, or did not start where games do */
	struct {
		uint64_t moves; /* of all games until then */
		double seconds;
	} after[LENGTHS_MAX];
};

/*
 * Seconds of this thread outside the kernel, which clears the pages of large tables when a learner
 * first touches them: half a second for a hundred moves, which later ones do not take.
 */
static double user_seconds(void)
{
	struct rusage usage;
	getrusage(RUSAGE_THREAD, &usage);
	return (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec +
	       program_waited();
}

/* A few games are wanted, unless only the time of evaluation is asked or they take too long. */
enum { LESSONS_LEAST = 5, LESSONS_PATIENCE = 2 };

static bool lesson_over(void *context, const struct outcome *outcome)
{
	struct lessons *l = context;
	const size_t n = l->games++;
	const bool few = !l->timed && l->games < LESSONS_LEAST;
	const double wanted = l->slice * (few ? LESSONS_PATIENCE : 1);
	l->after[n].moves = outcome->moves + (n ? l->after[n - 1].moves : 0);
	l->after[n].seconds = user_seconds() - l->before;
	l->partial = outcome->partial;
	return play_seconds() - l->begun < wanted && l->games < LENGTHS_MAX && !stop_requested();
}

/* The mean moves of the games FROM to TO - 1. */
static double lessons_length(const struct lessons *l, size_t from, size_t to)
{
	const uint64_t before = from ? l->after[from - 1].moves : 0;
	return (double)(l->after[to - 1].moves - before) / (double)(to - from);
}

static double lessons_move(const struct lessons *l)
{
	return l->after[l->games - 1].seconds / (double)l->after[l->games - 1].moves;
}

/* The mean moves of GAMES games of training of ENTRY, by the first. */
static struct bounds lessons_bounds(struct estimator *e, const struct experiment_entry *entry,
				    const struct lessons *l, double games)
{
	const size_t n = l->games;
	const double now = lessons_length(l, n / 2, n);
	double power = 0.3;
	if (n >= 60)
		power = fmin(fmax(log2(now / lessons_length(l, n / 4, n / 2)), 0), 0.6);
	double mean = now * pow(fmax(games / (0.75 * (double)n), 1), power) / (1 + power);
	const struct model_game *model =
	    mean > 3 * now ? model_of(e, &entry->game, model_player) : NULL;
	if (model && model->ended)
		mean = fmin(mean, 2 * model->length);
	mean = fmax(mean, now);
	return (struct bounds){0.8 * fmax(now, mean / 2.5), 1.6 * mean};
}

static void learn(const struct experiment *experiment, const struct experiment_entry *entry,
		  struct lessons *lessons)
{
	const struct schedule *s = &entry->schedule;
	const struct agent_env env = {.game = &entry->game};
	struct agent *agent;
	const struct training_request request = {
	    .seed = experiment->seed,
	    .end = s->train ? s->train * s->repeat : UINT64_MAX,
	    .threads = 1,
	    .over = lesson_over,
	    .context = lessons,
	};
	if (agent_new(entry->agent, &env, &agent, NULL))
		return;
	lessons->begun = play_seconds();
	lessons->before = user_seconds();
	agent->class->learn(agent->self, &request);
	agent_free(agent);
}

/* The seconds that the learner ENTRY takes, by what it learns in about so many SECONDS. */
static struct bounds learner_bounds(struct estimator *e, const struct experiment_entry *entry,
				    double seconds)
{
	const struct schedule *s = &entry->schedule;
	const double trained = (double)(s->train * s->repeat);
	const double evaluated = (double)entry_total(entry);
	const double timed = (double)(s->seconds * s->repeat);
	struct lessons *lessons = calloc(1, sizeof *lessons);
	struct bounds total = {timed, INFINITY};
	if (!lessons)
		return total;
	lessons->slice = seconds;
	lessons->timed = s->seconds > 0;
	learn(e->experiment, entry, lessons);
	if (lessons->games && !lessons->partial) {
		const double move = lessons_move(lessons);
		const double game = move * lessons_length(lessons, 0, lessons->games);
		const struct bounds length =
		    lessons_bounds(e, entry, lessons, s->train ? trained : timed / game);
		/* A move that is not learned from takes less; games after training are the longest. */
		total.low += (trained + evaluated / 2) * length.low * move;
		total.high = timed + (trained + 1.5 * evaluated) * length.high * move;
	}
	free(lessons);
	return total;
}

/* ---- All players. */

static void entries_estimate(struct estimator *e)
{
	const size_t n = e->experiment->count;
	double learners = 0, slow = 0;
	for (size_t i = 0; i < n && !stop_requested(); i++) {
		const struct experiment_entry *entry = e->experiment->entries[i];
		const uint64_t games = entry_total(entry);
		learners += schedule_trains(&entry->schedule);
		if (schedule_trains(&entry->schedule))
			continue;
		e->seen[i] = sample_play(
		    entry, games && games < GAMES_ENOUGH ? games : GAMES_ENOUGH, glance);
		slow += !e->seen[i].games;
	}
	for (size_t i = 0; i < n && !stop_requested(); i++) {
		const struct experiment_entry *entry = e->experiment->entries[i];
		if (schedule_trains(&entry->schedule))
			e->total[i] = learner_bounds(e, entry, fmin(0.3, learners_time / learners));
		else if (e->seen[i].games)
			e->total[i] = quick_bounds(e->experiment, entry, &e->seen[i]);
		else
			e->total[i] = slow_bounds(e, entry, &e->seen[i],
						  fmin(fmax(slow_time / slow, glance), 1));
	}
}

static void duration_format(double seconds, char text[32])
{
	if (seconds < 90)
		snprintf(text, 32, "%.0f s", fmax(ceil(seconds), 1));
	else if (seconds < 90 * 60)
		snprintf(text, 32, "%.0f min", seconds / 60);
	else if (seconds < 48 * 3600)
		snprintf(text, 32, "%.0f h", seconds / 3600);
	else
		snprintf(text, 32, "%.0f days", seconds / 86400);
}

static void bounds_print(const struct experiment *experiment, const struct bounds *total,
			 int threads)
{
	int processors;
	struct bounds sum = {0}, longest = {0};
	char low[32], high[32];
	bool known = true;
	threads_initial(&processors);
	for (size_t i = 0; i < experiment->count; i++) {
		const struct experiment_entry *entry = experiment->entries[i];
		const struct bounds *one = &total[i];
		const bool alone = schedule_trains(&entry->schedule);
		sum.low += one->low;
		longest.low = fmax(longest.low, alone ? one->low : 0);
		if (isinf(one->high)) {
			known = false;
			printf("# not known: how long %s takes on %s\n", entry->label,
			       entry->game.name);
			continue;
		}
		sum.high += one->high;
		longest.high = fmax(longest.high, alone ? one->high : 0);
	}
	const double at_once = threads < processors ? threads : processors;
	duration_format(fmax(sum.low / at_once, longest.low), low);
	duration_format(fmax(sum.high / at_once, longest.high), high);
	printf("# %s %s", known ? "about" : "at least", low);
	if (known && strcmp(low, high) != 0)
		printf(" to %s", high);
	printf(" on this machine with %d thread%s", threads, threads == 1 ? "" : "s");
	if (!known && experiment->duration)
		printf("; its file says %s", experiment->duration);
	putchar('\n');
}

enum status estimate_print(const struct experiment *experiment, int threads, struct why *why)
{
	const size_t n = experiment->count;
	struct estimator e = {.experiment = experiment,
			      .models = calloc(2 * n, sizeof *e.models),
			      .spare = spare_time,
			      .seen = calloc(n, sizeof *e.seen),
			      .total = calloc(n, sizeof *e.total)};
	enum status status =
	    e.models && e.seen && e.total ? STATUS_OK : why_errno(why, "%zu players", n);
	if (!status)
		entries_estimate(&e);
	if (!status && stop_requested())
		status = STATUS_STOPPED;
	if (!status)
		bounds_print(experiment, e.total, threads);
	free(e.models);
	free(e.seen);
	free(e.total);
	return status;
}
