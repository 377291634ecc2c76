/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The schema of experiment files. A file is a mapping of `top_keys`. Each of its `sequences` is a
 * mapping of `sequence_keys`; boards, agents and games that it leaves out are those of the top, and
 * a file without sequences is one sequence that leaves out everything. A file with a `sweep`
 * (sweep_file.c) has neither sequences nor agents and games at its top.
 */
#include "src/cli/document.h"
#include "src/run/experiment.h"
#include "src/run/sweep.h"

#include <stdlib.h>
#include <string.h>

enum { TITLE_MAX = 200 };

enum sequence_key { BOARDS, AGENTS, GAMES, LABEL, TRAIN, SECONDS, EVALUATE, REPEAT, SEQUENCE_KEYS };

/*
 * What a sequence shares with the top comes first in both, so that `enum sequence_key` indexes
 * both.
 */
static const char *const sequence_keys[SEQUENCE_KEYS + 1] = {
    "boards", "agents", "games", "label", "train", "seconds", "evaluate", "repeat",
};

enum { NAME = GAMES + 1, TITLE, SEED, SPAWN, START_TILES, MS, TRACES, SEQUENCES, SWEEP, TOP_KEYS };

static const char *const top_keys[TOP_KEYS + 1] = {
    "boards", "agents",	     "games",	    "name",   "title",	   "seed",
    "spawn",  "start-tiles", "ms-per-move", "traces", "sequences", "sweep",
};

struct experiment_reader {
	struct document *document;
	struct yaml_node_s *top[TOP_KEYS];
	const char *spawn; /* the document's, or NULL */
	int start_tiles;
	struct experiment experiment;
	struct why *why;
};

static enum status read_board(struct experiment_reader *r, const struct yaml_node_s *node,
			      struct game *game)
{
	const char *text;
	enum status status = node_plain(r->document, node, "boards", &text, r->why);
	if (status)
		return status;
	struct game_options options = {
	    .shape = text, .spawn = r->spawn, .start_tiles = r->start_tiles};
	status = game_init(game, &options, r->why);
	return node_fail_as(r->document, node, status, r->why);
}

static enum status read_agent(struct experiment_reader *r, const struct yaml_node_s *node,
			      const char **text)
{
	enum status status = node_text(r->document, node, "agents", text, r->why);
	if (status)
		return status;
	/* [expectimax:depth=2,cutoff=0] is two items to YAML. */
	if ((*text)[strcspn(*text, ":=")] == '=')
		return node_fail(r->document, node, r->why,
				 "'%.80s' is a parameter and no agent; an agent with several "
				 "parameters must be quoted",
				 *text);
	if ((*text)[strcspn(*text, ":,")] == ',')
		return node_plain(r->document, node, "agents", text, r->why);
	return STATUS_OK;
}

/* Reads and checks the numbers of a sequence. */
static enum status read_schedule(struct experiment_reader *r, const struct yaml_node_s *node,
				 struct yaml_node_s **values, struct schedule *schedule)
{
	struct document *d = r->document;
	bool trains = values[TRAIN] || values[SECONDS];
	struct schedule s = {.repeat = trains};
	for (enum sequence_key k = EVALUATE; k <= REPEAT; k++)
		if (values[k] && !trains)
			return node_fail(d, values[k], r->why, "%s: needs train or seconds",
					 sequence_keys[k]);
	if (values[TRAIN] && values[SECONDS])
		return node_fail(d, values[SECONDS], r->why,
				 "seconds: a block has either train or seconds");
	if (!values[GAMES] && !trains)
		return node_fail(d, node, r->why, "games is missing");
	const struct {
		int key;
		uint64_t least, *number;
	} numbers[] = {{GAMES, trains ? 0 : 1, &s.games},
		       {TRAIN, 1, &s.train},
		       {SECONDS, 1, &s.seconds},
		       {EVALUATE, 0, &s.evaluate},
		       {REPEAT, 1, &s.repeat}};
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < sizeof numbers / sizeof *numbers; i++)
		status = node_number(d, values[numbers[i].key], sequence_keys[numbers[i].key],
				     numbers[i].least, COUNT_MAX, numbers[i].number, r->why);
	if (!status && s.games == 0 && s.evaluate == 0)
		status = node_fail(d, node, r->why, "neither evaluate nor games: nothing to play");
	if (!status)
		*schedule = s;
	return status;
}

