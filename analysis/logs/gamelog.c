/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The game log: its columns, its games in memory, its files.
 *
 * Rows refer to their player, whose text is stored once: a row takes 72 bytes, however long the
 * agent's specification is. gamelog_read() returns the values that gamelog_append() wrote, but
 * seconds and uncertainty are rounded to six decimals.
 */
#include "analysis/logs/gamelog.h"

#include "base/number.h"
#include "base/xalloc.h"
#include "boards/game.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static const char player_mark[] = "# player: ";
static const char command_mark[] = "# command: ";
static const char training_mark[] = "# training: ";
static const char stop_mark[] = "# stopped: ";

/* ---- Columns. */

/* A record. */
struct game_line {
	struct gamelog_player player;
	struct gamelog_row row;
};

static int side_of(char digit)
{
	int side = digit - '0';

	return side >= SIDE_MIN && side <= SIDE_MAX ? side : 0;
}

/* The number of cells of a board by its name, "4x4", or 0 if it names no shape. */
static int board_size(const char *board)
{
	if (strlen(board) != 3 || board[1] != 'x')
		return 0;
	return side_of(board[0]) * side_of(board[2]);
}

static bool board_read(const char *text, void *member)
{
	return rowlog_any.read(text, member) && board_size(text);
}

static bool label_read(const char *text, void *member)
{
	return rowlog_text.read(text, member) && strlen(text) <= LABEL_BYTES_MAX;
}

static bool tile_read(const char *text, void *member)
{
	const uint64_t *tile = member;
	return rowlog_number.read(text, member) && *tile >= 2 && (*tile & (*tile - 1)) == 0;
}

/* Seconds, or uncertainty. */
static void measure_print(struct rowlog_line *line, const void *member)
{
	const double x = *(const double *)member;
	if (isnan(x))
		rowlog_print(line, "NaN");
	else
		rowlog_print(line, "%.6f", isinf(x) ? x : fmin(x, 1e12));
}

static bool measure_read(const char *text, void *member)
{
	if (strcmp(text, "NaN") != 0)
		return rowlog_real_read(text, member);
	*(double *)member = NAN;
	return true;
}

static bool sum_read(const char *text, void *member)
{
	uint64_t *const sum = member;
	*sum = 0;
	return strcmp(text, "NaN") == 0 || (rowlog_number.read(text, sum) && *sum > 0);
}

static void sum_print(struct rowlog_line *line, const void *member)
{
	if (*(const uint64_t *)member > 0)
		rowlog_number_print(line, member);
	else
		rowlog_print(line, "NaN");
}

static const struct rowlog_type board_type = {"a board from 2x2 to 6x6", board_read,
					      rowlog_text_print};
static const struct rowlog_type label_type = {
    "UTF-8 text of 1 to 200 bytes without control characters", label_read, rowlog_text_print};
static const struct rowlog_type tile_type = {"a power of two", tile_read, rowlog_number_print};
static const struct rowlog_type seconds_type = {"seconds or NaN", measure_read, measure_print};
static const struct rowlog_type sum_type = {"a whole number above 0, or NaN", sum_read, sum_print};
static const struct rowlog_type uncertainty_type = {"a number from 0, or NaN", measure_read,
						    measure_print};

enum {
	CONFIG,
	BOARD,
	LABEL,
	AGENT,
	TRAINED,
	SEED,
	GAME,
	SCORE,
	MAX_TILE,
	MOVES,
	SECONDS,
	TILE_SUM,
	UNCERTAINTY,
	COLUMNS
};

#define PLAYER(member) offsetof(struct game_line, player.member)
#define ROW(member) offsetof(struct game_line, row.member)

const struct rowlog_kind gamelog_kind = {
    .stem = "games",
    .log = "a game log",
    .writes = "game log",
    .names = "config board label ... uncertainty",
    .row = "a game",
    .column = {{"config", &rowlog_config, PLAYER(config)},
	       {"board", &board_type, PLAYER(board)},
	       {"label", &label_type, PLAYER(label)},
	       {"agent", &rowlog_text, PLAYER(agent)},
	       {"trained", &rowlog_number, PLAYER(trained)},
	       {"seed", &rowlog_number, ROW(seed)},
	       {"game", &rowlog_number, ROW(game)},
	       {"score", &rowlog_number, ROW(score)},
	       {"max_tile", &tile_type, ROW(max_tile)},
	       {"moves", &rowlog_number, ROW(moves)},
	       {"seconds", &seconds_type, ROW(seconds)},
	       {"tile_sum", &sum_type, ROW(sum)},
	       {"uncertainty", &uncertainty_type, ROW(uncertainty)}},
    .columns = COLUMNS,
    .key = 1 << CONFIG | 1 << SEED | 1 << GAME,
    .decision = 1 << SCORE | 1 << MAX_TILE | 1 << MOVES,
    .size = sizeof(struct game_line),
    .head_first = true,
};

