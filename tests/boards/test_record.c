/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Record files: written and read back, every error, and files damaged in every byte. What is read
 * is held against the oracle; the lines of the errors are written by hand.
 */
#include "boards/record.h"
#include "boards/oracle.h"
#include "tests/files.h"
#include "tests/random_board.h"
#include "tests/test.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOVES_MAX = 4000 };

/* A game as a test makes it. */
struct made {
	struct game game;
	struct record_move move[MOVES_MAX];
	struct record_line line;
};

/* Plays random moves, at most MOST, by the oracle's rules. */
static void game_play(struct made *made, size_t most, uint64_t index)
{
	struct rng rng;
	struct board board, next;
	struct moves moves;
	struct record record = {.move = made->move};
	rng_init(&rng, 11, RNG_TEST, index);
	board_start(&made->game, &board, &rng);
	record.start = board;
	for (oracle_moves(&made->game, &board, &moves); moves.legal && record.moves < most;
	     oracle_moves(&made->game, &board, &moves)) {
		int d = moves_any(&moves, &rng);
		next = moves.after[d];
		board_spawn(&made->game, &next, &rng);
		made->move[record.moves++] = record_move_of(d, &moves.after[d], &next);
		record.score += moves.reward[d];
		board = next;
	}
	record.finished = !moves.legal;
	record.max_exponent = board_max(&board);
	made->line =
	    (struct record_line){.game = &made->game, .player = "a test", .record = record};
}

/* Whether RECORD is a game of GAME by the oracle, with the score that it says. */
static bool record_holds(const struct game *game, const struct record *record)
{
	struct board board = record->start;
	struct moves moves;
	uint64_t score = 0;
	bool open = false;
	for (size_t i = 0; i < record->moves; i++) {
		const struct record_move *move = &record->move[i];
		bool kind = false;
		oracle_moves(game, &board, &moves);
		if (open || move->direction >= DIRECTIONS || !(moves.legal >> move->direction & 1))
			return false;
		board = moves.after[move->direction];
		score += moves.reward[move->direction];
		open = move->exponent == 0;
		for (int k = 0; k < game->spawn.kinds; k++)
			kind = kind || game->spawn.exponent[k] == move->exponent;
		if (!open &&
		    (!kind || move->place / ROW_BYTES >= game->rows ||
		     move->place % ROW_BYTES >= game->cols || *board_at(&board, move->place)))
			return false;
		*board_at(&board, move->place) += move->exponent;
	}
	oracle_moves(game, &board, &moves);
	return score == record->score && board_max(&board) == record->max_exponent &&
	       (open ? !record->finished : record->finished == !moves.legal);
}

static void writer_open(struct record_writer *writer)
{
	struct why why;
	if (record_writer_open(writer, temporary_path, "nobody", NULL, &why))
		fail_msg("%s", why.text);
}

static void append(struct record_writer *writer, const struct record_line *line)
{
	struct why why;
	if (record_writer_append(writer, line, &why))
		fail_msg("%s", why.text);
}

static void writer_close(struct record_writer *writer)
{
	assert_int_equal(append_close(&writer->file, NULL), STATUS_OK);
}

/* Writes the line of MADE; how much was cut off before. */
static uint64_t written(const struct made *made)
{
	struct record_writer writer;
	writer_open(&writer);
	append(&writer, &made->line);
	writer_close(&writer);
	return (uint64_t)writer.file.cut;
}

static void same_record(const struct record *a, const struct record *b)
{
	assert_true(board_equal(&a->start, &b->start));
	assert_int_equal(a->moves, b->moves);
	assert_memory_equal(a->move, b->move, a->moves * sizeof *a->move);
	assert_true(a->score == b->score);
	assert_int_equal(a->max_exponent, b->max_exponent);
	assert_int_equal(a->finished, b->finished);
}

