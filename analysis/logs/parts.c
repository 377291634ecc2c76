/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Merges the parts of a log, and reads game logs in parts; see parts.h.
 *
 * The records and comments of the log are stored as hashes: of a record the hash of its key with
 * that of the columns that must agree; of a comment the hash of all of it. Equal 64-bit hashes of
 * two keys would report a contradiction or drop a game; among 10 million games the chance is 3e-6.
 */
#include "analysis/logs/parts.h"

#include "analysis/logs/gamelog.h"
#include "base/file.h"
#include "base/number.h"
#include "base/xalloc.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Capacity of the buffer of lines, in bytes. */
enum { CHUNK = 1 << 16 };

/* State of a merge. */
struct merge {
	const struct rowlog_kind *kind;
	struct append_file log;
	struct row_index seen; /* records (key, decision) and comments of the log, by hash */
	bool own;	       /* the log itself is being read */
	bool names;	       /* the log has its column names */
	char *text;	       /* whole lines to append to the log */
	size_t length;
	struct parts_count count;
};

/* ---- Records and comments of the log. */

/* Adds KEY with DECISION if it is NEW; returns the decision stored for KEY. */
static uint64_t decision_add(struct row_index *seen, uint64_t key, uint64_t decision, bool *new)
{
	const uint64_t *found = row_index_find(seen, key);
	*new = !found;
	if (!found)
		row_index_add(seen, key, decision);
	return found ? *found : decision;
}

/* The tab keeps ("ab", "c") and ("a", "bc") apart. */
static void columns_add(XXH3_state_t *state, const char *column, size_t length)
{
	XXH3_64bits_update(state, column, length);
	XXH3_64bits_update(state, "\t", 1);
}

/* The hash of those columns of LINE whose bits are set in MASK. */
static uint64_t columns_hash(const char *line, uint32_t mask)
{
	XXH3_state_t state;
	XXH3_64bits_reset(&state);
	for (; mask; mask >>= 1) {
		const size_t length = strcspn(line, "\t");
		if (mask & 1)
			columns_add(&state, line, length);
		if (!line[length])
			break;
		line += length + 1;
	}
	return XXH3_64bits_digest(&state);
}

/* ---- Lines. */

/* Appends the buffered lines to the log. */
static enum status lines_flush(struct merge *m, struct why *why)
{
	const size_t length = m->length;
	m->length = 0;
	return length ? append_write(&m->log, m->text, length, why) : STATUS_OK;
}

static enum status line_copy(struct merge *m, const char *line, struct why *why)
{
	const size_t length = strlen(line);
	enum status status = m->length + length + 1 > CHUNK ? lines_flush(m, why) : STATUS_OK;
	if (status)
		return status;
	m->text = xreallocarray(m->text, m->length + length + 1 > CHUNK ? length + 1 : CHUNK, 1);
	memcpy(m->text + m->length, line, length);
	m->text[m->length + length] = '\n';
	m->length += length + 1;
	return STATUS_OK;
}

/* The name of a log of KIND, without the article. */
static const char *noun(const struct rowlog_kind *kind)
{
	return strchr(kind->log, ' ') + 1;
}

/* Checks and stores the record LINE; NEW if the log lacks it. */
static enum status row_check(struct merge *m, const char *line, const struct rowlog_reader *reader,
			     bool *new, struct why *why)
{
	_Alignas(max_align_t) char row[ROWLOG_ROW_MAX];
	const uint64_t decision = columns_hash(line, m->kind->decision);
	char *copy = xstrdup(line);
	enum status status = rowlog_parse(reader, copy, row, why);
	free(copy);
	if (!status &&
	    decision_add(&m->seen, columns_hash(line, m->kind->key), decision, new) != decision)
		return why_set(why, STATUS_INPUT,
			       "%s:%zu: contradicts what %s or a part before it says of the same",
			       reader->path, reader->number, m->log.path);
	return status;
}

/*
 * Handles LINE of the log itself, whose lines are only stored, or of a part, whose new lines are
 * appended. Column names of a part are appended if the log has none yet.
 */
