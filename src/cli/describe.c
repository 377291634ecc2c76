/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Descriptions, made from the tables of boards, agents, values and parameters, and from files; see
 * describe.h.
 */
#include "src/cli/describe.h"

#include "agents/agent.h"
#include "agents/model.h"
#include "agents/solver/optimum.h"
#include "analysis/tables/record.h"
#include "base/text.h"
#include "src/cli/provenance.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Boards. */

struct board_row {
	const char *board;
	int cells;
	uint64_t tile;
	int exponent, bits, packed, symmetries;
};

#define BOARD(title, kind, member) TABLE_COLUMN(struct board_row, title, kind, member)

static const struct table_column board_columns[] = {
    BOARD("board", TEXT, board),	  BOARD("cells", INT, cells),
    BOARD("largest_tile", NUMBER, tile),  BOARD("exponent", INT, exponent),
    BOARD("cell_bits", INT, bits),	  BOARD("packed_bits", INT, packed),
    BOARD("symmetries", INT, symmetries), {0},
};

static void board_put(const struct table_out *out, const char *shape)
{
	struct game game;
	/* Cannot fail for the default rules and an available instruction set. */
	if (game_init(&game, &(struct game_options){.shape = shape}, NULL))
		return;
	const struct board_row row = {
	    game.name,	       game.cells, (uint64_t)1 << game.max_exponent,
	    game.max_exponent, game.bits,  game.cells * game.bits,
	    game.symmetries};
	table_put(out, &row);
}

static void board_rows(const struct table_out *out, const void *data)
{
	static const char *const shapes[] = {
#define SHAPE(rows, cols) #rows "x" #cols,
#include "boards/shapes.def"
	};
	(void)data;
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		board_put(out, shapes[i]);
}

static void board_line(const struct table_out *out, const void *data)
{
	const struct board_row *row = data;
	fprintf(out->file, "%-7s %5d %13" PRIu64 " %9d %10d %12d %11d\n", row->board, row->cells,
		row->tile, row->exponent, row->bits, row->packed, row->symmetries);
}

static void boards_text(FILE *file, const void *data, bool full)
{
	(void)full;
	fputs("Boards; the largest tile and the bits are those of spawns up to 4\n"
	      "board   cells  largest tile  exponent  bits/cell  packed bits  symmetries\n",
	      file);
	board_rows(&(struct table_out){.file = file, .put = board_line}, data);
}

const struct tables board_tables = {
    .print = boards_text,
    .table = {TABLE("boards", "tile and bits of spawns up to 4", board_columns, board_rows)}};

/* ---- Agents, values, parameters. */

/* Describes the legal values of a parameter: a range, choices, or the names of values. */
static void param_range(const struct field *param, char *text, size_t size)
{
	size_t used = 0;
	switch (param->kind) {
	case FIELD_REAL:
	case FIELD_INTEGER:
		snprintf(text, size, "%.7g .. %.7g%s%s", param->min, param->max,
			 param->choices ? "|" : "", param->choices ? param->choices : "");
		break;
	case FIELD_BYTES:
		snprintf(text, size, "bytes, as in 64M");
		break;
	case FIELD_CHOICE:
		snprintf(text, size, "%s", param->choices);
		break;
	case FIELD_CHARS:
		snprintf(text, size, "text");
		break;
	case FIELD_FILE:
		snprintf(text, size, "file");
		break;
	case FIELD_COMMAND:
		snprintf(text, size, "command");
		break;
	case FIELD_AGENT:
		snprintf(text, size, "agent");
		break;
	case FIELD_VALUE:
		for (int i = 0; value_classes[i] && used < size; i++)
			used += (size_t)snprintf(text + used, size - used, "%s%s", i ? "|" : "",
						 value_classes[i]->name);
		break;
	default: /* agents have no other kinds */
		break;
	}
}

/* Columns for "name=default"; a longer one takes a line of its own. */
enum { SETTING_WIDTH = 18 };

