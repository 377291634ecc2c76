/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Folding and mixing of keys in vectors of 64-bit words.
 *
 * Mirrors exchange cells with delta swaps (Warren, Hacker's Delight, section 7-1). All images of a
 * rectangle are reached by mirroring left to right and top to bottom alternately; those of a square
 * by mirroring left to right and along the diagonal alternately, whose product is a quarter turn.
 *
 * Mixing is a multiplication, a shifted exclusive or, and another multiplication, all modulo
 * 2^width. Each step is invertible: factors are odd, and the shift is at least half of the width.
 *
 * Packing handles a row at a time. Where the processor cannot gather bits, bytes are joined to
 * pairs, pairs to fours, fours to a row.
 *
 * A file that includes this one, after boards/simd/playout_template.h, defines KERNELS, the name of
 * the table of all kernels.
 *
 * Invariant: unmixing a mixed key restores it; all images of a position fold to one key.
 */
enum { KEY_LANES = WIDE / 8 };
typedef uint64_t key_lanes __attribute__((vector_size(WIDE)));

ALWAYS_INLINE key_lanes lanes_least(key_lanes a, key_lanes b)
{
	key_lanes less = (key_lanes)(b < a);
	return (a & ~less) | (b & less);
}

ALWAYS_INLINE key_lanes lanes_mirror(const struct key_mirror *mirror, key_lanes x)
{
	for (int i = 0; i < mirror->swaps; i++) {
		const struct key_swap *swap = &mirror->swap[i];
		key_lanes difference = ((x >> swap->shift) ^ x) & swap->mask;
		x ^= difference ^ (difference << swap->shift);
	}
	return x;
}

ALWAYS_INLINE key_lanes lanes_fold(const struct keys *keys, key_lanes x)
{
	key_lanes least = x;
	for (int i = 1; i < keys->images; i++) {
		x = lanes_mirror(&keys->mirror[(i - 1) & 1], x);
		least = lanes_least(least, x);
	}
	return least;
}

ALWAYS_INLINE key_lanes lanes_mix(const struct keys *keys, key_lanes x)
{
	x = (x * keys->factor[0]) & keys->mask;
	x ^= x >> ((keys->width + 1) / 2);
	return (x * keys->factor[1]) & keys->mask;
}

ALWAYS_INLINE key_lanes lanes_unmix(const struct keys *keys, key_lanes x)
{
	x = (x * keys->back[1]) & keys->mask;
	x ^= x >> ((keys->width + 1) / 2);
	return (x * keys->back[0]) & keys->mask;
}

/* KEY[i] = STEP(KEY[i]), i < n. */
ALWAYS_INLINE void lanes_each(const struct keys *keys, uint64_t *key, size_t n,
			      key_lanes (*step)(const struct keys *, key_lanes))
{
	key_lanes x = {0};
	for (; n >= KEY_LANES; n -= KEY_LANES, key += KEY_LANES) {
		memcpy(&x, key, sizeof x);
		x = step(keys, x);
		memcpy(key, &x, sizeof x);
	}
	memcpy(&x, key, n * sizeof *key);
	x = step(keys, x);
	memcpy(key, &x, n * sizeof *key);
}

static void fold(const struct keys *keys, uint64_t *key, size_t n)
{
	lanes_each(keys, key, n, lanes_fold);
}

static void mix(const struct keys *keys, uint64_t *key, size_t n)
{
	lanes_each(keys, key, n, lanes_mix);
}

static void unmix(const struct keys *keys, uint64_t *code, size_t n)
{
	lanes_each(keys, code, n, lanes_unmix);
}

/*
 * The number of images of X that equal X, itself included: a power of 2 that divides the number of
 * images.
 */
ALWAYS_INLINE key_lanes lanes_fixed(const struct keys *keys, key_lanes x)
{
	key_lanes image = x, fixed = (key_lanes){0} + 1;
	for (int i = 1; i < keys->images; i++) {
		image = lanes_mirror(&keys->mirror[(i - 1) & 1], image);
		fixed += (key_lanes)(image == x) & 1;
	}
	return fixed;
}

static uint64_t raw(const struct keys *keys, const uint64_t *key, size_t n)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < n; i += KEY_LANES) {
		const size_t some = n - i < KEY_LANES ? n - i : KEY_LANES;
		key_lanes x = {0};
		memcpy(&x, key + i, some * sizeof *key);
		x = lanes_fixed(keys, x);
		for (size_t j = 0; j < some; j++)
			sum += (uint64_t)keys->images >> __builtin_ctzll(x[j]);
	}
	return sum;
}

/* Moves the upper of two halves of HALF bits down to bit KEEP. LOWER masks the lower halves. */
ALWAYS_INLINE uint64_t halves_join(uint64_t word, uint64_t lower, int half, int keep)
{
	return (word & lower) | (word & ~lower) >> (half - keep);
}

/* The inverse of halves_join(). ONES has the lowest bit of each lower half. */
ALWAYS_INLINE uint64_t halves_part(uint64_t word, uint64_t ones, int half, int keep)
{
	const uint64_t low = word & ones * (((uint64_t)1 << keep) - 1);
	return low | (word ^ low) << (half - keep);
}

/* Convert between a row of bytes and cells of a key. */
ALWAYS_INLINE uint64_t row_join(const struct keys *keys, uint64_t word)
{
#ifdef __BMI2__
	return _pext_u64(word, keys->bytes);
#else
	word = halves_join(word, 0x00ff00ff00ff00ff, 8, keys->bits);
	word = halves_join(word, 0x0000ffff0000ffff, 16, 2 * keys->bits);
	return halves_join(word, 0x00000000ffffffff, 32, 4 * keys->bits);
#endif
}

ALWAYS_INLINE uint64_t row_part(const struct keys *keys, uint64_t word)
{
#ifdef __BMI2__
	return _pdep_u64(word, keys->bytes);
#else
	word = halves_part(word, 1, 32, 4 * keys->bits);
	word = halves_part(word, 0x0000000100000001, 16, 2 * keys->bits);
	return halves_part(word, 0x0001000100010001, 8, keys->bits);
#endif
}

static void pack(const struct keys *keys, const struct board *boards, size_t n, uint64_t *key)
{
	const int row = keys->game->cols * keys->bits;
	for (size_t i = 0; i < n; i++) {
		uint64_t one = 0;
		for (int r = keys->game->rows - 1; r >= 0; r--)
			one = one << row | row_join(keys, row_load(boards[i].cell[r]));
		key[i] = one;
	}
}

static void unpack(const struct keys *keys, uint64_t key, struct board *board)
{
	const int row = keys->game->cols * keys->bits;
	*board = (struct board){0};
	for (int r = 0; r < keys->game->rows; r++, key >>= row)
		row_store(board->cell[r], row_part(keys, key & (((uint64_t)1 << row) - 1)));
}

const struct kernels KERNELS = {shape_kernels, spawn_into, {pack, unpack, fold, raw, mix, unmix}};
