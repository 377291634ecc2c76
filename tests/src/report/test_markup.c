/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text in pages: what comes in as text stays text. */
#include "src/report/markup.c"
#include "src/report/page.c"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void a_format_takes_texts_and_percents(void **state)
{
	(void)state;
	char *html;
	size_t size;
	FILE *file = open_memstream(&html, &size);
	html_print(file, "|%s 100%% %s", "<", ">");
	assert_int_equal(fclose(file), 0);
	assert_string_equal(html, "|&lt; 100% &gt;");
	free(html);
}

static void a_data_address_has_no_markup(void **state)
{
	(void)state;
	static const char bytes[] = "<svg a='1' b=\"#&amp;\">100%</svg>\n\xc3\xa9";
	char *html;
	size_t size;
	FILE *file = open_memstream(&html, &size);
	html_data(file, "image/svg+xml", bytes, sizeof bytes - 1);
	assert_int_equal(fclose(file), 0);
	assert_string_equal(
	    html, "data:image/svg+xml,%3Csvg a=%271%27 b=%22%23%26amp;%22%3E100%25%3C/svg%3E"
		  "%0A%C3%A9");
	free(html);
}

static void scores_write(FILE *file, const char *text)
{
	struct interval x;
	assert_int_equal(sscanf(text, "%lf %lf %lf", &x.value, &x.low, &x.high), 3);
	html_number(file, x, false);
}

static void digits_are_grouped_alike_in_a_cell(void **state)
{
	(void)state;
	assert_made(scores_write, "9678 8448 11130",
		    "9,678 <span class=\"ci\">[8,448, 11,130]</span>");
	assert_made(scores_write, "1024 512 2048", "1,024 <span class=\"ci\">[512, 2,048]</span>");
	assert_made(html_measure, "88.92% [88.43, 89.40]",
		    "88.92% <span class=\"ci\">[88.43, 89.40]</span>");
	assert_made(html_measure, "494 us", "494 us");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(text_stays_text),
	    cmocka_unit_test(bytes_that_are_no_text_are_replaced),
	    cmocka_unit_test(paths_and_words_name_nothing_else),
	    cmocka_unit_test(a_format_takes_texts_and_percents),
	    cmocka_unit_test(a_data_address_has_no_markup),
	    cmocka_unit_test(digits_are_grouped_alike_in_a_cell),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
