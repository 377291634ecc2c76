/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Experiment files: YAML, read strictly. Every error is STATUS_INPUT and reads FILE:LINE:COLUMN:
 * REASON; libyaml's document API keeps line and column of every node.
 *
 * A file is a mapping with `top_keys`. Each of its `sequences` is a mapping with `sequence_keys`
 * and inherits missing boards, agents, players and games from the top level; a file without
 * sequences is one sequence that inherits everything. Numbers of a schedule may be maps from boards
 * to numbers, and `train` a list of points; `under` lists players that use the weights of a
 * sequence's learners. A file with a `sweep` has no sequences, agents, players or games.
 *
 * Anchors and aliases are followed, so a node may occur in several places, or even contain itself;
 * reading ends nevertheless, because the schema has a fixed depth.
 */
#include "src/measure/experiment_file.h"

#include "base/field.h"
#include "base/file.h"
#include "base/number.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "src/cli/options.h"
#include "src/measure/sweep.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yaml.h>

/* ---- Documents and their nodes, which belong to the document. */

enum {
	DOCUMENT_SIZE_MAX = 1 << 16,
	DOCUMENT_DEPTH_MAX = 32,
};

enum sequence_key {
	BOARDS,
	AGENTS,
	PLAYERS,
	GAMES,
	LABEL,
	TRAIN,
	SECONDS,
	EVALUATE,
	REPEAT,
	TRAININGS,
	UNDER,
	SEQUENCE_KEYS
};

/* Of the top level, after the keys that it shares with a sequence. */
enum {
	NAME = GAMES + 1,
	TITLE,
	DURATION,
	SEED,
	SPAWN,
	START_TILES,
	MS,
	TRACES,
	PRECISION,
	SEQUENCES,
	SWEEP,
	TOP_KEYS
};

struct experiment_reader {
	const char *path;
	yaml_document_t yaml;
	yaml_node_t *top[TOP_KEYS]; /* the values of the top level */
	struct game_options rule;   /* of all boards; its texts belong to the document */
	struct experiment experiment;
	struct why *why;
};

/* Counts the lines before an invalid byte, of which libyaml reports only the offset. */
static size_t lines_before(const yaml_parser_t *parser)
{
	size_t lines = 0;
	const unsigned char *at = parser->input.string.start, *end = at + parser->problem_offset;
	while ((at = memchr(at, '\n', (size_t)(end - at)))) {
		lines++;
		at++;
	}
	return lines;
}

static enum status parser_fail(const struct experiment_reader *r, const yaml_parser_t *parser)
{
	/* Some errors of libyaml for lack of memory have neither a kind nor a text. */
	if (parser->error == YAML_MEMORY_ERROR || !parser->problem)
		return why_set(r->why, STATUS_SYSTEM, "%s: out of memory", r->path);
	if (parser->error == YAML_READER_ERROR)
		return why_set(r->why, STATUS_INPUT, "%s:%zu: %s (byte %zu)", r->path,
			       lines_before(parser) + 1, parser->problem, parser->problem_offset);
	return why_set(r->why, STATUS_INPUT, "%s:%zu:%zu: %s", r->path,
		       parser->problem_mark.line + 1, parser->problem_mark.column + 1,
		       parser->problem);
}

/*
 * Checks that there is one document, and its nesting, before libyaml makes a document of the
 * events, which would take it seconds for 64 KiB of brackets; no schema nests lists so deeply.
 * Anchors and directives, which take it time proportional to the square of their number, are
 * limited by DOCUMENT_SIZE_MAX.
 */
static enum status events_check(struct experiment_reader *r, yaml_parser_t *parser)
{
	int depth = 0, documents = 0;
	yaml_event_type_t type = YAML_NO_EVENT;
	while (type != YAML_STREAM_END_EVENT) {
		yaml_event_t event;
		if (!yaml_parser_parse(parser, &event))
			return parser_fail(r, parser);
		const bool root = type == YAML_DOCUMENT_START_EVENT;
		const yaml_mark_t at = event.start_mark;
		type = event.type;
		yaml_event_delete(&event);
		documents += type == YAML_DOCUMENT_START_EVENT;
		depth += type == YAML_SEQUENCE_START_EVENT || type == YAML_MAPPING_START_EVENT;
		depth -= type == YAML_SEQUENCE_END_EVENT || type == YAML_MAPPING_END_EVENT;
		if (root && documents > 1)
			return why_set(r->why, STATUS_INPUT,
				       "%s:%zu:%zu: a second document; one is allowed", r->path,
				       at.line + 1, at.column + 1);
		if (depth > DOCUMENT_DEPTH_MAX)
			return why_set(r->why, STATUS_INPUT,
				       "%s:%zu:%zu: lists and mappings within each other, expected "
				       "at most %d",
				       r->path, at.line + 1, at.column + 1, DOCUMENT_DEPTH_MAX);
	}
	return documents ? STATUS_OK : why_set(r->why, STATUS_INPUT, "%s: is empty", r->path);
}

