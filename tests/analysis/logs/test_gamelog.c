/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The game log: what is written is read, what is torn is lost alone, what is foreign is left alone.
 */
#include "analysis/logs/gamelog.h"
#include "tests/files.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <time.h>

#define HEADER                                                                                     \
	"config\tboard\tlabel\tagent\ttrained\tseed\tgame\tscore\tmax_tile\tmoves\tseconds"        \
	"\ttile_sum\tuncertainty\n"
#define PLAYED0 "00000000000000ab\t4x4\tgreedy\tgreedy\t0\t7\t0\t3200\t256\t264\t0.250000"
#define PLAYED1 "00000000000000ab\t4x4\tgreedy\tgreedy\t0\t7\t1\t1000\t128\t100\tNaN"
#define UNTOLD "\tNaN\tNaN\n"
#define ROW0 PLAYED0 UNTOLD
#define ROW1 PLAYED1 UNTOLD

static const char *const provenance[] = {"nxn 1", "command: nxn compare", NULL};

/* A game with its player. */
struct played {
	struct gamelog_player player;
	struct gamelog_row row;
};

static const struct played game0 = {
    .player = {.config = 0xab, .board = "4x4", .label = "greedy", .agent = "greedy"},
    .row = {.seed = 7,
	    .score = 3200,
	    .max_tile = 256,
	    .moves = 264,
	    .seconds = 0.25,
	    .uncertainty = NAN},
};

static struct played game1(void)
{
	struct played game = game0;

	game.row.game = 1;
	game.row.score = 1000;
	game.row.max_tile = 128;
	game.row.moves = 100;
	game.row.seconds = NAN;
	return game;
}

static struct rowlog_writer open_log(void)
{
	struct rowlog_writer writer;
	struct why why;

	assert_works(rowlog_open(&writer, &gamelog_kind, temporary_path, provenance, NULL, &why));
	return writer;
}

static void append(struct rowlog_writer *writer, const struct played *game)
{
	assert_int_equal(gamelog_append(writer, &game->player, &game->row, NULL), STATUS_OK);
}

static void close_log(struct rowlog_writer *writer)
{
	assert_int_equal(append_close(&writer->file, NULL), STATUS_OK);
}

static struct gamelog read_log(void)
{
	struct gamelog log;
	struct why why;

	gamelog_init(&log);
	assert_works(gamelog_read(&log, temporary_path, &why));
	return log;
}

static void what_is_written_is_read_back(void **state)
{
	struct rowlog_writer writer = open_log();
	struct played big = game1();
	char label[RESULT_NAME_MAX] = "", agent[2048] = "";

	(void)state;
	memset(label, 'l', sizeof label - 1);
	memset(agent, 'a', sizeof agent - 1);
	big.player.config = UINT64_MAX;
	big.player.trained = 1000;
	big.player.label = label;
	big.player.agent = agent;
	big.row.seed = UINT64_MAX;
	big.row.score = UINT64_MAX;
	big.row.max_tile = UINT64_C(1) << 37;
	append(&writer, &game0);
	append(&writer, &big);
	close_log(&writer);

	struct gamelog log = read_log();
	assert_int_equal(log.count, 2);
	assert_int_equal(log.player_count, 2);
	assert_string_equal(log.rows[0].player->board, "4x4");
	assert_string_equal(log.rows[0].player->label, "greedy");
	assert_int_equal(log.rows[0].player->config, 0xab);
	assert_int_equal(log.rows[0].score, 3200);
	assert_int_equal(log.rows[0].moves, 264);
	assert_true(log.rows[0].seconds == 0.25);
	assert_string_equal(log.rows[1].player->label, label);
	assert_string_equal(log.rows[1].player->agent, agent);
	assert_int_equal(log.rows[1].player->trained, 1000);
	assert_int_equal(log.rows[1].player->number, 1);
	assert_true(log.rows[1].score == UINT64_MAX && log.rows[1].seed == UINT64_MAX);
	assert_true(log.rows[1].max_tile == UINT64_C(1) << 37);
	assert_true(isnan(log.rows[1].seconds));
	gamelog_fini(&log);
}

static void games_of_told_chances_have_sum_and_uncertainty(void **state)
{
	struct rowlog_writer writer = open_log();
	struct played second = game1();

	(void)state;
	second.row.sum = 222;
	second.row.uncertainty = 1.2345678;
	append(&writer, &game0);
	append(&writer, &second);
	close_log(&writer);
	assert_file(temporary_path,
		    "# nxn 1\n# command: nxn compare\n" HEADER ROW0 PLAYED1 "\t222\t1.234568\n");
	struct gamelog log = read_log();
	assert_int_equal(log.count, 2);
	assert_int_equal(log.rows[0].sum, 0);
	assert_true(isnan(log.rows[0].uncertainty));
	assert_int_equal(log.rows[1].sum, 222);
	assert_true(log.rows[1].uncertainty == 1.234568);
	gamelog_fini(&log);
}

