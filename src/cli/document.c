/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * YAML through libyaml's document API, which keeps line and column of every node; see document.h.
 * Nothing else includes yaml.h.
 */
#include "src/cli/document.h"

#include "base/text.h"
#include "base/file.h"
#include "src/cli/options.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

struct document {
	const char *path;
	yaml_document_t yaml;
};

const char *document_path(const struct document *document)
{
	return document->path;
}

struct yaml_node_s *document_root(struct document *document)
{
	return yaml_document_get_root_node(&document->yaml);
}

void document_free(struct document *document)
{
	if (document)
		yaml_document_delete(&document->yaml);
	free(document);
}

static enum status parser_fail(const char *path, const yaml_parser_t *parser, struct why *why)
{
	/* Some of its errors without memory have neither a kind nor words. */
	if (parser->error == YAML_MEMORY_ERROR || !parser->problem)
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", path);
	if (parser->error == YAML_READER_ERROR)
		return why_set(why, STATUS_INPUT, "%s: byte %zu: %s", path, parser->problem_offset,
			       parser->problem);
	return why_set(why, STATUS_INPUT, "%s:%zu:%zu: %s", path, parser->problem_mark.line + 1,
		       parser->problem_mark.column + 1, parser->problem);
}

/*
 * Looks at TEXT event by event, before libyaml makes a document of it: looking up an anchor takes it time
 * in proportion to their number, so that a file of anchors alone, all within DOCUMENT_SIZE_MAX, would
 * take minutes; and lists in lists beyond what any schema has are mistakes.
 */
static enum status events_check(const char *path, yaml_parser_t *parser, struct why *why)
{
	int depth = 0, anchors = 0;
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
		anchors +=
		    (event.type == YAML_SCALAR_EVENT && event.data.scalar.anchor) ||
		    (event.type == YAML_SEQUENCE_START_EVENT && event.data.sequence_start.anchor) ||
		    (event.type == YAML_MAPPING_START_EVENT && event.data.mapping_start.anchor);
		more = event.type != YAML_STREAM_END_EVENT && event.type != YAML_NO_EVENT;
		yaml_event_delete(&event);
		if (depth > DOCUMENT_DEPTH_MAX)
			return why_set(why, STATUS_INPUT,
				       "%s:%zu:%zu: lists and mappings within each other, expected "
				       "at most %d",
				       path, at.line + 1, at.column + 1, DOCUMENT_DEPTH_MAX);
		if (anchors > DOCUMENT_ANCHORS_MAX)
			return why_set(why, STATUS_INPUT, "%s:%zu:%zu: more anchors (&) than %d",
				       path, at.line + 1, at.column + 1, DOCUMENT_ANCHORS_MAX);
	}
	return STATUS_OK;
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
		status = why_set(why, STATUS_INPUT, "%s:%zu:%zu: a second document; one is allowed",
				 path, root->start_mark.line + 1, root->start_mark.column + 1);
	yaml_document_delete(&second);
	return status;
}

/* Directives (%TAG) cost like anchors, before there is any event. */
static bool percents_fit(const char *text, size_t size)
{
	int percents = 0;
	for (const char *at = text; (at = memchr(at, '%', size - (size_t)(at - text))); at++)
		percents++;
	return percents <= DOCUMENT_PERCENTS_MAX;
}

/* Whether TEXT has a NUL as no YAML has but in UTF-16: a model file, say. */
static bool is_binary(const char *text, size_t size)
{
	const bool utf16 =
	    size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0);
	return !utf16 && memchr(text, '\0', size);
}

static enum status text_check(const char *path, const char *text, size_t size, struct why *why)
{
	yaml_parser_t parser;
	if (is_binary(text, size))
		return why_set(why, STATUS_INPUT,
			       "%s: no experiment, run or table of results: it is not even text",
			       path);
	if (!percents_fit(text, size))
		return why_set(why, STATUS_INPUT, "%s: more percent signs than %d", path,
			       DOCUMENT_PERCENTS_MAX);
	if (!yaml_parser_initialize(&parser))
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", path);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
	enum status status = events_check(path, &parser, why);
	yaml_parser_delete(&parser);
	return status;
}

/* Parses TEXT into DOCUMENT, which has something to delete only on success. */
static enum status document_parse(struct document *document, const char *text, size_t size,
				  struct why *why)
{
	yaml_parser_t parser;
	enum status status = text_check(document->path, text, size, why);
	if (status)
		return status;
	if (!yaml_parser_initialize(&parser))
		return why_set(why, STATUS_SYSTEM, "%s: out of memory", document->path);
	yaml_parser_set_input_string(&parser, (const unsigned char *)text, size);
	if (!yaml_parser_load(&parser, &document->yaml)) {
		status = parser_fail(document->path, &parser, why);
	} else {
		if (document_root(document))
			status = parser_end(document->path, &parser, why);
		else
			status = why_set(why, STATUS_INPUT, "%s: is empty", document->path);
		if (status)
			yaml_document_delete(&document->yaml);
	}
	yaml_parser_delete(&parser);
	return status;
}

