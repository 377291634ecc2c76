/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Checks of bundles and runs: files against their checksums, games against their logs.
 *
 * The config in a log is a hash of everything that determines a game except its seed and number
 * (entry_config()). A player created from the log's board, agent and training either has that
 * config or is not the player of the log; so only players with that config are checked. Other
 * programs are not started, since a log may come from an untrusted source.
 *
 * Choice of games: for each player, point of training and seed, the given proportion that comes
 * first in the order of a hash of the check's seed and the game, and at least one. So the choice
 * depends neither on the order of the log nor on threads.
 */
#include "src/verify/verify.h"

#include "agents/agent.h"
#include "agents/model.h"
#include "agents/play.h"
#include "agents/solver/optimum.h"
#include "analysis/logs/parts.h"
#include "analysis/logs/rowlog.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "src/games/experiment.h"
#include "src/games/pool.h"
#include "src/report/bundle.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- One player at one point of training, with one seed. */

enum { REASON_MAX = 320, MODEL_FOLDERS = 2 };

/* What to check, and what was checked. */
struct runs_check {
	const struct runs_options *options;
	struct why *why;       /* for runs_must() */
	size_t files, changed; /* files of bundles; those that differ from their checksums */
	uint64_t games;	       /* games in the logs */
	uint64_t done;	       /* games played again */
	uint64_t bad;	       /* games with another result */
	uint64_t left;	       /* games of players that cannot be checked */
};

/* Ends the process, with the reason runs->why, if STATUS is a failure. */
static void runs_must(const struct runs_check *runs, enum status status)
{
	if (status)
		exit(command_exit(runs->options->name, status, runs->why));
}

/* A row with its rank in the order of games to play. */
struct ranked_row {
	const struct gamelog_row *row;
	uint64_t rank;
};

/* The check of a log. */
struct log_check {
	struct job job;
	struct pool *pool;
	struct runs_check *runs;
	bool gap; /* a log of nxn gap, which has only points and moves */
	struct gamelog log;
	char models[MODEL_FOLDERS][FOLDER_PATH_MAX]; /* folders to search for models */
	struct ranked_row *ranked;		     /* by player, seed, rank */
	struct player_check *players;
	size_t count; /* number of player checks */
};

/* The check of a player at one point of training, with one seed. */
struct player_check {
	const struct log_check *log;
	const struct gamelog_player *player;
	uint64_t seed;
	const struct ranked_row *ranked; /* [games] */
	size_t games;			 /* games in the log */
	size_t wanted;			 /* games to play */

	size_t done, bad;
	char reason
	    [REASON_MAX]; /* why no game can be played, or how the first wrong one differs; or "" */
	bool unable;
};

__attribute__((format(printf, 2, 3))) static void unable_set(struct player_check *r,
							     const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(r->reason, sizeof r->reason, format, args);
	va_end(args);
	r->unable = true;
}

/*
 * Sets ENTRY to the player of R on a board by OPTIONS. Returns whether its config is that of the
 * log.
 */
static bool entry_fits(const struct player_check *r, const struct game_options *options,
		       struct experiment_entry *entry)
{
	struct why ignored;
	if (game_init(&entry->game, options, &ignored))
		return false;
	uint64_t config = entry_config(entry, r->player->trained);
	if (r->log->gap) {
		/* The formula of src/measure/gap.c for the usual goal, the expected score. */
		char text[64];
		int length = snprintf(text, sizeof text, "gap %s 0", goal_name(GOAL_SCORE));
		config = XXH3_64bits_withSeed(text, (size_t)length, config);
	}
	return config == r->player->config;
}

/* The number of the training in LABEL, from 0: 1 for "qlearn #2"; 0 if there is none. */
static uint64_t training_of(const char *label)
{
	const char *mark = strrchr(label, '#');
	const uint64_t n =
	    mark && mark > label && mark[-1] == ' ' ? strtoull(mark + 1, NULL, 10) : 0;
	return n > 1 && n <= TRAININGS_MAX ? n - 1 : 0;
}

/*
 * Sets ENTRY to the player of R, with the default rules or the given ones, and with the training
 * number of its label or 0; false if none of these has the config of the log.
 */
