/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For MemorySanitizer: what libraries without its instrumentation have written counts as
 * initialised. Each function is that of the library, called by its name, and then marks its output;
 * libyaml's calls of the C library are not checked, since its own buffers count as unset. The texts
 * that snprintf() copies are looked at, which MemorySanitizer itself does not do.
 */
#include "tests/fuzz/fuzz.h"

#include <ctype.h>
#include <dlfcn.h>
#include <stdarg.h>
#include <string.h>
#include <yaml.h>
#include <zstd.h>

#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>

/* The library's own function NAME, of the type of FUNCTION. */
#define LIBRARY_OWN(function, name)                                                                \
	do {                                                                                       \
		void *own = dlsym(RTLD_NEXT, name);                                                \
		FUZZ_CHECK(own);                                                                   \
		memcpy(&(function), &own, sizeof own);                                             \
	} while (0)

size_t ZSTD_decompressStream(ZSTD_DCtx *context, ZSTD_outBuffer *out, ZSTD_inBuffer *in)
{
	static size_t (*function)(ZSTD_DCtx *, ZSTD_outBuffer *, ZSTD_inBuffer *);
	if (!function)
		LIBRARY_OWN(function, "ZSTD_decompressStream");
	const size_t before = out->pos;
	const size_t left = function(context, out, in);
	__msan_unpoison(out, sizeof *out);
	__msan_unpoison(in, sizeof *in);
	__msan_unpoison((char *)out->dst + before, out->pos - before);
	return left;
}

size_t ZSTD_compressStream2(ZSTD_CCtx *context, ZSTD_outBuffer *out, ZSTD_inBuffer *in,
			    ZSTD_EndDirective directive)
{
	static size_t (*function)(ZSTD_CCtx *, ZSTD_outBuffer *, ZSTD_inBuffer *,
				  ZSTD_EndDirective);
	if (!function)
		LIBRARY_OWN(function, "ZSTD_compressStream2");
	const size_t before = out->pos;
	const size_t left = function(context, out, in, directive);
	__msan_unpoison(out, sizeof *out);
	__msan_unpoison(in, sizeof *in);
	__msan_unpoison((char *)out->dst + before, out->pos - before);
	return left;
}

size_t ZSTD_compress2(ZSTD_CCtx *context, void *out, size_t room, const void *in, size_t size)
{
	static size_t (*function)(ZSTD_CCtx *, void *, size_t, const void *, size_t);
	if (!function)
		LIBRARY_OWN(function, "ZSTD_compress2");
	const size_t length = function(context, out, room, in, size);
	if (!ZSTD_isError(length))
		__msan_unpoison(out, length);
	return length;
}

static void text_unpoison(const yaml_char_t *text)
{
	if (text)
		__msan_unpoison_string((const char *)text);
}

static void node_unpoison(const yaml_node_t *node)
{
	__msan_unpoison(node, sizeof *node);
	text_unpoison(node->tag);
	if (node->type == YAML_SCALAR_NODE)
		__msan_unpoison(node->data.scalar.value, node->data.scalar.length + 1);
	if (node->type == YAML_SEQUENCE_NODE)
		__msan_unpoison(node->data.sequence.items.start,
				(size_t)((char *)node->data.sequence.items.top -
					 (char *)node->data.sequence.items.start));
	if (node->type == YAML_MAPPING_NODE)
		__msan_unpoison(node->data.mapping.pairs.start,
				(size_t)((char *)node->data.mapping.pairs.top -
					 (char *)node->data.mapping.pairs.start));
}

int yaml_parser_load(yaml_parser_t *parser, yaml_document_t *document)
{
	static int (*function)(yaml_parser_t *, yaml_document_t *);
	if (!function)
		LIBRARY_OWN(function, "yaml_parser_load");
	__msan_scoped_disable_interceptor_checks();
	const int loaded = function(parser, document);
	__msan_scoped_enable_interceptor_checks();
	__msan_unpoison(parser, sizeof *parser);
	__msan_unpoison(document, sizeof *document);
	for (yaml_node_t *node = document->nodes.start; loaded && node < document->nodes.top;
	     node++)
		node_unpoison(node);
	return loaded;
}

/* Of an event only the kind and the anchor are looked at. */
int yaml_parser_parse(yaml_parser_t *parser, yaml_event_t *event)
{
	static int (*function)(yaml_parser_t *, yaml_event_t *);
	if (!function)
		LIBRARY_OWN(function, "yaml_parser_parse");
	__msan_scoped_disable_interceptor_checks();
	const int parsed = function(parser, event);
	__msan_scoped_enable_interceptor_checks();
	__msan_unpoison(parser, sizeof *parser);
	__msan_unpoison(event, sizeof *event);
	return parsed;
}

/* A text of at most MOST bytes, of which each up to its end must have been set. */
static void read_check(const char *text, int most)
{
	for (int i = 0; text && (most < 0 || i < most); i++) {
		__msan_check_mem_is_initialized(text + i, 1);
		if (!text[i])
			break;
	}
}

/* Checks the texts among the arguments of FORMAT. */
static void texts_check(const char *format, va_list arguments)
{
	for (const char *at = format; (at = strchr(at, '%')); at++) {
		int most = -1;
		bool wide = false;
		at += 1 + strspn(at + 1, "-+ #0'");
		for (; isdigit((unsigned char)*at) || *at == '*' || *at == '.'; at++) {
			if (*at == '.')
				most = (int)strtol(at + 1, NULL, 10);
			if (*at == '*' && at[-1] == '.')
				most = va_arg(arguments, int);
			else if (*at == '*')
				(void)va_arg(arguments, int);
		}
		for (; *at && strchr("hlzjt", *at); at++)
			wide |= *at != 'h';
		if (*at == 's')
			read_check(va_arg(arguments, const char *), most);
		else if (*at && strchr("aefgAEFG", *at))
			(void)va_arg(arguments, double);
		else if (wide || *at == 'p')
			(void)va_arg(arguments, long);
		else if (*at && strchr("cdiouxX", *at))
			(void)va_arg(arguments, int);
	}
}

int vsnprintf(char *text, size_t size, const char *format, va_list arguments)
{
	static int (*function)(char *, size_t, const char *, va_list);
	va_list copy;
	if (!function)
		LIBRARY_OWN(function, "vsnprintf");
	va_copy(copy, arguments);
	texts_check(format, copy);
	va_end(copy);
	const int length = function(text, size, format, arguments);
	if (length >= 0 && size > 0)
		__msan_unpoison(text, (size_t)length < size ? (size_t)length + 1 : size);
	return length;
}

int snprintf(char *text, size_t size, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	const int length = vsnprintf(text, size, format, arguments);
	va_end(arguments);
	return length;
}

#endif
#endif