static void a_game_is_the_same_whether_or_not_its_uncertainty_was_logged(void **state)
{
	(void)state;
	file_write(temporary_path, HEADER ROW0 ROW1 PLAYED1 "\t222\t0.5\n");
	struct gamelog log = read_log();
	assert_int_equal(log.count, 2);
	assert_int_equal(log.duplicates, 1);
	gamelog_fini(&log);
}

static void text_that_readers_of_tables_would_cut_is_quoted(void **state)
{
	static const char *const labels[] = {"a #1", "\"", "\"x\"", "x\"\"#\"", "it's"};
	struct rowlog_writer writer = open_log();
	struct played game = game0;

	(void)state;
	for (size_t i = 0; i < sizeof labels / sizeof *labels; i++) {
		game.player.config = i;
		game.player.label = labels[i];
		append(&writer, &game);
	}
	close_log(&writer);
	char *text = file_text(temporary_path);
	assert_non_null(strstr(text, "\t\"a #1\"\tgreedy\t"));
	assert_non_null(strstr(text, "\t\"\"\"\"\tgreedy\t"));
	assert_non_null(strstr(text, "\tit's\tgreedy\t"));
	free(text);
	struct gamelog log = read_log();
	for (size_t i = 0; i < sizeof labels / sizeof *labels; i++)
		assert_string_equal(log.players[i]->label, labels[i]);
	gamelog_fini(&log);
}

static void games_are_found_by_configuration_seed_and_index(void **state)
{
	struct gamelog empty;

	(void)state;
	file_write(temporary_path, HEADER ROW0 ROW1);
	struct gamelog log = read_log();
	assert_true(gamelog_find(&log, 0xab, 7, 0));
	assert_true(gamelog_find(&log, 0xab, 7, 1));
	assert_false(gamelog_find(&log, 0xab, 7, 2));
	assert_false(gamelog_find(&log, 0xab, 8, 0));
	assert_false(gamelog_find(&log, 0xac, 7, 0));
	gamelog_fini(&log);
	gamelog_init(&empty);
	assert_false(gamelog_find(&empty, 0xab, 7, 0));
}

static void the_same_game_twice_counts_once(void **state)
{
	static const char slower[] =
	    "00000000000000ab\t4x4\tgreedy\tgreedy\t0\t7\t0\t3200\t256\t264\t9.000000" UNTOLD;
	char text[1024];

	(void)state;
	snprintf(text, sizeof text, HEADER ROW0 ROW1 "%s" ROW0, slower);
	file_write(temporary_path, text);
	struct gamelog log = read_log();
	assert_int_equal(log.count, 2);
	assert_int_equal(log.duplicates, 2);
	assert_true(log.rows[0].seconds == 0.25);
	gamelog_fini(&log);
}

static void a_contradiction_is_refused(void **state)
{
	static const char *const other[] = {
	    "00000000000000ab\t4x4\tgreedy\tgreedy\t0\t7\t1\t1004\t128\t100\tNaN" UNTOLD,
	    "00000000000000ab\t4x4\tgreedy\tgreedy\t0\t7\t1\t1000\t256\t100\tNaN" UNTOLD,
	    "00000000000000ab\t4x4\tgreedy\tgreedy\t0\t7\t1\t1000\t128\t101\tNaN" UNTOLD,
	};

	(void)state;
	for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
		char text[1024];
		struct why why;

		file_write(temporary_path, HEADER ROW0);
		struct gamelog log = read_log();
		snprintf(text, sizeof text, HEADER ROW0 ROW1 "%s", other[i]);
		file_write(temporary_path, text);
		assert_refused(STATUS_INPUT, ":4: contradicts",
			       gamelog_read(&log, temporary_path, &why));
		assert_non_null(strstr(why.text, "seed 7, game 1"));
		gamelog_fini(&log);
	}
}

