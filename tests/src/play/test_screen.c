/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a game looks like: for every shape on screens of every size the board is there, whole and
 * with every tile to be read, and nothing is outside; what is sent to a terminal makes it show
 * that.
 */
/* number_fit() is its own. */
#include "src/play/screen.c"

#include "src/play/watch.h"

#include "tests/random_board.h"
#include "tests/src/play/vt.h"

#include <locale.h>
#include <stdlib.h>
#include <unistd.h>

enum { SHAPES = 25, TILE_TEXT_MAX = 16 };

/* What a terminal has. */
struct look {
	int columns, lines, colours;
	bool utf8;
};

/* Curses on what looks like xterm, which sends what it has to say to FILE. */
static SCREEN *curses_begin(FILE *file)
{
	assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
	SCREEN *screen = newterm("xterm-256color", file, stdin);
	assert_non_null(screen);
	start_color();
	use_default_colors();
	return screen;
}

/* A pad of the size and with the colours of LOOK. */
static void canvas_init(struct canvas *canvas, const struct look *look)
{
	*canvas = (struct canvas){.window = newpad(look->lines, look->columns),
				  .lines = look->lines,
				  .columns = look->columns,
				  .colours = look->colours,
				  .utf8 = look->utf8};
	assert_non_null(canvas->window);
}

static void canvas_fini(struct canvas *canvas)
{
	delwin(canvas->window);
}

static void look_at(const struct scene *scene, const struct look *look, struct canvas *canvas)
{
	canvas_init(canvas, look);
	scene_draw(scene, canvas);
}

/* What a canvas has at a place. */
struct spot {
	uint32_t glyph;
	attr_t style; /* with its colours */
};

static struct spot spot_of(const struct canvas *canvas, int line, int column)
{
	cchar_t character = {0};
	mvwin_wch(canvas->window, line, column, &character);
	return (struct spot){(uint32_t)character.chars[0],
			     (character.attr & (attr_t)A_BOLD) |
				 (attr_t)COLOR_PAIR(character.ext_color)};
}

static bool is_on_tile(struct spot spot)
{
	const int pair = PAIR_NUMBER((int)spot.style);
	return pair >= 1 && pair <= TILE_STYLES && spot.glyph != ' ';
}

/* A line of a canvas as text; what is not ASCII is told by '~'. */
static const char *line_of(const struct canvas *canvas, int line, char *text)
{
	for (int c = 0; c < canvas->columns; c++) {
		uint32_t glyph = spot_of(canvas, line, c).glyph;
		text[c] = glyph < 0x80 ? (char)glyph : '~';
	}
	text[canvas->columns] = '\0';
	return text;
}

static bool has(const struct canvas *canvas, const char *words)
{
	char text[1001];
	for (int l = 0; l < canvas->lines; l++)
		if (strstr(line_of(canvas, l, text), words))
			return true;
	return false;
}

/* The tiles that are to be read on a canvas with colours, in reading order: texts of tile ink. */
static int texts_read(const struct canvas *canvas, char texts[][TILE_TEXT_MAX])
{
	int n = 0;
	for (int l = 0; l < canvas->lines; l++)
		for (int c = 0; c < canvas->columns; c++) {
			int length = 0;
			struct spot spot = spot_of(canvas, l, c);
			for (; is_on_tile(spot); spot = spot_of(canvas, l, ++c)) {
				assert_true(n < CELLS_MAX && length < TILE_TEXT_MAX - 1);
				texts[n][length++] = (char)spot.glyph;
			}
			if (length > 0)
				texts[n++][length] = '\0';
		}
	return n;
}

/* The exponent that TEXT stands for: 64 or 64K for tiles, or the exponent itself. */
static int exponent_of(const char *text, bool exponents)
{
	char *end;
	const long long number = strtoll(text, &end, 10);
	if (exponents)
		return (int)number;
	const char *units = "KMGT";
	int more = *end ? 10 * (int)(strchr(units, *end) - units + 1) : 0;
	return more + (int)lround(log2((double)number));
}

static void board_is_read(const struct game *game, const struct board *board,
			  const struct canvas *canvas)
{
	char texts[CELLS_MAX][TILE_TEXT_MAX];
	const int n = texts_read(canvas, texts);
	/* Some tile of exponents is no power of two, or they are what they stand for in one way. */
	for (int exponents = 0; exponents < 2; exponents++) {
		int at = 0, wrong = 0;
		for (int r = 0; r < game->rows; r++)
			for (int c = 0; c < game->cols; c++)
				if (board->cell[r][c])
					wrong += at >= n || exponent_of(texts[at++], exponents) !=
								board->cell[r][c];
		if (!wrong && at == n)
			return;
	}
	char line[1001];
	for (int l = 0; l < canvas->lines; l++)
		print_message("%s\n", line_of(canvas, l, line));
	fail_msg("%s on %d columns and %d lines", game->name, canvas->columns, canvas->lines);
}

