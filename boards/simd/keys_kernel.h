/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Work on many keys, compiled for each instruction set; keys_init() picks one. See keys.h. */
#ifndef NXN_KEYS_KERNEL_H
#define NXN_KEYS_KERNEL_H

#include "boards/simd/keys.h"

struct keys_kernel {
	void (*pack)(const struct keys *keys, const struct board *boards, size_t n, uint64_t *key);
	void (*unpack)(const struct keys *keys, uint64_t key, struct board *board);
	void (*fold)(const struct keys *keys, uint64_t *key, size_t n);
	uint64_t (*raw)(const struct keys *keys, const uint64_t *key, size_t n);
	void (*mix)(const struct keys *keys, uint64_t *key, size_t n);
	void (*unmix)(const struct keys *keys, uint64_t *code, size_t n);
};

extern const struct keys_kernel keys_portable, keys_avx2, keys_avx512;

#endif
