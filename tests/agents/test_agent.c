/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Agents as text: what is accepted, how it is written back, what is said of mistakes. */
#include "agents/play.h"
#include "agents/agent.h"
#include "base/text.h"
#include "tests/agents/agent_of.h"
#include "tests/random_board.h"

static void equal_agents_have_equal_texts(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
	    {"random", "random"},
	    {"greedy:ties=URDL", "greedy"},
	    {"greedy:LDRU", "greedy:ties=LDRU"},
	    {"expectimax", "expectimax"},
	    {"expectimax:depth=2", "expectimax"},
	    {"expectimax:cutoff=1e-6,depth=9", "expectimax:depth=9,cutoff=1e-06"},
	    {"expectimax:depth=03,cutoff=.5", "expectimax:depth=3,cutoff=0.5"},
	    {"expectimax:w_empty=3,value=heuristic", "expectimax:w_empty=3"},
	    {"expectimax:value=score,depth=3", "expectimax:depth=3,value=score"},
	    {"expectimax:tt=65536K", "expectimax"},
	    {"expectimax:tt=1M", "expectimax:tt=1048576"},
	    {"expectimax:rewards=1,terminal=0", "expectimax:rewards=1,terminal=0"},
	    {"expectimax:terminal=-0", "expectimax:terminal=0"},
	    {"expectimax:tt=1G", "expectimax:tt=1073741824"},
	    {"expectimax:tt=1T", "expectimax:tt=1099511627776"},
	    {"expectimax:3,value=heuristic:4", "expectimax:depth=3,w_empty=4"},
	    {"qlearn:file=a,b,c", "qlearn:file=a,b,c"},
	    {"qlearn:levels=9,file=a,b+c=d,eta=2,gamma=0.5",
	     "qlearn:file=a,b+c=d,eta=2,gamma=0.5,levels=9"},
	    {"qlearn:file=,a,eta=2", "qlearn:file=,a,eta=2"},
	    {"qlearn:file=a,eta=2,", "qlearn:file=a,eta=2"},
	    {"qlearn:file=a,b,", "qlearn:file=a,b"},
	    {"qlearn:file=a+b=c", "qlearn:file=a+b=c"},
	    {"qlearn:a+b=c,eta=2", "qlearn:file=a+b=c,eta=2"},
	    {"greedy:ties=UR,DL", "greedy:ties=UR,DL"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char canonical[SPEC_MAX], again[SPEC_MAX];
		struct why why;
		if (agent_canonical(cases[i][0], canonical, &why))
			fail_msg("%s", why.text);
		assert_string_equal(canonical, cases[i][1]);
		assert_int_equal(agent_canonical(canonical, again, &why), STATUS_OK);
		assert_string_equal(again, canonical);
	}
}

static void settings_name_every_parameter(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
	    {"random", "random"},
	    {"greedy", "greedy:ties=URDL"},
	    {"expectimax:depth=3,value=score",
	     "expectimax:depth=3,cutoff=auto,move_p=1,leaf=auto,rewards=auto,terminal=-100,"
	     "tt=67108864,ms=0,nodes=0,threads=1,value=score"},
	    {"expectimax:depth=auto,value=strong,w_mono=40",
	     "expectimax:depth=auto,cutoff=auto,move_p=1,leaf=auto,rewards=auto,terminal=-100,"
	     "tt=67108864,ms=0,nodes=0,threads=1,value=strong,tuned=3,base=auto,w_empty=auto,"
	     "w_merge=auto,w_mono=40,mono_power=auto,w_sum=auto,sum_power=auto,w_edge=auto,"
	     "w_corner=auto"},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char settings[SPEC_MAX], canonical[SPEC_MAX], again[SPEC_MAX];
		assert_int_equal(agent_settings(cases[i][0], settings, NULL), STATUS_OK);
		assert_string_equal(settings, cases[i][1]);
		assert_int_equal(agent_canonical(cases[i][0], canonical, NULL), STATUS_OK);
		assert_int_equal(agent_canonical(settings, again, NULL), STATUS_OK);
		assert_string_equal(again, canonical);
	}
}

