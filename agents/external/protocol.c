/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests and replies of docs/conformance.md; see protocol.h.
 *
 * Parsing is strict: a reply begins with the word of its request, has the right number of fields,
 * and numbers are digits. Check value: protocol_moves() reads what protocol_moves_format() writes.
 */
#include "agents/external/protocol.h"

#include "agents/play.h"
#include "base/number.h"
#include "base/stop.h"
#include "base/text.h"

#include <endian.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum status protocol_open(const char *command, double seconds, struct program **program,
			  struct ability *ability, struct why *why)
{
	if (!command[0])
		return why_set(why, STATUS_INPUT,
			       "the program is missing: expected external:COMMAND");
	enum status status = text_check("the command", command, SPEC_MAX, why);
	if (!status)
		status = program_start(command, seconds, stop_requested, program, why);
	return status ? status : protocol_hello(*program, ability, why);
}

/* Reports what is wrong with the reply to LINE. */
__attribute__((format(printf, 4, 5))) static enum status answer_refuse(
    const struct program *program, const char *line, struct why *why, const char *format, ...)
{
	char wrong[512];
	va_list args;
	va_start(args, format);
	vsnprintf(wrong, sizeof wrong, format, args);
	va_end(args);
	return why_set(why, STATUS_SYSTEM, "%s: asked '%.80s', %s (docs/conformance.md)",
		       program_name(program), line, wrong);
}

/* Sends LINE. The reply must begin with WORD; the rest, after a blank, goes to REST. */
static enum status word_ask(struct program *program, const char *line, const char *word,
			    char answer[PROGRAM_LINE_MAX], char **rest, struct why *why)
{
	*rest = answer;
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

/* Parses a list of shapes such as 3x3,4x4. */
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

static bool largest_read(const char *text, struct ability *ability)
{
	uint64_t tile;
	if (!whole_parse(text, &tile) || tile < 4 || (tile & (tile - 1)) != 0)
		return false;
	ability->largest = __builtin_ctzll(tile);
	return true;
}

/* Parses N of acts=N and values=N. */
static bool frame_size_read(const char *text, size_t *positions)
{
	uint64_t n;
	if (!whole_parse(text, &n) || n < 1)
		return false;
	*positions = n < FRAME_MAX ? n : FRAME_MAX;
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
	if (strcmp(word, "value") == 0)
		return ability->value = true;
	if (strncmp(word, "boards=", 7) == 0)
		return shapes_read(word + 7, ability);
	if (strncmp(word, "acts=", 5) == 0)
		return frame_size_read(word + 5, &ability->acts);
	if (strncmp(word, "values=", 7) == 0)
		return frame_size_read(word + 7, &ability->values);
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
			return answer_refuse(
			    program, line, why,
			    "it answers with '%.80s': expected moves, act, "
			    "step, value, acts=N, values=N, boards=RxC,... or largest=TILE",
			    word);
	*ability = read;
	return STATUS_OK;
}

bool ability_has(const struct ability *ability, int rows, int cols)
{
	return !ability->some || ability->board[rows][cols];
}

enum status protocol_knows(struct program *program, const struct ability *ability,
			   const struct game *game, struct why *why)
{
	if (ability_has(ability, game->rows, game->cols))
		return STATUS_OK;
	return why_set(why, STATUS_INPUT, "%s: it does not know the board %s",
		       program_name(program), game->name);
}

enum status protocol_new(struct program *program, const struct game *game, struct why *why)
{
	char line[SPAWN_TEXT_MAX + 16], answer[PROGRAM_LINE_MAX], *rest;
	snprintf(line, sizeof line, "new %s %s", game->name, game->spawn.text);
	enum status status = word_ask(program, line, "new", answer, &rest, why);
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): a refusal has a status */
	if (!status && *rest)
		status =
		    answer_refuse(program, line, why, "it answers '%.80s': expected 'new'", answer);
	return status;
}

/* Parses "REWARD:AFTER" for direction D. */
static bool move_read(const struct game *game, char *field, int d, struct moves *moves)
{
	int rows, cols;
	char *after = strchr(field, ':');
	if (!after)
		return false;
	*after++ = '\0';
	const bool read = whole_parse(field, &moves->reward[d]) &&
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
					     field, direction_letters[d], game->name);
	}
	if (*rest)
		return answer_refuse(program, line, why, "it answers more than 4 fields: '%.80s'",
				     rest);
	*moves = read;
	return STATUS_OK;
}