static enum status line_take(struct rowlog_reader *reader, char *line, struct why *why)
{
	struct merge *m = reader->context;
	const bool comment = *line == '#', row = !comment && reader->names;
	bool new = !comment && !row && !m->names;
	enum status status = STATUS_OK;
	if (comment)
		decision_add(&m->seen, XXH3_64bits(line, strlen(line)), 0, &new);
	else if (row)
		status = row_check(m, line, reader, &new, why);
	else
		m->names = true;
	if (status || m->own)
		return status;
	m->count.records += row && new;
	m->count.known += row && !new;
	return new ? line_copy(m, line, why) : STATUS_OK;
}

/* ---- Files. */

/* Reads all whole lines of the file PATH. */
static enum status file_take(struct merge *m, const char *path, struct rowlog_reader *reader,
			     struct why *why)
{
	*reader =
	    (struct rowlog_reader){.kind = m->kind, .path = path, .take = line_take, .context = m};
	return rowlog_lines(reader, why);
}

/* Opens the log, stores its records and comments, and cuts off a torn last line. */
static enum status log_take(struct merge *m, const char *directory, struct why *why)
{
	char path[FOLDER_PATH_MAX];
	struct rowlog_reader reader;
	if (path_format(path, why, "%s/%s.tsv", directory, m->kind->stem))
		return STATUS_INPUT;
	enum status status = append_open(&m->log, path, O_NOFOLLOW, noun(m->kind), why);
	if (status)
		return status;
	m->own = true;
	status = file_take(m, path, &reader, why);
	m->own = false;
	status = status ? status
			: append_truncate(&m->log, (off_t)reader.whole, (off_t)reader.torn, why);
	if (status)
		close(m->log.fd);
	return status;
}

static enum status parts_take(struct merge *m, const struct parts *parts, struct why *why)
{
	struct why close_why;
	struct rowlog_reader reader;
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < parts->n; i++) {
		status = file_take(m, parts->path[i], &reader, why);
		m->count.files += !status;
	}
	if (!status)
		status = lines_flush(m, why);
	enum status closed = append_close(&m->log, &close_why);
	if (!status && closed)
		*why = close_why;
	return status ? status : closed;
}

/* ---- Parts. */