static bool entry_make(struct player_check *r, struct experiment_entry *entry)
{
	struct why why;
	struct game_options usual = {.shape = r->player->board},
			    given = r->log->runs->options->game;
	if (agent_canonical(r->player->agent, entry->agent, &why) ||
	    agent_settings(r->player->agent, entry->settings, &why) ||
	    agent_input_digest(entry->agent, &entry->contents, &why)) {
		unable_set(r, "%.240s", why.text);
		return false;
	}
	snprintf(entry->label, sizeof entry->label, "%.*s", RESULT_NAME_MAX - 1, r->player->label);
	given.shape = given.start ? NULL : r->player->board;
	entry->seed = r->seed;
	entry->training = training_of(entry->label);
	if (entry_fits(r, &usual, entry) || entry_fits(r, &given, entry))
		return true;
	entry->training = 0;
	if (entry_fits(r, &usual, entry) || entry_fits(r, &given, entry))
		return true;
	unable_set(
	    r,
	    entry->contents
		? "its games were played with other contents of the file that it reads, by other "
		  "rules (--spawn, --start-tiles, --start), or by a version of nxn with other "
		  "defaults"
		: "its games were played by other rules (--spawn, --start-tiles, --start) or by a "
		  "version of nxn with other defaults");
	return false;
}

/* Whether the model PATH is that of ENTRY at this point of training. */
static bool model_fits(const struct player_check *r, const struct experiment_entry *entry,
		       const char *path)
{
	struct why ignored;
	struct model_file *file;
	char key[MODEL_PARAMS_MAX + 2];
	if (model_open(&file, path, &ignored))
		return false;
	const struct model_header *header = model_header(file);
	/* The settings end with all training parameters. */
	snprintf(key, sizeof key, ",%.*s", (int)(strcspn(header->params, "=") + 1), header->params);
	const char *asked = strstr(entry->settings, key);
	const bool fits = strcmp(header->agent, agent_class_of(entry->agent)->name) == 0 &&
			  strcmp(header->board, entry->game.name) == 0 &&
			  header->games == r->player->trained && asked &&
			  strcmp(asked + 1, header->params) == 0;
	model_close(file);
	return fits;
}

/* Finds the model of ENTRY in FOLDER: the one with its name, or else the only one that fits. */
static bool model_find(const struct player_check *r, const struct experiment_entry *entry,
		       const char *folder, char found[FOLDER_PATH_MAX])
{
	char path[FOLDER_PATH_MAX], wanted[FOLDER_PATH_MAX];
	int fitting = 0;
	bool named = false;
	if (entry_model_path(entry, folder, 0, wanted, NULL))
		*wanted = '\0';
	DIR *files = opendir(folder);
	if (!files)
		return false;
	for (struct dirent *file; !named && (file = readdir(files));) {
		const char *dot = strrchr(file->d_name, '.');
		if (!dot || strcmp(dot, ".nxn") != 0 ||
		    path_format(path, NULL, "%s/%s", folder, file->d_name) ||
		    !model_fits(r, entry, path))
			continue;
		fitting++;
		named = strcmp(path, wanted) == 0;
		snprintf(found, FOLDER_PATH_MAX, "%s", path);
	}
	closedir(files);
	return named || fitting == 1;
}

/* Whether a folder of models exists; a bundle has one only on request. */
static bool has_models(const struct log_check *log)
{
	for (size_t i = 0; i < MODEL_FOLDERS; i++)
		if (access(log->models[i], F_OK) == 0)
			return true;
	return false;
}

/* Creates the player of ENTRY with the training of R; false, with the reason, if it cannot. */
static bool agent_make(struct player_check *r, const struct experiment_entry *entry,
		       struct agent **agent)
{
	struct why why;
	char path[FOLDER_PATH_MAX];
	const struct agent_env env = {.game = &entry->game};
	if (agent_new(entry->agent, &env, agent, &why)) {
		unable_set(r, "%.240s", why.text);
		return false;
	}
	const struct agent_class *class = (*agent)->class;
	if (!class->trained || class->trained((*agent)->self) == r->player->trained)
		return true;
	for (size_t i = 0; i < MODEL_FOLDERS; i++)
		if (model_find(r, entry, r->log->models[i], path) &&
		    agent_load(*agent, path, &why) == STATUS_OK &&
		    class->trained((*agent)->self) == r->player->trained)
			return true;
	unable_set(r, "its weights after %" PRIu64 " training games %s", r->player->trained,
		   has_models(r->log) ? "are not there any more"
				      : "are not here; a bundle made with --models has those of "
					"the end of training");
	agent_free(*agent);
	return false;
}

/* Whether two distances to certainty are equal in the format of the log. */
static bool uncertainty_same(double a, double b)
{
	char x[32], y[32];
	snprintf(x, sizeof x, "%.6f", a);
	snprintf(y, sizeof y, "%.6f", b);
	return isnan(a) ? isnan(b) : strcmp(x, y) == 0;
}

