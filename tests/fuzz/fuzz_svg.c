/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures that become part of a page: what comes out is well-formed and can do nothing there, whatever went
 * in. It is read by a reader of its own, as a browser would, not by that of the page.
 */
#include "src/report/page_svg.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

/* Whether NAME of LENGTH bytes is an element that a page may have. */
static bool is_shape(const char *name, size_t length)
{
	static const char *const shapes[] = {"svg",   "g",	 "path",    "rect",	"circle",
					     "line",  "ellipse", "polygon", "polyline", "text",
					     "tspan", "use",	 "defs",    "clipPath"};
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		if (strlen(shapes[i]) == length && memcmp(shapes[i], name, length) == 0)
			return true;
	return false;
}

/* Checks the inside of a tag, from behind its name to its end, and returns that. */
static const char *attributes_check(const char *at)
{
	while (*at && *at != '>') {
		const char *quote = at + strcspn(at, "\">");
		if (*quote != '"')
			return quote;
		const char *word = at + strspn(at, " /");
		FUZZ_CHECK(strncmp(word, "on", 2) != 0);
		FUZZ_CHECK(strncmp(word, "href=", 5) != 0 || quote[1] == '#');
		FUZZ_CHECK(strncmp(word, "xlink", 5) != 0);
		const char *end = strchr(quote + 1, '"');
		FUZZ_CHECK(end);
		FUZZ_CHECK(!memchr(quote + 1, '<', (size_t)(end - quote - 1)));
		at = end + 1;
	}
	return at;
}

/* Every tag is one of shapes, closed in its order; returns how many stay open. */
static int tags_check(const char *html)
{
	int open = 0;
	for (const char *at = strchr(html, '<'); at; at = strchr(at, '<')) {
		const bool closing = *++at == '/';
		at += closing;
		const size_t length = strcspn(at, " />");
		FUZZ_CHECK(is_shape(at, length));
		at = attributes_check(at + length);
		FUZZ_CHECK(*at == '>');
		open += closing ? -1 : at[-1] == '/' ? 0 : 1;
		FUZZ_CHECK(open >= 0);
	}
	return open;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct why why = {""};
	static struct colours colours;
	const struct svg_options options = {
	    .prefix = "f1", .description = "a <figure>", .colours = &colours};
	char *html = NULL;
	size_t length;
	colours.count = 0;
	FILE *out = open_memstream(&html, &length);
	FUZZ_CHECK(out);
	enum status status = svg_inline(out, fuzz_file(data, size), &options, &why);
	FUZZ_CHECK(fclose(out) == 0);
	if (status)
		fuzz_refused(status, &why);
	else
		FUZZ_CHECK(tags_check(html) == 0);
	free(html);
	return 0;
}