static struct decision some_decision(struct rng *rng)
{
	struct decision decision;
	decision_init(&decision);
	decision.depth = 3;
	decision.nodes = 123456789;
	const uint32_t kind = rng_below(rng, 4);
	for (int d = 0; d < DIRECTIONS; d++) {
		if (kind & 1)
			decision.value[d] = (rng_real(rng) - 0.3) * pow(10, rng_below(rng, 16));
		if (kind & 2)
			decision.chance[d] = rng_real(rng);
	}
	return decision;
}

static const char *const some_keys[] = {"q quit", "space pause", "left right step", NULL};

static struct scene scene_of(const struct game *game, const struct board *board,
			     const struct decision *decision)
{
	return (struct scene){.game = game,
			      .board = board,
			      .title = "some title",
			      .score = 987654321,
			      .move = 12,
			      .moves = 34,
			      .decision = decision,
			      .seconds = 0.25,
			      .chosen = LEFT,
			      .state = "paused",
			      .keys = some_keys};
}

static void every_tile_is_read_on_every_screen_that_has_room(void **state)
{
	(void)state;
	struct rng rng;
	rng_init(&rng, 1, RNG_TEST, 0);
	for (int shape = 0; shape < SHAPES; shape++) {
		struct game game;
		struct board board;
		shape_game(shape, &game);
		for (int columns = 3 * game.cols - 1; columns <= 100; columns++)
			for (int lines = game.rows; lines <= 40; lines += 1 + (lines > 26)) {
				struct canvas canvas;
				random_board(&game, (int)rng_below(&rng, RANDOM_KINDS), &rng,
					     &board);
				const struct decision decision = some_decision(&rng);
				const struct scene scene = scene_of(&game, &board, &decision);
				const struct look look = {columns, lines, 256, rng_below(&rng, 2)};
				look_at(&scene, &look, &canvas);
				board_is_read(&game, &board, &canvas);
				if (columns >= 16 && lines >= game.rows + 2) {
					assert_true(has(&canvas, "score 987654321"));
					assert_true(has(&canvas, "paused"));
				}
				if (columns >= 28 && lines >= game.rows + 5)
					assert_true(has(&canvas, ">L") || has(&canvas, "> left"));
				canvas_fini(&canvas);
			}
	}
}

static void a_screen_that_is_too_small_says_so(void **state)
{
	(void)state;
	struct game game;
	struct canvas canvas;
	struct board board = {0};
	game_of("6x6", &game);
	const struct scene scene = scene_of(&game, &board, NULL);
	const struct look low = {80, 5, 8, true}, narrow = {16, 24, 8, true};
	look_at(&scene, &low, &canvas);
	assert_true(has(&canvas, "too small; q ends"));
	canvas_fini(&canvas);
	look_at(&scene, &narrow, &canvas);
	assert_true(has(&canvas, "too small; q end"));
	canvas_fini(&canvas);
}

static void all_is_there_on_80_columns_and_24_lines(void **state)
{
	(void)state;
	struct rng rng;
	rng_init(&rng, 2, RNG_TEST, 0);
	for (int i = 0; i < SHAPES * RANDOM_KINDS * 2; i++) {
		struct game game;
		struct board board;
		struct canvas canvas;
		shape_game(i % SHAPES, &game);
		random_board(&game, i / SHAPES % RANDOM_KINDS, &rng, &board);
		const struct decision decision = some_decision(&rng);
		const struct scene scene = scene_of(&game, &board, &decision);
		const struct look look = {80, 24, i % 2 ? 256 : 0, true};
		look_at(&scene, &look, &canvas);
		static const char *const words[] = {
		    "some title", "score 987654321", "move 12/34",  "  up ",	       "  right ",
		    "  down ",	  "> left ",	     "depth 3",	    "123456789 nodes", "250 ms",
		    "paused",	  "q quit",	     "space pause", "left right step"};
		for (size_t w = 0; w < sizeof words / sizeof *words; w++)
			if (!has(&canvas, words[w]))
				fail_msg("no '%s' on %s", words[w], game.name);
		canvas_fini(&canvas);
	}
}

