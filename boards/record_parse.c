/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads a line of a record file, trusting nothing: columns one by one, then the game is replayed
 * with the kernels that players use. What is accepted is a game that could have been played.
 */
#include "boards/record_line.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum column {
	BOARD,
	SPAWN,
	PLAYER,
	CONFIG,
	SEED,
	GAME,
	START,
	SCORE,
	MAX_TILE,
	END,
	MOVES,
	COLUMNS
};

static const char *const direction_names[] = {"up", "right", "down", "left"};

/* Cuts TEXT at its tabs; STATUS_INPUT if it has control characters or another number of columns. */
static enum status line_split(char *text, char *field[COLUMNS], struct why *why)
{
	int count = 0;
	size_t at = 0, length = strlen(text);
	if (length > 0 && text[length - 1] == '\r')
		return why_set(why, STATUS_INPUT,
			       "ends with a carriage return, expected a newline alone");
	field[count++] = text;
	for (; text[at]; at++) {
		if (text[at] == '\t') {
			text[at] = '\0';
			if (count < COLUMNS)
				field[count] = text + at + 1;
			count++;
		} else if ((unsigned char)text[at] < ' ' || text[at] == '\x7f') {
			return why_set(why, STATUS_INPUT, "character %zu is a control character",
				       at + 1);
		}
	}
	if (count != COLUMNS)
		return why_set(why, STATUS_INPUT, "%d columns, a recorded game has %d", count,
			       COLUMNS);
	return STATUS_OK;
}

/* A whole number without leading zeros. */
static bool number_parse(const char *text, uint64_t *number)
{
	size_t length = strlen(text);
	if (length == 0 || strspn(text, "0123456789") != length || (text[0] == '0' && length > 1))
		return false;
	errno = 0;
	*number = strtoull(text, NULL, 10);
	return errno == 0;
}

static bool optional_parse(const char *text, struct record_number *number)
{
	number->known = strcmp(text, "-") != 0;
	number->number = 0;
	return !number->known || number_parse(text, &number->number);
}

static bool config_parse(const char *text, struct record_number *config)
{
	config->known = strcmp(text, "-") != 0;
	config->number = 0;
	if (!config->known)
		return true;
	if (strlen(text) != 16 || strspn(text, "0123456789abcdef") != 16)
		return false;
	config->number = strtoull(text, NULL, 16);
	return true;
}

/* Makes the game of a line, unless that of the line before is the same. */
static enum status game_parse(struct record_parser *parser, const char *shape, const char *spawn,
			      struct why *why)
{
	if (parser->shape[0] && strcmp(parser->shape, shape) == 0 &&
	    strcmp(parser->spawn, spawn) == 0)
		return STATUS_OK;
	struct game game;
	struct game_options options = {.shape = shape, .spawn = spawn};
	enum status status = game_init(&game, &options, why);
	if (status)
		return status;
	parser->game = game;
	parser->shape[0] = '\0';
	if (strlen(spawn) < sizeof parser->spawn) {
		strcpy(parser->spawn, spawn);
		strcpy(parser->shape, game.name);
	}
	return STATUS_OK;
}

/* What is known of a game without replaying it. */
static enum status fields_parse(struct record_parser *parser, char *field[COLUMNS],
				struct record_line *line, struct why *why)
{
	static const char *const names[COLUMNS] = {
	    [CONFIG] = "config", [SEED] = "seed", [GAME] = "game", [SCORE] = "score"};
	enum status status = game_parse(parser, field[BOARD], field[SPAWN], why);
	if (status)
		return status;
	line->game = &parser->game;
	line->player = field[PLAYER];
	size_t length = strlen(line->player);
	if (length == 0 || length >= RECORD_PLAYER_MAX)
		return why_set(why, STATUS_INPUT, "player: %zu bytes, expected 1 to %d", length,
			       RECORD_PLAYER_MAX - 1);
	enum column wrong = COLUMNS;
	if (!config_parse(field[CONFIG], &line->config))
		return why_set(why, STATUS_INPUT, "config '%.40s': expected 16 digits 0-9a-f, or -",
			       field[CONFIG]);
	if (!optional_parse(field[SEED], &line->seed))
		wrong = SEED;
	else if (!optional_parse(field[GAME], &line->index))
		wrong = GAME;
	else if (!number_parse(field[SCORE], &line->record.score))
		wrong = SCORE;
	if (wrong != COLUMNS)
		return why_set(why, STATUS_INPUT, "%s '%.40s': expected a whole number%s",
			       names[wrong], field[wrong], wrong == SCORE ? "" : ", or -");
	line->record.finished = strcmp(field[END], "over") == 0;
	if (!line->record.finished && strcmp(field[END], "unfinished") != 0)
		return why_set(why, STATUS_INPUT, "end '%.40s': expected over or unfinished",
			       field[END]);
	return STATUS_OK;
}

/* board_read() whose reason names the field. */
static enum status start_parse(const struct game *game, const char *text, struct board *start,
			       struct why *why)
{
	struct why reason;
	enum status status = board_read(game, text, start, &reason);
	if (!status)
		return STATUS_OK;
	return why_set(why, status, "start: %s", reason.text);
}

/* The value of a digit of base 36; 36 if it is none. */
static int digit_value(char digit)
{
	if (digit >= '0' && digit <= '9')
		return digit - '0';
	return digit >= 'a' && digit <= 'z' ? digit - 'a' + 10 : 36;
}

