/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The display of a game on a terminal of at least 60 columns and 20 lines; see scene_draw().
 *
 * There is one layout: a title; the board in a frame, with texts about it on its right; the present
 * state; the keys. Rows of the board are three lines high if all of them fit, otherwise one. A tile
 * shows all its digits if they fit into its cell, otherwise it is shortened, as in 64K or 8M. With
 * colours, tiles are blocks with a column between them. In UTF-8 the first and last of three lines
 * are half blocks, which leaves half a line around each tile. Without colours, lines separate the
 * cells.
 *
 * Tiles have their own background; everything else has the terminal's colours for text, so dark and
 * light terminals are both readable. Small tiles go from sand over orange, gold and green to
 * violet, with dark text; from 2^14 on colours are strong, from 2^25 on dark, with white text. With
 * the colours of xterm, the contrast of text and tile is at least 4.5, as WCAG 2.1 (section 1.4.3)
 * requires.
 *
 * The bars of moves are probabilities if the agent reports them. Otherwise they are scaled from the
 * worst legal move, with the shortest bar, to the best, since the zero of a value has no meaning.
 */
#include "src/play/terminal.h"

#include "agents/play.h"
#include "src/play/play.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <wctype.h>

enum { COLUMNS_MIN = 60, LINES_MIN = 20, TEXT_MAX = 256 };

/* ---- Characters and colours. */

enum { TILE_STYLES = 37, WHITE_FROM = 14, DARK_256 = 234, WHITE_256 = 231 };

/* Colours of xterm's 256; tile 2^k has the k-th, larger tiles the last. */
static const uint8_t tiles_256[TILE_STYLES] = {
    230, 223, 216, 215, 209, 203, 221, 191, 114, 79, 75, 147, 176, 124, 130, 94, 58,  22,  23,
    25,	 62,  55,  90,	125, 52,  88,  58,  22,	 23, 24, 18,  17,  54,	53,  89, 238, 234,
};

/* Colours of ECMA-48's 8, used cyclically; magenta has too little contrast. */
static const struct {
	uint8_t tile, text;
} tiles_8[] = {
    {COLOR_WHITE, COLOR_BLACK}, {COLOR_YELLOW, COLOR_BLACK}, {COLOR_RED, COLOR_WHITE},
    {COLOR_GREEN, COLOR_BLACK}, {COLOR_BLUE, COLOR_WHITE},   {COLOR_CYAN, COLOR_BLACK},
};

enum { TILES_8 = sizeof tiles_8 / sizeof *tiles_8 };

/*
 * Defines colour pair k as text on the tile 2^k, and pair TILE_STYLES + k as text in the tile's
 * colour.
 */
void tile_colours_init(int colours)
{
	for (int k = 1; k <= TILE_STYLES; k++) {
		const int i = (k - 1) % TILES_8;
		const short tile = colours == 8 ? tiles_8[i].tile : tiles_256[k - 1];
		const short text = colours == 8	    ? tiles_8[i].text
				   : k < WHITE_FROM ? DARK_256
						    : WHITE_256;
		init_pair((short)k, text, tile);
		init_pair((short)(TILE_STYLES + k), tile, -1);
	}
}

static void glyph_put(int line, int column, attr_t style, wchar_t glyph)
{
	const wchar_t text[] = {glyph, L'\0'};
	cchar_t character;
	setcchar(&character, text, style, (short)PAIR_NUMBER((int)style), NULL);
	mvadd_wch(line, column, &character);
}

/*
 * Writes TEXT, at most COLUMNS wide, and returns its width. TEXT is untrusted: any character that
 * the terminal would not show as one character in one column becomes '?'.
 */
static int text_put(int line, int column, int columns, attr_t style, const char *text)
{
	int i = 0;
	for (const char *at = text; i < columns && *at; i++) {
		mbstate_t state = {0};
		wchar_t glyph = L'?';
		const size_t bytes = mbrtowc(&glyph, at, MB_LEN_MAX, &state);
		const bool whole = bytes <= MB_LEN_MAX;
		if (!whole || !iswprint((wint_t)glyph) || wcwidth(glyph) != 1)
			glyph = L'?';
		glyph_put(line, column + i, style, glyph);
		at += whole ? bytes : 1;
	}
	return i;
}