/* Parses the values of the four moves, or nothing. */
static bool values_read(const char *text, double value[DIRECTIONS])
{
	char words[PROGRAM_LINE_MAX], *rest = words;
	int n = 0;
	snprintf(words, sizeof words, "%s", text);
	for (char *word; (word = strtok_r(rest, " ", &rest)); n++) {
		if (n == DIRECTIONS)
			return false;
		value[n] = NAN;
		if (strcmp(word, "-") == 0)
			continue;
		if (!real_parse(word, &value[n]))
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
	const int direction = direction_of_letter(*rest);
	double read[DIRECTIONS] = {NAN, NAN, NAN, NAN};
	if (direction == DIRECTIONS || (rest[1] && rest[1] != ' ') || !values_read(rest + 1, read))
		return answer_refuse(
		    program, line, why,
		    "it answers '%.80s': expected 'act' and U, R, D or L, and four "
		    "values or none",
		    answer);
	*move = direction;
	memcpy(value, read, sizeof read);
	return STATUS_OK;
}

enum status protocol_value(struct program *program, const struct game *game,
			   const struct board *board, double *value, struct why *why)
{
	char line[BOARD_TEXT_MAX + 16] = "value ", answer[PROGRAM_LINE_MAX], *rest;
	board_format(game, board, line + strlen(line));
	enum status status = word_ask(program, line, "value", answer, &rest, why);
	if (status)
		return status;
	double read;
	if (!real_parse(rest, &read))
		return answer_refuse(program, line, why,
				     "it answers '%.80s': expected 'value' and a number", answer);
	*value = read;
	return STATUS_OK;
}

/* ---- Frames: bytes after a line. */

static uint8_t *cells_put(const struct game *game, const struct board *board, uint8_t *at)
{
	for (int r = 0; r < game->rows; r++, at += game->cols)
		memcpy(at, board->cell[r], (size_t)game->cols);
	return at;
}

/* Reads number I of those at AT: 8 bytes, little-endian. */
static double real_at(const uint8_t *at, size_t i)
{
	uint64_t bits;
	double real;
	memcpy(&bits, at + 8 * i, sizeof bits);
	bits = le64toh(bits);
	memcpy(&real, &bits, sizeof real);
	return real;
}

/*
 * Sends a frame of N positions, whose bytes end at END, and receives "WORD N"; *REST is the rest of
 * that reply.
 */
static enum status frame_ask(struct program *program, const char *word, size_t n,
			     const uint8_t *frame, const uint8_t *end, char line[64],
			     char answer[PROGRAM_LINE_MAX], const char **rest, struct why *why)
{
	const int length = snprintf(line, 64, "%s %zu", word, n);
	enum status status =
	    program_ask_data(program, line, frame, (size_t)(end - frame), answer, why);
	if (status)
		return status;
	*rest = answer + length;
	if (strncmp(answer, line, (size_t)length) != 0 || (**rest && **rest != ' '))
		return answer_refuse(program, line, why, "it answers '%.80s': expected '%s'",
				     answer, line);
	return STATUS_OK;
}

static bool reals_known(const double real[DIRECTIONS], double least)
{
	bool known = true;
	for (int d = 0; d < DIRECTIONS; d++)
		known = known && (isnan(real[d]) || (isfinite(real[d]) && real[d] >= least));
	return known;
}

/* Reads reply I of the N in FRAME; returns false if it is invalid. */
static bool act_take(const uint8_t *frame, size_t n, size_t i, bool values, bool chances, int *move,
		     struct decision *decision)
{
	const uint8_t *reals = frame + n + i * 8 * DIRECTIONS;
	*move = frame[i];
	for (size_t d = 0; d < DIRECTIONS; d++) {
		decision->value[d] = values ? real_at(reals, d) : NAN;
		decision->chance[d] = chances ? real_at(reals, d) : NAN;
	}
	return *move < DIRECTIONS && reals_known(decision->value, -INFINITY) &&
	       reals_known(decision->chance, 0);
}

enum status protocol_acts(struct program *program, uint8_t *frame, const struct turn *turns,
			  struct rng *const *rng, size_t n, int *move, struct decision *decisions,
			  struct why *why)
{
	char line[64], answer[PROGRAM_LINE_MAX];
	const char *rest;
	uint8_t *at = frame;
	for (size_t i = 0; i < n; i++)
		at = cells_put(turns[i].game, turns[i].board, at);
	for (size_t i = 0; i < n; i++, at += 4) {
		const uint32_t bits = htole32(rng_u32(rng[i]));
		memcpy(at, &bits, sizeof bits);
	}
	enum status status = frame_ask(program, "acts", n, frame, at, line, answer, &rest, why);
	const bool values = !status && strcmp(rest, " values") == 0;
	const bool chances = !status && strcmp(rest, " chances") == 0;
	if (!status && *rest && !values && !chances)
		status = answer_refuse(program, line, why,
				       "it answers '%.80s': expected '%s', '%s values' or '%s "
				       "chances'",
				       answer, line, line, line);
	if (!status)
		status = program_receive(program, line, frame,
					 values || chances ? n * (1 + 8 * DIRECTIONS) : n, why);
	for (size_t i = 0; !status && i < n; i++)
		if (!act_take(frame, n, i, values, chances, &move[i], &decisions[i]))
			status = answer_refuse(program, line, why,
					       "position %zu: expected a move from 0 to 3, values "
					       "that are finite, chances from 0 on, or NaN",
					       i + 1);
	return status;
}

enum status protocol_values(struct program *program, const struct game *game, uint8_t *frame,
			    const struct board *boards, size_t n, double *value, struct why *why)
{
	char line[64], answer[PROGRAM_LINE_MAX];
	const char *rest;
	uint8_t *at = frame;
	for (size_t i = 0; i < n; i++)
		at = cells_put(game, &boards[i], at);
	enum status status = frame_ask(program, "values", n, frame, at, line, answer, &rest, why);
	if (!status && *rest)
		status = answer_refuse(program, line, why, "it answers '%.80s': expected '%s'",
				       answer, line);
	if (!status)
		status = program_receive(program, line, frame, n * 8, why);
	for (size_t i = 0; !status && i < n; i++) {
		value[i] = real_at(frame, i);
		if (!isfinite(value[i]))
			status = answer_refuse(program, line, why,
					       "the value of position %zu is not finite", i + 1);
	}
	return status;
}

/* ---- Games of the program's own. */

/* Parses legal moves: "UR", or "-" for none. */
static bool legal_read(const char *text, unsigned *legal)
{
	*legal = 0;
	for (const char *c = text; *c && strcmp(text, "-") != 0; c++) {
		const int d = direction_of_letter(*c);
		if (d == DIRECTIONS || *legal >> d & 1)
			return false;
		*legal |= 1u << d;
	}
	return true;
}

/* Parses "POSITION LEGAL SCORE". */
static bool seen_read(const struct game *game, char *fields, struct observation *seen)
{
	int rows, cols;
	const char *position = strtok_r(fields, " ", &fields),
		   *legal = strtok_r(fields, " ", &fields), *score = strtok_r(fields, " ", &fields);
	return score && !*fields &&
	       board_parse(position, &seen->board, &rows, &cols, NULL) == STATUS_OK &&
	       rows == game->rows && cols == game->cols && legal_read(legal, &seen->legal) &&
	       whole_parse(score, &seen->score);
}

/* Sends LINE. The reply begins with WORD and describes the game after LINE. */
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
	const char line[] = {'s', 't', 'e', 'p', ' ', direction_letters[move], '\0'};
	return seen_ask(program, game, line, "step", seen, why);
}