static enum status document_load(struct experiment_reader *r, yaml_parser_t *parser)
{
	return yaml_parser_load(parser, &r->yaml) ? STATUS_OK : parser_fail(r, parser);
}

/* Calls READ with a parser of TEXT. */
static enum status text_parse(struct experiment_reader *r, const char *text, size_t size,
			      enum status (*read)(struct experiment_reader *r,
						  yaml_parser_t *parser))
{
	yaml_parser_t parser;
	if (!yaml_parser_initialize(&parser))
		return why_set(r->why, STATUS_SYSTEM, "%s: out of memory", r->path);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
	const enum status status = read(r, &parser);
	yaml_parser_delete(&parser);
	return status;
}

/* Refuses TEXT that has a NUL but is not UTF-16, such as a model file, and what nxn wrote. */
static enum status text_recognise(const struct experiment_reader *r, const char *text, size_t size)
{
	const bool utf16 =
	    size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0);
	if (!utf16 && memchr(text, '\0', size))
		return why_set(r->why, STATUS_INPUT,
			       "%s: no experiment, run or table of results: it is not even text",
			       r->path);
	/* Logs, tables and curves begin with the version of nxn that wrote them. */
	if (size > 6 && strncmp(text, "# nxn ", 6) == 0 && strchr("0123456789", text[6]))
		return why_set(r->why, STATUS_INPUT,
			       "%s: is a log or table that nxn wrote, expected an experiment; nxn "
			       "report reads it",
			       r->path);
	return STATUS_OK;
}

/*
 * Reads the document in the file. STATUS_INPUT if the file is missing, not YAML, empty, more than
 * one document, larger than DOCUMENT_SIZE_MAX, or nested deeper than DOCUMENT_DEPTH_MAX;
 * STATUS_SYSTEM if it cannot be read. After a failure there is nothing to delete.
 */
static enum status document_read(struct experiment_reader *r)
{
	char *text;
	size_t size;
	enum status status = file_read(r->path, DOCUMENT_SIZE_MAX, &text, &size, r->why);
	if (status)
		return status;
	status = text_recognise(r, text, size);
	status = status ? status : text_parse(r, text, size, events_check);
	status = status ? status : text_parse(r, text, size, document_load);
	free(text);
	return status;
}

/*
 * Prefixes the reason, which another call has set for STATUS, with the place of NODE; returns
 * STATUS. Only STATUS_INPUT gets a place.
 */
static enum status node_fail_as(const struct experiment_reader *r, const yaml_node_t *node,
				enum status status)
{
	const struct why reason = *r->why;
	if (status != STATUS_INPUT)
		return status;
	return why_set(r->why, STATUS_INPUT, "%s:%zu:%zu: %s", r->path, node->start_mark.line + 1,
		       node->start_mark.column + 1, reason.text);
}

/* Reports a reason with the place of NODE. STATUS_INPUT. */
__attribute__((format(printf, 3, 4))) static enum status node_fail(
    const struct experiment_reader *r, const yaml_node_t *node, const char *format, ...)
{
	struct why reason;
	va_list args;
	va_start(args, format);
	vsnprintf(reason.text, sizeof reason.text, format, args);
	va_end(args);
	*r->why = reason;
	return node_fail_as(r, node, STATUS_INPUT);
}

/*
 * Sets *TEXT to the text of a single value, which must not be empty and belongs to the document; to
 * "" after a failure. WHAT names the value in errors.
 */
static enum status node_text(const struct experiment_reader *r, const yaml_node_t *node,
			     const char *what, const char **text)
{
	*text = "";
	if (node->type != YAML_SCALAR_NODE)
		return node_fail(r, node, "%s: must be a single value", what);
	const char *value = (const char *)node->data.scalar.value;
	if (node->data.scalar.length == 0 || strlen(value) != node->data.scalar.length)
		return node_fail(r, node, "%s: must not be empty or contain a NUL", what);
	enum status status = text_check(what, value, DOCUMENT_SIZE_MAX, r->why);
	if (!status)
		*text = value;
	return node_fail_as(r, node, status);
}

