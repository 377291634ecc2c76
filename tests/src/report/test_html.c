/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text, figures and colours in pages: what comes in as text stays text, and of a figure nothing gets
 * through but what can be seen.
 */
#include "src/report/html.h"
#include "src/report/page_svg.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What WRITE makes of TEXT; free() it. */
static char *made(void (*write)(FILE *file, const char *text), const char *text)
{
	char *html;
	size_t size;
	FILE *file = open_memstream(&html, &size);
	assert_non_null(file);
	write(file, text);
	assert_int_equal(fclose(file), 0);
	return html;
}

static void assert_made(void (*write)(FILE *file, const char *text), const char *text,
			const char *expected)
{
	char *html = made(write, text);
	assert_string_equal(html, expected);
	free(html);
}

static void text_stays_text(void **state)
{
	(void)state;
	assert_made(html_text, "<script>alert(\"x\" & 'y')</script>",
		    "&lt;script&gt;alert(&quot;x&quot; &amp; &#39;y&#39;)&lt;/script&gt;");
	assert_made(html_text, "&amp; {{title}}", "&amp;amp; {{title}}");
	assert_made(html_breakable, "a:b=1,<c>;", "a:<wbr/>b=1,<wbr/>&lt;c&gt;;");
	assert_made(html_text, "größer, 二零四八, \xf0\x9f\x8e\xb2",
		    "größer, 二零四八, \xf0\x9f\x8e\xb2");
}

#define REPLACED "\xef\xbf\xbd"

static void bytes_that_are_no_text_are_replaced(void **state)
{
	(void)state;
	static const char *const bad[] = {
	    "\x80",
	    "\xff", /* no first bytes */
	    "\x01",
	    "\x7f",	/* controls */
	    "\xc2\x85", /* another */
	    "\xc0\xbc", /* < in two bytes */
	    "\xe0\x80\xbc",
	    "\xf0\x80\x80\xbc", /* in three, in four */
	    "\xed\xa0\x80",	/* half of a surrogate pair */
	    "\xef\xbf\xbe",	/* no character at all */
	    "\xf4\x90\x80\x80", /* behind the last one */
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		char *html = made(html_text, bad[i]), *at = html;
		for (size_t k = 0; k < strlen(bad[i]); k++, at += 3)
			assert_memory_equal(at, REPLACED, 3);
		assert_string_equal(at, "");
		free(html);
	}
	assert_made(html_text, "ok\xe2\x82", "ok" REPLACED REPLACED); /* cut off */
	assert_made(html_text, "\xe2<b>", REPLACED "&lt;b&gt;");
}

static void paths_and_words_name_nothing_else(void **state)
{
	(void)state;
	assert_made(html_path, "figures/a b/tiles.svg", "./figures/a%20b/tiles.svg");
	assert_made(html_path, "javascript:alert(1)", "./javascript%3Aalert%281%29");
	assert_made(html_path, "//example.org/x", "./example.org/x");
	assert_made(html_path, "a\"><b?c#d%2f", "./a%22%3E%3Cb%3Fc%23d%252f");
	assert_made(html_word, "4x4 <\"a\">é", "4x4---a----");
}

static void values_of_a_template_are_not_looked_into(void **state)
{
	(void)state;
	static const struct html_slot slots[] = {{"a", "{{b}}"}, {"b", "2"}, {NULL, NULL}};
	char *html;
	size_t size;
	FILE *file = open_memstream(&html, &size);
	html_fill(file, "{{a}} {{b}}{{b}} {{c}} {{ {{a", slots);
	html_print(file, "|%s 100%% %s", "<", ">");
	assert_int_equal(fclose(file), 0);
	assert_string_equal(html, "{{b}} 22 {{c}} {{ {{a|&lt; 100% &gt;");
	free(html);
}

/* ---- Colours. */

static double linear(unsigned part)
{
	double x = part / 255.;
	return x <= 0.03928 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
}