/* Whether ROW agrees with the result, in the columns that its log has. */
static bool row_same(const struct player_check *r, const struct gamelog_row *row,
		     const struct outcome *outcome)
{
	const uint64_t sum = isnan(outcome->uncertainty) ? 0 : board_sum(&outcome->last);
	if (outcome->score != row->score || outcome->moves != row->moves)
		return false;
	return r->log->gap ||
	       (UINT64_C(1) << outcome->max_exponent == row->max_tile && sum == row->sum &&
		uncertainty_same(outcome->uncertainty, row->uncertainty));
}

static void row_compare(struct player_check *r, const struct gamelog_row *row,
			const struct outcome *outcome)
{
	const uint64_t tile = UINT64_C(1) << outcome->max_exponent;
	r->done++;
	if (row_same(r, row, outcome) || r->bad++ > 0)
		return;
	bool other = outcome->score != row->score || outcome->moves != row->moves ||
		     (!r->log->gap && tile != row->max_tile);
	snprintf(r->reason, sizeof r->reason,
		 "game %" PRIu64 " of seed %" PRIu64 ": score %" PRIu64 ", largest tile %" PRIu64
		 ", %" PRIu64 " moves in the log, %" PRIu64 ", %" PRIu64 ", %" PRIu64 " here%s",
		 row->game, row->seed, row->score, row->max_tile, row->moves, outcome->score, tile,
		 outcome->moves, other ? "" : "; another sum or distance to certainty");
}

static void rows_play(struct player_check *r, struct agent *agent)
{
	struct why why;
	struct outcome outcome;
	const struct play_watch watch = {.move = pool_continues, .context = r->log->pool};
	for (size_t i = 0; i < r->wanted && !pool_ending(r->log->pool); i++) {
		const struct gamelog_row *row = r->ranked[i].row;
		const bool finished = play_game(agent, r->seed, row->game, &watch, &outcome);
		if (agent_check(agent, &why)) {
			unable_set(r, "%.240s", why.text);
			return;
		}
		if (finished)
			row_compare(r, row, &outcome);
	}
}

/*
 * Plays the games of the rows again. It is not an error if that is impossible, but the reason is
 * reported: unknown rules, missing weights, a clock, another program.
 */
static void player_check_run(struct player_check *r)
{
	struct experiment_entry *entry = xcalloc(1, sizeof *entry);
	struct agent *agent;
	if (agent_clocked(r->player->agent))
		unable_set(r, "it decides by the clock");
	else if (agent_external(r->player->agent))
		unable_set(r, "it is another program, which is not started here");
	else if (strstr(r->player->agent, "={") || strstr(r->player->agent, ":{"))
		unable_set(r, "it plays with what a learner had learned by then");
	else if (entry_make(r, entry) && agent_make(r, entry, &agent)) {
		rows_play(r, agent);
		agent_free(agent);
	}
	free(entry);
}

/* ---- All players of a log. */

static int by_rank(const void *a, const void *b)
{
	const struct ranked_row *x = a, *y = b;
	const struct gamelog_player *p = x->row->player, *q = y->row->player;
	if (p != q && p->place != q->place)
		return p->place < q->place ? -1 : 1;
	if (p != q)
		return p->number < q->number ? -1 : 1;
	if (x->row->seed != y->row->seed)
		return x->row->seed < y->row->seed ? -1 : 1;
	if (x->rank != y->rank)
		return x->rank < y->rank ? -1 : 1;
	return (x->row->game > y->row->game) - (x->row->game < y->row->game);
}

static bool same_player_and_seed(const struct ranked_row *a, const struct ranked_row *b)
{
	return a->row->player == b->row->player && a->row->seed == b->row->seed;
}

/* Adds a check for the rows FIRST to END - 1 of the ranking. */
static void player_add(struct log_check *c, size_t first, size_t end)
{
	const struct ranked_row *ranked = &c->ranked[first];
	const double games = (double)(end - first);
	c->players[c->count++] = (struct player_check){
	    .log = c,
	    .player = ranked->row->player,
	    .seed = ranked->row->seed,
	    .ranked = ranked,
	    .games = end - first,
	    .wanted = (size_t)fmin(fmax(ceil(c->runs->options->fraction * games), 1), games),
	};
}

