/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared option groups and strict readers of arguments; see options.h. */
#include "src/cli/options.h"

#include "agents/agent.h"
#include "src/cli/option_names.h"

#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SPAWN = 0x100, KEY_START, KEY_START_TILES, KEY_BUDGET = 0x300, KEY_PROGRESS };

int threads_default(void)
{
	cpu_set_t allowed;
	/* Fails on machines with more processors than a cpu_set_t has room for. */
	int n = sched_getaffinity(0, sizeof allowed, &allowed) ? THREADS_MAX : CPU_COUNT(&allowed);
	return n > THREADS_MAX ? THREADS_MAX : n;
}

void option_error(struct argp_state *state, const char *reason, ...)
{
	char text[sizeof(struct why)];
	va_list args;
	va_start(args, reason);
	vsnprintf(text, sizeof text, reason, args);
	va_end(args);
	line_keep(text);
	argp_failure(state, argp_err_exit_status, 0, "%s", text);
	exit(argp_err_exit_status);
}

void option_check(struct argp_state *state, enum status status, const struct why *why)
{
	if (status == STATUS_INPUT)
		option_error(state, "%s", why->text);
	if (status == STATUS_OK)
		return;
	fprintf(stderr, "%s: %s\n", state->name, why->text);
	exit(EXIT_FAILURE);
}

char *option_text(struct argp_state *state, const char *what, char *text)
{
	if (!*text)
		option_error(state, "%s: must not be empty", what);
	return text;
}

void options_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input)
{
	struct why why;
	if (option_names_check(argp, argc, argv, flags, &why)) {
		fprintf(stderr, "%s: %s\n", argv[0], why.text);
		exit(argp_err_exit_status);
	}
	/* Whatever else is wrong ends the process in there. */
	const error_t error = argp_parse(argp, argc, argv, flags, NULL, input);
	if (!error)
		return;
	fprintf(stderr, "%s: command line: %s\n", argv[0], strerror(error));
	exit(EXIT_FAILURE);
}

enum status number_parse(const char *what, const char *text, uint64_t min, uint64_t max,
			 uint64_t *number, struct why *why)
{
	char *end;
	errno = 0;
	uint64_t n = strtoull(text, &end, 10);
	bool digits = *text && strspn(text, "0123456789") == strlen(text);
	if (!digits || errno || n < min || n > max)
		return why_set(why, STATUS_INPUT,
			       "%s: '%s' is not a whole number from %" PRIu64 " to %" PRIu64, what,
			       text, min, max);
	*number = n;
	return STATUS_OK;
}

uint64_t option_number(struct argp_state *state, const char *what, const char *text, uint64_t min,
		       uint64_t max)
{
	struct why why;
	uint64_t number = 0;
	option_check(state, number_parse(what, text, min, max, &number, &why), &why);
	return number;
}

double option_duration(struct argp_state *state, const char *what, const char *text)
{
	char *unit;
	double number = strtod(text, &unit);
	double seconds = number * (!strcmp(unit, "h") ? 3600 : !strcmp(unit, "m") ? 60 : 1);
	/* strtod() knows more ways to write numbers than there should be here. */
	bool plain = strspn(text, "0123456789.") == (size_t)(unit - text);
	if (!plain || !*unit || !strchr("smh", *unit) || unit[1] ||
	    !(seconds > 0 && seconds < 1e10))
		option_error(state, "%s: '%s' is not a time such as 90s, 10m or 1.5h", what, text);
	return seconds;
}

enum status list_add(struct text_list *list, const char *text, size_t length, struct why *why)
{
	char **grown = reallocarray(list->item, list->n + 1, sizeof *grown);
	if (!grown)
		return why_errno(why, "a list of %zu", list->n + 1);
	list->item = grown;
	char *copy = strndup(text, length);
	if (!copy)
		return why_errno(why, "a list of %zu", list->n + 1);
	list->item[list->n++] = copy;
	return STATUS_OK;
}

