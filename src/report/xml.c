/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A small reader of XML; see xml.h. */
#include "src/report/xml.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool span_is(struct span a, const char *text)
{
	return a.length == strlen(text) && memcmp(a.at, text, a.length) == 0;
}

bool span_among(struct span a, const char *const *list)
{
	for (; *list; list++)
		if (span_is(a, *list))
			return true;
	return false;
}

enum status xml_wrong(const struct xml *x, const char *what)
{
	size_t line = 1;
	for (const char *at = x->start; at < x->at && at < x->end; at++)
		line += *at == '\n';
	return why_set(x->why, STATUS_INPUT, "%s:%zu: no figure that a page can show: %s", x->path,
		       line, what);
}

bool xml_begins(const struct xml *x, const char *text)
{
	return (size_t)(x->end - x->at) >= strlen(text) && memcmp(x->at, text, strlen(text)) == 0;
}

enum status xml_pass(struct xml *x, const char *end)
{
	const char *close = memmem(x->at, (size_t)(x->end - x->at), end, strlen(end));
	if (!close)
		return xml_wrong(x, "a comment or declaration that does not end");
	x->at = close + strlen(end);
	return STATUS_OK;
}

void xml_blanks(struct xml *x)
{
	while (x->at < x->end && isspace((unsigned char)*x->at))
		x->at++;
}

struct span xml_name(struct xml *x)
{
	struct span name = {x->at, 0};
	while (x->at < x->end && (isalnum((unsigned char)*x->at) || strchr("-_:.", *x->at)) &&
	       *x->at)
		x->at++;
	name.length = (size_t)(x->at - name.at);
	return name;
}

enum status xml_attribute(struct xml *x, struct span *name, struct span *value)
{
	xml_blanks(x);
	*name = xml_name(x);
	if (name->length == 0)
		return STATUS_OK;
	xml_blanks(x);
	if (x->at >= x->end || *x->at++ != '=')
		return xml_wrong(x, "an attribute without a value");
	xml_blanks(x);
	char quote = x->at < x->end ? *x->at : '\0';
	if (quote != '"' && quote != '\'')
		return xml_wrong(x, "a value without quotes");
	x->at++;
	const char *close = memchr(x->at, quote, (size_t)(x->end - x->at));
	if (!close || memchr(x->at, '<', (size_t)(close - x->at)))
		return xml_wrong(x, "a value that does not end");
	*value = (struct span){x->at, (size_t)(close - x->at)};
	x->at = close + 1;
	return STATUS_OK;
}

unsigned long xml_reference(struct span name)
{
	static const char *const names[] = {"amp", "lt", "gt", "quot", "apos"};
	static const char codes[] = "&<>\"'";
	char digits[9], *end;
	for (size_t i = 0; i < 5; i++)
		if (span_is(name, names[i]))
			return (unsigned long)codes[i];
	if (name.length < 2 || name.length > sizeof digits || name.at[0] != '#')
		return 0;
	memcpy(digits, name.at + 1, name.length - 1);
	digits[name.length - 1] = '\0';
	bool hex = *digits == 'x';
	if (!isxdigit((unsigned char)digits[hex]))
		return 0;
	unsigned long code = strtoul(digits + hex, &end, hex ? 16 : 10);
	return *end ? 0 : code;
}
