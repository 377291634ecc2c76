/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables `players` and `parameters` of a game log in a bundle: what each game is filed under,
 * and all parameters of the players after their training, a column a board.
 */
#include "src/report/bundle.h"

#include "agents/agent.h"
#include "agents/param.h"
#include "analysis/logs/parts.h"
#include "analysis/tables/table.h"
#include "base/xalloc.h"
#include "src/games/experiment.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A log with its players in order. */
struct sorted_log {
	const struct gamelog *log;
	struct gamelog_player **players;
};

/* By board, label, and training. */
static int by_player(const void *a, const void *b)
{
	const struct gamelog_player *x = *(struct gamelog_player *const *)a,
				    *y = *(struct gamelog_player *const *)b;
	int order = strcmp(x->board, y->board);
	if (order == 0)
		order = (x->place > y->place) - (x->place < y->place);
	if (order == 0)
		order = (x->trained > y->trained) - (x->trained < y->trained);
	return order ? order : (x->config > y->config) - (x->config < y->config);
}

/* ---- Players. */

struct player_row {
	const char *board, *label, *agent, *seed;
	uint64_t trained, games;
	char config[17];
	double training;
};

#define COLUMN(title, kind, member) TABLE_COLUMN(struct player_row, title, kind, member)

static const struct table_column player_columns[] = {
    COLUMN("board", TEXT, board),
    COLUMN("label", TEXT, label),
    COLUMN("agent", TEXT, agent),
    COLUMN("trained", NUMBER, trained),
    COLUMN("games", NUMBER, games),
    COLUMN("seed", TEXT, seed),
    COLUMN("config", CHARS, config),
    COLUMN("training_seconds", REAL, training),
    {0},
};

/* The row of PLAYER: what the log has of it. */
static void player_put(const struct table_out *out, const struct gamelog *log,
		       const struct gamelog_player *player)
{
	char seed[24] = "";
	struct player_row row = {.board = player->board,
				 .label = player->label,
				 .agent = player->agent,
				 .seed = seed,
				 .trained = player->trained,
				 .training = gamelog_training(log, player->config)};
	uint64_t first = 0;
	for (size_t i = 0; i < log->count; i++) {
		const struct gamelog_row *game = &log->rows[i];
		if (game->player != player)
			continue;
		first = row.games++ == 0 ? game->seed : first;
		if (game->seed != first)
			row.seed = "several";
	}
	snprintf(seed, sizeof seed, "%" PRIu64, first);
	snprintf(row.config, sizeof row.config, "%016" PRIx64, player->config);
	table_put(out, &row);
}

static void player_rows(const struct table_out *out, const void *data)
{
	const struct sorted_log *sorted = data;
	for (size_t i = 0; i < sorted->log->player_count; i++)
		player_put(out, sorted->log, sorted->players[i]);
}

/* ---- Parameters. */

enum { TRAINED_MAX = 48, SETTINGS_MAX = TRAINED_MAX + SPEC_MAX };

/* All parameters of the players after their training, those that are the defaults included. */
struct parameter_table {
	const struct sorted_log *sorted;
	char *
	    settings; /* [boards]: of the player called the same on each board, SETTINGS_MAX each */
	const char **boards;
	size_t count; /* of boards */
	/* A row: label, parameter, its value on each board. */
	const char **row;
	char *values; /* [boards], SPEC_MAX each */
};

/* The piece at *AT of settings, "key=value" with the commas of the value; steps behind it. */
static size_t piece_take(const char **at)
{
	const char *begin = *at;
	setting_skip(at);
	while (**at && !setting_equals(*at))
		setting_skip(at);
	return (size_t)(*at - begin) - (**at != '\0');
}

/* The value of the KEY, of LENGTH characters with its '=', among SETTINGS as text; "" for none. */
static void value_find(const char *settings, const char *key, size_t length, char text[SPEC_MAX])
{
	*text = '\0';
	for (const char *at = settings; *at;) {
		const char *piece = at;
		const size_t size = piece_take(&at);
		if (size >= length && strncmp(piece, key, length) == 0)
			snprintf(text, SPEC_MAX, "%.*s", (int)(size - length), piece + length);
	}
}

static const char *settings_on(const struct parameter_table *t, size_t board)
{
	return t->settings + board * SETTINGS_MAX;
}

/*
 * The parameters of PLAYER on its board, as a dry run has them. What cannot be made here, such as a
 * player whose file is gone, has those that its text tells with the defaults, and an agent that
 * this nxn does not know those of the log.
 */
static void settings_of(const struct gamelog_player *player, char text[SPEC_MAX])
{
	struct game game;
	struct agent *agent;
	char all[SPEC_MAX];
	const struct game_options options = {.shape = player->board};
	const struct agent_env env = {.game = &game};
	if (!game_init(&game, &options, NULL) && !agent_new(player->agent, &env, &agent, NULL)) {
		player_parameters(agent, text);
		agent_free(agent);
		return;
	}
	const bool known = agent_settings(player->agent, all, NULL) == STATUS_OK;
	const char *settings = strchr(known ? all : player->agent, ':');
	snprintf(text, SPEC_MAX, "%s", settings ? settings + 1 : "");
}

/* Puts the parameters of PLAYER, and how long it was trained, in the place of BOARD. */
static void settings_put(struct parameter_table *t, const struct gamelog_player *player)
{
	char all[SPEC_MAX] = "";
	size_t b = 0;
	while (strcmp(t->boards[b], player->board) != 0) {
		b++;
		assert(b < t->count);
	}
	settings_of(player, all);
	char trained[TRAINED_MAX] = "";
	if (player->trained)
		snprintf(trained, sizeof trained, "training games=%" PRIu64 "%s", player->trained,
			 *all ? "," : "");
	snprintf(t->settings + b * SETTINGS_MAX, SETTINGS_MAX, "%s%s", trained, all);
}

