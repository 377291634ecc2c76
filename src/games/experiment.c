/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entries of an experiment; see experiment.h. */
#include "src/games/experiment.h"

#include "agents/agent.h"
#include "base/lines.h"
#include "base/number.h"
#include "base/text.h"
#include "base/xalloc.h"
#include "src/cli/options.h"

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { CONFIG_TEXT_MAX = SPEC_MAX + SPAWN_TEXT_MAX + BOARD_TEXT_MAX + 128 };

/* Whether C is a byte of a UTF-8 character after its first, before which a text must not be cut. */
static bool is_continuation(char c)
{
	return (c & 0xc0) == 0x80;
}

/*
 * Makes a label of the agent as the user wrote it, with "external:CMD" for "external:command=CMD".
 * If it is too long, settings in the middle are left out and a hash of the whole is added.
 */
static void label_from_agent(char label[RESULT_NAME_MAX], const char *agent)
{
	enum { HEAD = 20, HASH = 8 };
	static const char external[] = "external:", key[] = "command=";
	const size_t name = sizeof external - 1;
	const bool keyed =
	    strncmp(agent, external, name) == 0 && strncmp(agent + name, key, strlen(key)) == 0;
	const char *rest = keyed ? agent + name + strlen(key) : agent;
	const int length = snprintf(label, RESULT_NAME_MAX, "%s%s", keyed ? external : "", rest);
	if (length < RESULT_NAME_MAX)
		return;
	const unsigned hash = (unsigned)XXH3_64bits(agent, strlen(agent)) & 0xffffff;
	int head = 0;
	for (int i = 0; i < HEAD; i++)
		head = strchr(":,", label[i]) ? i + 1 : head;
	/* Starts the tail with a whole setting if enough of it remains. */
	const char *tail = agent + strlen(agent) - (RESULT_NAME_MAX - HASH - 2 - head);
	const char *setting = strpbrk(tail - 1, ",:");
	if (setting && strlen(setting) > HASH)
		tail = setting + 1;
	while (is_continuation(*tail))
		tail++;
	snprintf(label + head, (size_t)(RESULT_NAME_MAX - head), "..%s~%06x", tail, hash);
}

static enum status schedule_check(const struct experiment_entry *entry, struct why *why)
{
	const struct schedule *s = &entry->schedule;
	const char *agent = entry->agent;
	if (!schedule_trains(s))
		return STATUS_OK;
	if (!entry->learner && !agent_class_of(agent)->learn)
		return why_set(why, STATUS_INPUT, "%s does not learn: %s must be left out", agent,
			       s->train ? "train" : "seconds");
	if (s->seconds && s->repeat > TIMED_BLOCKS_MAX)
		return why_set(why, STATUS_INPUT, "repeat: must be at most %d with seconds",
			       TIMED_BLOCKS_MAX);
	if ((s->train && schedule_point(s, s->repeat) > COUNT_MAX) ||
	    s->evaluate * s->repeat > COUNT_MAX)
		return why_set(why, STATUS_INPUT,
			       "train and evaluate, times repeat, must be at most %d", COUNT_MAX);
	return STATUS_OK;
}

/*
 * Copies SETTINGS, for a search of fixed depth without tt and threads, which change no move. With a
 * limit of time or positions table and threads determine how far a search gets.
 */
static void moves_settings(const char *settings, char out[SPEC_MAX])
{
	const bool search =
	    strncmp(settings, "expectimax:", 11) == 0 && strstr(settings, ",ms=0,nodes=0,") != NULL;
	size_t used = 0;
	for (const char *at = settings; *at;) {
		const size_t length = strcspn(at + 1, ",") + 1;
		const bool same = strncmp(at, ",tt=", 4) == 0 || strncmp(at, ",threads=", 9) == 0;
		if (!search || !same)
			used +=
			    (size_t)snprintf(out + used, SPEC_MAX - used, "%.*s", (int)length, at);
		at += length;
	}
}

