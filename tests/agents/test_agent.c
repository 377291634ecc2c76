/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Agents as text: what is accepted, how it is written back, what is said of mistakes. */
#include "tests/agents/agent_of.h"
#include "tests/test.h"

#include <math.h>

TEST(equal_agents_have_equal_texts)
{
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

TEST(settings_name_every_parameter)
{
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

#define NINE "2x2:1+2x2:1+2x2:1+2x2:1+2x2:1+2x2:1+2x2:1+2x2:1+2x2:1"

/* Each mistake with words that its message must contain; on 3x3. */
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
    {"expectimax:dephth=3", "did you mean depth?"},
    {"expectimax:edepth=3", "did you mean depth?"},
    {"expectimax:depht=3", "did you mean depth?"},
    {"expectimax:epdtj=3", "'nxn info expectimax' lists its keys"},
    {"greedy:ties=URD", "permutation of URDL"},
    {"greedy:ties=URDU", "permutation of URDL"},
    {"greedy:ties=URDLU", "permutation of URDL"},
    {"greedy:ties=urdl", "permutation of URDL"},
    {"greedy:ties=Random", "permutation of URDL"},
    {"greedy:ties=", "permutation of URDL"},
    {"expectimax:nodes=1000,threads=2", "for one thread and without ms"},
    {"expectimax:nodes=1000,ms=1", "for one thread and without ms"},
    {"expectimax:ms=-1", "ms: '-1' is not"},
    {"expectimax:depth=automatic", "from 1 to 128 or auto"},
    {"expectimax:threads=0", "threads: '0' is not"},
    {"expectimax:leaf=none", "is none of"},
    {"expectimax:value=linear9,w10=1", "w1"},
    {"expectimax:value=linear9,w1=1e7", "w1"},
    {"expectimax:value=linear9,w9=much", "w9"},
    {"expectimax:value=linear9,f3=sum", "changes, points"},
    {"expectimax:value=linear9,tuned=0", "tuned"},
    {"expectimax:value=linear9,tuned=4", "from 1 to 3"},
    {"mcts:select=even", "expected decide=value"},
    {"mcts:rollout=none,rollouts=2", "expected no rollouts"},
    {"mcts:rollout=none,rollout_moves=2", "expected no rollouts"},
    {"mcts:leaves=2048,rollouts=1024", "expected at most 1048576"},
    {"mcts:rollouts=8192", "256 simulations with rollouts=8192 are too many"},
    {"mcts:prior=nobody", "agent 'nobody': expected one of random"},
    {"mcts:prior=greedy:ties=UU", "expected a permutation"},
    {"mcts:rollout=nobody", "agent 'nobody': expected one of random"},
    {"mcts:rollout=none,value=ntuple:/nowhere/at.all", "/nowhere/at.all"},
    {"mcts:sims=0", "from 1 to 1000000000 or auto"},
    {"mcts:depth=65", "from 1 to 64"},
    {"mcts:memory=1", "such as 64M"},
    {"mcts:select=uct", "is none of printed, puct, ucb1, even"},
    {"mcts:spawns=4", "is none of game, 2"},
    {"ntuple:levels=1", "levels"},
    {"ntuple:levels=65", "levels"},
    {"ntuple:tuples=lines+squares", "squares"},
    {"ntuple:tuples=9", "on 3x3"},
    {"ntuple:tuples=lines,curriculum=2x2:5", "expected share=all with it"},
    {"ntuple:share=all,tuples=lines,curriculum=2x2", "boards with their training games"},
    {"ntuple:share=all,tuples=lines,curriculum=2x2:0", "boards with their training games"},
    {"ntuple:share=all,tuples=lines,curriculum=2x2:-1", "boards with their training games"},
    {"ntuple:share=all,tuples=lines,curriculum=2x3:5+", "boards with their training games"},
    {"ntuple:share=all,tuples=lines,curriculum=7x7:5", "7x7"},
    {"ntuple:share=all,tuples=lines,curriculum=2x2:5", "on 2x2 are 0 features"},
    {"ntuple:share=all,tuples=rectangles=1x2,curriculum=" NINE, "at most 8 boards"},
    {"ntuple:rule=sarsa", "td-after"},
    {"ntuple:gamma=1.5", "gamma"},
    {"ntuple:lanes=65", "lanes"},
    {"ntuple:trace=33", "trace"},
    {"ntuple:no/such/model", "no/such/model"},
    {"expectimax:value=ntuple", "expected a model file, as in value=ntuple:FILE"},
    {"expectimax:value=ntuple:no/such/model", "no/such/model"},
    {"qlearn:levels=1", "expected 0, or from 2 to 64"},
    {"qlearn:levels=65", "levels"},
    {"qlearn:gamma=2", "gamma"},
    {"qlearn:error=cube", "sqrt"},
    {"qlearn:terminal=never", "neg-score"},
    {"qlearn:reward=none", "learned"},
    {"qlearn:alpha=1", "epsilon"},
    {"adp:batch=0", "batch"},
    {"adp:batch=1001", "1000"},
    {"adp:alpha=1.5", "alpha"},
    {"adp:update=up", "descent, printed, lstsq"},
    {"adp:reward=tiles", "sum, score, max"},
    {"adp:constant=2", "constant"},
    {"adp:ties=last", "first, random"},
    {"adp:no/such/model", "no/such/model"},
    {"policy:hidden=", "widths"},
    {"policy:hidden=0", "widths"},
    {"policy:hidden=5000", "widths"},
    {"policy:hidden=8,8,8,8,8", "1 to 4 widths"},
    {"policy:hidden=8,x", "widths"},
    {"policy:stages=3", "rising tiles"},
    {"policy:stages=2", "powers of two from 4 on"},
    {"policy:stages=500", "stages=500: expected at most 7 rising tiles (powers of two from 4 on)"},
    {"policy:stages=16+8", "rising tiles"},
    {"policy:stages=16+", "rising tiles"},
    {"policy:stages=2+4+8+16+32+64+128+256", "at most 7"},
    {"policy:batch=0", "batch"},
    {"policy:gradient=natural", "reinforce"},
    {"policy:rho=1", "rho"},
    {"policy:demonstrations=no/such/file", "no/such/file"},
    {"policy:demo_tolerance=0.01", "demo_tolerance=0.01 without demo_only: it needs demo_only=N"},
    {"policy:demo_only=30", "demo_only=30 without demonstrations: it needs demonstrations=FILE"},
    {"policy:no/such/model", "no/such/model"},
    {"relative:game_type=mini", "mini_iterative"},
    {"relative:random_games=2", "false"},
    {"relative:random_frac=1.5", "random_frac"},
    {"relative:batch_size=0", "batch_size"},
    {"relative:lr=-1", "lr"},
    {"relative:move_penalty_type=cells", "exponential_move_num"},
    {"relative:game_penalty_type=sum", "tile_sums"},
    {"relative:win=100", "win=100: expected a tile from 4 to"},
    {"relative:win=2", "win=2: expected a tile from 4 to"},
    {"relative:game_type=mini_random,mini_first=64,mini_last=1024",
     "mini_last=1024: expected a tile from 64 to 512"},
    {"relative:game_type=mini_random,mini_first=2,mini_last=8",
     "mini_first=2: expected a tile from 4 to 512 on 3x3"},
    {"relative:game_type=mini_iterative,mini_first=32,mini_last=16",
     "mini_last=16: expected a tile from 32 to 512"},
    {"relative:hidden1=0", "hidden1"},
    {"relative:bad=-1", "bad"},
};

TEST(mistakes_are_named_with_what_would_be_right)
{
	struct game game;
	game_of("3x3", &game);
	for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++)
		expect_refused(mistakes[i][0], &game, mistakes[i][1]);
}

