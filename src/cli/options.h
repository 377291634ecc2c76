/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Options that several commands share, as argp children, and strict readers for their arguments.
 *
 * A command lists the groups that it wants in its `children`, and gives each its input in
 * ARGP_KEY_INIT: `state->child_inputs[0] = &options->game;`. Inputs hold their defaults beforehand;
 * texts point into argv. A malformed argument ends the process: one line, exit status 2.
 */
#ifndef NXN_OPTIONS_H
#define NXN_OPTIONS_H

#include "boards/game.h"

#include <argp.h>
#include <stddef.h>

enum { THREADS_MAX = 1024 };

/* Keys of options of groups that are made elsewhere. */
enum { OPTION_SHARD = 0x310 };

/* An ordered list of texts, each on the heap. Zeroed is empty. */
struct text_list {
	char **item;
	size_t n;
};

extern const struct argp options_board;	  /* --board; input struct game_options * */
extern const struct argp options_spawn;	  /* --spawn; the same input */
extern const struct argp options_rule;	  /* --spawn, --start-tiles, --start; the same input */
extern const struct argp options_boards;  /* --boards; input struct text_list * */
extern const struct argp options_agents;  /* --agents; input struct text_list * */
extern const struct argp options_seed;	  /* --seed; input uint64_t * */
extern const struct argp options_threads; /* --threads; input int *, see threads_default() */
extern const struct argp
    options_pace; /* --threads, --time-budget, --progress; input struct pace * */

/* How long work is done. */
struct pace {
	int threads;   /* threads_default() beforehand */
	double budget; /* seconds after which it stops in order; 0: no end */
	bool progress; /* shown even if standard error is no terminal */
};

/* The number of processors that this process may use. */
int threads_default(void);

/* Ends the process from inside an argp parser: "nxn NAME: REASON", exit status 2. */
__attribute__((format(printf, 2, 3), noreturn)) void option_error(struct argp_state *state,
								  const char *reason, ...);

/* Inside an argp parser: ends the process as command_exit() would, unless STATUS is STATUS_OK. */
void option_check(struct argp_state *state, enum status status, const struct why *why);

/*
 * argp_parse() that says in one line what is wrong with an option (src/cli/option_names.h), and that ends
 * the process, with exit status 1, when memory runs out.
 */
void options_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input);

/*
 * Reads a whole number in MIN .. MAX, written in decimal digits and nothing else. STATUS_INPUT
 * names WHAT ("--games", a key) and the range.
 */
MUST_USE enum status number_parse(const char *what, const char *text, uint64_t min, uint64_t max,
				  uint64_t *number, struct why *why);

/* number_parse() inside an argp parser: the number, or the end of the process. */
uint64_t option_number(struct argp_state *state, const char *what, const char *text, uint64_t min,
		       uint64_t max);

/* Inside an argp parser: TEXT, the value of the option WHAT, which must not be empty. */
char *option_text(struct argp_state *state, const char *what, char *text);

/* Inside an argp parser: a time above 0 with its unit, s, m or h, in seconds. */
double option_duration(struct argp_state *state, const char *what, const char *text);

/* Appends a copy of the first LENGTH bytes of TEXT. STATUS_SYSTEM when memory runs out. */
MUST_USE enum status list_add(struct text_list *list, const char *text, size_t length,
			      struct why *why);

/* Appends the pieces of TEXT between commas. STATUS_INPUT, naming WHAT, if a piece is empty. */
MUST_USE enum status list_split(struct text_list *list, const char *what, const char *text,
				struct why *why);

/*
 * Appends the agents in TEXT. They are separated by ';' where there is one, else by ','; but a
 * piece with a '=' before any ':' continues the specification before it, so that
 * "random,expectimax:depth=2,cutoff=1e-3,corners" is three agents; and so does a piece that is no
 * agent where that one ends with a text (agents/agent.h). STATUS_INPUT if one is empty.
 */
MUST_USE enum status list_split_agents(struct text_list *list, const char *what, const char *text,
				       struct why *why);

/* Whether the specification AGENT sets the parameter KEY. */
bool agent_sets(const char *agent, const char *key);

void list_free(struct text_list *list);

#endif
