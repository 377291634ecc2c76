/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Figures as parts of a page; see page_svg.h.
 *
 * A small reader of XML goes through the file from tag to tag. What it knows is written anew, so that
 * no byte gets through unseen: elements and attributes of a list, texts and values escaped once more;
 * an element that is not on the list is left out with all that is in it. gnuplot names every plot by a <title>,
 * which would show up under the mouse as gnuplot_plot_1: these go too.
 */
#include "src/report/page_svg.h"

#include "base/file.h"
#include "src/report/html.h"
#include "src/report/xml.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 32, NAME_MAX_LENGTH = 32, WIDE = 600 };

static const char *const elements[] = {"g",    "path",	  "rect",     "circle", "ellipse",
				       "line", "polygon", "polyline", "text",	"tspan",
				       "use",  "defs",	  "clipPath", NULL};
/* Those whose values are taken as they are; others are seen to one by one. */
static const char *const attributes[] = {"d",
					 "points",
					 "transform",
					 "x",
					 "y",
					 "x1",
					 "y1",
					 "x2",
					 "y2",
					 "dx",
					 "dy",
					 "cx",
					 "cy",
					 "r",
					 "rx",
					 "ry",
					 "width",
					 "height",
					 "fill-opacity",
					 "fill-rule",
					 "clip-rule",
					 "stroke-width",
					 "stroke-linecap",
					 "stroke-linejoin",
					 "stroke-miterlimit",
					 "stroke-dasharray",
					 "stroke-dashoffset",
					 "stroke-opacity",
					 "opacity",
					 "font-size",
					 "font-weight",
					 "font-style",
					 "text-anchor",
					 "shape-rendering",
					 "dominant-baseline",
					 "baseline-shift",
					 NULL};

struct reader {
	struct xml x;
	FILE *out;
	const struct svg_options *options;
	struct span open[DEPTH_MAX]; /* the elements around, from the outermost */
	size_t depth, hidden; /* so many open; those from this depth on are left out, if not 0 */
	bool done;	      /* the outermost has ended */
};

/* Text or a value, whose references stay and are all known; anything else in it is escaped. */
static enum status text_write(struct reader *r, struct span text)
{
	const char *at = text.at, *end = at + text.length;
	while (at < end) {
		const char *mark = memchr(at, '&', (size_t)(end - at));
		html_text_part(r->out, at, (size_t)((mark ? mark : end) - at));
		if (!mark)
			break;
		const char *close = memchr(mark, ';', (size_t)(end - mark));
		size_t length = close ? (size_t)(close - mark) - 1 : 0;
		unsigned long code = close ? xml_reference((struct span){mark + 1, length}) : 0;
		if (code < 32 || code > 0xd7ff)
			return xml_wrong(&r->x, "a reference to a character that is not known");
		fprintf(r->out, "&#%lu;", code);
		at = close + 1;
	}
	return STATUS_OK;
}

static void id_write(struct reader *r, struct span id)
{
	char word[NAME_MAX_LENGTH * 2];
	snprintf(word, sizeof word, "%.*s", (int)id.length, id.at);
	html_word(r->out, r->options->prefix);
	putc('-', r->out);
	html_word(r->out, word);
}

/* fill, stroke or color: a colour that follows the page, none, or what is around. */
static void paint_write(struct reader *r, struct span name, struct span value)
{
	uint32_t rgb;
	bool known = colour_read(value.at, value.length, &rgb);
	if (!known && !span_is(value, "none") && !span_is(value, "currentColor"))
		return;
	fprintf(r->out, " %.*s=\"", (int)name.length, name.at);
	if (known)
		colour_write(r->out, rgb, r->options->colours);
	else
		fprintf(r->out, "%.*s", (int)value.length, value.at);
	putc('"', r->out);
}

static enum status attribute_write(struct reader *r, struct span name, struct span value)
{
	static const char *const paints[] = {"fill", "stroke", "color", NULL};
	enum status status = STATUS_OK;
	if (span_among(name, paints)) {
		paint_write(r, name, value);
	} else if (span_is(name, "id")) {
		fputs(" id=\"", r->out);
		id_write(r, value);
		putc('"', r->out);
	} else if (span_is(name, "href") || span_is(name, "xlink:href")) {
		if (value.length < 2 || *value.at != '#')
			return STATUS_OK;
		fputs(" href=\"#", r->out);
		id_write(r, (struct span){value.at + 1, value.length - 1});
		putc('"', r->out);
	} else if (span_is(name, "clip-path") && value.length > 6 &&
		   memcmp(value.at, "url(#", 5) == 0 && value.at[value.length - 1] == ')') {
		fputs(" clip-path=\"url(#", r->out);
		id_write(r, (struct span){value.at + 5, value.length - 6});
		fputs(")\"", r->out);
	} else if (span_among(name, attributes)) {
		fprintf(r->out, " %.*s=\"", (int)name.length, name.at);
		status = text_write(r, value);
		putc('"', r->out);
	}
	return status;
}

