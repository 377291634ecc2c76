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

struct document {
	const char *path;
	yaml_document_t yaml;
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

static enum status parser_fail(const char *path, const yaml_parser_t *parser, struct why *why)
{
	/* Some errors of libyaml for lack of memory have neither a kind nor a text. */
	if (parser->error == YAML_MEMORY_ERROR || !parser->problem)
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", path);
	if (parser->error == YAML_READER_ERROR)
		return why_set(why, STATUS_INPUT, "%s:%zu: %s (byte %zu)", path,
			       lines_before(parser) + 1, parser->problem, parser->problem_offset);
	return why_set(why, STATUS_INPUT, "%s:%zu:%zu: %s", path, parser->problem_mark.line + 1,
		       parser->problem_mark.column + 1, parser->problem);
}

/*
 * Checks the nesting of events before libyaml makes a document of them, which would take it seconds
 * for 64 KiB of brackets; no schema nests lists so deeply. Anchors and directives, which take it
 * time proportional to the square of their number, are limited by DOCUMENT_SIZE_MAX.
 */
static enum status events_check(const char *path, yaml_parser_t *parser, struct why *why)
{
	int depth = 0;
	for (bool more = true; more;) {
		yaml_event_t event;
		if (!yaml_parser_parse(parser, &event))
			return parser_fail(path, parser, why);
		const yaml_mark_t at = event.start_mark;
		const bool opens = event.type == YAML_SEQUENCE_START_EVENT ||
				   event.type == YAML_MAPPING_START_EVENT;
		const bool closes =
		    event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT;
		depth += opens - closes;
		more = event.type != YAML_STREAM_END_EVENT && event.type != YAML_NO_EVENT;
		yaml_event_delete(&event);
		if (depth > DOCUMENT_DEPTH_MAX)
			return why_set(why, STATUS_INPUT,
				       "%s:%zu:%zu: lists and mappings within each other, expected "
				       "at most %d",
				       path, at.line + 1, at.column + 1, DOCUMENT_DEPTH_MAX);
	}
	return STATUS_OK;
}

/* Refuses a second document. */
static enum status parser_end(const char *path, yaml_parser_t *parser, struct why *why)
{
	yaml_document_t second;
	if (!yaml_parser_load(parser, &second))
		return parser_fail(path, parser, why);
	const yaml_node_t *root = yaml_document_get_root_node(&second);
	enum status status = STATUS_OK;
	if (root)
		status = why_set(why, STATUS_INPUT, "%s:%zu:%zu: a second document; one is allowed",
				 path, root->start_mark.line + 1, root->start_mark.column + 1);
	yaml_document_delete(&second);
	return status;
}

/* Whether TEXT has a NUL but is not UTF-16, and so is no YAML: a model file, for example. */
static bool is_binary(const char *text, size_t size)
{
	const bool utf16 =
	    size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0);
	return !utf16 && memchr(text, '\0', size);
}

static enum status bytes_check(const char *path, const char *text, size_t size, struct why *why)
{
	yaml_parser_t parser;
	if (is_binary(text, size))
		return why_set(why, STATUS_INPUT,
			       "%s: no experiment, run or table of results: it is not even text",
			       path);
	/* Logs, tables and curves begin with the version of nxn that wrote them. */
	if (size > 6 && strncmp(text, "# nxn ", 6) == 0 && strchr("0123456789", text[6]))
		return why_set(why, STATUS_INPUT,
			       "%s: is a log or table that nxn wrote, expected an experiment; nxn "
			       "report reads it",
			       path);
	if (!yaml_parser_initialize(&parser))
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", path);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
	enum status status = events_check(path, &parser, why);
	yaml_parser_delete(&parser);
	return status;
}

