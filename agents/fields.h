/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields in the headers of binary files: little-endian numbers, texts padded with NULs. */
#ifndef NXN_FIELDS_H
#define NXN_FIELDS_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static inline void field_put32(unsigned char *bytes, uint32_t x)
{
	x = htole32(x);
	memcpy(bytes, &x, sizeof x);
}

static inline void field_put64(unsigned char *bytes, uint64_t x)
{
	x = htole64(x);
	memcpy(bytes, &x, sizeof x);
}

static inline uint32_t field_get32(const unsigned char *bytes)
{
	uint32_t x;
	memcpy(&x, bytes, sizeof x);
	return le32toh(x);
}

static inline uint64_t field_get64(const unsigned char *bytes)
{
	uint64_t x;
	memcpy(&x, bytes, sizeof x);
	return le64toh(x);
}

static inline void field_put_double(unsigned char *bytes, double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	field_put64(bytes, bits);
}

static inline double field_get_double(const unsigned char *bytes)
{
	const uint64_t bits = field_get64(bytes);
	double x;
	memcpy(&x, &bits, sizeof x);
	return x;
}

/*
 * Whether TEXT is printable ASCII followed by NULs to the end, and so safe to show on a terminal.
 */
static inline bool field_text_valid(const unsigned char *text, size_t size)
{
	size_t i = 0;
	while (i < size && text[i] >= ' ' && text[i] <= '~')
		i++;
	if (i == size)
		return false;
	while (i < size && text[i] == '\0')
		i++;
	return i == size;
}

/* A text in a binary header and in the struct that represents the header. */
struct field_text {
	size_t at, size;     /* in the file */
	size_t room, offset; /* in the struct */
};

static inline void field_texts_put(const struct field_text *f, size_t n, const void *from,
				   unsigned char *bytes)
{
	for (; n > 0; n--, f++) {
		const char *text = (const char *)from + f->offset;
		memcpy(bytes + f->at, text, strnlen(text, f->room - 1));
	}
}

/* Returns false if a text is invalid or too long; TO is then undefined. */
static inline bool field_texts_get(const struct field_text *f, size_t n, const unsigned char *bytes,
				   void *to)
{
	bool sound = true;
	for (; n > 0 && sound; n--, f++) {
		sound = field_text_valid(bytes + f->at, f->size) &&
			strlen((const char *)bytes + f->at) < f->room;
		if (sound)
			memcpy((char *)to + f->offset, bytes + f->at, f->room);
	}
	return sound;
}

#endif
