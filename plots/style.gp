# SPDX-License-Identifier: GPL-3.0-or-later
# What all figures share: reading a table's blocks, colours, the page.
#
# A script sets TERM, OUT and its tables, loads this file, describes its page by the variables
# below, and draws panel after panel:
#     eval page(panels)       terminal, output, multiplot, key
#     eval margins(panel)     the place of panel 1, 2, ...
# Text is 8 pt on a page as wide as one printed column or two. Labels are taken as they are: only
# what is written here may use ^ and _ as markup.

if (TERM ne "svg" && TERM ne "pdf" && TERM ne "png") exit error "the format is svg, pdf or png, not '" . TERM . "'"

# FIT, if not 0, is how many inches a page may be wide; nxn report --width has it written above this style.
if (!exists("FIT")) { FIT = 0. }

power(base, exponent) = base . "^{" . exponent . "}"

set datafile separator tab
set encoding utf8

# ---- Tables. `# block N: NAME` lines become Block[1..blocks]; $Null takes what a pass prints.

array Block[1024]
blocks = 0
block_add(s) = (blocks = blocks + 1, blocks <= |Block| ? (Block[blocks] = s, 1) : 0)
block_note(s) = s[1:8] eq "# block " ? block_add(s[strstrt(s, ": ") + 2:*]) : 0
blocks_read = 'blocks = 0; set datafile commentschars ""; set table $Null; ' . \
	'plot TABLE using (block_note(stringcolumn(1))) with table; ' . \
	'unset table; set datafile commentschars "#"'
blocks_need = 'eval blocks_read; ' . \
	'if (blocks == 0) { exit error "no \"# block N: NAME\" line in " . TABLE }; ' . \
	'if (blocks > |Block|) { exit error TABLE . ": more than " . |Block| . " series are too many for a figure; --no-figures draws none" }'

# Labels are numbered in the order in which they first come, and keep number and colour.
array Label[|Block|]
labels = 0
label_find(s) = (_k = 0, sum [_i = 1:labels] (Label[_i] eq s ? (_k = _i) : 0), _k)
label_number(s) = label_find(s) > 0 ? _k : \
	(labels = labels + 1, Label[labels] = s, labels)

# A player is the same number and colour in all figures of a run: players_need, behind blocks_need,
# numbers all that are in the table PLAYERS, means.tsv, before a script numbers those in its own.
players_need = '_table = TABLE; TABLE = PLAYERS; eval blocks_need; ' . \
	'do for [k = 1:blocks] { _n = label_number(Block[k]) }; TABLE = _table; eval blocks_read'

# Blocks named "BOARD LABEL": Board[1..boards], the blocks of each as a list of words, and the
# number of every block's label.
array Board[|Block|]
array Members[|Block|]
array Of[|Block|]
boards = 0
board_number(s) = (_k = 0, sum [_i = 1:boards] (Board[_i] eq s ? (_k = _i) : 0), _k > 0) ? _k : \
	(boards = boards + 1, Board[boards] = s, Members[boards] = "", boards)
block_join(k, b, s) = (Members[b] = Members[b] . sprintf(" %d", k), Of[k] = label_number(s))
board_part(s) = s[1:strstrt(s, " ") - 1]
label_part(s) = s[strstrt(s, " ") + 1:*]
blocks_group = 'do for [k = 1:blocks] { ' . \
	'_b = block_join(k, board_number(board_part(Block[k])), label_part(Block[k])) }'