/* Parses TEXT into DOCUMENT; after a failure there is nothing to delete. */
static enum status document_parse(struct document *document, const char *text, size_t size,
				  struct why *why)
{
	yaml_parser_t parser;
	enum status status = bytes_check(document->path, text, size, why);
	if (status)
		return status;
	if (!yaml_parser_initialize(&parser))
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", document->path);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
	if (!yaml_parser_load(&parser, &document->yaml)) {
		status = parser_fail(document->path, &parser, why);
	} else {
		if (yaml_document_get_root_node(&document->yaml))
			status = parser_end(document->path, &parser, why);
		else
			status = why_set(why, STATUS_INPUT, "%s: is empty", document->path);
		if (status)
			yaml_document_delete(&document->yaml);
	}
	yaml_parser_delete(&parser);
	return status;
}

/*
 * Reads the document in the file PATH, a text that must outlive it. STATUS_INPUT if the file is
 * missing, not YAML, empty, more than one document, larger than DOCUMENT_SIZE_MAX, or nested deeper
 * than DOCUMENT_DEPTH_MAX; STATUS_SYSTEM if it cannot be read.
 */
static enum status document_read(struct document **document, const char *path, struct why *why)
{
	char *text;
	size_t length;
	enum status status = file_read(path, DOCUMENT_SIZE_MAX, &text, &length, why);
	if (status)
		return status;
	struct document *made = xcalloc(1, sizeof *made);
	made->path = path;
	status = document_parse(made, text, length, why);
	free(text);
	if (status)
		free(made);
	else
		*document = made;
	return status;
}

/*
 * Prefixes WHY, which another call has set for STATUS, with the place of NODE; returns STATUS. Only
 * STATUS_INPUT gets a place.
 */
static enum status node_fail_as(const struct document *document, const yaml_node_t *node,
				enum status status, struct why *why)
{
	struct why reason = *why;
	if (status != STATUS_INPUT)
		return status;
	return why_set(why, STATUS_INPUT, "%s:%zu:%zu: %s", document->path,
		       node->start_mark.line + 1, node->start_mark.column + 1, reason.text);
}

/* Reports a reason with the place of NODE. STATUS_INPUT. */
__attribute__((format(printf, 4, 5))) static enum status node_fail(const struct document *document,
								   const yaml_node_t *node,
								   struct why *why,
								   const char *format, ...)
{
	struct why reason;
	va_list args;
	va_start(args, format);
	vsnprintf(reason.text, sizeof reason.text, format, args);
	va_end(args);
	*why = reason;
	return node_fail_as(document, node, STATUS_INPUT, why);
}

/*
 * Sets *TEXT to the text of a single value, which must not be empty and belongs to the document; to
 * "" after a failure. WHAT names the value in errors.
 */
static enum status node_text(const struct document *document, const yaml_node_t *node,
			     const char *what, const char **text, struct why *why)
{
	*text = "";
	if (node->type != YAML_SCALAR_NODE)
		return node_fail(document, node, why, "%s: must be a single value", what);
	const char *value = (const char *)node->data.scalar.value;
	if (node->data.scalar.length == 0 || strlen(value) != node->data.scalar.length)
		return node_fail(document, node, why, "%s: must not be empty or contain a NUL",
				 what);
	enum status status = text_check(what, value, DOCUMENT_SIZE_MAX, why);
	if (status)
		return node_fail_as(document, node, status, why);
	*text = value;
	return STATUS_OK;
}

/*
 * The same for an item of a list, which must have no comma: only options of commands separate items
 * by commas.
 */
static enum status node_plain(const struct document *document, const yaml_node_t *node,
			      const char *what, const char **text, struct why *why)
{
	enum status status = node_text(document, node, what, text, why);
	if (status)
		return status;
	if (strchr(*text, ','))
		return node_fail(document, node, why, "%s: '%.80s': expected a YAML list: [%.80s]",
				 what, *text, *text);
	return STATUS_OK;
}

/* Names the closest key if there is one within two edits, or else all of them. */
static enum status key_unknown(const struct document *document, const yaml_node_t *node,
			       const char *text, const struct field *keys, struct why *why)
{
	struct suggestion suggestion = suggestion_start(text, strlen(text));
	char list[256] = "";
	for (size_t used = 0; keys->name; used = strlen(list), keys++) {
		suggestion_try(&suggestion, keys->name, strlen(keys->name));
		snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", keys->name);
	}
	if (suggestion.name)
		return node_fail(document, node, why, "unknown key '%.80s'; did you mean '%s'?",
				 text, suggestion.name);
	return node_fail(document, node, why, "unknown key '%.80s'; the keys here are %s", text,
			 list);
}

