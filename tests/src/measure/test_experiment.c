/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lists of agents, numbers, and experiments: what is read from options and files, and every error
 * that either can have.
 */
#include "src/measure/experiment_file.h"
#include "src/cli/options.h"
#include "tests/files.h"
#include "tests/games.h"

#include <inttypes.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static void list_join(const struct text_list *list, char *text, size_t size)
{
	size_t used = 0;
	*text = '\0';
	for (size_t i = 0; i < list->n && used < size; i++)
		used +=
		    (size_t)snprintf(text + used, size - used, "%s%s", i ? " " : "", list->item[i]);
}

static void agents_are_told_apart_from_their_parameters(void **state)
{
	(void)state;
	static const struct {
		const char *text, *agents; /* agents NULL: an error */
	} rows[] = {
	    {"random", "random"},
	    {"random,greedy", "random greedy"},
	    {"random,greedy,expectimax:depth=2,cutoff=1e-3,corners",
	     "random greedy expectimax:depth=2,cutoff=1e-3 corners"},
	    {"expectimax:value=heuristic,depth=1,expectimax:depth=2",
	     "expectimax:value=heuristic,depth=1 expectimax:depth=2"},
	    {"expectimax:depth=1,value=linear:w.nxn,cutoff=0,random",
	     "expectimax:depth=1,value=linear:w.nxn,cutoff=0 random"},
	    {"qlearn:a.nxn,qlearn:b.nxn", "qlearn:a.nxn qlearn:b.nxn"},
	    {"qlearn:a,b.nxn;random", "qlearn:a,b.nxn random"},
	    {"random;expectimax:depth=2,cutoff=0", "random expectimax:depth=2,cutoff=0"},
	    {"depth=2,random", "depth=2 random"},
	    {"random,qlearn:eta=2,file=a,b,c,levels=9,random",
	     "random qlearn:eta=2,file=a,b,c,levels=9 random"},
	    {"qlearn:file=a,b+c=d,e,expectimax:3,greedy",
	     "qlearn:file=a,b+c=d,e expectimax:3 greedy"},
	    {"qlearn:file=012,345,random,greedy:ties=URDL,corners",
	     "qlearn:file=012,345 random greedy:ties=URDL corners"},
	    {"qlearn:file=a,b;random", "qlearn:file=a,b random"},
	    {"qlearn:a,b", "qlearn:a b"},
	    {"expectimax:depth=2,greddy", "expectimax:depth=2 greddy"},
	    {"qlearn:etta=2,file=a,b", "qlearn:etta=2,file=a b"},
	    {"qlearn:file=a,,b", NULL},
	    {"qlearn:file=a,", NULL},
	    {"", NULL},
	    {"random,", NULL},
	    {",random", NULL},
	    {"random,,greedy", NULL},
	    {"random;;greedy", NULL},
	    {"random;", NULL},
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		char joined[200], expected[200];
		struct why why = {""};
		struct text_list list = {0};
		enum status status = agents_read(&list, "--agents", rows[i].text, &why);
		if (rows[i].agents) {
			assert_int_equal(status, STATUS_OK);
			list_join(&list, joined, sizeof joined);
			assert_string_equal(joined, rows[i].agents);
		} else {
			assert_int_equal(status, STATUS_INPUT);
			snprintf(expected, sizeof expected, "--agents: '%s' has an empty item",
				 rows[i].text);
			assert_string_equal(why.text, expected);
		}
		list_free(&list);
		assert_int_equal(list.n, 0);
	}
}

static void lists_are_split_at_commas_and_go_on_when_repeated(void **state)
{
	(void)state;
	char joined[100];
	struct why why;
	struct text_list list = {0};
	assert_int_equal(list_split(&list, "--boards", "3x3,4x4", ',', NULL, &why), STATUS_OK);
	assert_int_equal(list_split(&list, "--boards", "5x6", ',', NULL, &why), STATUS_OK);
	list_join(&list, joined, sizeof joined);
	assert_string_equal(joined, "3x3 4x4 5x6");
	assert_int_equal(list_split(&list, "--boards", "3x3,,4x4", ',', NULL, &why), STATUS_INPUT);
	assert_string_equal(why.text, "--boards: '3x3,,4x4' has an empty item");
	list_free(&list);
}

