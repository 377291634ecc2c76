"use strict";
/*
 * Shows the data of the page, which src/report/page.c describes: the comparison of players at a glance, figures, tables,
 * provenance. Tables sort, and a switch chooses light or dark. Labels may hold anything: they become text nodes and
 * attributes, never markup.
 */

/* ---- Light and dark. What differs from the system's choice is remembered, where a browser lets it. */
const system = matchMedia("(prefers-color-scheme: dark)");

function remembered(theme) {
	try {
		if (theme === undefined)
			return localStorage.getItem("nxn-theme");
		if (theme)
			localStorage.setItem("nxn-theme", theme);
		else
			localStorage.removeItem("nxn-theme");
	} catch (error) {
		/* No storage here: the choice lasts as long as the page. */
	}
	return theme;
}

function isDark() {
	const theme = document.documentElement.dataset.theme;
	return theme ? theme === "dark" : system.matches;
}

function themeSet(theme) {
	if (theme === "dark" || theme === "light")
		document.documentElement.dataset.theme = theme;
	else
		delete document.documentElement.dataset.theme;
}

function themeSwitch() {
	const button = document.getElementById("theme");
	const show = () => button.setAttribute("aria-pressed", String(isDark()));
	button.hidden = false;
	button.addEventListener("click", () => {
		const dark = !isDark();
		const theme = dark === system.matches ? null : dark ? "dark" : "light";
		themeSet(theme);
		remembered(theme);
		show();
	});
	system.addEventListener("change", show);
	show();
}

if (remembered())
	themeSet(remembered());

/* ---- Elements. */

/* Children are texts, elements, lists of these, or null. */
function element(name, attributes, ...children) {
	const made = document.createElement(name);
	return filled(made, attributes, children);
}

function drawing(name, attributes, ...children) {
	const made = document.createElementNS("http://www.w3.org/2000/svg", name);
	return filled(made, attributes, children);
}

function filled(made, attributes, children) {
	for (const [key, value] of Object.entries(attributes ?? {}))
		if (value !== null && value !== undefined)
			made.setAttribute(key, String(value));
	made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
	return made;
}

/* Text that may be broken into lines behind commas and colons: for long specifications. */
function breakable(text) {
	const pieces = text.match(/[^,:]*[,:]|[^,:]+$/g) ?? [];
	return pieces.flatMap((piece, i) => i ? [element("wbr"), piece] : [piece]);
}

/* As part of an id: letters, digits, "-", "_" and "."; all else becomes "-". */
const word = (text) => text.replace(/[^A-Za-z0-9\-_.]/g, "-");
const runId = (run) => "run-" + word(run.name);

/* A relative address: never a scheme or a host. */
const address = (path) => "./" + path.replace(/^\/+/, "").split("/").map(encodeURIComponent).join("/");
const link = (path, text) => element("a", { href: address(path) }, text);

/* ---- Numbers. An interval is [value, low, high]; what is not known is null. */

const known = (x) => x !== null && x !== undefined && Number.isFinite(x);
const halfWidth = ([, low, high]) => known(low) && known(high) && high > low ? (high - low) / 2 : 0;
const sizeOf = (x) => Math.max(Math.abs(x[0] ?? 0), halfWidth(x));
const exponent = (x) => Math.floor(Math.log10(x));
/* More zeros than anybody counts. */
const isScientific = (x) => sizeOf(x) > 0 && (sizeOf(x) < 1e-6 || sizeOf(x) >= 1e15);

/* How X is written: two digits of half its interval's width; without one four digits, whole numbers in full. */
function writer(x, scientific) {
	const half = halfWidth(x), size = sizeOf(x);
	if (scientific && size > 0) {
		const digits = half > 0 ? exponent(size) - exponent(half) + 1 : 3;
		return (y) => y.toExponential(Math.min(Math.max(digits, 1), 6));
	}
	if (half > 0)
		return (y) => y.toFixed(Math.min(Math.max(1 - exponent(half), 0), 9));
	if (!(size < 1000) || Number.isInteger(x[0]))
		return (y) => y.toFixed(0);
	return (y) => y.toFixed(Math.min(3 - exponent(size), 9)).replace(/\.?0+$/, "");
}

/* "12,345" with a real minus sign; a dash for what is not known. */
function shown(x, write) {
	if (!known(x))
		return "\u2013";
	return write(x).replace(/^\d+|(?<=^-)\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ",")).replace("-", "\u2212");
}