TEST(games_of_every_shape_are_read_back)
{
	static struct made made[25];
	static const char *const rules[] = {NULL, "2:1", "4:0.25,2:0.75", "8:0.125,2:0.875",
					    "256:0.5,2:0.5"};
	struct record_writer writer;
	writer_open(&writer);
	for (int i = 0; i < 25; i++) {
		char shape[] = {(char)('2' + i / 5), 'x', (char)('2' + i % 5), '\0'};
		game_make(&(struct game_options){.shape = shape, .spawn = rules[i % 5]},
			  &made[i].game);
		game_play(&made[i], i % 3 ? MOVES_MAX : 3, (uint64_t)i);
		made[i].line.seed = (struct record_number){i % 2, UINT64_MAX};
		made[i].line.index = (struct record_number){i % 4 > 0, (uint64_t)i};
		made[i].line.config = (struct record_number){i % 2, 0xab};
		append(&writer, &made[i].line);
	}
	writer_close(&writer);
	for (int i = 0; i < 25; i++) {
		struct records records;
		struct why why;
		if (records_read(temporary_path, &made[i].game, &records, &why))
			fail_msg("%s", why.text);
		assert_int_equal(records.games, 1);
		assert_false(records.torn);
		same_record(&records.game[0], &made[i].line.record);
		assert_true(record_holds(&made[i].game, &records.game[0]));
		records_free(&records);
	}
}

TEST(a_line_tells_who_played_what)
{
	static struct made it, *made = &it;
	struct record_reader *reader;
	const struct record_line *line;
	game_of("3x4", &made->game);
	game_play(made, MOVES_MAX, 5);
	made->line.player = "Zoë Ångström #1";
	made->line.seed = (struct record_number){true, 7};
	made->line.config = (struct record_number){true, UINT64_MAX};
	written(made);
	assert_int_equal(record_reader_open(temporary_path, &reader, NULL), STATUS_OK);
	assert_int_equal(record_reader_next(reader, &line, NULL), STATUS_OK);
	assert_string_equal(line->player, "Zoë Ångström #1");
	assert_true(line->seed.known && line->seed.number == 7);
	assert_true(line->config.known && line->config.number == UINT64_MAX);
	assert_false(line->index.known);
	assert_string_equal(line->game->name, "3x4");
	assert_int_equal(line->number, 3);
	assert_int_equal(record_reader_next(reader, &line, NULL), STATUS_OK);
	assert_null(line);
	record_reader_close(reader);
}

/* By hand: in 2,0/2,0 up merges to 4 in the corner, and a 2 appears beside it. */
#define HEAD "# nxn record 1\n"
#define GAME(start, score, tile, end, moves)                                                       \
	"2x2\t2:0.9,4:0.1\tme\t-\t1\t0\t" start "\t" score "\t" tile "\t" end "\t" moves "\n"
#define GOOD GAME("2,0/2,0", "4", "4", "unfinished", "U11")

TEST(a_game_written_by_hand_is_read)
{
	/* After the moves of the first: 4,2/0,0, then 2,0/4,2, then 2,2/4,2. */
	static const char text[] =
	    HEAD GAME("2,0/2,0", "4", "4", "unfinished", "U11D01U31") "# a comment\n" GAME(
		"2,4/4,2", "0", "4", "over", "-") GAME("2,0/2,0", "4", "4", "unfinished", "U00");
	struct game game;
	struct records records;
	struct why why;
	game_of("2x2", &game);
	file_store(temporary_path, text, sizeof text - 1);
	if (records_read(temporary_path, &game, &records, &why))
		fail_msg("%s", why.text);
	assert_int_equal(records.games, 3);
	const struct record *first = &records.game[0];
	assert_int_equal(first->moves, 3);
	assert_int_equal(first->move[0].direction, UP);
	assert_int_equal(first->move[0].place, 1);
	assert_int_equal(first->move[0].exponent, 1);
	assert_int_equal(first->move[1].direction, DOWN);
	assert_int_equal(first->move[2].place, ROW_BYTES + 1);
	assert_int_equal(records.game[1].moves, 0);
	assert_true(records.game[1].finished);
	assert_int_equal(records.game[2].move[0].exponent, 0);
	assert_false(records.game[2].finished);
	records_free(&records);
}

/* Reads TEXT, which must fail with one line that has PLACE (behind the path) and REASON. */
static void refused(const char *text, size_t length, const char *place, const char *reason)
{
	struct game game;
	struct records records = {.games = 77};
	struct why why;
	char begin[512];
	game_of("2x2", &game);
	file_store(temporary_path, text, length);
	assert_int_equal(records_read(temporary_path, &game, &records, &why), STATUS_INPUT);
	snprintf(begin, sizeof begin, "%s%s", temporary_path, place);
	if (strncmp(why.text, begin, strlen(begin)) != 0 || !strstr(why.text, reason) ||
	    strchr(why.text, '\n'))
		fail_msg("'%s' instead of '%s ... %s'", why.text, begin, reason);
	assert_int_equal(records.games, 77);
}