enum status document_read(struct document **document, const char *path, struct why *why)
{
	char *text;
	size_t length;
	enum status status = file_read(path, DOCUMENT_SIZE_MAX, &text, &length, why);
	if (status)
		return status;
	struct document *made = calloc(1, sizeof *made);
	if (made) {
		made->path = path;
		status = document_parse(made, text, length, why);
	} else {
		status = why_errno(why, "%s", path);
	}
	free(text);
	if (status)
		free(made);
	else
		*document = made;
	return status;
}

enum status node_fail(const struct document *document, const struct yaml_node_s *node,
		      struct why *why, const char *format, ...)
{
	struct why reason;
	va_list args;
	va_start(args, format);
	vsnprintf(reason.text, sizeof reason.text, format, args);
	va_end(args);
	*why = reason;
	return node_fail_as(document, node, STATUS_INPUT, why);
}

enum status node_fail_as(const struct document *document, const struct yaml_node_s *node,
			 enum status status, struct why *why)
{
	struct why reason = *why;
	if (status != STATUS_INPUT)
		return status;
	return why_set(why, STATUS_INPUT, "%s:%zu:%zu: %s", document->path,
		       node->start_mark.line + 1, node->start_mark.column + 1, reason.text);
}

enum status node_text(const struct document *document, const struct yaml_node_s *node,
		      const char *what, const char **text, struct why *why)
{
	if (node->type != YAML_SCALAR_NODE)
		return node_fail(document, node, why, "%s: must be a single value", what);
	const char *value = (const char *)node->data.scalar.value;
	if (node->data.scalar.length == 0 || strlen(value) != node->data.scalar.length)
		return node_fail(document, node, why, "%s: must not be empty or contain a NUL",
				 what);
	*text = value;
	return STATUS_OK;
}

enum status node_plain(const struct document *document, const struct yaml_node_s *node,
		       const char *what, const char **text, struct why *why)
{
	const char *value;
	enum status status = node_text(document, node, what, &value, why);
	if (status)
		return status;
	/* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): node_fail() has a status */
	if (strchr(value, ','))
		return node_fail(document, node, why, "%s: '%.80s': expected a YAML list: [%.80s]",
				 what, value, value);
	*text = value;
	return STATUS_OK;
}

enum status node_number(const struct document *document, const struct yaml_node_s *node,
			const char *what, uint64_t min, uint64_t max, uint64_t *number,
			struct why *why)
{
	const char *text;
	if (!node)
		return STATUS_OK;
	enum status status = node_text(document, node, what, &text, why);
	if (status)
		return status;
	/* NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): node_fail() has a status */
	status = number_parse(what, text, min, max, number, why);
	return status ? node_fail_as(document, node, status, why) : STATUS_OK;
}

/* Names the closest key if there is one within two edits, or else all of them. */
static enum status key_unknown(const struct document *document, const yaml_node_t *node,
			       const char *text, const char *const *keys, struct why *why)
{
	struct guess guess = guess_start(text, strlen(text));
	char list[256] = "";
	for (size_t used = 0; *keys; used = strlen(list), keys++) {
		guess_try(&guess, *keys, strlen(*keys));
		snprintf(list + used, sizeof list - used, "%s%s", used ? ", " : "", *keys);
	}
	if (guess.name)
		return node_fail(document, node, why, "unknown key '%.80s'; did you mean '%s'?",
				 text, guess.name);
	return node_fail(document, node, why, "unknown key '%.80s'; the keys here are %s", text,
			 list);
}

enum status node_mapping(struct document *document, const struct yaml_node_s *node,
			 const char *what, const char *const *keys, struct yaml_node_s **values,
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
		/* NOLINTBEGIN(clang-analyzer-core.CallAndMessage): node_fail() has a status */
		while (keys[k] && strcmp(keys[k], text) != 0)
			k++;
		if (!keys[k])
			return key_unknown(document, key, text, keys, why);
		/* NOLINTEND(clang-analyzer-core.CallAndMessage) */
		if (values[k])
			return node_fail(document, key, why, "key '%s' is there twice", text);
		values[k] = yaml_document_get_node(&document->yaml, pair->value);
	}
	return STATUS_OK;
}

enum status node_list(const struct document *document, const struct yaml_node_s *node,
		      const char *what, struct why *why)
{
	if (node->type != YAML_SEQUENCE_NODE)
		return STATUS_OK;
	if (node->data.sequence.items.start == node->data.sequence.items.top)
		return node_fail(document, node, why, "%s: must not be an empty list", what);
	return STATUS_OK;
}

struct yaml_node_s *node_item(struct document *document, struct yaml_node_s *node, int i)
{
	if (node->type != YAML_SEQUENCE_NODE)
		return i == 0 ? node : NULL;
	const yaml_node_item_t *item = node->data.sequence.items.start + i;
	if (item == node->data.sequence.items.top)
		return NULL;
	return yaml_document_get_node(&document->yaml, *item);
}
