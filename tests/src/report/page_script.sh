#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# What the script of a page (plots/page.js) makes of its data, in node with a document that knows little more than
# to be printed. How it looks in a browser: tests/long/page.sh.
command -v node >/dev/null || {
	echo 'no node here: the script of the page is not run'
	exit 0
}
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cat >"$work/test.js" <<'END_OF_TEST'
"use strict";
const fs = require("fs"), vm = require("vm");
const script = fs.readFileSync(process.argv[2] + "/plots/page.js", "utf8");
let bad = 0;

/* ---- A document. */
const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/"/g, "&quot;");
class Element {
	constructor(name) { Object.assign(this, { name, attributes: {}, childNodes: [], dataset: {} }); }
	setAttribute(key, value) { this.attributes[key] = value; }
	append(...nodes) { this.childNodes.push(...nodes); }
	replaceChildren(...nodes) { this.childNodes = nodes; }
	addEventListener() {}
	set textContent(text) { this.childNodes = [text]; }
	get textContent() { return this.childNodes.join(""); }
	toString() {
		const attributes = Object.entries(this.attributes).map(([key, value]) => ` ${key}="${escaped(value)}"`).join("");
		return `<${this.name}${attributes}>` + this.childNodes.map((each) => typeof each === "string" ? escaped(each) : String(each)).join("") + `</${this.name}>`;
	}
}

/* The page of DATA, as text; and what the script defines. */
function page(data) {
	const parts = {}, ready = [];
	const document = { documentElement: new Element("html"), createElement: (name) => new Element(name), createElementNS: (space, name) => new Element(name),
		getElementById: (id) => parts[id] ??= new Element(id), querySelectorAll: () => [], addEventListener: (kind, run) => ready.push(run) };
	const context = { document, location: { hash: "" }, HTMLDetailsElement: Element, addEventListener() {}, localStorage: { getItem: () => null },
		matchMedia: () => ({ matches: false, addEventListener() {} }) };
	document.getElementById("data").append(JSON.stringify(data));
	vm.createContext(context);
	vm.runInContext(script + "\nglobalThis.made = { number, darkDrawing, darkened, luminance };", context);
	ready.forEach((run) => run());
	const { data: ignored, ...shown } = parts;
	return { text: document.title + Object.values(shown).join("\n"), ...context.made };
}

function check(is, what) {
	if (!is) {
		console.log("FAILED: " + what);
		bad = 1;
	}
}

/* ---- Data. */
const table = (name, columns, rows, more) => ({ name, caption: name + " of players.", files: [["tables/" + name + ".tsv", "data"]], notes: [], columns, rows,
	size: rows.length, fits: true, ...more });
const whole = (tables, more) => ({ generator: "nxn 1", title: "A run", alone: true, provenance: ["nxn 1"], files: ["games.tsv"],
	runs: [{ name: "run", title: "A run", provenance: [], files: [], figures: [], tables, ...more }] });
const has = (text, ...wanted) => wanted.reduce((from, each) => {
	const at = text.indexOf(each, from);
	check(at >= 0, "no " + each + " in its place");
	return at < 0 ? from : at;
}, 0);
const count = (text, what) => text.split(what).length - 1;

const EVIL = "<script>alert(1)</script></style>\" onload=\"x' {{title}} &amp; größer";
const SUMMARY = ["board", "label", "agent", "trained", "games", "mean", "mean_low", "mean_high"];
const summary = table("summary", SUMMARY, [
	["3x3", "slow", "slow", 0, 40, 250, 200, 300], ["3x3", "learner", "qlearn", 100, 40, 900, 800, 1000],
	["3x3", "learner", "qlearn:rate=2", 200, 40, 500, 400, 1000], ["3x3", "none", "none", 0, 0, null, null, null],
	["4x4", "slow", "slow", 0, 7, 10, 9, 11], ["4x4", EVIL, EVIL, 0, 7, 100000, 90000, 110000]]);
const tiles = table("tiles", ["board", "tile", "slow", "slow_low", "slow_high", "learner", "learner_low", "learner_high"],
	[["3x3", 32, 0.75, 0.5, 0.9, 0.1, 0, 0.2], ["3x3", 64, 0.25, 0.1, 0.5, 0.7, 0.6, 0.8], ["3x3", 128, 0, 0, 0.2, 0.2, 0.1, 0.3]]);
