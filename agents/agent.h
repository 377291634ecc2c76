/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Agents decide: a class that picks a move, and may learn to.
 *
 * To add one: a file with one struct agent_class, and one line in agents/agents.def. Agents are
 * written `name:key=value,key=value`; keys that the agent does not know are offered to the value it
 * uses (`expectimax:depth=2,value=heuristic,w_empty=3`). A text without '=' right after the name
 * goes to the first parameter (`qlearn:FILE`). A piece without '=' behind a parameter that is a
 * text goes on with it, its comma included (`ties=UR,DL`); '=' behind a '+' does not count, so that
 * a text can be a list of settings of its own, or an agent (agent_nested()).
 */
#ifndef NXN_AGENT_H
#define NXN_AGENT_H

#include "agents/param.h"
#include "agents/value.h"
#include "boards/board.h"

struct agent_env {
	const struct game *game; /* outlives the agent */
	/*
	 * Private state of another instance of the same specification, or NULL. Learned weights
	 * may be borrowed from it, read-only, instead of being loaded again; it outlives this one.
	 */
	const void *owner;
};

/* A position and all that can be done in it. */
struct turn {
	const struct game *game;
	const struct board *board;
	struct moves moves;
	uint64_t score; /* points so far */
};

/* What an agent thought; value[d] is NAN where it has none or d is illegal. */
struct decision {
	double value[DIRECTIONS];
	uint64_t nodes;	       /* positions made and looked at; 0 if it does not search */
	uint64_t probes, hits; /* of the transposition table */
	int depth;	       /* own moves looked ahead */
	/* The probability of each move in its policy, 0 if illegal; NAN where it tells none. */
	double chance[DIRECTIONS];
};

/* What is known of how an agent acts, beyond what playing shows. */
enum policy_kind {
	POLICY_UNKNOWN, /* clocks, draws of its own, or earlier moves matter */
	POLICY_FIXED,	/* act() is a function of the position alone and draws nothing */
	POLICY_CHANCES, /* act() draws by chances that it tells, a function of the position */
};

/* How a game ended. */
struct outcome {
	uint64_t score, moves;
	int max_exponent;
	/*
	 * A training game on another board, or one that did not start where games start: its moves
	 * are those since then.
	 */
	bool partial;
	/* Mean of decision_uncertainty() over the moves; NAN if a move told no chances. */
	double uncertainty;
	struct board last;
};

/* What a learner is asked to do; see learn() below. */
struct training_request {
	uint64_t seed;
	/*
	 * Training games in all; none with a number from END on is begun. With 0 a new learner
	 * becomes what training begins with, where its first weights come from the seed.
	 */
	uint64_t end;
	int thread, threads; /* the call is number THREAD of THREADS at the same time */
	/* A training game is over; false to stop. Called by the thread that learns. */
	bool (*over)(void *context, const struct outcome *outcome);
	void *context;
};

struct model_file;
struct model_header;

/*
 * How a learner is made and kept in a model file: what the class has to say of it. agent_save(),
 * agent_load() and learner_init() do all else.
 */
struct agent_model {
	/* Those of its parameters that it is trained with: the end of its table. */
	const struct field *params;
	/*
	 * Makes a learner, nothing learned, of SELF, which has its parameters and nothing else.
	 * What it takes before it fails it gives back.
	 */
	enum status (*make)(void *self, const struct game *game, struct why *why);
	/*
	 * Gives SELF, just made, what PATH, a model of another board, has learned; its settings are
	 * those of the model. NULL: a model is for its board alone.
	 */
	enum status (*inherit)(void *self, const char *path, struct why *why);
	/* Lets SELF play with what OWNER, another instance, has learned. */
	enum status (*borrow)(void *self, const struct game *game, const void *owner,
			      struct why *why);
	/* Sets the layout and the number of sections of HEAD; all else is there. */
	void (*describe)(const void *self, struct model_header *header);
	/* The layout tells of weights as well, and is known when they have been read. */
	bool layout_is_learned;
	/*
	 * Writes the sections, which changes nothing of SELF, or reads them into what make() made;
	 * all that is read is checked. The status is that of FILE (agents/model.h).
	 */
	void (*sections)(void *self, struct model_file *file);
	/* Takes over from BEFORE what no file holds; NULL: there is nothing. */
	void (*keep)(void *self, void *before);
};