TEST(whatever_is_wrong_is_named_with_its_line_and_move)
{
	static const struct {
		const char *line, *reason;
	} cases[] = {
	    {GAME("2,0/2,0", "4", "4", "unfinished", "L11"), "move 1: left is not legal"},
	    {GAME("2,0/2,0", "4", "4", "unfinished", "U11U11"), "move 2: up is not legal"},
	    {GAME("2,0/2,0", "4", "4", "unfinished", "U01"),
	     "move 1: a tile appears in row 1, column 1, which is occupied"},
	    {GAME("2,0/2,0", "4", "4", "unfinished", "U41"), "move 1: 'U41' is not one of URDL"},
	    {GAME("2,0/2,0", "4", "4", "unfinished", "u11"), "move 1: 'u11'"},
	    {GAME("2,0/2,0", "4", "4", "unfinished", "U1A"), "move 1: 'U1A'"},
	    {GAME("2,0/2,0", "4", "4", "unfinished", "U13"),
	     "move 1: the spawn rule has no tile 2^3"},
	    {GAME("2,0/2,0", "4", "4", "unfinished", "U1z"), "no tile 2^35"},
	    {GAME("2,0/2,0", "4", "4", "unfinished", "U00D01"), "move 1: no tile appears"},
	    {GAME("2,0/2,0", "4", "4", "unfinished", "U10"), "move 1: no tile appears"},
	    {GAME("2,0/2,0", "4", "4", "over", "U00"), "move 1: no tile appears"},
	    {GAME("2,0/2,0", "4", "4", "over", "U11"), "after the last move another is legal"},
	    {GAME("2,4/4,2", "0", "4", "unfinished", "-"), "after the last move none is legal"},
	    {GAME("2,0/2,0", "4", "4", "unfinished", "U1"), "moves: 2 characters"},
	    {GAME("2,0/2,0", "4", "4", "unfinished", ""), "moves: 0 characters"},
	    {GAME("2,0/2,0", "4", "4", "unfinished", "--"), "moves: 2 characters"},
	    {GAME("2,0/2,0", "8", "4", "unfinished", "U11"), "score 8, but the moves make 4"},
	    {GAME("2,0/2,0", "04", "4", "unfinished", "U11"),
	     "score '04': expected a whole number"},
	    {GAME("2,0/2,0", "-", "4", "unfinished", "U11"), "score '-': expected a whole number"},
	    {GAME("2,0/2,0", "18446744073709551620", "4", "unfinished", "U11"), "score '1844"},
	    {GAME("2,0/2,0", "4", "8", "unfinished", "U11"),
	     "max_tile '8', but the game ends with 4"},
	    {GAME("2,0/2,0", "4", "4", "ended", "U11"), "end 'ended'"},
	    {GAME("2,0/2,3", "4", "4", "unfinished", "U11"),
	     "start: position '2,0/2,3', character 7"},
	    {GAME("2,0,0/2,0,0", "4", "4", "unfinished", "U11"),
	     "start: position 2,0,0/2,0,0 is 2x3"},
	    {GAME("64,0/2,0", "0", "64", "unfinished", "R11"), "start: no game on 2x2 reaches 64"},
	    {"2x7\t2:1\tme\t-\t-\t-\t2,0/2,0\t4\t4\tunfinished\tU11\n", "board '2x7'"},
	    {"2x2\t3:1\tme\t-\t-\t-\t2,0/2,0\t4\t4\tunfinished\tU11\n", "spawn '3:1'"},
	    {"2x2\t\tme\t-\t-\t-\t2,0/2,0\t4\t4\tunfinished\tU11\n", "spawn ''"},
	    {"2x2\t2:1\t\t-\t-\t-\t2,0/2,0\t4\t4\tunfinished\tU11\n", "player: must not be empty"},
	    {"2x2\t2:1\tme\tab\t-\t-\t2,0/2,0\t4\t4\tunfinished\tU11\n", "config 'ab'"},
	    {"2x2\t2:1\tme\t-\t-1\t-\t2,0/2,0\t4\t4\tunfinished\tU11\n", "seed '-1'"},
	    {"2x2\t2:1\tme\t-\t1\tx\t2,0/2,0\t4\t4\tunfinished\tU11\n", "game 'x'"},
	    {"2x2\t2:1\tme\t-\t1\t2,0/2,0\t4\t4\tunfinished\tU11\n", "10 columns"},
	    {"2x2\t2:1\tme\t-\t1\t-\t2,0/2,0\t4\t4\tunfinished\tU11\t\n", "12 columns"},
	    {"2x2\t2:1\tm\033[2J\t-\t1\t-\t2,0/2,0\t4\t4\tunfinished\tU11\n",
	     "byte 2 is a control character"},
	    {"\n", "1 columns"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char text[1024];
		int length = snprintf(text, sizeof text, HEAD GOOD "#\n%s", cases[i].line);
		refused(text, (size_t)length, ":4: ", cases[i].reason);
	}
}

TEST(a_player_of_2047_bytes_fits_and_of_2048_does_not)
{
	static struct made it, *made = &it;
	struct record_writer writer;
	struct records records;
	struct why why;
	char name[RECORD_PLAYER_MAX + 1];
	game_of("2x2", &made->game);
	game_play(made, 5, 1);
	memset(name, 'n', sizeof name);
	name[RECORD_PLAYER_MAX] = '\0';
	made->line.player = name;
	writer_open(&writer);
	assert_int_equal(record_writer_append(&writer, &made->line, &why), STATUS_INPUT);
	assert_non_null(strstr(why.text, "has 2048 bytes; expected at most 2047"));
	name[RECORD_PLAYER_MAX - 1] = '\0';
	append(&writer, &made->line);
	made->line.player = "";
	assert_int_equal(record_writer_append(&writer, &made->line, &why), STATUS_INPUT);
	made->line.player = "a\tb";
	assert_int_equal(record_writer_append(&writer, &made->line, &why), STATUS_INPUT);
	writer_close(&writer);
	assert_int_equal(records_read(temporary_path, &made->game, &records, &why), STATUS_OK);
	assert_int_equal(records.games, 1);
	records_free(&records);
	char text[RECORD_PLAYER_MAX + 256];
	name[RECORD_PLAYER_MAX - 1] = 'n';
	int length = snprintf(text, sizeof text,
			      HEAD "2x2\t2:1\t%s\t-\t-\t-\t2,4/4,2\t0\t4\tover\t-\n", name);
	refused(text, (size_t)length, ":2: ", "has 2048 bytes; expected at most 2047");
}

TEST(files_that_are_something_else_are_refused)
{
	static const char zero[] = HEAD "2x2\t2:1\tm\0e\t-\t-\t-\t2,4/4,2\t0\t4\tover\t-\n";
	static const char other[] = "# nxn record 2\n" GOOD;
	static const char shapes[] = HEAD "2x3\t2:1\tme\t-\t-\t-\t2,4,2/4,2,4\t0\t4\tover\t-\n"
					  "2x2\t2:1\tme\t-\t-\t-\t2,4/4,2\t0\t4\tover\t-\n";
	refused(zero, sizeof zero - 1, ":2: ", "holds a zero byte");
	refused(other, sizeof other - 1, ":1: ", "found '# nxn record 2'");
	refused("", 0, ":1: ", "expected '# nxn record 1'");
	refused(GOOD, sizeof GOOD - 1, ":1: ", "expected '# nxn record 1'");
	refused(HEAD, sizeof HEAD - 1, ": ", "none of its 0 games is on 2x2");
	refused(shapes, sizeof shapes - 1, ": ",
		"none of its 2 games is on 2x2 with the tiles of 2:0.9");
	unlink(temporary_path);
	struct game game;
	struct records records;
	struct why why;
	game_of("2x2", &game);
	assert_int_equal(records_read(temporary_path, &game, &records, &why), STATUS_INPUT);
	assert_non_null(strstr(why.text, "no such record file"));
	assert_int_equal(records_read("/", &game, &records, &why), STATUS_INPUT);
	assert_string_equal(why.text, "/: is a folder; expected a file");
}

TEST(an_error_in_a_game_of_another_shape_is_one_too)
{
	static const char text[] = HEAD GOOD "2x3\t2:1\tme\t-\t-\t-\t2,4,2/4,2,4\t8\t4\tover\t-\n";
	refused(text, sizeof text - 1, ":3: ", "score 8");
}

TEST(a_torn_last_line_is_left_out_and_told)
{
	static const char text[] = HEAD GOOD GOOD;
	struct game game;
	game_of("2x2", &game);
	for (size_t length = sizeof HEAD GOOD - 1; length < sizeof text - 1; length++) {
		struct records records;
		file_store(temporary_path, text, length);
		assert_int_equal(records_read(temporary_path, &game, &records, NULL), STATUS_OK);
		assert_int_equal(records.games, 1);
		assert_int_equal(records.torn, length > sizeof HEAD GOOD - 1);
		records_free(&records);
	}
}

TEST(writing_cuts_off_what_is_torn_and_begins_a_torn_file_anew)
{
	static struct made it, *made = &it;
	static const char text[] = HEAD GOOD GOOD;
	game_of("2x2", &made->game);
	game_play(made, 5, 3);
	for (size_t length = 0; length < sizeof text; length++) {
		struct records records;
		size_t one = sizeof HEAD GOOD - 1, whole = length < one ? sizeof HEAD - 1 : one;
		file_store(temporary_path, text, length);
		const uint64_t cut = written(made);
		if (length == sizeof text - 1)
			whole = length;
		assert_int_equal(cut, length < sizeof HEAD - 1 ? length : length - whole);
		assert_int_equal(records_read(temporary_path, &made->game, &records, NULL),
				 STATUS_OK);
		assert_int_equal(records.games, 1 + (length >= one) + (length == sizeof text - 1));
		assert_false(records.torn);
		records_free(&records);
	}
}

TEST(writing_leaves_alone_what_is_no_record_file)
{
	static const char *const texts[] = {"a letter\n", "# nxn records\n", "# nxn record 2\n",
					    "# nxn record 1 \n", "\n"};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		struct record_writer writer;
		struct why why;
		size_t length;
		file_store(temporary_path, texts[i], strlen(texts[i]));
		assert_int_equal(record_writer_open(&writer, temporary_path, "nobody", NULL, &why),
				 STATUS_INPUT);
		assert_non_null(strstr(why.text, "not a record file"));
		char *text = file_load(temporary_path, &length);
		assert_string_equal(text, texts[i]);
		free(text);
	}
	struct record_writer writer;
	struct why why;
	char longer[2000];
	assert_int_equal(record_writer_open(&writer, "/nowhere/games.rec", "nobody", NULL, &why),
			 STATUS_INPUT);
	assert_int_equal(record_writer_open(&writer, "/", "nobody", NULL, &why), STATUS_INPUT);
	assert_string_equal(why.text, "/: is a folder; expected a file");
	assert_int_equal(record_writer_open(&writer, "/dev/null", "nobody", NULL, &why),
			 STATUS_INPUT);
	memset(longer, 'x', sizeof longer - 1);
	longer[sizeof longer - 1] = '\0';
	assert_int_equal(record_writer_open(&writer, longer, "nobody", NULL, &why), STATUS_INPUT);
	assert_non_null(strstr(why.text, "too long a path"));
}