static void one_config_is_one_player_whatever_it_is_called(void **state)
{
	static const char text[] = HEADER ROW0
	    "00000000000000ab\t4x4\tsomeone\tgreedy\t0\t7\t0\t3200\t256\t264\tNaN" UNTOLD
	    "00000000000000ab\t4x4\tsomeone\tgreedy\t0\t7\t1\t4\t2\t1\tNaN" UNTOLD;
	static const char *const other[] = {
	    "00000000000000ab\t4x4\tgreedy\tcorners\t0\t7\t9\t4\t2\t1\tNaN" UNTOLD,
	    "00000000000000ab\t3x4\tgreedy\tgreedy\t0\t7\t9\t4\t2\t1\tNaN" UNTOLD,
	    "00000000000000ab\t4x4\tgreedy\tgreedy\t5\t7\t9\t4\t2\t1\tNaN" UNTOLD,
	};

	(void)state;
	file_write(temporary_path, text);
	struct gamelog log = read_log();
	assert_int_equal(log.count, 2);
	assert_int_equal(log.duplicates, 1);
	assert_int_equal(log.player_count, 1);
	assert_string_equal(log.rows[1].player->label, "greedy");
	gamelog_fini(&log);
	for (size_t i = 0; i < sizeof other / sizeof *other; i++) {
		char both[1024];
		struct why why;

		snprintf(both, sizeof both, HEADER ROW0 "%s", other[i]);
		file_write(temporary_path, both);
		gamelog_init(&log);
		assert_refused(STATUS_INPUT, ":3: contradicts an earlier line",
			       gamelog_read(&log, temporary_path, &why));
		assert_non_null(strstr(why.text, "greedy on 4x4 after 0 training games"));
		gamelog_fini(&log);
	}
}

static void labels_come_in_the_order_announced(void **state)
{
	static const char text[] = "# player: late\n# player: greedy\n" HEADER ROW0
				   "00000000000000ac\t4x4\tlate\tx\t0\t7\t0\t4\t2\t1\tNaN" UNTOLD
				   "# player: late\n# player: \n# player: to";

	(void)state;
	file_write(temporary_path, text);
	struct gamelog log = read_log();
	assert_int_equal(log.label_count, 2);
	assert_string_equal(log.labels[0], "late");
	assert_string_equal(log.labels[1], "greedy");
	assert_int_equal(log.rows[0].player->place, 1);
	assert_int_equal(log.rows[1].player->place, 0);
	assert_int_equal(log.torn, 1);
	gamelog_fini(&log);
}

static void a_label_is_announced_once_in_a_file(void **state)
{
	struct rowlog_writer writer = open_log();
	struct gamelog log;
	struct why why;

	(void)state;
	gamelog_init(&log);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(gamelog_append_player(&writer, &log, "a b", NULL), STATUS_OK);
		assert_int_equal(gamelog_append_player(&writer, &log, "c", NULL), STATUS_OK);
	}
	assert_int_equal(gamelog_append_player(&writer, &log, "", &why), STATUS_INPUT);
	assert_int_equal(gamelog_append_player(&writer, &log, "a\tb", &why), STATUS_INPUT);
	gamelog_fini(&log);
	close_log(&writer);
	assert_file(temporary_path,
		    "# nxn 1\n# command: nxn compare\n" HEADER "# player: a b\n# player: c\n");
	log = read_log();
	assert_int_equal(log.label_count, 2);
	gamelog_fini(&log);
}

static void the_time_of_training_is_noted_by_player(void **state)
{
	struct rowlog_writer writer = open_log();

	(void)state;
	const struct gamelog_training trainings[] = {
	    {0xab, 1.5, 0}, {0xcd, 0.25, 0.2}, {0xab, 2.5, 0}};
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(gamelog_append_training(&writer, &trainings[i], NULL), STATUS_OK);
	close_log(&writer);
	assert_file(temporary_path, "# nxn 1\n# command: nxn compare\n" HEADER
				    "# training: 00000000000000ab 1.500000\n"
				    "# training: 00000000000000cd 0.250000 0.2\n"
				    "# training: 00000000000000ab 2.500000\n");
	struct gamelog log = read_log();
	assert_true(gamelog_training(&log, 0xab) == 2);
	assert_true(gamelog_training(&log, 0xcd) == 0.25);
	assert_true(isnan(gamelog_training(&log, 0xef)));
	assert_memory_equal(log.trainings, trainings, sizeof trainings);
	gamelog_fini(&log);
	/* Comments that say something else are comments. */
	const char other[] = HEADER "# training: \n# training: ab\n# training: ab x\n"
				    "# training: ab 1 x\n# training: ab -1\n# training: ab nan\n"
				    "# training: ab 1 1 1\n# training: ab 1 \n# training: ab 1";
	file_write(temporary_path, other);
	log = read_log();
	assert_int_equal(log.training_count, 0);
	gamelog_fini(&log);
}

static void several_files_add_up(void **state)
{
	(void)state;
	file_write(temporary_path, HEADER ROW0);
	struct gamelog log = read_log();
	file_write(temporary_path, HEADER ROW1 ROW0);
	assert_int_equal(gamelog_read(&log, temporary_path, NULL), STATUS_OK);
	assert_int_equal(log.count, 2);
	assert_int_equal(log.duplicates, 1);
	assert_int_equal(log.player_count, 1);
	gamelog_fini(&log);
}

