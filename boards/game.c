/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Creating a game from text: shape, spawn rule, start; see game.h. */
#include "base/number.h"
#include "base/text.h"
#include "boards/board.h"
#include "boards/simd/kernel.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Larger spawn tiles would only shift all exponents. */
enum { SPAWN_EXPONENT_MAX = 8 };

const char direction_letters[DIRECTIONS + 1] = "URDL";
const char *const direction_names[DIRECTIONS] = {"up", "right", "down", "left"};

int direction_of_letter(char letter)
{
	int d = 0;
	while (d < DIRECTIONS && direction_letters[d] != letter)
		d++;
	return d;
}

static enum status shape_parse(const char *text, int *rows, int *cols, struct why *why)
{
	if (text[0] >= '0' + SIDE_MIN && text[0] <= '0' + SIDE_MAX && text[1] == 'x' &&
	    text[2] >= '0' + SIDE_MIN && text[2] <= '0' + SIDE_MAX && text[3] == '\0') {
		*rows = text[0] - '0';
		*cols = text[2] - '0';
		return STATUS_OK;
	}
	return why_set(why, STATUS_INPUT,
		       "board '%.40s': expected %sROWSxCOLUMNS from 2x2 to 6x6, such as 4x4", text,
		       strchr(text, ',') ? "one board, " : "");
}

/* Parses "TILE:PROBABILITY" at *TEXT and advances *TEXT; false if it is malformed. */
static bool spawn_kind_parse(const char **text, uint8_t *exponent, double *probability)
{
	uint64_t tile;
	const char *end = whole_scan(*text, &tile);
	if (!end || **text == '0' || tile < 2 || tile & (tile - 1) ||
	    tile > 1u << SPAWN_EXPONENT_MAX || *end != ':')
		return false;
	end = real_scan(end + 1, probability);
	if (!end || !(*probability > 0 && *probability <= 1))
		return false;
	*exponent = (uint8_t)__builtin_ctzl(tile);
	*text = end;
	return true;
}

/* Inserts a kind in ascending order. False for a repeated tile or too many kinds. */
static bool spawn_insert(struct spawn_rule *rule, uint8_t exponent, double probability)
{
	if (rule->kinds == SPAWN_KINDS_MAX)
		return false;
	int at = rule->kinds;
	for (; at > 0 && rule->exponent[at - 1] >= exponent; at--) {
		if (rule->exponent[at - 1] == exponent)
			return false;
		rule->exponent[at] = rule->exponent[at - 1];
		rule->probability[at] = rule->probability[at - 1];
	}
	rule->exponent[at] = exponent;
	rule->probability[at] = probability;
	rule->kinds++;
	return true;
}

/* Sets the text of RULE. Returns false if there is no room for it. */
static bool spawn_write(struct spawn_rule *rule)
{
	size_t used = 0;
	for (int i = 0; i < rule->kinds && used < sizeof rule->text; i++) {
		char number[REAL_TEXT_MAX];
		real_format(rule->probability[i], number);
		used += (size_t)snprintf(rule->text + used, sizeof rule->text - used, "%s%d:%s",
					 i ? "," : "", 1 << rule->exponent[i], number);
	}
	return used < sizeof rule->text;
}

/* Completes RULE, which was read from TEXT. STATUS_INPUT if it is invalid as a whole. */
static enum status spawn_finish(const char *text, struct spawn_rule *rule, struct why *why)
{
	double sum = 0;
	for (int i = 0; i < rule->kinds; i++)
		sum += rule->probability[i];
	if (fabs(sum - 1) > 1e-9)
		return why_set(why, STATUS_INPUT,
			       "spawn '%.80s': probabilities add up to %.10g, expected 1", text,
			       sum);
	if (!spawn_write(rule))
		return why_set(why, STATUS_INPUT,
			       "spawn '%.80s': too long to write down, expected probabilities of "
			       "at most 10 decimals",
			       text);
	return STATUS_OK;
}

