/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables that exist where they were updated; see lazy.h.
 *
 * Why a directory of 512-byte blocks and not one mapping of all entries, whose unit would be a page
 * of 4096 bytes? What play touches lies thinly. 400 games of Q-learning on 6x6 update 5.7 million
 * entries, 44 MiB: 3609 MiB of pages under plain mixed-radix indices (one digit a cell, first cell
 * first), 1225 MiB with pages that are boxes of 512 near contents, 429 MiB in boxes of 64 (635 MiB
 * resident with the directory). 6000 games on 4x4, 12 MiB: 396, 149 and 79 MiB. Smaller boxes
 * shrink the blocks (8 entries: 152 MiB on 6x6) and swell the directory. Blocks are handed out in a
 * row, so that huge pages cost nothing; the directory has none.
 *
 * Invariant: slot[box[b]] == b for 0 < b < blocks, and every other slot is 0.
 */
#include "agents/ntuple/lazy.h"

#include "base/virtual_memory.h"

#include <assert.h>
#include <endian.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum status lazy_init(struct lazy *table, uint64_t size, struct why *why)
{
	struct lazy t = {.boxes = (size + LAZY_BLOCK - 1) / LAZY_BLOCK, .blocks = 1};
	assert(size > 0);
	t.capacity = t.boxes < UINT32_MAX ? t.boxes + 1 : UINT32_MAX;
	t.slot = virtual_memory_reserve(t.boxes, sizeof *t.slot);
	t.block = virtual_memory_reserve(t.capacity, sizeof *t.block);
	t.box = virtual_memory_reserve(t.capacity, sizeof *t.box);
	if (!t.slot || !t.block || !t.box) {
		uint64_t bytes =
		    t.boxes * sizeof *t.slot + t.capacity * (sizeof *t.block + sizeof *t.box);
		enum status status = why_errno(why,
					       "cannot map %" PRIu64 " GiB of address space for "
					       "weights, expected `ulimit -v unlimited` and "
					       "vm.overcommit_memory 0 or 1",
					       (bytes >> 30) + 1);
		lazy_fini(&t);
		return status;
	}
	virtual_memory_widen(t.block, t.capacity, sizeof *t.block);
	*table = t;
	return STATUS_OK;
}

void lazy_fini(struct lazy *table)
{
	virtual_memory_unmap(table->slot, table->boxes, sizeof *table->slot);
	virtual_memory_unmap(table->block, table->capacity, sizeof *table->block);
	virtual_memory_unmap(table->box, table->capacity, sizeof *table->box);
	*table = (struct lazy){0};
}

void lazy_grow(struct lazy *table, uint64_t box)
{
	assert(table->slot[box] == 0 && table->blocks < table->capacity);
	table->box[table->blocks] = box;
	table->slot[box] = (uint32_t)table->blocks++;
}

/* A block in a file: the number of its box, the weights as IEEE 754 bits, the counts. */
struct record {
	uint64_t box;
	uint32_t weight[LAZY_BLOCK], count[LAZY_BLOCK];
};

static bool block_finite(const struct entry block[LAZY_BLOCK])
{
	for (int i = 0; i < LAZY_BLOCK; i++)
		if (!isfinite(block[i].weight))
			return false;
	return true;
}

static void record_encode(const struct lazy *table, uint64_t b, struct record *record)
{
	record->box = htole64(table->box[b]);
	for (int i = 0; i < LAZY_BLOCK; i++) {
		uint32_t bits;
		memcpy(&bits, &table->block[b][i].weight, sizeof bits);
		record->weight[i] = htole32(bits);
		record->count[i] = htole32(table->block[b][i].count);
	}
}

static void record_decode(const struct record *record, struct entry block[LAZY_BLOCK])
{
	for (int i = 0; i < LAZY_BLOCK; i++) {
		uint32_t bits = le32toh(record->weight[i]);
		memcpy(&block[i].weight, &bits, sizeof bits);
		block[i].count = le32toh(record->count[i]);
	}
}

static enum status blocks_write(struct lazy *table, struct model_file *file)
{
	for (uint64_t b = 1; b < table->blocks && !model_status(file); b++) {
		struct record record;
		if (!block_finite(table->block[b]))
			return model_fail(file, STATUS_INPUT,
					  "learning diverged: a weight is not finite, expected "
					  "smaller steps");
		record_encode(table, b, &record);
		model_write(file, &record, sizeof record);
	}
	return model_status(file);
}

/* Lest a forged or merely too large model brings the machine down. */
static enum status check_memory(struct model_file *file, uint64_t blocks)
{
	const uint64_t fit = virtual_memory_share() / (sizeof(struct entry) * LAZY_BLOCK);
	if (blocks <= fit)
		return STATUS_OK;
	return model_fail(file, STATUS_SYSTEM,
			  "a model of %" PRIu64
			  " blocks of 512 bytes, expected at most the %" PRIu64
			  " that fit into half of this machine's memory",
			  blocks, fit);
}

static enum status blocks_read(struct lazy *table, uint64_t count, struct model_file *file)
{
	assert(table->blocks == 1);
	if (count >= table->capacity)
		return model_reject(file, "more blocks than the board has boxes", "fewer");
	for (check_memory(file, count); count > 0 && !model_status(file); count--) {
		struct record record;
		if (model_read(file, &record, sizeof record))
			break;
		uint64_t box = le64toh(record.box);
		if (box >= table->boxes || table->slot[box] != 0)
			return model_reject(file, "a block in a wrong place",
					    "each box of the board at most once");
		lazy_grow(table, box);
		struct entry *block = table->block[table->blocks - 1];
		record_decode(&record, block);
		if (!block_finite(block))
			return model_reject(file, "a weight is not finite", "numbers");
	}
	return model_status(file);
}

enum status lazy_section(struct lazy *table, struct model_file *file)
{
	const uint64_t count = model_number(file, table->blocks - 1, UINT64_MAX);
	if (model_reading(file))
		blocks_read(table, count, file);
	else
		blocks_write(table, file);
	return model_section_end(file);
}