static void numbers_are_digits_within_their_range(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		uint64_t min, max, number;
		enum status status;
	} rows[] = {
	    {"0", 0, UINT64_MAX, 0, STATUS_OK},
	    {"18446744073709551615", 0, UINT64_MAX, UINT64_MAX, STATUS_OK},
	    {"007", 1, 9, 7, STATUS_OK},
	    {"18446744073709551616", 0, UINT64_MAX, 0, STATUS_INPUT},
	    {"0", 1, 9, 0, STATUS_INPUT},
	    {"10", 1, 9, 0, STATUS_INPUT},
	    {"-1", 0, 9, 0, STATUS_INPUT},
	    {"+1", 0, 9, 0, STATUS_INPUT},
	    {" 1", 0, 9, 0, STATUS_INPUT},
	    {"1 ", 0, 9, 0, STATUS_INPUT},
	    {"1e3", 0, 9999, 0, STATUS_INPUT},
	    {"0x3", 0, 9999, 0, STATUS_INPUT},
	    {"", 0, 9, 0, STATUS_INPUT},
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct why why;
		uint64_t number = 77;
		enum status status =
		    number_parse("--games", rows[i].text, rows[i].min, rows[i].max, &number, &why);
		assert_int_equal(status, rows[i].status);
		assert_int_equal(number, status ? 77 : rows[i].number);
	}
	struct why why;
	uint64_t number;
	assert_int_equal(number_parse("--games", "x", 1, 9, &number, &why), STATUS_INPUT);
	assert_string_equal(why.text, "--games: 'x' is not a whole number from 1 to 9");
}

static const char plan[] = "plan.yaml"; /* in a folder of its own */

/* An entry a line: board label agent games train evaluate repeat. */
static void experiment_describe(const struct experiment *experiment, char *text, size_t size)
{
	size_t used = 0;
	for (size_t i = 0; i < experiment->count && used < size; i++) {
		const struct experiment_entry *e = experiment->entries[i];
		const struct schedule *s = &e->schedule;
		used += (size_t)snprintf(
		    text + used, size - used,
		    "%s %s %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", e->game.name,
		    e->label, e->agent, s->games, s->train, s->evaluate, s->repeat);
	}
}

static void experiment_files_become_entries(void **state)
{
	static const struct {
		const char *yaml, *entries, *name;
		uint64_t seed;
	} rows[] = {
	    {"boards: [2x2, 3x5]\nagents: [random, greedy]\ngames: 7\n",
	     "2x2 random random 7 0 0 0\n2x2 greedy greedy 7 0 0 0\n"
	     "3x5 random random 7 0 0 0\n3x5 greedy greedy 7 0 0 0\n",
	     "plan", 1},
	    {"boards: 3x3\nagents: 'expectimax:depth=1,cutoff=0.5'\ngames: 1\nseed: 0\nname: "
	     "a-b.c\n",
	     "3x3 expectimax:depth=1,cutoff=0.5 expectimax:depth=1,cutoff=0.5 1 0 0 0\n", "a-b.c",
	     0},
	    {"boards: [3x3]\nseed: 18446744073709551615\nsequences:\n"
	     "  - {agents: [expectimax:depth=1], label: deep, games: 2}\n"
	     "  - boards: [2x2]\n    agents: qlearn\n    train: 100\n    evaluate: 5\n    repeat: "
	     "3\n"
	     "  - agents: qlearn\n    train: 9\n    games: 4\n",
	     "3x3 deep expectimax:depth=1 2 0 0 0\n2x2 qlearn qlearn 0 100 5 3\n"
	     "3x3 qlearn qlearn 4 9 0 1\n",
	     "plan", UINT64_MAX},
	    {"games: 6\nagents: [random]\nsequences:\n  - boards: &b [2x2]\n  - boards: *b\n"
	     "    agents: [greedy]\n    games: 8\n",
	     "2x2 random random 6 0 0 0\n2x2 greedy greedy 8 0 0 0\n", "plan", 1},
	};
	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		char text[1000] = "";
		struct why why = {""};
		struct experiment experiment;
		file_write(plan, rows[i].yaml);
		assert_works(experiment_read(&experiment, plan, &why));
		experiment_describe(&experiment, text, sizeof text);
		assert_string_equal(text, rows[i].entries);
		assert_string_equal(experiment.name, rows[i].name);
		assert_true(experiment.seed == rows[i].seed);
		experiment_fini(&experiment);
	}
}

