/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Record files: formatting and parsing lines, reading and appending to files; see record.h.
 *
 * Every game has one spelling, except for its spawn rule. The reader trusts nothing: it checks
 * column by column, then replays the game with the kernels that players use. A last line without a
 * newline may end anywhere, and counts only if its game is over. The writer follows base/append.h
 * and leaves a file unchanged that does not begin like a record file or has a zero byte.
 */
#include "boards/record.h"

#include "base/append.h"
#include "base/file.h"
#include "base/array.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";

/* The first line of a record file, without its newline. */
static const char record_format_line[] = "# nxn record 1";

/* STATUS_INPUT if a line cannot hold NAME as its player. */
static enum status player_check(const char *name, struct why *why)
{
	return text_check("player", name, RECORD_PLAYER_MAX - 1, why);
}

static void number_put(FILE *out, const struct record_number *number, bool hex)
{
	if (!number->known)
		fputs("-\t", out);
	else if (hex)
		fprintf(out, "%016" PRIx64 "\t", number->number);
	else
		fprintf(out, "%" PRIu64 "\t", number->number);
}

static void moves_put(FILE *out, const struct game *game, const struct record *record)
{
	for (size_t i = 0; i < record->moves; i++) {
		const struct record_move *move = &record->move[i];
		int r = move->place / ROW_BYTES, c = move->place % ROW_BYTES;
		putc(direction_letters[move->direction], out);
		putc(digits[r * game->cols + c], out);
		putc(digits[move->exponent], out);
	}
	if (record->moves == 0)
		putc('-', out);
}

static void line_put(FILE *out, const struct record_line *line)
{
	const struct record *record = &line->record;
	char start[BOARD_TEXT_MAX];
	board_format(line->game, &record->start, start);
	fprintf(out, "%s\t%s\t%s\t", line->game->name, line->game->spawn.text, line->player);
	number_put(out, &line->config, true);
	number_put(out, &line->seed, false);
	number_put(out, &line->index, false);
	fprintf(out, "%s\t%" PRIu64 "\t%" PRIu64 "\t%s\t", start, record->score,
		record->max_exponent ? UINT64_C(1) << record->max_exponent : 0,
		record->finished ? "over" : "unfinished");
	moves_put(out, line->game, record);
	putc('\n', out);
}

/*
 * Formats the line of a game, with its newline, as *TEXT on the heap with *LENGTH bytes.
 * STATUS_INPUT if a line cannot hold the player's name; STATUS_SYSTEM if memory runs out.
 */
static enum status record_format(const struct record_line *line, char **text, size_t *length,
				 struct why *why)
{
	enum status status = player_check(line->player, why);
	if (status)
		return status;
	char *made = NULL;
	FILE *out = stream_open(&made, length);
	if (!out)
		return why_errno(why, "a game of %zu moves", line->record.moves);
	line_put(out, line);
	if (fclose(out) != 0) {
		free(made);
		return why_errno(why, "a game of %zu moves", line->record.moves);
	}
	*text = made;
	return STATUS_OK;
}

/* The game of the previous line and memory for moves. Zeroed before the first line. */
struct record_parser {
	struct game game;
	struct record_move *move;
	size_t room;
};

/* clang-format off */
enum column {
	BOARD, SPAWN, PLAYER, CONFIG, SEED, GAME, START, SCORE, MAX_TILE, END, MOVES, COLUMNS
};
/* clang-format on */

/* Splits TEXT at its tabs. STATUS_INPUT if the number of columns is not COLUMNS. */
static enum status line_split(char *text, char *field[COLUMNS], struct why *why)
{
	int count = 0;
	size_t at = 0;
	field[count++] = text;
	for (; text[at]; at++)
		if (text[at] == '\t') {
			text[at] = '\0';
			if (count < COLUMNS)
				field[count] = text + at + 1;
			count++;
		}
	if (count != COLUMNS)
		return why_set(why, STATUS_INPUT, "%d columns, a recorded game has %d", count,
			       COLUMNS);
	return STATUS_OK;
}

/* Parses a whole number without leading zeros, or if HEX 16 digits; `-`: not known. */
static bool number_parse(const char *text, bool hex, struct record_number *number)
{
	*number = (struct record_number){.known = strcmp(text, "-") != 0};
	if (!number->known)
		return true;
	if (hex)
		return hash_parse(text, &number->number);
	return (text[0] != '0' || !text[1]) && whole_parse(text, &number->number);
}