TEST(one_process_writes_and_a_failure_stays_the_last_line)
{
	static struct made it, *made = &it;
	struct record_writer writer, second;
	struct why why;
	game_of("2x2", &made->game);
	game_play(made, 5, 3);
	writer_open(&writer);
	assert_int_equal(record_writer_open(&second, temporary_path, "nobody", NULL, &why),
			 STATUS_INPUT);
	assert_non_null(strstr(why.text, "another process"));
	if (access("/dev/full", W_OK) == 0) {
		int file = writer.file.fd;
		writer.file.fd = open("/dev/full", O_WRONLY);
		assert_int_equal(record_writer_append(&writer, &made->line, &why), STATUS_SYSTEM);
		assert_non_null(strstr(why.text, "cannot be written"));
		close(writer.file.fd);
		writer.file.fd = file;
		assert_int_equal(record_writer_append(&writer, &made->line, &why), STATUS_SYSTEM);
		assert_non_null(strstr(why.text, "an earlier line"));
	}
	writer_close(&writer);
	writer_open(&second);
	writer_close(&second);
}

TEST(provenance_is_comments_and_files_add_up)
{
	static const char *const provenance[] = {"nxn 1", "command: nxn play", NULL};
	static struct made it, *made = &it;
	struct record_writer writer;
	struct records records;
	size_t length;
	game_of("3x3", &made->game);
	game_play(made, MOVES_MAX, 3);
	assert_int_equal(record_writer_open(&writer, temporary_path, "nobody", provenance, NULL),
			 STATUS_OK);
	append(&writer, &made->line);
	writer_close(&writer);
	char *text = file_load(temporary_path, &length);
	static const char head[] =
	    "# nxn record 1\n# nxn 1\n# command: nxn play\n"
	    "# board spawn player config seed game start score max_tile end moves\n";
	assert_memory_equal(text, head, sizeof head - 1);
	char *twice = malloc(2 * length);
	assert_non_null(twice);
	memcpy(twice, text, length);
	memcpy(twice + length, text, length);
	file_store(temporary_path, twice, 2 * length);
	assert_int_equal(records_read(temporary_path, &made->game, &records, NULL), STATUS_OK);
	assert_int_equal(records.games, 2);
	same_record(&records.game[0], &records.game[1]);
	records_free(&records);
	free(twice);
	free(text);
}

