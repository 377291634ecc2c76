/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Experiment files: YAML read with libyaml's document API, so that every error has its line and
 * column. Nothing else includes yaml.h.
 *
 * A file is a mapping of the keys in `top_keys`. Each of its `sequences` is a mapping of the keys
 * in `sequence_keys`; boards, agents and games that it leaves out are those of the top, and a file
 * without sequences is one sequence that leaves out everything.
 *
 * Anchors and aliases are followed. The schema has a fixed depth, so that a node that contains
 * itself is merely of the wrong kind somewhere, and ENTRIES_MAX bounds what aliases can multiply.
 */
#include "src/experiment.h"
#include "src/options.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { TITLE_MAX = 200 };

enum key { BOARDS, AGENTS, GAMES, LABEL, TRAIN, EVALUATE, REPEAT, SEQUENCE_KEYS };

/* The keys that a sequence shares with the top come first, so that both index one enum. */
static const char *const sequence_keys[SEQUENCE_KEYS + 1] = {
    "boards", "agents", "games", "label", "train", "evaluate", "repeat",
};

enum { NAME = GAMES + 1, TITLE, SEED, SPAWN, START_TILES, SEQUENCES, TOP_KEYS };

static const char *const top_keys[TOP_KEYS + 1] = {
    "boards", "agents", "games", "name", "title", "seed", "spawn", "start-tiles", "sequences",
};

struct reader {
	const char *path;
	yaml_document_t document;
	yaml_node_t *top[TOP_KEYS];
	char *spawn; /* borrowed from the document, or NULL */
	int start_tiles;
	struct experiment experiment;
	struct why *why;
};

__attribute__((format(printf, 3, 4))) static enum status fail(struct reader *r,
							      const yaml_node_t *node,
							      const char *format, ...)
{
	char reason[sizeof r->why->text];
	va_list args;
	va_start(args, format);
	vsnprintf(reason, sizeof reason, format, args);
	va_end(args);
	return why_set(r->why, STATUS_INPUT, "%s:%zu:%zu: %s", r->path, node->start_mark.line + 1,
		       node->start_mark.column + 1, reason);
}

/* Gives STATUS, whose reason is in WHY, the place of NODE. Running out of memory has no place. */
static enum status fail_at(struct reader *r, const yaml_node_t *node, enum status status,
			   const struct why *why)
{
	if (status == STATUS_INPUT)
		return fail(r, node, "%s", why->text);
	return why_set(r->why, status, "%s", why->text);
}

/* The text of a scalar; WHAT names it in errors. */
static enum status scalar_text(struct reader *r, const yaml_node_t *node, const char *what,
			       char **text)
{
	if (node->type != YAML_SCALAR_NODE)
		return fail(r, node, "%s: must be a single value", what);
	char *value = (char *)node->data.scalar.value;
	if (node->data.scalar.length == 0 || strlen(value) != node->data.scalar.length)
		return fail(r, node, "%s: must not be empty or contain a NUL", what);
	*text = value;
	return STATUS_OK;
}

/* Reads a number if NODE is there; else leaves it as it is. */
static enum status scalar_number(struct reader *r, const yaml_node_t *node, const char *what,
				 uint64_t min, uint64_t max, uint64_t *number)
{
	char *text;
	struct why why;
	if (!node)
		return STATUS_OK;
	enum status status = scalar_text(r, node, what, &text);
	if (status)
		return status;
	status = number_parse(what, text, min, max, number, &why);
	return status ? fail_at(r, node, status, &why) : STATUS_OK;
}

static enum status unknown_key(struct reader *r, const yaml_node_t *node, const char *text,
			       const char *const *keys)
{
	int best = 3;
	const char *hint = NULL;
	char list[256] = "";
	for (; *keys; keys++) {
		int distance = edit_distance(text, strlen(text), *keys, strlen(*keys));
		if (distance < best) {
			best = distance;
			hint = *keys;
		}
		strcat(strcat(list, *list ? ", " : ""), *keys);
	}
	if (hint)
		return fail(r, node, "unknown key '%.80s'; did you mean '%s'?", text, hint);
	return fail(r, node, "unknown key '%.80s'; the keys here are %s", text, list);
}