/* Creates the game of a line, unless the previous line has the same shape and spawn rule. */
static enum status game_parse(struct record_parser *parser, const char *shape, const char *spawn,
			      struct why *why)
{
	const struct game_options options = {.shape = shape, .spawn = spawn};
	const bool same = parser->game.rows && strcmp(parser->game.name, shape) == 0 &&
			  strcmp(parser->game.spawn.text, spawn) == 0;
	return same ? STATUS_OK : game_init(&parser->game, &options, why);
}

/* Parses the columns that do not depend on the replay. */
static enum status fields_parse(struct record_parser *parser, char *field[COLUMNS],
				struct record_line *line, struct why *why)
{
	static const char *const names[COLUMNS] = {
	    [SEED] = "seed", [GAME] = "game", [SCORE] = "score"};
	enum status status = game_parse(parser, field[BOARD], field[SPAWN], why);
	if (status)
		return status;
	line->game = &parser->game;
	line->player = field[PLAYER];
	status = player_check(line->player, why);
	if (status)
		return status;
	enum column wrong = COLUMNS;
	struct record_number score;
	if (!number_parse(field[CONFIG], true, &line->config))
		return why_set(why, STATUS_INPUT, "config '%.40s': expected 16 digits 0-9a-f, or -",
			       field[CONFIG]);
	if (!number_parse(field[SEED], false, &line->seed))
		wrong = SEED;
	else if (!number_parse(field[GAME], false, &line->index))
		wrong = GAME;
	else if (!number_parse(field[SCORE], false, &score) || !score.known)
		wrong = SCORE;
	if (wrong != COLUMNS)
		return why_set(why, STATUS_INPUT, "%s '%.40s': expected a whole number%s",
			       names[wrong], field[wrong], wrong == SCORE ? "" : ", or -");
	line->record.score = score.number;
	line->record.finished = strcmp(field[END], "over") == 0;
	if (!line->record.finished && strcmp(field[END], "unfinished") != 0)
		return why_set(why, STATUS_INPUT, "end '%.40s': expected over or unfinished",
			       field[END]);
	return STATUS_OK;
}

/* The value of a base-36 digit; 36 for any other character. */
static int digit_value(char digit)
{
	return (int)(strchrnul(digits, digit) - digits);
}

/* Parses the three characters at TEXT; false if they are not a move on this board. */
static bool move_parse(const struct game *game, const char *text, struct record_move *move)
{
	const int direction = direction_of_letter(text[0]);
	int cell = text[0] && text[1] ? digit_value(text[1]) : 36;
	int exponent = cell < game->cells ? digit_value(text[2]) : 36;
	if (direction == DIRECTIONS || cell >= game->cells || exponent == 36)
		return false;
	move->direction = (uint8_t)direction;
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

enum status move_replay(struct replay *replay, const struct record_move *move, size_t i,
			size_t count, bool finished, struct why *why)
{
	if (!(replay->moves.legal >> move->direction & 1))
		return why_set(why, STATUS_INPUT, "move %zu: %s is not legal", i + 1,
			       direction_names[move->direction]);
	replay->board = replay->moves.after[move->direction];
	replay->score += replay->moves.reward[move->direction];
	replay->no_spawn = move->exponent == 0;
	if (replay->no_spawn && (i + 1 < count || finished || move->place != 0))
		return why_set(why, STATUS_INPUT,
			       "move %zu: no tile appears, which only the last move of an "
			       "unfinished game may say, as 00",
			       i + 1);
	if (replay->no_spawn)
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

/* STATUS_INPUT if score, MAX_TILE or end of RECORD differ from the replay. Sets max_exponent. */
static enum status end_check(const struct replay *replay, const char *max_tile,
			     struct record *record, struct why *why)
{
	record->max_exponent = board_max(&replay->board);
	const uint64_t tile = record->max_exponent ? UINT64_C(1) << record->max_exponent : 0;
	struct record_number parsed;
	if (record->score != replay->score)
		return why_set(why, STATUS_INPUT, "score %" PRIu64 ", but the moves make %" PRIu64,
			       record->score, replay->score);
	if (!number_parse(max_tile, false, &parsed) || !parsed.known || parsed.number != tile)
		return why_set(why, STATUS_INPUT,
			       "max_tile '%.40s', but the game ends with %" PRIu64, max_tile, tile);
	if (!replay->no_spawn && record->finished != (replay->moves.legal == 0))
		return why_set(why, STATUS_INPUT, "end '%s', but after the last move %s",
			       record->finished ? "over" : "unfinished",
			       record->finished ? "another is legal" : "none is legal");
	return STATUS_OK;
}

/* Parses the moves at TEXT into PARSER and RECORD, and replays them. */
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
			return why_set(why, STATUS_INPUT,
				       "move %zu: '%.3s' is not one of URDL, a cell 0 to %c and a "
				       "tile's exponent in base 36",
				       i + 1, text + 3 * i, digits[replay.game->cells - 1]);
		enum status status = move_replay(&replay, move, i, count, record->finished, why);
		if (status)
			return status;
		replay.game->moves(&replay.board, &replay.moves);
	}
	record->moves = count;
	record->move = parser->move;
	return end_check(&replay, max_tile, record, why);
}