/* Writes TEXT into LINES lines of COLUMNS. A piece that ends with two blanks is not broken. */
static void text_wrap(int line, int column, int lines, int columns, const char *text)
{
	int used = 0;
	for (const char *next; *text; text = next) {
		const char *end = strstr(text, "  ");
		char piece[TEXT_MAX];
		snprintf(piece, sizeof piece, "%.*s", end ? (int)(end - text) : TEXT_MAX - 1, text);
		next = end ? end + 2 : text + strlen(text);
		if (used > 0 && used + (int)strlen(piece) > columns) {
			if (--lines == 0)
				return;
			line++;
			used = 0;
		}
		used += 2 + text_put(line, column + used, columns - used, A_NORMAL, piece);
	}
}

/* ---- The board. */

enum { PANEL_COLUMNS = 26, MARGIN = 2, CELL_MIN = 4, CELL_MAX = 7, CELL_LINES = 3 };

/* The layout of the board. */
struct tile_layout {
	const struct canvas *canvas;
	int width, height, rows, columns; /* of a cell; rows and all columns of the board */
	bool grid;
};

/*
 * Characters of frames: horizontal, vertical, crossings of three lines by three columns, empty,
 * halves.
 */
static const struct frame_set {
	wchar_t along, up, crossing[3][3], dot, upper, lower;
} frame_sets[] = {
    {'-', '|', {{'+', '+', '+'}, {'+', '+', '+'}, {'+', '+', '+'}}, '.', ' ', ' '},
    {0x2500,
     0x2502,
     {{0x250C, 0x252C, 0x2510}, {0x251C, 0x253C, 0x2524}, {0x2514, 0x2534, 0x2518}},
     0xB7,
     0x2580,
     0x2584},
};

static struct tile_layout tiles_plan(const struct game *game, const struct canvas *canvas)
{
	struct tile_layout tiles = {
	    .canvas = canvas, .height = CELL_LINES, .rows = game->rows, .grid = !canvas->colours};
	const int between = tiles.grid ? game->rows - 1 : 0;
	const int room = (canvas->columns - PANEL_COLUMNS - MARGIN - 1) / game->cols - 1;
	/* Five lines are for the title, the frame, the state and the keys. */
	if (game->rows * CELL_LINES + between > canvas->lines - 5)
		tiles.height = 1;
	tiles.width = room < CELL_MIN ? CELL_MIN : room > CELL_MAX ? CELL_MAX : room;
	tiles.columns = game->cols * (tiles.width + 1) + 1;
	return tiles;
}

/* Draws a horizontal line of the frame (KIND 0: top, 2: bottom) or between cells (KIND 1). */
static void rule_draw(const struct tile_layout *tiles, int line, int kind)
{
	const struct frame_set *set = &frame_sets[tiles->canvas->utf8];
	for (int i = 0; i < tiles->columns; i++) {
		const int side = i == 0 ? 0 : i == tiles->columns - 1 ? 2 : 1;
		const bool crosses = side != 1 || (tiles->grid && i % (tiles->width + 1) == 0);
		glyph_put(line, i, A_NORMAL, crosses ? set->crossing[kind][side] : set->along);
	}
}

static int tile_text(char text[TEXT_MAX], int exponent, int width)
{
	static const char units[] = " KMGT";
	const int length = snprintf(text, TEXT_MAX, "%" PRIu64, UINT64_C(1) << exponent);
	if (length <= width)
		return length;
	return snprintf(text, TEXT_MAX, "%d%c", 1 << exponent % 10, units[exponent / 10]);
}

