/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Learners for tests: trained for so many games, saved, compared, refused. Needs folder.h. */
#ifndef NXN_TESTS_LEARNING_H
#define NXN_TESTS_LEARNING_H

#include "tests/agents/agent_of.h"
#include "tests/agents/bytes_of.h"
#include "tests/agents/folder.h"

#include <string.h>

/* Training that stops after some games, and what it came to. */
struct course {
	uint64_t left, ended, score;
};

static inline bool take_game(void *context, const struct outcome *outcome)
{
	struct course *course = context;
	course->ended++;
	course->score += outcome->score;
	return --course->left > 0;
}

/* Training games of seed 1 until END of them, or MOST in this call, have ended. */
static inline struct course train_with(struct agent *agent, uint64_t end, uint64_t most,
				       int threads)
{
	struct course course = {.left = most};
	const uint64_t before = agent->class->trained(agent->self);
	agent->class->learn(
	    agent->self,
	    &(struct lesson){
		.seed = 1, .end = end, .threads = threads, .over = take_game, .context = &course});
	assert_int_equal(agent->class->trained(agent->self), before + course.ended);
	return course;
}

static inline struct course train(struct agent *agent, uint64_t end, uint64_t most)
{
	return train_with(agent, end, most, 1);
}

static inline void save(const struct agent *agent, const char *to)
{
	struct why why;
	if (agent->class->save(agent->self, to, &why))
		fail_msg("%s", why.text);
}

static inline void load(struct agent *agent, const char *from)
{
	struct why why;
	if (agent->class->load(agent->self, from, &why))
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

/* TEXT, which may have the path in it, is refused as input in one line that says SAYS. */
static inline void expect_refused(const char *text, const struct game *game, const char *says)
{
	struct agent_env env = {.game = game};
	struct agent *agent = NULL;
	struct why why = {""};
	const enum status status = agent_new(text, &env, &agent, &why);
	if (status != STATUS_INPUT)
		fail_msg("%s: status %d, not refused as '%s'", text, status, says);
	assert_null(agent);
	assert_null(strchr(why.text, '\n'));
	if (!strstr(why.text, says))
		fail_msg("%s: '%s' does not say '%s'", text, why.text, says);
}

#endif