# Learning curves, behind blocks_group: learners_see puts those who learn into the key, and decides
# what training is counted in. TIME is the column of the games (1), or of the seconds (SECONDS) where
# these are known and learners of a board were given different numbers of games.
SECONDS = 11
array Given[|Block|]
array Took[|Block|]
array Rows[|Block|]
learners_see = 'TIME = 1; set table $Null; ' . \
	'do for [k = 1:blocks] { Given[k] = 0; Took[k] = 0; Rows[k] = 0; ' . \
	'plot TABLE index (k - 1) every ::1 using ' . \
	'(Given[k] = $1, Took[k] = column(SECONDS), Rows[k] = Rows[k] + 1) with table }; unset table; ' . \
	'do for [s = 1:labels] { if (sum [k = 1:blocks] (Of[k] == s)) { ' . \
	'IN_KEY = IN_KEY . sprintf(" %d", s) } }; ' . \
	'do for [b = 1:boards] { _k = word(Members[b], 1) + 0; do for [k in Members[b]] { ' . \
	'if (Given[k + 0] != Given[_k]) { TIME = SECONDS } } }; ' . \
	'if (sum [k = 1:blocks] (Took[k] > 0 ? 0 : 1)) { TIME = 1 }; ' . \
	'TIME_LABEL = TIME == 1 ? "training games" : "seconds of training"'

# Some fifteen marks on the curve of block k, however many points it has, those of one player between
# those of others, so that curves that coincide are all seen: `every mark_step(k)::mark_first(k)`.
mark_step(k) = 1 + (Rows[k] - 1) / 15
mark_first(k) = 1 + mark_step(k) * ((Of[k] - 1) % labels) / labels

# Curves of many players are told apart in panels of no more than six. parts_make, with the blocks to show of
# each board in Shown, gives Part[1..parts], the blocks of each panel, and Whose[i], its board.
array Shown[|Block|]
array Part[|Block|]
array Whose[|Block|]
parts = 0
parts_of(b) = (words(Shown[b]) + 5) / 6
parts_make = 'parts = 0; do for [b = 1:boards] { _n = words(Shown[b]); do for [_p = 1:parts_of(b)] { ' . \
	'parts = parts + 1; Whose[parts] = b; Part[parts] = ""; ' . \
	'do for [_i = (_p - 1) * _n / parts_of(b) + 1:_p * _n / parts_of(b)] { ' . \
	'Part[parts] = Part[parts] . " " . word(Shown[b], _i) } } }'
part_rank(i) = (sum [_j = 1:i] (Whose[_j] == Whose[i]))
part_title(i) = Board[Whose[i]] . (parts_of(Whose[i]) < 2 ? "" : \
	sprintf(", %d/%d", part_rank(i), parts_of(Whose[i])))

# Ranges: range_reset, then see(x) for every x that must fit in; NaN counts for nothing.
range_reset = 'least = 1e300; most = -1e300; seen = 0'
see(x) = x == x ? (least = x < least ? x : least, most = x > most ? x : most, seen = seen + 1) : 0

# ---- Series: colours of Wong (Nature Methods 8, 441, 2011), his black lightened, in an order that
# alternates in grey. The ninth to sixteenth series have them darkened, other points and broken lines;
# the seventeenth and on repeat both with other points and lines again.

array Colour[8] = [0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0x4d4d4d, 0x56b4e9, 0xd55e00, 0xf0e442]
array Point[8] = [7, 9, 5, 13, 11, 15, 6, 4]
# Bars are filled to this share, so that five series are five in grey: the third and fifth are nearly as dark as the
# first, the fourth is as light as the second.
array Fill[8] = [1, 1, 0.2, 0, 0.35, 0.6, 1, 0]
fill(i) = Fill[(i - 1) % 8 + 1]
darker(c) = (c / 65536 * 11 / 20) * 65536 + (c / 256 % 256 * 11 / 20) * 256 + c % 256 * 11 / 20
styles(from, to) = sprintf("do for [i = %d:%d] { ", from, to) . 'again = (i - 1) / 8 % 4; dash = 1 + again; ' . \
	'set style line i lc rgb (again % 2 ? darker(Colour[(i - 1) % 8 + 1]) : Colour[(i - 1) % 8 + 1]) ' . \
	'pt Point[(i - 1 + 3 * again) % 8 + 1] dt dash lw 1.5 ps 0.55 }'
