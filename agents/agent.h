/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Agents: classes that choose moves and may learn.
 *
 * A new agent is a file with one struct agent_class and a line in agents/agents.def. The text of an
 * agent is `name:key=value,key=value`. Keys that are not the agent's are passed to its value
 * (`expectimax:depth=2,value=heuristic,w_empty=3`). A text without '=' right after the name sets
 * the first parameter (`qlearn:FILE`). After a parameter that is a text, a piece without '='
 * continues that text, with the comma (`ties=UR,DL`). An '=' after a '+' does not start a new key,
 * so the text can itself be a list of settings, or an agent (agent_nested()).
 */
#ifndef NXN_AGENT_H
#define NXN_AGENT_H

#include "agents/param.h"
#include "agents/value.h"
#include "boards/board.h"

/* A position and its moves. */
struct turn {
	const struct game *game;
	const struct board *board;
	struct moves moves;
	uint64_t score; /* points so far */
};

/* What an agent reports about a decision. value[d] is NAN if direction d is illegal or unknown. */
struct decision {
	double value[DIRECTIONS];
	uint64_t nodes;	       /* positions searched; 0 without a search */
	uint64_t probes, hits; /* of the transposition table */
	int depth;	       /* depth of the search in own moves */
	/* The probability of each move in the policy, 0 if illegal; NAN if not reported. */
	double chance[DIRECTIONS];
};

/* What is known about an agent's choice of moves. */
enum policy_kind {
	POLICY_UNKNOWN, /* depends on clocks, unreported draws, or earlier moves */
	POLICY_FIXED,	/* act() is a function of the position and draws nothing */
	POLICY_CHANCES, /* act() draws with probabilities that it reports, by position */
};

/* The result of a game. */
struct outcome {
	uint64_t score, moves;
	int max_exponent;
	/*
	 * This is a training game that was played on another board or began in a position other
	 * than a normal start; `moves` then counts from there.
	 */
	bool partial;
	/* Mean of decision_uncertainty() over the moves; NAN if a move had no probabilities. */
	double uncertainty;
	struct board last;
};

/* The arguments of learn() below. */
struct training_request {
	uint64_t seed;
	/*
	 * Total number of training games; no game with a number >= END starts. If END is 0, learn()
	 * only initialises the weights of a new learner, if they depend on the seed.
	 */
	uint64_t end;
	int thread, threads; /* this call is number THREAD of THREADS concurrent calls */
	/* Called by the learning thread after each training game; returns false to stop. */
	bool (*over)(void *context, const struct outcome *outcome);
	void *context;
};

struct model_file;

/*
 * How a class of learners is created, saved and loaded. agent_save(), agent_load() and
 * learner_init() do the rest.
 */
struct agent_model {
	/* The parameters that matter for training: the last entries of the class's table. */
	const struct field *params;
	/*
	 * Settings of earlier versions that training still follows, ",key=value,key=value,". Files
	 * with other values of these keys are refused. NULL: none.
	 */
	const char *retired;
	/*
	 * Turns SELF, whose parameters are set, into an untrained learner. Frees on failure what it
	 * allocated.
	 */
	enum status (*make)(void *self, const struct game *game, struct why *why);
	/*
	 * Copies to SELF, an untrained learner, what the model PATH, of another board, has learned.
	 * SELF has the settings of that model. NULL: models are only for their own board.
	 */
	enum status (*inherit)(void *self, const char *path, struct why *why);
	/* Makes SELF use what OWNER, another instance, has learned. */
	enum status (*borrow)(void *self, const struct game *game, const void *owner,
			      struct why *why);
	/* Formats LAYOUT, of MODEL_LAYOUT_MAX bytes: what must agree to read the sections. */
	void (*layout)(const void *self, char *layout);
	/* The layout also describes weights, so it is known only after they are read. */
	bool layout_is_learned;
	/*
	 * Writes the sections without changing SELF, or reads and checks them into what make()
	 * created. Errors stay in FILE (agents/model.h).
	 */
	void (*sections)(void *self, struct model_file *file);
	/* Moves to SELF what model files lack of BEFORE, the old state. NULL: nothing. */
	void (*keep)(void *self, void *before);
};

