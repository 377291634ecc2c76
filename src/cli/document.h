/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A YAML document and what can be asked of its nodes: texts, numbers, lists and mappings with known
 * keys. Every error is STATUS_INPUT and reads FILE:LINE:COLUMN: REASON.
 *
 * Anchors and aliases are followed, so a node may occur in several places, or even contain itself:
 * a reader whose schema has a fixed depth comes to an end all the same.
 */
#ifndef NXN_DOCUMENT_H
#define NXN_DOCUMENT_H

#include "base/status.h"

#include <stdint.h>

enum {
	DOCUMENT_SIZE_MAX = 1 << 20,
	DOCUMENT_DEPTH_MAX = 32,
	DOCUMENT_ANCHORS_MAX = 1000,
	DOCUMENT_PERCENTS_MAX = 1000, /* which directives begin with */
};

struct document;
struct yaml_node_s; /* libyaml's; opaque here */

/*
 * Reads the one document in the file PATH, a text that outlives it. STATUS_INPUT for what is
 * missing, not YAML, empty, more than one document, larger than DOCUMENT_SIZE_MAX, nested deeper than
 * DOCUMENT_DEPTH_MAX, or of more anchors or percent signs than above; STATUS_SYSTEM if it cannot be
 * read.
 */
MUST_USE enum status document_read(struct document **document, const char *path, struct why *why);
void document_free(struct document *document);

/* Nodes belong to the document. */
struct yaml_node_s *document_root(struct document *document);
const char *document_path(const struct document *document);

/* Gives a reason its place. STATUS_INPUT. */
__attribute__((format(printf, 4, 5))) enum status node_fail(const struct document *document,
							    const struct yaml_node_s *node,
							    struct why *why, const char *format,
							    ...);

/*
 * The same for a STATUS that another call returned with WHY, and passes it on. Only STATUS_INPUT
 * has a place.
 */
enum status node_fail_as(const struct document *document, const struct yaml_node_s *node,
			 enum status status, struct why *why);

/* The text of a single value, not empty; WHAT names it in errors. It belongs to the document. */
MUST_USE enum status node_text(const struct document *document, const struct yaml_node_s *node,
			       const char *what, const char **text, struct why *why);

/* The same for an item of a list that has no comma: the options of commands have lists with commas. */
MUST_USE enum status node_plain(const struct document *document, const struct yaml_node_s *node,
				const char *what, const char **text, struct why *why);

/* A whole number from MIN to MAX. If NODE is NULL, *NUMBER stays what it is. */
MUST_USE enum status node_number(const struct document *document, const struct yaml_node_s *node,
				 const char *what, uint64_t min, uint64_t max, uint64_t *number,
				 struct why *why);

/*
 * Sorts the values of a mapping into VALUES by the index of their key in KEYS, which ends with
 * NULL; values of keys that are not there stay what they are (NULL). An unknown key gets a "did you
 * mean".
 */
MUST_USE enum status node_mapping(struct document *document, const struct yaml_node_s *node,
				  const char *what, const char *const *keys,
				  struct yaml_node_s **values, struct why *why);

/* STATUS_INPUT if NODE is an empty list. What is no list counts as a list of one. */
MUST_USE enum status node_list(const struct document *document, const struct yaml_node_s *node,
			       const char *what, struct why *why);

/* The I-th item of what node_list() has checked, or NULL after the last. */
struct yaml_node_s *node_item(struct document *document, struct yaml_node_s *node, int i);

#endif