/* Puts a row for each parameter of the player LABEL, in the order of the first board that has it. */
static void parameters_put(const struct table_out *out, struct parameter_table *t,
			   const char *label)
{
	char key[SPEC_MAX];
	for (size_t b = 0; b < t->count; b++)
		for (const char *at = settings_on(t, b); *at;) {
			const char *piece = at, *equals = setting_equals(at);
			const size_t length = equals ? (size_t)(equals - at) + 1 : 0;
			bool known = !equals;
			piece_take(&at);
			for (size_t i = 0; i < t->count; i++) {
				char *value = t->values + i * SPEC_MAX;
				value_find(settings_on(t, i), piece, length, value);
				t->row[2 + i] = value;
				known = known || (i < b && *value);
			}
			if (known)
				continue;
			snprintf(key, sizeof key, "%.*s", (int)length - 1, piece);
			t->row[0] = label;
			t->row[1] = key;
			table_put(out, t->row);
		}
}

static void parameter_rows(const struct table_out *out, const void *data)
{
	struct parameter_table *t = (void *)data;
	const struct gamelog *log = t->sorted->log;
	for (size_t place = 0; place < log->label_count; place++) {
		memset(t->settings, 0, t->count * SETTINGS_MAX);
		/* The most trained is the last. */
		for (size_t i = 0; i < log->player_count; i++)
			if (t->sorted->players[i]->place == place)
				settings_put(t, t->sorted->players[i]);
		parameters_put(out, t, log->labels[place]);
	}
}

/* ---- Files. */

static enum status table_leave(struct bundle *bundle, const struct bundle_run *run,
			       const struct table *table, const void *data, struct why *why)
{
	static const struct tables none;
	FILE *file;
	enum status status =
	    bundle_create(bundle, &file, why, "tables/%s/%s.tsv", run->page.name, table->name);
	if (status)
		return status;
	table_write(file, &none, table, data, (const char *const *)run->page.provenance);
	return bundle_close(bundle, file, STATUS_OK, why);
}

static enum status players_leave(struct bundle *bundle, const struct bundle_run *run,
				 const struct sorted_log *sorted, struct why *why)
{
	static const struct table table = {
	    .name = "players",
	    .units = "trained in games; config: what the log knows games by, beside seed and "
		     "number; training_seconds of one processor",
	    .columns = player_columns,
	    .rows = player_rows};
	return table_leave(bundle, run, &table, sorted, why);
}

static enum status parameters_leave(struct bundle *bundle, const struct bundle_run *run,
				    const struct sorted_log *sorted, struct why *why)
{
	const size_t n = sorted->log->player_count;
	struct parameter_table t = {.sorted = sorted,
				    .settings = xcalloc(n, SETTINGS_MAX),
				    .boards = xcalloc(n, sizeof *t.boards),
				    .row = xcalloc(n + 2, sizeof *t.row),
				    .values = xcalloc(n, SPEC_MAX)};
	struct table_column *columns = xcalloc(n + 3, sizeof *columns);
	for (size_t i = 0; i < n; i++)
		if (!t.count || strcmp(t.boards[t.count - 1], sorted->players[i]->board) != 0)
			t.boards[t.count++] = sorted->players[i]->board;
	for (size_t i = 0; i < t.count + 2; i++)
		columns[i] = (struct table_column){.name = i == 0   ? "label"
							   : i == 1 ? "parameter"
								    : t.boards[i - 2],
						   .value = TABLE_TEXT,
						   .offset = i * sizeof *t.row};
	const struct table table = {
	    .name = "parameters",
	    .units = "as in nxn info; training games: what the player has learned from",
	    .columns = columns,
	    .rows = parameter_rows};
	const enum status status = table_leave(bundle, run, &table, &t, why);
	free(columns);
	free(t.settings);
	free(t.boards);
	free(t.row);
	free(t.values);
	return status;
}

/* With --models, warns of players of LOG that read files: the folder of the run lacks these. */
static void files_warn(const struct bundle *bundle, const struct bundle_run *run,
		       const struct gamelog *log)
{
	for (size_t i = 0; bundle->options->models && i < log->player_count; i++) {
		uint64_t digest = 0;
		struct why ignored;
		const char *agent = log->players[i]->agent;
		if (agent_input_digest(agent, &digest, &ignored) || digest)
			fprintf(stderr,
				"nxn: warning: %s: the files of %s are not in the bundle; copy "
				"them beside it\n",
				run->source, agent);
	}
}

enum status bundle_players(struct bundle *bundle, const struct bundle_run *run, struct why *why)
{
	struct gamelog log;
	struct parts torn = {0};
	enum status status = gamelog_read_paths(&log, &run->source, 1, NULL, &torn, why);
	if (status)
		return status;
	files_warn(bundle, run, &log);
	const struct sorted_log sorted = {&log, xcalloc(log.player_count, sizeof *sorted.players)};
	for (size_t i = 0; i < log.player_count; i++)
		sorted.players[i] = log.players[i];
	qsort(sorted.players, log.player_count, sizeof *sorted.players, by_player);
	status = parameters_leave(bundle, run, &sorted, why);
	status = status ? status : players_leave(bundle, run, &sorted, why);
	free(sorted.players);
	parts_free(&torn);
	gamelog_fini(&log);
	return status;
}