bool entries_play_alike(const struct experiment_entry *a, const struct experiment_entry *b)
{
	char of_a[SPEC_MAX] = "", of_b[SPEC_MAX] = "";
	moves_settings(a->settings, of_a);
	moves_settings(b->settings, of_b);
	return a->training == b->training && strcmp(a->game.name, b->game.name) == 0 &&
	       strcmp(of_a, of_b) == 0;
}

/* Whether a setting of TEXT begins at AT. */
static bool setting_begins(const char *text, const char *at)
{
	if (at == text)
		return true;
	if (at[-1] == ' ' && at - text > 1)
		return at[-2] == ',';
	return at[-1] == ',' && *at != ' ' && strcspn(at, "=") < strcspn(at, ",");
}

/* Sets *SETTING to the setting of TEXT around AT; returns its length without the comma. */
static int setting_around(const char *text, const char *at, const char **setting)
{
	const char *end = at + strcspn(at, ",");
	while (!setting_begins(text, at))
		at--;
	*setting = at;
	return (int)(end - at);
}

struct setting_difference settings_compare(const char *was, const char *now)
{
	struct setting_difference d;
	size_t at = 0;
	while (was[at] && was[at] == now[at])
		at++;
	d.was_length = setting_around(was, was + at, &d.was);
	d.now_length = setting_around(now, now + at, &d.now);
	return d;
}

/* Whether LINE of a header has the key of OWN. */
static bool same_key(const char *line, const char *own)
{
	const size_t length = strcspn(own, ":") + 1;
	return strncmp(line, own, length) == 0 && line[length] == ' ';
}

enum status table_head_check(const char *path, const char *what, const char *const *own,
			     char **columns, struct why *why)
{
	struct lines lines;
	size_t first = SIZE_MAX; /* index in OWN of the first line that differs */
	char *was = NULL;
	enum status status = lines_open(&lines, path, why);
	*columns = NULL;
	if (status)
		return status;
	bool more;
	while ((more = lines_next(&lines, &status, why)) && *lines.text == '#') {
		const char *line = lines.text + strspn(lines.text, "# ");
		for (size_t k = 0; k < first && own[k]; k++)
			if (same_key(line, own[k]) && strcmp(line, own[k]) != 0) {
				free(was);
				was = xstrdup(line);
				first = k;
			}
	}
	if (more)
		*columns = xstrdup(lines.text);
	lines_close(&lines);
	if (!status && was) {
		const struct setting_difference d = settings_compare(was, own[first]);
		status = why_set(why, STATUS_INPUT,
				 "%s: exists and is not %s: there '%.*s', here '%.*s'", path, what,
				 d.was_length, d.was, d.now_length, d.now);
	}
	if (status) {
		free(*columns);
		*columns = NULL;
	}
	free(was);
	return status;
}

/* Refuses a player whose label or agent is already on the board. */
static enum status entry_check_new(const struct experiment *experiment,
				   const struct experiment_entry *entry, struct why *why)
{
	for (size_t i = 0; i < experiment->count; i++) {
		const struct experiment_entry *other = experiment->entries[i];
		if (strcmp(other->game.name, entry->game.name) != 0)
			continue;
		const bool same =
		    strcmp(other->agent, entry->agent) == 0 && other->training == entry->training;
		if (same && strcmp(other->label, entry->label) != 0)
			return why_set(why, STATUS_INPUT,
				       "%s plays on %s already, as %s: both have the same "
				       "parameters, some written out though they are the defaults",
				       entry->label, entry->game.name, other->label);
		if (same)
			return why_set(
			    why, STATUS_INPUT,
			    "%s plays on %s already: the agent or the board is named twice",
			    entry->agent, entry->game.name);
		if (strcmp(other->label, entry->label) == 0)
			return why_set(why, STATUS_INPUT, "label '%s' is taken on %s by %s",
				       entry->label, entry->game.name, other->agent);
	}
	return STATUS_OK;
}