/* [value, " ", bounds] as children of an element. */
function measure(x, write, unit = "") {
	const value = shown(x[0], write) + (known(x[0]) ? unit : "");
	if (!known(x[1]) && !known(x[2]))
		return [value];
	return [value, " ", element("span", { class: "ci" }, "[" + shown(x[1], write) + ", " + shown(x[2], write) + "]")];
}

const number = (x, scientific) => measure(x, writer(x, scientific || isScientific(x)));
const whole = (x) => x.toFixed(0);
const plain = (x) => [known(x[0]) ? (known(x[1]) ? x[0].toFixed(0) : writer(x, false)(x[0])) : "\u2013",
	...(known(x[1]) && known(x[2]) ? [" ", element("span", { class: "ci" }, "[" + whole(x[1]) + ", " + whole(x[2]) + "]")] : [])];
const percent = (x) => measure(x, (y) => y.toFixed(2), "%");

/* Milliseconds in the unit that suits them, with three digits. */
function time(ms) {
	if (!known(ms[0]))
		return ["\u2013"];
	const units = [["ns", 1e6], ["us", 1e3], ["ms", 1], ["s", 1e-3]];
	const [name, scale] = units.find(([, factor]) => ms[0] * factor < 999.5) ?? units[3];
	const size = Math.max(ms[0] * scale, 1);
	const decimals = Math.max(0, 2 - exponent(size));
	return measure(ms.map((x) => known(x) ? x * scale : null), (y) => y.toFixed(decimals), " " + name);
}

/* ---- Tables: the column called NAME, and of a row its interval, from the columns beside it. */

const columnOf = (table, name) => table.columns.indexOf(name);

/* Whether COLUMN has its bounds behind it: X, X_low, X_high; paired_difference, paired_low, paired_high. */
function hasBounds(table, column) {
	const stem = (table.columns[column] ?? "").replace(/(?<=.)_difference$/, "");
	return table.columns[column + 1] === stem + "_low" && table.columns[column + 2] === stem + "_high";
}

const isBound = (table, column) => hasBounds(table, column - 1) || hasBounds(table, column - 2);
const interval = (table, row, column) =>
	hasBounds(table, column) ? [row[column], row[column + 1], row[column + 2]] : [row[column] ?? null, null, null];
const value = (table, row, name) => columnOf(table, name) < 0 ? [null, null, null] : interval(table, row, columnOf(table, name));
const text = (table, row, name) => String(row[columnOf(table, name)] ?? "");

/* What follows KEY in a note of TABLE, or undefined. */
const note = (table, key) => (table?.notes ?? []).find((line) => line.startsWith(key))?.slice(key.length);

/* ---- Players as dots, in a table. Places are in percent of the cell, so that they fit in any width. */

/* Colours of series, as plots/style.gp counts them, from 0. */
function seriesColour(i) {
	const colours = ["0072b2", "e69f00", "009e73", "cc79a7", "4d4d4d", "56b4e9", "d55e00", "f0e442"];
	const colour = colours[i % 8];
	if (Math.floor(i / 8) % 2 === 0)
		return "#" + colour;
	return "#" + colour.match(/../g).map((x) => Math.floor(parseInt(x, 16) * 11 / 20).toString(16).padStart(2, "0")).join("");
}

/* The axis of ROWS: from 0; logarithmic where values span more than a factor of 10. */
function axisOf(kind, rows) {
	if (kind === "share")
		return { low: 0, high: 100, unit: "%" };
	let least = Infinity, most = 0;
	for (const { value: [x, low, high] } of rows) {
		if (x > 0)
			least = Math.min(least, low > 0 ? low : x);
		most = Math.max(most, x ?? 0, high ?? 0);
	}
	if (most > 0 && most / least > 10)
		return { logarithmic: true, low: 10 ** exponent(least), high: most * 1.1, unit: "" };
	return { low: 0, high: most > 0 ? most * 1.02 : 1, unit: "" };
}

function place(axis, x) {
	const share = axis.logarithmic ? Math.log(Math.max(x, axis.low) / axis.low) / Math.log(axis.high / axis.low) :
		(x - axis.low) / (axis.high - axis.low);
	return 100 * Math.min(Math.max(share, 0), 1);
}

