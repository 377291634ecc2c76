/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a game looks like on a terminal of any size; see scene_draw(): a function of what there is
 * to show and of what the terminal can show, and of nothing else.
 *
 * Tiles bring their background with them, and all else is in the colours that the terminal has for
 * text, so both a dark and a light terminal can be read. Small tiles go from sand over orange, gold
 * and green to violet with dark text; from 2^14 on colours are strong, from 2^25 on dark, with
 * white text. The contrast of text and tile is at least 4.5, which WCAG 2.1 (section 1.4.3) asks
 * for, with the colours of xterm.
 *
 * Layouts: from the most comfortable down, the first that fits is taken: the board tall or flat,
 * the texts beside it or below, tiles in full or shortened, between a title line and a line of
 * keys. If none does, the board is as small as can be, and the texts get what is left.
 *
 * Where there is room a tile is three lines high and shows all its digits; where there is less, one
 * line, and large tiles are shortened, as 64K or 8M; where there is still less, all tiles of the
 * board are exponents, so that no number can mean two things. With colours, tiles are blocks with a
 * column between them; in UTF-8 the first and last of three lines are half blocks, so that there is
 * half a line around each tile. Without colours, lines go between the cells.
 *
 * Bars beside moves are chances where an agent tells them. Else they run from the worst legal move,
 * which has the shortest, to the best, since values have no zero that would mean something.
 */
#include "src/play/terminal.h"

#include "agents/play.h"
#include "src/play/play.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

/* ---- Characters and colours. What is written outside of the window is lost. */

/* Styles are attributes of curses: A_NORMAL, A_BOLD, or those of tile_style(). */
/* A part of a canvas. */
struct area {
	int line, column, lines, columns;
};

enum { TILE_STYLES = 37 }; /* larger tiles look like 2^37 */

enum {
	GLYPH_UNKNOWN = '?',
	WHITE_FROM = 14, /* exponent of the first tile with white text */
	DARK_256 = 234,
	WHITE_256 = 231,
};

/* Of the 256 colours of xterm; tile 2^k has the k-th. */
static const uint8_t tiles_256[TILE_STYLES] = {
    230, 223, 216, 215, 209, 203, 221, 191, 114, 79, 75, 147, 176, 124, 130, 94, 58,  22,  23,
    25,	 62,  55,  90,	125, 52,  88,  58,  22,	 23, 24, 18,  17,  54,	53,  89, 238, 234,
};

/* Of the 8 colours of ECMA-48, one after the other and again; magenta has too little contrast. */
static const struct {
	uint8_t tile, text;
} tiles_8[] = {
    {COLOR_WHITE, COLOR_BLACK}, {COLOR_YELLOW, COLOR_BLACK}, {COLOR_RED, COLOR_WHITE},
    {COLOR_GREEN, COLOR_BLACK}, {COLOR_BLUE, COLOR_WHITE},   {COLOR_CYAN, COLOR_BLACK},
};

enum { TILES_8 = sizeof tiles_8 / sizeof *tiles_8 };

static int tile_index(int colours, int exponent)
{
	if (colours == 8)
		return (exponent - 1) % TILES_8;
	return (exponent < TILE_STYLES ? exponent : TILE_STYLES) - 1;
}

/*
 * The colours, in the numbers of a terminal with COLOURS of them, 256 or 8, of the tile 2^EXPONENT
 * and of text on it.
 */
static void tile_colours(int colours, int exponent, short *tile, short *text)
{
	const int index = tile_index(colours, exponent);
	*tile = colours == 8 ? tiles_8[index].tile : tiles_256[index];
	*text = colours == 8 ? tiles_8[index].text : exponent < WHITE_FROM ? DARK_256 : WHITE_256;
}

void tile_colours_init(int colours)
{
	short tile, text;
	for (int k = 1; k <= (colours == 8 ? TILES_8 : TILE_STYLES); k++) {
		tile_colours(colours, k, &tile, &text);
		init_pair((short)k, text, tile);
		init_pair((short)(TILE_STYLES + k), tile, -1);
	}
}

/*
 * Text on the tile 2^EXPONENT, colour pairs 1 to TILE_STYLES; or with EDGE the tile's colour on the
 * terminal's background, colour pairs behind them.
 */
static attr_t tile_style(const struct canvas *canvas, int exponent, bool edge)
{
	const int pair = 1 + tile_index(canvas->colours, exponent) + (edge ? TILE_STYLES : 0);
	return (attr_t)COLOR_PAIR(pair);
}