static void spawn_start_tiles_and_title_apply_to_all_entries(void **state)
{
	(void)state;
	struct why why;
	struct experiment experiment;
	static const char yaml[] = "title: One, two\nspawn: 2:0.5,8:0.5\nstart-tiles: 3\n"
				   "boards: [2x2, 4x4]\nagents: random\ngames: 1\n";
	file_write(plan, yaml);
	assert_int_equal(experiment_read(&experiment, plan, &why), STATUS_OK);
	assert_string_equal(experiment.title, "One, two");
	for (int i = 0; i < 2; i++) {
		const struct game *game = &experiment.entries[i]->game;
		assert_int_equal(game->start_tiles, 3);
		assert_int_equal(game->spawn.kinds, 2);
		assert_int_equal(game->spawn.exponent[1], 3);
	}
	experiment_fini(&experiment);
}

#define GRID "boards: [3x3]\nagents: [random]\ngames: 1\n"
#define LABEL_64 "0123456789012345678901234567890123456789012345678901234567890123"

static const struct {
	const char *yaml, *error; /* error without "FILE:" */
} mistakes[] = {
    {"", " is empty"},
    {"# nothing\n", " is empty"},
    {"boards: [3x3\nagents", "3:1: did not find expected ',' or ']'"},
    {"a: b: c\n", "1:5: mapping values are not allowed in this context"},
    {"boards: *b\n", "1:9: found undefined alias"},
    {"boards: [\x80]\n", "1: invalid leading UTF-8 octet (byte 9)"},
    {GRID "---\n" GRID, "5:1: a second document; one is allowed"},
    {GRID "...\n}\n", "5:1: did not find expected <document start>"},
    {"- 3x3\n", "1:1: an experiment: must be a mapping of keys to values"},
    {"3x3\n", "1:1: an experiment: must be a mapping of keys to values"},
    {GRID "game: 2\n", "4:1: unknown key 'game'; did you mean 'games'?"},
    {GRID "start_tiles: 2\n", "4:1: unknown key 'start_tiles'; did you mean 'start-tiles'?"},
    {GRID "colour: red\n", "4:1: unknown key 'colour'; the keys here are boards, agents, "
			   "players, games, name, title, duration, seed, "
			   "spawn, start-tiles, ms-per-move, traces, precision, "
			   "sequences, sweep"},
    {GRID "ms-per-move: 0\n",
     "4:14: ms-per-move: '0' is not a number of milliseconds above 0, at most 1e+06"},
    {GRID "ms-per-move: 1ms\n",
     "4:14: ms-per-move: '1ms' is not a number of milliseconds above 0, at most 1e+06"},
    {GRID "ms-per-move: 2e6\n",
     "4:14: ms-per-move: '2e6' is not a number of milliseconds above 0, at most 1e+06"},
    {GRID "ms-per-move: [1]\n", "4:14: ms-per-move: must be a single value"},
    {"ms-per-move: 1\nboards: [3x3]\nagents: [random, 'expectimax:ms=2']\ngames: 1\n",
     "3:18: expectimax:ms=2: has its own ms=, beside the same time for all"},
    {GRID "traces: 1001\n", "4:9: traces: '1001' is not a whole number from 0 to 1000"},
    {"boards: [3x3]\nsweep: {depths: 1}\ntraces: 1\n",
     "3:9: traces: has no meaning beside a sweep"},
    {"boards: [3x3]\nsweep: {depths: 1}\nms-per-move: 1\n",
     "3:14: ms-per-move: has no meaning beside a sweep"},
    {GRID "games: 2\n", "4:1: key 'games' is there twice"},
    {GRID "[a, b]: 2\n", "4:1: a key: must be a single value"},
    {GRID "name: a/b\n", "4:7: name: 'a/b' must be letters, digits, '.', '_' and '-'"},
    {GRID "name: ..\n", "4:7: name: '..' must be letters, digits, '.', '_' and '-'"},
    {GRID "name: [a]\n", "4:7: name: must be a single value"},
    {GRID "title:\n", "4:7: title: must not be empty or contain a NUL"},
    {GRID "title: \"a\\0b\"\n", "4:8: title: must not be empty or contain a NUL"},
    {GRID "title: \"a\\nb\"\n",
     "4:8: title: 'a?b': byte 2 is a control character or changes the direction of "
     "text (U+000A); expected plain text"},
    {GRID "seed: -1\n", "4:7: seed: '-1' is not a whole number from 0 to 18446744073709551615"},
    {GRID "start-tiles: 0\n", "4:14: start-tiles: '0' is not a whole number from 1 to 36"},
    {GRID "start-tiles: 10\n", "1:10: 10 start tiles on 3x3: expected 1..9"},
    {GRID "spawn: 2:0.9\n", "4:8: spawn '2:0.9': probabilities add up to 0.9, expected 1"},
    {"agents: [random]\ngames: 1\n", "1:1: boards is missing"},
    {"boards: [3x3]\ngames: 1\n", "1:1: agents is missing"},
    {"boards: [3x3]\nagents: [random]\n", "1:1: games is missing"},
    {"boards: []\nagents: [random]\ngames: 1\n", "1:9: boards: must not be an empty list"},
    {"boards: {a: 1}\nagents: [random]\ngames: 1\n", "1:9: boards: must be a single value"},
    {"boards: &b [*b]\nagents: [random]\ngames: 1\n", "1:9: boards: must be a single value"},
    {"boards: [3x3]\nagents: [[random]]\ngames: 1\n", "2:10: agents: must be a single value"},
    {"boards: [7x3]\nagents: [random]\ngames: 1\n",
     "1:10: board '7x3': expected ROWSxCOLUMNS from 2x2 to 6x6, such as 4x4"},
    {"boards: [3x3]\nagents: [random]\ngames: 0\n",
     "3:8: games: '0' is not a whole number from 1 to 1000000000"},
    {"boards: [3x3]\nagents: [random]\ngames: 1000000001\n",
     "3:8: games: '1000000001' is not a whole number from 1 to 1000000000"},
    {"boards: [3x3]\nagents: [random]\ngames: ten\n",
     "3:8: games: 'ten' is not a whole number from 1 to 1000000000"},
    {"boards: [3x3]\nagents: [random, expectimax:depth=1,cutoff=0]\ngames: 1\n",
     "2:37: 'cutoff=0' is a parameter and no agent; an agent with several parameters must "
     "be "
     "quoted"},
    {"boards: [3x3]\nagents: [random, random]\ngames: 1\n",
     "2:18: random plays on 3x3 already: the agent or the board is named twice"},
    {"boards: [3x3, 3x3]\nagents: [random]\ngames: 1\n",
     "2:10: random plays on 3x3 already: the agent or the board is named twice"},
    {"boards: 3x3,3x4\nagents: [random]\ngames: 1\n",
     "1:9: boards: '3x3,3x4': expected a YAML list: [3x3,3x4]"},
    {"boards: [3x3]\nagents: random,greedy\ngames: 1\n",
     "2:9: agents: 'random,greedy': expected a YAML list: [random,greedy]"},
    {"boards: [3x3]\nsweep: {depths: \"1-2,3\"}\n",
     "2:17: depths: '1-2,3': expected a YAML list: [1-2,3]"},
    {"boards: [3x3]\nsweep: {positions: nowhere}\n",
     "2:20: positions: 'nowhere': No such file or directory; expected a number of positions or "
     "a file"},
    {GRID "sequences: []\n", "4:12: sequences: must not be an empty list"},
    {GRID "sequences: [7]\n", "4:13: a sequence: must be a mapping of keys to values"},
    {GRID "sequences: [{seed: 1}]\n",
     "4:14: unknown key 'seed'; the keys here are boards, agents, players, games, label, train, "
     "seconds, evaluate, repeat, trainings, under"},
    {GRID "sequences: [{agent: random}]\n", "4:14: unknown key 'agent'; did you mean 'agents'?"},
    {GRID "sequences: [{evaluate: 5}]\n", "4:24: evaluate: needs train or seconds"},
    {GRID "sequences: [{repeat: 5}]\n", "4:22: repeat: needs train or seconds"},
    {GRID "sequences: [{trainings: 5}]\n", "4:25: trainings: needs train or seconds"},
    {GRID "sequences: [{train: 5, seconds: 5}]\n",
     "4:33: seconds: a block has either train or seconds"},
    {GRID "sequences: [{seconds: 0, evaluate: 1}]\n",
     "4:23: seconds: '0' is not a whole number from 1 to 1000000000"},
    {"boards: [3x3]\nsequences: [{agents: qlearn, seconds: 1, repeat: 100001, games: 1}]\n",
     "2:22: repeat: must be at most 100000 with seconds"},
    {GRID "sequences: [{seconds: 1, evaluate: 1}]\n",
     "2:10: random does not learn: seconds must be left out"},
    {GRID "sequences: [{train: 5}]\n", "2:10: random does not learn: train must be left out"},
    {"boards: [3x3]\nsequences: [{agents: qlearn, train: 5}]\n",
     "2:13: neither evaluate nor games: nothing to play"},
    {"boards: [3x3]\nsequences: [{agents: qlearn, train: 0, games: 1}]\n",
     "2:37: train: '0' is not a whole number from 1 to 1000000000"},
    {"boards: [3x3]\nsequences: [{agents: qlearn, train: [9, 1d], games: 1}]\n",
     "2:41: train: '1d': expected training games, as in 1000, or a time, as in 10m"},
    {"boards: [3x3]\nsequences: [{agents: qlearn, train: [9, 9], games: 1}]\n",
     "2:41: train: '9': the points of a list must rise, all in games or all in time"},
    {"boards: [3x3]\nsequences: [{agents: qlearn, train: {9: [9, 20s]}, games: 1}]\n",
     "2:45: train: '20s': the points of a list must rise, all in games or all in time"},
    {"boards: [3x3]\nsequences: [{agents: qlearn, train: [], games: 1}]\n",
     "2:37: train: must not be an empty list"},
    {"boards: [3x3]\nsequences: [{agents: qlearn, train: [9, 99], repeat: 2, games: 1}]\n",
     "2:54: repeat: not with a list of trainings"},
    {"boards: [3x3]\nsequences: [{agents: qlearn, train: 9, trainings: 0, games: 1}]\n",
     "2:51: trainings: '0' is not a whole number from 1 to 100"},
    {"boards: [3x3]\nsequences: [{agents: qlearn, train: 9, repeat: 0, games: 1}]\n",
     "2:48: repeat: '0' is not a whole number from 1 to 1000000000"},
    {"boards: [3x3]\nsequences: [{agents: qlearn, train: 100000, repeat: 10001, games: "
     "1}]\n",
     "2:22: train and evaluate, times repeat, must be at most 1000000000"},
    {"boards: [3x3]\nsequences: [{agents: [random, greedy], label: a, games: 1}]\n",
     "2:31: label 'a' is taken on 3x3 by random"},
    {GRID "sequences: [{label: \"a\\tb\"}]\n",
     "4:21: label: 'a\tb': byte 2 is a control character or changes the direction of text "
     "(U+0009); expected plain text"},
    {GRID "sequences: [{label: " LABEL_64 "}]\n",
     "2:10: label: '0123456789012345678901234567890123456789...' has 64 bytes; expected at most "
     "63"},
    {"boards: [3x3]\ngames: 1\nagents: [\"qlearn:a\\tb\"]\n",
     "3:10: agents: 'qlearn:a\tb': byte 9 is a control character or changes the direction of "
     "text (U+0009); expected plain text"},
    {GRID "sequences: [{label: ''}]\n", "4:21: label: must not be empty or contain a NUL"},
};