/* The numbers on the axis: powers of ten, or two to four steps of 1, 2 or 5 times a power of ten. */
function tics(axis) {
	const found = [];
	if (axis.logarithmic) {
		for (let x = axis.low; x <= axis.high; x *= 10)
			found.push(x);
		return found;
	}
	const power = 10 ** exponent(axis.high / 5), ratio = axis.high / 5 / power;
	const step = power * (ratio < 1 ? 1 : ratio < 2 ? 2 : ratio < 5 ? 5 : 10);
	for (let i = 0; i * step <= axis.high; i++)
		found.push(i * step);
	return found;
}

const at = (x) => x.toFixed(2) + "%";
const upright = (x, y1, y2, attributes) => drawing("line", { ...attributes, x1: at(x), x2: at(x), y1, y2 });

function ticLabel(axis, x) {
	const [size, letter] = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [0, ""]].find(([least]) => x >= least);
	const left = place(axis, x);
	return drawing("text", { x: at(left), y: 12, "text-anchor": left < 4 ? "start" : left > 94 ? "end" : "middle" },
		String(Number((size ? x / size : x).toPrecision(6))) + letter + axis.unit);
}

function dotCell(axis, row) {
	const picture = drawing("svg", { "aria-hidden": "true", width: "100%", height: 24 },
		tics(axis).map((x) => upright(place(axis, x), 0, "100%", { class: "tic" })));
	const [x, low, high] = row.value;
	if (known(low) && known(high))
		picture.append(drawing("g", { class: "whisker" },
			drawing("line", { x1: at(place(axis, low)), x2: at(place(axis, high)), y1: 12, y2: 12 }),
			upright(place(axis, low), 8, 16), upright(place(axis, high), 8, 16)));
	if (known(x))
		picture.append(drawing("circle", { cx: at(place(axis, x)), cy: 12, r: 4.5, fill: seriesColour(row.series ?? 0) }));
	return element("td", { class: "dot", role: "cell" }, picture);
}

/* Whether LABEL says all that AGENT does, which is canonical: its name and each parameter. */
function labelSays(label, agent) {
	const [name, ...settings] = agent.split(/[:,]/), [own, ...said] = label.split(/[:,]/);
	return name === own && settings.every((setting) => said.includes(setting));
}

function playerCell(row) {
	return element("th", { scope: "row", role: "rowheader" }, breakable(row.label),
		row.trained > 0 ? [" ", element("span", { class: "about" }, "after ", number([row.trained, null, null]), " training games")] : null,
		/* "expectimax" adds nothing to the label "expectimax:depth=2", which is the default. */
		row.agent && !labelSays(row.label, row.agent) ? [" ", element("code", null, breakable(row.agent))] : null);
}

/* A cell that sorts by X. */
const cell = (kind, x, ...children) =>
	element("td", { class: "n " + kind, role: "cell", "data-v": known(x) ? x : null }, children);

function playerRow(axis, kind, row, best) {
	return element("tr", { role: "row", class: best ? "best" : null }, playerCell(row),
		cell("mean", row.value[0], kind === "share" ? percent(row.value) : number(row.value)), dotCell(axis, row),
		kind !== "score" ? null : row.tile === undefined ? cell("more", null, "\u2013") :
			cell("more", row.tile, element("span", { class: "chip" }, String(row.tile)), " ",
				element("span", { class: "ci" }, "in " + whole(row.tileShare * row.games) + " of " + whole(row.games) + " games")),
		axis.timed ? cell("more time", row.time?.[0], time(row.time ?? [null])) : null,
		row.games === null ? element("td", { class: "n exact", role: "cell" }, "exact") :
			cell("games", row.games, number([row.games, null, null])));
}

function headCell(kind, name) {
	return element("th", { scope: "col", role: "columnheader", "data-kind": kind }, name);
}

let dotsExplained = false;

/* ROWS as a table, the best first, which is set off. The numbers are in the table; dots are for the eye alone. */
function dots(title, kind, rows) {
	const axis = axisOf(kind, rows);
	axis.timed = rows.some((row) => row.time?.[0] > 0);
	rows.sort((a, b) => known(a.value[0]) && known(b.value[0]) ? b.value[0] - a.value[0] : known(b.value[0]) - known(a.value[0]));
	const head = element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, headCell("text", "player"),
		headCell("number", kind === "share" ? "share of the optimum" : "mean score"),
		element("th", { scope: "col", role: "columnheader", class: "dot" },
			element("span", { class: "unseen" }, axis.logarithmic ? "on a logarithmic axis" : "dot"),
			drawing("svg", { "aria-hidden": "true", width: "100%", height: 16 }, tics(axis).map((x) => ticLabel(axis, x)))),
		kind === "score" ? headCell("number", "best tile") : null,
		axis.timed ? headCell("number", "time per move") : null, headCell("number", "games")));
	const explains = !dotsExplained && rows.some(({ value: [, low, high] }) => known(low) && known(high));
	dotsExplained ||= explains;
	const words = [explains ? "A dot is the estimate, the line through it the 95% interval." : "",
		axis.logarithmic ? "The axis is logarithmic." : ""].filter((each) => each).join(" ");
	return [element("table", { class: "glance sortable" + (axis.timed ? " timed" : ""), role: "table", "aria-label": title }, head,
		element("tbody", { role: "rowgroup" }, rows.map((row, i) => playerRow(axis, kind, row, i === 0 && rows.length > 1)))),
		words ? element("p", { class: "small" }, words) : null];
}