/*
 * The same for an item of a list, which must have no comma: only options of commands separate items
 * by commas.
 */
static enum status node_plain(const struct experiment_reader *r, const yaml_node_t *node,
			      const char *what, const char **text)
{
	enum status status = node_text(r, node, what, text);
	if (!status && strchr(*text, ','))
		return node_fail(r, node, "%s: '%.80s': expected a YAML list: [%.80s]", what, *text,
				 *text);
	return status;
}

/* Names the closest of KEYS if there is one within two edits, or else all of them. */
static enum status key_unknown(const struct experiment_reader *r, const yaml_node_t *node,
			       const char *text, const struct command_option *keys)
{
	struct suggestion suggestion = suggestion_start(text, strlen(text));
	for (; keys->field.name; keys++)
		suggestion_try(&suggestion, keys->field.name, strlen(keys->field.name));
	if (suggestion.name)
		return node_fail(r, node, "unknown key '%.80s'; did you mean '%s'?", text,
				 suggestion.name);
	return node_fail(r, node, "unknown key '%.80s'; the keys here are %s", text,
			 suggestion.names);
}

/*
 * Stores the values of a mapping in VALUES at the index of their keys in KEYS; those of missing
 * keys stay NULL. The error for an unknown key suggests a known one.
 */
static enum status node_mapping(struct experiment_reader *r, const yaml_node_t *node,
				const char *what, const struct command_option *keys,
				yaml_node_t **values)
{
	if (node->type != YAML_MAPPING_NODE)
		return node_fail(r, node, "%s: must be a mapping of keys to values", what);
	const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
	for (; pair < node->data.mapping.pairs.top; pair++) {
		const char *text;
		const yaml_node_t *key = yaml_document_get_node(&r->yaml, pair->key);
		enum status status = node_text(r, key, "a key", &text);
		if (status)
			return status;
		int k = 0;
		while (keys[k].field.name && strcmp(keys[k].field.name, text) != 0)
			k++;
		if (!keys[k].field.name)
			return key_unknown(r, key, text, keys);
		if (values[k])
			return node_fail(r, key, "key '%s' is there twice", text);
		values[k] = yaml_document_get_node(&r->yaml, pair->value);
	}
	return STATUS_OK;
}

/* STATUS_INPUT if NODE is an empty list. A node that is no list counts as a list of one item. */
static enum status node_list(const struct experiment_reader *r, const yaml_node_t *node,
			     const char *what)
{
	if (node->type == YAML_SEQUENCE_NODE &&
	    node->data.sequence.items.start == node->data.sequence.items.top)
		return node_fail(r, node, "%s: must not be an empty list", what);
	return STATUS_OK;
}

/* Item I of a node that node_list() has checked, or NULL after the last. */
static yaml_node_t *node_item(struct experiment_reader *r, yaml_node_t *node, int i)
{
	if (node->type != YAML_SEQUENCE_NODE)
		return i == 0 ? node : NULL;
	const yaml_node_item_t *item = node->data.sequence.items.start + i;
	return item == node->data.sequence.items.top ? NULL
						     : yaml_document_get_node(&r->yaml, *item);
}

/* Reads NODE, a single value, into the member of SELF for KEY. */
static enum status node_value(const struct experiment_reader *r, const yaml_node_t *node,
			      const struct command_option *key, void *self)
{
	const char *text, *what = key->field.name;
	enum status status = (key->each ? node_plain : node_text)(r, node, what, &text);
	if (status)
		return status;
	status = key->read ? key->read((char *)self + key->field.offset, what, text, r->why)
			   : field_read(&key->field, what, self, text, r->why);
	return node_fail_as(r, node, status);
}

/* Sets the members of SELF from the VALUES of those KEYS that have a kind or a reader. */
static enum status node_values(struct experiment_reader *r, const struct command_option *keys,
			       yaml_node_t *const *values, void *self)
{
	enum status status = STATUS_OK;
	yaml_node_t *item;
	for (; !status && keys->field.name; keys++, values++) {
		if (!*values || (!keys->read && keys->field.kind == FIELD_NONE))
			continue;
		if (!keys->each) {
			status = node_value(r, *values, keys, self);
			continue;
		}
		status = node_list(r, *values, keys->field.name);
		for (int i = 0; !status && (item = node_item(r, *values, i)); i++)
			status = node_value(r, item, keys, self);
	}
	return status;
}