/* ---- In memory. */

void gamelog_init(struct gamelog *log)
{
	*log = (struct gamelog){0};
}

static void player_free(struct gamelog_player *player)
{
	free((char *)player->board);
	free((char *)player->agent);
	free(player);
}

void gamelog_fini(struct gamelog *log)
{
	for (size_t i = 0; i < log->player_count; i++)
		player_free(log->players[i]);
	for (size_t i = 0; i < log->label_count; i++)
		free(log->labels[i]);
	for (size_t i = 0; i < log->command_count; i++)
		free(log->commands[i]);
	free(log->players);
	free(log->labels);
	free(log->commands);
	free(log->rows);
	free(log->index.slot);
	free(log->configs.slot);
	free(log->places.slot);
	free(log->trainings);
	free(log->stops);
	gamelog_init(log);
}

/* Returns the game, or NULL and a free hash for it. */
static const struct gamelog_row *game_seek(const struct gamelog *log, uint64_t config,
					   uint64_t seed, uint64_t game, uint64_t *hash)
{
	const uint64_t *value;

	*hash = (config ^ seed * 0x9e3779b97f4a7c15 ^ game) * 0xff51afd7ed558ccd;
	for (*hash ^= *hash >> 32; (value = row_index_find(&log->index, *hash)); ++*hash) {
		const struct gamelog_row *row = &log->rows[*value];
		if (row->game == game && row->seed == seed && row->player->config == config)
			return row;
	}
	return NULL;
}

const struct gamelog_row *gamelog_find(const struct gamelog *log, uint64_t config, uint64_t seed,
				       uint64_t game)
{
	uint64_t hash;

	return game_seek(log, config, seed, game, &hash);
}

/* The index of LABEL, which is appended if it is new. */
static size_t label_place(struct gamelog *log, const char *label)
{
	uint64_t hash = XXH3_64bits(label, strlen(label));
	const uint64_t *place;

	for (; (place = row_index_find(&log->places, hash)); hash++)
		if (strcmp(log->labels[*place], label) == 0)
			return *place;
	row_index_add(&log->places, hash, log->label_count);
	log->labels = xgrow(log->labels, log->label_count, sizeof *log->labels);
	log->labels[log->label_count] = xstrdup(label);
	return log->label_count++;
}

void gamelog_announce(struct gamelog *log, const char *label)
{
	label_place(log, label);
}

/* Adds COMMAND to the commands; false if they have it. */
static bool command_note(struct gamelog *log, const char *command)
{
	for (size_t i = 0; i < log->command_count; i++)
		if (strcmp(log->commands[i], command) == 0)
			return false;
	log->commands = xgrow(log->commands, log->command_count, sizeof *log->commands);
	log->commands[log->command_count++] = xstrdup(command);
	return true;
}

void gamelog_note_training(struct gamelog *log, const struct gamelog_training *training)
{
	log->trainings = xgrow(log->trainings, log->training_count, sizeof *log->trainings);
	log->trainings[log->training_count++] = *training;
}

void gamelog_note_stop(struct gamelog *log, const struct gamelog_stop *stop)
{
	log->stops = xgrow(log->stops, log->stop_count, sizeof *log->stops);
	log->stops[log->stop_count++] = *stop;
}

double gamelog_training(const struct gamelog *log, uint64_t config)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < log->training_count; i++) {
		if (log->trainings[i].config != config)
			continue;
		sum += log->trainings[i].seconds;
		n++;
	}
	return n ? sum / (double)n : NAN;
}

/* Returns the player, or NULL and a free hash for it. */
static const struct gamelog_player *player_seek(const struct gamelog *log, uint64_t config,
						uint64_t *hash)
{
	const uint64_t *number;

	for (*hash = config; (number = row_index_find(&log->configs, *hash)); ++*hash)
		if (log->players[*number]->config == config)
			return log->players[*number];
	return NULL;
}

