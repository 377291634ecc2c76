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

static void positions_report(const struct trial *trial, const char *shape)
{
	struct verify *verify = trial->verify;
	const struct ability *ability = &trial->ability;
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
static void shape_try(struct verify *verify, const struct ability *ability, const char *shape)
{
	static struct trial trial;
	const struct game game = verify_game(verify, &(struct game_options){.shape = shape});
	trial = (struct trial){.verify = verify,
			       .ability = *ability,
			       .positions.most = CASES_MAX,
			       .acts.most = CASES_MAX};
	verify_must(verify, protocol_knows(verify->program, ability, &game, &verify->why));
	if (ability->act || ability->step)
		verify_must(verify, protocol_new(verify->program, &game, &verify->why));
	if (ability->moves || ability->act) {
		trial_positions(&trial, &game, verify->against->positions);
		positions_report(&trial, shape);
	}
	if (ability->step) {
		trial_games(&trial, &game, verify->against->steps);
		trial_report(&trial, shape);
	}
}

/* Runs all comparisons on the requested boards, or on all that the program knows. */
static void shapes_try(struct verify *verify, const struct ability *ability)
{
	const struct text_list *boards = &verify->against->boards;
	for (size_t i = 0; i < boards->n; i++)
		shape_try(verify, ability, boards->item[i]);
	for (int r = SIDE_MIN; !boards->n && r <= SIDE_MAX; r++)
		for (int c = SIDE_MIN; c <= SIDE_MAX; c++) {
			const char shape[] = {(char)('0' + r), 'x', (char)('0' + c), '\0'};
			if (ability_has(ability, r, c))
				shape_try(verify, ability, shape);
		}
}

void verify_against(struct verify *verify)
{
	struct ability ability;
	const struct against_options *options = verify->against;
	char answer[PROGRAM_LINE_MAX];
	/* Checks the file and the boards before the program is started. */
	facts_read(verify, FACTS_PERFT);
	for (size_t i = 0; i < options->boards.n; i++)
		verify_game(verify, &(struct game_options){.shape = options->boards.item[i]});
	verify_must(verify, program_start(options->command, options->seconds, stop_requested,
					  &verify->program, &verify->why));
	verify->check = "against";
	verify_must(verify, protocol_hello(verify->program, &ability, &verify->why));
	if (!ability.moves && !ability.act && !ability.step)
		verify_must(verify, why_set(&verify->why, STATUS_SYSTEM,
					    "%s: its hello has none of moves, act and step",
					    program_name(verify->program)));
	verify_must(verify, program_ask(verify->program, "nonsense 2,2/0,0", answer, &verify->why));
	const bool refused = strncmp(answer, "error", 5) == 0;
	verify_report(verify, refused, refused ? "error" : "no error", "error",
		      "an unknown request");
	shapes_try(verify, &ability);
	program_send(verify->program, "quit");
	program_end(verify->program);
}