static void errors_in_experiment_files_have_their_place(void **state)
{
	(void)state;
	for (size_t i = 0; i < LENGTH(mistakes); i++) {
		char expected[600];
		struct why why = {""};
		struct experiment experiment = {.seed = 77};
		file_write(plan, mistakes[i].yaml);
		if (experiment_read(&experiment, plan, &why) != STATUS_INPUT)
			fail_msg("no error in:\n%s", mistakes[i].yaml);
		snprintf(expected, sizeof expected, "%s:%s", plan, mistakes[i].error);
		assert_string_equal(why.text, expected);
		assert_int_equal(experiment.seed, 77);
		assert_int_equal(experiment.count, 0);
	}
}

/* The messages are those of agents/, so only place and beginning are compared. */
static void errors_in_agents_have_their_place(void **state)
{
	static const struct {
		const char *yaml, *error;
	} rows[] = {
	    {"boards: [3x3]\nagents: [random, expectmax]\ngames: 1\n",
	     "2:18: agent 'expectmax': did you mean expectimax?"},
	    {"boards: [3x3]\nagents:\n  - expectimax:deep=2\ngames: 1\n",
	     "3:5: expectimax has no key 'deep'"},
	    {"boards: [3x3]\nagents: ['expectimax:depth=two']\ngames: 1\n", "2:10: depth: "},
	    {"boards: [3x3]\nagents: ['qlearn:/nonexistent.nxn']\ngames: 1\n",
	     "2:10: /nonexistent.nxn: cannot open the model"},
	    {"boards: [3x3]\nagents: [random, 'qlearn:file=/nonexistent,012,eta=2']\ngames: 1\n",
	     "2:18: /nonexistent,012: cannot open the model"},
	};
	(void)state;
	for (size_t i = 0; i < LENGTH(rows); i++) {
		char expected[300];
		struct why why = {""};
		struct experiment experiment;
		file_write(plan, rows[i].yaml);
		enum status status = experiment_read(&experiment, plan, &why);
		assert_int_equal(status, STATUS_INPUT);
		snprintf(expected, sizeof expected, "%s:%s", plan, rows[i].error);
		if (strncmp(why.text, expected, strlen(expected)) != 0)
			fail_msg("'%s' does not begin with '%s'", why.text, expected);
	}
}