static void canvas_put(struct canvas *canvas, int line, int column, attr_t style, wchar_t glyph)
{
	const wchar_t text[] = {glyph, L'\0'};
	cchar_t character;
	setcchar(&character, text, style, (short)PAIR_NUMBER((int)style), NULL);
	mvwadd_wch(canvas->window, line, column, &character);
}

/* Letters that every font has one column wide: Latin, Greek, Cyrillic. */
static bool glyph_is_letter(uint32_t glyph)
{
	return (glyph >= 0xC0 && glyph < 0x250) || (glyph >= 0x386 && glyph < 0x400) ||
	       (glyph >= 0x400 && glyph < 0x482) || (glyph >= 0x48A && glyph < 0x530);
}

/* The character at *TEXT, which moves behind it. */
static uint32_t glyph_next(const unsigned char **text)
{
	uint32_t first = *(*text)++, glyph = GLYPH_UNKNOWN;
	if (first < 0x80)
		return first >= ' ' && first <= '~' ? first : GLYPH_UNKNOWN;
	if ((first & 0xE0) == 0xC0 && (**text & 0xC0) == 0x80)
		glyph = (first & 0x1Fu) << 6 | (**text & 0x3Fu);
	while ((**text & 0xC0) == 0x80)
		(*text)++;
	return glyph_is_letter(glyph) ? glyph : GLYPH_UNKNOWN;
}

/*
 * Writes TEXT, at most COLUMNS wide. It may come from anywhere: what is no printable ASCII
 * character, nor a Latin, Greek or Cyrillic letter in UTF-8 where the terminal has that, becomes
 * '?'.
 */
static void canvas_text(struct canvas *canvas, int line, int column, int columns, attr_t style,
			const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	for (int i = 0; i < columns && *at; i++) {
		uint32_t glyph = glyph_next(&at);
		bool shown = glyph < 0x80 || canvas->utf8;
		canvas_put(canvas, line, column + i, style,
			   (wchar_t)(shown ? glyph : GLYPH_UNKNOWN));
	}
}

/* The columns that canvas_text() takes for all of TEXT. */
static int text_columns(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	int columns = 0;
	for (; *at; columns++)
		glyph_next(&at);
	return columns;
}

/* ---- Boards. */

enum tiles_style {
	TILES_TALL, /* three lines a row, in a frame */
	TILES_FLAT, /* one line a row, in a frame */
	TILES_BARE, /* one line a row */
};

/* FORM_TIGHT is FORM_UNITS without blanks around it. */
enum tiles_form { FORM_DIGITS, FORM_UNITS, FORM_TIGHT, FORM_EXPONENTS, FORMS };

/* How a board is drawn. */
struct tile_layout {
	enum tiles_style style;
	enum tiles_form form;
	int width;	    /* of a cell */
	int lines, columns; /* of all of it */
};

enum { TEXT_MAX = 24, WIDTH_EASY = 6, WIDTH_TIGHT = 3, CELL_LINES = 3 };

/* Characters of frames: along, up, the crossings of three lines by three columns, empty, halves. */
struct frame_set {
	wchar_t along, up, crossing[3][3], dot, upper, lower;
};

static const struct frame_set ascii_set = {
    '-', '|', {{'+', '+', '+'}, {'+', '+', '+'}, {'+', '+', '+'}}, '.', ' ', ' '};
static const struct frame_set utf8_set = {
    0x2500, 0x2502, {{0x250C, 0x252C, 0x2510}, {0x251C, 0x253C, 0x2524}, {0x2514, 0x2534, 0x2518}},
    0xB7,   0x2580, 0x2584};

static const struct frame_set *set_of(const struct canvas *canvas)
{
	return canvas->utf8 ? &utf8_set : &ascii_set;
}

/* The tile 2^EXPONENT as text. Four digits are as wide as units get. */
static int tile_text(char text[TEXT_MAX], int exponent, enum tiles_form form)
{
	static const char units[] = " KMGT";
	if (form == FORM_EXPONENTS)
		return snprintf(text, TEXT_MAX, "%d", exponent);
	if (form == FORM_DIGITS || exponent < 14)
		return snprintf(text, TEXT_MAX, "%" PRIu64, UINT64_C(1) << exponent);
	return snprintf(text, TEXT_MAX, "%d%c", 1 << exponent % 10, units[exponent / 10]);
}