/* ---- The schema: tables of options, with the keys in place of names. */

/* A sequence, with its schedule on the present board. */
struct sequence {
	yaml_node_t *node[SEQUENCE_KEYS];
	const char *label;
	struct schedule schedule;
};

#define KEY(name_)                                                                                 \
	{                                                                                          \
		.field = {.name = name_ }                                                          \
	}
#define COUNT(name_, least, most)                                                                  \
	OPTION_NUMBER(#name_, 0, NULL, FIELD_COUNT, offsetof(struct sequence, schedule.name_),     \
		      least, most, NULL)

/*
 * Keys that a sequence shares with the top level come first in both tables, so that `enum
 * sequence_key` indexes both.
 */
static const struct command_option sequence_keys[SEQUENCE_KEYS + 1] = {
    [BOARDS] = KEY("boards"),
    [AGENTS] = KEY("agents"),
    [PLAYERS] = KEY("players"),
    [GAMES] = COUNT(games, 0, COUNT_MAX),
    [LABEL] = OPTION("label", 0, NULL, FIELD_NAME, offsetof(struct sequence, label), NULL),
    [TRAIN] = COUNT(train, 1, COUNT_MAX),
    [SECONDS] = COUNT(seconds, 1, COUNT_MAX),
    [EVALUATE] = COUNT(evaluate, 0, COUNT_MAX),
    [REPEAT] = COUNT(repeat, 1, COUNT_MAX),
    [TRAININGS] = COUNT(trainings, 1, TRAININGS_MAX),
    [UNDER] = KEY("under"),
};

/* Sets *NAME, on the heap, to TEXT, which can name a folder. */
static enum status name_read(void *name, const char *what, const char *text, struct why *why)
{
	const size_t length = strlen(text);
	bool valid = length > 0 && length < RESULT_NAME_MAX && *text != '.';
	for (const char *at = text; *at; at++)
		valid = valid && (isalnum((unsigned char)*at) || strchr("._-", *at));
	if (!valid)
		return why_set(why, STATUS_INPUT,
			       "%s: '%.80s' must be letters, digits, '.', '_' and '-'", what, text);
	*(char **)name = xstrdup(text);
	return STATUS_OK;
}

/* Sets *LINE, on the heap, to TEXT, which must be one line. */
static enum status line_read(void *line, const char *what, const char *text, struct why *why)
{
	enum status status = text_check(what, text, LABEL_BYTES_MAX, why);
	if (!status)
		*(char **)line = xstrdup(text);
	return status;
}

/* Sets the spawn rule to TEXT, and tries it on some board to report its error at its place. */
static enum status spawn_read(void *spawn, const char *what, const char *text, struct why *why)
{
	struct game game;
	(void)what;
	*(const char **)spawn = text;
	return game_init(&game, &(struct game_options){.shape = "4x4", .spawn = text}, why);
}

#define READER(name_, member, read_)                                                               \
	OPTION_READER(name_, 0, NULL, offsetof(struct experiment_reader, member), read_, NULL)
#define NUMBER(name_, kind, member, least, most)                                                   \
	OPTION_NUMBER(name_, 0, NULL, kind, offsetof(struct experiment_reader, member), least,     \
		      most, NULL)

static const struct command_option top_keys[TOP_KEYS + 1] = {
    [BOARDS] = KEY("boards"),
    [AGENTS] = KEY("agents"),
    [PLAYERS] = KEY("players"),
    [GAMES] = KEY("games"),
    [NAME] = READER("name", experiment.name, name_read),
    [TITLE] = READER("title", experiment.title, line_read),
    [DURATION] = READER("duration", experiment.duration, line_read),
    [SEED] = NUMBER("seed", FIELD_COUNT, experiment.seed, 0, 0),
    [SPAWN] = READER("spawn", rule.spawn, spawn_read),
    [START_TILES] = NUMBER("start-tiles", FIELD_INT, rule.start_tiles, 1, CELLS_MAX),
    [MS] = READER("ms-per-move", experiment.ms_per_move, experiment_time),
    [TRACES] = NUMBER("traces", FIELD_COUNT, experiment.traces, 0, TRACES_MAX),
    [PRECISION] = NUMBER("precision", FIELD_SHARE, experiment.precision, 0, 1),
    [SEQUENCES] = KEY("sequences"),
    [SWEEP] = KEY("sweep"),
};

static enum status read_board(struct experiment_reader *r, const yaml_node_t *node,
			      struct game *game)
{
	struct game_options options = r->rule;
	enum status status = node_plain(r, node, "boards", &options.shape);
	return status ? status : node_fail_as(r, node, game_init(game, &options, r->why));
}

