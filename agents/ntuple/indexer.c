/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Features out of patterns, and their indices on any processor; see indexer.h. */
#include "agents/ntuple/indexer.h"

#include <assert.h>
#include <string.h>

static void feature_set(struct indexer *indexer, int f, const struct pattern *pattern,
			uint64_t first)
{
	struct feature_group *group = &indexer->group[f / FEATURES_STEP];
	uint8_t *place = group->place + 8 * (f % FEATURES_STEP);
	memset(place, NO_PLACE, 8);
	for (int j = 0; j < pattern->length; j++)
		place[j] = pattern->cell[pattern->length - 1 - j];
	group->first[f % FEATURES_STEP] = first;
	group->length[f % FEATURES_STEP] = (uint64_t)pattern->length;
}

static void kernel_choose(struct indexer *indexer, enum isa isa)
{
	switch (isa) {
#if defined NXN_X86_64
	case ISA_AVX512:
		indexer->run = indexer_avx512;
		indexer->run_wide = indexer_avx512_wide;
		break;
	case ISA_AVX2:
		indexer->run = indexer_avx2;
		indexer->run_wide = indexer_avx2_wide;
		break;
#endif
	default:
		indexer->run = indexer_portable;
		indexer->run_wide = indexer_portable_wide;
	}
}

uint64_t indexer_init(struct indexer *indexer, const struct game *game,
		      const struct patterns *patterns, int symmetries, int levels, unsigned align)
{
	uint64_t size = 0;
	int f = 0;
	assert(patterns->count * symmetries <= FEATURES_MAX);
	assert(levels >= 2 && levels <= INDEXER_LEVELS);
	indexer->levels = levels;
	indexer->chunks = (game->rows + 1) / 2;
	for (int p = 0; p < patterns->count; p++) {
		const struct pattern *pattern = &patterns->pattern[p];
		uint64_t entries = 1;
		size = (size + align - 1) / align * align;
		for (int i = 0; i < symmetries; i++) {
			struct pattern image;
			pattern_image(game, i, pattern, &image);
			feature_set(indexer, f++, &image, size);
		}
		for (int j = 0; j < pattern->length; j++)
			entries *= (uint64_t)(levels + 1) / 2 * 2;
		size += entries;
	}
	indexer->features = f;
	for (; f % FEATURES_STEP; f++)
		feature_set(indexer, f, &(struct pattern){0}, 0);
	indexer->stride = f;
	kernel_choose(indexer, game->isa);
	return size;
}

static uint64_t feature_index(const struct indexer *indexer, const struct feature_group *group,
			      int f, const uint8_t *cell)
{
	const uint8_t *place = group->place + 8 * f;
	const uint64_t half = (uint64_t)(indexer->levels + 1) / 2;
	uint64_t box = 0, low = 0;
	for (int j = (int)group->length[f] - 1; j >= 0; j--) {
		unsigned digit = cell[place[j]];
		if (digit >= (unsigned)indexer->levels)
			digit = (unsigned)indexer->levels - 1;
		box = box * half + digit / 2;
		low = low * 2 + digit % 2;
	}
	return group->first[f] + (box << group->length[f]) + low;
}

void indexer_portable_wide(const struct indexer *indexer, const struct board *board,
			   uint64_t *index)
{
	for (int f = 0; f < indexer->stride; f++)
		index[f] = feature_index(indexer, &indexer->group[f / FEATURES_STEP],
					 f % FEATURES_STEP, &board->cell[0][0]);
}

void indexer_portable(const struct indexer *indexer, const struct board *board, uint32_t *index)
{
	for (int f = 0; f < indexer->stride; f++)
		index[f] = (uint32_t)feature_index(indexer, &indexer->group[f / FEATURES_STEP],
						   f % FEATURES_STEP, &board->cell[0][0]);
}