/* Sorts the values of a mapping into VALUES by the index of their keys; NULL for those left out. */
static enum status mapping_read(struct reader *r, const yaml_node_t *node, const char *what,
				const char *const *keys, yaml_node_t **values)
{
	if (node->type != YAML_MAPPING_NODE)
		return fail(r, node, "%s: must be a mapping of keys to values", what);
	const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
	for (; pair < node->data.mapping.pairs.top; pair++) {
		char *text;
		yaml_node_t *key = yaml_document_get_node(&r->document, pair->key);
		enum status status = scalar_text(r, key, "a key", &text);
		if (status)
			return status;
		int k = 0;
		while (keys[k] && strcmp(keys[k], text) != 0)
			k++;
		if (!keys[k])
			return unknown_key(r, key, text, keys);
		if (values[k])
			return fail(r, key, "key '%s' is there twice", text);
		values[k] = yaml_document_get_node(&r->document, pair->value);
	}
	return STATUS_OK;
}

/*
 * The I-th item of a list, NULL after the last; a single value is a list of one. Check with
 * list_check() beforehand.
 */
static yaml_node_t *list_item(struct reader *r, yaml_node_t *node, int i)
{
	if (node->type == YAML_SCALAR_NODE)
		return i == 0 ? node : NULL;
	const yaml_node_item_t *item = node->data.sequence.items.start + i;
	if (item == node->data.sequence.items.top)
		return NULL;
	return yaml_document_get_node(&r->document, *item);
}

static enum status list_check(struct reader *r, const yaml_node_t *node, const char *what)
{
	if (node->type == YAML_SCALAR_NODE)
		return STATUS_OK;
	if (node->type != YAML_SEQUENCE_NODE)
		return fail(r, node, "%s: must be a list", what);
	if (node->data.sequence.items.start == node->data.sequence.items.top)
		return fail(r, node, "%s: must not be an empty list", what);
	return STATUS_OK;
}

static enum status board_read_node(struct reader *r, const yaml_node_t *node, struct game *game)
{
	char *text;
	struct why why;
	enum status status = scalar_text(r, node, "boards", &text);
	if (status)
		return status;
	struct game_options options = {
	    .shape = text, .spawn = r->spawn, .start_tiles = r->start_tiles};
	status = game_init(game, &options, &why);
	return status ? fail_at(r, node, status, &why) : STATUS_OK;
}

static enum status agent_read_node(struct reader *r, const yaml_node_t *node, char **text)
{
	enum status status = scalar_text(r, node, "agents", text);
	if (status)
		return status;
	/* [expectimax:depth=2,cutoff=0] is two items to YAML. */
	if ((*text)[strcspn(*text, ":=")] == '=')
		return fail(r, node,
			    "'%.80s' is a parameter, not an agent: quote the agent with "
			    "all its parameters",
			    *text);
	char canonical[SPEC_MAX];
	struct why why;
	status = agent_canonical(*text, canonical, &why);
	return status ? fail_at(r, node, status, &why) : STATUS_OK;
}

/* Reads and checks the numbers of a sequence. */
static enum status schedule_read(struct reader *r, const yaml_node_t *node, yaml_node_t **values,
				 struct schedule *schedule)
{
	struct schedule s = {0};
	bool train = values[TRAIN] != NULL;
	for (enum key k = EVALUATE; k <= REPEAT; k++)
		if (values[k] && !train)
			return fail(r, values[k], "%s: needs train", sequence_keys[k]);
	if (!values[GAMES] && !train)
		return fail(r, node, "games is missing");
	s.repeat = train;
	enum status status = scalar_number(r, values[GAMES], "games", !train, COUNT_MAX, &s.games);
	if (!status)
		status = scalar_number(r, values[TRAIN], "train", 1, COUNT_MAX, &s.train);
	if (!status)
		status = scalar_number(r, values[EVALUATE], "evaluate", 0, COUNT_MAX, &s.evaluate);
	if (!status)
		status = scalar_number(r, values[REPEAT], "repeat", 1, COUNT_MAX, &s.repeat);
	if (status)
		return status;
	if (s.games == 0 && s.evaluate == 0)
		return fail(r, node, "evaluate and games are both 0: nothing would be played");
	*schedule = s;
	return STATUS_OK;
}

