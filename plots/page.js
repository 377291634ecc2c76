"use strict";
/* The switch between light and dark, tables that sort, hints at what is cut. The page does without them. */

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

/* ---- Tables. A column of numbers sorts by data-v, the largest first; cells without it come last. */
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
	themeSwitch();
	document.querySelectorAll("table.sortable").forEach(tableSortable);
	document.querySelectorAll(".scroll, nav ul").forEach(scrollHint);
	targetOpen();
	addEventListener("hashchange", targetOpen);
});