/* Locks all of PARTS into FD: a process that is still writing a part would lose its rows. */
static enum status parts_lock(const struct rowlog_kind *kind, const struct parts *parts, int *fd,
			      size_t *locked, struct why *why)
{
	for (*locked = 0; *locked < parts->n; ++*locked) {
		const char *path = parts->path[*locked];
		fd[*locked] = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
		if (fd[*locked] < 0)
			return why_file(why, path, "cannot be read");
		if (flock(fd[*locked], LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
			continue;
		close(fd[*locked]);
		return why_set(why, STATUS_INPUT, "%s: another process is writing this %s", path,
			       noun(kind));
	}
	return STATUS_OK;
}

static enum status parts_remove(const struct parts *parts, struct why *why)
{
	for (size_t i = 0; i < parts->n; i++)
		if (unlink(parts->path[i]) != 0 && errno != ENOENT)
			return why_errno(why, "%s: cannot be removed, though it is merged",
					 parts->path[i]);
	return STATUS_OK;
}

/* Merges PARTS, which are locked. */
static enum status parts_merge_locked(const struct rowlog_kind *kind, const char *directory,
				      const struct parts *parts, struct parts_count *count,
				      struct why *why)
{
	struct merge m = {.kind = kind};
	enum status status = log_take(&m, directory, why);
	if (!status)
		status = parts_take(&m, parts, why);
	free(m.seen.slot);
	free(m.text);
	if (count) {
		count->files += m.count.files;
		count->records += m.count.records;
		count->known += m.count.known;
	}
	return status;
}

enum status parts_merge(const struct rowlog_kind *kind, const char *directory,
			const struct parts *parts, struct parts_count *count, struct why *why)
{
	size_t locked;
	if (!parts->n)
		return STATUS_OK;
	int *lock = xcalloc(parts->n, sizeof *lock);
	enum status status = parts_lock(kind, parts, lock, &locked, why);
	if (!status)
		status = parts_merge_locked(kind, directory, parts, count, why);
	if (!status)
		status = parts_remove(parts, why);
	while (locked > 0)
		close(lock[--locked]);
	free(lock);
	return status;
}

/* ---- Shares. */

/* Share INDEX of COUNT; both are 0 if the file is no share. */
struct division {
	uint64_t index, count;
};

/* The length of the folder in PATH, with its slash. */
static int folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? (int)(slash + 1 - path) : 0;
}

/* Parses the name STEM.K-of-N.tsv of PATH. */
static struct division division_of(const struct rowlog_kind *kind, const char *path)
{
	struct division d = {0};
	const char *name = path + folder_length(path);
	const size_t stem = strlen(kind->stem);
	if (strncmp(name, kind->stem, stem) != 0 || name[stem] != '.')
		return d;
	const char *end = whole_scan(name + stem + 1, &d.index);
	end = end && strncmp(end, "-of-", 4) == 0 ? whole_scan(end + 4, &d.count) : NULL;
	const bool whole = end && strcmp(end, ".tsv") == 0 && d.index >= 1 && d.index <= d.count;
	return whole ? d : (struct division){0};
}

/* Whether one of PARTS is the share WANTED. */
static bool division_has(const struct rowlog_kind *kind, const struct parts *parts,
			 struct division wanted)
{
	for (size_t i = 0; i < parts->n; i++) {
		const struct division d = division_of(kind, parts->path[i]);
		if (d.index == wanted.index && d.count == wanted.count)
			return true;
	}
	return false;
}

/* The games of one player with one seed, for a division into shares. */
struct series {
	const struct gamelog_player *player;
	uint64_t last;	/* the largest game number */
	uint64_t shift; /* from I - 1 to the games of share I */
	uint64_t *ends; /* for each remainder of game numbers by shares, 1 + its last game, or 0 */
};

/* The number in INDEX of the player and seed of ROW; NEW if they were not in it. */
static size_t series_of(struct row_index *index, const struct gamelog_row *row, bool *new)
{
	const uint64_t key[] = {row->player->config, row->seed};
	return decision_add(index, XXH3_64bits(key, sizeof key), index->count, new);
}

/*
 * The share of COUNT whose games of S end although others have later ones, with its *NEXT game; 0
 * if none. One share plays all games of a learner.
 */
static uint64_t series_lacks(const struct series *s, size_t count, uint64_t *next)
{
	for (size_t i = 0; !s->player->trained && i < count; i++) {
		const size_t share = (i + s->shift) % count;
		*next = s->ends[share] ? s->ends[share] - 1 + count : share;
		if (*next < s->last)
			return i + 1;
	}
	return 0;
}

/*
 * Whether a player lacks games of a share although later games of other shares with the same seed
 * exist; sets D->index to that share, and TEXT to say which. Each of D->count shares plays every
 * D->count-th game of every player. ENDS[i] games of the log come from the first i + 1 FILES.
 */
static bool games_missing(const struct gamelog *log, const struct parts *files, const size_t *ends,
			  struct division *d, char text[PARTS_LACK_MAX])
{
	const size_t count = (size_t)d->count;
	struct row_index index = {0};
	struct series *all = NULL;
	uint64_t next = 0, lacking = 0;
	bool new;
	for (size_t file = 0, i = 0; file < files->n; file++) {
		const uint64_t share = division_of(&gamelog_kind, files->path[file]).index;
		for (; i < ends[file]; i++) {
			const struct gamelog_row *row = &log->rows[i];
			const size_t n = series_of(&index, row, &new);
			all = new ? xgrow(all, n, sizeof *all) : all;
			struct series *s = &all[n];
			if (new)
				*s = (struct series){
				    .player = row->player,
				    .shift = share ? (row->game + count + 1 - share) % count : 0,
				    .ends = xcalloc(count, sizeof *s->ends)};
			uint64_t *end = &s->ends[row->game % count];
			s->last = row->game > s->last ? row->game : s->last;
			*end = row->game < *end ? *end : row->game + 1;
		}
	}
	for (struct series *s = all; s < all + index.count; s++) {
		const bool first = !lacking && (lacking = series_lacks(s, count, &next));
		if (first)
			snprintf(text, PARTS_LACK_MAX,
				 "has no games of %.60s from number %" PRIu64 " on, as others have",
				 s->player->label, next);
		free(s->ends);
	}
	d->index = lacking ? lacking : d->index;
	free(all);
	free(index.slot);
	return lacking;
}

/*
 * Whether a share of D lacks games of a player of whom other shares have later ones; TEXT says
 * which. Such a share is unfinished, was to play fewer games, is empty, a copy of another share, or
 * of another run. PARTS are of folders, whose games.tsv is read as well. Errors of reading are
 * ignored here, since other functions report them.
 */
static bool games_lack(const struct parts *parts, struct division *d, char text[PARTS_LACK_MAX])
{
	struct parts files = {0}, torn = {0};
	struct gamelog log = {0};
	bool lack = false;
	for (size_t i = 0; i < parts->n; i++)
		parts_add(&files, parts->path[i]);
	for (size_t i = 0; i < parts->n; i++) {
		const int folder = folder_length(parts->path[i]);
		if (i && strncmp(parts->path[i], parts->path[i - 1], (size_t)folder) == 0)
			continue;
		char *path = xasprintf("%.*sgames.tsv", folder, parts->path[i]);
		if (access(path, F_OK) == 0)
			parts_add(&files, path);
		free(path);
	}
	size_t *ends = xcalloc(files.n, sizeof *ends);
	if (!gamelog_read_paths(&log, (const char *const *)files.path, files.n, ends, &torn, NULL))
		lack = games_missing(&log, &files, ends, d, text);
	free(ends);
	gamelog_fini(&log);
	parts_free(&torn);
	parts_free(&files);
	return lack;
}

bool parts_lack(const struct rowlog_kind *kind, const struct parts *parts,
		char text[PARTS_LACK_MAX])
{
	uint64_t last = 0;
	char lack[PARTS_LACK_MAX] = "is missing";
	for (size_t i = 0; i < parts->n; i++) {
		struct division d = {1, division_of(kind, parts->path[i]).count};
		if (d.count == 0 || d.count == last)
			continue;
		while (d.index <= d.count && division_has(kind, parts, d))
			d.index++;
		if (d.index <= d.count || (kind == &gamelog_kind && games_lack(parts, &d, lack))) {
			snprintf(text, PARTS_LACK_MAX,
				 "share %" PRIu64 " of %" PRIu64 " %.130s: %s.%" PRIu64
				 "-of-%" PRIu64 ".tsv",
				 d.index, d.count, lack, kind->stem, d.index, d.count);
			return true;
		}
		last = d.count;
	}
	return false;
}

enum status parts_check(const struct rowlog_kind *kind, const struct parts *parts, uint64_t count,
			struct why *why)
{
	uint64_t first = count;
	for (size_t i = 0; i < parts->n; i++) {
		const uint64_t other = division_of(kind, parts->path[i]).count;
		first = first ? first : other;
		if (other && other != first)
			return why_set(why, STATUS_INPUT,
				       "%s: is a share of %" PRIu64 ", not of %" PRIu64
				       " as %s; the command without --shard merges all of them",
				       parts->path[i], other, first,
				       count ? "--shard says" : "others in its folder");
	}
	return STATUS_OK;
}

void parts_add(struct parts *parts, const char *path)
{
	parts->path = xgrow(parts->path, parts->n, sizeof *parts->path);
	parts->path[parts->n++] = xstrdup(path);
}

enum status parts_find(const struct rowlog_kind *kind, const char *directory, struct parts *parts,
		       struct why *why)
{
	char pattern[64], path[FOLDER_PATH_MAX];
	struct dirent **names = NULL;
	struct parts found = {0};
	enum status status = STATUS_OK;
	snprintf(pattern, sizeof pattern, "%s.*.tsv", kind->stem);
	const int n = scandir(directory, &names, NULL, alphasort);
	if (n < 0)
		return errno == ENOENT || errno == ENOTDIR
			   ? why_set(why, STATUS_INPUT, "%s: there is no such folder", directory)
			   : why_errno(why, "%s: cannot be read", directory);
	for (int i = 0; i < n; i++) {
		if (!status && fnmatch(pattern, names[i]->d_name, 0) == 0) {
			status = path_format(path, why, "%s/%s", directory, names[i]->d_name);
			parts_add(&found, path);
		}
		free(names[i]);
	}
	free(names);
	if (status)
		parts_free(&found);
	else
		*parts = found;
	return status;
}

enum status parts_all(const struct rowlog_kind *kind, const char *directory, struct parts *parts,
		      struct why *why)
{
	char path[FOLDER_PATH_MAX];
	enum status status = path_format(path, why, "%s/%s.tsv", directory, kind->stem);
	status = status ? status : parts_find(kind, directory, parts, why);
	if (!status && access(path, F_OK) == 0)
		parts_add(parts, path);
	return status;
}

void parts_free(struct parts *parts)
{
	for (size_t i = 0; i < parts->n; i++)
		free(parts->path[i]);
	free(parts->path);
	*parts = (struct parts){0};
}

/* ---- Game logs by path: files, and folders with a games.tsv and its parts. */

/* Reads PATH, and adds it to TORN if its last line is torn. */
static enum status games_read(struct gamelog *log, const char *path, struct parts *torn,
			      struct why *why)
{
	const size_t before = log->torn;
	enum status status = gamelog_read(log, path, why);
	if (!status && log->torn > before)
		parts_add(torn, path);
	return status;
}

/* Reports that FOLDER has no game log, or the share of any log that it lacks. */
static enum status lack_report(const char *folder, struct why *why)
{
	char text[PARTS_LACK_MAX];
	struct parts parts;
	for (size_t i = 0; log_kinds[i]; i++) {
		if (parts_find(log_kinds[i], folder, &parts, why))
			return STATUS_INPUT;
		const bool lacks = parts_lack(log_kinds[i], &parts, text);
		parts_free(&parts);
		if (lacks)
			return why_set(why, STATUS_INPUT, "%s: %s", folder, text);
	}
	return why_set(why, STATUS_INPUT, "%s/games.tsv: no such game log", folder);
}

/* Reads the games of a folder, which must have a log, or of a file. */
static enum status path_read(struct gamelog *log, const char *argument, struct parts *torn,
			     struct why *why)
{
	struct stat there;
	struct parts files;
	if (stat(argument, &there) != 0 || !S_ISDIR(there.st_mode))
		return games_read(log, argument, torn, why);
	enum status status = parts_all(&gamelog_kind, argument, &files, why);
	if (status)
		return status;
	status = files.n ? parts_check(&gamelog_kind, &files, 0, why) : lack_report(argument, why);
	for (size_t i = 0; !status && i < files.n; i++)
		status = games_read(log, files.path[i], torn, why);
	parts_free(&files);
	return status;
}

enum status gamelog_read_paths(struct gamelog *log, const char *const *paths, size_t n,
			       size_t *ends, struct parts *torn, struct why *why)
{
	struct gamelog read = {0};
	struct parts cut = {0};
	enum status status = STATUS_OK;
	for (size_t i = 0; !status && i < n; i++) {
		status = path_read(&read, paths[i], &cut, why);
		if (ends)
			ends[i] = read.count;
	}
	if (!status && read.count == 0)
		status = why_set(why, STATUS_INPUT, "%s: holds no games%s", paths[0],
				 cut.n ? ", only a torn line" : "");
	if (status) {
		parts_free(&cut);
		gamelog_fini(&read);
	} else {
		*log = read;
		*torn = cut;
	}
	return status;
}