/* Members from learn() on, and init(), are NULL where they do not apply. */
struct agent_class {
	const char *name, *summary;
	/* What its first parameter must be told, as in name:FILE; NULL: the name alone will do. */
	const char *needs;
	const struct field *params;
	size_t size; /* bytes of private state, zeroed by agent_new() */
	/*
	 * Runs once, after the parameters are set; what it takes before it fails it gives back.
	 * NULL: learner_init(), or nothing for a class without `model`.
	 */
	enum status (*init)(void *self, const struct agent_env *env, struct why *why);
	/*
	 * The move chosen; at least one is legal. RNG is this game's RNG_AGENT stream. DECISION
	 * comes as decision_init() makes it; what the agent thought goes into it.
	 */
	int (*act)(void *self, const struct turn *turn, struct rng *rng, struct decision *decision);
	/*
	 * act() in N turns, of N games, with RNG[i] and DECISIONS[i] each; the same moves. NULL:
	 * one by one is no slower.
	 */
	void (*act_many)(void *self, const struct turn *turns, size_t n, struct rng *const *rng,
			 struct decision *decisions, int *move);
	/* The turns that act_many() had best be given at once, also before init(). NULL: 1. */
	size_t (*batch)(const void *self);
	/*
	 * CHANCE[i][d]: the probability of move d in TURNS[i], i < n, in the policy, 0 if it is
	 * illegal; act() draws from it, or takes the most likely move, as the agent's parameters
	 * say. NULL where there is no such policy, or only act() knows it and tells by
	 * decision->chance.
	 */
	void (*chances)(void *self, const struct turn *turns, size_t n,
			double (*chance)[DIRECTIONS]);
	/*
	 * What is known of act(), as long as nothing is learned, and with these parameters where it
	 * depends on them. The points so far must not matter to it. With POLICY_CHANCES it draws
	 * from decision->chance, which is what chances() says where there is one.
	 */
	enum policy_kind policy;
	enum policy_kind (*policy_kind)(const void *self);
	/* Gives the parameters of SELF that are auto what they stand for on GAME. NULL: nothing. */
	void (*resolve)(void *self, const struct game *game);
	/*
	 * Whether images of a position get the images of its moves, with the same chances to the
	 * last bit; ties by direction break that. NULL: not.
	 */
	bool (*symmetric)(const void *self);
	/*
	 * Plays training games and learns from them until END of them have ended or over() is
	 * false; game i draws from stream RNG_TRAIN i of the seed. Games under way stay with the
	 * learner, are saved with it, and go on in the next call: one thread that stops and goes
	 * on, however often, learns what it would have learned without a stop. A class with
	 * `shared` may be called by several threads at once, whose timing then matters.
	 */
	void (*learn)(void *self, const struct training_request *request);
	bool shared;
	/*
	 * learn() is called by one thread and has request->threads of them work for it, with the
	 * same result for any number.
	 */
	bool uses_team;
	/* The number of training games that have ended. */
	uint64_t (*trained)(const void *self);
	const struct agent_model *model;
	/*
	 * STATUS_OK unless the agent depends on what can fail in the middle of a game, such as
	 * another program, and it has: then why. Its moves since are legal and mean nothing, and it
	 * stays like this. NULL: nothing can.
	 */
	enum status (*check)(const void *self, struct why *why);
	/* Whether a move was cut short because nxn is to stop (base/stop.h). NULL: none is. */
	bool (*interrupted)(const void *self);
	/* Gives back what init() took. */
	void (*fini)(void *self);
};

struct agent {
	const struct agent_class *class;
	const struct game *game;
	void *self;
	bool value_fails; /* a value of its has check() */
};

/* Each class of agents/agents.def by its name: random_agent, heuristic_value, ... */
#define AGENT(name) extern const struct agent_class name##_agent;
#define VALUE(name) extern const struct value_class name##_value;
#include "agents/agents.def"

/* All classes of agents, ending with NULL. */
extern const struct agent_class *const agent_classes[];

/*
 * Makes the agent that TEXT specifies, bound to ENV. STATUS_INPUT names what is wrong and lists the
 * agents or keys there are; otherwise what init() of the class says, STATUS_SYSTEM when memory runs
 * out. One instance a thread.
 */
MUST_USE enum status agent_new(const char *text, const struct agent_env *env, struct agent **agent,
			       struct why *why);
/* NULL is fine. */
void agent_free(struct agent *agent);

/*
 * agent_new() of an agent that stands in a parameter of another one, its settings with '+' for ','
 * (`prior=policy:FILE+play=sample`). The other one's check() tells when this one fails.
 */
MUST_USE enum status agent_nested(const char *text, const struct agent_env *env,
				  struct agent **agent, struct why *why);