const means = table("means", ["label", "board"], [["learner", "3x3"], ["slow", "3x3"], ["slow", "4x4"]]);
const RATIOS = ["a", "b", "board", "ratio", "ratio_low", "ratio_high", "paired_difference", "paired_low", "paired_high", "paired_games"];
const ratios = table("ratios", RATIOS, [["learner", "slow", "3x3", 2, 1.5, 2.6, 250, 100, 400, 40]]);
const figure = { name: "tiles", caption: "What they reach.", files: [["figures/a b/tiles.svg", "SVG"], ["//x/javascript:y", "PDF"]],
	svg: "<svg viewBox='0 0 420 200'><rect fill=\"#ffffff\"/><text fill='black'>fill='black'</text><path stroke='rgb(  0,  62,  97)'/></svg>" };

/* ---- Players come best first, with what they reached, at the last point of training. */
{
	const { text } = page(whole([summary, tiles, means, ratios], { figures: [figure] }));
	has(text, 'id="glance"', 'rowheader">learner ', "<code>qlearn:<wbr></wbr>rate=2</code>", '">128</span> <span class="ci">in 8 of 40 games',
		'rowheader">slow', '">64</span> <span class="ci">in 10 of 40 games', 'rowheader">none');
	has(text, "after 200 training games");
	check(!text.includes("after 100 training games"), "a learner before its last training");
	has(text, '<b>learner</b> scores 2.00 <span class="ci">[1.50, 2.60]</span> times as much as <b>slow</b>.');
	/* The axis is from 0 to 2% more than the highest bound, 1000; colours are in the order of means. */
	const dot = (x, colour) => `<circle cx="${(100 * x).toFixed(2)}%" cy="12" r="4.5" fill="#${colour}">`;
	has(text, 'rowheader">learner ', dot(500 / 1020, "0072b2"), 'rowheader">slow', dot(250 / 1020, "e69f00"));
	has(text, `<line x1="${(100 * 400 / 1020).toFixed(2)}%" x2="${(100 * 1000 / 1020).toFixed(2)}%" y1="12"`);
	/* From 9 to 110000 is more than a factor of 10: tics at 1, 10, ... 100k. */
	has(text, "<h4>4x4</h4>", ">100k</text>", dot(Math.log(10) / Math.log(121000), "e69f00"), "The axis is logarithmic.");
	check(count(text, "<circle") === 4, "dots: " + count(text, "<circle"));
	/* Labels are text. */
	check(!text.includes("<script") && !text.includes('onload="') && count(text, escaped(EVIL)) >= 3, "a label is markup");
	/* Figures once for each theme; links lead nowhere else. */
	has(text, '<figure id="run-run-figure-tiles">', '<img class="drawing light" width="420" height="200" style="--w:420" alt="What they reach." src="data:image/svg+xml,%3Csvg',
		'<img class="drawing dark"', '<a href="./figures/a%20b/tiles.svg">SVG</a>', '<a href="./x/javascript%3Ay">PDF</a>');
	check(count(text, "<img") === 2, "drawings: " + count(text, "<img"));
	has(text, "A run", "<h2>Figures and tables</h2>", "<li>nxn 1</li>", '<a href="./games.tsv">');
	check(text.includes("1 figure and 4 tables."), "the sentence at the top");
}

/* ---- Equal players, players without a ratio, a ratio that is turned. */
{
	const two = (a, b) => table("summary", SUMMARY, [["2x2", "a", "a", 0, 30, ...a], ["2x2", "b", "b", 0, 30, ...b]]);
	const of = (players, ...row) => page(whole([players, table("ratios", RATIOS, [["a", "b", "2x2", ...row]])])).text;
	has(of(two([20, 10, 30], [20, 10, 30]), 1, 0.9, 1.1, 0, 0, 0, 30), "<b>a</b> and <b>b</b> have the same score in all 30 games.");
	has(of(two([0, 0, 0], [20, 10, 30]), null, null, null, -20, -30, -10, 30), "<b>b</b> scores 20 ", "[10, 30]", " points more than <b>a</b>.");
	has(of(two([10, 5, 15], [20, 10, 30]), 0.5, 0.25, 1.25, -10, -20, 5, 30), "<b>b</b> scores 2.0 ", "[0.8, 4.0]", "the interval includes 1, so it is undecided.");
	check(!of(two([10, 5, 15], [20, 10, 30]), null, null, null, null, null, null, 0).includes("verdict"), "a verdict of nothing");
}