static void files_that_cannot_be_experiments_are_refused(void **state)
{
	(void)state;
	char expected[200];
	struct why why;
	struct experiment experiment;
	unlink(plan);
	assert_int_equal(experiment_read(&experiment, plan, &why), STATUS_INPUT);
	snprintf(expected, sizeof expected, "%s: No such file or directory", plan);
	assert_string_equal(why.text, expected);
	assert_int_equal(experiment_read(&experiment, ".", &why), STATUS_INPUT);
	snprintf(expected, sizeof expected, "%s: is a folder; expected a file", ".");
	assert_string_equal(why.text, expected);

	enum { DOCUMENT_SIZE_MAX = 1 << 16 };
	char *large = malloc(DOCUMENT_SIZE_MAX + 1);
	assert_non_null(large);
	memset(large, '#', DOCUMENT_SIZE_MAX + 1);
	file_store(plan, large, DOCUMENT_SIZE_MAX + 1);
	assert_int_equal(experiment_read(&experiment, plan, &why), STATUS_INPUT);
	snprintf(expected, sizeof expected, "%s: larger than 65536 bytes", plan);
	assert_string_equal(why.text, expected);
	file_store(plan, large, DOCUMENT_SIZE_MAX);
	assert_int_equal(experiment_read(&experiment, plan, &why), STATUS_INPUT);
	snprintf(expected, sizeof expected, "%s: is empty", plan);
	assert_string_equal(why.text, expected);
	free(large);
}