# Few figures have more labels than these; a page has the rest set.
STYLES = 64
eval styles(1, STYLES)
styles_more = 'if (labels > STYLES) { eval styles(STYLES + 1, labels) }'

# ---- The page, in inches.

WIDTH = 3.5   # one column
LEFT = 0.55   # beside a panel
RIGHT = 0.15
TITLE = 0.2   # above a panel
PLOT = 1.0    # the panel itself
UNDER = 0.08  # below it
BOTTOM = 0.35 # below the last row
COLUMNS = 1   # panels side by side

# A page that is wider than FIT has fewer columns of panels. Panel i is one of the last row if under(i).
fit_columns = 'if (FIT > 0 && WIDTH > FIT) { COLUMNS = between(1, floor(COLUMNS * FIT / WIDTH + 0.3), COLUMNS); ' . \
	'WIDTH = FIT }'
under(i) = i > panels - COLUMNS
# A label that is too long loses its middle, for those of programs may differ at the end alone: one that
# would then be as another shows its beginning, and what it has from the setting on in which they differ.
cut_ends(s, most) = s[1:most - 3 - most / 3] . "..." . s[strlen(s) - most / 3 + 1:*]
cut_twin(s, most) = (_twin = "", sum [_m = 1:labels] (Label[_m] ne s && strlen(Label[_m]) > most && \
	cut_ends(Label[_m], most) eq cut_ends(s, most) ? (_twin = Label[_m], 1) : 0), _twin)
alike(s, t) = (_same = 0, sum [_m = 1:strlen(s)] (_same == _m - 1 && s[_m:_m] eq t[_m:_m] ? (_same = _m) : 0), _same)
piece_start(s, at) = (_from = 1, sum [_m = 1:at - 1] (strstrt(",:", s[_m:_m]) ? (_from = _m + 1) : 0), _from)
cut_from(s, from, most) = s[1:most / 3] . "..." . (strlen(s) - from < most - 3 - most / 3 ? s[from:*] : \
	s[from:from + most - 7 - most / 3] . "...")
cut_about(s, at, most) = cut_from(s, piece_start(s, at) > most / 3 && at - piece_start(s, at) < most / 3 ? \
	piece_start(s, at) : at - 2, most)
cut_once(s, most) = strlen(s) <= most ? s : cut_twin(s, most) eq "" ? cut_ends(s, most) : \
	cut_about(s, alike(s, _twin) + 1, most)
# Labels that would still be alike end with the number of the label.
cut_again(s, most) = (_cut = cut_once(s, most), sum [_q = 1:labels] (Label[_q] ne s && cut_once(Label[_q], most) eq _cut))
cut(s, most) = strlen(s) > most && cut_again(s, most) ? \
	s[1:most - 6] . sprintf("...~%d", label_find(s)) : cut_once(s, most)

# The key has the labels whose numbers are in the list IN_KEY, or all, in as many columns as fit; two
# columns of print where not even one does, or labels that are cut where FIT forbids that.
IN_KEY = ""
key_label(i) = word(IN_KEY, i) + 0
key_longest(n) = (_k = 0, sum [_i = 1:n] (_k = strlen(Label[key_label(_i)]) > _k ? \
	strlen(Label[key_label(_i)]) : _k), _k)
between(low, x, high) = x < low ? low : x > high ? high : x
key_plan = 'if (IN_KEY eq "") { do for [s = 1:labels] { IN_KEY = IN_KEY . sprintf(" %d", s) } }; ' . \
	'keys = words(IN_KEY); WIDTH = keys > 8 && FIT == 0 ? 7. : WIDTH; ' . \
	'key_most = FIT > 0 ? floor((FIT - 0.7) / 0.07) : 1000; ' . \
	'key_width = 0.6 + 0.07 * between(0, key_longest(keys), key_most); ' . \
	'WIDTH = key_width > WIDTH && FIT == 0 ? 7. : WIDTH; ' . \
	'key_columns = between(1, floor((WIDTH - 0.1) / key_width), keys); ' . \
	'key_rows = ceil(keys / (1. * key_columns)); KEY = 0.14 + 0.13 * key_rows; ' . \
	'if (DIRECT) { keys = 0; key_rows = 1; KEY = 0.02 }'

