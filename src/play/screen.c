/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Layouts; see screen.h. From the most comfortable down, the first that fits is taken: the board tall
 * or flat, the texts beside it or below, tiles in full or shortened, between a title line and a line
 * of keys. If none does, the board is as small as can be, and the texts get what is left.
 */
#include "src/play/screen.h"

#include "src/play/play_panel.h"
#include "src/play/play_tiles.h"

enum { PANEL_COLUMNS = 26, MARGIN = 2, PANEL_LEAST = 20, KEYS_LINES = 2 };

static const unsigned inner = PANEL_STATUS | PANEL_VALUES | PANEL_SEARCH | PANEL_STATE;

/* The lines of the keys at the bottom of the canvas. */
static int keys_lines(const struct scene *scene, const struct look *look)
{
	int lines = panel_lines(scene, PANEL_KEYS, look->columns);
	return lines > KEYS_LINES ? KEYS_LINES : lines;
}

/* Whether title, board, texts BESIDE it or below, and keys find room. */
static bool layout_fits(const struct scene *scene, const struct look *look,
			const struct tiles *tiles, bool beside)
{
	int lines = look->lines - 1 - keys_lines(scene, look);
	int columns = beside ? look->columns - tiles->columns - MARGIN : look->columns;
	if (tiles->columns > look->columns || tiles->lines > lines)
		return false;
	if (beside)
		return columns >= PANEL_COLUMNS && panel_lines(scene, inner, columns) <= lines;
	return tiles->lines + panel_lines(scene, inner, columns) <= lines;
}

static void layout_draw(const struct scene *scene, struct canvas *canvas, const struct tiles *tiles,
			bool beside)
{
	const struct look *look = &canvas->look;
	const int keys = keys_lines(scene, look);
	struct area title = {.lines = 1, .columns = look->columns};
	struct area bottom = {.line = look->lines - keys, .lines = keys, .columns = look->columns};
	struct area panel = {.line = 1, .lines = bottom.line - 1, .columns = look->columns};
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
			struct tiles tiles = tiles_plan(scene->game, scene->board, &canvas->look,
							order[i].style, (enum tiles_form)form);
			if (!layout_fits(scene, &canvas->look, &tiles, order[i].beside))
				continue;
			layout_draw(scene, canvas, &tiles, order[i].beside);
			return true;
		}
	return false;
}

/* The bare board, and beside it or below it what finds room. */
static bool scene_draw_small(const struct scene *scene, struct canvas *canvas)
{
	const struct look *look = &canvas->look;
	struct tiles tiles;
	int form = 0;
	do
		tiles = tiles_plan(scene->game, scene->board, look, TILES_BARE,
				   (enum tiles_form)form++);
	while (tiles.columns > look->columns && form < FORMS);
	if (tiles.columns > look->columns || tiles.lines > look->lines)
		return false;
	struct area below = {
	    .line = tiles.lines, .lines = look->lines - tiles.lines, .columns = look->columns};
	struct area beside = {.column = tiles.columns + MARGIN,
			      .lines = look->lines,
			      .columns = look->columns - tiles.columns - MARGIN};
	const int enough = panel_lines(scene, PANEL_ALL, below.columns);
	tiles_draw(canvas, &tiles, 0, 0, scene->game, scene->board);
	panel_draw(scene, PANEL_ALL, canvas,
		   beside.columns >= PANEL_LEAST && below.lines < enough ? beside : below);
	return true;
}

static void scene_draw_help(const struct scene *scene, struct canvas *canvas)
{
	for (int i = 0; i < canvas->look.lines && scene->help[i]; i++)
		canvas_text(canvas, i, 0, canvas->look.columns, INK_PLAIN, scene->help[i]);
}

void scene_draw(const struct scene *scene, struct canvas *canvas)
{
	canvas_clear(canvas);
	if (scene->help)
		scene_draw_help(scene, canvas);
	else if (!scene_draw_easy(scene, canvas) && !scene_draw_small(scene, canvas))
		canvas_text(canvas, 0, 0, canvas->look.columns, INK_BOLD, "too small; q ends");
}
