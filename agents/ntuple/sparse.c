/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Large tables to and from model files; see sparse.h. A section is a row of records, the number of a
 * block and its 64 floats as IEEE 754 bits, little-endian; the last has a number only, LAST.
 *
 * Reading a page that nobody wrote costs a fault but no memory: it is the kernel's page of zeros.
 */
#include "agents/ntuple/sparse.h"

#include "base/virtual_memory.h"

#include <assert.h>
#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 64, WORDS = BLOCK + 2, RECORDS = 128 };

static const uint64_t LAST = UINT64_MAX;

/* Some records on their way to the file. */
struct records {
	uint32_t word[RECORDS * WORDS];
	size_t words;
};

static bool block_empty(const float block[BLOCK])
{
	uint32_t any = 0, bits[BLOCK];
	memcpy(bits, block, sizeof bits);
	for (int i = 0; i < BLOCK; i++)
		any |= bits[i];
	return !any;
}

/* The exponent of an IEEE 754 number that is infinite or none is all ones. */
static bool block_finite(const float block[BLOCK])
{
	uint32_t bits[BLOCK];
	bool finite = true;
	memcpy(bits, block, sizeof bits);
	for (int i = 0; i < BLOCK; i++)
		finite &= (bits[i] & 0x7f800000) != 0x7f800000;
	return finite;
}

static void put_number(uint32_t word[2], uint64_t number)
{
	word[0] = htole32((uint32_t)number);
	word[1] = htole32((uint32_t)(number >> 32));
}

static enum status records_flush(struct records *records, struct model_writer *writer,
				 struct why *why)
{
	const size_t size = records->words * sizeof *records->word;
	records->words = 0;
	return model_write(writer, records->word, size, why);
}

static void record_add(struct records *records, uint64_t number, const float block[BLOCK])
{
	uint32_t *word = records->word + records->words, bits[BLOCK];
	put_number(word, number);
	memcpy(bits, block, sizeof bits);
	for (int i = 0; i < BLOCK; i++)
		word[2 + i] = htole32(bits[i]);
	records->words += WORDS;
}

static enum status blocks_write(const float *table, uint64_t blocks, struct records *records,
				struct model_writer *writer, struct why *why)
{
	enum status status = STATUS_OK;
	for (uint64_t b = 0; b < blocks && !status; b++) {
		const float *block = table + b * BLOCK;
		if (block_empty(block))
			continue;
		if (!block_finite(block))
			return why_set(why, STATUS_INPUT,
				       "learning diverged: a weight is not finite, expected "
				       "smaller steps");
		record_add(records, b, block);
		if (records->words == RECORDS * WORDS)
			status = records_flush(records, writer, why);
	}
	return status;
}

enum status sparse_save(const float *table, uint64_t count, struct model_writer *writer,
			struct why *why)
{
	struct records *records = calloc(1, sizeof *records);
	assert(count % BLOCK == 0);
	if (!records)
		return why_set(why, STATUS_SYSTEM, "out of memory for saving");
	enum status status = blocks_write(table, count / BLOCK, records, writer, why);
	if (!status)
		status = records_flush(records, writer, why);
	if (!status) {
		put_number(records->word, LAST);
		status = model_write(writer, records->word, 2 * sizeof *records->word, why);
	}
	if (!status)
		status = model_write_end(writer, why);
	free(records);
	return status;
}

static enum status block_read(float block[BLOCK], struct model_reader *reader, struct why *why)
{
	uint32_t bits[BLOCK];
	enum status status = model_read(reader, bits, sizeof bits, why);
	if (status)
		return status;
	for (int i = 0; i < BLOCK; i++)
		bits[i] = le32toh(bits[i]);
	memcpy(block, bits, sizeof bits);
	if (!block_finite(block))
		return model_reject(reader, "a weight is not finite", "numbers", why);
	return STATUS_OK;
}

/* Lest a forged or merely too large model brings the machine down. */
static enum status room_check(uint64_t blocks, uint64_t share, struct why *why)
{
	if (blocks <= share / (BLOCK * sizeof(float)))
		return STATUS_OK;
	return why_set(why, STATUS_SYSTEM,
		       "a model of more weights than the %.1f GiB that are half of this machine's "
		       "memory",
		       (double)share / 0x1p30);
}

enum status sparse_load(float *table, uint64_t count, struct model_reader *reader, struct why *why)
{
	const uint64_t share = virtual_memory_share();
	uint64_t blocks = 0;
	for (uint64_t next = 0;;) {
		uint64_t number;
		enum status status = model_read(reader, &number, sizeof number, why);
		if (status)
			return status;
		number = le64toh(number);
		if (number == LAST)
			return model_read_end(reader, why);
		if (number < next || number >= count / BLOCK)
			return model_reject(reader, "a block in a wrong place",
					    "rising numbers below those there are", why);
		status = room_check(++blocks, share, why);
		if (!status)
			status = block_read(table + number * BLOCK, reader, why);
		if (status)
			return status;
		next = number + 1;
	}
}