/* Prints "name=default", the meaning and, in parentheses, the legal values, as wrapped lines. */
static void param_print(FILE *file, const struct field *param)
{
	char setting[FIELD_TEXT_MAX + 64], range[256], text[2048];
	param_range(param, range, sizeof range);
	snprintf(setting, sizeof setting, "%s=%s", param->name, param->fallback);
	const bool fits = strlen(setting) <= SETTING_WIDTH;
	fprintf(file, "  %-*s%s", SETTING_WIDTH, setting, fits ? " " : "\n");
	if (!fits)
		fprintf(file, "%*s", SETTING_WIDTH + 3, "");
	size_t used = (size_t)snprintf(text, sizeof text, "%s (", param->help);
	/* Allows wrapping of a long list. */
	for (const char *at = range; *at && used < sizeof text; at++)
		used += (size_t)snprintf(text + used, sizeof text - used,
					 *at == '|' ? " %c " : "%c", *at);
	if (param->scale > 0 && used < sizeof text)
		used += (size_t)snprintf(text + used, sizeof text - used, "; scale %g%s",
					 param->scale, param->per_tile ? " / large tile" : "");
	if (used < sizeof text)
		snprintf(text + used, sizeof text - used, ")");
	text_fill(file, SETTING_WIDTH + 3, text);
}

/* An agent, an alias of one, or a value. */
struct item {
	const char *kind, *name;
	const char *needs; /* required argument after the name; NULL: none */
	const char *summary;
	const struct field *params;
};

/* Sets ITEM to item I, agents first; false after the last. */
static bool item_at(size_t i, struct item *item)
{
	static const struct field none[] = {{0}};
	for (const struct agent_class *const *c = agent_classes; *c; c++)
		if (i-- == 0) {
			*item = (struct item){"agent", (*c)->name, (*c)->needs, (*c)->summary,
					      (*c)->params};
			return true;
		}
	for (const struct agent_alias *a = agent_aliases; a->name; a++)
		if (i-- == 0) {
			*item = (struct item){"alias", a->name, NULL, a->text, none};
			return true;
		}
	for (const struct value_class *const *c = value_classes; *c; c++)
		if (i-- == 0) {
			*item =
			    (struct item){"value", (*c)->name, NULL, (*c)->summary, (*c)->params};
			return true;
		}
	return false;
}

/* Finds the next item of TOPIC from number *I on, and sets *I to the number after it. */
static bool topic_next(const struct description *topic, size_t *i, struct item *item)
{
	while (item_at((*i)++, item)) {
		const bool value = *item->kind == 'v';
		if ((value ? topic->values : topic->agents) &&
		    (!topic->name || strcmp(item->name, topic->name) == 0))
			return true;
	}
	return false;
}

const char *description_kind(const char *name)
{
	struct item item = {0};
	if (!topic_next(&(struct description){true, true, name}, &(size_t){0}, &item))
		return NULL;
	return *item.kind == 'v'		 ? "a value"
	       : strcmp(item.kind, "agent") == 0 ? "an agent"
						 : "an alias";
}

static void item_print(FILE *file, const struct item *item, bool params)
{
	char name[64];
	const bool alias = strcmp(item->kind, "alias") == 0;
	snprintf(name, sizeof name, "%s%s%s", item->name, item->needs ? ":" : "",
		 item->needs ? item->needs : "");
	fprintf(file, "%-12s%s%s", name, strlen(name) > 12 ? "\n             " : " ",
		alias ? "stands for " : "");
	text_fill(file, alias ? 24 : 13, item->summary);
	for (const struct field *p = item->params; params && p->name; p++)
		param_print(file, p);
}

static void params_text(FILE *file, const void *data, bool full)
{
	const struct description *topic = data;
	struct item item;
	bool values = false;
	const bool all = topic->agents && topic->values && !topic->name;
	(void)full;
	if (topic->agents && !topic->name)
		fputs("Agents, written NAME:KEY=VALUE,...; a search takes the keys of its value, "
		      "too\n",
		      file);
	for (size_t i = 0; topic_next(topic, &i, &item);) {
		if (*item.kind == 'v' && !values && !topic->name)
			fprintf(file, "%sValues that a search can use, written value=NAME\n",
				topic->agents ? "\n" : "");
		values = *item.kind == 'v';
		item_print(file, &item, !all);
	}
}

/*
 * ---- Descriptions for programs: a row per parameter, or one row for an item without parameters.
 */

struct param_row {
	const char *kind, *name, *needs, *summary;
	const char *parameter, *fallback, *doc;
	double scale; /* NAN: none */
	bool per_tile;
	char range[256];
};

#define PARAM(title, kind, member) TABLE_COLUMN(struct param_row, title, kind, member)

static const struct table_column param_columns[] = {
    PARAM("type", TEXT, kind),
    PARAM("name", TEXT, name),
    PARAM("needs", TEXT, needs),
    PARAM("summary", TEXT, summary),
    PARAM("parameter", TEXT, parameter),
    PARAM("default", TEXT, fallback),
    PARAM("range", CHARS, range),
    PARAM("meaning", TEXT, doc),
    PARAM("scale", REAL, scale),
    PARAM("per_tile", FLAG, per_tile),
    {0},
};