static void players_make(struct log_check *c)
{
	const size_t n = c->log.count;
	c->ranked = xcalloc(n, sizeof *c->ranked);
	c->players = xcalloc(n, sizeof *c->players);
	for (size_t i = 0; i < n; i++) {
		const struct gamelog_row *row = &c->log.rows[i];
		const uint64_t key[3] = {row->player->config, row->seed, row->game};
		c->ranked[i] = (struct ranked_row){
		    row, XXH3_64bits_withSeed(key, sizeof key, c->runs->options->seed)};
	}
	qsort(c->ranked, n, sizeof *c->ranked, by_rank);
	for (size_t first = 0, end = 1; end <= n; end++)
		if (end == n || !same_player_and_seed(&c->ranked[first], &c->ranked[end])) {
			player_add(c, first, end);
			first = end;
		}
}

static enum status check_run(struct job *job, uint64_t unit, int thread, struct why *why)
{
	struct log_check *c = (struct log_check *)(void *)job;
	(void)thread;
	(void)why;
	player_check_run(&c->players[unit]);
	return STATUS_OK;
}

static void players_run(struct log_check *c)
{
	c->pool = pool_new(c->runs->options->threads);
	c->job = (struct job){.run = check_run, .end = c->count};
	pool_add(c->pool, &c->job);
	runs_must(c->runs, pool_run(c->pool, NULL, c->runs->why));
	runs_must(c->runs, stop_requested() ? STATUS_STOPPED : STATUS_OK);
}

/* Whether two checks are of the same player in tables. */
static bool same_player(const struct player_check *a, const struct player_check *b)
{
	return a->player->place == b->player->place &&
	       strcmp(a->player->board, b->player->board) == 0;
}

/*
 * Prints the line (on a terminal a paragraph) of the player of check I, over all of its points of
 * training, and counts its games.
 */
static void player_print(const struct log_check *c, const char *run, size_t i)
{
	const struct player_check *first = &c->players[i];
	const char *bad = NULL, *unable = NULL;
	struct runs_check own = {0};
	for (; i < c->count; i++) {
		const struct player_check *r = &c->players[i];
		if (!same_player(first, r))
			continue;
		own.games += r->games;
		own.done += r->done;
		own.bad += r->bad;
		own.left += r->unable ? r->games : 0;
		bad = !bad && r->bad ? r->reason : bad;
		unable = !unable && r->unable ? r->reason : unable;
	}
	char *paragraph = NULL;
	size_t size;
	FILE *stream = isatty(STDOUT_FILENO) ? stream_open(&paragraph, &size) : NULL;
	FILE *out = stream ? stream : stdout;
	fprintf(out, "%s: %s %s: %" PRIu64 " of %" PRIu64 " games played again", run,
		first->player->board, first->player->label, own.done, own.games);
	if (own.done)
		fprintf(out, own.bad ? ", %" PRIu64 " DIFFERENT, the first" : ", all the same",
			own.bad);
	if (bad)
		fprintf(out, " %s", bad);
	if (unable)
		fprintf(out, "; %" PRIu64 " cannot be: %s", own.left, unable);
	if (!stream)
		putchar('\n');
	else if (fclose(stream) == 0)
		text_fill(stdout, 2, paragraph);
	free(paragraph);
	c->runs->games += own.games;
	c->runs->done += own.done;
	c->runs->bad += own.bad;
	c->runs->left += own.left;
}

static void players_print(const struct log_check *c, const char *run)
{
	for (size_t i = 0; i < c->count; i++) {
		bool seen = false;
		for (size_t k = 0; !seen && k < i; k++)
			seen = same_player(&c->players[k], &c->players[i]);
		if (!seen)
			player_print(c, run, i);
	}
	fflush(stdout);
}

/* ---- Logs. */

/* Whether X is a count: a nonnegative integer that is not too large. */
static bool is_count(double x)
{
	return x == floor(x) && x <= 1e15;
}

static enum status game_take(void *context, const void *read, struct why *why)
{
	const struct gap_row *game = read;
	const double moves = gap_row_total(game).moves;
	if (game->game == GAP_EXACT)
		return STATUS_OK;
	if (!is_count(game->result) || !is_count(moves))
		return why_set(why, STATUS_INPUT,
			       "not a game: its result and its moves are no counts");
	const struct gamelog_player player = {.config = game->config,
					      .trained = game->trained,
					      .board = game->board,
					      .label = game->agent,
					      .agent = game->agent};
	const struct gamelog_row row = {.seed = game->seed,
					.game = game->game,
					.score = (uint64_t)game->result,
					.moves = (uint64_t)moves,
					.seconds = NAN,
					.uncertainty = NAN};
	return gamelog_add(context, &player, &row, why);
}

