/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The texts around a board; see play_panel.h.
 *
 * Bars are chances where an agent tells them. Else they run from the worst legal move, which has the
 * shortest, to the best, since values have no zero that would mean something.
 */
#include "src/play/play_panel.h"

#include "agents/play.h"
#include "src/play/play_show.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

enum {
	WORD_MAX = 96,
	WORDS_MAX = 12,
	NAME_COLUMNS = 8, /* a mark, a blank, the longest direction, a blank */
	VALUE_COLUMNS = 9,
	CHANCE_COLUMNS = 7, /* a blank, 100.0% */
	BAR_LEAST = 4,
	SEARCH_COLUMNS = 35,
	TALL_LEAST = NAME_COLUMNS + VALUE_COLUMNS,
	/* Of a line with all four: a mark, a letter and four digits each, a blank between them. */
	SHORT_LEAST = DIRECTIONS * 7 - 1,
};

void number_fit(char text[NUMBER_MAX], int width, int decimals, double value)
{
	static const char units[] = " kMGT";
	enum { UNITS = sizeof units - 1 };
	for (int d = decimals; d >= 0; d--)
		if (snprintf(text, NUMBER_MAX, "%.*f", d, value) <= width)
			return;
	for (int unit = 1; unit < UNITS; unit++) {
		const double part = value / pow(1000, unit);
		if (fabs(part) < 0.95 || (fabs(part) >= 1000 && unit + 1 < UNITS))
			continue;
		for (int d = 1; d >= 0; d--)
			if (snprintf(text, NUMBER_MAX, "%.*f%c", d, part, units[unit]) <= width)
				return;
	}
	if (snprintf(text, NUMBER_MAX, "%.0e", value) > width)
		snprintf(text, NUMBER_MAX, "%s", value < 0 ? "-big" : "big");
}

/* A list of words as lines: as many as fit in a line, two blanks between them. */
struct words {
	int n;
	char word[WORDS_MAX][WORD_MAX];
};

__attribute__((format(printf, 2, 3))) static void word_add(struct words *words, const char *format,
							   ...)
{
	va_list args;
	va_start(args, format);
	if (words->n < WORDS_MAX)
		vsnprintf(words->word[words->n++], WORD_MAX, format, args);
	va_end(args);
}

/* Writes them from LINE on into at most LINES lines, or only counts those with CANVAS NULL. */
static int words_draw(const struct words *words, struct canvas *canvas, struct area area,
		      uint32_t ink)
{
	int line = 0, column = 0;
	for (int i = 0; i < words->n; i++) {
		int length = text_columns(words->word[i]);
		if (column > 0 && column + 2 + length > area.columns) {
			if (line + 1 == area.lines)
				continue; /* a shorter one may fit */
			line++;
			column = 0;
		}
		column += column > 0 ? 2 : 0;
		if (canvas)
			canvas_text(canvas, area.line + line, area.column + column,
				    area.columns - column, ink, words->word[i]);
		column += length;
	}
	return column > 0 ? line + 1 : 0;
}

static void words_of(const struct scene *scene, enum panel_item item, struct words *words)
{
	const struct thought *thought = scene->thought;
	words->n = 0;
	switch (item) {
	case PANEL_TITLE:
		word_add(words, "%s", scene->title);
		break;
	case PANEL_STATUS:
		word_add(words, "score %" PRIu64, scene->score);
		if (scene->move == scene->moves)
			word_add(words, "move %zu", scene->move);
		else
			word_add(words, "move %zu/%zu", scene->move, scene->moves);
		word_add(words, "largest %" PRIu64, UINT64_C(1) << board_max(scene->board));
		break;
	case PANEL_SEARCH:
		if (thought && thought->depth > 0)
			word_add(words, "depth %d", thought->depth);
		if (thought && thought->nodes > 0)
			word_add(words, "%" PRIu64 " nodes", thought->nodes);
		if (thought && thought->seconds >= 0)
			word_add(words, "%.*f ms", thought->seconds < 0.1F ? 3 : 0,
				 1e3 * (double)thought->seconds);
		break;
	case PANEL_STATE:
		word_add(words, "%s",
			 scene->message && *scene->message ? scene->message : scene->state);
		break;
	case PANEL_KEYS:
		for (const char *const *key = scene->keys; key && *key; key++)
			word_add(words, "%s", *key);
		break;
	default:
		break;
	}
}