/* Appends ",key=value" for all of PARAMS except values, as in player_parameters(). */
static void parameters_add(const struct field *params, const void *self, char text[SPEC_MAX])
{
	static const char automatic[] = "auto: ";
	for (; params->name; params++) {
		char now[FIELD_TEXT_MAX];
		const char *rule = strstr(params->help, automatic);
		const size_t used = strlen(text);
		if (params->kind == FIELD_VALUE)
			continue;
		field_print(params, self, now);
		if (rule && strcmp(now, "auto") == 0)
			snprintf(now, sizeof now, "(%s)", rule + strlen(automatic));
		snprintf(text + used, SPEC_MAX - used, ",%s=%s", params->name, now);
	}
}

void player_parameters(struct agent *agent, char text[SPEC_MAX])
{
	const struct agent_class *class = agent->class;
	char all[SPEC_MAX] = "";
	if (class->resolve)
		class->resolve(agent->self, agent->game);
	parameters_add(class->params, agent->self, all);
	for (const struct field *p = class->params; p->name; p++) {
		const void *const at = (const char *)agent->self + p->offset;
		const size_t used = strlen(all);
		if (p->kind != FIELD_VALUE)
			continue;
		const struct value *value = *(struct value *const *)at;
		snprintf(all + used, SPEC_MAX - used, ",%s=%s", p->name, value->class->name);
		if (value->ready)
			parameters_add(value->class->params, value->self, all);
	}
	snprintf(text, SPEC_MAX, "%s", *all ? all + 1 : "");
}

enum status entry_agents(const struct experiment_entry *entry, struct agent **agent,
			 struct agent **learner, struct why *why)
{
	struct agent_env env = {.game = &entry->game};
	enum status status = STATUS_OK;
	*learner = NULL;
	if (entry->learner)
		status = agent_new(entry->learner->agent, &env, learner, why);
	env.learner = *learner;
	status = status ? status : agent_new(entry->agent, &env, agent, why);
	if (status)
		agent_free(*learner);
	return status;
}

/*
 * Creates the player and frees it, to report errors and to find its training games and parameters.
 */
static enum status entry_try_agent(struct experiment_entry *entry, struct why *why)
{
	struct agent *agent, *learner;
	enum status status = entry_agents(entry, &agent, &learner, why);
	if (status)
		return status;
	if (agent->class->trained)
		entry->trained_before = agent->class->trained(agent->self);
	status = agent_trained_check(agent, entry->agent, "add --untrained", &entry->untrained_why);
	entry->untrained = status != STATUS_OK;
	player_parameters(agent, entry->parameters);
	agent_free(agent);
	agent_free(learner);
	if (entry->trained_before && schedule_trains(&entry->schedule))
		return why_set(why, STATUS_INPUT,
			       "%s: training starts from nothing, not from a file", entry->agent);
	return STATUS_OK;
}

enum status experiment_time(void *ms, const char *what, const char *text, struct why *why)
{
	double x;
	if (!real_parse(text, &x) || !(x > 0 && x <= MS_PER_MOVE_MAX))
		return why_set(why, STATUS_INPUT,
			       "%s: '%.40s' is not a number of milliseconds above 0, at most %g",
			       what, text, MS_PER_MOVE_MAX);
	*(double *)ms = x;
	return STATUS_OK;
}

/* Writes AGENT to TEXT, with the experiment's time per move if it has a parameter ms. */
static enum status agent_timed(const struct experiment *experiment, const char *agent,
			       char text[SPEC_MAX], struct why *why)
{
	char setting[REAL_TEXT_MAX + 8] = "";
	const struct agent_class *class = agent_class_of(agent);
	if (experiment->ms_per_move > 0 && class && field_find(class->params, "ms", 2)) {
		char ms[REAL_TEXT_MAX];
		if (agent_sets(agent, "ms"))
			return why_set(why, STATUS_INPUT,
				       "%s: has its own ms=, beside the same time for all", agent);
		real_format(experiment->ms_per_move, ms);
		snprintf(setting, sizeof setting, "%cms=%s", strchr(agent, ':') ? ',' : ':', ms);
	}
	if (snprintf(text, SPEC_MAX, "%s%s", agent, setting) >= SPEC_MAX)
		return why_set(why, STATUS_INPUT, "%.80s...: the settings are too long", agent);
	return STATUS_OK;
}