# Where labels are short and more than one, they stand at the ends of curves and not in a key: ends_plan, before the page, finds that
# out (DIRECT) and makes room beside panels. Of each panel, end_see(i, y) for the label i whose curve ends at y, 0 at
# its bottom and 1 at its top; then ends_draw, which moves them apart, before the panel is plotted.
DIRECT = 0
array End[|Label|]
array End_of[|Label|]
ends = 0
ends_plan = 'if (words(IN_KEY) > 1 && words(IN_KEY) <= 6 && key_longest(words(IN_KEY)) <= 14) { ' . \
	'DIRECT = 1; RIGHT = 0.35 + 0.062 * key_longest(words(IN_KEY)) }'
end_see(i, y) = y == y ? (ends = ends + 1, End_of[ends] = i, End[ends] = y) : 0
end_swap(i) = (_y = End[i], End[i] = End[i - 1], End[i - 1] = _y, \
	_k = End_of[i], End_of[i] = End_of[i - 1], End_of[i - 1] = _k)
ends_apart = '_gap = 0.12 / PLOT; ' . \
	'do for [_i = 2:ends] { do for [_j = _i:2:-1] { if (End[_j] < End[_j - 1]) { _y = end_swap(_j) } } }; ' . \
	'do for [_i = 2:ends] { if (End[_i] < End[_i - 1] + _gap) { End[_i] = End[_i - 1] + _gap } }; ' . \
	'do for [_i = 1:ends] { _j = ends + 1 - _i; if (End[_j] > 1 - (_i - 1) * _gap) { End[_j] = 1 - (_i - 1) * _gap } }'
ends_draw = 'if (DIRECT) { eval ends_apart; do for [_i = 1:ends] { set label 100 + _i Label[End_of[_i]] ' . \
	'at graph 1 + 0.1 / (WIDTH / COLUMNS), End[_i] left noenhanced point ls End_of[_i] offset character 1, 0 } }'
ends_reset = 'do for [_i = 1:ends] { unset label 100 + _i }; ends = 0'

terminal(w, h) = \
	TERM eq "svg" ? sprintf("svg enhanced size %d,%d font 'sans-serif,13.33' linewidth 1.2 " . \
		"background 'white'", 120 * w, 120 * h) : \
	TERM eq "pdf" ? sprintf("pdfcairo enhanced size %gin,%gin font 'sans-serif,8' fontscale 0.75 " . \
		"linewidth 2", w, h) : \
	sprintf("pngcairo enhanced size %d,%d font 'sans-serif,8' fontscale 3 " . \
		"linewidth 2.5 pointscale 2", 300 * w, 300 * h)

XLABEL = 0.5

# Opens a page of so many panels; the key and the label of the upright axes are a
# plot of their own, for a key is cut to the height of its plot.
KIND = "linespoints"
SIDE = ""
SPACING = TERM eq "svg" ? 0.78 : 1 # a row of the key is 0.13 inches, whatever a terminal takes for a line
axes = 'set border 3 lc rgb 0x444444 lw 0.7; set xtics nomirror scale 0.5 tc rgb 0x000000; ' . \
	'set ytics nomirror scale 0.5 tc rgb 0x000000; ' . \
	'set grid ytics lc rgb 0xdddddd lt 1 lw 0.5, lc rgb 0xeeeeee lt 1 lw 0.5; ' . \
	'set title noenhanced; set xlabel'
