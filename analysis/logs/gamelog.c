/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The game log: its columns, its games in memory, its files.
 *
 * Rows refer to their player, whose text is kept once: a row takes 72 bytes however long an agent's
 * specification is. What gamelog_append() writes, gamelog_read() reads back equal, but for seconds
 * and uncertainty, which keep six decimals.
 */
#include "analysis/logs/gamelog.h"

#include "base/array.h"
#include "base/number.h"
#include "boards/game.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char player_mark[] = "# player: ";
static const char training_mark[] = "# training: ";
static const char stop_mark[] = "# stopped: ";

/* ---- Columns. */

/* A record. Its texts are those of a line, or of a result. */
struct game_line {
	struct gamelog_player player;
	struct gamelog_row row;
};

static int side_of(char digit)
{
	int side = digit - '0';

	return side >= SIDE_MIN && side <= SIDE_MAX ? side : 0;
}

/* The number of cells of a board by its name, "4x4", or 0 if that is no shape. */
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

static bool tile_valid(uint64_t tile)
{
	return tile >= 2 && (tile & (tile - 1)) == 0;
}

static bool tile_read(const char *text, void *member)
{
	return rowlog_number.read(text, member) && tile_valid(*(const uint64_t *)member);
}

/* Seconds, or uncertainty. */
static bool measure_valid(double x)
{
	return isnan(x) || (isfinite(x) && x >= 0);
}

static void measure_print(struct rowlog_line *line, const void *member)
{
	if (isnan(*(const double *)member))
		rowlog_print(line, "NaN");
	else
		rowlog_print(line, "%.6f", fmin(*(const double *)member, 1e12));
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
	if (!player)
		return;
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
	free(log->players);
	free(log->labels);
	free(log->rows);
	free(log->index.slot);
	free(log->trainings);
	free(log->stops);
	gamelog_init(log);
}

static enum status memory(struct why *why)
{
	return why_set(why, STATUS_SYSTEM, "out of memory for the game log");
}

/* The game, or NULL and the hash that is free for it. */
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

bool gamelog_has(const struct gamelog *log, uint64_t config, uint64_t seed, uint64_t game)
{
	return gamelog_find(log, config, seed, game) != NULL;
}

/* The place of LABEL, the next one if it is new; false without memory. */
static bool label_place(struct gamelog *log, const char *label, size_t *place)
{
	size_t i = 0;

	while (i < log->label_count && strcmp(log->labels[i], label) != 0)
		i++;
	if (i == log->label_count) {
		char **labels = array_grow(log->labels, i, &log->label_room, sizeof *labels);
		if (!labels)
			return false;
		log->labels = labels;
		log->labels[i] = strdup(label);
		if (!log->labels[i])
			return false;
		log->label_count++;
	}
	*place = i;
	return true;
}

enum status gamelog_announce(struct gamelog *log, const char *label, struct why *why)
{
	size_t place;

	return label_place(log, label, &place) ? STATUS_OK : memory(why);
}

enum status gamelog_note_training(struct gamelog *log, uint64_t config, double seconds,
				  struct why *why)
{
	struct gamelog_training *trainings =
	    array_grow(log->trainings, log->training_count, &log->training_room, sizeof *trainings);
	if (!trainings)
		return memory(why);
	log->trainings = trainings;
	log->trainings[log->training_count++] = (struct gamelog_training){config, seconds};
	return STATUS_OK;
}

enum status gamelog_note_stop(struct gamelog *log, const struct gamelog_stop *stop, struct why *why)
{
	struct gamelog_stop *stops =
	    array_grow(log->stops, log->stop_count, &log->stop_room, sizeof *stops);
	if (!stops)
		return memory(why);
	log->stops = stops;
	log->stops[log->stop_count++] = *stop;
	return STATUS_OK;
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

static struct gamelog_player *player_copy(struct gamelog *log, const struct gamelog_player *player)
{
	struct gamelog_player *copy = malloc(sizeof *copy);

