/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What another program answers: a line for each request, by way of a program that is the input. */
/* Its program_ask() and program_name() are not the ones that are called. */
#define program_ask program_ask_unused
#define program_name program_name_unused
#include "base/program.c"
#undef program_ask
#undef program_name
#include "agents/external/protocol.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

const char *program_name(const struct program *program);
enum status program_ask(struct program *program, const char *line, char answer[PROGRAM_LINE_MAX],
			struct why *why);

static char *answers; /* what is left of the input */

/* In place of base/program.c, and with its promise of plain text. */
enum status program_ask(struct program *program, const char *line, char answer[PROGRAM_LINE_MAX],
			struct why *why)
{
	(void)program;
	(void)line;
	const char *text = fuzz_line(&answers);
	snprintf(answer, PROGRAM_LINE_MAX, "%s", text);
	for (char *c = answer; *c; c++)
		if (*c < ' ' || *c > '~')
			return why_set(why, STATUS_SYSTEM, "not plain text");
	for (size_t end = strlen(answer); end > 0 && answer[end - 1] == ' ';)
		answer[--end] = '\0';
	return STATUS_OK;
}

const char *program_name(const struct program *program)
{
	(void)program;
	return "program";
}

static void act_ask(const struct game *game, const struct board *board)
{
	int move;
	double value[DIRECTIONS];
	struct why why = {""};
	if (!fuzz_fine(protocol_act(NULL, game, board, 7, &move, value, &why), &why))
		return;
	FUZZ_CHECK(move >= 0 && move < DIRECTIONS);
	for (int d = 0; d < DIRECTIONS; d++)
		FUZZ_CHECK(isnan(value[d]) || isfinite(value[d]));
}

static void moves_ask(const struct game *game, const struct board *board)
{
	char line[PROGRAM_LINE_MAX];
	struct moves moves;
	struct why why = {""};
	if (!fuzz_fine(protocol_moves(NULL, game, board, &moves, &why), &why))
		return;
	protocol_moves_format(game, &moves, line);
}

static void value_ask(const struct game *game, const struct board *board)
{
	double value;
	struct why why = {""};
	if (fuzz_fine(protocol_value(NULL, game, board, &value, &why), &why))
		FUZZ_CHECK(isfinite(value));
}

static void game_ask(const struct game *game)
{
	char line[PROGRAM_LINE_MAX];
	struct observation seen;
	struct why why = {""};
	enum status status = protocol_start(NULL, game, 7, &seen, &why);
	if (!status)
		status = protocol_step(NULL, game, UP, &seen, &why);
	if (!fuzz_fine(status, &why))
		return;
	FUZZ_CHECK(seen.legal < 1u << DIRECTIONS);
	protocol_seen_format(game, "step", &seen, line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct game game;
	struct board board;
	struct ability ability = {0};
	struct why why = {""};
	answers = text;
	FUZZ_CHECK(!game_init(&game, &(struct game_options){.shape = "3x4"}, &why));
	FUZZ_CHECK(!board_read(&game, "2,2,0,4/0,0,0,0/8,0,0,2", &board, &why));
	if (fuzz_fine(protocol_hello(NULL, &ability, &why), &why))
		ability_has(&ability, 3, 4);
	fuzz_fine(protocol_new(NULL, &game, &why), &why);
	while (*answers) {
		moves_ask(&game, &board);
		act_ask(&game, &board);
		game_ask(&game);
		value_ask(&game, &board);
	}
	free(text);
	return 0;
}
