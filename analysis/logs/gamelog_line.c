/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One line of the game log to and from memory. Parsed by hand: a log of 100,000 games is read in a
 * fraction of a second, and every complaint names its column.
 *
 * What gamelog_format() writes, gamelog_parse() reads back equal, but for seconds and uncertainty, which
 * keep six decimals.
 */
#include "analysis/logs/gamelog_line.h"
#include "boards/game.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum column {
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
	COLUMNS,
	FIELDS_MAX = COLUMNS + 2 /* with sum= and uncertainty= */
};

static const char *const column_name[COLUMNS] = {
    "config", "board", "label",	   "agent", "trained", "seed",
    "game",   "score", "max_tile", "moves", "seconds",
};

const char gamelog_header[] =
    "config\tboard\tlabel\tagent\ttrained\tseed\tgame\tscore\tmax_tile\tmoves\tseconds";

/* config, seed and game; score, largest tile and moves */
const struct parts_kind gamelog_parts = {.stem = "games",
					 .header = gamelog_header,
					 .log = "game log",
					 .key = 1 << 0 | 1 << 5 | 1 << 6,
					 .decision = 1 << 7 | 1 << 8 | 1 << 9};

const char gamelog_player_mark[] = "# player: ";
const char gamelog_training_mark[] = "# training: ";

static int side_of(char digit)
{
	int side = digit - '0';

	return side >= SIDE_MIN && side <= SIDE_MAX ? side : 0;
}

int gamelog_board_size(const char *board)
{
	if (strlen(board) != 3 || board[1] != 'x')
		return 0;
	return side_of(board[0]) * side_of(board[2]);
}

/* Decimal digits only. */
static bool number_parse(const char *text, uint64_t *value)
{
	uint64_t sum = 0;

	if (!*text)
		return false;
	for (; *text; text++) {
		unsigned digit = (unsigned)(*text - '0');
		if (digit > 9 || sum > (UINT64_MAX - digit) / 10)
			return false;
		sum = sum * 10 + digit;
	}
	*value = sum;
	return true;
}

/* Sixteen hexadecimal digits, lower case. */
static bool config_parse(const char *text, uint64_t *value)
{
	uint64_t sum = 0;
	int digits = 0;

	for (; text[digits]; digits++) {
		const char *found = strchr("0123456789abcdef", text[digits]);
		if (!found || digits == 16)
			return false;
		sum = sum << 4 | (uint64_t)(strlen("0123456789abcdef") - strlen(found));
	}
	*value = sum;
	return digits == 16;
}

/* Of seconds, or of uncertainty. */
static bool measure_valid(double x)
{
	return isnan(x) || (isfinite(x) && x >= 0);
}

static bool measure_parse(const char *text, double *value)
{
	char *end;

	if (strcmp(text, "NaN") == 0) {
		*value = NAN;
		return true;
	}
	if (*text < '0' || *text > '9')
		return false;
	*value = strtod(text, &end);
	return *end == '\0' && measure_valid(*value);
}