/*
 * Parses TEXT, the line of a game without its newline, and modifies TEXT. PARSED points into TEXT
 * and PARSER. STATUS_INPUT with the reason and the number of a wrong move; STATUS_SYSTEM if memory
 * runs out.
 */
static enum status record_parse(struct record_parser *parser, char *text,
				struct record_line *parsed, struct why *why)
{
	char *field[COLUMNS];
	struct record_line line = {0};
	struct why reason;
	enum status status = line_split(text, field, why);
	if (!status)
		status = fields_parse(parser, field, &line, why);
	if (status)
		return status;
	status = board_read(line.game, field[START], &line.record.start, &reason);
	if (status)
		why_set(why, status, "start: %s", reason.text);
	else
		status = moves_parse(parser, field[MOVES], field[MAX_TILE], &line.record, why);
	if (!status)
		*parsed = line;
	return status;
}

struct record_reader {
	struct lines lines;
	char *path;
	bool torn;
	struct record_parser parser;
	struct record_line line;
};

static enum status format_check(struct record_reader *reader, struct why *why)
{
	enum status status = STATUS_OK;
	const bool found = lines_next(&reader->lines, &status, why);
	if (status || (found && strcmp(reader->lines.text, record_format_line) == 0))
		return status;
	return why_set(why, STATUS_INPUT,
		       "%s:1: no games that this nxn can read: expected '%s', found '%.40s'",
		       reader->path, record_format_line, found ? reader->lines.text : "");
}

enum status record_reader_open(const char *path, struct record_reader **reader, struct why *why)
{
	FILE *file;
	enum status status = input_open(path, &file, why);
	if (status && errno == ENOENT)
		return why_set(why, STATUS_INPUT, "%s: no such record file", path);
	if (status)
		return status;
	struct record_reader *made = calloc(1, sizeof *made);
	char *name = strdup(path);
	if (!made || !name) {
		free(made);
		free(name);
		fclose(file);
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", path);
	}
	made->path = name;
	lines_start(&made->lines, file, name);
	status = format_check(made, why);
	if (status)
		record_reader_close(made);
	else
		*reader = made;
	return status;
}

enum status record_reader_next(struct record_reader *reader, const struct record_line **line,
			       struct why *why)
{
	struct why reason;
	enum status status = STATUS_OK;
	*line = NULL;
	do {
		if (!lines_next(&reader->lines, &status, why))
			return status;
	} while (reader->lines.text[0] == '#');
	status = record_parse(&reader->parser, reader->lines.text, &reader->line, &reason);
	if (!reader->lines.ended && status != STATUS_SYSTEM)
		reader->torn = status || !reader->line.record.finished;
	if (reader->torn)
		return STATUS_OK;
	if (status)
		return why_set(why, status, "%s:%zu: %s", reader->path, reader->lines.number,
			       reason.text);
	reader->line.number = reader->lines.number;
	*line = &reader->line;
	return STATUS_OK;
}

bool record_reader_close(struct record_reader *reader)
{
	const bool torn = reader->torn;
	lines_close(&reader->lines);
	free(reader->path);
	free(reader->parser.move);
	free(reader);
	return torn;
}

/* Appends a copy of RECORD. *ROOM is the number of games that fit into the array. */
static enum status records_add(struct records *records, size_t *room, const struct record *record,
			       struct why *why)
{
	struct record *grown = array_grow(records->game, records->games, room, sizeof *grown);
	if (!grown)
		return why_errno(why, "%zu recorded games", records->games);
	records->game = grown;
	struct record *copy = &records->game[records->games];
	size_t bytes = record->moves * sizeof *record->move;
	void *move = malloc(bytes ? bytes : 1);
	if (!move)
		return why_errno(why, "a game of %zu moves", record->moves);
	if (bytes)
		memcpy(move, record->move, bytes);
	*copy = *record;
	copy->move = move;
	records->games++;
	return STATUS_OK;
}