TEST(a_line_of_megabytes_is_read_or_refused)
{
	enum { LENGTH = 8 << 20 };
	char *text = malloc(LENGTH);
	static const char begin[] = HEAD "2x2\t2:1\tme\t-\t-\t-\t2,0/2,0\t4\t4\tunfinished\t";
	assert_non_null(text);
	memset(text, 'U', LENGTH);
	memcpy(text, begin, sizeof begin - 1);
	text[LENGTH - 1] = '\n';
	refused(text, LENGTH, ":2: ", "move");
	/* One column of it. */
	memset(text + 15, 'x', LENGTH - 16);
	refused(text, LENGTH, ":2: ", "1 columns");
	/* Nothing but columns. */
	memset(text + 15, '\t', LENGTH - 16);
	refused(text, LENGTH, ":2: ", "8388593 columns");
	free(text);
}

/* Reads the damaged file: false for a clean error, true for games that the oracle agrees with. */
static bool damaged_read(const struct game *game, size_t byte, unsigned char value)
{
	struct records records;
	struct why why = {"nothing"};
	enum status status = records_read(temporary_path, game, &records, &why);
	if (status) {
		if (status != STATUS_INPUT ||
		    strncmp(why.text, temporary_path, strlen(temporary_path)) != 0 ||
		    strchr(why.text, '\n'))
			fail_msg("byte %zu = %d: status %d, '%s'", byte, value, status, why.text);
		return false;
	}
	for (size_t i = 0; i < records.games; i++)
		if (!record_holds(game, &records.game[i]))
			fail_msg("byte %zu = %d: game %zu is none", byte, value, i);
	records_free(&records);
	return true;
}