/* ---- The other kinds of runs. */
{
	const gap = table("gap", ["agent", "trained", "games", "exact", "fraction", "fraction_low", "fraction_high"],
		[["weak", 0, 0, 1, 0.25, 0.25, 0.25], ["good", 0, 100, 0, 0.5, 0.4, 0.6]]);
	has(page(whole([gap])).text, ">share of the optimum</th>", ">good</th>", '>50.00% <span class="ci">[40.00, 60.00]</span></td>', ">weak</th>", ">25.00%</td>", ">exact</td>");

	const SWEEP = ["board", "ms", "games", "score", "played", "front", "agent"];
	const sweep = (...rows) => page(whole([table("sweep", SWEEP, rows)])).text;
	const front = sweep(["4x4", 0.5, 20, 500, 0.4, 1, "quick"], ["4x4", 0.6, 20, 400, 0.3, 0, "beaten"], ["4x4", 7.5, 20, 900, 8.5, 1, "thorough"]);
	has(front, "The settings that no other beats", ">thorough</th>", ">quick</th>", 'data-v="0.5">500 us', "</table>", "beaten");
	has(sweep(["4x4", null, 20, 400, null, 0, "worse"], ["4x4", null, 20, 500, null, 0, "better"]), "times were not recorded", ">better</th>", ">worse</th>");
	has(sweep(["4x4", 0.1, 0, null, null, 0, "searched"]), "No setting has played games");

	const tuning = (...rows) => page(whole([table("tuning", ["generation", "held_out", "held_out_low", "held_out_high", "ratio", "ratio_low", "ratio_high"], rows,
		{ notes: ["tuning: w=1~2; candidates 4, held-out games 70, check 0"] })])).text;
	const none = [null, null, null], start = [0, 100, 90, 110, 1, 1, 1];
	has(tuning(start, [1, ...none, ...none], [2, 150, 140, 160, 1.5, 1.3, 1.7]), 'tuned parameters score 1.50 <span class="ci">[1.30, 1.70]</span> times as much as those at the start.',
		">after 2 generations</th>", ">start</th>", 'data-v="70"');
	has(tuning(start, [1, 101, 90, 110, 1.01, 0.9, 1.1]), ": the interval includes 1, so no improvement is shown.");
	has(tuning(start), "No players are compared here");

	const duel = (...row) => page(whole([table("duel", ["games", "a", "b", "ratio", "ratio_low", "ratio_high", "verdict"], [row], { notes: ["block 1: 2x2 x / y z"] })])).text;
	has(duel(50, 10, 20, 0.5, 0.4, 0.6, "B"), "<h4>2x2</h4>", "<b>y z</b> scores 2.00", "[1.67, 2.50]", "times as much as <b>x</b>.");
	has(duel(50, 10, 20, 0.5, 0.2, 1.6, ""), ": the duel ended undecided.");
	has(duel(50, 20, 20, 1, 0.9, 1.1, "equal"), ": they are equal within the bound of the duel.");

	has(page(whole([table("summary", SUMMARY, summary.rows, { notes: ["unfinished: 12 of 300 games"] })])).text, "<b>Unfinished:</b> 12 of 300 games. The same command");
}