/* ---- At a glance. */

const verdict = (...children) => element("p", { class: "verdict" }, children);
const bold = (label) => element("b", null, label);
const turned = ([x, low, high]) => [1 / x, 1 / high, 1 / low];

/* How far ahead A is of B, if the table of ratios of BOARD has them, in this order or the other. */
function verdictOf(ratios, board, a, b) {
	const rowOf = (first, second) => ratios?.rows?.find((row) => text(ratios, row, "board") === board &&
		text(ratios, row, "a") === first.label && text(ratios, row, "b") === second.label);
	const straight = rowOf(a, b), found = straight ?? rowOf(b, a);
	if (!found)
		return null;
	const ratio = value(ratios, found, "ratio"), difference = value(ratios, found, "paired_difference");
	const games = value(ratios, found, "paired_games")[0];
	if (games > 1 && games === a.games && games === b.games && difference[0] === 0 && !(difference[1] < 0))
		return verdict(bold(a.label), " and ", bold(b.label), " have the same score in all " + whole(games) + " games.");
	if (!known(ratio[0])) {
		if (!known(difference[0]))
			return null;
		const [x, low, high] = straight ? difference : [-difference[0], -difference[2], -difference[1]];
		return verdict(bold(a.label), " scores ", number([x, low, high]), " points more than ", bold(b.label),
			low > 0 || high < 0 ? "." : ": the interval includes 0, so it is undecided.");
	}
	const x = straight ? ratio : turned(ratio);
	return verdict(bold(a.label), " scores ", number(x), " times as much as ", bold(b.label),
		x[1] > 1 || x[2] < 1 ? "." : ": the interval includes 1, so it is undecided.");
}

/* ROWS board after board, in the order in which these first come. */
function boards(rows, ratios) {
	return [...new Set(rows.map((row) => row.board))].map((board) => {
		const here = rows.filter((row) => row.board === board);
		const table = dots(board, here.some((row) => row.tile !== undefined) ? "score" : "mean", here); /* sorts */
		return [element("h4", null, board), here.length > 1 ? verdictOf(ratios, board, here[0], here[1]) : null, table];
	});
}

/*
 * How the lead of the player that LEADS are over changes with the board, over up to three others in their order, or theirs
 * over it: of the one who scores more on the last board.
 */
function trends(leads) {
	const labels = [...new Set((leads?.rows ?? []).map((row) => text(leads, row, "label")))].slice(0, 3);
	return labels.map((label) => {
		const rows = leads.rows.filter((row) => text(leads, row, "label") === label);
		const slope = value(leads, rows[0], "slope");
		if (!known(slope[1]))
			return null;
		const behind = value(leads, rows[rows.length - 1], "ratio")[0] > 1, sign = behind ? 1 : -1;
		const times = (row) => String(Number((value(leads, row, "ratio")[0] ** sign).toPrecision(3)));
		const on = (row) => [times(row), " times on ", text(leads, row, "board")];
		const ahead = [rows[0], rows[rows.length - 1]].every((row) => value(leads, row, "ratio")[0] ** sign > 1);
		const factor = number([slope[0], ...(behind ? [slope[1], slope[2]] : [slope[2], slope[1]])].map((x) => 2 ** (sign * x)));
		const two = [bold(text(leads, rows[0], "against")), bold(label)];
		const said = [two[behind ? 1 : 0], " scores ", times(rows[0]), " times as much as ", two[behind ? 0 : 1], " on ",
			text(leads, rows[0], "board"), " and ", on(rows[rows.length - 1])];
		return verdict(...said, slope[1] > 0 || slope[2] < 0 ?
			[ahead ? ": its lead " : ": the ratio ", sign * slope[0] > 0 ? "grows" : "shrinks", " with the board, by a factor of ", factor, " when the cells double."] :
			[": whether that changes with the board cannot be told from these games (a factor of ", factor, " when the cells double)."]);
	});
}

