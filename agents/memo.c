/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The transposition table: buckets of one cache line; see memo.h. */
#include "agents/memo.h"

#include "boards/bytes.h"

#include <math.h>
#include <stdatomic.h>
#include <sys/mman.h>

/*
 * word[0]: the hash, exclusive-or the other words; word[1]: the value; word[2]: the interval in float,
 * rounded inwards, so that an entry never claims too much; word[3]: generation << 32 | limited << 8 |
 * depth. All 0: empty.
 */
struct memo_entry {
	_Atomic uint64_t word[4];
};

enum { BUCKET_ENTRIES = 2, LIMITED = 1 << 8, DEPTH_MASK = LIMITED - 1 };

struct memo_bucket {
	_Alignas(64) struct memo_entry entry[BUCKET_ENTRIES];
};

enum status memo_init(struct memo *memo, int64_t bytes, struct why *why)
{
	uint64_t buckets = 1;
	while (buckets * 2 * sizeof(struct memo_bucket) <= (uint64_t)bytes)
		buckets *= 2;
	size_t size = buckets * sizeof(struct memo_bucket);
	void *made = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (made == MAP_FAILED)
		return why_errno(why, "transposition table of %zu bytes", size);
	(void)madvise(made, size, MADV_HUGEPAGE); /* only advice: small pages serve as well */
	*memo = (struct memo){.buckets = made, .all = buckets - 1, .mask = buckets - 1, .now = 1};
	return STATUS_OK;
}

void memo_fini(struct memo *memo)
{
	if (memo->buckets)
		munmap(memo->buckets, (memo->all + 1) * sizeof *memo->buckets);
	memo->buckets = NULL;
}

void memo_age(struct memo *memo)
{
	memo->now++;
}

void memo_suit(struct memo *memo, uint64_t entries)
{
	uint64_t mask = memo->all;
	while (mask && mask / 2 >= entries)
		mask /= 2;
	memo->mask = mask;
}

__extension__ typedef unsigned __int128 wide;

/* Odd constants without structure: the first digits of pi after the point, in hexadecimal. */
static const uint64_t digits[SIDE_MAX + 2] = {
    0x243f6a8885a308d3u, 0x13198a2e03707345u, 0xa4093822299f31d1u, 0x082efa98ec4e6c89u,
    0x452821e638d01377u, 0xbe5466cf34e90c6du, 0xc0ac29b7c97c50ddu, 0x3f84d5b5b5470917u,
};

/*
 * The NH family (Black, Halevi, Krawczyk, Krovetz, Rogaway: UMAC, CRYPTO 1999): two different
 * boards get the same 128-bit sum with probability 2^-64 over its constants. The depth goes into a
 * byte that no shape uses. Bucket and check are two different compressions of the sum.
 */
struct memo_key memo_key(const struct memo *memo, const struct board *after, int depth)
{
	wide sum = 0;
	uint64_t row[SIDE_MAX];
	for (int r = 0; r < SIDE_MAX; r++)
		row[r] = row_load(after->cell[r]);
	row[0] |= (uint64_t)depth << 56;
	for (int r = 0; r < SIDE_MAX; r += 2)
		sum += (wide)(row[r] + digits[r]) * (row[r + 1] + digits[r + 1]);
	uint64_t low = (uint64_t)sum, high = (uint64_t)(sum >> 64);
	uint64_t bucket = (low * digits[SIDE_MAX] ^ high * digits[SIDE_MAX + 1]) >> 24;
	uint64_t check = high ^ (low << 32 | low >> 32);
	struct memo_key key = {bucket & memo->mask, check ? check : 1};
	__builtin_prefetch(&memo->buckets[key.bucket]);
	return key;
}

static void entry_read(struct memo_entry *entry, uint64_t word[4])
{
	for (int i = 0; i < 4; i++)
		word[i] = atomic_load_explicit(&entry->word[i], memory_order_relaxed);
}

static void entry_write(struct memo_entry *entry, const uint64_t word[4])
{
	for (int i = 0; i < 4; i++)
		atomic_store_explicit(&entry->word[i], word[i], memory_order_relaxed);
}

static double double_of(uint64_t bits)
{
	double x;
	memcpy(&x, &bits, sizeof x);
	return x;
}

static uint64_t bits_of(double x)
{
	uint64_t bits;
	memcpy(&bits, &x, sizeof bits);
	return bits;
}

static void interval_read(uint64_t bits, struct span *span)
{
	float ends[2];
	memcpy(ends, &bits, sizeof ends);
	span->low = (double)ends[0];
	span->high = (double)ends[1];
}

static float float_above(double x)
{
	float y = (float)x;
	return (double)y < x ? nextafterf(y, INFINITY) : y;
}

static float float_below(double x)
{
	float y = (float)x;
	return (double)y > x ? nextafterf(y, 0) : y;
}

static uint64_t interval_bits(const struct span *span)
{
	const float ends[2] = {float_above(span->low), float_below(span->high)};
	uint64_t bits;
	memcpy(&bits, ends, sizeof bits);
	return bits;
}

static uint32_t entry_generation(const uint64_t word[4])
{
	return (uint32_t)(word[3] >> 32);
}

bool memo_probe(struct memo *memo, struct memo_key key, double p, struct span *span)
{
	struct memo_entry *entry = memo->buckets[key.bucket].entry;
	for (int i = 0; i < BUCKET_ENTRIES; i++) {
		uint64_t word[4];
		entry_read(&entry[i], word);
		if ((word[0] ^ word[1] ^ word[2] ^ word[3]) != key.check)
			continue;
		interval_read(word[2], span);
		const bool old = entry_generation(word) != memo->now;
		if (p < span->low || p >= span->high || (old && memo->forgets))
			continue;
		span->value = double_of(word[1]);
		span->limited = word[3] & LIMITED;
		if (old) { /* it is of use in this generation too */
			word[3] = (uint64_t)memo->now << 32 | (uint32_t)word[3];
			word[0] = key.check ^ word[1] ^ word[2] ^ word[3];
			entry_write(&entry[i], word);
		}
		return true;
	}
	return false;
}

/* How little an entry would be missed: older ones less, then shallow ones. */
static uint64_t entry_worth(const struct memo *memo, const uint64_t word[4])
{
	return entry_generation(word) == memo->now ? 1 + (word[3] & DEPTH_MASK) : 0;
}

void memo_store(struct memo *memo, struct memo_key key, int depth, const struct span *span)
{
	struct memo_entry *entry = memo->buckets[key.bucket].entry, *worst = NULL;
	uint64_t least = 0;
	for (int i = 0; i < BUCKET_ENTRIES; i++) {
		uint64_t word[4];
		entry_read(&entry[i], word);
		uint64_t worth = entry_worth(memo, word);
		if (!worst || worth < least) {
			worst = &entry[i];
			least = worth;
		}
	}
	uint64_t word[4] = {0, bits_of(span->value), interval_bits(span),
			    (uint64_t)memo->now << 32 | (span->limited ? LIMITED : 0) |
				(uint32_t)depth};
	word[0] = key.check ^ word[1] ^ word[2] ^ word[3];
	entry_write(worst, word);
}