static void an_experiment_has_at_most_so_many_entries(void **state)
{
	(void)state;
	struct why why;
	struct game game;
	struct schedule schedule = {.games = 1};
	struct experiment full = {.count = ENTRIES_MAX};
	game_of("2x2", &game);
	assert_int_equal(experiment_add(&full, &game, "random", NULL, &schedule, &why),
			 STATUS_INPUT);
	assert_string_equal(why.text, "more than 10000 players on boards");
}

static void long_agents_get_short_labels_that_differ(void **state)
{
	(void)state;
	struct why why;
	struct game game;
	char first[200], second[200];
	struct schedule schedule = {.games = 1};
	struct experiment experiment = {.seed = 1};
	static const char same[] =
	    "expectimax:value=heuristic,depth=1,cutoff=0.125,terminal=-100,w_empty=1.";
	snprintf(first, sizeof first, "%s5", same);
	snprintf(second, sizeof second, "%s25", same);
	game_of("2x2", &game);
	assert_int_equal(experiment_add(&experiment, &game, first, NULL, &schedule, &why),
			 STATUS_OK);
	assert_int_equal(experiment_add(&experiment, &game, second, NULL, &schedule, &why),
			 STATUS_OK);
	const char *a = experiment.entries[0]->label, *b = experiment.entries[1]->label;
	static const char short_a[] = "expectimax:..cutoff=0.125,terminal=-100,w_empty=1.5~";
	static const char short_b[] = "expectimax:..cutoff=0.125,terminal=-100,w_empty=1.25~";
	assert_int_equal(strncmp(a, short_a, sizeof short_a - 1), 0);
	assert_int_equal(strncmp(b, short_b, sizeof short_b - 1), 0);
	assert_int_equal(strlen(a), sizeof short_a - 1 + 6);
	assert_string_not_equal(a, b);
	experiment_fini(&experiment);
}