/* The picture is drawn by hand. */
static void a_small_board_without_colours_is_this_picture(void **state)
{
	(void)state;
	static const char *const picture[] = {
	    "some title                                  ",
	    "+------+------+  score 987654321  move 12/34",
	    "|      |      |  largest 1024               ",
	    "|   2  |  .   |                             ",
	    "|      |      |  > up      2000.00 #########",
	    "+------+------+    right   1500.00 #        ",
	    "|      |      |    down          -          ",
	    "|   4  | 1024 |    left          -          ",
	    "|      |      |                             ",
	    "+------+------+  depth 3  77 nodes  1.500 ms",
	    "                                            ",
	    "                                            ",
	    "                 paused                     ",
	    "q quit  space pause  left right step        ",
	};
	enum { HEIGHT = sizeof picture / sizeof *picture };
	struct game game;
	struct board board;
	struct canvas canvas;
	struct why why;
	struct decision decision;
	char line[1001];
	game_of("2x2", &game);
	assert_int_equal(board_read(&game, "2,0/4,8", &board, &why), STATUS_OK);
	board.cell[1][1] = 10;
	decision_init(&decision);
	/* Down and left move nothing, whatever is told of them. */
	decision.value[UP] = decision.value[DOWN] = 2000;
	decision.value[RIGHT] = 1500;
	decision.depth = 3;
	decision.nodes = 77;
	struct scene scene = scene_of(&game, &board, &decision);
	scene.chosen = UP;
	scene.seconds = 0.0015;
	look_at(&scene, &(struct look){44, HEIGHT, 0, false}, &canvas);
	for (int l = 0; l < HEIGHT; l++)
		assert_string_equal(line_of(&canvas, l, line), picture[l]);
	canvas_fini(&canvas);
}

static void numbers_fit_as_worked_out_by_hand(void **state)
{
	(void)state;
	static const struct {
		double value;
		int width, decimals;
		const char *text;
	} rows[] = {{0.51234, 9, 4, "0.5123"},	  {0.51234, 4, 4, "0.51"},
		    {-0.5, 4, 4, "-0.5"},	  {1234.5, 9, 2, "1234.50"},
		    {1234.5, 4, 2, "1234"},	  {12345, 4, 1, "12k"},
		    {12345, 5, 1, "12345"},	  {123456, 4, 1, "123k"},
		    {123456, 5, 1, "123k"},	  {123456, 6, 1, "123456"},
		    {1.5e6, 4, 1, "1.5M"},	  {-1.5e6, 5, 1, "-1.5M"},
		    {-123456, 4, 1, "-big"},	  {2.5e9, 5, 0, "2.5G"},
		    {1e12, 4, 0, "1.0T"},	  {1e15, 5, 0, "1000T"},
		    {1e16, 5, 0, "1e+16"},	  {INFINITY, 4, 2, "inf"},
		    {-INFINITY, 4, 2, "-inf"},	  {0, 4, 4, "0.00"},
		    {1e300, 5, 1, "big"},	  {999999, 4, 1, "1.0M"},
		    {99999.96, 9, 4, "99999.960"}};
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char text[NUMBER_MAX];
		number_fit(text, rows[i].width, rows[i].decimals, rows[i].value);
		if (strcmp(text, rows[i].text) != 0)
			fail_msg("%g in %d columns: %s instead of %s", rows[i].value, rows[i].width,
				 text, rows[i].text);
	}
}

static void numbers_always_fit(void **state)
{
	(void)state;
	struct rng rng;
	rng_init(&rng, 3, RNG_TEST, 0);
	for (int i = 0; i < 100000; i++) {
		char text[NUMBER_MAX];
		const double size =
		    pow(10, rng_real(&rng) * 320 - 10) * (rng_below(&rng, 2) ? 1 : -1);
		const int width = 4 + (int)rng_below(&rng, 9);
		number_fit(text, width, (int)rng_below(&rng, 5), size);
		assert_true(strlen(text) <= (size_t)width);
	}
}

/*
 * Red, green and blue of the 8 colours of xterm and the 256: a cube of 6x6x6 behind 16, then 24
 * greys.
 */
static void rgb_of(int colours, int number, int rgb[3])
{
	static const int eight[8][3] = {{0, 0, 0},   {205, 0, 0},   {0, 205, 0},   {205, 205, 0},
					{0, 0, 238}, {205, 0, 205}, {0, 205, 205}, {229, 229, 229}};
	for (int i = 0; i < 3; i++) {
		const int step = (number - 16) / (i == 0 ? 36 : i == 1 ? 6 : 1) % 6;
		rgb[i] = colours == 8	 ? eight[number][i]
			 : number >= 232 ? 8 + 10 * (number - 232)
			 : step		 ? 55 + 40 * step
					 : 0;
	}
}