/* Players by boards: mean scores, the best of the largest board first. Nothing for a single board. */
function across(means, leads) {
	const cells = (row) => value(means, row, "cells")[0];
	const names = [...new Set([...(means?.rows ?? [])].sort((a, b) => cells(a) - cells(b)).map((row) => text(means, row, "board")))];
	if (names.length < 2)
		return null;
	const rowOf = (label, board) => means.rows.find((row) => text(means, row, "label") === label && text(means, row, "board") === board);
	const meanOf = (label, board) => rowOf(label, board) ? value(means, rowOf(label, board), "mean") : [null, null, null];
	const last = names[names.length - 1];
	const labels = [...new Set(means.rows.map((row) => text(means, row, "label")))]
		.sort((a, b) => (meanOf(b, last)[0] ?? 0) - (meanOf(a, last)[0] ?? 0));
	return [element("h4", null, "Across boards"), trends(leads),
		element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "players by boards" },
			element("table", { class: "sortable across" },
				element("thead", null, element("tr", null, headCell("text", "mean score"), names.map((board) => headCell("number", board)))),
				element("tbody", null, labels.map((label) => element("tr", null, element("th", { scope: "row" }, breakable(label)),
					names.map((board) => element("td", { class: "n", "data-v": meanOf(label, board)[0] }, number(meanOf(label, board))))))))),
	];
}

/* The largest tile that a player reached on a board, and in what share of the games it was the largest. */
function bestTile(tiles, board, label) {
	let best = {};
	for (const row of tiles?.rows ?? [])
		if (text(tiles, row, "board") === board && value(tiles, row, label)[0] > 0)
			best = { tile: row[columnOf(tiles, "tile")], tileShare: value(tiles, row, label)[0] };
	return best;
}

/* The players of a summary, each after its last training. */
function summaryGlance({ summary, tiles, means, ratios, leads }) {
	const series = [...new Set((means?.rows ?? []).map((row) => text(means, row, "label")))];
	const players = new Map();
	for (const row of summary.rows) {
		const board = text(summary, row, "board"), label = text(summary, row, "label");
		const trained = value(summary, row, "trained")[0], key = JSON.stringify([board, label]);
		if (players.has(key) && trained < players.get(key).trained)
			continue;
		players.set(key, { board, label, trained, agent: text(summary, row, "agent"), value: value(summary, row, "mean"),
			games: value(summary, row, "games")[0], time: [value(summary, row, "ms_per_move")[0], null, null],
			series: Math.max(series.indexOf(label), 0), ...bestTile(tiles, board, label) });
	}
	return [across(means, leads), boards([...players.values()], ratios)];
}

function gapGlance({ gap }) {
	return dots("share of the optimum", "share", gap.rows.map((row, i) => {
		const exact = value(gap, row, "exact")[0] === 1;
		const share = value(gap, row, "fraction").map((x) => known(x) ? 100 * x : null);
		return { label: text(gap, row, "agent"), trained: value(gap, row, "trained")[0], series: i,
			value: exact ? [share[0], null, null] : share, games: exact ? null : value(gap, row, "games")[0] };
	}));
}

/* The last look of a duel: both players, their ratio, the decision. */
function duelGlance({ duel }) {
	const [, board, a, b] = /^(\S+) (.*?) \/ (.*)$/.exec(note(duel, "block 1: ") ?? "") ?? [];
	if (board === undefined)
		return null;
	const last = duel.rows.at(-1), decided = text(duel, last, "verdict"), games = value(duel, last, "games")[0];
	const rows = [[a, "a"], [b, "b"]].map(([label, column], i) =>
		({ board, label, games, series: i, value: value(duel, last, column) }));
	const table = dots(board, "mean", rows); /* sorts */
	const ratio = value(duel, last, "ratio"), x = ratio[0] < 1 ? turned(ratio) : ratio;
	return [element("h4", null, board), verdict(bold(rows[0].label), " scores ",
		known(ratio[0]) ? [number(x), " times as much as "] : "more than ", bold(rows[1].label),
		decided === "equal" ? ": they are equal within the bound of the duel." : decided ? "." : ": the duel ended undecided."), table];
}