static enum status spawn_parse(const char *text, struct spawn_rule *rule, struct why *why)
{
	struct spawn_rule read = {0};
	const char *at = text;
	for (;; at++) {
		const char *piece = at;
		uint8_t exponent = 0;
		double probability = 0;
		if (!spawn_kind_parse(&at, &exponent, &probability) ||
		    !spawn_insert(&read, exponent, probability))
			return why_set(why, STATUS_INPUT,
				       "spawn '%.80s', character %zu: expected up to %d different "
				       "TILE:PROBABILITY with tiles 2..%d, such as 2:0.9,4:0.1",
				       text, (size_t)(piece - text) + 1, SPAWN_KINDS_MAX,
				       1 << SPAWN_EXPONENT_MAX);
		if (*at != ',')
			break;
	}
	if (*at != '\0')
		return why_set(why, STATUS_INPUT, "spawn '%.80s', character %zu: expected ','",
			       text, (size_t)(at - text) + 1);
	enum status status = spawn_finish(text, &read, why);
	if (status)
		return status;
	*rule = read;
	return STATUS_OK;
}

enum status game_admits(const struct game *game, const struct board *board, struct why *why)
{
	enum { EXPONENTS = 64 }; /* limit of board_parse() and record files */
	int counts[EXPONENTS] = {0}, rank = 0;
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++) {
			assert(board->cell[r][c] < EXPONENTS);
			counts[board->cell[r][c]]++;
		}
	for (int k = EXPONENTS - 1; k > 0; k--) {
		rank += counts[k];
		if (counts[k] == 0 || k <= game->max_exponent - (rank - 1))
			continue;
		if (k > game->max_exponent)
			return why_set(
			    why, STATUS_INPUT,
			    "no game on %s reaches %" PRIu64 ", expected tiles up to %" PRIu64,
			    game->name, (uint64_t)1 << k, (uint64_t)1 << game->max_exponent);
		return why_set(why, STATUS_INPUT,
			       "no game on %s holds %d tiles of %" PRIu64
			       " or more at once, expected at most %d",
			       game->name, rank, (uint64_t)1 << k, game->max_exponent + 1 - k);
	}
	return STATUS_OK;
}

static enum status start_set(struct game *game, const struct game_options *options, struct why *why)
{
	if (options->start) {
		game->has_start = true;
		const enum status status = board_read(game, options->start, &game->start, why);
		if (!status && board_empty(game, &game->start) == game->cells)
			return why_set(why, STATUS_INPUT,
				       "games start with an empty board, expected a tile at least");
		return status;
	}
	game->start_tiles = options->start_tiles ? options->start_tiles : START_TILES_DEFAULT;
	if (game->start_tiles < 1 || game->start_tiles > game->cells)
		return why_set(why, STATUS_INPUT, "%d start tiles on %s: expected 1..%d",
			       game->start_tiles, game->name, game->cells);
	return STATUS_OK;
}

static enum status kernel_set(struct game *game, struct why *why)
{
	enum status status = isa_choose(&game->isa, why);
	if (status)
		return status;
	const struct kernels *kernels =
	    ISA_PICK(game->isa, &kernels_portable, &kernels_avx2, &kernels_avx512);
	const struct kernel *kernel = kernels->shape;
	while (kernel->rows != game->rows || kernel->cols != game->cols)
		kernel++;
	game->moves = kernel->moves;
	game->over = kernel->over;
	game->spawn_into = kernels->spawn_into;
	game->playout = kernel->playout;
	game->keys = &kernels->keys;
	return STATUS_OK;
}

enum status game_init(struct game *game, const struct game_options *options, struct why *why)
{
	struct game made = {0};
	struct board start;
	enum status status =
	    options->shape || !options->start
		? shape_parse(options->shape ? options->shape : "4x4", &made.rows, &made.cols, why)
		: board_parse(options->start, &start, &made.rows, &made.cols, why);
	if (status)
		return status;
	status = spawn_parse(options->spawn ? options->spawn : SPAWN_DEFAULT, &made.spawn, why);
	if (status)
		return status;
	status = kernel_set(&made, why);
	if (status)
		return status;
	made.cells = made.rows * made.cols;
	made.max_exponent = made.cells + made.spawn.exponent[made.spawn.kinds - 1] - 1;
	made.bits = 32 - __builtin_clz((unsigned)made.max_exponent);
	made.places = (UINT64_C(0x010101010101) >> (48 - 8 * made.rows)) * ((1u << made.cols) - 1);
	made.symmetries = made.rows == made.cols ? 8 : 4;
	snprintf(made.name, sizeof made.name, "%dx%d", made.rows, made.cols);
	status = start_set(&made, options, why);
	if (status)
		return status;
	*game = made;
	return STATUS_OK;
}