static void games_that_a_line_cannot_hold_are_refused(void **state)
{
	struct rowlog_writer writer = open_log();
	struct played bad[10];
	struct why why;

	(void)state;
	for (size_t i = 0; i < 10; i++)
		bad[i] = game0;
	bad[0].player.label = "a\tb";
	bad[1].player.agent = "a\nb";
	bad[2].player.label = "";
	bad[3].player.board = "4";
	bad[4].row.max_tile = 0;
	bad[5].row.max_tile = 6;
	bad[6].row.seconds = -1;
	bad[7].row.seconds = INFINITY;
	bad[8].row.uncertainty = -0.5;
	bad[9].row.uncertainty = INFINITY;
	for (size_t i = 0; i < 10; i++)
		assert_int_equal(gamelog_append(&writer, &bad[i].player, &bad[i].row, &why),
				 STATUS_INPUT);
	close_log(&writer);
	assert_file(temporary_path, "# nxn 1\n# command: nxn compare\n" HEADER);
}

enum { THREADS = 4, GAMES_EACH = 500 };

struct appender {
	struct rowlog_writer *writer;
	uint64_t first;
};

static void *append_many(void *argument)
{
	const struct appender *appender = argument;
	struct played game = game0;

	char agent[1501] = "";

	memset(agent, 'a', sizeof agent - 1);
	game.player.agent = agent;
	for (uint64_t i = 0; i < GAMES_EACH; i++) {
		game.row.game = appender->first + i;
		if (gamelog_append(appender->writer, &game.player, &game.row, NULL) != STATUS_OK)
			return argument;
	}
	return NULL;
}

static void threads_do_not_mix_their_lines(void **state)
{
	struct rowlog_writer writer = open_log();
	struct appender appenders[THREADS];
	pthread_t threads[THREADS];
	void *failed;

	(void)state;
	for (uint64_t i = 0; i < THREADS; i++) {
		appenders[i] = (struct appender){&writer, i * GAMES_EACH};
		assert_int_equal(pthread_create(&threads[i], NULL, append_many, &appenders[i]), 0);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &failed);
		assert_null(failed);
	}
	close_log(&writer);
	struct gamelog log = read_log();
	assert_int_equal(log.count, THREADS * GAMES_EACH);
	for (uint64_t i = 0; i < THREADS * GAMES_EACH; i++)
		assert_true(gamelog_find(&log, 0xab, 7, i));
	gamelog_fini(&log);
}

static void a_hundred_thousand_games_are_read_within_a_second(void **state)
{
	FILE *file = fopen(temporary_path, "w");

	(void)state;
	assert_non_null(file);
	fputs(HEADER, file);
	for (int i = 0; i < 100000; i++)
		fprintf(file,
			"%016x\t4x4\tplayer "
			"%d\texpectimax:depth=%d\t0\t7\t%d\t%d\t2048\t1000\t1.5" UNTOLD,
			i % 20, i % 20, i % 20, i, i);
	assert_int_equal(fclose(file), 0);
	clock_t start = clock();
	struct gamelog log = read_log();
	assert_true(clock() - start < CLOCKS_PER_SEC);
	assert_int_equal(log.count, 100000);
	assert_int_equal(log.player_count, 20);
	assert_true(gamelog_find(&log, 99999 % 20, 7, 99999));
	gamelog_fini(&log);
}

#define WITH_FILE(test) cmocka_unit_test_setup_teardown(test, temporary_make, temporary_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    WITH_FILE(what_is_written_is_read_back),
	    WITH_FILE(games_of_told_chances_have_sum_and_uncertainty),
	    WITH_FILE(a_game_is_the_same_whether_or_not_its_uncertainty_was_logged),
	    WITH_FILE(text_that_readers_of_tables_would_cut_is_quoted),
	    WITH_FILE(games_are_found_by_configuration_seed_and_index),
	    WITH_FILE(the_same_game_twice_counts_once),
	    WITH_FILE(a_contradiction_is_refused),
	    WITH_FILE(one_config_is_one_player_whatever_it_is_called),
	    WITH_FILE(labels_come_in_the_order_announced),
	    WITH_FILE(a_label_is_announced_once_in_a_file),
	    WITH_FILE(the_time_of_training_is_noted_by_player),
	    WITH_FILE(several_files_add_up),
	    WITH_FILE(games_that_a_line_cannot_hold_are_refused),
	    WITH_FILE(threads_do_not_mix_their_lines),
	    WITH_FILE(a_hundred_thousand_games_are_read_within_a_second),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