void list_free(struct text_list *list)
{
	for (size_t i = 0; i < list->n; i++)
		free(list->item[i]);
	free(list->item);
	*list = (struct text_list){0};
}

/*
 * Appends the pieces of TEXT between SEPARATORs; CONTINUES (or NULL) tells whether what follows a
 * separator, REST, belongs to the piece of LENGTH bytes before it.
 */
static enum status list_add_pieces(
    struct text_list *list, const char *what, const char *text, char separator,
    bool (*continues)(const char *piece, size_t length, const char *rest), struct why *why)
{
	const char *stop = (char[]){separator, '\0'};
	for (const char *piece = text;;) {
		size_t length = strcspn(piece, stop);
		while (continues && piece[length] && continues(piece, length, piece + length + 1))
			length += 1 + strcspn(piece + length + 1, stop);
		if (length == 0)
			return why_set(why, STATUS_INPUT, "%s: '%s' has an empty item", what, text);
		enum status status = list_add(list, piece, length, why);
		if (status || !piece[length])
			return status;
		piece += length + 1;
	}
}

enum status list_split(struct text_list *list, const char *what, const char *text, struct why *why)
{
	return list_add_pieces(list, what, text, ',', NULL, why);
}

/*
 * Whether REST starts with a key=value of the specification AGENT of LENGTH bytes before it, or goes
 * on with a text in it: with what is no agent's name and makes an agent together with AGENT.
 */
static bool agent_continues(const char *agent, size_t length, const char *rest)
{
	char text[SPEC_MAX], canonical[SPEC_MAX];
	size_t end = strcspn(rest, ",:=");
	if (rest[end] == '=')
		return true;
	if (rest[end] == ':' || end == 0 || length + 1 + end >= sizeof text)
		return false;
	memcpy(text, agent, length + 1 + end); /* with the comma between them */
	text[length + 1 + end] = '\0';
	return !agent_class_of(text + length + 1) &&
	       agent_canonical(text, canonical, NULL) == STATUS_OK;
}

enum status list_split_agents(struct text_list *list, const char *what, const char *text,
			      struct why *why)
{
	if (strchr(text, ';'))
		return list_add_pieces(list, what, text, ';', NULL, why);
	return list_add_pieces(list, what, text, ',', agent_continues, why);
}

bool agent_sets(const char *agent, const char *key)
{
	size_t length = strlen(key);
	for (agent += strcspn(agent, ":"); *agent; agent += strcspn(agent, ",")) {
		agent++;
		if (strncmp(agent, key, length) == 0 && agent[length] == '=')
			return true;
	}
	return false;
}

static error_t parse_board(int key, char *arg, struct argp_state *state)
{
	struct game_options *game = state->input;
	if (key != 'b')
		return ARGP_ERR_UNKNOWN;
	game->shape = arg;
	return 0;
}

static error_t parse_spawn(int key, char *arg, struct argp_state *state)
{
	struct game_options *game = state->input;
	if (key != KEY_SPAWN)
		return ARGP_ERR_UNKNOWN;
	game->spawn = arg;
	return 0;
}