key_draw(kind) = 'unset border; unset tics; ' . \
	'set margins screen 0, screen 1, screen 0, screen 1; ' . \
	'set key at screen 0.5, screen 1 - 0.08 / HEIGHT center top vertical ' . \
	'maxrows key_rows noenhanced Left reverse spacing ' . sprintf("%g", SPACING) . '; ' . \
	'set label 1 SIDE at screen 0.13 / WIDTH, ' . \
	'screen 0.5 * (1 + (BOTTOM - KEY) / HEIGHT) center rotate; ' . \
	'plot [0:1] [0:1] -1 notitle, ' . \
	'for [i = 1:keys] keyentry with ' . kind . ' ls key_label(i) title cut(Label[key_label(i)], key_most); ' . \
	'unset key; unset label 1'
# A font of so many points; SVG counts in pixels.
small_font(points) = sprintf(",%.1f", TERM eq "svg" ? points * 13.33 / 8 : points)
# A page of a column may not be higher than one of print: its panels are lower, but not below half an inch.
HIGHEST = 8.5
fit_height = '_rows = ceil(panels / (1. * COLUMNS)); if (FIT > 0) { ' . \
	'PLOT = between(0.5 < PLOT ? 0.5 : PLOT, (HIGHEST - KEY - BOTTOM) / _rows - TITLE - UNDER, PLOT) }'
page(panels) = sprintf("panels = %d; ", panels) . \
	'if (TERM eq "svg" && UNDER > 0.2) { UNDER = UNDER + 0.06 }; ' . \
	'eval fit_columns; eval key_plan; ' . \
	'eval fit_height; HEIGHT = KEY + _rows * (TITLE + PLOT + UNDER) + BOTTOM; ' . \
	'eval "set terminal " . terminal(WIDTH, HEIGHT); set output OUT; set multiplot; ' . \
	'eval styles_more; eval key_draw(KIND); eval axes'

panel_left(i) = ((i - 1) % COLUMNS * WIDTH / COLUMNS + LEFT) / WIDTH
panel_right(i) = (((i - 1) % COLUMNS + 1) * WIDTH / COLUMNS - RIGHT) / WIDTH
panel_top(i) = 1 - (KEY + (i - 1) / COLUMNS * (TITLE + PLOT + UNDER) + TITLE) / HEIGHT
margins(i) = sprintf("set lmargin at screen %f; set rmargin at screen %f; " . \
	"set tmargin at screen %f; set bmargin at screen %f", panel_left(i), panel_right(i), \
	panel_top(i), panel_top(i) - PLOT / HEIGHT)

# An axis from 0 to MOST: a round step with some four tics, and numbers such as 500, 20k or 1.5M.
round_up(m) = m <= 1 ? 1 : m <= 2 ? 2 : m <= 5 ? 5 : 10
step(most) = 10 ** floor(log10(most / 5.)) * round_up(most / 5. / 10 ** floor(log10(most / 5.)))
short(x) = x < 1e3 ? sprintf("%g", x) : x < 1e6 ? sprintf("%gk", x / 1e3) : \
	x < 1e9 ? sprintf("%gM", x / 1e6) : sprintf("%gG", x / 1e9)
tics(axis, most) = sprintf("set %stics (); do for [_i = 0:%d] { " . \
	"set %stics add (short(_i * %g) _i * %g) }", \
	axis, floor(most / step(most) + 1e-6), axis, step(most), step(most))

# Rows: more players than MANY have one each, with their names beside it, for so many colours cannot be told
# apart. A panel has the rows 1 to ROWS[i]; rows_page opens the page, rows_margins(i) is the place of panel i.
MANY = 7
ROW = 0.14
array ROWS[|Block|]
row_name(s) = cut(s, FIT > 0 ? floor((FIT / 2 - 0.2) / 0.062) : 36)
rows_above(i) = (i < 2 ? 0 : sum [_j = 1:i - 1] (TITLE + ROW * ROWS[_j] + UNDER))
rows_longest(n) = (_k = 0, sum [_i = 1:n] (_k = strlen(row_name(Label[_i])) > _k ? \
	strlen(row_name(Label[_i])) : _k), _k)