/* The length of a word in braces at TEXT, with the braces; 0 if there is none. */
static size_t word_length(const char *text)
{
	const size_t word = *text == '{' ? strspn(text + 1, "abcdefghijklmnopqrstuvwxyz-") : 0;
	return word && text[1 + word] == '}' ? word + 2 : 0;
}

/*
 * Copies TEXT, replacing {board} by the name of ENTRY's board, and {model} by ENTRY's learner in
 * braces, "{ntuple}". Only commands of external programs may have other words in braces.
 */
static enum status agent_on_board(const char *text, const struct experiment_entry *entry,
				  char on[SPEC_MAX], struct why *why)
{
	const bool program = strstr(text, "external");
	char learner[SPEC_MAX + 2] = "";
	bool asks = !entry->learner;
	size_t used = 0;
	if (entry->learner)
		snprintf(learner, sizeof learner, "{%s}", entry->learner->agent);
	for (char *c = learner; *c; c++)
		*c = *c == ',' ? ' ' : *c;
	for (const char *at = text; *at && used < SPEC_MAX;) {
		const size_t word = word_length(at);
		const char *by = NULL;
		if (word && strncmp(at, "{board}", word) == 0)
			by = entry->game.name;
		else if (word && *learner && !program && strncmp(at, "{model}", word) == 0)
			by = learner;
		else if (word && !program)
			return why_set(why, STATUS_INPUT,
				       "%.80s: '%.*s' is not known; {board} stands for the board, "
				       "and {model} in a player of `under` for its model file",
				       text, (int)word, at);
		asks = asks || by == learner;
		used += (size_t)snprintf(on + used, SPEC_MAX - used, "%.*s", by ? SPEC_MAX : 1,
					 by ? by : at);
		at += by ? word : 1;
	}
	if (used >= SPEC_MAX)
		return why_set(why, STATUS_INPUT, "%.80s...: the agent is too long", text);
	return asks ? STATUS_OK
		    : why_set(why, STATUS_INPUT,
			      "%.80s: expected {model} where the model file of %s would stand, as "
			      "in expectimax:value=ntuple,file={model}",
			      text, entry->learner->label);
}

/*
 * Sets the number of ENTRY among the trainings of its agent in EXPERIMENT, unless it has that of
 * the learner that it plays with, and adds the number to the label.
 */
static void training_number(struct experiment_entry *entry, const struct experiment *experiment)
{
	char suffix[8];
	const bool counts = entry->schedule.trainings && !entry->learner;
	for (size_t i = 0; counts && i < experiment->count; i++) {
		const struct experiment_entry *other = experiment->entries[i];
		entry->training += strcmp(other->game.name, entry->game.name) == 0 &&
				   strcmp(other->agent, entry->agent) == 0;
	}
	if (!entry->training)
		return;
	snprintf(suffix, sizeof suffix, " #%d", (int)entry->training % 1000 + 1);
	size_t end = sizeof entry->label - strlen(suffix) - 1;
	if (strlen(entry->label) < end)
		end = strlen(entry->label);
	while (end > 0 && is_continuation(entry->label[end]))
		end--;
	strcpy(entry->label + end, suffix);
}

static enum status entry_fill(struct experiment_entry *entry, const struct experiment *experiment,
			      const char *agent, const char *label, struct why *why)
{
	char here[SPEC_MAX] = "", timed[SPEC_MAX], own[SPEC_MAX];
	const size_t named = label ? 0 : agent_label(agent);
	if (named) {
		snprintf(own, sizeof own, "%.*s", (int)named, agent);
		label = own;
		agent += named + 1;
	}
	enum status status = agent_on_board(agent, entry, here, why);
	status = status ? status : agent_timed(experiment, here, timed, why);
	if (!status)
		status = agent_canonical(timed, entry->agent, why);
	if (!status)
		status = agent_settings(timed, entry->settings, why);
	if (status)
		return status;
	status = text_check("agent", agent, SPEC_MAX - 1, why);
	if (!status && label)
		status = text_check("label", label, RESULT_NAME_MAX - 1, why);
	if (status)
		return status;
	entry->labelled = label != NULL;
	if (label)
		snprintf(entry->label, sizeof entry->label, "%.*s", RESULT_NAME_MAX - 1, label);
	else
		label_from_agent(entry->label, agent);
	training_number(entry, experiment);
	entry->seed = experiment->seed + entry->training;
	status = schedule_check(entry, why);
	if (!status)
		status = entry_check_new(experiment, entry, why);
	status = status ? status : entry_try_agent(entry, why);
	return status ? status : agent_input_digest(entry->agent, &entry->contents, why);
}