static enum status read_agent(struct experiment_reader *r, const yaml_node_t *node,
			      const char **text)
{
	enum status status = node_text(r, node, "agents", text);
	if (status)
		return status;
	/* [expectimax:depth=2,cutoff=0] is two items to YAML. */
	if ((*text)[strcspn(*text, ":=")] == '=' && !agent_label(*text))
		return node_fail(r, node,
				 "'%.80s' is a parameter and no agent; an agent with several "
				 "parameters must be quoted",
				 *text);
	if ((*text)[strcspn(*text, ":,")] == ',')
		return node_plain(r, node, "agents", text);
	return STATUS_OK;
}

/* How a key of a map from boards matches a board: best by name, then by a range of cells. */
enum fit { FIT_NONE, FIT_ELSE, FIT_CELLS, FIT_BOARD };

/* Sets *FIT for the key NODE, "3x3", "16", "16-25" or "else", and GAME; WHAT names the map. */
static enum status key_fit(const struct experiment_reader *r, const yaml_node_t *node,
			   const char *what, const struct game *game, enum fit *fit)
{
	const char *text;
	struct game named;
	uint64_t low = 0, high = 0, cells_here = (uint64_t)game->cells;
	enum status status = node_text(r, node, what, &text);
	*fit = FIT_NONE;
	if (status)
		return status;
	const char *end = whole_scan(text, &low);
	high = low;
	if (end && *end == '-')
		end = whole_scan(end + 1, &high);
	const bool cells = end && !*end;
	if (strcmp(text, "else") == 0)
		*fit = FIT_ELSE;
	else if (cells && low <= high && high <= CELLS_MAX)
		*fit = cells_here >= low && cells_here <= high ? FIT_CELLS : FIT_NONE;
	else if (cells || game_init(&named, &(struct game_options){.shape = text}, NULL))
		return node_fail(r, node,
				 "%s: '%.80s': expected a board, a number of cells or a range of "
				 "it, as in 3x3, 12 or 16-25, or else",
				 what, text);
	else if (strcmp(named.name, game->name) == 0)
		*fit = FIT_BOARD;
	return STATUS_OK;
}

/*
 * Replaces *VALUE, a map from boards to numbers, by the number for GAME; of several matching ranges
 * the first counts. A single number is for all boards and stays.
 */
static enum status board_value(struct experiment_reader *r, yaml_node_t **value, const char *what,
			       const struct game *game)
{
	yaml_node_t *map = *value, *best = NULL;
	enum fit best_fit = FIT_NONE, fit;
	if (!map || map->type != YAML_MAPPING_NODE)
		return STATUS_OK;
	const yaml_node_pair_t *pair = map->data.mapping.pairs.start;
	for (; pair < map->data.mapping.pairs.top; pair++) {
		const yaml_node_t *key = yaml_document_get_node(&r->yaml, pair->key);
		enum status status = key_fit(r, key, what, game, &fit);
		if (status)
			return status;
		if (fit <= best_fit)
			continue;
		best = yaml_document_get_node(&r->yaml, pair->value);
		best_fit = fit;
	}
	if (!best)
		return node_fail(r, map, "%s: says nothing of %s, nor what holds else", what,
				 game->name);
	*value = best;
	return STATUS_OK;
}

/* Reads TEXT into *POINT: a number of training games, or a time in seconds, which sets *TIMED. */
static enum status read_point(const char *text, double *point, bool *timed, struct why *why)
{
	static const struct field duration = {.kind = FIELD_DURATION};
	uint64_t games;
	*timed = number_parse("train", text, 1, COUNT_MAX, &games, why) != STATUS_OK;
	if (!*timed)
		*point = (double)games;
	else if (field_read(&duration, "train", point, text, why) != STATUS_OK)
		return why_set(why, STATUS_INPUT,
			       "train: '%.80s': expected training games, as in 1000, or a time, as "
			       "in 10m",
			       text);
	return STATUS_OK;
}

/* Whether NODE is a number, the games of a block, and not a list of points. */
static bool is_count(const yaml_node_t *node)
{
	const char *text = node->type == YAML_SCALAR_NODE ? (char *)node->data.scalar.value : "";
	return node->type != YAML_SEQUENCE_NODE && !text[strspn(text, "0123456789")];
}