/* What bars stand for, between 0 and 1; NAN if nothing is told. */
static void shares_of(const struct thought *thought, unsigned legal, double share[DIRECTIONS])
{
	double low = INFINITY, high = -INFINITY;
	for (int d = 0; d < DIRECTIONS; d++)
		if (legal >> d & 1 && isfinite(thought->value[d])) {
			low = fmin(low, thought->value[d]);
			high = fmax(high, thought->value[d]);
		}
	for (int d = 0; d < DIRECTIONS; d++) {
		double chance = (double)thought->chance[d], value = thought->value[d];
		share[d] = !isnan(chance)	? chance
			   : !isfinite(value)	? NAN
			   : high - low > 1e-12 ? 0.125 + 0.875 * (value - low) / (high - low)
						: 1;
		if (!(legal >> d & 1))
			share[d] = NAN;
	}
}

/* SHARE of COLUMNS, in halves of a column where there are such characters. */
static void bar_draw(struct canvas *canvas, int line, int column, int columns, uint32_t ink,
		     double share)
{
	const bool utf8 = canvas->look.utf8;
	const int halves = isnan(share) ? 0 : (int)lround(share * 2 * columns);
	for (int i = 0; i < halves / 2; i++)
		canvas_put(canvas, line, column + i, ink, utf8 ? 0x2588 : '#');
	if (halves % 2 && utf8)
		canvas_put(canvas, line, column + halves / 2, ink, 0x258C);
}

/* Decimals that tell values of this size apart. */
static int decimals_of(const struct thought *thought)
{
	double largest = 0;
	for (int d = 0; d < DIRECTIONS; d++)
		if (isfinite(thought->value[d]))
			largest = fmax(largest, fabs(thought->value[d]));
	return largest < 10 ? 4 : largest < 10000 ? 2 : 1;
}

/* The number of move D, or '-'. */
static void value_text(char text[NUMBER_MAX], int width, const struct thought *thought,
		       unsigned legal, int d)
{
	if (!(legal >> d & 1) || isnan(thought->value[d]))
		snprintf(text, NUMBER_MAX, "-");
	else
		number_fit(text, width, decimals_of(thought), thought->value[d]);
}

/* The same of its chance, in percent. */
static void chance_text(char text[NUMBER_MAX], const struct thought *thought, unsigned legal, int d)
{
	if (!(legal >> d & 1) || isnan(thought->chance[d]))
		snprintf(text, NUMBER_MAX, "-");
	else
		snprintf(text, NUMBER_MAX, "%.1f%%", 100 * (double)thought->chance[d]);
}

static bool tells(const float chance[DIRECTIONS])
{
	return !isnan(chance[0]) || !isnan(chance[1]) || !isnan(chance[2]) || !isnan(chance[3]);
}

static bool tells_values(const struct thought *thought)
{
	const double *value = thought->value;
	return !isnan(value[0]) || !isnan(value[1]) || !isnan(value[2]) || !isnan(value[3]);
}

static struct thought thought_shown(const struct scene *scene)
{
	struct thought thought;
	thought_init(&thought);
	return scene->thought ? *scene->thought : thought;
}

static unsigned legal_of(const struct scene *scene)
{
	struct turn turn;
	turn_init(&turn, scene->game, scene->board, scene->score);
	return turn.moves.legal;
}

/* A line a move: chosen or not, its name, value, chance, bar. */
static void values_draw(const struct scene *scene, struct canvas *canvas, struct area area)
{
	const struct thought thought = thought_shown(scene);
	const unsigned legal = legal_of(scene);
	const bool chances = tells(thought.chance), values = tells_values(&thought) || !chances;
	double share[DIRECTIONS];
	char text[NUMBER_MAX];
	shares_of(&thought, legal, share);
	for (int d = 0; d < DIRECTIONS; d++) {
		int line = area.line + d, column = area.column + NAME_COLUMNS;
		uint32_t ink = d == scene->chosen ? INK_BOLD : INK_PLAIN;
		canvas_put(canvas, line, area.column, ink, d == scene->chosen ? '>' : ' ');
		canvas_text(canvas, line, area.column + 2, NAME_COLUMNS - 2, ink,
			    direction_names[d]);
		if (values) {
			value_text(text, VALUE_COLUMNS, &thought, legal, d);
			column += VALUE_COLUMNS;
			canvas_text(canvas, line, column - (int)strlen(text), VALUE_COLUMNS, ink,
				    text);
		}
		if (chances && column + CHANCE_COLUMNS <= area.column + area.columns) {
			chance_text(text, &thought, legal, d);
			column += CHANCE_COLUMNS;
			canvas_text(canvas, line, column - (int)strlen(text), CHANCE_COLUMNS, ink,
				    text);
		}
		int bar = area.column + area.columns - column - 1;
		if (bar >= BAR_LEAST)
			bar_draw(canvas, line, column + 1, bar, ink, share[d]);
	}
}