/*
 * Stores the values of a mapping in VALUES at the index of their keys in KEYS; those of missing
 * keys stay NULL. The error for an unknown key suggests a known one.
 */
static enum status node_mapping(struct document *document, const yaml_node_t *node,
				const char *what, const struct field *keys, yaml_node_t **values,
				struct why *why)
{
	if (node->type != YAML_MAPPING_NODE)
		return node_fail(document, node, why, "%s: must be a mapping of keys to values",
				 what);
	const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
	for (; pair < node->data.mapping.pairs.top; pair++) {
		const char *text;
		const yaml_node_t *key = yaml_document_get_node(&document->yaml, pair->key);
		enum status status = node_text(document, key, "a key", &text, why);
		if (status)
			return status;
		int k = 0;
		while (keys[k].name && strcmp(keys[k].name, text) != 0)
			k++;
		if (!keys[k].name)
			return key_unknown(document, key, text, keys, why);
		if (values[k])
			return node_fail(document, key, why, "key '%s' is there twice", text);
		values[k] = yaml_document_get_node(&document->yaml, pair->value);
	}
	return STATUS_OK;
}

/* STATUS_INPUT if NODE is an empty list. A node that is no list counts as a list of one item. */
static enum status node_list(const struct document *document, const yaml_node_t *node,
			     const char *what, struct why *why)
{
	if (node->type != YAML_SEQUENCE_NODE)
		return STATUS_OK;
	if (node->data.sequence.items.start == node->data.sequence.items.top)
		return node_fail(document, node, why, "%s: must not be an empty list", what);
	return STATUS_OK;
}

/* Item I of a node that node_list() has checked, or NULL after the last. */
static yaml_node_t *node_item(struct document *document, yaml_node_t *node, int i)
{
	if (node->type != YAML_SEQUENCE_NODE)
		return i == 0 ? node : NULL;
	const yaml_node_item_t *item = node->data.sequence.items.start + i;
	if (item == node->data.sequence.items.top)
		return NULL;
	return yaml_document_get_node(&document->yaml, *item);
}

/*
 * Sets the members of SELF from the VALUES of those KEYS that have a kind, such as text or number.
 */
static enum status node_fields(const struct document *document, const struct field *keys,
			       yaml_node_t *const *values, void *self, struct why *why)
{
	const char *text;
	enum status status = STATUS_OK;
	for (; !status && keys->name; keys++, values++) {
		if (!*values || keys->kind == FIELD_NONE)
			continue;
		status = node_text(document, *values, keys->name, &text, why);
		if (status)
			break;
		status = field_read(keys, keys->name, self, text, why);
		status = node_fail_as(document, *values, status, why);
	}
	return status;
}

/* ---- The schema. */

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

/* A sequence, with its schedule on the present board. */
struct sequence {
	yaml_node_t *node[SEQUENCE_KEYS];
	const char *label;
	struct schedule schedule;
};

#define COUNT(name_, least, most)                                                                  \
	{                                                                                          \
		.name = #name_, .kind = FIELD_COUNT, .min = least, .max = most,                    \
		.offset = offsetof(struct sequence, schedule.name_)                                \
	}

/*
 * Keys that a sequence shares with the top level come first in both tables, so that `enum
 * sequence_key` indexes both.
 */
static const struct field sequence_keys[SEQUENCE_KEYS + 1] = {
    [BOARDS] = {.name = "boards"},
    [AGENTS] = {.name = "agents"},
    [PLAYERS] = {.name = "players"},
    [GAMES] = COUNT(games, 0, COUNT_MAX),
    [LABEL] = {FIELD_MEMBER(FIELD_NAME, sequence, label)},
    [TRAIN] = COUNT(train, 1, COUNT_MAX),
    [SECONDS] = COUNT(seconds, 1, COUNT_MAX),
    [EVALUATE] = COUNT(evaluate, 0, COUNT_MAX),
    [REPEAT] = COUNT(repeat, 1, COUNT_MAX),
    [TRAININGS] = COUNT(trainings, 1, TRAININGS_MAX),
    [UNDER] = {.name = "under"},
};

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