static void the_same_time_goes_to_those_who_can_be_told_it(void **state)
{
	static const char yaml[] =
	    "ms-per-move: 0.25\nboards: [3x3]\ngames: 1\n"
	    "agents: [random, expectimax, 'expectimax:depth=3,leaf=after', 'expectimax:1']\n";
	static const char *const agents[] = {"random", "expectimax:ms=0.25",
					     "expectimax:depth=3,leaf=after,ms=0.25",
					     "expectimax:depth=1,ms=0.25"};
	(void)state;
	struct experiment experiment;
	struct why why;
	file_write(plan, yaml);
	assert_works(experiment_read(&experiment, plan, &why));
	assert_int_equal(experiment.count, LENGTH(agents));
	for (size_t i = 0; i < LENGTH(agents); i++)
		assert_string_equal(experiment.entries[i]->agent, agents[i]);
	assert_string_equal(experiment.entries[2]->label, "expectimax:depth=3,leaf=after");
	experiment_fini(&experiment);
}

static void a_configuration_is_the_hash_of_its_text(void **state)
{
	(void)state;
	static const struct {
		struct game_options game;
		const char *agent, *text;
		uint64_t trained;
	} rows[] = {
	    {{.shape = "4x4"},
	     "random",
	     "board=4x4 spawn=2:0.9,4:0.1 start= start-tiles=2 agent=random trained=0",
	     0},
	    {{.shape = "2x3", .spawn = "8:0.25,2:0.75", .start_tiles = 5},
	     "greedy",
	     "board=2x3 spawn=2:0.75,8:0.25 start= start-tiles=5 agent=greedy trained=0",
	     0},
	    {{.start = "2,0/0,4"},
	     "qlearn",
	     "board=2x2 spawn=2:0.9,4:0.1 start=2,0/0,4 start-tiles=0 agent=qlearn trained=1000",
	     1000},
	};
	for (size_t i = 0; i < LENGTH(rows); i++) {
		struct experiment_entry entry = {.label = "does not matter"};
		game_make(&rows[i].game, &entry.game);
		snprintf(entry.settings, sizeof entry.settings, "%s", rows[i].agent);
		assert_true(entry_config(&entry, rows[i].trained) ==
			    XXH3_64bits(rows[i].text, strlen(rows[i].text)));
	}
}