void legal_format(unsigned legal, char text[DIRECTIONS + 1])
{
	int n = 0;
	for (int d = 0; d < DIRECTIONS; d++)
		if (legal >> d & 1)
			text[n++] = direction_letters[d];
	if (!n)
		text[n++] = '-';
	text[n] = '\0';
}

size_t move_format(const struct game *game, const struct moves *moves, int d, char *text,
		   size_t size)
{
	char board[BOARD_TEXT_MAX];
	board_format(game, &moves->after[d], board);
	return (size_t)(moves->legal >> d & 1
			    ? snprintf(text, size, "%" PRIu64 ":%s", moves->reward[d], board)
			    : snprintf(text, size, "-"));
}

void protocol_seen_format(const struct game *game, const char *word, const struct observation *seen,
			  char line[PROGRAM_LINE_MAX])
{
	char board[BOARD_TEXT_MAX], legal[DIRECTIONS + 1];
	legal_format(seen->legal, legal);
	board_format(game, &seen->board, board);
	snprintf(line, PROGRAM_LINE_MAX, "%s %s %s %" PRIu64, word, board, legal, seen->score);
}

void protocol_moves_format(const struct game *game, const struct moves *moves,
			   char line[PROGRAM_LINE_MAX])
{
	size_t used = (size_t)snprintf(line, PROGRAM_LINE_MAX, "moves");
	for (int d = 0; d < DIRECTIONS; d++) {
		line[used++] = ' ';
		used += move_format(game, moves, d, line + used, PROGRAM_LINE_MAX - used);
	}
}

void own_game_start(struct own_game *own, const struct game *game, uint64_t seed)
{
	struct moves moves;
	*own = (struct own_game){.game = game};
	rng_init(&own->spawns, seed, RNG_SPAWN, 0);
	board_start(game, &own->now.board, &own->spawns);
	game->moves(&own->now.board, &moves);
	own->now.legal = moves.legal;
}

void own_game_step(struct own_game *own, int move)
{
	struct turn turn;
	turn_init(&turn, own->game, &own->now.board, own->now.score);
	turn_move(&turn, &own->now.board, move, &own->spawns);
	own->now.legal = turn.moves.legal;
	own->now.score = turn.score;
}