/* ---- Tables: one cell for a number and its bounds; what is too large is linked; intervals are told once. */
{
	const note = "95% intervals: <means>";
	const { text } = page(whole([table("t", ["who", "x_y", "x_y_low", "x_y_high", "max_tile"], [["z", 12345.5, 12000, 13000, 4096], ["-", null, null, null, null]],
		{ notes: [note, "units: points"] }), table("u", ["n"], [[70010]], { notes: [note] }),
		table("rows", ["n"], [], { rows: undefined, size: 401, fits: false }), { ...table("bytes", [], []), rows: undefined, size: undefined, bytes: 1408014 }],
		{ figures: [{ ...figure, svg: undefined, bytes: 3e6 }] }));
	has(text, '<th scope="col" data-kind="text">who</th><th scope="col" data-kind="number">x y</th><th scope="col" data-kind="number">max tile</th>',
		'<td class="n" data-v="12345.5">12,346 <span class="ci">[12,000, 13,000]</span></td><td class="n" data-v="4096">4096</td>',
		"<div>-</div></td><td class=\"n\">\u2013</td>", "units: points.", ">70,010</td>", '<span class="size">401 rows</span>', '<a href="./tables/rows.tsv">',
		'<span class="size">1.4 MB</span>', '<section id="intervals">', "95% intervals: &lt;means>.");
	check(count(text, "95% intervals: &lt;means>.") === 1, "intervals are told more than once");
	check(count(text, "Too large to be shown here") === 3, "too large: " + count(text, "Too large to be shown here"));
}

/* ---- Several runs have sections of their own. */
{
	const data = whole([]), run = { ...data.runs[0], figures: [figure], provenance: ["seed: 1"] };
	const { text } = page({ ...data, alone: false, title: "Games of 2048", runs: [{ ...run, name: "a b" }, { ...run, name: "c" }] });
	for (const id of ["run-a-b", "run-c", "run-a-b-figure-tiles", "run-c-figure-tiles"])
		check(count(text, `id="${id}"`) === 1, "id " + id);
	has(text, '<a href="#run-a-b">', "<h2>A run</h2>", "<li>seed: 1</li>", "<h2>A run</h2>");
}

/* ---- Numbers, as analysis/tables/tsv.c writes them. */
{
	const { number, darkDrawing, darkened, luminance } = page(whole([]));
	const cases = [[[1112.352, 1078.063, 1146.64], "1,112 [1,078, 1,147]"], [[1.40768474, 1.406532813, 1.408836667], "1.4077 [1.4065, 1.4088]"],
		[[2.137500341e-08, 1.97436646e-08, 2.314113311e-08], "2.14e\u22128 [1.97e\u22128, 2.31e\u22128]"], [[9.58e-05, 8.91e-05, 1.03e-04], "0.0000958 [0.0000891, 0.0001030]"],
		[[64, null, null], "64"], [[128, 128, 128], "128 [128, 128]"], [[5468.486797, null, null], "5,468"], [[0.3944, null, null], "0.3944"], [[0.00012, null, null], "0.00012"],
		[[999.96, null, null], "1,000"], [[-1234567, null, null], "\u22121,234,567"], [[0, 0, 0.07134759913], "0.000 [0.000, 0.071]"], [[null, null, null], "\u2013"], [[7, null, 9], "7 [\u2013, 9]"]];
	for (const [x, wanted] of cases) {
		const found = number(x).map((each) => each instanceof Element ? each.textContent : each).join("");
		check(found === wanted, JSON.stringify(x) + " is " + found + ", not " + wanted);
	}

	/* On a dark page paper and text change places, labels do not change, and series have a contrast of 3:1. */
	const dark = darkDrawing(figure.svg);
	has(dark, 'rect fill="rgb(28,30,34)"', "<text fill='rgb(233,230,224)'>fill='black'</text>");
	const contrast = (colour) => (luminance(colour) + 0.05) / (luminance([0x1c, 0x1e, 0x22]) + 0.05);
	const colours = ["0072b2", "e69f00", "009e73", "cc79a7", "56b4e9", "d55e00", "f0e442"].map((hex) => hex.match(/../g).map((x) => parseInt(x, 16)));
	for (const colour of [...colours, ...colours.map((each) => each.map((x) => Math.floor(x * 11 / 20)))])
		check(contrast(darkened(colour)) >= 3, "too dark: " + colour);
	check(colours.every((colour) => String(darkened(colour)) === String(colour)), "a colour that can be seen is changed");
}
process.exit(bad);
END_OF_TEST
node "$work/test.js" "${srcdir:-.}"
