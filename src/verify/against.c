/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nxn verify --against: compares another program with the rules, by the protocol of
 * docs/conformance.md: its after-states of the boards of perft.txt and of random positions, the
 * moves that it plays there, and games of its own, in which nxn chooses the moves at random.
 */
#include "agents/external/protocol.h"
#include "base/stop.h"
#include "src/verify/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void positions_report(struct verify *verify, const struct trial *trial,
			     const struct ability *ability, const char *shape)
{
	char left[80] = "";
	if (trial->left_out)
		snprintf(left, sizeof left, " (%" PRIu64 " left out: tiles above %" PRIu64 ")",
			 trial->left_out, UINT64_C(1) << ability->largest);
	if (ability->moves)
		verify_tally(verify, &trial->positions, "%s: positions, four moves each%s", shape,
			     left);
	if (ability->act)
		verify_tally(verify, &trial->acts, "%s: moves played, legal ones%s", shape, left);
}

/* Runs all comparisons on the board SHAPE. */
static enum status shape_try(struct verify *verify, struct subject *subject, const char *shape,
			     const struct against_options *options, struct why *why)
{
	static struct trial trial;
	const struct ability *ability = &subject->ability;
	struct game game;
	trial = (struct trial){.positions.most = CASES_MAX, .acts.most = CASES_MAX};
	enum status status = game_init(&game, &(struct game_options){.shape = shape}, why);
	if (!status)
		status = protocol_knows(subject->program, ability, &game, why);
	if (!status && (ability->act || ability->step))
		status = protocol_new(subject->program, &game, why);
	if (!status && (ability->moves || ability->act)) {
		status = trial_positions(&trial, subject, verify, &game, options->positions, why);
		if (!status)
			positions_report(verify, &trial, ability, shape);
	}
	if (!status && ability->step) {
		status = trial_games(&trial, subject, &game, verify->seed, options->steps, why);
		if (!status)
			trial_report(verify, &trial, shape);
	}
	return status;
}

/* Runs all comparisons on the requested boards, or on all that the program knows. */
static enum status shapes_try(struct verify *verify, struct subject *subject,
			      const struct against_options *options, struct why *why)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < options->boards.n; i++)
		status = shape_try(verify, subject, options->boards.item[i], options, why);
	for (int r = SIDE_MIN; !options->boards.n && r <= SIDE_MAX; r++)
		for (int c = SIDE_MIN; !status && c <= SIDE_MAX; c++) {
			const char shape[] = {(char)('0' + r), 'x', (char)('0' + c), '\0'};
			if (ability_has(&subject->ability, r, c))
				status = shape_try(verify, subject, shape, options, why);
		}
	return status;
}

static enum status program_try(struct verify *verify, struct subject *subject,
			       const struct against_options *options, struct why *why)
{
	const struct ability *ability = &subject->ability;
	char answer[PROGRAM_LINE_MAX];
	enum status status = protocol_hello(subject->program, &subject->ability, why);
	if (!status && !ability->moves && !ability->act && !ability->step)
		status =
		    why_set(why, STATUS_SYSTEM, "%s: its hello has none of moves, act and step",
			    program_name(subject->program));
	if (!status)
		status = program_ask(subject->program, "nonsense 2,2/0,0", answer, why);
	if (status)
		return status;
	const bool refused = strncmp(answer, "error", 5) == 0;
	verify_report(verify, refused, refused ? "error" : "no error", "error",
		      "an unknown request");
	return shapes_try(verify, subject, options, why);
}

enum status verify_against(struct verify *verify, const struct against_options *options,
			   struct why *why)
{
	struct subject subject = {.program = NULL};
	struct game game;
	/* Reads the file before the program is started. */
	facts_read(verify, FACTS_PERFT);
	for (size_t i = 0; i < options->boards.n; i++) {
		const struct game_options board = {.shape = options->boards.item[i]};
		verify_must(verify, game_init(&game, &board, why), why);
	}
	enum status status = program_start(options->command, options->seconds, stop_requested,
					   &subject.program, why);
	if (status)
		return status;
	verify->check = "against";
	status = program_try(verify, &subject, options, why);
	if (!status)
		program_send(subject.program, "quit");
	program_end(subject.program);
	return status;
}