/* The outermost tag: its own size, at which text is as large as it was meant to be, becomes the most that it takes. */
static void root_write(struct reader *r, struct span box)
{
	double x, y, width, height;
	char text[128] = "";
	snprintf(text, sizeof text, "%.*s", (int)box.length, box.at ? box.at : "");
	if (sscanf(text, "%lf %lf %lf %lf", &x, &y, &width, &height) != 4 || !(width > 0) ||
	    !(height > 0) || width > 1e5 || height > 1e5) {
		x = y = 0;
		width = 840;
		height = 420;
	}
	fprintf(r->out,
		"<svg class=\"drawing\" viewBox=\"%g %g %g %g\" style=\"--w:%g\" role=\"img\" %s",
		x, y, width, height, width, width > WIDE ? "data-wide=\"wide\" " : "");
	html_print(r->out, "aria-label=\"%s\">", r->options->description);
}

/* What is to be done with the attributes of an element that opens. */
static enum status attributes_take(struct reader *r, bool shown, struct span *box)
{
	struct span name, value;
	enum status status;
	while (!(status = xml_attribute(&r->x, &name, &value)) && name.length > 0) {
		if (box && span_is(name, "viewBox"))
			*box = value;
		if (shown)
			status = attribute_write(r, name, value);
		if (status)
			break;
	}
	return status;
}

static enum status element_open(struct reader *r)
{
	r->x.at++;
	struct span name = xml_name(&r->x), box = {NULL, 0};
	bool root = r->depth == 0, shown = !r->hidden && !root && span_among(name, elements);
	if (name.length == 0 || (root && (r->done || !span_is(name, "svg"))))
		return xml_wrong(&r->x, "not one <svg> with all in it");
	if (r->depth == DEPTH_MAX)
		return xml_wrong(&r->x, "too many elements in each other");
	if (shown)
		fprintf(r->out, "<%.*s", (int)name.length, name.at);
	enum status status = attributes_take(r, shown, root ? &box : NULL);
	if (status)
		return status;
	bool alone = r->x.at < r->x.end && *r->x.at == '/';
	r->x.at += alone;
	if (r->x.at >= r->x.end || *r->x.at++ != '>' || (root && alone))
		return xml_wrong(&r->x, "a tag that does not end");
	if (root)
		root_write(r, box);
	else if (shown)
		fputs(alone ? "/>" : ">", r->out);
	if (alone)
		return STATUS_OK;
	r->open[r->depth++] = name;
	if (!shown && !root && !r->hidden)
		r->hidden = r->depth;
	return STATUS_OK;
}

static enum status element_close(struct reader *r)
{
	r->x.at += 2;
	struct span name = xml_name(&r->x);
	xml_blanks(&r->x);
	if (r->x.at >= r->x.end || *r->x.at++ != '>')
		return xml_wrong(&r->x, "a tag that does not end");
	if (r->depth == 0 || name.length != r->open[r->depth - 1].length ||
	    memcmp(name.at, r->open[r->depth - 1].at, name.length) != 0)
		return xml_wrong(&r->x, "an end of another element than the one that is open");
	if (!r->hidden)
		fprintf(r->out, "</%.*s>", (int)name.length, name.at);
	if (r->hidden == r->depth)
		r->hidden = 0;
	r->done = --r->depth == 0;
	return STATUS_OK;
}

static enum status text_take(struct reader *r)
{
	const char *open = memchr(r->x.at, '<', (size_t)(r->x.end - r->x.at));
	struct span text = {r->x.at, (size_t)((open ? open : r->x.end) - r->x.at)};
	enum status status = STATUS_OK;
	if (r->depth > 0 && !r->hidden)
		status = text_write(r, text);
	r->x.at += text.length;
	return status;
}

static enum status piece_take(struct reader *r)
{
	if (*r->x.at != '<')
		return text_take(r);
	if (xml_begins(&r->x, "<!--"))
		return xml_pass(&r->x, "-->");
	if (xml_begins(&r->x, "<![CDATA["))
		return xml_wrong(&r->x, "a CDATA section");
	if (xml_begins(&r->x, "<!"))
		return xml_pass(&r->x, ">");
	if (xml_begins(&r->x, "<?"))
		return xml_pass(&r->x, "?>");
	return xml_begins(&r->x, "</") ? element_close(r) : element_open(r);
}

enum status svg_inline(FILE *out, const char *path, const struct svg_options *options,
		       struct why *why)
{
	char *bytes = NULL;
	size_t size = 0;
	enum status status = file_read(path, SVG_BYTES_MAX, &bytes, &size, why);
	if (status)
		return status;
	struct reader r = {
	    .x = {.path = path, .start = bytes, .at = bytes, .end = bytes + size, .why = why},
	    .out = out,
	    .options = options,
	};
	while (!status && r.x.at < r.x.end)
		status = piece_take(&r);
	if (!status && !r.done)
		status = xml_wrong(&r.x, "it ends too soon");
	free(bytes);
	return status;
}