/* A class of agents. init() and the members from learn() on are NULL where they do not apply. */
struct agent_class {
	const char *name, *summary;
	/* The required argument after the name, as in name:FILE. NULL: none. */
	const char *needs;
	const struct field *params;
	size_t size; /* bytes of private state, zeroed by agent_new() */
	/*
	 * Called once, after the parameters are set; frees on failure what it allocated. NULL:
	 * learner_init(), or nothing for a class without `model`.
	 */
	enum status (*init)(void *self, const struct agent_env *env, struct why *why);
	/*
	 * Returns the chosen move; at least one is legal. RNG is the stream RNG_AGENT of the game.
	 * DECISION is initialised by decision_init(); act() may fill it in.
	 */
	int (*act)(void *self, const struct turn *turn, struct rng *rng, struct decision *decision);
	/*
	 * act() for N turns of N games, with RNG[i] and DECISIONS[i]; makes the same moves. NULL if
	 * a batch is not faster.
	 */
	void (*act_many)(void *self, const struct turn *turns, size_t n, struct rng *const *rng,
			 struct decision *decisions, int *move);
	/* The best batch size for act_many(); may be called before init(). NULL: 1. */
	size_t (*batch)(const void *self);
	/*
	 * Sets CHANCE[i][d], i < n, to the probability of move d in TURNS[i] under the policy; 0 if
	 * the move is illegal. act() draws from it or takes the most likely move, depending on the
	 * parameters. NULL if there is no policy, or if only act() reports it, in decision->chance.
	 */
	void (*chances)(void *self, const struct turn *turns, size_t n,
			double (*chance)[DIRECTIONS]);
	/*
	 * What is known about act() between calls of learn(); policy_kind() if the parameters
	 * decide. If it is known, act() must not depend on the points so far. With POLICY_CHANCES,
	 * act() draws from decision->chance, which equals the result of chances() if that exists.
	 */
	enum policy_kind policy;
	enum policy_kind (*policy_kind)(const void *self);
	/*
	 * Sets each parameter that is auto to its value on GAME, or, if init() set it and it varies
	 * by move, back to auto. NULL: nothing to do.
	 */
	void (*resolve)(void *self, const struct game *game);
	/*
	 * Whether the moves in a symmetric image of a position are the images of the moves, with
	 * exactly the same probabilities. Breaking ties by direction violates that. NULL: no.
	 */
	bool (*symmetric)(const void *self);
	/*
	 * Plays training games and learns from them until END games have ended in total or over()
	 * returns false. Game i draws from stream RNG_TRAIN i of the seed. Unfinished games stay in
	 * the learner, are saved with it, and continue in the next call: with one thread, stops do
	 * not change what is learned. If `shared` is set, several threads may call learn() at the
	 * same time; the result then depends on timing.
	 */
	void (*learn)(void *self, const struct training_request *request);
	bool shared;
	/*
	 * One thread calls learn(), which uses request->threads threads itself, with the same
	 * result for any number.
	 */
	bool uses_team;
	/* Returns the number of training games that have ended. */
	uint64_t (*trained)(const void *self);
	const struct agent_model *model;
	/*
	 * For an agent that can fail in the middle of a game, for example because another program
	 * fails: returns the first failure. The moves after it are legal but meaningless, and the
	 * agent does not recover. NULL: the agent cannot fail.
	 */
	enum status (*check)(const void *self, struct why *why);
	/* Whether a move was cut short by a request to stop (base/stop.h). NULL: never. */
	bool (*interrupted)(const void *self);
	/* Frees what init() allocated. */
	void (*fini)(void *self);
};

struct agent {
	const struct agent_class *class;
	const struct game *game;
	void *self;
	struct value *value; /* of its only parameter of kind FIELD_VALUE; NULL without one */
};

/* Declares each class of agents/agents.def: random_agent, heuristic_value, ... */
#define AGENT(name) extern const struct agent_class name##_agent;
#define VALUE(name) extern const struct value_class name##_value;
#include "agents/agents.def"

/* All classes of agents, ending with NULL. */
extern const struct agent_class *const agent_classes[];

/*
 * Creates the agent that TEXT specifies, for ENV. STATUS_INPUT says what is wrong and lists the
 * agents or keys that exist; STATUS_SYSTEM if memory runs out; or the error of the class's init().
 * Each thread needs its own instance.
 */
MUST_USE enum status agent_new(const char *text, const struct agent_env *env, struct agent **agent,
			       struct why *why);
void agent_free(struct agent *agent);

/*
 * agent_new() for an agent inside a parameter of another agent. Its settings have '+' in place of
 * ',' (`prior=policy:FILE+play=sample`). The outer agent's check() must report failures of the
 * inner one.
 */
MUST_USE enum status agent_nested(const char *text, const struct agent_env *env,
				  struct agent **agent, struct why *why);

/*
 * Saves AGENT, a learner, as the model file PATH, with NOTE at its end unless that is NULL: a text
 * with what the training program needs to resume but the model does not. Errors as in
 * agents/model.h.
 */
MUST_USE enum status agent_save(const struct agent *agent, const char *path, const char *note,
				struct why *why);

/*
 * Replaces AGENT by the learner in the model file PATH; the parameters stay. No other instance may
 * borrow from AGENT. Errors as in agents/model.h; AGENT is then unchanged.
 */
MUST_USE enum status agent_load(struct agent *agent, const char *path, struct why *why);