/* Adds a sequence: every agent on every board. NODE is where errors of the whole belong. */
static enum status sequence_add(struct reader *r, const yaml_node_t *node, yaml_node_t **values)
{
	char *agent, *label = NULL;
	struct game game;
	struct schedule schedule;
	enum status status = schedule_read(r, node, values, &schedule);
	if (!status && values[LABEL])
		status = scalar_text(r, values[LABEL], "label", &label);
	for (enum key k = BOARDS; !status && k <= AGENTS; k++) {
		if (!values[k])
			status = fail(r, node, "%s is missing", sequence_keys[k]);
		else
			status = list_check(r, values[k], sequence_keys[k]);
	}
	yaml_node_t *board_node, *agent_node;
	for (int b = 0; !status && (board_node = list_item(r, values[BOARDS], b)); b++) {
		status = board_read_node(r, board_node, &game);
		for (int a = 0; !status && (agent_node = list_item(r, values[AGENTS], a)); a++) {
			struct why why;
			status = agent_read_node(r, agent_node, &agent);
			if (status)
				break;
			status =
			    experiment_add(&r->experiment, &game, agent, label, &schedule, &why);
			if (status)
				status = fail_at(r, agent_node, status, &why);
		}
	}
	return status;
}

static enum status sequence_read(struct reader *r, const yaml_node_t *node)
{
	yaml_node_t *values[SEQUENCE_KEYS] = {0};
	enum status status = mapping_read(r, node, "a sequence", sequence_keys, values);
	if (status)
		return status;
	for (enum key k = BOARDS; k <= GAMES; k++)
		if (!values[k])
			values[k] = r->top[k];
	return sequence_add(r, node, values);
}

static enum status sequences_read(struct reader *r, const yaml_node_t *root)
{
	yaml_node_t *node = r->top[SEQUENCES];
	if (!node) {
		yaml_node_t *values[SEQUENCE_KEYS] = {
		    [BOARDS] = r->top[BOARDS], [AGENTS] = r->top[AGENTS], [GAMES] = r->top[GAMES]};
		return sequence_add(r, root, values);
	}
	enum status status = list_check(r, node, "sequences");
	yaml_node_t *item;
	for (int i = 0; !status && (item = list_item(r, node, i)); i++)
		status = sequence_read(r, item);
	return status;
}

/* The name given, or else the file's own without folders and suffix. */
static enum status name_read(struct reader *r, const yaml_node_t *root)
{
	const yaml_node_t *node = r->top[NAME];
	char *text;
	if (node) {
		enum status status = scalar_text(r, node, "name", &text);
		if (status)
			return status;
		r->experiment.name = strdup(text);
	} else {
		text = strrchr(r->path, '/');
		r->experiment.name = strdup(text ? text + 1 : r->path);
		if (r->experiment.name && strchr(r->experiment.name, '.'))
			*strrchr(r->experiment.name, '.') = '\0';
	}
	if (!r->experiment.name)
		return why_errno(r->why, "%s", r->path);
	if (experiment_name_valid(r->experiment.name))
		return STATUS_OK;
	return fail(r, node ? node : root,
		    "name: '%.80s' must be letters, digits, '.', '_' and '-'", r->experiment.name);
}

static enum status title_read(struct reader *r)
{
	char *text;
	const yaml_node_t *node = r->top[TITLE];
	if (!node)
		return STATUS_OK;
	enum status status = scalar_text(r, node, "title", &text);
	if (status)
		return status;
	if (strlen(text) > TITLE_MAX || strpbrk(text, "\n\t"))
		return fail(r, node, "title: must be one line of at most %d bytes", TITLE_MAX);
	r->experiment.title = strdup(text);
	return r->experiment.title ? STATUS_OK : why_errno(r->why, "%s", r->path);
}

