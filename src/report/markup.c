/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text in the markup of documents, so that it stays text: what any label, path or file brings along
 * can neither break a document nor put anything into it. What is made for HTML is XML as well.
 */
#include "src/report/markup.h"

#include "base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

/* ---- Markdown and LaTeX. */

static void markdown_text(FILE *file, const char *text)
{
	for (; *text; text++) {
		if (*text == '<')
			fputs("&lt;", file);
		else if (*text == '&')
			fputs("&amp;", file);
		else if (strchr("\\`*_[]|~#$", *text))
			fprintf(file, "\\%c", *text);
		else
			putc(*text, file);
	}
}

static void latex_text(FILE *file, const char *text)
{
	static const struct {
		char from;
		const char *to;
	} marks[] = {
	    {'\\', "\\textbackslash{}"},
	    {'~', "\\textasciitilde{}"},
	    {'^', "\\textasciicircum{}"},
	    {'<', "$<$"},
	    {'>', "$>$"},
	    {'|', "$|$"},
	    {'"', "''"},
	    {'`', "\\textasciigrave{}"},
	};
	if (*text == '[' || *text == '*') /* behind the end of a row these would be part of that */
		fputs("{}", file);
	for (; *text; text++) {
		const char *to = NULL;
		for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
			if (*text == marks[i].from)
				to = marks[i].to;
		if (to)
			fputs(to, file);
		else if (strchr("{}$&#_%", *text))
			fprintf(file, "\\%c", *text);
		else if (text[0] == '-' && text[1] == '-')
			fputs("-{}", file); /* two would become one dash */
		else
			putc(*text, file);
	}
}

void text_print(FILE *file, const char *text, bool latex)
{
	if (latex)
		latex_text(file, text);
	else
		markdown_text(file, text);
}

/* ---- HTML. */

/*
 * Whether XML 1.0 (section 2.2) has the character; controls that it has and nobody sees are left
 * out.
 */
static bool is_character(uint32_t c)
{
	if (c < 0x20)
		return c == '\t' || c == '\n';
	return !(c >= 0x7f && c < 0xa0) && c != 0xfffe && c != 0xffff;
}

static const char *entity_of(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

/*
 * TEXT, fit for an element and for an attribute between quotes: markup escaped, bytes that are no
 * UTF-8 and characters that XML does not have replaced by U+FFFD.
 */
static void html_text_part(FILE *file, const char *text, size_t length)
{
	for (const char *end = text + length; text < end;) {
		uint32_t c;
		size_t bytes = character_read(text, end, &c);
		const char *entity = entity_of(*text);
		bytes = bytes && is_character(c) ? bytes : 0;
		if (bytes == 0)
			fputs("\xef\xbf\xbd", file);
		else if (entity)
			fputs(entity, file);
		else
			fwrite(text, 1, bytes, file);
		text += bytes ? bytes : 1;
	}
}

static void html_text(FILE *file, const char *text)
{
	html_text_part(file, text, strlen(text));
}

void html_breakable(FILE *file, const char *text)
{
	while (*text) {
		size_t length = strcspn(text, ",:");
		length += text[length] != '\0';
		html_text_part(file, text, length);
		text += length;
		if (*text)
			fputs("<wbr/>", file);
	}
}

static bool is_plain(char c)
{
	return isalnum((unsigned char)c) || (c && strchr("-_.", c));
}

void html_word(FILE *file, const char *text)
{
	for (; *text; text++)
		putc(is_plain(*text) ? *text : '-', file);
}

void html_percent(FILE *file, const char *bytes, size_t size, const char *also)
{
	for (const char *end = bytes + size; bytes < end; bytes++) {
		if (is_plain(*bytes) || (*bytes && strchr(also, *bytes)))
			putc(*bytes, file);
		else
			fprintf(file, "%%%02X", (unsigned)(unsigned char)*bytes);
	}
}

void html_print(FILE *file, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	while (*format) {
		size_t plain = strcspn(format, "%");
		fwrite(format, 1, plain, file);
		format += plain;
		if (format[0] == '%' && format[1] == 's') {
			html_text(file, va_arg(args, const char *));
			format += 2;
		} else if (format[0] == '%') {
			putc('%', file);
			format += 1 + (format[1] == '%');
		}
	}
	va_end(args);
}

bool column_is_plain(const char *name)
{
	return strstr(name, "tile") || !strcmp(name, "goal") || !strcmp(name, "seed");
}

void digits_group(const char *numbers, char text[GROUPED_TEXT_MAX])
{
	size_t used = 0;
	while (*numbers && used < GROUPED_TEXT_MAX - 2 * TSV_TEXT_MAX) {
		const size_t whole = strspn(numbers, "0123456789");
		for (size_t i = 0; i < whole; i++) {
			if (i > 0 && (whole - i) % 3 == 0)
				text[used++] = ',';
			text[used++] = *numbers++;
		}
		/* Behind a point there are no groups. */
		size_t rest =
		    *numbers == '.' ? 1 + strspn(numbers + 1, "0123456789") : *numbers != '\0';
		memcpy(text + used, numbers, rest);
		used += rest;
		numbers += rest;
	}
	text[used] = '\0';
}

/* TEXT with real signs for minus and ranges. */
static void digits_write(FILE *file, const char *text)
{
	for (; *text; text++)
		if (*text == '-')
			fputs(isdigit((unsigned char)text[1]) ? "&#8722;" : "&#8211;", file);
		else
			putc(*text, file);
}

/* Cuts TEXT into its value and its interval, and writes them. */
static void measure_write(FILE *file, char *text)
{
	char *bounds = strstr(text, " [");
	if (bounds)
		*bounds++ = '\0';
	digits_write(file, text);
	if (bounds) {
		fputs(" <span class=\"ci\">", file);
		digits_write(file, bounds);
		fputs("</span>", file);
	}
}

void html_measure(FILE *file, const char *measure)
{
	char text[GROUPED_TEXT_MAX];
	digits_group(measure, text);
	measure_write(file, text);
}

void plain_format(struct interval x, char text[TSV_TEXT_MAX])
{
	if (isfinite(x.low))
		snprintf(text, TSV_TEXT_MAX, "%.0f [%.0f, %.0f]", x.value, x.low, x.high);
	else
		interval_format(x, false, text);
}

void html_tile(FILE *file, struct interval x)
{
	char text[TSV_TEXT_MAX];
	plain_format(x, text);
	measure_write(file, text);
}

void html_number(FILE *file, struct interval x, bool scientific)
{
	char text[TSV_TEXT_MAX];
	interval_format(x, scientific, text);
	html_measure(file, text);
}