/* The top level. */
struct top {
	yaml_node_t *node[TOP_KEYS];
	const char *name, *title, *duration, *spawn, *ms; /* owned by the document, or NULL */
	uint64_t seed, traces;
	double precision;
	int start_tiles;
};

static const struct field top_keys[TOP_KEYS + 1] = {
    [BOARDS] = {.name = "boards"},
    [AGENTS] = {.name = "agents"},
    [PLAYERS] = {.name = "players"},
    [GAMES] = {.name = "games"},
    [NAME] = {FIELD_MEMBER(FIELD_NAME, top, name)},
    [TITLE] = {FIELD_MEMBER(FIELD_NAME, top, title)},
    [DURATION] = {FIELD_MEMBER(FIELD_NAME, top, duration)},
    [SEED] = {FIELD_MEMBER(FIELD_COUNT, top, seed)},
    [SPAWN] = {FIELD_MEMBER(FIELD_NAME, top, spawn)},
    [START_TILES] = {.name = "start-tiles",
		     .kind = FIELD_INT,
		     .offset = offsetof(struct top, start_tiles),
		     .min = 1,
		     .max = CELLS_MAX},
    [MS] = {.name = "ms-per-move", .kind = FIELD_NAME, .offset = offsetof(struct top, ms)},
    [TRACES] = {FIELD_MEMBER(FIELD_COUNT, top, traces), .max = TRACES_MAX},
    [PRECISION] = {FIELD_MEMBER(FIELD_SHARE, top, precision), .max = 1},
    [SEQUENCES] = {.name = "sequences"},
    [SWEEP] = {.name = "sweep"},
};

struct experiment_reader {
	struct document *document;
	struct top top;
	struct experiment experiment;
	struct why *why;
};

static enum status read_board(struct experiment_reader *r, const yaml_node_t *node,
			      struct game *game)
{
	const char *text;
	enum status status = node_plain(r->document, node, "boards", &text, r->why);
	if (status)
		return status;
	struct game_options options = {
	    .shape = text, .spawn = r->top.spawn, .start_tiles = r->top.start_tiles};
	status = game_init(game, &options, r->why);
	return node_fail_as(r->document, node, status, r->why);
}

static enum status read_agent(struct experiment_reader *r, const yaml_node_t *node,
			      const char **text)
{
	enum status status = node_text(r->document, node, "agents", text, r->why);
	if (status)
		return status;
	/* [expectimax:depth=2,cutoff=0] is two items to YAML. */
	if ((*text)[strcspn(*text, ":=")] == '=' && !agent_label(*text))
		return node_fail(r->document, node, r->why,
				 "'%.80s' is a parameter and no agent; an agent with several "
				 "parameters must be quoted",
				 *text);
	if ((*text)[strcspn(*text, ":,")] == ',')
		return node_plain(r->document, node, "agents", text, r->why);
	return STATUS_OK;
}

/* How a key of a map from boards matches a board: best by name, then by a range of cells. */
enum fit { FIT_NONE, FIT_ELSE, FIT_CELLS, FIT_BOARD };