const struct gamelog_player *gamelog_player(const struct gamelog *log, uint64_t config)
{
	uint64_t hash;

	return player_seek(log, config, &hash);
}

/* Returns the player of LOG with the config of PLAYER, and adds it if it is new. */
static const struct gamelog_player *player_intern(struct gamelog *log,
						  const struct gamelog_player *player)
{
	uint64_t hash;
	const struct gamelog_player *known = player_seek(log, player->config, &hash);
	if (known)
		return known;
	struct gamelog_player *copy = xcalloc(1, sizeof *copy);
	*copy = *player;
	copy->number = log->player_count;
	copy->cells = board_size(player->board);
	copy->board = xstrdup(player->board);
	copy->agent = xstrdup(player->agent);
	copy->place = label_place(log, player->label);
	copy->label = log->labels[copy->place];
	row_index_add(&log->configs, hash, log->player_count);
	log->players = xgrow(log->players, log->player_count, sizeof *log->players);
	return log->players[log->player_count++] = copy;
}

/* Whether board, agent and training, which config identifies, are equal. */
static bool player_same(const struct gamelog_player *a, const struct gamelog_player *b)
{
	return a->trained == b->trained && !strcmp(a->board, b->board) &&
	       !strcmp(a->agent, b->agent);
}

static bool row_same(const struct gamelog_row *a, const struct gamelog_row *b)
{
	return a->score == b->score && a->max_tile == b->max_tile && a->moves == b->moves;
}

enum status gamelog_add(struct gamelog *log, const struct gamelog_player *player,
			const struct gamelog_row *row, struct why *why)
{
	const struct gamelog_player *known = player_intern(log, player);
	uint64_t hash;

	if (!player_same(known, player))
		return why_set(why, STATUS_INPUT,
			       "contradicts an earlier line: config %016" PRIx64
			       " is %s on %s after %" PRIu64 " training games",
			       known->config, known->agent, known->board, known->trained);
	const struct gamelog_row *there =
	    game_seek(log, player->config, row->seed, row->game, &hash);
	if (there && !row_same(there, row))
		return why_set(why, STATUS_INPUT,
			       "contradicts an earlier result of the same game (config %016" PRIx64
			       ", seed %" PRIu64 ", game %" PRIu64 ")",
			       player->config, row->seed, row->game);
	if (there) {
		log->duplicates++;
		return STATUS_OK;
	}
	row_index_add(&log->index, hash, log->count);
	log->rows = xgrow(log->rows, log->count, sizeof *log->rows);
	log->rows[log->count] = *row;
	log->rows[log->count++].player = known;
	return STATUS_OK;
}

/* ---- Files. */

/* The text after the config that TEXT begins with, which *CONFIG is set to, or NULL. */
static const char *config_scan(const char *text, uint64_t *config)
{
	char hash[HASH_DIGITS + 1];

	snprintf(hash, sizeof hash, "%s", text);
	return hash_parse(hash, config) ? text + HASH_DIGITS : NULL;
}

/* Adds the training time in the comment TEXT; text of any other form is provenance. */
static void training_add(struct gamelog *log, const char *text)
{
	struct gamelog_training training = {0};
	char seconds[64], *point;
	const char *at = config_scan(text, &training.config);

	if (!at || *at != ' ')
		return;
	snprintf(seconds, sizeof seconds, "%s", at + 1);
	point = strchr(seconds, ' ');
	if (point)
		*point++ = '\0';
	if (rowlog_real_read(seconds, &training.seconds) &&
	    (!point || rowlog_real_read(point, &training.point)))
		gamelog_note_training(log, &training);
}

/* Adds the stopped run in TEXT. Ignoring a malformed line would count too many games. */
static enum status stop_add(struct gamelog *log, const char *text, struct why *why)
{
	enum { NUMBER_MAX = 1000000000 }; /* workers and shares */
	struct gamelog_stop stop;
	uint64_t *const numbers[] = {&stop.seed, &stop.games, &stop.workers, &stop.step};
	const char *at = config_scan(text, &stop.config);

	for (size_t i = 0; at && i < sizeof numbers / sizeof *numbers; i++)
		at = *at == ' ' ? whole_scan(at + 1, numbers[i]) : NULL;
	if (!at || *at || stop.workers > NUMBER_MAX || stop.step > NUMBER_MAX)
		return why_set(why, STATUS_INPUT,
			       "expected CONFIG SEED GAMES WORKERS STEP behind '# stopped:', found "
			       "'%.80s'",
			       text);
	gamelog_note_stop(log, &stop);
	return STATUS_OK;
}

