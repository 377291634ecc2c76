/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model files of the agent adp. The weights are a section of doubles; the batch that is not complete is
 * another one: the number of its games, then each in 64-bit numbers as struct adp_game has them. All is
 * little-endian. The layout of the head tells the weights as well, so that nxn info shows them.
 */
#include "agents/nets/adp.h"
#include "agents/agent.h"
#include "agents/trained.h"
#include "base/text.h"

#include <assert.h>
#include <endian.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GAME_NUMBERS = 3 + ADP_PATTERNS };

/* More states or points than training could ever come to, and sums of them fit. */
#define COUNT_MOST ((uint64_t)1 << 48)

static void layout_format(const double weight[ADP_WEIGHTS], char layout[MODEL_LAYOUT_MAX])
{
	static const char *const names[ADP_WEIGHTS] = {"corner", "vertical", "horizontal",
						       "diagonal", "constant"};
	int used = 0;
	for (int i = 0; i < ADP_WEIGHTS; i++) {
		char number[REAL_TEXT_MAX];
		real_format(weight[i], number);
		used += snprintf(layout + used, (size_t)(MODEL_LAYOUT_MAX - used), "%s%s %s",
				 i ? ", " : "", names[i], number);
	}
}

static void head_fill(const struct adp *adp, struct model_head *head)
{
	trained_head(&adp_agent, adp->game, adp_params + 1, adp, head);
	head->games = adp->knowledge->trained;
	head->sections = 2;
	layout_format(adp->knowledge->weight, head->layout);
}

static enum status numbers_write(struct model_writer *writer, const uint64_t *x, size_t n,
				 struct why *why)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < n; i++) {
		const uint64_t bytes = htole64(x[i]);
		status = model_write(writer, &bytes, sizeof bytes, why);
	}
	return status;
}

static enum status game_write(struct model_writer *writer, const struct adp_game *game,
			      struct why *why)
{
	uint64_t x[GAME_NUMBERS] = {game->score, game->sum, game->exponent};
	memcpy(x + 3, game->states, sizeof game->states);
	return numbers_write(writer, x, GAME_NUMBERS, why);
}

static enum status sections_write(const void *self, struct model_writer *writer, struct why *why)
{
	const struct adp_knowledge *knowledge = ((const struct adp *)self)->knowledge;
	uint64_t bits[ADP_WEIGHTS];
	const uint64_t games = knowledge->games;
	memcpy(bits, knowledge->weight, sizeof bits);
	enum status status = numbers_write(writer, bits, ADP_WEIGHTS, why);
	if (!status)
		status = model_write_end(writer, why);
	if (!status)
		status = numbers_write(writer, &games, 1, why);
	for (size_t i = 0; !status && i < games; i++)
		status = game_write(writer, &knowledge->game[i], why);
	return status ? status : model_write_end(writer, why);
}

enum status adp_save(const void *self, const char *path, struct why *why)
{
	const struct adp *adp = self;
	struct model_head head;
	for (int i = 0; i < ADP_WEIGHTS; i++)
		if (!isfinite(adp->knowledge->weight[i]))
			return why_set(why, STATUS_INPUT,
				       "%s: not written: a weight is not finite, training diverged",
				       path);
	head_fill(adp, &head);
	return trained_save(path, &head, sections_write, self, why);
}

static enum status numbers_read(struct model_reader *reader, uint64_t *x, size_t n, struct why *why)
{
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < n; i++) {
		status = model_read(reader, &x[i], sizeof x[i], why);
		x[i] = le64toh(x[i]);
	}
	return status;
}

static enum status weights_read(struct model_reader *reader, struct adp_knowledge *read,
				struct why *why)
{
	uint64_t bits[ADP_WEIGHTS] = {0};
	enum status status = numbers_read(reader, bits, ADP_WEIGHTS, why);
	if (!status)
		status = model_read_end(reader, why);
	memcpy(read->weight, bits, sizeof bits);
	for (int i = 0; !status && i < ADP_WEIGHTS; i++)
		if (!isfinite(read->weight[i]))
			status =
			    model_reject(reader, "a weight is not finite", "finite numbers", why);
	return status;
}

static enum status game_read(const struct adp *adp, struct model_reader *reader,
			     struct adp_game *game, struct why *why)
{
	uint64_t x[GAME_NUMBERS];
	enum status status = numbers_read(reader, x, GAME_NUMBERS, why);
	if (status)
		return status;
	if (x[2] > (uint64_t)adp->game->max_exponent)
		return model_reject(reader, "a tile is too large", "one of the board", why);
	for (int i = 0; i < GAME_NUMBERS; i++)
		if (x[i] > COUNT_MOST)
			return model_reject(reader, "a number is too large",
					    "what training can write", why);
	*game = (struct adp_game){.score = x[0], .sum = x[1], .exponent = x[2]};
	memcpy(game->states, x + 3, sizeof game->states);
	return STATUS_OK;
}

static enum status batch_read(const struct adp *adp, struct model_reader *reader,
			      struct adp_knowledge *read, struct why *why)
{
	uint64_t games = 0;
	enum status status = numbers_read(reader, &games, 1, why);
	if (!status && (games >= ADP_BATCH_MAX || games > read->trained))
		status = model_reject(reader, "a batch of too many games", "fewer", why);
	read->games = status ? 0 : (size_t)games;
	for (size_t i = 0; !status && i < read->games; i++)
		status = game_read(adp, reader, &read->game[i], why);
	return status ? status : model_read_end(reader, why);
}

/* Reads a model into READ, which has room for a batch. */
static enum status knowledge_read(const struct adp *adp, struct model_reader *reader,
				  struct adp_knowledge *read, struct why *why)
{
	struct model_head want;
	head_fill(adp, &want);
	read->trained = model_head(reader)->games;
	/* The weights cannot be known before they are read; then the head has to tell the same. */
	memcpy(want.layout, model_head(reader)->layout, sizeof want.layout);
	enum status status = model_expect(reader, &want, why);
	if (!status)
		status = weights_read(reader, read, why);
	if (!status) {
		layout_format(read->weight, want.layout);
		status = model_expect(reader, &want, why);
	}
	if (!status)
		status = batch_read(adp, reader, read, why);
	return status ? status : model_finish(reader, why);
}

static enum status read_from(struct adp *adp, struct model_reader *reader, struct why *why)
{
	struct adp_knowledge read = {.game = calloc(ADP_BATCH_MAX, sizeof *read.game)};
	if (!read.game)
		return why_set(why, STATUS_SYSTEM, "out of memory for the games of a batch");
	const enum status status = knowledge_read(adp, reader, &read, why);
	if (status) {
		free(read.game);
		return status;
	}
	free(adp->own.game);
	adp->own = read;
	return STATUS_OK;
}

enum status adp_load(void *self, const char *path, struct why *why)
{
	struct adp *adp = self;
	struct model_reader *reader;
	assert(adp->knowledge == &adp->own);
	enum status status = model_open(&reader, path, why);
	if (status)
		return status;
	status = read_from(adp, reader, why);
	model_close(reader);
	return status;
}

enum status adp_open(struct adp *adp, struct why *why)
{
	struct model_reader *reader;
	enum status status =
	    trained_open(adp->file, &adp_agent, adp->game, adp_params + 1, adp, &reader, why);
	if (status)
		return status;
	status = read_from(adp, reader, why);
	model_close(reader);
	return status;
}