/* What all sequences share. */
static enum status top_read(struct reader *r, const yaml_node_t *root)
{
	uint64_t start_tiles = 0;
	enum status status = mapping_read(r, root, "an experiment", top_keys, r->top);
	if (!status)
		status = name_read(r, root);
	if (!status)
		status = title_read(r);
	r->experiment.seed = 1;
	if (!status)
		status = scalar_number(r, r->top[SEED], "seed", 0, UINT64_MAX, &r->experiment.seed);
	if (!status)
		status = scalar_number(r, r->top[START_TILES], "start-tiles", 1, CELLS_MAX,
				       &start_tiles);
	r->start_tiles = (int)start_tiles;
	if (!status && r->top[SPAWN])
		status = scalar_text(r, r->top[SPAWN], "spawn", &r->spawn);
	if (status || !r->spawn)
		return status;
	struct game game;
	struct why why;
	struct game_options options = {.shape = "4x4", .spawn = r->spawn};
	status = game_init(&game, &options, &why);
	return status ? fail_at(r, r->top[SPAWN], status, &why) : STATUS_OK;
}

static enum status parser_fail(const char *path, const yaml_parser_t *parser, struct why *why)
{
	if (parser->error == YAML_MEMORY_ERROR)
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", path);
	if (parser->error == YAML_READER_ERROR)
		return why_set(why, STATUS_INPUT, "%s: byte %zu: %s", path, parser->problem_offset,
			       parser->problem);
	return why_set(why, STATUS_INPUT, "%s:%zu:%zu: %s", path, parser->problem_mark.line + 1,
		       parser->problem_mark.column + 1, parser->problem);
}

/* Refuses what follows the first document. */
static enum status parser_end(const char *path, yaml_parser_t *parser, struct why *why)
{
	yaml_document_t second;
	if (!yaml_parser_load(parser, &second))
		return parser_fail(path, parser, why);
	const yaml_node_t *root = yaml_document_get_root_node(&second);
	enum status status = STATUS_OK;
	if (root)
		status = why_set(why, STATUS_INPUT, "%s:%zu:%zu: a second document: one is allowed",
				 path, root->start_mark.line + 1, root->start_mark.column + 1);
	yaml_document_delete(&second);
	return status;
}

/* Reads the experiment in TEXT. */
static enum status experiment_parse(struct experiment *experiment, const char *path,
				    const char *text, size_t size, struct why *why)
{
	struct reader r = {.path = path, .why = why};
	yaml_parser_t parser;
	if (!yaml_parser_initialize(&parser))
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", path);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
	enum status status = STATUS_OK;
	if (!yaml_parser_load(&parser, &r.document)) {
		status = parser_fail(path, &parser, why);
		yaml_parser_delete(&parser);
		return status;
	}
	const yaml_node_t *root = yaml_document_get_root_node(&r.document);
	if (root)
		status = parser_end(path, &parser, why);
	else
		status = why_set(why, STATUS_INPUT, "%s: holds no experiment", path);
	if (!status)
		status = top_read(&r, root);
	if (!status)
		status = sequences_read(&r, root);
	yaml_document_delete(&r.document);
	yaml_parser_delete(&parser);
	if (status)
		experiment_fini(&r.experiment);
	else
		*experiment = r.experiment;
	return status;
}

enum status experiment_read(struct experiment *experiment, const char *path, struct why *why)
{
	FILE *in = fopen(path, "r");
	if (!in) {
		bool missing = errno == ENOENT || errno == ENOTDIR;
		why_errno(why, "%s", path);
		return missing ? STATUS_INPUT : STATUS_SYSTEM;
	}
	enum status status;
	char *text = malloc(EXPERIMENT_FILE_MAX + 1);
	size_t size = text ? fread(text, 1, EXPERIMENT_FILE_MAX + 1, in) : 0;
	if (!text || ferror(in))
		status = why_errno(why, "%s", path);
	else if (size > EXPERIMENT_FILE_MAX)
		status = why_set(why, STATUS_INPUT, "%s: larger than %d bytes", path,
				 EXPERIMENT_FILE_MAX);
	else
		status = experiment_parse(experiment, path, text, size, why);
	free(text);
	fclose(in);
	return status;
}
