/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SHA-256, for files of checksums that sha256sum -c reads.
 *
 * FIPS 180-4, sections 4.1.2, 4.2.2, 5 and 6.2. None of the libraries that nxn needs anyway has it, and what
 * every reader has to check files with is sha256sum, not xxhsum. It guards against accidents
 * and shows that files are those that were made; nothing secret is hashed.
 */
#ifndef NXN_SHA256_H
#define NXN_SHA256_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { SHA256_TEXT = 65 };

struct sha256 {
	uint32_t state[8];
	uint64_t bytes;
	unsigned char block[64]; /* the first bytes % 64 of it wait */
};

void sha256_init(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *data, size_t size);

/* Ends it: the sum in 64 hexadecimal digits. */
void sha256_end(struct sha256 *hash, char text[SHA256_TEXT]);

/* The sum of the file PATH. STATUS_SYSTEM if it cannot be read. */
MUST_USE enum status sha256_file(const char *path, char text[SHA256_TEXT], struct why *why);

#endif