/* The text after the prefix MARK of LINE, or NULL if LINE begins otherwise. */
static const char *marked(const char *line, const char *mark)
{
	return strncmp(line, mark, strlen(mark)) == 0 ? line + strlen(mark) : NULL;
}

/* Adds a `#` line: a label, a command, a training time, a stop, or provenance, which is ignored. */
static enum status comment_add(void *context, const char *line, struct why *why)
{
	struct gamelog *log = context;
	const char *training = marked(line, training_mark), *stop = marked(line, stop_mark),
		   *label = marked(line, player_mark), *command = marked(line, command_mark);
	enum status status = STATUS_OK;

	if (training)
		training_add(log, training);
	if (stop)
		status = stop_add(log, stop, why);
	if (command)
		command_note(log, command);
	if (label && *label) {
		status = text_check("label", label, LABEL_BYTES_MAX, why);
		if (!status)
			gamelog_announce(log, label);
	}
	return status;
}

static enum status game_take(void *context, const void *row, struct why *why)
{
	const struct game_line *game = row;
	return gamelog_add(context, &game->player, &game->row, why);
}

static struct rowlog_reader reader_of(struct gamelog *log, const char *path)
{
	return (struct rowlog_reader){.kind = &gamelog_kind,
				      .path = path,
				      .row = game_take,
				      .comment = comment_add,
				      .context = log};
}

enum status gamelog_read(struct gamelog *log, const char *path, struct why *why)
{
	struct rowlog_reader reader = reader_of(log, path);

	if (access(path, F_OK) != 0 && errno == ENOENT)
		return why_set(why, STATUS_INPUT, "%s: no such game log", path);
	enum status status = rowlog_lines(&reader, why);
	log->torn += !status && reader.torn > 0;
	return status;
}

enum status gamelog_open(struct rowlog_writer *writer, const char *path,
			 const char *const *provenance, struct gamelog *log, struct why *why)
{
	struct rowlog_reader reader = reader_of(log, path);
	enum status status = rowlog_open_with(writer, &reader, provenance, why);
	/* rowlog_open_with() has written the command to a new file. */
	const bool made = log->command_count == 0;
	for (; !status && *provenance; provenance++) {
		const char *command = marked(*provenance, command_mark + 2);
		if (!command || !command_note(log, command) || made)
			continue;
		char *line = xasprintf("%s%s\n", command_mark, command);
		status = append_write(&writer->file, line, strlen(line), why);
		free(line);
	}
	return status;
}

__attribute__((format(printf, 3, 4))) static enum status note_append(
    const struct rowlog_writer *writer, struct why *why, const char *format, ...)
{
	char line[LABEL_BYTES_MAX + 256];
	va_list args;
	va_start(args, format);
	const int length = vsnprintf(line, sizeof line, format, args);
	va_end(args);
	return append_write(&writer->file, line, (size_t)length, why);
}

enum status gamelog_append_player(const struct rowlog_writer *writer, struct gamelog *log,
				  const char *label, struct why *why)
{
	const size_t known = log->label_count;

	enum status status = text_check("label", label, LABEL_BYTES_MAX, why);
	if (status)
		return status;
	gamelog_announce(log, label);
	return log->label_count == known ? STATUS_OK
					 : note_append(writer, why, "%s%s\n", player_mark, label);
}

enum status gamelog_append_training(const struct rowlog_writer *writer,
				    const struct gamelog_training *training, struct why *why)
{
	char point[32] = "";
	if (training->point > 0)
		snprintf(point, sizeof point, " %.10g", training->point);
	return note_append(writer, why, "%s%016" PRIx64 " %.6f%s\n", training_mark,
			   training->config, training->seconds, point);
}

enum status gamelog_append_stop(const struct rowlog_writer *writer, const struct gamelog_stop *stop,
				struct why *why)
{
	return note_append(
	    writer, why, "%s%016" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
	    stop_mark, stop->config, stop->seed, stop->games, stop->workers, stop->step);
}

enum status gamelog_append(struct rowlog_writer *writer, const struct gamelog_player *player,
			   const struct gamelog_row *row, struct why *why)
{
	return rowlog_append(writer, &(struct game_line){*player, *row}, why);
}