/* Reads into S the list NODE: the total training at the end of each block, in games or in time. */
static enum status read_points(struct experiment_reader *r, yaml_node_t *node, struct schedule *s)
{
	bool timed, first = false;
	yaml_node_t *item;
	enum status status = node_list(r, node, "train");
	for (int i = 0; !status && (item = node_item(r, node, i)); i++) {
		const char *text;
		if (i == TRAINING_POINTS_MAX)
			return node_fail(r, item, "train: more than %d points",
					 TRAINING_POINTS_MAX);
		status = node_plain(r, item, "train", &text);
		if (status)
			break;
		status = node_fail_as(r, item, read_point(text, &s->points[i], &timed, r->why));
		first = i == 0 ? timed : first;
		if (!status && (timed != first || (i > 0 && !(s->points[i] > s->points[i - 1]))))
			return node_fail(r, item,
					 "train: '%.80s': the points of a list must rise, all in "
					 "games or all in time",
					 text);
		s->repeat = (uint64_t)i + 1;
	}
	*(first ? &s->seconds : &s->train) = (uint64_t)ceil(s->points[0]);
	return status;
}

/* Refuses keys of a sequence that do not go together. Errors of the whole are at NODE. */
static enum status sequence_check(const struct experiment_reader *r, const yaml_node_t *node,
				  yaml_node_t *const *values)
{
	const bool trains = values[TRAIN] || values[SECONDS];
	for (enum sequence_key k = EVALUATE; k <= UNDER; k++)
		if (values[k] && !trains)
			return node_fail(r, values[k], "%s: needs train or seconds",
					 sequence_keys[k].field.name);
	if (values[TRAIN] && values[SECONDS])
		return node_fail(r, values[SECONDS],
				 "seconds: a block has either train or seconds");
	if (!values[GAMES] && !trains)
		return node_fail(r, node, "games is missing");
	if (values[UNDER] && r->experiment.precision > 0)
		return node_fail(r, values[UNDER],
				 "under: not with precision, as these players have no games");
	return STATUS_OK;
}

/* Reads and checks the schedule of SEQUENCE on GAME. Errors of the whole sequence are at NODE. */
static enum status read_schedule(struct experiment_reader *r, const yaml_node_t *node,
				 const struct game *game, struct sequence *sequence)
{
	yaml_node_t *values[SEQUENCE_KEYS];
	struct schedule *s = &sequence->schedule;
	struct command_option keys[SEQUENCE_KEYS + 1];
	memcpy(values, sequence->node, sizeof values);
	memcpy(keys, sequence_keys, sizeof keys);
	const bool trains = values[TRAIN] || values[SECONDS];
	keys[GAMES].field.min = trains ? 0 : 1;
	*s = (struct schedule){.repeat = trains};
	enum status status = sequence_check(r, node, values);
	for (enum sequence_key k = GAMES; !status && k < UNDER; k++)
		if (k != LABEL)
			status = board_value(r, &values[k], keys[k].field.name, game);
	if (!status && values[TRAIN] && !is_count(values[TRAIN])) {
		if (values[REPEAT])
			return node_fail(r, values[REPEAT], "repeat: not with a list of trainings");
		status = read_points(r, values[TRAIN], s);
		values[TRAIN] = NULL;
	}
	status = status ? status : node_values(r, keys, values, sequence);
	if (!status && s->games == 0 && s->evaluate == 0)
		return node_fail(r, node, "neither evaluate nor games: nothing to play");
	if (!status && s->games == 0 && r->experiment.precision > 0)
		return node_fail(r, values[GAMES] ? values[GAMES] : node,
				 "games: with precision expected at least 1, the most to play");
	return status;
}

/* A player with a name of its own. */
struct player {
	const char *name, *agent;
	uint64_t evaluate; /* games after each block of its learner's training, if it has one */
};

/*
 * Reads the mapping NODE into PLAYER, on the board GAME; only players of a LEARNER have `evaluate`.
 */
static enum status read_player(struct experiment_reader *r, const yaml_node_t *node,
			       const struct game *game, bool learner, struct player *player)
{
	const struct command_option keys[] = {
	    OPTION("name", 0, NULL, FIELD_NAME, offsetof(struct player, name), NULL),
	    OPTION("agent", 0, NULL, FIELD_NAME, offsetof(struct player, agent), NULL),
	    OPTION_NUMBER(learner ? "evaluate" : NULL, 0, NULL, FIELD_COUNT,
			  offsetof(struct player, evaluate), 0, COUNT_MAX, NULL),
	    KEY(NULL),
	};
	yaml_node_t *values[3] = {NULL};
	enum status status = node_mapping(r, node, "a player", keys, values);
	for (int k = 0; !status && k < 2; k++)
		if (!values[k])
			status = node_fail(r, node, "%s is missing", keys[k].field.name);
	status = status ? status : board_value(r, &values[2], "evaluate", game);
	return status ? status : node_values(r, keys, values, player);
}