/* Each mistake with words that its message must contain. */
static const char *const mistakes[][2] = {
    {"", "expected one of random, greedy"},
    {"expectimux", "did you mean expectimax?"},
    {"nobody:x=1", "expected one of random, greedy"},
    {"greedy,corners,expectimax:depth=2,cutoff=0", "only in a list without ';'; --agent takes one"},
    {"expectimax,depth=2", "as in expectimax:depth=2"},
    {"cutoff=1e-3", "it is a parameter and no agent; parameters follow their agent, with a ','"},
    {"external:python3 x.py --w=2",
     "no key 'python3 x.py --w': a text with a '=' in it needs its key, as in "
     "external:command=..."},
    {"external:batsh=2", "did you mean batch?"},
    {"nobody,depth=2", "expected one of random"},
    {"strong", "it is a value, for a search: expectimax:value=NAME"},
    {"mine.py", "external:COMMAND"},
    {"./mine", "external:COMMAND"},
    {"out/4x4.nxn", "a model follows its agent, as in ntuple:MODEL"},
    {"random:", "nothing follows the ':'"},
    {"expectimax:cutoff=-0", "is not a number from 0 to"},
    {"expectimax:tt=2T", "is not a size from 0 to 1T"},
    {"random:x=1", "it takes none"},
    {"random:x", "expected key=value"},
    {"expectimax:dept=3", "did you mean depth?"},
    {"expectimax:w_emty=3", "did you mean w_empty?"},
    {"expectimax:zzz=3", "'nxn info expectimax' lists its keys"},
    {"expectimax:value=score,w_empty=3", "no key 'w_empty'"},
    {"expectimax:depth=0", "from 1 to 128"},
    {"expectimax:depth=129", "from 1 to 128"},
    {"expectimax:depth=", "is not a whole number"},
    {"expectimax:depth=2x", "is not a whole number"},
    {"expectimax:depth=2.5", "is not a whole number"},
    {"expectimax:depth= 2", "is not a whole number"},
    {"expectimax:depth=99999999999999999999", "is not a whole number"},
    {"expectimax:cutoff=-1", "from 0 to 1"},
    {"expectimax:cutoff=nan", "is not a number"},
    {"expectimax:cutoff=inf", "is not a number"},
    {"expectimax:cutoff=0.1e", "is not a number"},
    {"expectimax:rewards=2", "is none of auto, 0, 1"},
    {"expectimax:value=nothing", "expected one of heuristic, strong"},
    {"expectimax:depth=aut", "from 1 to 128 or auto"},
    {"expectimax:value=strong,w_sum=many", "or auto"},
    {"expectimax:tt=64X", "such as 64M"},
    {"expectimax:tt=-1", "such as 64M"},
    {"expectimax:tt=9000000000G", "such as 64M"},
    {"expectimax:depth=2,,cutoff=0", "expected key=value"},
    {"expectimax:depth=2,3", "expectimax: '3': expected key=value"},
    {"expectimax:depth=2,3,value=score", "expectimax: '3': expected key=value"},
    {"expectimax:value=strong,score", "expectimax: 'score': expected key=value"},
    {"expectimax:leaf=after,state", "'state': expected key=value"},
    {"expectimax:de+pth=2", "is not a whole number"},
    {"qlearn:eta=1,de+pth=2", "'de+pth=2': expected key=value"},
    {"qlearn:a,b", "qlearn: 'b': expected key=value"},
    {"qlearn:file=a,,b", "qlearn: '': expected key=value"},
    {"qlearn:file=a,b,,eta=2", "qlearn: '': expected key=value"},
    {"qlearn:file=a,b,et=2", "did you mean eta?"},
    {"qlearn:eta=2,a,file=b", "qlearn: 'a': expected key=value"},
    {"expectimax:depth=2,depth=4", "expectimax: key 'depth' is there twice"},
    {"expectimax:2,cutoff=0,depth=2", "expectimax: key 'depth' is there twice"},
    {"expectimax:value=score,value=score", "expectimax: key 'value' is there twice"},
    {"expectimax:w_empty=1,value=heuristic,w_empty=1", "key 'w_empty' is there twice"},
    {"qlearn:file=a,b,file=c", "qlearn: key 'file' is there twice"},
    {"qlearn:a,file=c", "qlearn: key 'file' is there twice"},
};