TEST(every_damaged_byte_is_an_error_or_leaves_games_that_hold)
{
	static struct made made[2];
	struct record_writer writer;
	size_t length, held = 0, reads = 0;
	writer_open(&writer);
	for (int i = 0; i < 2; i++) {
		game_of("2x3", &made[i].game);
		game_play(&made[i], i ? 6 : MOVES_MAX, (uint64_t)i);
		append(&writer, &made[i].line);
	}
	writer_close(&writer);
	char *text = file_load(temporary_path, &length);
	int file = open(temporary_path, O_WRONLY), step = SANITIZED_SHARE > 1 ? 11 : 1;
	assert_true(file >= 0);
	/* A byte of any other value, without a truncation, which can be slow. */
	for (size_t at = 0; at < length; at++) {
		for (int value = 0; value < 256; value += step) {
			unsigned char byte = (unsigned char)value;
			assert_int_equal(pwrite(file, &byte, 1, (off_t)at), 1);
			held += damaged_read(&made[0].game, at, byte);
			reads++;
		}
		assert_int_equal(pwrite(file, text + at, 1, (off_t)at), 1);
	}
	/* A byte left out, then what was behind it too, in a file that gets shorter. */
	for (size_t at = length; at-- > 0;) {
		assert_int_equal(pwrite(file, text + at + 1, length - at - 1, (off_t)at),
				 length - at - 1);
		assert_int_equal(ftruncate(file, (off_t)(length - 1)), 0);
		damaged_read(&made[0].game, at, 0);
		assert_int_equal(ftruncate(file, (off_t)at), 0);
		damaged_read(&made[0].game, at, 0);
		assert_int_equal(pwrite(file, text, length, 0), length);
	}
	close(file);
	free(text);
	/* At least each byte as it was, and most of what is behind a '#' or in a name. */
	assert_true(held >= length && held < reads / 2);
	printf("# %zu files, %zu of them still games\n", reads, held);
}

int main(void)
{
	for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
		tests[i].setup_func = tests[i].test_func ? temporary_make : NULL;
		tests[i].teardown_func = tests[i].test_func ? temporary_remove : NULL;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