/* Draws the tile 2^EXPONENT, or an empty cell. */
static void cell_draw(const struct tile_layout *tiles, int line, int column, int exponent)
{
	const struct frame_set *set = &frame_sets[tiles->canvas->utf8];
	const int middle = tiles->height / 2, colours = tiles->canvas->colours;
	const int pair = exponent < TILE_STYLES ? exponent : TILE_STYLES;
	const attr_t style = colours ? (attr_t)COLOR_PAIR(pair) : A_BOLD;
	char text[TEXT_MAX];
	if (!exponent) {
		glyph_put(line + middle, column + (tiles->width - 1) / 2, A_NORMAL, set->dot);
		return;
	}
	for (int i = 0; colours && i < tiles->height; i++)
		for (int c = 0; c < tiles->width; c++)
			if (i == middle || !tiles->canvas->utf8)
				glyph_put(line + i, column + c, style, ' ');
			else
				glyph_put(line + i, column + c,
					  (attr_t)COLOR_PAIR(TILE_STYLES + pair),
					  i < middle ? set->lower : set->upper);
	const int length = tile_text(text, exponent, tiles->width);
	text_put(line + middle, column + (tiles->width - length + 1) / 2, length, style, text);
}

/* Draws a row of cells with the vertical lines. */
static void row_draw(const struct tile_layout *tiles, int line, const uint8_t *cell)
{
	const wchar_t up = frame_sets[tiles->canvas->utf8].up;
	const int step = tiles->width + 1;
	for (int i = 0; i < tiles->height; i++)
		for (int c = 0; c < tiles->columns; c += tiles->grid ? step : tiles->columns - 1)
			glyph_put(line + i, c, A_NORMAL, up);
	for (int c = 0; c < (tiles->columns - 1) / step; c++)
		cell_draw(tiles, line, 1 + c * step, cell[c]);
}

static void board_draw(const struct tile_layout *tiles, const struct board *board)
{
	int line = 1;
	for (int r = 0; r < tiles->rows; r++) {
		if (r == 0 || tiles->grid)
			rule_draw(tiles, line++, r > 0);
		row_draw(tiles, line, board->cell[r]);
		line += tiles->height;
	}
	rule_draw(tiles, line, 2);
}

/* ---- Values of the moves. */

enum { VALUE_COLUMNS = 10, CHANCE_COLUMNS = 7 };

/* Computes the lengths of bars, between 0 and 1; NAN if neither chance nor value is known. */
static void shares_of(const struct decision *decision, double share[DIRECTIONS])
{
	double low = INFINITY, high = -INFINITY;
	for (int d = 0; d < DIRECTIONS; d++)
		if (isfinite(decision->value[d])) {
			low = fmin(low, decision->value[d]);
			high = fmax(high, decision->value[d]);
		}
	for (int d = 0; d < DIRECTIONS; d++) {
		const double chance = decision->chance[d], value = decision->value[d];
		share[d] = !isnan(chance)	? chance
			   : !isfinite(value)	? NAN
			   : high - low > 1e-12 ? 0.125 + 0.875 * (value - low) / (high - low)
						: 1;
	}
}

/* Formats VALUE into VALUE_COLUMNS, with decimals suitable for values as large as LARGEST. */
static void value_text(char text[TEXT_MAX], double value, double largest)
{
	int decimals = largest < 10 ? 4 : largest < 10000 ? 2 : 1;
	if (isnan(value)) {
		snprintf(text, TEXT_MAX, "-");
		return;
	}
	/* 1e300 would have 300 digits. */
	for (; decimals >= 0; decimals--)
		if (snprintf(text, TEXT_MAX, "%.*f", decimals, value) <= VALUE_COLUMNS)
			return;
	snprintf(text, TEXT_MAX, "%.3g", value);
}

/* Returns the decision of SCENE, restricted to legal moves. */
static struct decision decision_legal(const struct scene *scene)
{
	struct decision decision = *scene->decision;
	struct turn turn;
	turn_init(&turn, scene->game, scene->board, scene->score);
	for (int d = 0; d < DIRECTIONS; d++)
		if (!(turn.moves.legal >> d & 1))
			decision.value[d] = decision.chance[d] = NAN;
	return decision;
}