/* One character less than FIELD_TEXT_MAX fits, in however many pieces. */
TEST(a_text_in_pieces_has_room_for_what_one_piece_has)
{
	for (int cut = 1; cut < FIELD_TEXT_MAX - 6; cut += 100)
		for (int length = FIELD_TEXT_MAX - 2; length <= FIELD_TEXT_MAX; length++) {
			char text[FIELD_TEXT_MAX + 1], canonical[SPEC_MAX];
			struct why why;
			memset(text, 'a', sizeof text);
			text[cut] = text[FIELD_TEXT_MAX - 5] = ',';
			text[length] = '\0';
			const char *spec = text_of("qlearn:file=%s", text);
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
	struct decision decision;
	game_make(&(struct game_options){.start = position}, &game);
	struct agent *agent = agent_of(spec, &game);
	const int move = board_ask(agent, &game.start, &decision);
	agent_free(agent);
	return move;
}

/* By hand; the rules stand at the head of agents/rules/simple.c. */
TEST(simple_players_follow_their_rules)
{
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
	    /* One move ahead a value of 0 leaves nothing but rewards. */
	    {"expectimax:depth=1,value=score", "0,0,0/0,2,0/0,0,0", UP},
	    {"expectimax:depth=1,value=score", "2,0,0/0,0,0/0,0,0", RIGHT},
	    {"expectimax:depth=1,value=score", "0,0,2/0,0,0/0,0,0", DOWN},
	    {"expectimax:depth=1,value=score", "4,4,0/2,0,0/0,2,0", RIGHT},
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		int move = choice(cases[i].agent, cases[i].position);
		if (move != cases[i].move)
			fail_msg("%s on %s: move %d, expected %d", cases[i].agent,
				 cases[i].position, move, cases[i].move);
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
		/* Tunes begin with a share of it where the parameter is 0. */
		if (params->kind == FIELD_REAL && !(params->scale > 0) &&
		    !(fabs(strtod(params->fallback, NULL)) > 0))
			fail_msg("%s=%s has no scale", params->name, params->fallback);
	}
	free(self);
}

TEST(every_default_is_legal_and_every_class_is_whole)
{
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

TESTS(NULL, NULL)