static void entry_free(struct experiment_entry *entry)
{
	if (!entry->learner)
		free(entry->ends);
	free(entry);
}

/* Appends a copy of BEGUN, filled in for the player AGENT with LABEL. */
static enum status entry_add(struct experiment *experiment, const struct experiment_entry *begun,
			     const char *agent, const char *label, struct why *why)
{
	if (experiment->count == ENTRIES_MAX)
		return why_set(why, STATUS_INPUT, "more than %d players on boards", ENTRIES_MAX);
	experiment->entries =
	    xgrow(experiment->entries, experiment->count, sizeof *experiment->entries);
	struct experiment_entry *entry = xcalloc(1, sizeof *entry);
	*entry = *begun;
	enum status status = entry_fill(entry, experiment, agent, label, why);
	if (!status && entry->schedule.seconds && !entry->learner)
		entry->ends = xcalloc(entry->schedule.repeat, sizeof *entry->ends);
	if (status) {
		entry_free(entry);
		return status;
	}
	experiment->entries[experiment->count++] = entry;
	return STATUS_OK;
}

enum status experiment_add(struct experiment *experiment, const struct game *game,
			   const char *agent, const char *label, const struct schedule *schedule,
			   struct why *why)
{
	const struct experiment_entry begun = {.game = *game, .schedule = *schedule};
	enum status status = entry_add(experiment, &begun, agent, label, why);
	for (uint64_t n = 1; !status && n < schedule->trainings; n++)
		status = entry_add(experiment, &begun, agent, label, why);
	return status;
}

enum status experiment_add_under(struct experiment *experiment,
				 const struct experiment_entry *learner, const char *agent,
				 const char *label, uint64_t evaluate, struct why *why)
{
	struct experiment_entry begun = {.game = learner->game,
					 .schedule = learner->schedule,
					 .training = learner->training,
					 .learner = learner,
					 .ends = learner->ends};
	begun.schedule.evaluate = evaluate;
	begun.schedule.games = 0;
	return entry_add(experiment, &begun, agent, label, why);
}

enum status experiment_untrained(struct experiment *experiment, bool allowed, struct why *why)
{
	static const char mark[] = " (untrained)";
	for (size_t i = 0; i < experiment->count; i++) {
		struct experiment_entry *entry = experiment->entries[i];
		if (!entry->untrained || schedule_trains(&entry->schedule))
			continue;
		if (!allowed) {
			*why = entry->untrained_why;
			return STATUS_INPUT;
		}
		if (!strstr(entry->label, "untrained") &&
		    strlen(entry->label) + sizeof mark <= sizeof entry->label)
			strcat(entry->label, mark);
	}
	return STATUS_OK;
}

void experiment_fini(struct experiment *experiment)
{
	for (size_t i = 0; i < experiment->count; i++)
		entry_free(experiment->entries[i]);
	free(experiment->entries);
	free(experiment->name);
	free(experiment->title);
	free(experiment->duration);
	free(experiment->sweep);
	*experiment = (struct experiment){0};
}