/* Draws a bar of at most COLUMNS, in steps of half a column if there are such characters. */
static void bar_draw(const struct canvas *canvas, int line, int column, attr_t style, double share)
{
	const int halves = isnan(share) ? 0 : (int)lround(share * 2 * (canvas->columns - column));
	for (int i = 0; i < halves / 2; i++)
		glyph_put(line, column + i, style, canvas->utf8 ? 0x2588 : '#');
	if (halves % 2 && canvas->utf8)
		glyph_put(line, column + halves / 2, style, 0x258C);
}

/* Draws a line per move: whether it is chosen, name, value, probability, bar. */
static void values_draw(const struct scene *scene, const struct canvas *canvas, int line,
			int column)
{
	const struct decision decision = decision_legal(scene);
	double share[DIRECTIONS], largest = 0;
	bool chances = false;
	shares_of(&decision, share);
	for (int d = 0; d < DIRECTIONS; d++) {
		const double size = fabs(decision.value[d]);
		largest = isfinite(size) ? fmax(largest, size) : largest;
		chances = chances || !isnan(decision.chance[d]);
	}
	for (int d = 0; d < DIRECTIONS; d++) {
		const attr_t style = d == scene->chosen ? A_BOLD : A_NORMAL;
		char value[TEXT_MAX], chance[TEXT_MAX] = "", text[TEXT_MAX];
		value_text(value, decision.value[d], largest);
		if (!isnan(decision.chance[d]))
			snprintf(chance, sizeof chance, "%.1f%%", 100 * decision.chance[d]);
		snprintf(text, sizeof text, "%c %-5s %*.*s%*.*s ", d == scene->chosen ? '>' : ' ',
			 direction_names[d], VALUE_COLUMNS, VALUE_COLUMNS, value,
			 chances ? CHANCE_COLUMNS : 0, CHANCE_COLUMNS, chance);
		const int end = text_put(line + d, column, PANEL_COLUMNS, style, text);
		bar_draw(canvas, line + d, column + end, style, share[d]);
	}
}

/* Draws the texts from COLUMN on: score and moves; values of moves; statistics of the search. */
static void panel_draw(const struct scene *scene, const struct canvas *canvas, int column)
{
	const struct decision *decision = scene->decision;
	const int columns = canvas->columns - column;
	char text[TEXT_MAX], moves[32] = "", depth[32] = "", nodes[48] = "", time[32] = "";
	if (scene->move != scene->moves)
		snprintf(moves, sizeof moves, "/%zu", scene->moves);
	snprintf(text, sizeof text, "score %" PRIu64 "  move %zu%s  largest %" PRIu64, scene->score,
		 scene->move, moves, UINT64_C(1) << board_max(scene->board));
	text_wrap(1, column, 3, columns, text);
	values_draw(scene, canvas, 5, column);
	if (decision->depth > 0)
		snprintf(depth, sizeof depth, "depth %d  ", decision->depth);
	if (decision->nodes > 0)
		snprintf(nodes, sizeof nodes, "%" PRIu64 " nodes  ", decision->nodes);
	if (scene->seconds >= 0)
		snprintf(time, sizeof time, "%.*f ms", scene->seconds < 0.1 ? 3 : 0,
			 1e3 * scene->seconds);
	snprintf(text, sizeof text, "%s%s%s", depth, nodes, time);
	text_wrap(10, column, 3, columns, text);
}

void scene_draw(const struct scene *scene, const struct canvas *canvas)
{
	const int columns = canvas->columns, lines = canvas->lines;
	if (columns < COLUMNS_MIN || lines < LINES_MIN) {
		text_put(0, 0, columns, A_BOLD, "too small: 60 columns, 20 lines; q ends");
		return;
	}
	for (int i = 0; scene->help && scene->help[i]; i++)
		text_put(i, 0, columns, A_NORMAL, scene->help[i]);
	if (scene->help)
		return;
	const struct tile_layout tiles = tiles_plan(scene->game, canvas);
	text_put(0, 0, columns, A_NORMAL, scene->title);
	board_draw(&tiles, scene->board);
	panel_draw(scene, canvas, tiles.columns + MARGIN);
	text_put(lines - 2, 0, columns, A_BOLD, *scene->message ? scene->message : scene->state);
	text_wrap(lines - 1, 0, 1, columns, scene->keys);
}