bool gamelog_text_valid(const char *text)
{
	for (const char *c = text; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			return false;
	return *text != '\0';
}

static bool tile_valid(uint64_t tile)
{
	return tile >= 2 && (tile & (tile - 1)) == 0;
}

/* Cuts LINE at its tabs; the number of columns, of which the first FIELDS_MAX are in FIELD. */
static int line_split(char *line, char *field[FIELDS_MAX])
{
	int count = 0;

	for (char *next; line; line = next) {
		next = strchr(line, '\t');
		if (next)
			*next++ = '\0';
		if (count < FIELDS_MAX)
			field[count] = line;
		count++;
	}
	return count;
}

/* Stores a column where it belongs; what it should have been if it is wrong, or NULL. */
static const char *column_parse(enum column column, char *text, struct gamelog_player *player,
				struct gamelog_row *row)
{
	static const char whole[] = "a whole number";

	switch (column) {
	case CONFIG:
		return config_parse(text, &player->config) ? NULL : "16 hexadecimal digits";
	case BOARD:
		player->board = text;
		return gamelog_board_size(text) ? NULL : "a board from 2x2 to 6x6";
	case LABEL:
		player->label = text;
		return gamelog_text_valid(text) ? NULL : "text";
	case AGENT:
		player->agent = text;
		return gamelog_text_valid(text) ? NULL : "text";
	case TRAINED:
		return number_parse(text, &player->trained) ? NULL : whole;
	case SEED:
		return number_parse(text, &row->seed) ? NULL : whole;
	case GAME:
		return number_parse(text, &row->game) ? NULL : whole;
	case SCORE:
		return number_parse(text, &row->score) ? NULL : whole;
	case MAX_TILE:
		return number_parse(text, &row->max_tile) && tile_valid(row->max_tile)
			   ? NULL
			   : "a power of two";
	case MOVES:
		return number_parse(text, &row->moves) ? NULL : whole;
	case SECONDS:
		return measure_parse(text, &row->seconds) ? NULL : "seconds or NaN";
	case COLUMNS:
	case FIELDS_MAX:
		break;
	}
	return NULL;
}

/* Stores "sum=NUMBER" or "uncertainty=NUMBER", which there may be once; false if TEXT is neither. */
static bool extra_parse(const char *text, struct gamelog_row *row)
{
	if (strncmp(text, "sum=", 4) == 0)
		return row->sum == 0 && number_parse(text + 4, &row->sum) && row->sum > 0;
	return strncmp(text, "doubt=", 6) == 0 && isnan(row->uncertainty) &&
	       measure_parse(text + 6, &row->uncertainty) && !isnan(row->uncertainty);
}

enum status gamelog_parse(char *line, const char *path, size_t number,
			  struct gamelog_player *player, struct gamelog_row *row, struct why *why)
{
	char *field[FIELDS_MAX];
	int count = line_split(line, field);

	if (count < COLUMNS || count > FIELDS_MAX)
		return why_set(why, STATUS_INPUT, "%s:%zu: %d columns, a game has %d", path, number,
			       count, COLUMNS);
	for (enum column c = 0; c < COLUMNS; c++) {
		const char *wanted = column_parse(c, field[c], player, row);
		if (wanted)
			return why_set(why, STATUS_INPUT, "%s:%zu: %s is '%.40s', not %s", path,
				       number, column_name[c], field[c], wanted);
	}
	row->sum = 0;
	row->uncertainty = NAN;
	for (int i = COLUMNS; i < count; i++)
		if (!extra_parse(field[i], row))
			return why_set(why, STATUS_INPUT,
				       "%s:%zu: '%.40s' behind seconds is not sum=NUMBER, nor "
				       "doubt=NUMBER, once each",
				       path, number, field[i]);
	return STATUS_OK;
}

/* The fields of RESULT behind its columns, each after a tab. */
static void extras_format(const struct result *result, char extras[64])
{
	int length = 0;

	extras[0] = '\0';
	if (result->sum > 0)
		length = snprintf(extras, 64, "\tsum=%" PRIu64, result->sum);
	if (!isnan(result->uncertainty))
		snprintf(extras + length, (size_t)(64 - length), "\tdoubt=%.6f",
			 fmin(result->uncertainty, 1e12));
}

enum status gamelog_format(const struct result *result, char line[GAMELOG_LINE_MAX], size_t *length,
			   struct why *why)
{
	char seconds[64] = "NaN", extras[64];

	if (!gamelog_board_size(result->board))
		return why_set(why, STATUS_INPUT, "'%s': no board from 2x2 to 6x6", result->board);
	if (!gamelog_text_valid(result->label) || !gamelog_text_valid(result->agent))
		return why_set(why, STATUS_INPUT,
			       "label '%s', agent '%s': a game log holds neither empty text nor "
			       "control characters",
			       result->label, result->agent);
	if (!tile_valid(result->max_tile) || !measure_valid(result->seconds) ||
	    !measure_valid(result->uncertainty))
		return why_set(why, STATUS_INPUT,
			       "game %" PRIu64 ": no result with largest tile %" PRIu64
			       " after %g seconds, in doubt %g",
			       result->game, result->max_tile, result->seconds,
			       result->uncertainty);
	if (!isnan(result->seconds))
		snprintf(seconds, sizeof seconds, "%.6f", fmin(result->seconds, 1e12));
	extras_format(result, extras);
	*length = (size_t)snprintf(line, GAMELOG_LINE_MAX,
				   "%016" PRIx64 "\t%s\t%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
				   "\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64 "\t%s%s\n",
				   result->config, result->board, result->label, result->agent,
				   result->trained, result->seed, result->game, result->score,
				   result->max_tile, result->moves, seconds, extras);
	return STATUS_OK;
}

enum status gamelog_check_header(const char *line, bool torn, const char *path, size_t number,
				 struct why *why)
{
	if (torn ? strncmp(line, gamelog_header, strlen(line)) == 0
		 : strcmp(line, gamelog_header) == 0)
		return STATUS_OK;
	return why_set(why, STATUS_INPUT,
		       "%s:%zu: not a game log: expected the column names config board label ... "
		       "seconds, found '%.40s'",
		       path, number, line);
}