uint64_t entry_config(const struct experiment_entry *entry, uint64_t trained)
{
	const struct game *game = &entry->game;
	char start[BOARD_TEXT_MAX] = "", text[CONFIG_TEXT_MAX];
	if (game->has_start)
		board_format(game, &game->start, start);
	int length = snprintf(text, sizeof text,
			      "board=%s spawn=%s start=%s start-tiles=%d agent=%s trained=%" PRIu64,
			      game->name, game->spawn.text, start, game->start_tiles,
			      entry->settings, trained);
	if (entry->training)
		length += snprintf(text + length, sizeof text - (size_t)length,
				   " training=%" PRIu64, entry->training);
	assert(length > 0 && length < CONFIG_TEXT_MAX);
	uint64_t config = XXH3_64bits(text, (size_t)length);
	if (entry->learner) {
		const uint64_t theirs = entry_config(entry->learner, trained);
		config = XXH3_64bits_withSeed(&theirs, sizeof theirs, config);
	}
	/* A file with other contents under the same name is another player. */
	return entry->contents
		   ? XXH3_64bits_withSeed(&entry->contents, sizeof entry->contents, config)
		   : config;
}

/* The hash of all that its training depends on, without the number of training games. */
static uint64_t entry_training(const struct experiment_entry *entry)
{
	const struct schedule *s = &entry->schedule;
	const uint64_t config = entry_config(entry, 0);
	const uint64_t hash =
	    XXH3_64bits_withSeed(&config, sizeof config, entry->seed) ^ s->seconds;
	/* Other times end blocks at other games. */
	return s->seconds && s->points[0] > 0
		   ? XXH3_64bits_withSeed(s->points, TRAINING_POINTS_MAX * sizeof *s->points, hash)
		   : hash;
}

enum status entry_model_path(const struct experiment_entry *entry, const char *folder,
			     uint64_t kept, char path[FOLDER_PATH_MAX], struct why *why)
{
	char label[RESULT_NAME_MAX], after[24] = "";
	if (kept)
		snprintf(after, sizeof after, "-%" PRIu64, kept);
	path_component(entry->label, label);
	return path_format(path, why, "%s/%s-%s-%08" PRIx32 "%s.nxn", folder, entry->game.name,
			   label, (uint32_t)entry_training(entry), after);
}

uint64_t entry_stage(const struct experiment_entry *entry, uint64_t k)
{
	return k > 0 && entry->ends
		   ? entry->ends[k - 1]
		   : entry->trained_before + (uint64_t)schedule_point(&entry->schedule, k);
}

uint64_t entry_trained(const struct experiment_entry *entry)
{
	return entry_stage(entry, entry->schedule.repeat);
}

uint64_t entry_games(const struct experiment_entry *entry, uint64_t trained)
{
	const struct schedule *s = &entry->schedule;
	return entry->first + s->evaluate + (trained == entry_trained(entry) ? s->games : 0);
}

uint64_t entry_total(const struct experiment_entry *entry)
{
	return entry->schedule.evaluate * entry->schedule.repeat + entry->schedule.games;
}

/* Whether LOG has a game of ENTRY under CONFIG. */
static bool entry_logged(const struct experiment_entry *entry, const struct gamelog *log,
			 uint64_t config)
{
	const struct schedule *s = &entry->schedule;
	const uint64_t last = entry->first + s->evaluate + s->games;
	for (uint64_t i = entry->first; i < last; i++)
		if (gamelog_find(log, config, entry->seed, i))
			return true;
	return false;
}

void entry_ends_find(struct experiment_entry *entry, const struct gamelog *log, double *seconds)
{
	const struct schedule *s = &entry->schedule;
	for (size_t i = 0; entry->ends && i < log->training_count; i++) {
		const struct gamelog_training *training = &log->trainings[i];
		const struct gamelog_player *player = gamelog_player(log, training->config);
		uint64_t k = 1;
		while (k <= s->repeat && schedule_point(s, k) != training->point)
			k++;
		if (k > s->repeat || !player ||
		    entry_config(entry, player->trained) != player->config ||
		    !entry_logged(entry, log, player->config))
			continue;
		entry->ends[k - 1] = player->trained;
		if (seconds)
			seconds[k - 1] = training->seconds;
	}
}