/* Adds the games of READER that fit GAME. Checks all games and counts them in *SEEN. */
static enum status records_collect(struct record_reader *reader, const struct game *game,
				   struct records *records, size_t *seen, struct why *why)
{
	size_t room = 0;
	for (;;) {
		const struct record_line *line;
		enum status status = record_reader_next(reader, &line, why);
		if (status || !line)
			return status;
		++*seen;
		const struct game *its = line->game; /* the probabilities may differ */
		if (its->rows == game->rows && its->cols == game->cols &&
		    its->spawn.kinds == game->spawn.kinds &&
		    memcmp(its->spawn.exponent, game->spawn.exponent, (size_t)its->spawn.kinds) ==
			0)
			status = records_add(records, &room, &line->record, why);
		if (status)
			return status;
	}
}

enum status records_read(const char *path, const struct game *game, struct records *records,
			 struct why *why)
{
	struct record_reader *reader;
	struct records read = {0};
	size_t seen = 0;
	enum status status = record_reader_open(path, &reader, why);
	if (status)
		return status;
	status = records_collect(reader, game, &read, &seen, why);
	read.torn = record_reader_close(reader);
	if (!status && read.games == 0)
		status = why_set(why, STATUS_INPUT,
				 "%s: none of its %zu games is on %s with the tiles of %s", path,
				 seen, game->name, game->spawn.text);
	if (status)
		records_free(&read);
	else
		*records = read;
	return status;
}

void records_free(struct records *records)
{
	for (size_t i = 0; i < records->games; i++)
		free((void *)records->game[i].move);
	free(records->game);
	*records = (struct records){0};
}

/* The comment that names the columns. */
static const char columns_line[] =
    "# board spawn player config seed game start score max_tile end moves";

/* The parts of an existing file. */
struct extent {
	bool begun;	    /* the first line is complete */
	size_t whole, torn; /* bytes to keep, and bytes of an incomplete last line */
	bool no_newline;    /* the last line to keep lacks its newline */
};

/* Whether TEXT is the line of a finished game. Modifies TEXT. */
static bool is_over(char *text)
{
	struct record_parser parser = {.move = NULL};
	struct record_line line;
	const bool over =
	    record_parse(&parser, text, &line, NULL) == STATUS_OK && line.record.finished;
	free(parser.move);
	return over;
}

/* Measures the file PATH. STATUS_INPUT if PATH does not begin like a record file. */
static enum status extent_find(const char *path, struct extent *extent, struct why *why)
{
	struct lines lines;
	*extent = (struct extent){0};
	enum status status = lines_open(&lines, path, why);
	if (status)
		return status;
	for (bool ours = true; ours && lines_next(&lines, &status, why);) {
		const size_t length = lines.ended ? sizeof record_format_line : lines.length;
		if (lines.number == 1)
			ours = strncmp(lines.text, record_format_line, length) == 0;
		if (!ours)
			status = why_set(why, STATUS_INPUT,
					 "%s: not a record file: expected '%s' in its first line",
					 path, record_format_line);
	}
	extent->begun = lines.whole > 0;
	extent->no_newline = extent->begun && lines.torn && is_over(lines.text);
	extent->whole = lines.whole + (extent->no_newline ? lines.torn : 0);
	extent->torn = extent->no_newline ? 0 : lines.torn;
	lines_close(&lines);
	return status;
}

static enum status take_over(struct append_file *to, const char *const *provenance, struct why *why)
{
	struct extent extent;
	enum status status = extent_find(to->path, &extent, why);
	if (!status)
		status = append_truncate(to, (off_t)extent.whole, (off_t)extent.torn, why);
	if (!status && extent.no_newline)
		status = append_write(to, "\n", 1, why);
	if (status || extent.begun)
		return status;
	return append_header(to, record_format_line, provenance, columns_line, why);
}

enum status record_writer_open(struct record_writer *writer, const char *path, const char *player,
			       const char *const *provenance, struct why *why)
{
	struct record_writer w = {0};
	enum status status = player_check(player, why);
	if (!status)
		status = append_open(&w.file, path, 0, "file", why);
	if (status)
		return status;
	status = take_over(&w.file, provenance, why);
	if (status == STATUS_OK)
		*writer = w;
	else
		close(w.file.fd);
	return status;
}

enum status record_writer_append(struct record_writer *writer, const struct record_line *line,
				 struct why *why)
{
	char *text = NULL;
	size_t length;
	enum status status = record_format(line, &text, &length, why);
	if (status)
		return status;
	if (writer->broken)
		status = why_set(why, STATUS_SYSTEM, "%s: an earlier line could not be written",
				 writer->file.path);
	else
		status = append_write(&writer->file, text, length, why);
	writer->broken = status != STATUS_OK;
	free(text);
	return status;
}