/* Adds the agents in the list NODE on the board GAME. */
static enum status agents_add(struct experiment_reader *r, struct yaml_node_s *node,
			      const struct game *game, const char *label,
			      const struct schedule *schedule)
{
	const char *agent;
	struct yaml_node_s *item;
	enum status status = STATUS_OK;
	for (int i = 0; !status && (item = node_item(r->document, node, i)); i++) {
		status = read_agent(r, item, &agent);
		if (status)
			break;
		status = experiment_add(&r->experiment, game, agent, label, schedule, r->why);
		status = node_fail_as(r->document, item, status, r->why);
	}
	return status;
}

/* Adds a sequence: every agent on every board. NODE is where errors of the whole belong. */
static enum status sequence_add(struct experiment_reader *r, const struct yaml_node_s *node,
				struct yaml_node_s **values)
{
	struct game game;
	struct schedule schedule;
	struct yaml_node_s *board;
	const char *label = NULL;
	enum status status = STATUS_OK;
	for (enum sequence_key k = BOARDS; !status && k <= AGENTS; k++) {
		if (values[k])
			status = node_list(r->document, values[k], sequence_keys[k], r->why);
		else
			status =
			    node_fail(r->document, node, r->why, "%s is missing", sequence_keys[k]);
	}
	if (!status)
		status = read_schedule(r, node, values, &schedule);
	if (!status && values[LABEL])
		status = node_text(r->document, values[LABEL], "label", &label, r->why);
	for (int i = 0; !status && (board = node_item(r->document, values[BOARDS], i)); i++) {
		status = read_board(r, board, &game);
		if (!status)
			status = agents_add(r, values[AGENTS], &game, label, &schedule);
	}
	return status;
}

static enum status read_sequence(struct experiment_reader *r, const struct yaml_node_s *node)
{
	struct yaml_node_s *values[SEQUENCE_KEYS] = {0};
	enum status status =
	    node_mapping(r->document, node, "a sequence", sequence_keys, values, r->why);
	if (status)
		return status;
	for (enum sequence_key k = BOARDS; k <= GAMES; k++)
		if (!values[k])
			values[k] = r->top[k];
	return sequence_add(r, node, values);
}

static enum status read_sequences(struct experiment_reader *r, const struct yaml_node_s *root)
{
	struct yaml_node_s *node = r->top[SEQUENCES], *item;
	if (!node) {
		struct yaml_node_s *values[SEQUENCE_KEYS] = {
		    [BOARDS] = r->top[BOARDS], [AGENTS] = r->top[AGENTS], [GAMES] = r->top[GAMES]};
		return sequence_add(r, root, values);
	}
	enum status status = node_list(r->document, node, "sequences", r->why);
	for (int i = 0; !status && (item = node_item(r->document, node, i)); i++)
		status = read_sequence(r, item);
	return status;
}

/* The sweep, with its cells on every board. */
static enum status read_sweep(struct experiment_reader *r, const struct yaml_node_s *root)
{
	static const int foreign[] = {AGENTS, GAMES, SEQUENCES, MS, TRACES};
	struct game game;
	struct yaml_node_s *board;
	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
		if (r->top[foreign[i]])
			return node_fail(r->document, r->top[foreign[i]], r->why,
					 "%s: has no meaning beside a sweep", top_keys[foreign[i]]);
	if (!r->top[BOARDS])
		return node_fail(r->document, root, r->why, "boards is missing");
	r->experiment.sweep = malloc(sizeof *r->experiment.sweep);
	if (!r->experiment.sweep)
		return why_errno(r->why, "sweep");
	enum status status = sweep_read(r->experiment.sweep, r->document, r->top[SWEEP], r->why);
	if (!status)
		status = node_list(r->document, r->top[BOARDS], "boards", r->why);
	for (int i = 0; !status && (board = node_item(r->document, r->top[BOARDS], i)); i++) {
		status = read_board(r, board, &game);
		if (status)
			break;
		status = sweep_add_cells(r->experiment.sweep, &r->experiment, &game, r->why);
		status = node_fail_as(r->document, r->top[SWEEP], status, r->why);
	}
	return status;
}