/* The widest text on the board. */
static int board_width(const struct game *game, const struct board *board, enum tiles_form form)
{
	int widest = form == FORM_EXPONENTS ? 2 : 1;
	for (int r = 0; r < game->rows; r++)
		for (int c = 0; c < game->cols; c++) {
			char text[TEXT_MAX];
			int width = tile_text(text, board->cell[r][c], form);
			if (width > widest)
				widest = width;
		}
	return widest;
}

/* Whether lines go between the cells. */
static bool is_grid(const struct canvas *canvas, enum tiles_style style)
{
	return !canvas->colours && style != TILES_BARE;
}

static int cell_lines(enum tiles_style style)
{
	return style == TILES_TALL ? CELL_LINES : 1;
}

/* What it takes to draw boards like BOARD so. */
static struct tile_layout tiles_plan(const struct game *game, const struct board *board,
				     const struct canvas *canvas, enum tiles_style style,
				     enum tiles_form form)
{
	int text = board_width(game, board, form), frame = style == TILES_BARE ? 0 : 2;
	const bool tight = style == TILES_BARE || form == FORM_TIGHT || form == FORM_EXPONENTS;
	int easy = form == FORM_EXPONENTS ? 0 : tight ? WIDTH_TIGHT : WIDTH_EASY;
	int width = tight ? text : text + 2;
	if (width < easy)
		width = easy;
	return (struct tile_layout){
	    .style = style,
	    .form = form,
	    .width = width,
	    .lines = game->rows * cell_lines(style) + frame +
		     (is_grid(canvas, style) ? game->rows - 1 : 0),
	    .columns = game->cols * (width + 1) - 1 + frame,
	};
}

/* A line of the frame or between the cells: KIND 0 the first, 1 one between, 2 the last. */
static void rule_draw(struct canvas *canvas, const struct tile_layout *tiles, int line, int column,
		      int kind)
{
	const struct frame_set *set = set_of(canvas);
	const bool grid = is_grid(canvas, tiles->style);
	for (int i = 0; i < tiles->columns; i++) {
		int side = i == 0 ? 0 : i == tiles->columns - 1 ? 2 : 1;
		bool crosses = side != 1 || (grid && i % (tiles->width + 1) == 0);
		canvas_put(canvas, line, column + i, A_NORMAL,
			   crosses ? set->crossing[kind][side] : set->along);
	}
}

/* The tile 2^EXPONENT, or an empty cell. */
static void cell_draw(struct canvas *canvas, const struct tile_layout *tiles, int line, int column,
		      int exponent)
{
	const struct frame_set *set = set_of(canvas);
	const bool colour = canvas->colours, halves = canvas->utf8;
	const int lines = cell_lines(tiles->style), middle = lines / 2;
	char text[TEXT_MAX];
	if (!exponent) {
		canvas_put(canvas, line + middle, column + (tiles->width - 1) / 2, A_NORMAL,
			   set->dot);
		return;
	}
	const attr_t style = colour ? tile_style(canvas, exponent, false) : A_BOLD;
	for (int i = 0; colour && i < lines; i++)
		for (int c = 0; c < tiles->width; c++)
			if (i == middle || !halves)
				canvas_put(canvas, line + i, column + c, style, ' ');
			else
				canvas_put(canvas, line + i, column + c,
					   tile_style(canvas, exponent, true),
					   i < middle ? set->lower : set->upper);
	int length = tile_text(text, exponent, tiles->form);
	canvas_text(canvas, line + middle, column + (tiles->width - length + 1) / 2, length, style,
		    text);
}

/* The upright lines beside the cells of a row. */
static void sides_draw(struct canvas *canvas, const struct tile_layout *tiles, int line, int column)
{
	const struct frame_set *set = set_of(canvas);
	const int step = is_grid(canvas, tiles->style) ? tiles->width + 1 : tiles->columns - 1;
	for (int i = 0; i < cell_lines(tiles->style); i++)
		for (int c = 0; c < tiles->columns; c += step)
			canvas_put(canvas, line + i, column + c, A_NORMAL, set->up);
}

static void tiles_draw(struct canvas *canvas, const struct tile_layout *tiles, int line, int column,
		       const struct game *game, const struct board *board)
{
	const bool framed = tiles->style != TILES_BARE, grid = is_grid(canvas, tiles->style);
	int at = line;
	if (framed)
		rule_draw(canvas, tiles, at++, column, 0);
	for (int r = 0; r < game->rows; r++) {
		if (r > 0 && grid)
			rule_draw(canvas, tiles, at++, column, 1);
		if (framed)
			sides_draw(canvas, tiles, at, column);
		for (int c = 0; c < game->cols; c++)
			cell_draw(canvas, tiles, at, column + framed + c * (tiles->width + 1),
				  board->cell[r][c]);
		at += cell_lines(tiles->style);
	}
	if (framed)
		rule_draw(canvas, tiles, at, column, 2);
}