static error_t parse_rule(int key, char *arg, struct argp_state *state)
{
	struct game_options *game = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = game;
		return 0;
	case KEY_START_TILES:
		game->start_tiles = (int)option_number(state, "--start-tiles", arg, 1, CELLS_MAX);
		return 0;
	case KEY_START:
		game->start = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static error_t parse_boards(int key, char *arg, struct argp_state *state)
{
	struct why why;
	if (key != 'b')
		return ARGP_ERR_UNKNOWN;
	option_check(state, list_split(state->input, "--boards", arg, &why), &why);
	return 0;
}

static error_t parse_agents(int key, char *arg, struct argp_state *state)
{
	struct why why;
	if (key != 'a')
		return ARGP_ERR_UNKNOWN;
	option_check(state, list_split_agents(state->input, "--agents", arg, &why), &why);
	return 0;
}

static error_t parse_seed(int key, char *arg, struct argp_state *state)
{
	uint64_t *seed = state->input;
	if (key != 's')
		return ARGP_ERR_UNKNOWN;
	*seed = option_number(state, "--seed", arg, 0, UINT64_MAX);
	return 0;
}

static error_t parse_threads(int key, char *arg, struct argp_state *state)
{
	int *threads = state->input;
	if (key != 'j')
		return ARGP_ERR_UNKNOWN;
	*threads = (int)option_number(state, "--threads", arg, 1, THREADS_MAX);
	return 0;
}

static error_t parse_pace(int key, char *arg, struct argp_state *state)
{
	struct pace *pace = state->input;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &pace->threads;
		return 0;
	case KEY_BUDGET:
		pace->budget = option_duration(state, "--time-budget", arg);
		return 0;
	case KEY_PROGRESS:
		pace->progress = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option board_table[] = {
    {"board", 'b', "RxC", 0, "Board of R rows and C columns, 2x2 to 6x6 (default 4x4)", 0},
    {0},
};

static const struct argp_option spawn_table[] = {
    {"spawn", KEY_SPAWN, "TILE:P,...", 0,
     "Tiles that appear after a move, with their probabilities (default 2:0.9,4:0.1)", 0},
    {0},
};

static const struct argp_option rule_table[] = {
    {"start-tiles", KEY_START_TILES, "N", 0, "Tiles spawned before the first move (default 2)", 0},
    {"start", KEY_START, "POSITION", 0,
     "Position to start from: rows from the top separated by '/', tiles by ',', 0 for empty", 0},
    {0},
};

static const struct argp_option boards_table[] = {
    {"boards", 'b', "RxC,...", 0, "Boards, as in 3x3,4x4,5x6; 2x2 to 6x6 (default 4x4)", 0},
    {0},
};

static const struct argp_option agents_table[] = {
    {"agents", 'a', "SPEC,...", 0,
     "Agents, as in random,expectimax:depth=2,cutoff=1e-3,corners: a piece with '=' before any "
     "':' belongs to the agent before it, and so does more of a text at its end. Where a ';' "
     "occurs, only ';' separates. May be repeated",
     0},
    {0},
};

static const struct argp_option seed_table[] = {
    {"seed", 's', "S", 0, "Seed of the random streams (default 1)", 0},
    {0},
};

static const struct argp_option threads_table[] = {
    {"threads", 'j', "N", 0, "Worker threads (default: one a processor)", 0},
    {0},
};

static const struct argp_option pace_table[] = {
    {"time-budget", KEY_BUDGET, "TIME", 0,
     "Stop in order after a time such as 90s, 10m or 1.5h, with exit status 75 if something is "
     "left to do: the same command then goes on",
     0},
    {"progress", KEY_PROGRESS, NULL, 0, "Show progress even if standard error is not a terminal",
     0},
    {0},
};

const struct argp options_board = {.options = board_table, .parser = parse_board};
const struct argp options_spawn = {.options = spawn_table, .parser = parse_spawn};

static const struct argp_child rule_children[] = {{.argp = &options_spawn}, {0}};
const struct argp options_rule = {
    .options = rule_table,
    .parser = parse_rule,
    .children = rule_children,
};
const struct argp options_boards = {.options = boards_table, .parser = parse_boards};
const struct argp options_agents = {.options = agents_table, .parser = parse_agents};
const struct argp options_seed = {.options = seed_table, .parser = parse_seed};
const struct argp options_threads = {.options = threads_table, .parser = parse_threads};

static const struct argp_child pace_children[] = {{.argp = &options_threads}, {0}};
const struct argp options_pace = {
    .options = pace_table,
    .parser = parse_pace,
    .children = pace_children,
};