static double contrast(uint32_t a, uint32_t b)
{
	double x =
	    0.2126 * linear(a >> 16) + 0.7152 * linear(a >> 8 & 255) + 0.0722 * linear(a & 255);
	double y =
	    0.2126 * linear(b >> 16) + 0.7152 * linear(b >> 8 & 255) + 0.0722 * linear(b & 255);
	return x > y ? (x + 0.05) / (y + 0.05) : (y + 0.05) / (x + 0.05);
}

static void contrast_is_that_of_the_guidelines(void **state)
{
	(void)state;
	assert_true(fabs(colour_contrast(0, 0xffffff) - 21) < 1e-9);
	assert_true(fabs(colour_contrast(0x777777, 0xffffff) - 4.48) <
		    0.005); /* a well-known one */
	assert_true(fabs(colour_contrast(0x0072b2, 0x1c1e22) - contrast(0x0072b2, 0x1c1e22)) <
		    1e-9);
}

static void every_series_can_be_seen_on_dark_paper(void **state)
{
	(void)state;
	/* plots/style.gp: the colours of Wong, and the same times 11/20. */
	static const uint32_t series[] = {0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7,
					  0x4d4d4d, 0x56b4e9, 0xd55e00, 0xf0e442};
	for (size_t i = 0; i < 8; i++) {
		uint32_t c = series[i], darker = 0;
		for (int k = 16; k >= 0; k -= 8)
			darker |= (c >> k & 255) * 11 / 20 << k;
		assert_true(contrast(colour_dark(c), COLOUR_DARK_PAPER) >= 3);
		assert_true(contrast(colour_dark(darker), COLOUR_DARK_PAPER) >= 3);
		if (c != 0x4d4d4d && contrast(c, COLOUR_DARK_PAPER) >= 3)
			assert_int_equal(colour_dark(c), c);
	}
	assert_int_equal(colour_dark(0xffffff), COLOUR_DARK_PAPER);
	assert_int_equal(colour_dark(0x000000), COLOUR_DARK_TEXT);
	/* A grid as faint as on white. */
	assert_true(contrast(colour_dark(0xdddddd), COLOUR_DARK_PAPER) < 2);
}

static void colours_are_read_as_gnuplot_writes_them(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint32_t rgb;
	} good[] = {{"rgb(  0, 114, 178)", 0x0072b2},
		    {"rgb(1,2,3)", 0x010203},
		    {"#FFfff0", 0xfffff0},
		    {"black", 0},
		    {"white", 0xffffff}};
	static const char *const bad[] = {"",
					  "#fff",
					  "rgb(256, 0, 0)",
					  "rgb(1, 2)",
					  "url(#a)",
					  "blac",
					  "#12345g",
					  "red;}",
					  "-1",
					  "rgb(1,2,3",
					  "rgb(000000000000000000000000000000001,2,3)"};
	uint32_t rgb;
	for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
		assert_true(colour_read(good[i].text, strlen(good[i].text), &rgb));
		assert_int_equal(rgb, good[i].rgb);
	}
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (colour_read(bad[i], strlen(bad[i]), &rgb))
			fail_msg("\"%s\" is a colour", bad[i]);
}

/* ---- Figures. */

static char *svg_path; /* of a file to write */

static enum status inlined(const char *svg, char **html, struct colours *colours, struct why *why)
{
	FILE *file = fopen(svg_path, "w");
	assert_non_null(file);
	fputs(svg, file);
	assert_int_equal(fclose(file), 0);
	size_t size;
	struct svg_options options = {"f1", "what <it> shows", colours};
	file = open_memstream(html, &size);
	enum status status = svg_inline(file, svg_path, &options, why);
	assert_int_equal(fclose(file), 0);
	return status;
}

#define HEAD                                                                                       \
	"<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<!-- <script> -->\n"                          \
	"<svg width='8' height='9' viewBox='0 0 840 200' xmlns=\"http://www.w3.org/2000/svg\" "    \
	"onload='x()'>"
#define ROOT                                                                                       \
	"<svg class=\"drawing\" viewBox=\"0 0 840 200\" style=\"--w:840\" role=\"img\" "           \
	"data-wide=\"wide\" aria-label=\"what &lt;it&gt; shows\">"

