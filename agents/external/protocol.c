/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests and answers of docs/conformance.md; see protocol.h.
 *
 * Reading is strict: an answer begins with the word of its request, has as many fields as it
 * should, and numbers are digits. Check value: what protocol_moves_format() writes,
 * protocol_moves() reads.
 */
#include "agents/external/protocol.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static const char letters[] = "URDL";

/* What is wrong with ANSWER to LINE. */
__attribute__((format(printf, 4, 5))) static enum status answer_refuse(
    const struct program *program, const char *line, struct why *why, const char *format, ...)
{
	char wrong[512];
	va_list args;
	va_start(args, format);
	vsnprintf(wrong, sizeof wrong, format, args);
	va_end(args);
	return why_set(why, STATUS_SYSTEM, "%s: asked '%.80s', %s", program_name(program), line,
		       wrong);
}

/* Asks LINE; REST gets what follows the word, which must begin the answer, and a blank. */
static enum status word_ask(struct program *program, const char *line, const char *word,
			    char answer[PROGRAM_LINE_MAX], char **rest, struct why *why)
{
	enum status status = program_ask(program, line, answer, why);
	if (status)
		return status;
	const size_t length = strlen(word);
	if (strncmp(answer, word, length) != 0 || (answer[length] && answer[length] != ' '))
		return answer_refuse(program, line, why, "it answers '%.80s': expected '%s ...'",
				     answer, word);
	*rest = answer + length + strspn(answer + length, " ");
	return STATUS_OK;
}

/* A list of shapes, as in 3x3,4x4. */
static bool shapes_read(const char *list, struct ability *ability)
{
	ability->some = true;
	for (;; list += 4) {
		const int rows = list[0] - '0',
			  cols = list[0] && list[1] == 'x' ? list[2] - '0' : 0;
		if (rows < SIDE_MIN || rows > SIDE_MAX || cols < SIDE_MIN || cols > SIDE_MAX)
			return false;
		ability->board[rows][cols] = true;
		if (list[3] != ',')
			return list[3] == '\0';
	}
}

/* Digits alone, and no more than fit. */
static bool number_read(const char *text, uint64_t *number)
{
	const size_t digits = strspn(text, "0123456789");
	*number = strtoull(text, NULL, 10);
	return digits > 0 && digits <= 18 && text[digits] == '\0';
}

static bool largest_read(const char *text, struct ability *ability)
{
	uint64_t tile;
	if (!number_read(text, &tile) || tile < 4 || (tile & (tile - 1)) != 0)
		return false;
	ability->largest = __builtin_ctzll(tile);
	return true;
}

static bool ability_read(const char *word, struct ability *ability)
{
	if (strcmp(word, "moves") == 0)
		return ability->moves = true;
	if (strcmp(word, "act") == 0)
		return ability->act = true;
	if (strcmp(word, "step") == 0)
		return ability->step = true;
	if (strncmp(word, "boards=", 7) == 0)
		return shapes_read(word + 7, ability);
	if (strncmp(word, "largest=", 8) == 0)
		return largest_read(word + 8, ability);
	return false;
}

enum status protocol_hello(struct program *program, struct ability *ability, struct why *why)
{
	char line[16], answer[PROGRAM_LINE_MAX], *rest;
	struct ability read = {0};
	snprintf(line, sizeof line, "hello %d", PROTOCOL_VERSION);
	enum status status = word_ask(program, line, line, answer, &rest, why);
	if (status)
		return status;
	/* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): a refusal has a status */
	for (char *word; (word = strtok_r(rest, " ", &rest));)
		if (!ability_read(word, &read))
			return answer_refuse(program, line, why,
					     "it answers with '%.80s': expected moves, act, "
					     "step, boards=RxC,... or largest=TILE",
					     word);
	*ability = read;
	return STATUS_OK;
}

bool ability_has(const struct ability *ability, int rows, int cols)
{
	return !ability->some || ability->board[rows][cols];
}