struct work_done entry_work(const struct experiment_entry *entry, const struct gamelog *log,
			    const struct share *share, uint64_t number)
{
	const struct schedule *s = &entry->schedule;
	struct work_done work = {0};
	for (uint64_t k = s->repeat > 0; k <= s->repeat; k++) {
		const uint64_t trained = entry_stage(entry, k),
			       config = entry_config(entry, trained),
			       end = entry->first + s->evaluate + (k == s->repeat ? s->games : 0);
		for (uint64_t i = entry->first; i < end; i++) {
			if (!schedule_trains(s) && !share_owns(share, number + i))
				continue;
			work.total++;
			work.done +=
			    (k == 0 || trained > 0) && gamelog_find(log, config, entry->seed, i);
		}
	}
	return work;
}

enum status entry_rows(const struct experiment_entry *entry, const struct gamelog *log,
		       const struct gamelog_row **rows, struct why *why)
{
	const uint64_t config = entry_config(entry, entry_trained(entry));
	for (uint64_t i = 0; i < entry->schedule.games; i++) {
		rows[i] = gamelog_find(log, config, entry->seed, entry->first + i);
		if (!rows[i])
			return why_set(why, STATUS_SYSTEM,
				       "game %" PRIu64 " of %s was played, but the log lacks it",
				       entry->first + i, entry->label);
	}
	return STATUS_OK;
}

static uint64_t experiment_config(const struct experiment *experiment)
{
	uint64_t hash = XXH3_64bits(&experiment->seed, sizeof experiment->seed);
	if (experiment->precision > 0)
		hash = XXH3_64bits_withSeed(&experiment->precision, sizeof experiment->precision,
					    hash);
	for (size_t i = 0; i < experiment->count; i++) {
		const struct experiment_entry *entry = experiment->entries[i];
		uint64_t config = entry_config(entry, 0);
		hash = XXH3_64bits_withSeed(&config, sizeof config, hash);
		const struct schedule *s = &entry->schedule;
		hash = XXH3_64bits_withSeed(s, offsetof(struct schedule, trainings), hash);
		if (s->points[0] > 0)
			hash = XXH3_64bits_withSeed(s->points,
						    TRAINING_POINTS_MAX * sizeof *s->points, hash);
	}
	return hash;
}

enum status experiment_provenance(const struct experiment *experiment, const char *command,
				  struct provenance *provenance, struct why *why)
{
	char seed[24];
	snprintf(seed, sizeof seed, "%" PRIu64, experiment->seed);
	enum status status = provenance_init(provenance, command, experiment_config(experiment),
					     seed, experiment->title, why);
	const struct game *game = experiment->count ? &experiment->entries[0]->game : NULL;
	/* A command that names a file does not tell its rules; the rows have the players. */
	if (!status && game &&
	    (strcmp(game->spawn.text, SPAWN_DEFAULT) != 0 ||
	     game->start_tiles != START_TILES_DEFAULT))
		provenance_add(provenance, "rules: --spawn %s --start-tiles %d", game->spawn.text,
			       game->start_tiles);
	return status;
}

/*
 * ---- The games of an experiment.
 *
 * A folder's log may hold games of other experiments, and has its rows in the order in which games
 * ended, which depends on threads. Tables are made from sorted rows, which do not.
 */

/* A selected row of the log. */
struct selected_row {
	size_t entry; /* index in the experiment; `count` of it for other games */
	const struct gamelog_row *row;
};

static int whole_compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int choice_compare(const void *left, const void *right)
{
	const struct selected_row *a = left, *b = right;
	const struct gamelog_player *p = a->row->player, *q = b->row->player;
	int order = whole_compare(a->entry, b->entry);
	order = order ? order : whole_compare(p->trained, q->trained);
	order = order ? order : whole_compare(p->config, q->config);
	order = order ? order : whole_compare(a->row->seed, b->row->seed);
	return order ? order : whole_compare(a->row->game, b->row->game);
}