static void a_figure_is_what_can_be_seen_of_it(void **state)
{
	(void)state;
	static const struct {
		const char *svg, *html;
	} cases[] = {
	    {"<title>Gnuplot</title><desc>a<b/>c</desc><g id=\"gnuplot_canvas\"><path d='M0,0 "
	     "L1,1'/></g>",
	     "<g id=\"f1-gnuplot_canvas\"><path d=\"M0,0 L1,1\"/></g>"},
	    {"<text  x = '1' >a &lt; b &#65;&#x42;\xff</text>",
	     "<text x=\"1\">a &#60; b &#65;&#66;" REPLACED "</text>"},
	    {"<text>it's \"<tspan dy='-6px'>x</tspan></text>",
	     "<text>it&#39;s &quot;<tspan dy=\"-6px\">x</tspan></text>"},
	    {"<g color='black' fill='none' stroke='currentColor'/>",
	     "<g color=\"currentColor\" fill=\"none\" stroke=\"currentColor\"/>"},
	    {"<path stroke='rgb(230, 159,   0)' fill=\"#dddddd\"/>",
	     "<path stroke=\"#e69f00\" fill=\"var(--cdddddd,#dddddd)\"/>"},
	    {"<use xlink:href='#gpPt5'/><use href='#a' clip-path=\"url(#c)\"/>",
	     "<use href=\"#f1-gpPt5\"/><use href=\"#f1-a\" clip-path=\"url(#f1-c)\"/>"},
	    /* What a page must not have. */
	    {"<script>alert(1)</script>", ""},
	    {"<style>*{display:none}</style><a href='x'><text>y</text></a><image href='z'/>", ""},
	    {"<foreignObject><svg><script/></svg><g></g></foreignObject><g/>", "<g/>"},
	    {"<g onclick='x()' style='fill:url(http://a)' class='top' fill='url(#a)'/>", "<g/>"},
	    {"<use href='http://a/#b' xlink:href='b.svg#c'/>", "<use/>"},
	    {"<path d='\"/>&lt;&quot;'/>", "<path d=\"&quot;/&gt;&#60;&#34;\"/>"},
	    {"<rect clip-path='url(#a\")'/>", "<rect clip-path=\"url(#f1-a-)\"/>"},
	    {"<SCRIPT/><svg:script/><svg/>", ""},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char svg[1000], expected[1000], *html;
		struct colours colours = {.count = 0};
		struct why why = {""};
		snprintf(svg, sizeof svg, "%s%s</svg>\n", HEAD, cases[i].svg);
		snprintf(expected, sizeof expected, "%s%s</svg>", ROOT, cases[i].html);
		if (inlined(svg, &html, &colours, &why) != STATUS_OK)
			fail_msg("%s", why.text);
		assert_string_equal(html, expected);
		free(html);
		assert_int_equal(colours.count, strstr(cases[i].html, "var(") ? 1 : 0);
	}
}