enum status protocol_new(struct program *program, const struct game *game, struct why *why)
{
	char line[SPAWN_TEXT_MAX + 16], spawn[SPAWN_TEXT_MAX], answer[PROGRAM_LINE_MAX], *rest;
	spawn_format(&game->spawn, spawn);
	snprintf(line, sizeof line, "new %s %s", game->name, spawn);
	enum status status = word_ask(program, line, "new", answer, &rest, why);
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a refusal has a status */
	if (!status && *rest)
		status =
		    answer_refuse(program, line, why, "it answers '%.80s': expected 'new'", answer);
	return status;
}

/* "REWARD:AFTER" of direction D. */
static bool move_read(const struct game *game, char *field, int d, struct moves *moves)
{
	int rows, cols;
	char *after = strchr(field, ':');
	if (!after)
		return false;
	*after++ = '\0';
	const bool read = number_read(field, &moves->reward[d]) &&
			  board_parse(after, &moves->after[d], &rows, &cols, NULL) == STATUS_OK &&
			  rows == game->rows && cols == game->cols;
	after[-1] = ':';
	moves->legal |= 1u << d;
	return read;
}

enum status protocol_moves(struct program *program, const struct game *game,
			   const struct board *board, struct moves *moves, struct why *why)
{
	char line[BOARD_TEXT_MAX + 16] = "moves ", answer[PROGRAM_LINE_MAX], *rest;
	board_format(game, board, line + strlen(line));
	enum status status = word_ask(program, line, "moves", answer, &rest, why);
	if (status)
		return status;
	struct moves read = {.legal = 0};
	for (int d = 0; d < DIRECTIONS; d++) {
		/* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): a refusal has a status */
		char *field = strtok_r(rest, " ", &rest);
		read.after[d] = *board;
		if (!field)
			return answer_refuse(program, line, why,
					     "it answers %d fields instead of 4", d);
		if (strcmp(field, "-") != 0 && !move_read(game, field, d, &read))
			return answer_refuse(program, line, why,
					     "it answers '%.80s' for %c: expected - or "
					     "REWARD:POSITION on %s",
					     field, letters[d], game->name);
	}
	if (*rest)
		return answer_refuse(program, line, why, "it answers more than 4 fields: '%.80s'",
				     rest);
	*moves = read;
	return STATUS_OK;
}

/* Values of the four moves, or nothing. */
static bool values_read(const char *text, double value[DIRECTIONS])
{
	char words[PROGRAM_LINE_MAX], *rest = words;
	int n = 0;
	snprintf(words, sizeof words, "%s", text);
	for (char *word, *end; (word = strtok_r(rest, " ", &rest)); n++) {
		if (n == DIRECTIONS)
			return false;
		value[n] = NAN;
		if (strcmp(word, "-") == 0)
			continue;
		value[n] = strtod(word, &end);
		if (*end || !isfinite(value[n]))
			return false;
	}
	return n == 0 || n == DIRECTIONS;
}

enum status protocol_act(struct program *program, const struct game *game,
			 const struct board *board, uint32_t draw, int *move,
			 double value[DIRECTIONS], struct why *why)
{
	char line[BOARD_TEXT_MAX + 32] = "act ", answer[PROGRAM_LINE_MAX], *rest;
	board_format(game, board, line + strlen(line));
	const size_t used = strlen(line);
	snprintf(line + used, sizeof line - used, " %" PRIu32, draw);
	enum status status = word_ask(program, line, "act", answer, &rest, why);
	if (status)
		return status;
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a refusal has a status */
	const char *letter = *rest ? strchr(letters, *rest) : NULL;
	double read[DIRECTIONS] = {NAN, NAN, NAN, NAN};
	if (!letter || (rest[1] && rest[1] != ' ') || !values_read(rest + 1, read))
		return answer_refuse(
		    program, line, why,
		    "it answers '%.80s': expected 'act' and U, R, D or L, and four "
		    "values or none",
		    answer);
	*move = (int)(letter - letters);
	memcpy(value, read, sizeof read);
	return STATUS_OK;
}