/* The file's own name without folders and suffix, on the heap. */
static char *name_from_path(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name = strdup(slash ? slash + 1 : path);
	if (name && strrchr(name, '.'))
		*strrchr(name, '.') = '\0';
	return name;
}

static enum status read_name(struct experiment_reader *r, const struct yaml_node_s *root)
{
	const char *text;
	const struct yaml_node_s *node = r->top[NAME];
	enum status status = node ? node_text(r->document, node, "name", &text, r->why) : STATUS_OK;
	if (status)
		return status;
	char *name = node ? strdup(text) : name_from_path(document_path(r->document));
	r->experiment.name = name;
	if (!name)
		return why_errno(r->why, "%s", document_path(r->document));
	if (experiment_name_valid(name))
		return STATUS_OK;
	return node_fail(r->document, node ? node : root, r->why,
			 "name: '%.80s' must be letters, digits, '.', '_' and '-'", name);
}

static enum status read_title(struct experiment_reader *r)
{
	const char *text;
	const struct yaml_node_s *node = r->top[TITLE];
	if (!node)
		return STATUS_OK;
	enum status status = node_text(r->document, node, "title", &text, r->why);
	if (status)
		return status;
	if (strlen(text) > TITLE_MAX || strpbrk(text, "\n\t"))
		return node_fail(r->document, node, r->why,
				 "title: must be one line of at most %d bytes", TITLE_MAX);
	r->experiment.title = strdup(text);
	return r->experiment.title ? STATUS_OK : why_errno(r->why, "title");
}

/* The spawn rule, tried on some board so that an error in it is shown where it is. */
static enum status read_spawn(struct experiment_reader *r)
{
	struct game game;
	const struct yaml_node_s *node = r->top[SPAWN];
	if (!node)
		return STATUS_OK;
	enum status status = node_text(r->document, node, "spawn", &r->spawn, r->why);
	if (status)
		return status;
	struct game_options options = {.shape = "4x4", .spawn = r->spawn};
	status = game_init(&game, &options, r->why);
	return node_fail_as(r->document, node, status, r->why);
}

/* The same time a move for all. */
static enum status read_time(struct experiment_reader *r)
{
	const char *text;
	const struct yaml_node_s *node = r->top[MS];
	if (!node)
		return STATUS_OK;
	enum status status = node_text(r->document, node, top_keys[MS], &text, r->why);
	if (status)
		return status;
	status = experiment_time(top_keys[MS], text, &r->experiment.ms_per_move, r->why);
	return node_fail_as(r->document, node, status, r->why);
}

/* What all sequences share. */
static enum status read_top(struct experiment_reader *r, const struct yaml_node_s *root)
{
	uint64_t start_tiles = 0;
	struct document *d = r->document;
	r->experiment.seed = 1;
	enum status status = node_mapping(d, root, "an experiment", top_keys, r->top, r->why);
	if (!status)
		status = read_name(r, root);
	if (!status)
		status = read_title(r);
	if (!status)
		status = read_spawn(r);
	if (!status)
		status = read_time(r);
	if (!status)
		status = node_number(d, r->top[TRACES], top_keys[TRACES], 0, TRACES_MAX,
				     &r->experiment.traces, r->why);
	if (!status)
		status = node_number(d, r->top[SEED], "seed", 0, UINT64_MAX, &r->experiment.seed,
				     r->why);
	if (!status)
		status = node_number(d, r->top[START_TILES], "start-tiles", 1, CELLS_MAX,
				     &start_tiles, r->why);
	r->start_tiles = (int)start_tiles;
	return status;
}

enum status experiment_read(struct experiment *experiment, const char *path, struct why *why)
{
	struct experiment_reader r = {.why = why};
	enum status status = document_read(&r.document, path, why);
	if (status)
		return status;
	const struct yaml_node_s *root = document_root(r.document);
	status = read_top(&r, root);
	if (!status)
		status = r.top[SWEEP] ? read_sweep(&r, root) : read_sequences(&r, root);
	document_free(r.document);
	if (status)
		experiment_fini(&r.experiment);
	else
		*experiment = r.experiment;
	return status;
}