/* Adds the agents or players of SEQUENCE, as KEY says, on the board GAME. */
static enum status players_add(struct experiment_reader *r, enum sequence_key key,
			       const struct game *game, const struct sequence *sequence)
{
	yaml_node_t *node = sequence->node[key], *item;
	enum status status = STATUS_OK;
	for (int i = 0; !status && node && (item = node_item(r, node, i)); i++) {
		struct player player = {.name = key == AGENTS ? sequence->label : NULL};
		status = key == AGENTS ? read_agent(r, item, &player.agent)
				       : read_player(r, item, game, false, &player);
		if (status)
			break;
		status = experiment_add(&r->experiment, game, player.agent, player.name,
					&sequence->schedule, r->why);
		status = node_fail_as(r, item, status);
	}
	return status;
}

/* Adds the players in the list NODE, which play with the weights of LEARNER. */
static enum status under_add(struct experiment_reader *r, yaml_node_t *node,
			     const struct experiment_entry *learner)
{
	yaml_node_t *item;
	enum status status = node_list(r, node, sequence_keys[UNDER].field.name);
	for (int i = 0; !status && (item = node_item(r, node, i)); i++) {
		struct player player = {.evaluate = learner->schedule.evaluate};
		status = read_player(r, item, &learner->game, true, &player);
		if (!status && player.evaluate == 0 && learner->schedule.evaluate == 0)
			return node_fail(r, item, "evaluate is missing");
		if (status || player.evaluate == 0)
			continue;
		status = experiment_add_under(&r->experiment, learner, player.agent, player.name,
					      player.evaluate, r->why);
		status = node_fail_as(r, item, status);
	}
	return status;
}

/* Completes the values of SEQUENCE with those of the top level, and checks them. */
static enum status sequence_complete(struct experiment_reader *r, const yaml_node_t *node,
				     struct sequence *sequence)
{
	yaml_node_t **values = sequence->node;
	const bool plays = values[AGENTS] || values[PLAYERS];
	for (enum sequence_key k = BOARDS; k <= GAMES; k++)
		if (!values[k] && !(plays && (k == AGENTS || k == PLAYERS)))
			values[k] = r->top[k];
	for (enum sequence_key k = BOARDS; k <= PLAYERS; k++) {
		enum status status =
		    values[k] ? node_list(r, values[k], sequence_keys[k].field.name) : STATUS_OK;
		if (status)
			return status;
		if (!values[k] && (k == BOARDS || !(values[AGENTS] || values[PLAYERS])))
			return node_fail(r, node, "%s is missing", sequence_keys[k].field.name);
	}
	if (values[LABEL] && !values[AGENTS])
		return node_fail(r, values[LABEL], "label: is for agents; players have names");
	return STATUS_OK;
}

/*
 * Adds a sequence: every agent and player on every board. Errors of the whole sequence are at NODE.
 */
static enum status sequence_add(struct experiment_reader *r, const yaml_node_t *node,
				struct sequence *sequence)
{
	struct game game;
	yaml_node_t **values = sequence->node, *board;
	enum status status = sequence_complete(r, node, sequence);
	for (int i = 0; !status && (board = node_item(r, values[BOARDS], i)); i++) {
		const size_t first = r->experiment.count;
		status = read_board(r, board, &game);
		status = status ? status : read_schedule(r, node, &game, sequence);
		status = status ? status : players_add(r, AGENTS, &game, sequence);
		status = status ? status : players_add(r, PLAYERS, &game, sequence);
		const size_t end = r->experiment.count;
		for (size_t k = first; !status && values[UNDER] && k < end; k++)
			status = under_add(r, values[UNDER], r->experiment.entries[k]);
	}
	return status;
}

static enum status read_sequences(struct experiment_reader *r, const yaml_node_t *root)
{
	yaml_node_t *node = r->top[SEQUENCES], *item;
	if (!node)
		return sequence_add(r, root, &(struct sequence){.label = NULL});
	enum status status = node_list(r, node, "sequences");
	for (int i = 0; !status && (item = node_item(r, node, i)); i++) {
		struct sequence sequence = {.label = NULL};
		status = node_mapping(r, item, "a sequence", sequence_keys, sequence.node);
		status = status ? status : sequence_add(r, item, &sequence);
	}
	return status;
}

