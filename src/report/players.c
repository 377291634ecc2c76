/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables `players` and `parameters` of a game log in a bundle: the configuration under which
 * each game is stored, and all parameters of the players after training, one column per board.
 */
#include "src/report/bundle.h"

#include "agents/agent.h"
#include "agents/param.h"
#include "analysis/logs/parts.h"
#include "analysis/tables/table.h"
#include "base/xalloc.h"
#include "src/games/experiment.h"

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
	struct gamelog_player player;
	const char *seed;
	uint64_t games;
	char config[17];
	double training;
};

#define COLUMN(title, kind, member) TABLE_COLUMN(struct player_row, title, kind, member)

static const struct table_column player_columns[] = {
    COLUMN("board", TEXT, player.board),
    COLUMN("label", TEXT, player.label),
    COLUMN("agent", TEXT, player.agent),
    COLUMN("trained", NUMBER, player.trained),
    COLUMN("games", NUMBER, games),
    COLUMN("seed", TEXT, seed),
    COLUMN("config", CHARS, config),
    COLUMN("training_seconds", REAL, training),
    {0},
};

/* Writes the row of PLAYER. */
static void player_put(const struct table_out *out, const struct gamelog *log,
		       const struct gamelog_player *player)
{
	char seed[24] = "";
	struct player_row row = {
	    .player = *player, .seed = seed, .training = gamelog_training(log, player->config)};
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

static const struct table player_table =
    TABLE("players",
	  "trained in games; config: what the log knows games by, beside seed and number; "
	  "training_seconds of one processor",
	  player_columns, player_rows);

/* ---- Parameters. */

/* Rows of label, parameter, and its value on each board; all on the heap. */
struct parameter_table {
	struct table_column *columns; /* a row is an array of texts */
	size_t count;
	char ***row;
	size_t rows;
};

static void column_add(struct parameter_table *t, const char *name)
{
	t->columns[t->count] = (struct table_column){
	    .name = name, .value = TABLE_TEXT, .offset = t->count * sizeof(char *)};
	t->count++;
}

/* Advances *AT past one setting "key=value", whose value may contain commas; returns its length. */
static size_t piece_take(const char **at)
{
	const char *begin = *at;
	setting_skip(at);
	while (**at && !setting_equals(*at))
		setting_skip(at);
	return (size_t)(*at - begin) - (**at != '\0');
}

/*
 * The parameters of PLAYER on its board, as in a dry run. If the player cannot be created, such as
 * one whose file is missing: the parameters in its text and the defaults. If this nxn has no such
 * agent: the parameters in the log.
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

/* Sets the parameter KEY (LENGTH bytes) of LABEL in COLUMN, in a new row if needed; owns VALUE. */
static void value_set(struct parameter_table *t, const char *label, const char *key, size_t length,
		      size_t column, char *value)
{
	size_t i = 0;
	while (i < t->rows && (strcmp(t->row[i][0], label) != 0 ||
			       strncmp(t->row[i][1], key, length) != 0 || t->row[i][1][length]))
		i++;
	if (i == t->rows) {
		char **row = xcalloc(t->count, sizeof *row);
		row[0] = xstrdup(label);
		row[1] = xasprintf("%.*s", (int)length, key);
		for (size_t k = 2; k < t->count; k++)
			row[k] = xstrdup("");
		t->row = xgrow(t->row, t->rows, sizeof *t->row);
		t->row[t->rows++] = row;
	}
	free(t->row[i][column]);
	t->row[i][column] = value;
}

/* Adds the parameters of PLAYER, named LABEL, in COLUMN, and the number of training games. */
static void parameters_add(struct parameter_table *t, const char *label,
			   const struct gamelog_player *player, size_t column)
{
	static const char training[] = "training games";
	char all[SPEC_MAX] = "";
	if (player->trained)
		value_set(t, label, training, sizeof training - 1, column,
			  xasprintf("%" PRIu64, player->trained));
	settings_of(player, all);
	for (const char *at = all; *at;) {
		const char *piece = at, *equals = setting_equals(at);
		const char *end = piece + piece_take(&at);
		if (equals)
			value_set(t, label, piece, (size_t)(equals - piece), column,
				  xasprintf("%.*s", (int)(end - equals - 1), equals + 1));
	}
}

/* Fills in T: labels in order, for each label and board its most trained player, the last one. */
static void parameters_find(struct parameter_table *t, const struct sorted_log *sorted)
{
	const size_t n = sorted->log->player_count;
	t->columns = xcalloc(n + 3, sizeof *t->columns);
	column_add(t, "label");
	column_add(t, "parameter");
	for (size_t i = 0; i < n; i++)
		if (i == 0 || strcmp(sorted->players[i - 1]->board, sorted->players[i]->board) != 0)
			column_add(t, sorted->players[i]->board);
	for (size_t place = 0; place < sorted->log->label_count; place++)
		for (size_t i = 0, column = 2; i < n; i++) {
			const struct gamelog_player *p = sorted->players[i],
						    *next = i + 1 < n ? sorted->players[i + 1] : p;
			const bool ends = i + 1 == n || strcmp(next->board, p->board) != 0;
			if (p->place == place && (ends || next->place != place))
				parameters_add(t, sorted->log->labels[place], p, column);
			column += ends;
		}
}

static void parameter_rows(const struct table_out *out, const void *data)
{
	const struct parameter_table *t = data;
	for (size_t i = 0; i < t->rows; i++)
		table_put(out, t->row[i]);
}

/* ---- Files. */

static void table_create(struct bundle *bundle, const struct bundle_run *run,
			 const struct table *table, const void *data)
{
	static const struct tables none;
	FILE *file = bundle_create(bundle, "tables/%s/%s.tsv", run->page.name, table->name);
	table_write(file, &none, table, data, (const char *const *)run->page.provenance);
	bundle_close(bundle, file);
}

static void parameters_create(struct bundle *bundle, const struct bundle_run *run,
			      const struct sorted_log *sorted)
{
	struct parameter_table t = {0};
	parameters_find(&t, sorted);
	const struct table table =
	    TABLE("parameters", "as in nxn info; training games: what the player has learned from",
		  t.columns, parameter_rows);
	table_create(bundle, run, &table, &t);
	for (size_t i = 0; i < t.rows; i++) {
		for (size_t k = 0; k < t.count; k++)
			free(t.row[i][k]);
		free(t.row[i]);
	}
	free(t.row);
	free(t.columns);
}

/* With --models, warns of players of LOG that read files, which the run's folder does not have. */
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

void bundle_players(struct bundle *bundle, const struct bundle_run *run)
{
	struct gamelog log;
	struct parts torn = {0};
	bundle_must(bundle, gamelog_read_paths(&log, &run->source, 1, NULL, &torn, &bundle->why));
	files_warn(bundle, run, &log);
	const struct sorted_log sorted = {&log, xcalloc(log.player_count, sizeof *sorted.players)};
	for (size_t i = 0; i < log.player_count; i++)
		sorted.players[i] = log.players[i];
	qsort(sorted.players, log.player_count, sizeof *sorted.players, by_player);
	parameters_create(bundle, run, &sorted);
	table_create(bundle, run, &player_table, &sorted);
	free(sorted.players);
	parts_free(&torn);
	gamelog_fini(&log);
}