	if (!copy)
		return NULL;
	*copy = *player;
	copy->number = log->player_count;
	copy->cells = board_size(player->board);
	copy->board = strdup(player->board);
	copy->agent = strdup(player->agent);
	if (!copy->board || !copy->agent || !label_place(log, player->label, &copy->place)) {
		player_free(copy);
		return NULL;
	}
	copy->label = log->labels[copy->place];
	return copy;
}

/* The player of the log with the config of PLAYER, which is added if new; NULL without memory. */
static const struct gamelog_player *player_intern(struct gamelog *log,
						  const struct gamelog_player *player)
{
	for (size_t i = log->player_count; i-- > 0;)
		if (log->players[i]->config == player->config)
			return log->players[i];
	struct gamelog_player **players =
	    array_grow(log->players, log->player_count, &log->player_room, sizeof *players);
	if (!players)
		return NULL;
	log->players = players;
	struct gamelog_player *copy = player_copy(log, player);
	if (copy)
		log->players[log->player_count++] = copy;
	return copy;
}

/* Whether they are one player by all that config stands for and a log tells. */
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
	struct gamelog_row *rows = array_grow(log->rows, log->count, &log->row_room, sizeof *rows);
	uint64_t hash;

	log->rows = rows ? rows : log->rows;
	if (!known || !rows)
		return memory(why);
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
	if (!row_index_add(&log->index, hash, log->count))
		return memory(why);
	log->rows[log->count] = *row;
	log->rows[log->count++].player = known;
	return STATUS_OK;
}

/* Back to COUNT games. */
static void games_drop(struct gamelog *log, size_t count)
{
	uint64_t hash;

	memset(log->index.slot, 0, log->index.room * sizeof *log->index.slot);
	log->index.count = 0;
	for (log->count = 0; log->count < count; log->count++) {
		const struct gamelog_row *row = &log->rows[log->count];
		game_seek(log, row->player->config, row->seed, row->game, &hash);
		/* There is memory for it: the table was larger. */
		(void)!row_index_add(&log->index, hash, log->count);
	}
}

/* ---- Files. */

/* Takes in a line that tells the seconds of training; one that does not is like provenance. */
static enum status training_add(struct gamelog *log, const char *text, struct why *why)
{
	char hash[HASH_DIGITS + 1];
	uint64_t config;
	double seconds;

	snprintf(hash, sizeof hash, "%s", text);
	if (!hash_parse(hash, &config) || text[HASH_DIGITS] != ' ' ||
	    !rowlog_real_read(text + HASH_DIGITS + 1, &seconds))
		return STATUS_OK;
	return gamelog_note_training(log, config, seconds, why);
}

/* The same for a line that tells of a run that was stopped. */
static enum status stop_add(struct gamelog *log, const char *text, struct why *why)
{
	enum { NUMBER_MAX = 1000000000 }; /* workers and shares */
	struct gamelog_stop stop;
	int length = 0;

	sscanf(text, "%16" SCNx64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 "%n",
	       &stop.config, &stop.seed, &stop.games, &stop.workers, &stop.step, &length);
	if (length == 0 || text[length] || stop.workers > NUMBER_MAX || stop.step > NUMBER_MAX)
		return STATUS_OK;
	return gamelog_note_stop(log, &stop, why);
}

/* Takes in a `#` line: an announcement, training, a stop, or provenance, which is for people. */
static enum status comment_add(struct gamelog *log, const char *line, struct why *why)
{
	const size_t mark = strlen(player_mark), training = strlen(training_mark);

	if (strncmp(line, training_mark, training) == 0)
		return training_add(log, line + training, why);
	if (strncmp(line, stop_mark, sizeof stop_mark - 1) == 0)
		return stop_add(log, line + sizeof stop_mark - 1, why);
	if (strncmp(line, player_mark, mark) != 0 || !line[mark])
		return STATUS_OK;
	enum status status = text_check("label", line + mark, LABEL_BYTES_MAX, why);
	return status ? status : gamelog_announce(log, line + mark, why);
}

static enum status line_take(struct rowlog_reader *reader, char *line, struct why *why)
{
	struct game_line game;
	struct why reason;