/*
 * Plays games of the log in FOLDER again: games.tsv or, if GAP, gap.tsv (analysis/logs/rowlog.h),
 * with their parts; of the latter each game with its points and moves, summed over phases, without
 * rows of exact values. Models come from FOLDER or from the folder OTHER. Prints a line per player,
 * which begins with RUN, and adds to RUNS. Returns whether there is a log.
 */
static bool log_replay(const char *run, const char *folder, const char *other, bool gap,
		       struct runs_check *runs)
{
	struct log_check c = {.runs = runs, .gap = gap};
	struct parts parts = {0};
	struct why *why = runs->why;
	gamelog_init(&c.log);
	enum status status = parts_all(gap ? &gap_log_kind : &gamelog_kind, folder, &parts, why);
	runs_must(runs, status == STATUS_INPUT ? STATUS_OK : status); /* no folder, no log */
	const bool found = parts.n > 0;
	path_make(c.models[0], "%s/models", folder);
	path_make(c.models[1], "%s/models", other);
	for (size_t i = 0; i < parts.n; i++)
		runs_must(runs,
			  gap ? rowlog_each(&gap_log_kind, parts.path[i], game_take, &c.log, why)
			      : gamelog_read(&c.log, parts.path[i], why));
	if (c.log.count > 0) {
		players_make(&c);
		players_run(&c);
		players_print(&c, run);
	}
	free(c.ranked);
	free(c.players);
	gamelog_fini(&c.log);
	parts_free(&parts);
	return found;
}

/* ---- Folders. */

/* Checks all logs in FOLDER; returns whether there is one. */
static bool logs_check(const char *run, const char *folder, const char *other,
		       struct runs_check *runs)
{
	const bool games = log_replay(run, folder, other, false, runs);
	return log_replay(run, folder, other, true, runs) || games;
}

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Checks each run of the bundle PATH. */
static void bundle_check(const char *path, struct runs_check *runs)
{
	char data[FOLDER_PATH_MAX], folder[FOLDER_PATH_MAX], played[FOLDER_PATH_MAX];
	struct dirent **entries;
	const int n = scandir(path_make(data, "%s/data", path), &entries, is_visible, alphasort);
	if (n < 0)
		runs_must(runs, why_errno(runs->why, "%s: cannot be read", data));
	for (int i = 0; i < n; i++) {
		const char *run = entries[i]->d_name;
		path_make(folder, "%s/%s", data, run);
		path_make(played, "%s/runs/%s", path, run);
		if (!logs_check(run, folder, played, runs))
			printf("%s: no game log, so nothing to play again\n", run);
		free(entries[i]);
	}
	free(entries);
}

/* Checks PATH, a bundle or a run, and adds to RUNS its files and games. */
static void folder_check(const char *path, struct runs_check *runs)
{
	size_t files = 0, changed = 0;
	bool bundle;
	runs_must(runs, bundle_verify(path, &bundle, &files, &changed, runs->why));
	runs->files += files;
	runs->changed += changed;
	if (bundle)
		bundle_check(path, runs);
	else if (!logs_check(path, path, path, runs))
		runs_must(runs,
			  why_set(runs->why, STATUS_INPUT,
				  "%s: holds neither a bundle nor a log, games.tsv or gap.tsv",
				  path));
}

enum status verify_runs(const struct text_list *runs, const struct runs_options *options,
			struct why *why)
{
	struct runs_check count = {.options = options, .why = why};
	for (size_t i = 0; i < runs->n; i++)
		folder_check(runs->item[i], &count);
	const bool differs = count.bad || count.changed;
	if (count.changed)
		printf("%zu files, %zu of them changed since the bundle was made\n", count.files,
		       count.changed);
	else if (count.files)
		printf("%zu files, all unchanged\n", count.files);
	printf("%s%" PRIu64 " of %" PRIu64 " games played again", differs ? "DIFFERENT: " : "",
	       count.done, count.games);
	if (count.bad)
		printf("; %" PRIu64 " came out otherwise", count.bad);
	else if (count.done)
		printf("; all agree");
	if (count.left)
		printf("; %" PRIu64 " are of players that cannot be checked", count.left);
	putchar('\n');
	/* A check of nothing must not pass. */
	const bool nothing = !count.done && !count.files;
	if (nothing)
		puts("Nothing was checked.");
	*why = (struct why){""};
	return differs || nothing ? STATUS_SYSTEM : STATUS_OK;
}