/* ---- Panels of text. */

/* What a panel has: a bit each, in the order from top to bottom. */
enum panel_item {
	PANEL_TITLE = 1,
	PANEL_STATUS = 2, /* score, largest tile, moves */
	PANEL_VALUES = 4, /* of the four moves */
	PANEL_SEARCH = 8, /* depth, positions, time */
	PANEL_STATE = 16,
	PANEL_KEYS = 32,
	PANEL_ALL = 63,
	PANEL_ITEMS = 6,
};

enum { NUMBER_MAX = 32 };

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

/*
 * Writes VALUE, which is no NAN, in at most WIDTH columns, from 4 on, with as many decimals as fit
 * up to DECIMALS: large ones as 12k or 3.4M, beyond that as 1e15.
 */
static void number_fit(char text[NUMBER_MAX], int width, int decimals, double value)
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
struct word_list {
	int n;
	char word[WORDS_MAX][WORD_MAX];
};

__attribute__((format(printf, 2, 3))) static void word_add(struct word_list *words,
							   const char *format, ...)
{
	va_list args;
	va_start(args, format);
	if (words->n < WORDS_MAX)
		vsnprintf(words->word[words->n++], WORD_MAX, format, args);
	va_end(args);
}

/* Writes them from LINE on into at most LINES lines, or only counts those with CANVAS NULL. */
static int words_draw(const struct word_list *words, struct canvas *canvas, struct area area,
		      attr_t style)
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
				    area.columns - column, style, words->word[i]);
		column += length;
	}
	return column > 0 ? line + 1 : 0;
}