/* Sets *FIT for the key NODE, "3x3", "16", "16-25" or "else", and GAME; WHAT names the map. */
static enum status key_fit(const struct document *d, const yaml_node_t *node, const char *what,
			   const struct game *game, enum fit *fit, struct why *why)
{
	const char *text;
	struct game named;
	uint64_t low = 0, high = 0, cells_here = (uint64_t)game->cells;
	enum status status = node_text(d, node, what, &text, why);
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
		return node_fail(d, node, why,
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
static enum status board_value(struct document *d, yaml_node_t **value, const char *what,
			       const struct game *game, struct why *why)
{
	yaml_node_t *map = *value, *best = NULL;
	enum fit best_fit = FIT_NONE, fit;
	if (!map || map->type != YAML_MAPPING_NODE)
		return STATUS_OK;
	const yaml_node_pair_t *pair = map->data.mapping.pairs.start;
	for (; pair < map->data.mapping.pairs.top; pair++) {
		const yaml_node_t *key = yaml_document_get_node(&d->yaml, pair->key);
		enum status status = key_fit(d, key, what, game, &fit, why);
		if (status)
			return status;
		if (fit > best_fit)
			best = yaml_document_get_node(&d->yaml, pair->value);
		best_fit = fit > best_fit ? fit : best_fit;
	}
	if (!best)
		return node_fail(d, map, why, "%s: says nothing of %s, nor what holds else", what,
				 game->name);
	*value = best;
	return STATUS_OK;
}

/* Reads TEXT into *POINT: a number of training games, or a time in seconds, which sets *TIMED. */
static enum status read_point(const char *text, double *point, bool *timed, struct why *why)
{
	static const struct field duration = {.kind = FIELD_DURATION};
	uint64_t games;
	*timed = false;
	if (number_parse("train", text, 1, COUNT_MAX, &games, why) == STATUS_OK) {
		*point = (double)games;
		return STATUS_OK;
	}
	*timed = true;
	if (field_read(&duration, "train", point, text, why) == STATUS_OK)
		return STATUS_OK;
	return why_set(why, STATUS_INPUT,
		       "train: '%.80s': expected training games, as in 1000, or a time, as in 10m",
		       text);
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
	enum status status = node_list(r->document, node, "train", r->why);
	for (int i = 0; !status && (item = node_item(r->document, node, i)); i++) {
		const char *text;
		if (i == TRAINING_POINTS_MAX)
			return node_fail(r->document, item, r->why, "train: more than %d points",
					 TRAINING_POINTS_MAX);
		status = node_plain(r->document, item, "train", &text, r->why);
		if (status)
			break;
		status = node_fail_as(r->document, item,
				      read_point(text, &s->points[i], &timed, r->why), r->why);
		first = i == 0 ? timed : first;
		if (!status && (timed != first || (i > 0 && !(s->points[i] > s->points[i - 1]))))
			return node_fail(r->document, item, r->why,
					 "train: '%.80s': the points of a list must rise, all in "
					 "games or all in time",
					 text);
		s->repeat = (uint64_t)i + 1;
	}
	*(first ? &s->seconds : &s->train) = (uint64_t)ceil(s->points[0]);
	return status;
}

/* Reads and checks the schedule of SEQUENCE on GAME. Errors of the whole sequence are at NODE. */
static enum status read_schedule(struct experiment_reader *r, const yaml_node_t *node,
				 const struct game *game, struct sequence *sequence)
{
	struct document *d = r->document;
	yaml_node_t *values[SEQUENCE_KEYS];
	struct schedule *s = &sequence->schedule;
	struct field keys[SEQUENCE_KEYS + 1];
	memcpy(values, sequence->node, sizeof values);
	const bool trains = values[TRAIN] || values[SECONDS];
	for (enum sequence_key k = EVALUATE; k <= UNDER; k++)
		if (values[k] && !trains)
			return node_fail(d, values[k], r->why, "%s: needs train or seconds",
					 sequence_keys[k].name);
	if (values[TRAIN] && values[SECONDS])
		return node_fail(d, values[SECONDS], r->why,
				 "seconds: a block has either train or seconds");
	if (!values[GAMES] && !trains)
		return node_fail(d, node, r->why, "games is missing");
	if (values[UNDER] && r->top.precision > 0)
		return node_fail(d, values[UNDER], r->why,
				 "under: not with precision, as these players have no games");
	memcpy(keys, sequence_keys, sizeof keys);
	keys[GAMES].min = trains ? 0 : 1;
	*s = (struct schedule){.repeat = trains};
	enum status status = STATUS_OK;
	for (enum sequence_key k = GAMES; !status && k < SEQUENCE_KEYS; k++)
		if (k != LABEL && k != UNDER)
			status = board_value(d, &values[k], keys[k].name, game, r->why);
	if (!status && values[TRAIN] && !is_count(values[TRAIN])) {
		if (values[REPEAT])
			return node_fail(d, values[REPEAT], r->why,
					 "repeat: not with a list of trainings");
		status = read_points(r, values[TRAIN], s);
		values[TRAIN] = NULL;
	}
	status = status ? status : node_fields(d, keys, values, sequence, r->why);
	if (!status && s->games == 0 && s->evaluate == 0)
		status = node_fail(d, node, r->why, "neither evaluate nor games: nothing to play");
	if (!status && s->games == 0 && r->top.precision > 0)
		status = node_fail(d, values[GAMES] ? values[GAMES] : node, r->why,
				   "games: with precision expected at least 1, the most to play");
	return status;
}

/* Adds the agents in the list NODE on the board GAME. */
static enum status agents_add(struct experiment_reader *r, yaml_node_t *node,
			      const struct game *game, const char *label,
			      const struct schedule *schedule)
{
	const char *agent;
	yaml_node_t *item;
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
	const struct field keys[] = {{FIELD_MEMBER(FIELD_NAME, player, name)},
				     {FIELD_MEMBER(FIELD_NAME, player, agent)},
				     {.name = learner ? "evaluate" : NULL,
				      .kind = FIELD_COUNT,
				      .offset = offsetof(struct player, evaluate),
				      .max = COUNT_MAX},
				     {.name = NULL}};
	yaml_node_t *values[3] = {NULL};
	enum status status = node_mapping(r->document, node, "a player", keys, values, r->why);
	for (int k = 0; !status && k < 2; k++)
		if (!values[k])
			status =
			    node_fail(r->document, node, r->why, "%s is missing", keys[k].name);
	if (!status)
		status = board_value(r->document, &values[2], "evaluate", game, r->why);
	return status ? status : node_fields(r->document, keys, values, player, r->why);
}

/* Adds the players in the list NODE, mappings of their names and agents, on the board GAME. */
static enum status players_add(struct experiment_reader *r, yaml_node_t *node,
			       const struct game *game, const struct schedule *schedule)
{
	yaml_node_t *item;
	enum status status = STATUS_OK;
	for (int i = 0; !status && (item = node_item(r->document, node, i)); i++) {
		struct player player = {.name = NULL};
		status = read_player(r, item, game, false, &player);
		if (status)
			break;
		status = experiment_add(&r->experiment, game, player.agent, player.name, schedule,
					r->why);
		status = node_fail_as(r->document, item, status, r->why);
	}
	return status;
}

/* Adds the players in the list NODE, which play with the weights of LEARNER. */
static enum status under_add(struct experiment_reader *r, yaml_node_t *node,
			     const struct experiment_entry *learner)
{
	yaml_node_t *item;
	enum status status = node_list(r->document, node, sequence_keys[UNDER].name, r->why);
	for (int i = 0; !status && (item = node_item(r->document, node, i)); i++) {
		struct player player = {.evaluate = learner->schedule.evaluate};
		status = read_player(r, item, &learner->game, true, &player);
		if (!status && player.evaluate == 0 && learner->schedule.evaluate == 0)
			return node_fail(r->document, item, r->why, "evaluate is missing");
		if (status || player.evaluate == 0)
			continue;
		status = experiment_add_under(&r->experiment, learner, player.agent, player.name,
					      player.evaluate, r->why);
		status = node_fail_as(r->document, item, status, r->why);
	}
	return status;
}

/*
 * Adds a sequence: every agent and player on every board. Errors of the whole sequence are at NODE.
 */
static enum status sequence_add(struct experiment_reader *r, const yaml_node_t *node,
				struct sequence *sequence)
{
	struct game game;
	yaml_node_t **values = sequence->node, *board;
	enum status status = STATUS_OK;
	const bool plays = values[AGENTS] || values[PLAYERS];
	for (enum sequence_key k = BOARDS; k <= GAMES; k++)
		if (!values[k] && !(plays && (k == AGENTS || k == PLAYERS)))
			values[k] = r->top.node[k];
	for (enum sequence_key k = BOARDS; !status && k <= PLAYERS; k++) {
		if (values[k])
			status = node_list(r->document, values[k], sequence_keys[k].name, r->why);
		else if (k == BOARDS || !(values[AGENTS] || values[PLAYERS]))
			return node_fail(r->document, node, r->why, "%s is missing",
					 sequence_keys[k].name);
	}
	if (!status && values[LABEL] && !values[AGENTS])
		return node_fail(r->document, values[LABEL], r->why,
				 "label: is for agents; players have names");
	for (int i = 0; !status && (board = node_item(r->document, values[BOARDS], i)); i++) {
		status = read_board(r, board, &game);
		status = status ? status : read_schedule(r, node, &game, sequence);
		const size_t first = r->experiment.count;
		if (!status && values[AGENTS])
			status = agents_add(r, values[AGENTS], &game, sequence->label,
					    &sequence->schedule);
		if (!status && values[PLAYERS])
			status = players_add(r, values[PLAYERS], &game, &sequence->schedule);
		const size_t end = r->experiment.count;
		for (size_t k = first; !status && values[UNDER] && k < end; k++)
			status = under_add(r, values[UNDER], r->experiment.entries[k]);
	}
	return status;
}

static enum status read_sequences(struct experiment_reader *r, const yaml_node_t *root)
{
	yaml_node_t *node = r->top.node[SEQUENCES], *item;
	if (!node)
		return sequence_add(r, root, &(struct sequence){.label = NULL});
	enum status status = node_list(r->document, node, "sequences", r->why);
	for (int i = 0; !status && (item = node_item(r->document, node, i)); i++) {
		struct sequence sequence = {.label = NULL};
		status = node_mapping(r->document, item, "a sequence", sequence_keys, sequence.node,
				      r->why);
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
	if (access(path, R_OK) == 0)
		return STATUS_OK;
	return why_set(why, STATUS_INPUT,
		       "positions: '%.80s': %s; expected a number of positions or a file", path,
		       strerror(errno));
}

/* Reads NODE, a single value, into the member of SWEEP for OPTION. */
static enum status sweep_value_read(struct document *document, const yaml_node_t *node,
				    const struct command_option *option, struct sweep *sweep,
				    struct why *why)
{
	const char *text = NULL, *what = option->field.name;
	enum status status =
	    (option->each ? node_plain : node_text)(document, node, what, &text, why);
	if (status)
		return status;
	status = option->read ? option->read((char *)sweep + option->field.offset, what, text, why)
			      : field_read(&option->field, what, sweep, text, why);
	if (!status && option->read == sweep_set_positions && *sweep->file)
		status = positions_file_check(sweep->file, why);
	return node_fail_as(document, node, status, why);
}

static enum status sweep_read(struct sweep *sweep, struct document *document,
			      const yaml_node_t *node, struct why *why)
{
	yaml_node_t *values[SWEEP_KEYS] = {NULL}, *item;
	struct field keys[SWEEP_KEYS + 1] = {{0}};
	struct sweep made = SWEEP_DEFAULTS;
	for (size_t i = 0; i < SWEEP_KEYS; i++)
		keys[i] = sweep_options[i].field;
	enum status status = node_mapping(document, node, "sweep", keys, values, why);
	for (size_t i = 0; !status && i < SWEEP_KEYS; i++) {
		const struct command_option *option = &sweep_options[i];
		if (!values[i])
			continue;
		if (!option->each) {
			status = sweep_value_read(document, values[i], option, &made, why);
			continue;
		}
		status = node_list(document, values[i], keys[i].name, why);
		for (int k = 0; !status && (item = node_item(document, values[i], k)); k++)
			status = sweep_value_read(document, item, option, &made, why);
	}
	if (status)
		return status;
	status = sweep_complete(&made, why);
	if (!status)
		*sweep = made;
	return node_fail_as(document, node, status, why);
}

/* Reads the sweep and adds its cells on every board. */
static enum status read_sweep(struct experiment_reader *r, const yaml_node_t *root)
{
	static const int foreign[] = {AGENTS, PLAYERS, GAMES, SEQUENCES, MS, TRACES, PRECISION};
	struct game game;
	yaml_node_t *board, *const *top = r->top.node;
	for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
		if (top[foreign[i]])
			return node_fail(r->document, top[foreign[i]], r->why,
					 "%s: has no meaning beside a sweep",
					 top_keys[foreign[i]].name);
	if (!top[BOARDS])
		return node_fail(r->document, root, r->why, "boards is missing");
	r->experiment.sweep = xcalloc(1, sizeof *r->experiment.sweep);
	enum status status = sweep_read(r->experiment.sweep, r->document, top[SWEEP], r->why);
	if (!status)
		status = node_list(r->document, top[BOARDS], "boards", r->why);
	for (int i = 0; !status && (board = node_item(r->document, top[BOARDS], i)); i++) {
		status = read_board(r, board, &game);
		if (status)
			break;
		status = sweep_add_cells(r->experiment.sweep, &r->experiment, &game, r->why);
		status = node_fail_as(r->document, top[SWEEP], status, r->why);
	}
	return status;
}

/* The name of the file without folders and suffix, on the heap. */
static char *name_from_path(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *name = xstrdup(slash ? slash + 1 : path);
	if (strrchr(name, '.'))
		*strrchr(name, '.') = '\0';
	return name;
}

/* Whether NAME can name a folder: letters, digits, '.', '_', '-', no leading '.'. */
static bool experiment_name_valid(const char *name)
{
	size_t length = strlen(name);
	if (length == 0 || length >= RESULT_NAME_MAX || *name == '.')
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && !strchr("._-", *name))
			return false;
	return true;
}

/* Copies TEXT, the value of the top-level KEY, to *LINE unless it is NULL. It must be one line. */
static enum status line_take(struct experiment_reader *r, int key, const char *text, char **line)
{
	enum status status =
	    text ? text_check(top_keys[key].name, text, LABEL_BYTES_MAX, r->why) : STATUS_OK;
	if (!status && text)
		*line = xstrdup(text);
	return status ? node_fail_as(r->document, r->top.node[key], status, r->why) : STATUS_OK;
}

/* Checks the top level. */
static enum status top_check(struct experiment_reader *r, const yaml_node_t *root)
{
	struct game game;
	const struct top *top = &r->top;
	struct experiment *e = &r->experiment;
	const struct game_options rule = {.shape = "4x4", .spawn = top->spawn};
	e->seed = top->seed;
	e->traces = top->traces;
	e->precision = top->precision;
	e->name = top->name ? xstrdup(top->name) : name_from_path(r->document->path);
	if (!experiment_name_valid(e->name))
		return node_fail(r->document, top->name ? top->node[NAME] : root, r->why,
				 "name: '%.80s' must be letters, digits, '.', '_' and '-'",
				 e->name);
	enum status status = line_take(r, TITLE, top->title, &e->title);
	status = status ? status : line_take(r, DURATION, top->duration, &e->duration);
	/* Tries the spawn rule on some board, so that its error is reported at its place. */
	if (!status && top->spawn)
		status = node_fail_as(r->document, top->node[SPAWN],
				      game_init(&game, &rule, r->why), r->why);
	if (!status && top->ms)
		status = node_fail_as(
		    r->document, top->node[MS],
		    experiment_time(&e->ms_per_move, top_keys[MS].name, top->ms, r->why), r->why);
	return status;
}

/* Reads the top level. */
static enum status read_top(struct experiment_reader *r, const yaml_node_t *root)
{
	struct document *d = r->document;
	r->top.seed = 1;
	enum status status = node_mapping(d, root, "an experiment", top_keys, r->top.node, r->why);
	status = status ? status : node_fields(d, top_keys, r->top.node, &r->top, r->why);
	return status ? status : top_check(r, root);
}

static enum status read_file(struct experiment *experiment, const char *path, bool whole,
			     struct why *why)
{
	struct experiment_reader r = {.why = why};
	enum status status = document_read(&r.document, path, why);
	if (status)
		return status;
	yaml_node_t *root = yaml_document_get_root_node(&r.document->yaml);
	status = read_top(&r, root);
	if (!status && whole)
		status = r.top.node[SWEEP] ? read_sweep(&r, root) : read_sequences(&r, root);
	yaml_document_delete(&r.document->yaml);
	free(r.document);
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