static void mistakes_are_named_with_what_would_be_right(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
		char canonical[SPEC_MAX];
		struct why why = {""};
		if (agent_canonical(mistakes[i][0], canonical, &why) != STATUS_INPUT)
			fail_msg("'%s' was accepted", mistakes[i][0]);
		if (!strstr(why.text, mistakes[i][1]))
			fail_msg("'%s': %s", mistakes[i][0], why.text);
	}
}

/* One character less than FIELD_TEXT_MAX fits, in however many pieces. */
static void a_text_in_pieces_has_room_for_what_one_piece_has(void **state)
{
	(void)state;
	for (int cut = 1; cut < FIELD_TEXT_MAX - 6; cut += 100)
		for (int length = FIELD_TEXT_MAX - 2; length <= FIELD_TEXT_MAX; length++) {
			char text[FIELD_TEXT_MAX + 1], spec[SPEC_MAX], canonical[SPEC_MAX];
			struct why why;
			memset(text, 'a', sizeof text);
			text[cut] = text[FIELD_TEXT_MAX - 5] = ',';
			text[length] = '\0';
			snprintf(spec, sizeof spec, "qlearn:file=%s", text);
			enum status status = agent_canonical(spec, canonical, &why);
			assert_int_equal(status,
					 length < FIELD_TEXT_MAX ? STATUS_OK : STATUS_INPUT);
			if (status)
				assert_non_null(strstr(why.text, "is too long"));
			else
				assert_string_equal(canonical, spec);
		}
}

/* What the agent chooses in POSITION. */
static int choice(const char *spec, const char *position)
{
	struct game game;
	struct turn turn;
	struct rng rng;
	struct decision decision;
	game_make(&(struct game_options){.start = position}, &game);
	struct agent *agent = agent_of(spec, &game);
	rng_init(&rng, 1, RNG_TEST, 0);
	turn_init(&turn, &game, &game.start, 0);
	int move = agent->class->act(agent->self, &turn, &rng, &decision);
	agent_free(agent);
	return move;
}

/* By hand; the rules stand at the head of agents/rules/simple.c. */
static void simple_players_follow_their_rules(void **state)
{
	(void)state;
	static const struct {
		const char *agent, *position;
		int move;
	} cases[] = {
	    /* Left and right make 8 from 4s; up and down, first in order, nothing. */
	    {"greedy", "4,4,0/2,0,0/0,2,0", RIGHT},
	    {"greedy:ties=LDRU", "4,4,0/2,0,0/0,2,0", LEFT},
	    {"greedy", "0,0,0/0,2,0/0,0,0", UP},
	    {"greedy:ties=DLRU", "0,0,0/0,2,0/0,0,0", DOWN},
	    /* The 8 stays in a corner by up; right and left earn 4 besides. */
	    {"corners", "8,0,0/2,2,0/0,0,0", RIGHT},
	    /* All with a corner, all for nothing: the first of up, right, down, left. */
	    {"corners", "2,0,0/0,0,0/0,0,0", RIGHT},
	    {"corners", "0,0,0/0,0,0/0,0,2", UP},
	    /* Right and left would earn 32; only up brings the 64 into a corner. */
	    {"corners", "0,4,2/64,16,16/2,8,4", UP},
	    /* No move brings the 64 into a corner; right earns 32, up nothing. */
	    {"corners", "4,0,2,8/2,16,8,4/4,64,4,8/2,16,16,2", RIGHT},
	    /* Right and left make a 16 outside the corners, so that the 8 in one does not count. */
	    {"corners", "8,2,4/2,8,8/4,2,0", DOWN},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		int move = choice(cases[i].agent, cases[i].position);
		if (move != cases[i].move)
			fail_msg("%s on %s: move %d, expected %d", cases[i].agent,
				 cases[i].position, move, cases[i].move);
	}
}