/* Relative luminance and contrast, WCAG 2.1, from their definition. */
static double channel(int c)
{
	double v = c / 255.0;
	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double light(int colours, int number)
{
	int rgb[3];
	rgb_of(colours, number, rgb);
	return 0.2126 * channel(rgb[0]) + 0.7152 * channel(rgb[1]) + 0.0722 * channel(rgb[2]);
}

static void text_on_tiles_has_the_contrast_that_wcag_asks_for(void **state)
{
	(void)state;
	for (int colours = 8; colours <= 256; colours += 248) {
		int before = -1;
		for (int exponent = 1; exponent <= 43; exponent++) {
			short tile, text;
			tile_colours(colours, exponent, &tile, &text);
			double a = light(colours, tile) + 0.05, b = light(colours, text) + 0.05;
			assert_true(fmax(a, b) / fmin(a, b) >= 4.5);
			/* neighbours are two colours */
			if (exponent <= 37)
				assert_int_not_equal(tile, before);
			before = tile;
		}
	}
}

/* What a terminal is told to draw with for STYLE, which has the colours of tiles or none. */
static void style_text(attr_t style, char text[VT_SGR])
{
	const int pair = PAIR_NUMBER((int)style), bold = style & (attr_t)A_BOLD ? 1 : 0;
	short tile, ink;
	if (!pair) {
		snprintf(text, VT_SGR, bold ? "0;1m" : "0m");
		return;
	}
	tile_colours(256, pair > TILE_STYLES ? pair - TILE_STYLES : pair, &tile, &ink);
	if (pair > TILE_STYLES)
		snprintf(text, VT_SGR, "0;38;5;%dm", tile);
	else
		snprintf(text, VT_SGR, "0;38;5;%d;48;5;%dm", ink, tile);
}

static const char *ground_of(const char *style)
{
	const char *ground = strstr(style, ";48");
	return ground ? ground : "";
}

/* What the terminal shows is the canvas, colours included. */
static void shows(const struct vt *vt, const struct canvas *canvas)
{
	if (vt->errors)
		fail_msg("%s", vt->error);
	for (int l = 0; l < canvas->lines; l++)
		for (int c = 0; c < canvas->columns; c++) {
			const struct spot spot = spot_of(canvas, l, c);
			const struct vt_place *place = &vt->screen[1][l][c];
			char ink[VT_SGR];
			style_text(spot.style, ink);
			assert_int_equal(place->glyph, spot.glyph);
			/* Of a blank only the background is seen. */
			if (spot.glyph == ' ')
				assert_string_equal(ground_of(place->sgr), ground_of(ink));
			else
				assert_string_equal(*place->sgr ? place->sgr : "0m", ink);
		}
}

/* Has curses send what a terminal that shows something else is to show; the number of bytes. */
static size_t paint(struct vt *vt, FILE *file)
{
	char bytes[65536];
	refresh();
	rewind(file);
	const size_t n = fread(bytes, 1, sizeof bytes, file);
	assert_true(n < sizeof bytes);
	vt_bytes(vt, bytes, n);
	rewind(file);
	assert_int_equal(ftruncate(fileno(file), 0), 0);
	return n;
}

static void a_terminal_shows_what_was_painted_and_then_what_changed(void **state)
{
	static struct vt vt;
	struct rng rng;
	rng_init(&rng, 4, RNG_TEST, 0);
	for (int i = 0; i < 400 / SANITIZED_SHARE; i++) {
		struct game game;
		FILE *file = tmpfile();
		char columns[8], lines[8];
		assert_non_null(file);
		snprintf(columns, sizeof columns, "%u", 10 + rng_below(&rng, 100));
		snprintf(lines, sizeof lines, "%u", 3 + rng_below(&rng, 40));
		setenv("COLUMNS", columns, true);
		setenv("LINES", lines, true);
		SCREEN *screen = curses_begin(file);
		shape_game((int)rng_below(&rng, SHAPES), &game);
		struct canvas canvas = {.columns = getmaxx(stdscr),
					.lines = getmaxy(stdscr),
					.colours = rng_below(&rng, 2) ? 256 : 0,
					.utf8 = rng_below(&rng, 2),
					.window = stdscr};
		/* Looking at a place moves the cursor. */
		leaveok(stdscr, true);
		if (canvas.colours)
			tile_colours_init(canvas.colours);
		vt_init(&vt, canvas.columns, canvas.lines);
		for (int k = 0; k < 2; k++) {
			struct board board;
			random_board(&game, (int)rng_below(&rng, RANDOM_KINDS), &rng, &board);
			const struct decision decision = some_decision(&rng);
			struct scene scene = scene_of(&game, &board, &decision);
			scene.message =
			    k ? "Zo\303\253 \033[2J\233\377\302\2332J\342\202\254" : NULL;
			erase();
			scene_draw(&scene, &canvas);
			paint(&vt, file);
			shows(&vt, &canvas);
			assert_int_equal(paint(&vt, file), 0);
		}
		endwin();
		set_term(*state);
		delscreen(screen);
		fclose(file);
	}
}

static void what_strangers_wrote_is_text_and_nothing_else(void **state)
{
	(void)state;
	struct canvas canvas;
	char line[1001];
	for (int utf8 = 0; utf8 < 2; utf8++) {
		const struct look look = {20, 1, 8, utf8};
		canvas_init(&canvas, &look);
		/* Zoë, Escape [, a C1 control in UTF-8, the euro sign, half a character */
		canvas_text(&canvas, 0, 0, 20, A_NORMAL,
			    "Zo\303\253 \033[m\302\233\342\202\254\303");
		assert_string_equal(line_of(&canvas, 0, line),
				    utf8 ? "Zo~ ?[m???          " : "Zo? ?[m???          ");
		assert_int_equal(spot_of(&canvas, 0, 2).glyph, utf8 ? 0xEB : '?');
		assert_int_equal(text_columns("Zo\303\253 \033[m\302\233\342\202\254\303"), 10);
		canvas_fini(&canvas);
	}
}

static size_t moves_made(const struct shared_game *shared)
{
	return shared->plies ? shared->plies - 1 : 0;
}

static void a_shared_game_goes_on_and_tells_its_plies(void **state)
{
	(void)state;
	struct shared_game shared;
	struct game game;
	struct board board = {0};
	struct decision decision;
	game_of("4x4", &game);
	decision_init(&decision);
	decision.chance[DOWN] = 1;
	shared_game_init(&shared);
	assert_int_equal(moves_made(&shared), 0);
	for (uint64_t n = 1; n <= 2; n++) {
		assert_int_equal(shared_game_begin(&shared, &game, &board, NULL, "%s", "title"),
				 STATUS_OK);
		assert_int_equal(shared.games, n);
		assert_int_equal(moves_made(&shared), 0);
		for (size_t i = 1; i < 1000; i++) {
			assert_int_equal(shared.ply[i - 1].move, MOVE_NONE);
			board.cell[0][0] = (uint8_t)(i % 17);
			assert_int_equal(shared_game_move(&shared, (int)(i % 4),
							  n == 1 ? &decision : NULL, -1, &board,
							  3 * i, NULL),
					 STATUS_OK);
		}
		assert_int_equal(moves_made(&shared), 999);
		for (size_t i = 0; i < 999; i++) {
			assert_int_equal(shared.ply[i].score, 3 * i);
			assert_int_equal(shared.ply[i].board.cell[0][0], i % 17);
			assert_int_equal(shared.ply[i].move, (i + 1) % 4);
			assert_int_equal(isnan(shared.ply[i].decision.chance[DOWN]), n == 2);
		}
		board.cell[0][0] = 0;
	}
	shared_game_fini(&shared);
}

static int screen_begin(void **state)
{
	FILE *nothing = fopen("/dev/null", "w");
	assert_non_null(nothing);
	*state = curses_begin(nothing);
	return 0;
}

static int screen_end(void **state)
{
	endwin();
	delscreen(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_tile_is_read_on_every_screen_that_has_room),
	    cmocka_unit_test(a_screen_that_is_too_small_says_so),
	    cmocka_unit_test(all_is_there_on_80_columns_and_24_lines),
	    cmocka_unit_test(a_small_board_without_colours_is_this_picture),
	    cmocka_unit_test(numbers_fit_as_worked_out_by_hand),
	    cmocka_unit_test(numbers_always_fit),
	    cmocka_unit_test(text_on_tiles_has_the_contrast_that_wcag_asks_for),
	    cmocka_unit_test(a_terminal_shows_what_was_painted_and_then_what_changed),
	    cmocka_unit_test(what_strangers_wrote_is_text_and_nothing_else),
	    cmocka_unit_test(a_shared_game_goes_on_and_tells_its_plies),
	};
	return cmocka_run_group_tests_name("screen", tests, screen_begin, screen_end);
}
