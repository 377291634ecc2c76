/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Learners for tests: trained for so many games, saved, compared, refused. Needs folder.h. */
#ifndef NXN_TESTS_LEARNING_H
#define NXN_TESTS_LEARNING_H

#include "agents/model.h"
#include "agents/play.h"
#include "tests/agents/agent_of.h"
#include "tests/files.h"
#include "tests/agents/folder.h"

#include <math.h>
#include <string.h>

/* Training that stops after some games, and what it came to. */
struct course {
	uint64_t left, ended, score;
	struct outcome last;
};

static inline bool take_game(void *context, const struct outcome *outcome)
{
	struct course *course = context;
	course->ended++;
	course->score += outcome->score;
	course->last = *outcome;
	return --course->left > 0;
}

/* Training games of SEED until END of them, or MOST in this call, have ended. */
static inline struct course train_seed(struct agent *agent, uint64_t seed, uint64_t end,
				       uint64_t most, int threads)
{
	struct course course = {.left = most};
	const uint64_t before = agent->class->trained(agent->self);
	agent->class->learn(agent->self, &(struct training_request){.seed = seed,
								    .end = end,
								    .threads = threads,
								    .over = take_game,
								    .context = &course});
	assert_int_equal(agent->class->trained(agent->self), before + course.ended);
	return course;
}

static inline struct course train_with(struct agent *agent, uint64_t end, uint64_t most,
				       int threads)
{
	return train_seed(agent, 1, end, most, threads);
}

static inline struct course train(struct agent *agent, uint64_t end, uint64_t most)
{
	return train_with(agent, end, most, 1);
}

/* The outcome of training game END - 1 of seed 1, after all before it. */
static inline struct outcome train_to(struct agent *agent, uint64_t end)
{
	const struct course course = train(agent, end, UINT64_MAX);
	assert_int_equal(agent->class->trained(agent->self), end);
	return course.last;
}

static inline void save(const struct agent *agent, const char *to)
{
	struct why why;
	if (agent_save(agent, to, NULL, &why))
		fail_msg("%s", why.text);
}

/* The agent TEXT after GAMES games, trained at once on THREADS, into TO. */
static inline void train_and_save(const char *text, const struct game *game, int threads,
				  uint64_t games, const char *to)
{
	struct agent *agent = agent_of(text, game);
	assert_int_equal(train_with(agent, games, UINT64_MAX, threads).ended, games);
	save(agent, to);
	agent_free(agent);
}

static inline void load(struct agent *agent, const char *from)
{
	struct why why;
	if (agent_load(agent, from, &why))
		fail_msg("%s", why.text);
}

static inline void expect_equal_files(const char *text)
{
	size_t size, other_size;
	unsigned char *bytes = file_load(path, &size), *other_bytes = file_load(other, &other_size);
	if (size != other_size || memcmp(bytes, other_bytes, size) != 0)
		fail_msg("%s: the files differ", text);
	free(bytes);
	free(other_bytes);
}

/* What the model file FROM of the agent NAME plays. */
static inline struct agent *learned_from(const char *name, const char *from,
					 const struct game *game)
{
	return agent_of(text_of("%s:%s", name, from), game);
}

/* The games 0 to 9 of seed 2 of both are the same. */
static inline void expect_same_games(struct agent *a, struct agent *b)
{
	for (uint64_t g = 0; g < 10; g++) {
		struct outcome one, two;
		assert_true(play_game(a, 2, g, NULL, &one));
		assert_true(play_game(b, 2, g, NULL, &two));
		assert_int_equal(one.score, two.score);
		assert_true(board_equal(&one.last, &two.last));
		assert_true(one.uncertainty == two.uncertainty ||
			    (isnan(one.uncertainty) && isnan(two.uncertainty)));
	}
}

/*
 * Trains up to END in pieces of 1 to 6 games, each by another agent, which has the one before from
 * FILE: by load(), or as the agent NAME with a file.
 */