/* A tuning: start and result on the same held-out games. */
function tuningGlance({ tuning }) {
	const held = tuning.rows.filter((row, i) => i === 0 || known(value(tuning, row, "held_out")[0]));
	if (held.length < 2)
		return null;
	const games = Number(/held-out games (\d+)/.exec(note(tuning, "tuning: ") ?? "")?.[1] ?? NaN);
	const last = held.at(-1), x = value(tuning, last, "ratio");
	const rows = [["start", held[0]], ["after " + whole(value(tuning, last, "generation")[0]) + " generations", last]];
	return [verdict("On held-out games the tuned parameters score ", number(x), " times as much as those at the start",
		x[1] > 1 ? "." : x[2] < 1 ? ": they are worse." : ": the interval includes 1, so no improvement is shown."),
		dots("start and result", "mean", rows.map(([label, row], i) =>
			({ label, games, series: i, value: value(tuning, row, "held_out") })))];
}

/* Settings of a sweep on the front of score against time; all that have scores where times are not known. */
function sweepGlance({ sweep }) {
	const played = sweep.rows.filter((row) => known(value(sweep, row, "score")[0]));
	const front = played.filter((row) => value(sweep, row, "front")[0] === 1);
	const words = front.length ? "The settings that no other beats in both score and time of a move, by the estimates." :
		played.length ? "All settings that played games: times were not recorded, so none is on a front of score against time." :
			"No setting has played games, so there are no scores; the figures and tables below have the searches.";
	return [element("p", { class: "small" }, words), boards((front.length ? front : played).map((row) => ({
		board: text(sweep, row, "board"), label: text(sweep, row, "agent"), value: value(sweep, row, "score"),
		games: value(sweep, row, "games")[0], time: value(sweep, row, "ms") })))];
}

/* What the head of a table says of the whole run: how far one that was stopped came, what a sweep recommends. */
function remarks(tables) {
	const kinds = [["unfinished: ", "Unfinished:", ". The same command does the rest."], ["counted: ", "Counted:", "."],
		["recommended: ", "Recommended:", "."]];
	const first = tables.find((table) => kinds.some(([key]) => note(table, key)));
	return kinds.map(([key, title, end]) => {
		const found = note(first, key);
		return found ? verdict(bold(title), " " + found + end) : null;
	});
}

function glance(run, title) {
	const kinds = { summary: summaryGlance, gap: gapGlance, duel: duelGlance, tuning: tuningGlance, sweep: sweepGlance };
	const tables = Object.fromEntries(run.tables.filter((table) => table.rows?.length).map((table) => [table.name, table]));
	let body = null;
	for (const [name, show] of Object.entries(kinds))
		body ??= tables[name] ? show(tables) : null;
	body ??= element("p", null, "No players are compared here: see ", element("a", { href: "#" + runId(run) }, "its figures"), ".");
	return element("section", { class: "card" }, title === null ? null : element("h3", null, breakable(title)),
		remarks(run.tables), body);
}

/* ---- Figures. */

/*
 * A drawing for a dark page: greys are mirrored between the colour of its panel and that of its text (page.css), and
 * what has less than 3:1 contrast to the panel (WCAG 2.2, 1.4.11) is mixed with white until it has that.
 */
const PANEL = [0x1c, 0x1e, 0x22], INK = [0xe9, 0xe6, 0xe0];
const NAMED = { black: [0, 0, 0], white: [255, 255, 255] };