static void words_of(const struct scene *scene, enum panel_item item, struct word_list *words)
{
	const struct decision *decision = scene->decision;
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
		if (decision && decision->depth > 0)
			word_add(words, "depth %d", decision->depth);
		if (decision && decision->nodes > 0)
			word_add(words, "%" PRIu64 " nodes", decision->nodes);
		if (scene->seconds >= 0)
			word_add(words, "%.*f ms", scene->seconds < 0.1 ? 3 : 0,
				 1e3 * scene->seconds);
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
static void shares_of(const struct decision *decision, unsigned legal, double share[DIRECTIONS])
{
	double low = INFINITY, high = -INFINITY;
	for (int d = 0; d < DIRECTIONS; d++)
		if (legal >> d & 1 && isfinite(decision->value[d])) {
			low = fmin(low, decision->value[d]);
			high = fmax(high, decision->value[d]);
		}
	for (int d = 0; d < DIRECTIONS; d++) {
		double chance = decision->chance[d], value = decision->value[d];
		share[d] = !isnan(chance)	? chance
			   : !isfinite(value)	? NAN
			   : high - low > 1e-12 ? 0.125 + 0.875 * (value - low) / (high - low)
						: 1;
		if (!(legal >> d & 1))
			share[d] = NAN;
	}
}

/* SHARE of COLUMNS, in halves of a column where there are such characters. */
static void bar_draw(struct canvas *canvas, int line, int column, int columns, attr_t style,
		     double share)
{
	const bool utf8 = canvas->utf8;
	const int halves = isnan(share) ? 0 : (int)lround(share * 2 * columns);
	for (int i = 0; i < halves / 2; i++)
		canvas_put(canvas, line, column + i, style, utf8 ? 0x2588 : '#');
	if (halves % 2 && utf8)
		canvas_put(canvas, line, column + halves / 2, style, 0x258C);
}

/* Decimals that tell values of this size apart. */
static int decimals_of(const struct decision *decision)
{
	double largest = 0;
	for (int d = 0; d < DIRECTIONS; d++)
		if (isfinite(decision->value[d]))
			largest = fmax(largest, fabs(decision->value[d]));
	return largest < 10 ? 4 : largest < 10000 ? 2 : 1;
}

/* The number of move D, or '-'. */
static void value_text(char text[NUMBER_MAX], int width, const struct decision *decision,
		       unsigned legal, int d)
{
	if (!(legal >> d & 1) || isnan(decision->value[d]))
		snprintf(text, NUMBER_MAX, "-");
	else
		number_fit(text, width, decimals_of(decision), decision->value[d]);
}

/* The same of its chance, in percent. */
static void chance_text(char text[NUMBER_MAX], const struct decision *decision, unsigned legal,
			int d)
{
	if (!(legal >> d & 1) || isnan(decision->chance[d]))
		snprintf(text, NUMBER_MAX, "-");
	else
		snprintf(text, NUMBER_MAX, "%.1f%%", 100 * decision->chance[d]);
}

/* Whether there is a number for any of the moves. */
static bool tells(const double number[DIRECTIONS])
{
	return !isnan(number[0]) || !isnan(number[1]) || !isnan(number[2]) || !isnan(number[3]);
}

static struct decision decision_shown(const struct scene *scene)
{
	struct decision decision;
	decision_init(&decision);
	return scene->decision ? *scene->decision : decision;
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
	const struct decision decision = decision_shown(scene);
	const unsigned legal = legal_of(scene);
	const bool chances = tells(decision.chance), values = tells(decision.value) || !chances;
	double share[DIRECTIONS];
	char text[NUMBER_MAX];
	shares_of(&decision, legal, share);
	for (int d = 0; d < DIRECTIONS; d++) {
		int line = area.line + d, column = area.column + NAME_COLUMNS;
		attr_t style = d == scene->chosen ? A_BOLD : A_NORMAL;
		canvas_put(canvas, line, area.column, style, d == scene->chosen ? '>' : ' ');
		canvas_text(canvas, line, area.column + 2, NAME_COLUMNS - 2, style,
			    direction_names[d]);
		if (values) {
			value_text(text, VALUE_COLUMNS, &decision, legal, d);
			column += VALUE_COLUMNS;
			canvas_text(canvas, line, column - (int)strlen(text), VALUE_COLUMNS, style,
				    text);
		}
		if (chances && column + CHANCE_COLUMNS <= area.column + area.columns) {
			chance_text(text, &decision, legal, d);
			column += CHANCE_COLUMNS;
			canvas_text(canvas, line, column - (int)strlen(text), CHANCE_COLUMNS, style,
				    text);
		}
		int bar = area.column + area.columns - column - 1;
		if (bar >= BAR_LEAST)
			bar_draw(canvas, line, column + 1, bar, style, share[d]);
	}
}

/* The same in one line: a letter a move, its value, or its chance if there is none. */
static void values_draw_short(const struct scene *scene, struct canvas *canvas, struct area area)
{
	const struct decision decision = decision_shown(scene);
	const unsigned legal = legal_of(scene);
	const bool values = tells(decision.value) || !tells(decision.chance);
	const int step = (area.columns + 1) / DIRECTIONS;
	for (int d = 0; d < DIRECTIONS; d++) {
		char text[NUMBER_MAX];
		int column = area.column + d * step;
		attr_t style = d == scene->chosen ? A_BOLD : A_NORMAL;
		if (values)
			value_text(text, step - 3, &decision, legal, d);
		else
			chance_text(text, &decision, legal, d);
		canvas_put(canvas, area.line, column, style, d == scene->chosen ? '>' : ' ');
		canvas_put(canvas, area.line, column + 1, style, (wchar_t) "URDL"[d]);
		canvas_text(canvas, area.line, column + 2, step - 3, style, text);
	}
}

/* The lines that ITEM likes to have. */
static int item_lines(const struct scene *scene, enum panel_item item, int columns)
{
	struct word_list words;
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

/* The lines that ITEMS take in COLUMNS if there are as many as they like. */
static int panel_lines(const struct scene *scene, unsigned items, int columns)
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
	struct word_list words;
	if (item == PANEL_VALUES && area.lines >= DIRECTIONS)
		values_draw(scene, canvas, area);
	else if (item == PANEL_VALUES)
		values_draw_short(scene, canvas, area);
	else {
		words_of(scene, item, &words);
		words_draw(&words, canvas, area, item == PANEL_STATE ? A_BOLD : A_NORMAL);
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

/*
 * Draws ITEMS into AREA; those that matter least are left out where there are too few lines, and
 * what does not fit in a line as well.
 */
static void panel_draw(const struct scene *scene, unsigned items, struct canvas *canvas,
		       struct area area)
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

/* ---- Layouts. */

enum { PANEL_COLUMNS = 26, MARGIN = 2, PANEL_LEAST = 20, KEYS_LINES = 2 };

static const unsigned inner = PANEL_STATUS | PANEL_VALUES | PANEL_SEARCH | PANEL_STATE;

/* The lines of the keys at the bottom of the canvas. */
static int keys_lines(const struct scene *scene, const struct canvas *canvas)
{
	int lines = panel_lines(scene, PANEL_KEYS, canvas->columns);
	return lines > KEYS_LINES ? KEYS_LINES : lines;
}

/* Whether title, board, texts BESIDE it or below, and keys find room. */
static bool layout_fits(const struct scene *scene, const struct canvas *canvas,
			const struct tile_layout *tiles, bool beside)
{
	int lines = canvas->lines - 1 - keys_lines(scene, canvas);
	int columns = beside ? canvas->columns - tiles->columns - MARGIN : canvas->columns;
	if (tiles->columns > canvas->columns || tiles->lines > lines)
		return false;
	if (beside)
		return columns >= PANEL_COLUMNS && panel_lines(scene, inner, columns) <= lines;
	return tiles->lines + panel_lines(scene, inner, columns) <= lines;
}

static void layout_draw(const struct scene *scene, struct canvas *canvas,
			const struct tile_layout *tiles, bool beside)
{
	const int keys = keys_lines(scene, canvas);
	struct area title = {.lines = 1, .columns = canvas->columns};
	struct area bottom = {
	    .line = canvas->lines - keys, .lines = keys, .columns = canvas->columns};
	struct area panel = {.line = 1, .lines = bottom.line - 1, .columns = canvas->columns};
	if (beside) {
		panel.column = tiles->columns + MARGIN;
		panel.columns -= panel.column;
	} else {
		panel.line += tiles->lines;
		panel.lines -= tiles->lines;
	}
	panel_draw(scene, PANEL_TITLE, canvas, title);
	tiles_draw(canvas, tiles, 1, 0, scene->game, scene->board);
	panel_draw(scene, inner, canvas, panel);
	panel_draw(scene, PANEL_KEYS, canvas, bottom);
}

/* The most comfortable layout, if one fits. */
static bool scene_draw_easy(const struct scene *scene, struct canvas *canvas)
{
	static const struct {
		enum tiles_style style;
		bool beside;
	} order[] = {
	    {TILES_TALL, true}, {TILES_TALL, false}, {TILES_FLAT, true}, {TILES_FLAT, false}};
	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		for (int form = 0; form < FORM_EXPONENTS; form++) {
			struct tile_layout tiles =
			    tiles_plan(scene->game, scene->board, canvas, order[i].style,
				       (enum tiles_form)form);
			if (!layout_fits(scene, canvas, &tiles, order[i].beside))
				continue;
			layout_draw(scene, canvas, &tiles, order[i].beside);
			return true;
		}
	return false;
}

/* The bare board, and beside it or below it what finds room. */
static bool scene_draw_small(const struct scene *scene, struct canvas *canvas)
{
	struct tile_layout tiles;
	int form = 0;
	do
		tiles = tiles_plan(scene->game, scene->board, canvas, TILES_BARE,
				   (enum tiles_form)form++);
	while (tiles.columns > canvas->columns && form < FORMS);
	if (tiles.columns > canvas->columns || tiles.lines > canvas->lines)
		return false;
	struct area below = {
	    .line = tiles.lines, .lines = canvas->lines - tiles.lines, .columns = canvas->columns};
	struct area beside = {.column = tiles.columns + MARGIN,
			      .lines = canvas->lines,
			      .columns = canvas->columns - tiles.columns - MARGIN};
	const int enough = panel_lines(scene, PANEL_ALL, below.columns);
	tiles_draw(canvas, &tiles, 0, 0, scene->game, scene->board);
	panel_draw(scene, PANEL_ALL, canvas,
		   beside.columns >= PANEL_LEAST && below.lines < enough ? beside : below);
	return true;
}

static void scene_draw_help(const struct scene *scene, struct canvas *canvas)
{
	for (int i = 0; i < canvas->lines && scene->help[i]; i++)
		canvas_text(canvas, i, 0, canvas->columns, A_NORMAL, scene->help[i]);
}

void scene_draw(const struct scene *scene, struct canvas *canvas)
{
	if (scene->help)
		scene_draw_help(scene, canvas);
	else if (!scene_draw_easy(scene, canvas) && !scene_draw_small(scene, canvas))
		canvas_text(canvas, 0, 0, canvas->columns, A_BOLD, "too small; q ends");
}