/* "UR", or "-" for none. */
static bool legal_read(const char *text, unsigned *legal)
{
	*legal = 0;
	for (const char *c = text; *c && strcmp(text, "-") != 0; c++) {
		const char *letter = strchr(letters, *c);
		if (!letter || *legal >> (letter - letters) & 1)
			return false;
		*legal |= 1u << (letter - letters);
	}
	return true;
}

/* POSITION LEGAL SCORE. */
static bool seen_read(const struct game *game, char *fields, struct observation *seen)
{
	int rows, cols;
	const char *position = strtok_r(fields, " ", &fields),
		   *legal = strtok_r(fields, " ", &fields), *score = strtok_r(fields, " ", &fields);
	return score && !*fields &&
	       board_parse(position, &seen->board, &rows, &cols, NULL) == STATUS_OK &&
	       rows == game->rows && cols == game->cols && legal_read(legal, &seen->legal) &&
	       number_read(score, &seen->score);
}

/* Asks LINE, whose answer begins with WORD and is what the game looks like then. */
static enum status seen_ask(struct program *program, const struct game *game, const char *line,
			    const char *word, struct observation *seen, struct why *why)
{
	char answer[PROGRAM_LINE_MAX], fields[PROGRAM_LINE_MAX], *rest;
	struct observation read;
	enum status status = word_ask(program, line, word, answer, &rest, why);
	if (status)
		return status;
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a refusal has a status */
	snprintf(fields, sizeof fields, "%s", rest);
	if (!seen_read(game, fields, &read))
		return answer_refuse(
		    program, line, why,
		    "it answers '%.300s': expected '%s POSITION LEGAL SCORE' on %s, "
		    "LEGAL letters of URDL or -",
		    answer, word, game->name);
	*seen = read;
	return STATUS_OK;
}

enum status protocol_start(struct program *program, const struct game *game, uint32_t seed,
			   struct observation *seen, struct why *why)
{
	char line[32];
	snprintf(line, sizeof line, "start %" PRIu32, seed);
	return seen_ask(program, game, line, "start", seen, why);
}

enum status protocol_step(struct program *program, const struct game *game, int move,
			  struct observation *seen, struct why *why)
{
	const char line[] = {'s', 't', 'e', 'p', ' ', letters[move], '\0'};
	return seen_ask(program, game, line, "step", seen, why);
}

void protocol_seen_format(const struct game *game, const char *word, const struct observation *seen,
			  char line[PROGRAM_LINE_MAX])
{
	char board[BOARD_TEXT_MAX], legal[DIRECTIONS + 1];
	int n = 0;
	for (int d = 0; d < DIRECTIONS; d++)
		if (seen->legal >> d & 1)
			legal[n++] = letters[d];
	legal[n] = '\0';
	board_format(game, &seen->board, board);
	snprintf(line, PROGRAM_LINE_MAX, "%s %s %s %" PRIu64, word, board, n ? legal : "-",
		 seen->score);
}

void protocol_moves_format(const struct game *game, const struct moves *moves,
			   char line[PROGRAM_LINE_MAX])
{
	char board[BOARD_TEXT_MAX];
	size_t used = (size_t)snprintf(line, PROGRAM_LINE_MAX, "moves");
	for (int d = 0; d < DIRECTIONS; d++) {
		board_format(game, &moves->after[d], board);
		if (moves->legal >> d & 1)
			used += (size_t)snprintf(line + used, PROGRAM_LINE_MAX - used,
						 " %" PRIu64 ":%s", moves->reward[d], board);
		else
			used += (size_t)snprintf(line + used, PROGRAM_LINE_MAX - used, " -");
	}
}