static void games_and_training_are_counted_by_stage(void **state)
{
	(void)state;
	struct experiment_entry grid = {.schedule = {.games = 7}};
	assert_int_equal(entry_trained(&grid), 0);
	assert_int_equal(entry_games(&grid, 0), 7);
	assert_int_equal(entry_total(&grid), 7);
	struct experiment_entry learner = {
	    .schedule = {.games = 5, .train = 100, .evaluate = 3, .repeat = 4}};
	assert_int_equal(entry_trained(&learner), 400);
	assert_int_equal(entry_games(&learner, 100), 3);
	assert_int_equal(entry_games(&learner, 400), 8);
	assert_int_equal(entry_total(&learner), 4 * 3 + 5);
	/* By time: two blocks have ended, and then three. */
	uint64_t ends[] = {70, 160, 0};
	struct experiment_entry timed = {
	    .schedule = {.games = 5, .seconds = 9, .evaluate = 3, .repeat = 3}, .ends = ends};
	assert_int_equal(entry_stage(&timed, 2), 160);
	assert_int_equal(entry_trained(&timed), 0);
	assert_int_equal(entry_games(&timed, 160), 3);
	assert_int_equal(entry_total(&timed), 3 * 3 + 5);
	ends[2] = 300;
	assert_int_equal(entry_trained(&timed), 300);
	assert_int_equal(entry_games(&timed, 300), 8);
	/* What it trained is kept apart from training by games, and by other times. */
	struct why why;
	char nine[FOLDER_PATH_MAX], eight[FOLDER_PATH_MAX], games[FOLDER_PATH_MAX];
	assert_false(entry_model_path(&timed, "models", 0, nine, &why));
	assert_false(entry_model_path(&learner, "models", 0, games, &why));
	assert_string_not_equal(nine, games);
	timed.schedule.seconds = 8;
	assert_false(entry_model_path(&timed, "models", 0, eight, &why));
	timed.schedule.seconds = 9;
	assert_string_not_equal(nine, eight);
	assert_true(entry_config(&timed, 300) == entry_config(&learner, 300));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(agents_are_told_apart_from_their_parameters),
	    cmocka_unit_test(lists_are_split_at_commas_and_go_on_when_repeated),
	    cmocka_unit_test(numbers_are_digits_within_their_range),
	    cmocka_unit_test(experiment_files_become_entries),
	    cmocka_unit_test(spawn_start_tiles_and_title_apply_to_all_entries),
	    cmocka_unit_test(errors_in_experiment_files_have_their_place),
	    cmocka_unit_test(errors_in_agents_have_their_place),
	    cmocka_unit_test(files_that_cannot_be_experiments_are_refused),
	    cmocka_unit_test(the_same_time_goes_to_those_who_can_be_told_it),
	    cmocka_unit_test(an_experiment_has_at_most_so_many_entries),
	    cmocka_unit_test(long_agents_get_short_labels_that_differ),
	    cmocka_unit_test(a_configuration_is_the_hash_of_its_text),
	    cmocka_unit_test(games_and_training_are_counted_by_stage),
	};
	return cmocka_run_group_tests(tests, folder_enter, folder_leave);
}