/* Reads the three characters at TEXT; false if they are no move on this board. */
static bool move_parse(const struct game *game, const char *text, struct record_move *move)
{
	const char *letter = text[0] ? strchr("URDL", text[0]) : NULL;
	int cell = text[0] && text[1] ? digit_value(text[1]) : 36;
	int exponent = cell < game->cells ? digit_value(text[2]) : 36;
	if (!letter || cell >= game->cells || exponent == 36)
		return false;
	move->direction = (uint8_t)(letter - "URDL");
	move->place = (uint8_t)(cell / game->cols * ROW_BYTES + cell % game->cols);
	move->exponent = (uint8_t)exponent;
	return true;
}

static bool spawns(const struct game *game, int exponent)
{
	for (int i = 0; i < game->spawn.kinds; i++)
		if (game->spawn.exponent[i] == exponent)
			return true;
	return false;
}

/* A game while it is replayed. */
struct replay {
	const struct game *game;
	struct board board;
	struct moves moves; /* of the board */
	uint64_t score;
	bool open; /* a spawn is not known: the game ends there */
};

/* Makes a move, number I of COUNT, TEXT in the file. */
static enum status move_replay(struct replay *replay, const struct record_move *move, size_t i,
			       size_t count, bool finished, struct why *why)
{
	if (!(replay->moves.legal >> move->direction & 1))
		return why_set(why, STATUS_INPUT, "move %zu: %s is not legal", i + 1,
			       direction_names[move->direction]);
	replay->board = replay->moves.after[move->direction];
	replay->score += replay->moves.reward[move->direction];
	replay->open = move->exponent == 0;
	if (replay->open && (i + 1 < count || finished || move->place != 0))
		return why_set(why, STATUS_INPUT,
			       "move %zu: no tile appears, which only the last move of an "
			       "unfinished game may say, as 00",
			       i + 1);
	if (replay->open)
		return STATUS_OK;
	if (!spawns(replay->game, move->exponent))
		return why_set(why, STATUS_INPUT, "move %zu: the spawn rule has no tile 2^%d",
			       i + 1, move->exponent);
	uint8_t *cell = board_at(&replay->board, move->place);
	if (*cell)
		return why_set(why, STATUS_INPUT,
			       "move %zu: a tile appears in row %d, column %d, which is occupied",
			       i + 1, move->place / ROW_BYTES + 1, move->place % ROW_BYTES + 1);
	*cell = move->exponent;
	return STATUS_OK;
}

/* Whether score, largest tile and end of RECORD are what the replay came to. */
static enum status end_check(const struct replay *replay, const char *max_tile,
			     struct record *record, struct why *why)
{
	record->max_exponent = board_max(&replay->board);
	uint64_t tile = record->max_exponent ? UINT64_C(1) << record->max_exponent : 0, told;
	if (record->score != replay->score)
		return why_set(why, STATUS_INPUT, "score %" PRIu64 ", but the moves make %" PRIu64,
			       record->score, replay->score);
	if (!number_parse(max_tile, &told) || told != tile)
		return why_set(why, STATUS_INPUT,
			       "max_tile '%.40s', but the game ends with %" PRIu64, max_tile, tile);
	if (!replay->open && record->finished != (replay->moves.legal == 0))
		return why_set(why, STATUS_INPUT, "end '%s', but after the last move %s",
			       record->finished ? "over" : "unfinished",
			       record->finished ? "another is legal" : "none is legal");
	return STATUS_OK;
}

/* Reads the moves at TEXT into the parser and replays them. */
static enum status moves_parse(struct record_parser *parser, const char *text, const char *max_tile,
			       struct record *record, struct why *why)
{
	struct replay replay = {.game = &parser->game, .board = record->start};
	size_t length = strcmp(text, "-") == 0 ? 0 : strlen(text), count = length / 3;
	if (*text == '\0' || length % 3)
		return why_set(why, STATUS_INPUT,
			       "moves: %zu characters, expected three a move, or -", length);
	if (count > parser->room) {
		struct record_move *grown = reallocarray(parser->move, count, sizeof *grown);
		if (!grown)
			return why_errno(why, "a game of %zu moves", count);
		parser->move = grown;
		parser->room = count;
	}
	replay.game->moves(&replay.board, &replay.moves);
	for (size_t i = 0; i < count; i++) {
		struct record_move *move = &parser->move[i];
		if (!move_parse(replay.game, text + 3 * i, move))
			return why_set(
			    why, STATUS_INPUT,
			    "move %zu: '%.3s' is not one of URDL, a cell 0 to %c and a "
			    "tile's exponent in base 36",
			    i + 1, text + 3 * i,
			    "0123456789abcdefghijklmnopqrstuvwxyz"[replay.game->cells - 1]);
		enum status status = move_replay(&replay, move, i, count, record->finished, why);
		if (status)
			return status;
		replay.game->moves(&replay.board, &replay.moves);
	}
	record->moves = count;
	record->move = parser->move;
	return end_check(&replay, max_tile, record, why);
}

enum status record_parse(struct record_parser *parser, char *text, struct record_line *parsed,
			 struct why *why)
{
	char *field[COLUMNS];
	struct record_line line = {0};
	enum status status = line_split(text, field, why);
	if (!status)
		status = fields_parse(parser, field, &line, why);
	if (!status)
		status = start_parse(line.game, field[START], &line.record.start, why);
	if (!status)
		status = moves_parse(parser, field[MOVES], field[MAX_TILE], &line.record, why);
	if (!status)
		*parsed = line;
	return status;
}

void record_parser_fini(struct record_parser *parser)
{
	free(parser->move);
	*parser = (struct record_parser){0};
}