/* ---- A sweep: a mapping of options of nxn sweep, all of them optional. */

static const struct command_option sweep_options[] = {SWEEP_OPTIONS(0), OPTIONS_END};

enum { SWEEP_KEYS = sizeof sweep_options / sizeof *sweep_options - 1 };

/* Refuses a missing file now, so that the error has the line that names it. */
static enum status positions_file_check(const char *path, struct why *why)
{
	if (!*path || access(path, R_OK) == 0)
		return STATUS_OK;
	return why_set(why, STATUS_INPUT,
		       "positions: '%.80s': %s; expected a number of positions or a file", path,
		       strerror(errno));
}

static enum status sweep_read(struct experiment_reader *r, const yaml_node_t *node,
			      struct sweep *sweep)
{
	const struct sweep defaults = SWEEP_DEFAULTS;
	yaml_node_t *values[SWEEP_KEYS] = {NULL};
	enum status status = node_mapping(r, node, "sweep", sweep_options, values);
	*sweep = defaults;
	status = status ? status : node_values(r, sweep_options, values, sweep);
	for (size_t i = 0; !status && i < SWEEP_KEYS; i++)
		if (sweep_options[i].read == sweep_set_positions)
			status =
			    node_fail_as(r, values[i], positions_file_check(sweep->file, r->why));
	return status ? status : node_fail_as(r, node, sweep_complete(sweep, r->why));
}

/* Reads the sweep and adds its cells on every board. */
static enum status read_sweep(struct experiment_reader *r, const yaml_node_t *root)
{
	static const int foreign[] = {AGENTS, PLAYERS, GAMES, SEQUENCES, MS, TRACES, PRECISION};
	struct game game;
	yaml_node_t *board, *const *top = r->top;
	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
		if (top[foreign[i]])
			return node_fail(r, top[foreign[i]], "%s: has no meaning beside a sweep",
					 top_keys[foreign[i]].field.name);
	if (!top[BOARDS])
		return node_fail(r, root, "boards is missing");
	struct sweep *sweep = r->experiment.sweep = xcalloc(1, sizeof *sweep);
	enum status status = sweep_read(r, top[SWEEP], sweep);
	status = status ? status : node_list(r, top[BOARDS], "boards");
	for (int i = 0; !status && (board = node_item(r, top[BOARDS], i)); i++) {
		status = read_board(r, board, &game);
		if (status)
			break;
		status = sweep_add_cells(sweep, &r->experiment, &game, r->why);
		status = node_fail_as(r, top[SWEEP], status);
	}
	return status;
}

/* Takes the name of the experiment from that of its file, without folders and suffix. */
static enum status name_from_path(struct experiment_reader *r, const yaml_node_t *root)
{
	const char *slash = strrchr(r->path, '/');
	char *name = xstrdup(slash ? slash + 1 : r->path);
	if (strrchr(name, '.'))
		*strrchr(name, '.') = '\0';
	enum status status = name_read(&r->experiment.name, "name", name, r->why);
	free(name);
	return node_fail_as(r, root, status);
}

/* Reads the document, and adds the players if the WHOLE is wanted. */
static enum status read_document(struct experiment_reader *r, bool whole)
{
	const yaml_node_t *root = yaml_document_get_root_node(&r->yaml);
	enum status status = node_mapping(r, root, "an experiment", top_keys, r->top);
	status = status ? status : node_values(r, top_keys, r->top, r);
	if (!status && !r->experiment.name)
		status = name_from_path(r, root);
	if (status || !whole)
		return status;
	return r->top[SWEEP] ? read_sweep(r, root) : read_sequences(r, root);
}

static enum status read_file(struct experiment *experiment, const char *path, bool whole,
			     struct why *why)
{
	struct experiment_reader r = {.path = path, .experiment.seed = 1, .why = why};
	enum status status = document_read(&r);
	if (status)
		return status;
	status = read_document(&r, whole);
	yaml_document_delete(&r.yaml);
	if (status)
		experiment_fini(&r.experiment);
	else
		*experiment = r.experiment;
	return status;
}

enum status experiment_read(struct experiment *experiment, const char *path, struct why *why)
{
	return read_file(experiment, path, true, why);
}

enum status experiment_read_head(struct experiment *experiment, const char *path, struct why *why)
{
	return read_file(experiment, path, false, why);
}