/* Writes the rows of ITEM. */
static void item_put(const struct table_out *out, const struct item *item)
{
	struct param_row row = {.kind = item->kind,
				.name = item->name,
				.needs = item->needs ? item->needs : "",
				.summary = item->summary,
				.parameter = "",
				.fallback = "",
				.doc = "",
				.scale = NAN};
	if (!item->params->name)
		table_put(out, &row);
	for (const struct field *p = item->params; p->name; p++) {
		row.parameter = p->name;
		row.fallback = p->fallback;
		row.doc = p->help;
		row.scale = p->scale > 0 ? p->scale : NAN;
		row.per_tile = p->scale > 0 && p->per_tile;
		param_range(p, row.range, sizeof row.range);
		table_put(out, &row);
	}
}

static void param_rows(const struct table_out *out, const void *data)
{
	struct item item;
	for (size_t i = 0; topic_next(data, &i, &item);)
		item_put(out, &item);
}

const struct tables description_tables = {
    .print = params_text, .table = {TABLE("parameters", NULL, param_columns, param_rows)}};

/* ---- Files. */

/*
 * The training parameters of a model, in full, or the text of HEADER unchanged if it cannot be
 * parsed.
 */
static void model_params(const char *path, const struct model_header *header, char params[SPEC_MAX])
{
	struct game game;
	char text[SPEC_MAX];
	snprintf(params, SPEC_MAX, "%s", header->params);
	if (snprintf(text, sizeof text, "%s:%s", header->agent, header->params) < SPEC_MAX &&
	    model_game(path, &game, NULL) == STATUS_OK)
		(void)!agent_resolved(text, &game, params, NULL);
}

/*
 * Prints RECORD, which was made before the checksum was verified; then fails with STATUS and WHY if
 * the checksum was wrong.
 */
static enum status verified_print(const struct invocation *call, struct record *record,
				  enum status status, struct why *why)
{
	struct why unprinted;
	if (!status)
		record_text(record, "checksums", "good");
	const enum status printed = record_print(call, record, status ? &unprinted : why);
	return status ? status : printed;
}

static enum status print_model(const struct invocation *call, const char *path, struct why *why)
{
	struct model_file *file;
	struct record record = {.name = "model", .width = 16};
	enum status status = model_open(&file, path, why);
	if (status)
		return status;
	const struct model_header *header = model_header(file);
	char params[SPEC_MAX];
	model_params(path, header, params);
	record_text(&record, "model", path);
	record_text(&record, "agent", header->agent);
	record_text(&record, "board", header->board);
	record_text(&record, "spawns", header->spawn);
	record_number(&record, "training games", header->games);
	record_text(&record, "parameters", params);
	record_text(&record, "layout", header->layout);
	status = verified_print(call, &record, model_verify(file), why);
	model_close(file);
	return status;
}

static void table_describe(struct record *record, const char *path,
			   const struct optimum_header *header)
{
	char goal[64], made[sizeof header->made + 8];
	snprintf(goal, sizeof goal, header->target ? "%s %" PRIu64 : "%s", goal_name(header->goal),
		 (uint64_t)1 << header->target);
	snprintf(made, sizeof made, "nxn %s", header->made);
	record_text(record, "table", path);
	record_text(record, "board", header->board);
	record_text(record, "spawns", header->spawn);
	if (header->start[0])
		record_text(record, "start", header->start);
	else
		record_number(record, "start tiles", (uint64_t)header->start_tiles);
	record_text(record, "goal", goal);
	record_real(record, "value", header->value);
	if (header->max_sum)
		record_number(record, "largest sum", header->max_sum);
	record_number(record, "states", header->states);
	record_number(record, "after-states", header->afterstates);
	if (header->made[0])
		record_text(record, "made by", made);
}

static enum status print_table(const struct invocation *call, const char *path, struct why *why)
{
	struct optimum *optimum;
	struct record record = {.name = "table", .width = 16};
	enum status status = optimum_open(path, NULL, false, &optimum, why);
	if (status)
		return status;
	table_describe(&record, path, optimum_header(optimum));
	status = verified_print(call, &record, optimum_verify(optimum, why), why);
	optimum_close(optimum);
	return status;
}

enum status file_describe(const struct invocation *call, const char *path, struct why *why)
{
	return optimum_claims(path) ? print_table(call, path, why) : print_model(call, path, why);
}