/* The same in one line: a letter a move, its value, or its chance if there is none. */
static void values_draw_short(const struct scene *scene, struct canvas *canvas, struct area area)
{
	const struct thought thought = thought_shown(scene);
	const unsigned legal = legal_of(scene);
	const bool values = tells_values(&thought) || !tells(thought.chance);
	const int step = (area.columns + 1) / DIRECTIONS;
	for (int d = 0; d < DIRECTIONS; d++) {
		char text[NUMBER_MAX];
		int column = area.column + d * step;
		uint32_t ink = d == scene->chosen ? INK_BOLD : INK_PLAIN;
		if (values)
			value_text(text, step - 3, &thought, legal, d);
		else
			chance_text(text, &thought, legal, d);
		canvas_put(canvas, area.line, column, ink, d == scene->chosen ? '>' : ' ');
		canvas_put(canvas, area.line, column + 1, ink, (uint32_t) "URDL"[d]);
		canvas_text(canvas, area.line, column + 2, step - 3, ink, text);
	}
}

/* The lines that ITEM likes to have. */
static int item_lines(const struct scene *scene, enum panel_item item, int columns)
{
	struct words words;
	if (item == PANEL_VALUES)
		return columns >= TALL_LEAST ? DIRECTIONS : 0;
	/* Always the same, so that nothing moves when there is more or less to tell. */
	if (item == PANEL_SEARCH)
		return columns >= SEARCH_COLUMNS ? 1 : 2;
	if (item == PANEL_TITLE || item == PANEL_STATE)
		return 1;
	words_of(scene, item, &words);
	return words_draw(&words, NULL, (struct area){.lines = WORDS_MAX, .columns = columns}, 0);
}

int panel_lines(const struct scene *scene, unsigned items, int columns)
{
	int lines = 0;
	for (unsigned i = 0; i < PANEL_ITEMS; i++)
		if (items >> i & 1)
			lines += item_lines(scene, (enum panel_item)(1u << i), columns);
	return lines;
}

static void item_draw(const struct scene *scene, enum panel_item item, struct canvas *canvas,
		      struct area area)
{
	struct words words;
	if (item == PANEL_VALUES && area.lines >= DIRECTIONS)
		values_draw(scene, canvas, area);
	else if (item == PANEL_VALUES)
		values_draw_short(scene, canvas, area);
	else {
		words_of(scene, item, &words);
		words_draw(&words, canvas, area, item == PANEL_STATE ? INK_BOLD : INK_PLAIN);
	}
}

/* How many of LINES each item gets. */
static void lines_share(const struct scene *scene, unsigned items, int lines, int columns,
			int given[PANEL_ITEMS])
{
	static const struct {
		enum panel_item item;
		int most;
	} order[] = {{PANEL_STATUS, 1}, {PANEL_STATE, 1}, {PANEL_VALUES, DIRECTIONS},
		     {PANEL_STATUS, 9}, {PANEL_KEYS, 9},  {PANEL_TITLE, 1},
		     {PANEL_SEARCH, 2}};
	memset(given, 0, PANEL_ITEMS * sizeof *given);
	for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
		const enum panel_item item = order[i].item;
		int *has = &given[__builtin_ctz(item)];
		int more = items & item ? item_lines(scene, item, columns) - *has : 0;
		if (more > order[i].most)
			more = order[i].most;
		if (more > lines && item == PANEL_VALUES)
			more = lines > 0 && columns >= SHORT_LEAST ? 1 : 0;
		else if (more > lines)
			more = lines;
		*has += more;
		lines -= more;
	}
}

void panel_draw(const struct scene *scene, unsigned items, struct canvas *canvas, struct area area)
{
	int given[PANEL_ITEMS], used = 0, groups = 0;
	lines_share(scene, items, area.lines, area.columns, given);
	for (int i = 0; i < PANEL_ITEMS; i++) {
		used += given[i];
		groups += given[i] > 0;
	}
	/* Blank lines between all of them, or between none. */
	const int gap = used + groups - 1 <= area.lines;
	for (int i = 0; i < PANEL_ITEMS; i++) {
		if (given[i] == 0)
			continue;
		area.lines = given[i];
		item_draw(scene, (enum panel_item)(1 << i), canvas, area);
		area.line += given[i] + gap;
	}
}
