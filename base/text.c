/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Text in memory, lines for a terminal, suggestions; see text.h.
 *
 * Where fopencookie(3) exists, stream_open() uses it instead of open_memstream(3), which loses text
 * without an error if memory runs out.
 */
#include "base/text.h"

#include "config.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#ifdef HAVE_FOPENCOOKIE
struct stream {
	char **text;
	size_t *length;
	char *data; /* `room` bytes, of which `used` are written, and a NUL after them */
	size_t used, room;
	bool failed;
};

static ssize_t stream_write(void *cookie, const char *data, size_t size)
{
	struct stream *s = cookie;
	if (!s->data || s->room - s->used <= size) {
		const size_t room = 2 * (s->used + size + 64);
		char *grown = s->failed ? NULL : realloc(s->data, room);
		s->failed = !grown;
		if (!grown)
			return 0;
		s->data = grown;
		s->room = room;
	}
	memcpy(s->data + s->used, data, size);
	s->used += size;
	s->data[s->used] = '\0';
	return (ssize_t)size;
}

static int stream_close(void *cookie)
{
	struct stream *s = cookie;
	const bool failed = s->failed || (!s->data && stream_write(s, "", 0) != 0) || !s->data;
	if (failed)
		free(s->data);
	*s->text = failed ? NULL : s->data;
	*s->length = failed ? 0 : s->used;
	free(s);
	errno = failed ? ENOMEM : errno;
	return failed ? EOF : 0;
}

FILE *stream_open(char **text, size_t *length)
{
	static const cookie_io_functions_t functions = {.write = stream_write,
							.close = stream_close};
	struct stream *s = calloc(1, sizeof *s);
	if (!s)
		return NULL;
	s->text = text;
	s->length = length;
	FILE *file = fopencookie(s, "w", functions);
	if (!file)
		free(s);
	return file;
}
#else
FILE *stream_open(char **text, size_t *length)
{
	return open_memstream(text, length);
}
#endif

/* The Levenshtein distance (1966), one row of its matrix at a time; 64 for longer texts. */
static int edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	enum { LONGEST = 64 };
	int row[LONGEST + 1];
	if (a_length > LONGEST || b_length > LONGEST)
		return LONGEST;
	for (size_t j = 0; j <= b_length; j++)
		row[j] = (int)j;
	for (size_t i = 1; i <= a_length; i++) {
		int diagonal = row[0];
		row[0] = (int)i;
		for (size_t j = 1; j <= b_length; j++) {
			int replace = diagonal + (a[i - 1] != b[j - 1]);
			diagonal = row[j];
			int shorter = row[j] < row[j - 1] ? row[j] + 1 : row[j - 1] + 1;
			row[j] = replace < shorter ? replace : shorter;
		}
	}
	return row[b_length];
}

int text_width(void)
{
	enum { UNKNOWN = 80, LEAST = 40, MOST = 10000 };
	const char *columns = getenv("COLUMNS");
	struct winsize window;
	long width = columns ? strtol(columns, NULL, 10) : 0;
	if (width <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0)
		width = window.ws_col;
	if (width <= 0 || width > MOST)
		return UNKNOWN;
	return width < LEAST ? LEAST : (int)width;
}

/*
 * Returns how many bytes of TEXT, up to a blank, fit on a line with ROOM columns left. A longer
 * word is broken after commas.
 */
static int piece_length(const char *text, int room)
{
	const int word = (int)strcspn(text, " ");
	int length = word <= room ? word : room;
	while (length > 0 && length < word && text[length - 1] != ',')
		length--;
	return length > 0 ? length : (int)strcspn(text, " ,") + (text[strcspn(text, " ,")] == ',');
}

void text_fill(FILE *file, int indent, const char *text)
{
	const int width = text_width();
	int at = indent;
	bool begun = false, blank = false;
	while (*text) {
		const int piece = piece_length(text, width - indent);
		if (begun && at + blank + piece > width) {
			fprintf(file, "\n%*s", indent, "");
			at = indent;
		} else if (blank) {
			putc(' ', file);
			at++;
		}
		fwrite(text, 1, (size_t)piece, file);
		begun = true;
		at += piece;
		text += piece;
		blank = *text == ' ';
		text += blank;
	}
	putc('\n', file);
}

void text_printf(FILE *file, const char *format, ...)
{
	char text[4096];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	text_fill(file, 0, text);
}

size_t character_read(const char *text, const char *end, uint32_t *character)
{
	static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
	const unsigned char *at = (const unsigned char *)text;
	size_t length = *at < 0x80 ? 1 : *at < 0xc0 ? 0 : *at < 0xe0 ? 2 : *at < 0xf0 ? 3 : 4;
	uint32_t c = length < 2 ? *at : *at & (0x7fu >> length);
	if (length == 0 || *at >= 0xf8 || (size_t)(end - text) < length)
		return 0;
	for (size_t i = 1; i < length; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (at[i] & 0x3f);
	}
	if (c < least[length] || (c >= 0xd800 && c < 0xe000) || c > 0x10ffff)
		return 0;
	*character = c;
	return length;
}

/* `others`: controls, line separators, changes of direction (Unicode annex 9), noncharacters. */
static bool character_is_plain(uint32_t c)
{
	static const struct {
		uint32_t first, last;
	} others[] = {
	    {0, 0x1f},	      {0x7f, 0x9f},	{0x61c, 0x61c},	  {0x200e, 0x200f},
	    {0x2028, 0x202e}, {0x2066, 0x2069}, {0xfffe, 0xffff},
	};
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (c >= others[i].first && c <= others[i].last)
			return false;
	return true;
}

size_t text_plain(const char *text)
{
	uint32_t c;
	const char *at = text, *end = text + strlen(text);
	for (size_t length; at < end; at += length) {
		length = *at >= ' ' && *at < 0x7f; /* logs are long, and nearly all ASCII */
		if (length)
			continue;
		length = character_read(at, end, &c);
		if (length == 0 || !character_is_plain(c))
			break;
	}
	return (size_t)(at - text);
}

void text_sanitize(char *text, char kept)
{
	uint32_t c;
	const char *end = text + strlen(text);
	while (*(text += text_plain(text))) {
		size_t length = character_read(text, end, &c);
		if (*text == kept)
			text++;
		else
			for (length += length == 0; length > 0; length--)
				*text++ = '?';
	}
}

struct suggestion suggestion_start(const char *word, size_t length)
{
	return (struct suggestion){.word = word, .length = length, .distance = 3};
}

void suggestion_try(struct suggestion *suggestion, const char *name, size_t length)
{
	const size_t used = strlen(suggestion->names);
	snprintf(suggestion->names + used, sizeof suggestion->names - used, "%s%.*s",
		 used ? ", " : "", (int)length, name);
	const int distance = edit_distance(suggestion->word, suggestion->length, name, length);
	if (distance >= suggestion->distance || 2 * (size_t)distance > length)
		return;
	suggestion->distance = distance;
	suggestion->name = name;
	suggestion->name_length = length;
}

const char *suggestion_hint(const struct suggestion *suggestion, char hint[HINT_MAX])
{
	hint[0] = '\0';
	if (suggestion->name)
		snprintf(hint, HINT_MAX, "did you mean %.*s? ", (int)suggestion->name_length,
			 suggestion->name);
	return hint;
}
