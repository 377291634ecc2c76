/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Prints an agent's move in a position and its values of the moves: `nxn eval` in C.
 *
 *     cc advice.c $(pkg-config --cflags --libs nxn) -o advice
 *     ./advice expectimax:depth=2 4x4 2,0,0,0/0,2,0,0/0,0,0,0/0,0,0,4
 */
#include <nxn.h>
#include <stdio.h>

static int advise(const char *text, const char *shape, const char *position, struct nxn_why *why)
{
	static const char *const names[] = {"up", "right", "down", "left"};
	uint8_t cells[NXN_CELLS_MAX], action, legal;
	double value[NXN_DIRECTIONS];
	uint64_t nodes;
	struct nxn_game *game = NULL;
	struct nxn_agent *agent = NULL;
	int d, status = nxn_game_new(shape, NULL, 0, NULL, &game, why);
	if (!status)
		status = nxn_agent_new(game, text, &agent, why);
	if (!status)
		status = nxn_board_read(game, position, cells, why);
	if (!status)
		status = nxn_agent_act(agent, cells, 1, NULL, 1, 0, &action, value, &nodes, why);
	if (!status) {
		nxn_moves(game, cells, 1, NULL, NULL, &legal);
		printf("%s\t%s", position, legal ? names[action] : "none");
		for (d = 0; d < NXN_DIRECTIONS; d++)
			printf("\t%.17g", value[d]);
		printf("\t%llu\n", (unsigned long long)nodes);
	}
	nxn_agent_free(agent);
	nxn_game_free(game);
	return status;
}

int main(int argc, char **argv)
{
	struct nxn_why why;
	if (argc != 4) {
		fprintf(stderr, "usage: advice AGENT BOARD POSITION\n");
		return 2;
	}
	if (advise(argv[1], argv[2], argv[3], &why)) {
		fprintf(stderr, "%s\n", why.text);
		return 2;
	}
	return 0;
}