/* Writes what AGENT, a learner, has learned to the model file PATH. Errors of agents/model.h. */
MUST_USE enum status agent_save(const struct agent *agent, const char *path, struct why *why);

/*
 * AGENT, from which nobody borrows, becomes the learner that the model file PATH holds, with the
 * parameters that it has. Errors of agents/model.h; then it stays what it is.
 */
MUST_USE enum status agent_load(struct agent *agent, const char *path, struct why *why);

/*
 * init() of CLASS, a learner whose first parameter is its file: SELF, which has its parameters,
 * borrows from OWNER if there is one, becomes what the file holds if one is told, or a new learner.
 * Errors of agents/model.h; STATUS_INPUT also for a file of another class or game, or one that was
 * trained with other parameters than SELF was told.
 */
MUST_USE enum status learner_init(const struct agent_class *class, void *self,
				  const struct game *game, const void *owner, struct why *why);

/* The turns that AGENT, or one made of TEXT, had best be given at once; 1 for most. */
static inline size_t agent_batch(const struct agent *agent)
{
	return agent->class->batch ? agent->class->batch(agent->self) : 1;
}
size_t agent_batch_of(const char *text);

/* Whether AGENT has failed in the middle of a game, or was interrupted (STATUS_STOPPED). */
MUST_USE enum status agent_check(const struct agent *agent, struct why *why);

enum policy_kind agent_policy_kind(const struct agent *agent);

static inline bool agent_symmetric(const struct agent *agent)
{
	return agent->class->symmetric && agent->class->symmetric(agent->self);
}

/*
 * Checks TEXT without binding it to a game and writes its canonical form: the name, then what
 * differs from the defaults in table order. Equal agents have equal texts.
 */
MUST_USE enum status agent_canonical(const char *text, char canonical[SPEC_MAX], struct why *why);

/* Whether the specification AGENT sets the parameter KEY. */
bool agent_sets(const char *agent, const char *key);

/*
 * The same with every parameter written out, so that the text stays with one behaviour when a
 * default changes: what results are filed under.
 */
MUST_USE enum status agent_settings(const char *text, char settings[SPEC_MAX], struct why *why);

/*
 * The parameters of TEXT's own class, "key=value,key=value", with what auto stands for on GAME
 * where resolve() of the class knows it.
 */
MUST_USE enum status agent_resolved(const char *text, const struct game *game,
				    char settings[SPEC_MAX], struct why *why);

/*
 * A digest of the contents of all files that the agent TEXT is told to read: its own, those of its
 * values, those of agents that are part of it, and those that commands name; 0 if there are none.
 * Models and tables are known by their size and the checksums that they carry, other files by every
 * byte: a file that is replaced has another digest, one that is renamed or copied has not.
 * STATUS_INPUT if TEXT is no agent, or a file is none or cannot be found; STATUS_SYSTEM if it
 * cannot be read.
 */
MUST_USE enum status agent_input_digest(const char *text, uint64_t *digest, struct why *why);

enum { TUNABLE_MAX = 64 };

struct tunable {
	const struct field *param;
	double value; /* what the agent plays with, NAN if that is no number */
	double scale; /* > 0: a size that makes a difference on this board */
};

/* The parameters of kind FIELD_REAL: the agent's own, then those of its values, in table order. */
struct tunables {
	size_t n;
	struct tunable real[TUNABLE_MAX];
};

/*
 * Lists the tunable parameters of the agent TEXT, bound to ENV; a word such as auto is listed as
 * the number it stands for. A parameter of a value that the agent hides with one of the same name
 * is left out. Errors are those of agent_new().
 */
MUST_USE enum status tunable_list(struct tunables *tunables, const char *text,
				  const struct agent_env *env, struct why *why);

/*
 * The rule of every door: AGENT, made from TEXT, does not play if it is a learner that has learned
 * nothing, or asks one, such as mcts:prior=policy: it plays badly and says nothing of itself.
 * STATUS_INPUT then names the command that trains the learner, and ends with OTHERWISE, how to let
 * it play. Other errors as agent_new().
 */
MUST_USE enum status agent_trained_check(const struct agent *agent, const char *text,
					 const char *otherwise, struct why *why);

/* The class that TEXT names, itself or by an alias, or NULL. */
const struct agent_class *agent_class_of(const char *text);

/* A name for an agent with settings, which takes none of its own. */
struct agent_alias {
	const char *name, *text;
};

extern const struct agent_alias agent_aliases[]; /* ends with a NULL name */

/* Tries the names of all agents and aliases in GUESS. */
struct suggestion;
void agent_names_suggest(struct suggestion *suggestion);

#endif
