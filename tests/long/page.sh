#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The page of nxn report in a browser: tables sort, both themes can be read, nothing is wider than a
# phone, nothing is complained of. Needs Chromium; without one there is nothing to do.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || {
	echo 'no chromium here: the page is not looked at'
	exit 0
}

gives 0 'nxn compare -a "random;greedy;expectimax:depth=1" -b 3x3,4x4 -g 30 -o games'
gives 0 'nxn compare -a random -b 2x2 -g 1 -o once'
gives 0 'nxn gap --board 2x3 --agents "random;greedy" --out gap'
gives 0 'nxn report games once gap --out bundle'
# Headings are as long as those of duels.
sed 's/"title":"[^"]*"/"title":"expectimax:depth=2,cutoff=0.001,value=strong,tt=1M against corners on 4x4"/g' bundle/index.html >index.html || exit 1

# What the page tells of itself goes to the page around it, a line each.
cat >ask.js <<'END'
const tell = (line) => parent.postMessage(line, "*");
addEventListener("error", (event) => tell("error: " + event.message));
const light = (css) => {
	const parts = css.match(/[\d.]+/g).slice(0, 3).map((part) => part / 255);
	const linear = parts.map((x) => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
	return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
};
const contrast = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
const least = (list) => list.reduce((a, b) => Math.min(a, b), 99).toFixed(2);
/* What is drawn of the figures that are shown: an <img> of a data: address does not let anybody look inside. */
const shown = () => Array.from(document.querySelectorAll(".drawing")).filter((each) => each.getClientRects().length);
const drawn = () => shown().map((each) =>
	new DOMParser().parseFromString(decodeURIComponent(each.src.replace(/^[^,]*,/, "")), "image/svg+xml"));
/* Contrasts of series: grids and axes are grey. */
function series(paper) {
	const spread = (css) => Math.max(...css.match(/\d+/g).slice(0, 3)) - Math.min(...css.match(/\d+/g).slice(0, 3));
	const strokes = drawn().flatMap((svg) => Array.from(svg.querySelectorAll("path[stroke]"), (each) => each.getAttribute("stroke")));
	const bars = Array.from(document.querySelectorAll(".dot circle"), (each) => getComputedStyle(each).fill);
	return [...strokes, ...bars].filter((css) => css.startsWith("rgb") && spread(css) > 20).map((css) => contrast(css, paper));
}
function figuresTell(name, paper) {
	const text = drawn().flatMap((svg) => Array.from(svg.querySelectorAll("g[font-size]"), (each) => each.getAttribute("fill")));
	const rgb = (css) => css === "black" ? "rgb(0, 0, 0)" : css;
	tell(name + " figure text " + least(text.map((css) => contrast(rgb(css), paper))));
	const background = drawn().map((svg) => svg.querySelector("#gnuplot_canvas > rect").getAttribute("fill"));
	const hexRead = (css) => css.startsWith("#") ? "rgb(" + css.match(/[0-9a-f]{2}/g).map((x) => parseInt(x, 16)) + ")" : css;
	if (background.some((css) => contrast(paper, hexRead(css)) > 1.01))
		tell("error: a figure on another paper than the page's");
	if (shown().some((each) => !each.complete || !each.naturalWidth || each.clientWidth < 100 || !each.alt))
		tell("error: a figure is not shown");
	tell(name + " figures " + shown().length + " of " + document.querySelectorAll("figure").length);
}
function themeTell(name) {
	const paper = getComputedStyle(document.querySelector("figure")).backgroundColor;
	const of = (query, what) => Array.from(document.querySelectorAll(query),
		(each) => contrast(getComputedStyle(each)[what], paper));
	tell(name + " page " + getComputedStyle(document.body).backgroundColor);
	tell(name + " text " + least([...of("figcaption", "color"), ...of("a", "color"), ...of(".small", "color")]));
	figuresTell(name, paper);
	/* On white, colours are those that the figure was drawn with. */
	if (light(paper) < 0.5)
		tell(name + " lines " + least(series(paper)));
}
function sortTell(table) {
	let sorted = 0;
	for (const head of table.querySelectorAll("th[data-kind]")) {
		for (let k = 0; k < 2; k++) {
			const button = head.querySelector("button");
			button.focus();
			if (document.activeElement !== button)
				tell("error: a column that the keyboard does not reach");
			button.click();
			const numeric = head.dataset.kind === "number";
			const down = head.getAttribute("aria-sort") === "descending";
			if (down !== (numeric === (k === 0)))
				tell("error: sorted the wrong way round");
			const cells = Array.from(table.tBodies[0].rows, (row) => row.cells[head.cellIndex]);
			const keys = cells.map((cell) => cell.dataset.v === undefined ? NaN : +cell.dataset.v);
			for (let i = 1; numeric && i < keys.length; i++)
				if (Number.isNaN(keys[i - 1]) ? !Number.isNaN(keys[i]) : down ? keys[i - 1] < keys[i] : keys[i - 1] > keys[i])
					tell("error: " + keys[i - 1] + " before " + keys[i]);
			sorted++;
		}
		if (table.querySelectorAll("[aria-sort]").length !== 1)
			tell("error: sorted by more than one column");
	}
	return sorted;
}
addEventListener("load", () => {
	const wide = Array.from(document.querySelectorAll("body *")).filter((each) =>
		!each.closest(".scroll, nav, .skip") && each.getBoundingClientRect().right > innerWidth + 0.5);
	tell("width " + document.documentElement.scrollWidth + " of " + innerWidth);
	if (wide.length)
		tell("error: too wide: " + wide[0].outerHTML.slice(0, 80));
	if (Array.from(document.querySelectorAll("td.dot"), (each) => each.getBoundingClientRect().width).some((x) => x < 100))
		tell("error: no room for dots");
	const range = document.createRange();
	for (const node of Array.from(document.querySelectorAll("h1, h2, h3"), (each) => Array.from(each.childNodes)).flat())
		for (const word of node.data?.matchAll(/\S+/g) ?? []) {
			range.setStart(node, word.index);
			range.setEnd(node, word.index + word[0].length);
			if (range.getClientRects().length > 1)
				tell("error: a heading breaks inside " + word[0]);
		}
	const ids = Array.from(document.querySelectorAll("[id]"), (each) => each.id);
	tell("ids twice " + (ids.length - new Set(ids).size));
	tell("links to nowhere " + Array.from(document.querySelectorAll("a[href^='#'], use")).filter((each) =>
		!document.getElementById(each.getAttribute("href").slice(1))).length);
	themeTell("first");
	document.getElementById("theme").click();
	themeTell("second");
	tell("pressed " + document.getElementById("theme").getAttribute("aria-pressed"));
	document.querySelectorAll("details").forEach((each) => each.open = true);
	let sorted = 0;
	document.querySelectorAll("table").forEach((table) => sorted += sortTell(table));
	tell("sorted " + sorted);
	tell("end");
});
END
cat >around.html <<'END'
<!DOCTYPE html><pre id="told"></pre><script>
addEventListener("message", (event) => document.getElementById("told").append(event.data + "\n"));
</script>
END
# The script goes into the page itself, whose policy allows its own scripts and nothing else.
{
	sed '/<\/head>/,$d' index.html
	echo '<script>(() => {'
	cat ask.js
	echo '})();</script>'
	sed -n '/<\/head>/,$p' index.html
} >asked.html

# look WIDTH SCHEME: the page in a frame that wide, dark (0) or light (1); what it tells goes to told.
look()
{
	{ cat around.html; echo "<iframe src=\"asked.html\" style=\"width:$1px;height:900px;border:0\"></iframe>"; } >frame.html
	rm -rf user
	timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
		--disable-background-networking --disable-component-update --disable-sync \
		--hide-scrollbars --enable-logging=stderr --blink-settings=preferredColorScheme="$2" --user-data-dir="$PWD/user" \
		--window-size=1400,1000 --virtual-time-budget=20000 --dump-dom "file://$PWD/frame.html" \
		>dom 2>noise || complain "the browser fails"
	grep CONSOLE noise && complain "the browser complains"
	sed -n '/<pre/,/<\/pre>/p' dom | sed 's/<[^>]*>//g' >told
	has end told
	grep error told && complain "width $1, scheme $2"
	has "width $1 of $1" told
	has 'ids twice 0' told
	has 'links to nowhere 0' told
	awk '/^sorted/ { n = $2 } END { exit !(n > 20) }' told || complain 'few columns were sorted'
	[ "$(grep -c ' lines ' told)" -eq 1 ] || complain 'not once dark'
	[ "$(awk '/ figures / && $3 > 4 && $3 == $5' told | wc -l)" -eq 2 ] || complain 'not each figure once in each theme'
	awk '/ text / && $NF < 4.5 || / lines / && $NF < 3 { print; bad = 1 } END { exit bad }' told ||
		complain "too little contrast, width $1, scheme $2"
}

dark='rgb(20, 21, 24)' light='rgb(247, 245, 241)'
# A phone, and where columns are as narrow as they get.
for width in 375 1060; do
	look $width 0
	has "first page $dark" told
	has "second page $light" told
	has 'pressed false' told
	look $width 1
	has "first page $light" told
	has "second page $dark" told
	has 'pressed true' told
done
cat told

# Printed from a dark screen, figures are on white.
if command -v pdftoppm >/dev/null; then
	rm -rf user
	timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
		--disable-component-update --disable-sync --blink-settings=preferredColorScheme=0 --user-data-dir="$PWD/user" \
		--print-to-pdf=printed.pdf "file://$PWD/index.html" >/dev/null 2>noise || complain 'the browser does not print'
	pdftoppm -gray -r 10 printed.pdf printed
	for sheet in printed-*.pgm; do
		# Behind some 16 bytes, a byte is a point.
		od -An -v -tu1 -j 16 "$sheet" | awk '{ for (i = 1; i <= NF; i++) dark += $i < 64; all += NF } END { exit dark > all / 10 }' ||
			complain "$sheet is dark"
	done
fi

exit $bad