/* Whether ENTRY plays games after TRAINED training games. */
static bool stage_exists(const struct experiment_entry *entry, uint64_t trained)
{
	const uint64_t train = entry->schedule.train;
	const bool listed = entry->ends || entry->schedule.points[0] > 0;
	if (trained == entry_trained(entry))
		return true;
	for (uint64_t k = 1; listed && k <= entry->schedule.repeat; k++)
		if (trained > 0 && trained == entry_stage(entry, k))
			return true;
	return train && !listed && trained > 0 && trained < entry_trained(entry) &&
	       trained % train == 0;
}

/*
 * The index of the entry that has the games of PLAYER; if there is none, experiment->count, or
 * SIZE_MAX if an entry replaces PLAYER, for example because a model was retrained.
 */
static size_t entry_of(const struct experiment *experiment, const struct gamelog_player *player)
{
	size_t other = experiment->count;
	for (size_t i = 0; i < experiment->count; i++) {
		const struct experiment_entry *entry = experiment->entries[i];
		if (strcmp(entry->game.name, player->board) != 0)
			continue;
		if (strcmp(entry->agent, player->agent) == 0 &&
		    stage_exists(entry, player->trained) &&
		    entry_config(entry, player->trained) == player->config)
			return i;
		if (strcmp(entry->label, player->label) == 0)
			other = SIZE_MAX;
	}
	return other;
}

/* Whether ENTRY asks for ROW, a game of its player. */
static bool entry_asks(const struct experiment_entry *entry, const struct gamelog_row *row)
{
	return row->seed == entry->seed && row->game < entry_games(entry, row->player->trained);
}

/*
 * Lists in CHOICES, which has room for all rows, the sorted rows of EXPERIMENT, and if WHOLE the
 * other rows of players that are not replaced; returns their number.
 */
static size_t choose(const struct experiment *experiment, const struct gamelog *log, bool whole,
		     struct selected_row *choices)
{
	size_t *entries = xcalloc(log->player_count, sizeof *entries), n = 0;
	for (size_t i = 0; i < log->player_count; i++)
		entries[i] = entry_of(experiment, log->players[i]);
	for (size_t i = 0; i < log->count; i++) {
		const struct gamelog_row *row = &log->rows[i];
		const size_t entry = entries[row->player->number];
		if (whole
			? entry != SIZE_MAX
			: entry < experiment->count && entry_asks(experiment->entries[entry], row))
			choices[n++] = (struct selected_row){entry, row};
	}
	qsort(choices, n, sizeof *choices, choice_compare);
	free(entries);
	return n;
}

/* Announces all labels in their order, and then adds CHOICES of LOG to the empty SELECTION. */
static enum status selection_fill(struct gamelog *selection, const struct gamelog *log,
				  const struct experiment *experiment,
				  const struct selected_row *choices, size_t n, struct why *why)
{
	enum status status = STATUS_OK;
	/* The log's labels come first: players keep their colours when others join them. */
	const bool others = n > 0 && choices[n - 1].entry == experiment->count;
	for (size_t i = 0; others && i < log->label_count; i++)
		gamelog_announce(selection, log->labels[i]);
	for (size_t i = 0; i < experiment->count; i++)
		gamelog_announce(selection, experiment->entries[i]->label);
	for (size_t i = 0; i < log->training_count; i++)
		gamelog_note_training(selection, &log->trainings[i]);
	for (size_t i = 0; !status && i < n; i++) {
		struct gamelog_player player = *choices[i].row->player;
		if (choices[i].entry < experiment->count)
			player.label = experiment->entries[choices[i].entry]->label;
		status = gamelog_add(selection, &player, choices[i].row, why);
	}
	return status;
}

enum status selection_init(struct gamelog *selection, const struct gamelog *log,
			   const struct experiment *experiment, bool whole, struct why *why)
{
	struct gamelog s;
	struct selected_row *choices = xcalloc(log->count + 1, sizeof *choices);
	gamelog_init(&s);
	const size_t n = choose(experiment, log, whole, choices);
	enum status status = selection_fill(&s, log, experiment, choices, n, why);
	for (size_t i = 0; i < log->stop_count; i++)
		gamelog_note_stop(&s, &log->stops[i]);
	free(choices);
	if (status)
		gamelog_fini(&s);
	else
		*selection = s;
	return status;
}