static void ties_must_be_a_permutation_of_the_directions(void **state)
{
	(void)state;
	static const char *const wrong[] = {"ties=URD",	 "ties=URDU",	"ties=URDLU",
					    "ties=urdl", "ties=Random", "ties="};
	struct game game;
	shape_game(0, &game);
	struct agent_env env = {.game = &game};
	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct agent *agent;
		struct why why = {""};
		char spec[64];
		snprintf(spec, sizeof spec, "greedy:%s", wrong[i]);
		assert_int_equal(agent_new(spec, &env, &agent, &why), STATUS_INPUT);
		assert_non_null(strstr(why.text, "permutation of URDL"));
	}
}

/* A default that its own table refuses would show nowhere else. */
static void params_check(const struct field *params, size_t size)
{
	char *self = calloc(1, size + FIELD_TEXT_MAX);
	for (; params->name; params++) {
		struct why why;
		assert_true(strlen(params->help) > 10);
		if (params->kind != FIELD_VALUE &&
		    field_read(params, params->name, self, params->fallback, &why))
			fail_msg("%s", why.text);
		assert_true(params->offset < size);
	}
	free(self);
}

static void every_default_is_legal_and_every_class_is_whole(void **state)
{
	(void)state;
	for (int i = 0; agent_classes[i]; i++) {
		const struct agent_class *class = agent_classes[i];
		params_check(class->params, class->size);
		assert_non_null(class->act);
		assert_non_null(class->summary);
		assert_ptr_equal(agent_class_of(class->name), class);
		assert_int_equal(class->learn == NULL, class->model == NULL);
		assert_int_equal(class->learn == NULL, class->trained == NULL);
	}
	for (int i = 0; value_classes[i]; i++) {
		params_check(value_classes[i]->params, value_classes[i]->size);
		assert_non_null(value_classes[i]->eval);
	}
}

/* A name is suggested if its distance is at most 2 and half of its length. */
static void distances_between_words_are_edits(void **state)
{
	(void)state;
	static const struct {
		const char *word, *name;
		int distance; /* 3: too far */
	} cases[] = {
	    {"depth", "depth", 0},    {"dept", "depth", 1}, {"edepth", "depth", 1},
	    {"depht", "depth", 2},    {"flaw", "lawn", 2},  {"lawns", "law", 3},
	    {"kitten", "sitting", 3}, {"", "a", 3},	    {"a", "b", 3},
	    {"ab", "ac", 1},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct suggestion s = suggestion_start(cases[i].word, strlen(cases[i].word));
		suggestion_try(&s, "nothing of the kind", 19);
		suggestion_try(&s, cases[i].name, strlen(cases[i].name));
		suggestion_try(&s, "zzz", 3);
		assert_int_equal(s.distance, cases[i].distance);
		assert_ptr_equal(s.name, cases[i].distance < 3 ? cases[i].name : NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(equal_agents_have_equal_texts),
	    cmocka_unit_test(settings_name_every_parameter),
	    cmocka_unit_test(mistakes_are_named_with_what_would_be_right),
	    cmocka_unit_test(a_text_in_pieces_has_room_for_what_one_piece_has),
	    cmocka_unit_test(simple_players_follow_their_rules),
	    cmocka_unit_test(ties_must_be_a_permutation_of_the_directions),
	    cmocka_unit_test(every_default_is_legal_and_every_class_is_whole),
	    cmocka_unit_test(distances_between_words_are_edits),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