function luminance(colour) {
	const [r, g, b] = colour.map((x) => x / 255).map((x) => x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
	return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const mixed = (a, b, share) => a.map((x, i) => Math.floor((1 - share) * x + share * b[i] + 0.5));

function darkened(colour) {
	if (Math.max(...colour) - Math.min(...colour) <= 8)
		return mixed(PANEL, INK, 1 - colour[1] / 255);
	let share = 0, lighter = colour;
	while ((luminance(lighter) + 0.05) / (luminance(PANEL) + 0.05) < 3)
		lighter = mixed(colour, [255, 255, 255], share += 1 / 32);
	return lighter;
}

function colourRead(css) {
	const parts = /^rgb\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)$/.exec(css)?.slice(1).map(Number);
	return parts ?? /^#([0-9a-f]{6})$/i.exec(css)?.[1].match(/../g).map((x) => parseInt(x, 16)) ?? NAMED[css];
}

/* Texts hold no "<", so what is between these signs is a tag. */
function darkDrawing(svg) {
	return svg.replace(/<[^>]+>/g, (tag) => tag.replace(/\b(fill|stroke|color)(\s*=\s*)(["'])([^"']*)\3/g, (whole, name, is, quote, css) => {
		const colour = colourRead(css);
		return colour ? name + is + quote + "rgb(" + darkened(colour).join(",") + ")" + quote : whole;
	}));
}

const WIDE = 600; /* such a figure has a row of its own */

function figure(run, item) {
	const caption = element("figcaption", null, element("p", null, bold(item.name), " " + item.caption), files(item));
	let body = element("p", null, "Too large to be shown here: " + (item.bytes / 1e6).toFixed(1) + " MB.");
	if (item.svg) {
		const [, width, height] = /viewBox=["'][\d.\-]+ [\d.\-]+ ([\d.]+) ([\d.]+)/.exec(item.svg);
		const image = (theme, svg) => element("img", { class: "drawing " + theme, width, height, style: "--w:" + width,
			"data-wide": width > WIDE ? "wide" : null, alt: item.caption, src: "data:image/svg+xml," + encodeURIComponent(svg) });
		body = element("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": item.name },
			image("light", item.svg), image("dark", darkDrawing(item.svg)));
	}
	return element("figure", { id: runId(run) + "-figure-" + word(item.name) }, body, caption);
}

const files = (item) => element("p", { class: "links" }, item.files.flatMap(([path, kind]) => [link(path, kind), " "]));

/* ---- Tables. */

/* Tiles and seeds are 2048, not 2,048. */
const isPlain = (name) => name.includes("tile") || name === "goal" || name === "seed";

function grid(table) {
	const columns = table.columns.map((name, i) => ({ name, i })).filter(({ i }) => !isBound(table, i));
	for (const column of columns) {
		column.number = table.rows.every((row) => row[column.i] === null || typeof row[column.i] === "number");
		column.scientific = column.number && table.rows.some((row) => isScientific(interval(table, row, column.i)));
	}
	const show = (row, { name, i, number: is, scientific }) => is ?
		element("td", { class: "n", "data-v": row[i] }, isPlain(name) ? plain(interval(table, row, i)) : number(interval(table, row, i), scientific)) :
		element("td", null, element("div", null, breakable(String(row[i]))));
	return element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": table.name },
		element("table", { class: "sortable" },
			element("thead", null, element("tr", null, columns.map(({ name, number: is }) =>
				element("th", { scope: "col", "data-kind": is ? "number" : "text" }, name.replaceAll("_", " "))))),
			element("tbody", null, table.rows.map((row) => element("tr", null, columns.map((column) => show(row, column)))))));
}

/* The first table of a run is shown open if it is short. */
function fold(run, table, first) {
	const shows = table.fits && table.rows;
	const size = table.size === undefined ? (table.bytes / 1e6).toFixed(1) + " MB" : table.size + (table.size === 1 ? " row" : " rows");
	const units = note(table, "units: ");
	return element("details", { class: "fold", id: runId(run) + "-table-" + word(table.name),
		open: first && shows && table.size <= 24 ? "open" : null },
		element("summary", null, element("span", { class: "name" }, table.name), " ",
			element("span", { class: "about" }, table.caption), " ", element("span", { class: "size" }, size)),
		files(table),
		shows ? grid(table) : element("p", null, "Too large to be shown here; the file has all of it."),
		shows && units ? element("p", { class: "small" }, "units: " + units + ".") : null);
}

/* ---- The page. */

const provenance = (lines) => lines.length ? element("ul", { class: "provenance" }, lines.map((line) => element("li", null, line))) : null;
const fileLinks = (paths) => paths.length ?
	element("p", { class: "links" }, element("span", null, "Files:"), " ", paths.flatMap((path) => [link(path, path), " "])) : null;

function section(data, run) {
	const origin = [element("h3", null, "Where it comes from"),
		run.provenance.length ? element("details", { class: "fold" }, element("summary", null,
			element("span", { class: "name" }, "provenance"), " ",
			element("span", { class: "about" }, "version, command, seed, machine")), provenance(run.provenance)) : null,
		fileLinks(run.files)];
	return element("section", { class: "run", id: runId(run) },
		element("h2", null, breakable(data.alone ? "Figures and tables" : run.title)),
		!data.alone && run.title !== run.name ? element("p", { class: "small" }, "run ", element("code", null, run.name)) : null,
		run.figures.length ? [element("h3", null, "Figures"),
			element("div", { class: "figures" }, run.figures.map((item) => figure(run, item)))] : null,
		run.tables.length ? [element("h3", null, "Tables"), run.tables.map((table, i) => fold(run, table, i === 0))] : null,
		data.alone ? null : origin);
}

/* How intervals were made, behind all tables, once. */
function intervals(data) {
	const notes = data.runs.flatMap((run) => run.tables.flatMap((table) => table.notes ?? []))
		.filter((line) => line.startsWith("95% intervals:"));
	return notes.length ? element("section", { id: "intervals" }, element("h2", null, "How intervals were made"),
		[...new Set(notes)].map((line) => element("p", { class: "small" }, line + "."))) : null;
}

const several = (count, what) => count + " " + what + (count === 1 ? "" : "s");

function show(data) {
	const figures = data.runs.reduce((sum, run) => sum + run.figures.length, 0);
	const tables = data.runs.reduce((sum, run) => sum + run.tables.length, 0);
	const place = (id) => document.getElementById(id);
	document.title = data.title;
	place("title").replaceChildren(...breakable(data.title));
	place("maker").textContent = data.generator;
	place("head").textContent = "Results of games of 2048: " + several(figures, "figure") + " and " + several(tables, "table") +
		(data.alone ? "." : " from " + several(data.runs.length, "run") + ", with the logs of the games.");
	place("contents").append(...[["glance", "At a glance"],
		...data.runs.map((run) => [runId(run), data.alone ? "Figures and tables" : run.name]), ["origin", "Provenance"]]
		.map(([id, name]) => element("li", null, element("a", { href: "#" + id }, name))));
	place("main").append(element("section", { id: "glance", "aria-labelledby": "glance-title" },
		element("h2", { id: "glance-title" }, "At a glance"),
		element("div", { class: "cards" }, data.runs.map((run) => glance(run, data.alone ? null : run.title)))),
		...data.runs.map((run) => section(data, run)), intervals(data) ?? "");
	place("origin").append(provenance(data.provenance) ?? "", fileLinks(data.files) ?? "");
}

/* ---- Sorting. A column of numbers sorts by data-v, the largest first; cells without it come last. */
function sortKey(row, column, numeric) {
	const cell = row.cells[column];
	return numeric ? Number(cell.dataset.v ?? NaN) : cell.textContent.trim();
}

function sortCompare(a, b, numeric, sign) {
	if (!numeric)
		return sign * a.localeCompare(b, "en", { numeric: true });
	if (Number.isNaN(a) || Number.isNaN(b))
		return Number.isNaN(a) - Number.isNaN(b);
	return sign * (a - b);
}

function sortBy(head) {
	const table = head.closest("table");
	const numeric = head.dataset.kind === "number";
	const before = head.getAttribute("aria-sort");
	const order = before === "descending" ? "ascending" : before === "ascending" ? "descending" :
		numeric ? "descending" : "ascending";
	const keyed = Array.from(table.tBodies[0].rows,
		(row) => ({ row, key: sortKey(row, head.cellIndex, numeric) }));
	keyed.sort((a, b) => sortCompare(a.key, b.key, numeric, order === "ascending" ? 1 : -1));
	table.tBodies[0].append(...keyed.map((each) => each.row));
	for (const other of head.parentNode.cells)
		other.removeAttribute("aria-sort");
	head.setAttribute("aria-sort", order);
}

function tableSortable(table) {
	for (const head of table.querySelectorAll("th[data-kind]")) {
		const button = document.createElement("button");
		button.type = "button";
		button.className = "sort";
		button.append(...head.childNodes);
		button.addEventListener("click", () => sortBy(head));
		head.append(button);
	}
}

/* What can be scrolled to the right fades there; see .cut in page.css. */
function scrollHint(element) {
	const show = () => element.classList.toggle("cut",
		element.scrollLeft + element.clientWidth < element.scrollWidth - 2);
	element.addEventListener("scroll", show, { passive: true });
	new ResizeObserver(show).observe(element);
}

/* A link to a folded table unfolds it. */
function targetOpen() {
	const target = location.hash ? document.getElementById(location.hash.slice(1)) : null;
	if (target instanceof HTMLDetailsElement)
		target.open = true;
}

document.addEventListener("DOMContentLoaded", () => {
	show(JSON.parse(document.getElementById("data").textContent));
	themeSwitch();
	document.querySelectorAll("table.sortable").forEach(tableSortable);
	document.querySelectorAll(".scroll, nav ul").forEach(scrollHint);
	targetOpen();
	addEventListener("hashchange", targetOpen);
});