static inline void train_in_pieces(const char *text, const char *name, const struct game *game,
				   uint64_t end, const char *file)
{
	uint64_t done = 0;
	for (int piece = 0; done < end; piece++) {
		struct agent *agent =
		    piece % 3 == 2 ? learned_from(name, file, game) : agent_of(text, game);
		/* What was learned before the load is forgotten. */
		if (piece % 3 == 1)
			train(agent, 2, 2);
		if (piece % 3 != 2 && piece > 0)
			load(agent, file);
		assert_int_equal(agent->class->trained(agent->self), done);
		done += train(agent, end, 1 + (uint64_t)piece % 6).ended;
		/* And once more without a file in between. */
		if (done < end)
			done += train(agent, end, 2).ended;
		save(agent, file);
		agent_free(agent);
	}
	assert_int_equal(done, end);
}

enum { SECTION_ROOM = 1 << 16 };

/* The next section of FILE, shorter than SECTION_ROOM; its size. */
static inline size_t section_read(struct model_file *file, unsigned char bytes[SECTION_ROOM])
{
	const size_t size = model_read_some(file, bytes, SECTION_ROOM);
	assert_true(size < SECTION_ROOM);
	assert_int_equal(model_section_end(file), STATUS_OK);
	return size;
}

/* Opens the model FROM behind its first SECTIONS. */
static inline struct model_file *sections_skip(const char *from, uint32_t sections, struct why *why)
{
	static unsigned char bytes[SECTION_ROOM];
	struct model_file *file;
	assert_int_equal(model_open(&file, from, why), STATUS_OK);
	for (uint32_t s = 0; s < sections; s++)
		section_read(file, bytes);
	return file;
}

static inline struct model_header head_take(const char *from)
{
	struct why why;
	struct model_file *file = sections_skip(from, 0, &why);
	const struct model_header head = *model_header(file);
	model_close(file);
	return head;
}

/* Section NUMBER of the model FROM, from 0 on; negative: from its end. Returns the size. */
static inline size_t section_take(const char *from, int number, unsigned char bytes[SECTION_ROOM])
{
	struct why why;
	const int sections = number < 0 ? (int)head_take(from).sections : 0;
	struct model_file *file = sections_skip(from, (uint32_t)(sections + number), &why);
	const size_t size = section_read(file, bytes);
	model_close(file);
	return size;
}

/*
 * The model `path` as `other` with HEAD and SIZE bytes DATA as section NUMBER, as in
 * section_take(); checksums are right.
 */
static inline void model_forge(const struct model_header *head, int number, const void *data,
			       size_t size)
{
	static unsigned char bytes[SECTION_ROOM];
	struct model_file *to;
	struct why why, reason;
	struct model_file *from = sections_skip(path, 0, &why);
	const int sections = (int)head->sections;
	assert_int_equal(model_create(&to, other, head, &reason), STATUS_OK);
	for (int s = 0; s < sections; s++) {
		const size_t old = section_read(from, bytes);
		const bool forged = s == (number < 0 ? sections + number : number);
		assert_int_equal(model_write(to, forged ? data : bytes, forged ? size : old),
				 STATUS_OK);
		assert_int_equal(model_section_end(to), STATUS_OK);
	}
	assert_int_equal(model_finish(to), STATUS_OK);
	model_close(to);
	model_close(from);
}

/* The same with the head that it has. */
static inline void section_forge(int number, const void *data, size_t size)
{
	const struct model_header head = head_take(path);
	model_forge(&head, number, data, size);
}

/* Whatever bit of the model of AGENT, called NAME, is turned, and wherever it is cut off. */
static inline void expect_damage_refused(struct agent *agent, const char *name,
					 const struct game *game)
{
	struct rng rng;
	size_t size;
	save(agent, path);
	unsigned char *bytes = file_load(path, &size);
	const char *text = text_of("%s:%s", name, other);
	rng_init(&rng, 6, RNG_TEST, 0);
	for (int i = 0; i < 200; i++) {
		const size_t at = i < 100 ? size - 1 - (size_t)i : rng_below(&rng, (uint32_t)size);
		const unsigned char flip = (unsigned char)(1 << i % 8);
		bytes[at] ^= flip;
		file_store(other, bytes, size);
		expect_refused(text, game, "");
		bytes[at] ^= flip;
		file_store(other, bytes, at);
		expect_refused(text, game, "");
	}
	free(bytes);
}

#endif
