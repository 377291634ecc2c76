/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-256; see sha256.h. Check value: "abc" gives ba7816bf...15ad (FIPS 180-4 examples). */
#include "base/sha256.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* First 32 bits of the fractional parts of the cube roots of the first 64 primes (4.2.2). */
static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t x, int n)
{
	return x >> n | x << (32 - n);
}

/* The message schedule of BLOCK (6.2.2, step 1). */
static void schedule_make(const unsigned char block[64], uint32_t w[64])
{
	for (int t = 0; t < 16; t++)
		w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
		       (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
	for (int t = 16; t < 64; t++) {
		uint32_t x = w[t - 15], y = w[t - 2];
		w[t] = (rotate(y, 17) ^ rotate(y, 19) ^ y >> 10) + w[t - 7] +
		       (rotate(x, 7) ^ rotate(x, 18) ^ x >> 3) + w[t - 16];
	}
}

/* Steps 2 to 4 of 6.2.2; s[0..7] are a..h. */
static void block_add(uint32_t state[8], const unsigned char block[64])
{
	uint32_t w[64], s[8];
	schedule_make(block, w);
	memcpy(s, state, sizeof s);
	for (int t = 0; t < 64; t++) {
		uint32_t choose = (s[4] & s[5]) ^ (~s[4] & s[6]);
		uint32_t major = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]);
		uint32_t one = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) +
			       choose + constants[t] + w[t];
		uint32_t two = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) + major;
		memmove(s + 1, s, 7 * sizeof *s);
		s[4] += one;
		s[0] = one + two;
	}
	for (int i = 0; i < 8; i++)
		state[i] += s[i];
}

void sha256_init(struct sha256 *hash)
{
	/* Likewise of the square roots of the first 8 primes (5.3.3). */
	*hash = (struct sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
					  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void sha256_add(struct sha256 *hash, const void *data, size_t size)
{
	const unsigned char *from = data;
	while (size > 0) {
		size_t used = hash->bytes % 64, n = size < 64 - used ? size : 64 - used;
		memcpy(hash->block + used, from, n);
		hash->bytes += n;
		from += n;
		size -= n;
		if (hash->bytes % 64 == 0)
			block_add(hash->state, hash->block);
	}
}

void sha256_end(struct sha256 *hash, char text[SHA256_TEXT])
{
	static const unsigned char padding[64] = {0x80};
	const uint64_t bits = hash->bytes * 8;
	unsigned char length[8];
	for (int i = 0; i < 8; i++)
		length[i] = (unsigned char)(bits >> (56 - 8 * i));
	sha256_add(hash, padding, 1 + (119 - hash->bytes % 64) % 64);
	sha256_add(hash, length, sizeof length);
	for (int i = 0; i < 8; i++)
		snprintf(text + 8 * i, 9, "%08x", (unsigned)hash->state[i]);
}

enum status sha256_file(const char *path, char text[SHA256_TEXT], struct why *why)
{
	struct sha256 hash;
	char bytes[1 << 14];
	FILE *file = fopen(path, "re");
	if (!file)
		return why_errno(why, "%s: cannot be read", path);
	sha256_init(&hash);
	for (size_t n; (n = fread(bytes, 1, sizeof bytes, file)) > 0;)
		sha256_add(&hash, bytes, n);
	bool failed = ferror(file);
	fclose(file);
	if (failed)
		return why_errno(why, "%s: cannot be read", path);
	sha256_end(&hash, text);
	return STATUS_OK;
}