static void what_is_no_figure_is_refused_with_its_line(void **state)
{
	(void)state;
	static const struct {
		const char *svg, *says;
	} cases[] = {
	    {"", ":1: no figure that a page can show: it ends too soon"},
	    {"plain text", "it ends too soon"},
	    {"<html></html>", "not one <svg>"},
	    {"<svg/>", "a tag that does not end"},
	    {"<svg>\n<g>\n</svg>", ":3: no figure that a page can show: an end of another element"},
	    {"<svg></svg></g>", "an end of another element"},
	    {"<svg></svg><svg></svg>", "not one <svg>"},
	    {"<svg><g a></g></svg>", "an attribute without a value"},
	    {"<svg><g a=b></g></svg>", "a value without quotes"},
	    {"<svg><g a='b></g></svg>", "a value that does not end"},
	    {"<svg><g a='b'", "a tag that does not end"},
	    {"<svg>\n\n<g", ":3: "},
	    {"<svg><!-- ", "a comment or declaration that does not end"},
	    {"<svg><![CDATA[<script>]]></svg>", "a CDATA section"},
	    {"<svg><text>&nbsp;</text></svg>", "a reference to a character that is not known"},
	    {"<svg><text>&#0;</text></svg>", "a reference to a character that is not known"},
	    {"<svg><text>a & b</text></svg>", "a reference to a character that is not known"},
	    {"<svg><script></svg>", "an end of another element"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *html;
		struct colours colours = {.count = 0};
		struct why why = {""};
		assert_int_equal(inlined(cases[i].svg, &html, &colours, &why), STATUS_INPUT);
		if (!strstr(why.text, cases[i].says))
			fail_msg("\"%s\" does not say \"%s\"", why.text, cases[i].says);
		free(html);
	}
}

static void figures_nested_too_deep_or_too_large_are_refused(void **state)
{
	(void)state;
	char *html, *svg = calloc(1, SVG_BYTES_MAX + 2);
	struct colours colours = {.count = 0};
	struct why why = {""};
	assert_non_null(svg);
	strcpy(svg, "<svg>");
	for (int i = 0; i < 100; i++)
		strcat(svg, "<g>");
	assert_int_equal(inlined(svg, &html, &colours, &why), STATUS_INPUT);
	assert_non_null(strstr(why.text, "too many elements in each other"));
	free(html);
	memset(svg, ' ', SVG_BYTES_MAX + 1);
	assert_int_equal(inlined(svg, &html, &colours, &why), STATUS_INPUT);
	assert_non_null(strstr(why.text, "larger than 2097152 bytes"));
	free(html);
	free(svg);
	struct svg_options options = {"f1", "", &colours};
	assert_int_equal(svg_inline(stdout, "/nowhere.svg", &options, &why), STATUS_INPUT);
	assert_string_equal(why.text, "/nowhere.svg: No such file or directory");
}

/* Every beginning of a figure, and the figure with every byte changed, is shown or refused; never more. */
static void a_damaged_figure_brings_nothing_along(void **state)
{
	(void)state;
	static const char whole[] =
	    "<svg viewBox='0 0 9 9'><g id='a' fill='#dddddd'><text>&lt;b</text>"
	    "<use xlink:href='#a'/></g></svg>";
	for (size_t i = 0; i < 2 * sizeof whole - 2; i++) {
		char svg[sizeof whole], *html;
		struct colours colours = {.count = 0};
		memcpy(svg, whole, sizeof whole);
		if (i < sizeof whole - 1)
			svg[i] = '\0';
		else
			svg[i - (sizeof whole - 1)] ^= 0x15;
		if (inlined(svg, &html, &colours, NULL) == STATUS_OK) {
			assert_null(strstr(html, "<b"));
			assert_memory_equal(html, "<svg class=\"drawing\"", 20);
			assert_string_equal(html + strlen(html) - 6, "</svg>");
		}
		free(html);
	}
}

static int file_make(void **state)
{
	(void)state;
	svg_path = strdup("/tmp/nxn-html-XXXXXX");
	int fd = svg_path ? mkstemp(svg_path) : -1;
	return fd < 0 || close(fd);
}

static int file_remove(void **state)
{
	(void)state;
	int failed = unlink(svg_path);
	free(svg_path);
	return failed;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(text_stays_text),
	    cmocka_unit_test(bytes_that_are_no_text_are_replaced),
	    cmocka_unit_test(paths_and_words_name_nothing_else),
	    cmocka_unit_test(values_of_a_template_are_not_looked_into),
	    cmocka_unit_test(contrast_is_that_of_the_guidelines),
	    cmocka_unit_test(every_series_can_be_seen_on_dark_paper),
	    cmocka_unit_test(colours_are_read_as_gnuplot_writes_them),
	    cmocka_unit_test(a_figure_is_what_can_be_seen_of_it),
	    cmocka_unit_test(what_is_no_figure_is_refused_with_its_line),
	    cmocka_unit_test(figures_nested_too_deep_or_too_large_are_refused),
	    cmocka_unit_test(a_damaged_figure_brings_nothing_along),
	};
	return cmocka_run_group_tests(tests, file_make, file_remove);
}