rows_page(panels) = sprintf("panels = %d; KEY = 0.02; ", panels) . \
	'LEFT = 0.2 + 0.062 * rows_longest(labels); ' . \
	'WIDTH = FIT > 0 && FIT < WIDTH ? FIT : LEFT > 1.4 && LEFT + 2.1 > WIDTH ? LEFT + 2.1 : WIDTH; ' . \
	'if (TERM eq "svg") { UNDER = UNDER + 0.04; BOTTOM = BOTTOM + 0.04 }; ' . \
	'HEIGHT = KEY + rows_above(panels + 1) + BOTTOM; ' . \
	'eval "set terminal " . terminal(WIDTH, HEIGHT); set output OUT; set multiplot; eval styles_more; eval axes; unset key'
# The name s beside row r: a label, for the text of a tic is a format and is cut. rows_unname behind the plot.
row_names = 0
rows_name = 'unset ytics; row_names = row_names + 1; ' . \
	'set label 200 + row_names row_name(_s) at graph 0, first _r right noenhanced ' . \
	'offset character -0.8, 0'
rows_unname = 'do for [_i = 1:row_names] { unset label 200 + _i }; row_names = 0'
rows_margins(i, left, right) = sprintf("set lmargin at screen %f; set rmargin at screen %f; " . \
	"set tmargin at screen %f; set bmargin at screen %f; set yrange [%f:0.4]", left / WIDTH, right / WIDTH, \
	1 - (KEY + rows_above(i) + TITLE) / HEIGHT, \
	1 - (KEY + rows_above(i) + TITLE + ROW * ROWS[i]) / HEIGHT, ROWS[i] + 0.6)

# A logarithmic axis from round_below(least) to round_above(most), a hair longer, for gnuplot may leave out tics
# at its ends: labels at 1, 2, 5 times powers of ten where there are few of these and 2 is far enough from 1, or
# else at powers of ten.
head(x) = x / 10. ** floor(log10(x) + 1e-9)
round_below(x) = 10. ** floor(log10(x) + 1e-9) * (head(x) < 1.999 ? 1 : head(x) < 4.999 ? 2 : 5)
round_above(x) = 10. ** floor(log10(x) + 1e-9) * (head(x) < 1.001 ? 1 : head(x) < 2.001 ? 2 : \
	head(x) < 5.001 ? 5 : 10)
log_number(x, few) = x > (few ? 9e-5 : 9e-4) && x < 9e11 ? short(x) : \
	power((head(x) < 1.001 ? '10' : sprintf('%.0f', head(x)) . '·10'), sprintf('%d', floor(log10(x) + 1e-9)))
is_labelled(m, few) = m == 1 || (few && (m == 2 || m == 5))
few_tens(axis, low, high) = high / low < 200 && \
	(axis eq "y" || 0.3 * (WIDTH / COLUMNS - LEFT - RIGHT) / log10(1. * high / low) > 0.36)
log_axis(axis, low, high, labelled) = sprintf("set logscale %s; set %stics (); " . \
	"set %srange [0.9999 * %g:1.0001 * %g]; " . \
	"_few = %d; " . \
	"do for [_d = %d:%d] { do for [_m = 1:9] { _x = _m * 10. ** _d; " . \
	"if (_x > 0.999 * %g && _x < 1.001 * %g) { set %stics add " . \
	"(%d && is_labelled(_m, _few) ? log_number(_x, _few) : '' _x 1 - is_labelled(_m, _few)) } } }", \
	axis, axis, axis, low, high, few_tens(axis, low, high), floor(log10(low) + 1e-9), floor(log10(high) + 1e-9), low, high, axis, \
	labelled)

set title noenhanced
set style fill solid 1 noborder