	enum status status = STATUS_OK;
	if (*line == '#') {
		status = comment_add(reader->context, line, &reason);
	} else if (reader->names) {
		status = rowlog_parse(reader, line, &game, why);
		if (status)
			return status;
		status = gamelog_add(reader->context, &game.player, &game.row, &reason);
	}
	if (status)
		why_set(why, status, "%s:%zu: %s", reader->path, reader->number, reason.text);
	return status;
}

enum status gamelog_read(struct gamelog *log, const char *path, struct why *why)
{
	const size_t count = log->count, duplicates = log->duplicates;
	struct rowlog_reader reader = {
	    .kind = &gamelog_kind, .path = path, .take = line_take, .context = log};

	if (access(path, F_OK) != 0 && errno == ENOENT)
		return why_set(why, STATUS_INPUT, "%s: no such game log", path);
	enum status status = rowlog_lines(&reader, why);
	if (status && log->count > count)
		games_drop(log, count);
	if (status)
		log->duplicates = duplicates;
	else
		log->torn += reader.torn > 0;
	return status;
}

enum status gamelog_open(struct rowlog_writer *writer, const char *path,
			 const char *const *provenance, struct gamelog *log, struct why *why)
{
	struct rowlog_reader reader = {
	    .kind = &gamelog_kind, .path = path, .take = line_take, .context = log};
	return rowlog_open_with(writer, &reader, provenance, why);
}

enum { NOTE_MAX = RESULT_NAME_MAX + RESULT_AGENT_MAX };

enum status gamelog_append_player(const struct rowlog_writer *writer, struct gamelog *log,
				  const char *label, struct why *why)
{
	char line[NOTE_MAX];
	const size_t known = log->label_count;

	const int length = snprintf(line, sizeof line, "%s%s\n", player_mark, label);
	enum status status = text_check("label", label, LABEL_BYTES_MAX, why);
	if (!status)
		status = gamelog_announce(log, label, why);
	if (status != STATUS_OK || log->label_count == known)
		return status;
	return append_write(&writer->file, line, (size_t)length, why);
}

enum status gamelog_append_training(const struct rowlog_writer *writer, uint64_t config,
				    double seconds, struct why *why)
{
	char line[NOTE_MAX];
	const int length =
	    snprintf(line, sizeof line, "%s%016" PRIx64 " %.6f\n", training_mark, config, seconds);
	return append_write(&writer->file, line, (size_t)length, why);
}

enum status gamelog_append_stop(const struct rowlog_writer *writer, const struct gamelog_stop *stop,
				struct why *why)
{
	char line[NOTE_MAX];
	const int length = snprintf(
	    line, sizeof line, "%s%016" PRIx64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
	    stop_mark, stop->config, stop->seed, stop->games, stop->workers, stop->step);
	return append_write(&writer->file, line, (size_t)length, why);
}

enum status gamelog_append(struct rowlog_writer *writer, const struct result *result,
			   struct why *why)
{
	if (!board_size(result->board))
		return why_set(why, STATUS_INPUT, "'%s': no board from 2x2 to 6x6", result->board);
	enum status status = text_check("label", result->label, LABEL_BYTES_MAX, why);
	if (!status)
		status = text_check("agent", result->agent, RESULT_AGENT_MAX, why);
	if (status)
		return status;
	if (!tile_valid(result->max_tile) || !measure_valid(result->seconds) ||
	    !measure_valid(result->uncertainty))
		return why_set(why, STATUS_INPUT,
			       "game %" PRIu64 ": no result with largest tile %" PRIu64
			       " after %g seconds, of uncertainty %g",
			       result->game, result->max_tile, result->seconds,
			       result->uncertainty);
	const struct game_line line = {.player = {.config = result->config,
						  .board = result->board,
						  .label = result->label,
						  .agent = result->agent,
						  .trained = result->trained},
				       .row = {.seed = result->seed,
					       .game = result->game,
					       .score = result->score,
					       .max_tile = result->max_tile,
					       .moves = result->moves,
					       .seconds = result->seconds,
					       .sum = result->sum,
					       .uncertainty = result->uncertainty}};
	return rowlog_append(writer, &line, why);
}