/*
 * init() for CLASS, a learner whose first parameter is its model file. SELF, with its parameters
 * set, borrows from env->owner if that is not NULL, or from env->learner, or loads the file if one
 * is named, or becomes a new learner. Errors as in agents/model.h; STATUS_INPUT also for a file of
 * another class or game, or one that was trained with parameters other than those set in SELF.
 */
MUST_USE enum status learner_init(const struct agent_class *class, void *self,
				  const struct agent_env *env, struct why *why);

/*
 * The best batch size for agent_act_many() with AGENT, or with an agent of the text TEXT; mostly 1.
 */
static inline size_t agent_batch(const struct agent *agent)
{
	return agent->class->batch ? agent->class->batch(agent->self) : 1;
}
size_t agent_batch_of(const char *text);

/*
 * Returns the error if AGENT has failed in the middle of a game; STATUS_STOPPED if it was
 * interrupted.
 */
MUST_USE enum status agent_check(const struct agent *agent, struct why *why);

enum policy_kind agent_policy_kind(const struct agent *agent);

static inline bool agent_symmetric(const struct agent *agent)
{
	return agent->class->symmetric && agent->class->symmetric(agent->self);
}

/*
 * Checks TEXT without a game and writes its canonical form: the name, then the settings that differ
 * from the defaults, in table order. Equal agents have equal canonical texts.
 */
MUST_USE enum status agent_canonical(const char *text, char canonical[SPEC_MAX], struct why *why);

/* Whether the text AGENT sets the parameter KEY. */
bool agent_sets(const char *agent, const char *key);

/* Whether the canonical text AGENT, or an agent in it, decides by the clock (ms=). */
bool agent_clocked(const char *agent);

/* Whether the canonical text AGENT is another program, or has one in it. */
bool agent_external(const char *agent);

/*
 * Writes the canonical form with every parameter spelled out. Results are filed under this text, so
 * that it describes the same behaviour if a default changes later.
 */
MUST_USE enum status agent_settings(const char *text, char settings[SPEC_MAX], struct why *why);

/*
 * Writes the parameters of TEXT's own class, "key=value,key=value", with the values of auto on GAME
 * where the class's resolve() sets them.
 */
MUST_USE enum status agent_resolved(const char *text, const struct game *game,
				    char settings[SPEC_MAX], struct why *why);

/*
 * Computes a digest of the contents of all files that the agent TEXT reads: its own files, those of
 * its value and inner agents, and those named in commands; 0 if there are none. Models and tables
 * are identified by their size and stored checksums, other files by all bytes. So a file with new
 * contents has another digest; a renamed or copied file does not. STATUS_INPUT if TEXT is no agent
 * or a file does not exist; STATUS_SYSTEM if a file cannot be read. The model of env->learner
 * (struct agent_env) is not a file.
 */
MUST_USE enum status agent_input_digest(const char *text, uint64_t *digest, struct why *why);

enum { TUNABLE_MAX = 64 };

struct tunable {
	const struct field *param;
	double value; /* current value, NAN if it is not a number */
	double scale; /* > 0: a step that makes a difference on this board */
};

/*
 * The parameters of kind FIELD_REAL: those of the agent, then those of its value, in table order.
 */
struct tunables {
	size_t n;
	struct tunable real[TUNABLE_MAX];
};

/*
 * Lists the tunable parameters of the agent TEXT for ENV. A word such as auto is listed as the
 * number that it stands for. If the agent and a value have a parameter of the same name, only the
 * agent's is listed. Errors as agent_new().
 */
MUST_USE enum status tunable_list(struct tunables *tunables, const char *text,
				  const struct agent_env *env, struct why *why);

/*
 * Rejects untrained learners, which play badly without any warning; for all commands and libraries.
 * STATUS_INPUT if AGENT, created from TEXT, is an untrained learner or uses one, as
 * mcts:prior=policy does. The message names the command that trains the learner and ends with
 * OTHERWISE, which says how to let it play untrained. Other errors as agent_new().
 */
MUST_USE enum status agent_trained_check(const struct agent *agent, const char *text,
					 const char *otherwise, struct why *why);

/* The same for the agent that TEXT makes for GAME. */
MUST_USE enum status agent_trained_of(const struct game *game, const char *text,
				      const char *otherwise, struct why *why);

/* Returns the class that TEXT names, directly or by an alias, or NULL. */
const struct agent_class *agent_class_of(const char *text);

/* A name for an agent with fixed settings; it accepts no others. */
struct agent_alias {
	const char *name, *text;
};

extern const struct agent_alias agent_aliases[]; /* ends with a NULL name */

/* Passes the names of all agents and aliases to suggestion_try(). */
struct suggestion;
void agent_names_suggest(struct suggestion *suggestion);

#endif
