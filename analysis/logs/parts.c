/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Merges the parts of a log; see parts.h.
 *
 * What is in the log is kept as hashes: of the key of a record, with that of the columns that must agree;
 * and of whole comments. Two keys of one 64-bit hash would look like a contradiction or cost a game
 * that would be played again; among 10 million games the chance is 3e-6.
 */
#include "analysis/logs/parts.h"

#include "base/append.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Bytes of whole lines that are written at a time. */
enum { CHUNK = 1 << 16 };

enum { PATH_ROOM = 1024 };

/* What the log has: records and comments by hash, open addressing; key 0 is an empty place. */
struct seen {
	struct seen_slot {
		uint64_t key, decision;
	} * slot;
	size_t count, room; /* a power of two */
};

/* Merging under way. */
struct merge {
	const struct parts_kind *kind;
	struct append_file log;
	struct seen seen;
	bool own;    /* the log itself is being read */
	bool header; /* it has its row of column names */
	off_t whole; /* bytes of its whole lines */
	char *text;  /* lines on their way into the log */
	size_t length, room;
	struct parts_count count;
};

/* ---- What there is. */

static struct seen_slot *seen_place(const struct seen *seen, uint64_t key)
{
	size_t i = key & (seen->room - 1);
	while (seen->slot[i].key && seen->slot[i].key != key)
		i = (i + 1) & (seen->room - 1);
	return &seen->slot[i];
}

static enum status seen_grow(struct seen *seen, struct why *why)
{
	struct seen grown = {.count = seen->count, .room = seen->room ? 2 * seen->room : 1024};
	grown.slot = calloc(grown.room, sizeof *grown.slot);
	if (!grown.slot)
		return why_errno(why, "%zu records", grown.room);
	for (size_t i = 0; i < seen->room; i++)
		if (seen->slot[i].key)
			*seen_place(&grown, seen->slot[i].key) = seen->slot[i];
	free(seen->slot);
	*seen = grown;
	return STATUS_OK;
}

/* The place of KEY, filled with DECISION if it is NEW. */
static enum status seen_add(struct seen *seen, uint64_t key, uint64_t decision, bool *new,
			    uint64_t *there, struct why *why)
{
	if (2 * seen->count >= seen->room) {
		enum status status = seen_grow(seen, why);
		if (status)
			return status;
	}
	key += key == 0;
	struct seen_slot *slot = seen_place(seen, key);
	*new = !slot->key;
	if (*new) {
		*slot = (struct seen_slot){key, decision};
		seen->count++;
	}
	*there = slot->decision;
	return STATUS_OK;
}

/* With what ends it, so that columns cannot run into each other. */
static void columns_add(XXH3_state_t *state, const char *column, size_t length)
{
	XXH3_64bits_update(state, column, length);
	XXH3_64bits_update(state, "\t", 1);
}

/* The hash of the columns of LINE that MASK has, and the number of columns. */
static uint64_t columns_hash(const char *line, uint32_t mask, int *columns)
{
	XXH3_state_t state;
	XXH3_64bits_reset(&state);
	for (*columns = 0;; (*columns)++) {
		const size_t length = strcspn(line, "\t");
		if (*columns < 32 && mask >> *columns & 1)
			columns_add(&state, line, length);
		if (!line[length])
			break;
		line += length + 1;
	}
	++*columns;
	return XXH3_64bits_digest(&state);
}

/* ---- Lines. */

/* Hands to the log what is on its way. */
static enum status lines_flush(struct merge *m, struct why *why)
{
	const size_t length = m->length;
	m->length = 0;
	return length ? append_write(&m->log, m->text, length, why) : STATUS_OK;
}

static enum status line_copy(struct merge *m, const char *line, struct why *why)
{
	const size_t length = strlen(line);
	enum status status = STATUS_OK;
	if (m->length + length + 1 > CHUNK)
		status = lines_flush(m, why);
	if (!status && m->length + length + 1 > m->room) {
		const size_t room = length + 1 > CHUNK ? length + 1 : CHUNK;
		char *grown = realloc(m->text, room);
		if (!grown)
			return why_errno(why, "a line of %zu bytes", length);
		m->text = grown;
		m->room = room;
	}
	if (status)
		return status;
	memcpy(m->text + m->length, line, length);
	m->text[m->length + length] = '\n';
	m->length += length + 1;
	return STATUS_OK;
}

/* Whether LINE, which is no comment, is the row of column names, or can be the torn beginning of it. */
static bool header_fits(const struct parts_kind *kind, const char *line, bool torn)
{
	return torn ? strncmp(line, kind->header, strlen(line)) == 0
		    : strcmp(line, kind->header) == 0;
}

static enum status row_see(struct merge *m, const char *line, const char *path, size_t number,
			   bool *new, struct why *why)
{
	int columns, wanted;
	uint64_t there;
	const uint64_t decision = columns_hash(line, m->kind->decision, &columns);
	columns_hash(m->kind->header, 0, &wanted);
	if (columns < wanted)
		return why_set(why, STATUS_INPUT,
			       "%s:%zu: not a record of a %s: %d columns instead of %d", path,
			       number, m->kind->log, columns, wanted);
	const uint64_t key = columns_hash(line, m->kind->key, &columns);
	enum status status = seen_add(&m->seen, key, decision, new, &there, why);
	if (!status && there != decision)
		return why_set(why, STATUS_INPUT,
			       "%s:%zu: contradicts what %s or a part before it says of the same",
			       path, number, m->log.path);
	return status;
}

/* Takes note of LINE, whole; whether it is NEW to the log. HEADER: whether the names came before it. */
static enum status line_see(struct merge *m, const char *line, const char *path, size_t number,
			    bool *header, bool *new, struct why *why)
{
	uint64_t there;
	*new = false;
	if (*line == '#')
		return seen_add(&m->seen, XXH3_64bits(line, strlen(line)), 0, new, &there, why);
	if (*header)
		return row_see(m, line, path, number, new, why);
	*header = header_fits(m->kind, line, false);
	if (*header)
		return STATUS_OK;
	return why_set(why, STATUS_INPUT,
		       "%s:%zu: not a %s: expected its column names, found '%.40s'", path, number,
		       m->kind->log, line);
}

/*
 * Takes in LINE of a file: the log itself, of which only note is taken, or a part. The column names of a
 * part come in where the log has none yet.
 */
static enum status line_take(struct merge *m, const char *line, const char *path, size_t number,
			     bool *header, struct why *why)
{
	bool new;
	const bool row = *header && *line != '#';
	enum status status = line_see(m, line, path, number, header, &new, why);
	if (status)
		return status;
	const bool names = *header && !m->header;
	m->header = m->header || *header;
	if (m->own) {
		m->whole += (off_t)strlen(line) + 1;
		return STATUS_OK;
	}
	m->count.records += row && new;
	m->count.known += row && !new;
	return new || names ? line_copy(m, line, why) : STATUS_OK;
}

/* ---- Files. */

/* Takes in all whole lines of FILE; a torn last one must be the beginning of what belongs there. */
static enum status lines_take(struct merge *m, FILE *file, const char *path, struct why *why)
{
	enum status status = STATUS_OK;
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	bool header = false;
	for (size_t n = 1; !status && (length = getline(&line, &room, file)) > 0; n++) {
		const bool torn = line[length - 1] != '\n';
		line[length - !torn] = '\0';
		/* It would be cut short there, and the log with it. */
		if (!torn && strlen(line) != (size_t)length - 1)
			status = why_set(why, STATUS_INPUT, "%s:%zu: holds a zero byte", path, n);
		else if (!torn || (*line != '#' && !header && !header_fits(m->kind, line, true)))
			status = line_take(m, line, path, n, &header, why);
	}
	if (!status && lines_cut_short(file))
		status = why_file(why, path, "cannot be read");
	free(line);
	return status;
}

static enum status file_take(struct merge *m, const char *path, struct why *why)
{
	FILE *file = fopen(path, "re");
	if (!file)
		return why_file(why, path, "cannot be read");
	enum status status = lines_take(m, file, path, why);
	fclose(file);
	return status;
}

/* Opens the log and takes note of what it has. */
static enum status log_take(struct merge *m, const char *directory, struct why *why)
{
	char path[PATH_ROOM];
	if (snprintf(path, sizeof path, "%s/%s.tsv", directory, m->kind->stem) >= PATH_ROOM)
		return why_set(why, STATUS_INPUT, "%.80s...: too long a path", directory);
	enum status status = append_open(&m->log, path, 0, why);
	if (status)
		return status;
	status = append_lock(&m->log, m->kind->log, why);
	m->own = true;
	if (!status)
		status = file_take(m, path, why);
	m->own = false;
	if (status)
		close(m->log.fd);
	return status;
}

/* Cuts off the torn last line, if there is one. */
static enum status log_cut(struct merge *m, struct why *why)
{
	const off_t size = lseek(m->log.fd, 0, SEEK_END);
	if (size < 0)
		return why_file(why, m->log.path, "cannot be read");
	return append_cut(&m->log, m->whole, size - m->whole, why);
}

static enum status parts_take(struct merge *m, const struct parts *parts, struct why *why)
{
	struct why close_why;
	enum status status = log_cut(m, why);
	for (size_t i = 0; !status && i < parts->n; i++) {
		status = file_take(m, parts->path[i], why);
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

/* Locks all of PARTS into FD: whoever is writing one would lose what it writes. */
static enum status parts_lock(const struct parts_kind *kind, const struct parts *parts, int *fd,
			      size_t *locked, struct why *why)
{
	for (*locked = 0; *locked < parts->n; ++*locked) {
		const char *path = parts->path[*locked];
		fd[*locked] = open(path, O_RDONLY | O_CLOEXEC);
		if (fd[*locked] < 0)
			return why_file(why, path, "cannot be read");
		if (flock(fd[*locked], LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
			continue;
		close(fd[*locked]);
		return why_set(why, STATUS_INPUT, "%s: another process is writing this %s", path,
			       kind->log);
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

/* Merges parts that nobody else can change. */
static enum status parts_merge_locked(const struct parts_kind *kind, const char *directory,
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

enum status parts_merge(const struct parts_kind *kind, const char *directory,
			const struct parts *parts, bool remove, struct parts_count *count,
			struct why *why)
{
	size_t locked;
	if (!parts->n)
		return STATUS_OK;
	int *lock = calloc(parts->n, sizeof *lock);
	if (!lock)
		return why_errno(why, "%zu parts", parts->n);
	enum status status = parts_lock(kind, parts, lock, &locked, why);
	if (!status)
		status = parts_merge_locked(kind, directory, parts, count, why);
	if (!status && remove)
		status = parts_remove(parts, why);
	while (locked > 0)
		close(lock[--locked]);
	free(lock);
	return status;
}

enum status parts_add(struct parts *parts, const char *path, struct why *why)
{
	char **grown = reallocarray(parts->path, parts->n + 1, sizeof *grown);
	if (grown)
		parts->path = grown;
	char *copy = grown ? strdup(path) : NULL;
	if (!copy)
		return why_errno(why, "%s", path);
	parts->path[parts->n++] = copy;
	return STATUS_OK;
}

/* Adds the file NAME in DIRECTORY. */
static enum status file_add(struct parts *parts, const char *directory, const char *name,
			    struct why *why)
{
	char path[PATH_ROOM];
	if (snprintf(path, sizeof path, "%s/%s", directory, name) >= PATH_ROOM)
		return why_set(why, STATUS_INPUT, "%.80s...: too long a path", directory);
	return parts_add(parts, path, why);
}

enum status parts_find(const struct parts_kind *kind, const char *directory, struct parts *parts,
		       struct why *why)
{
	char pattern[64];
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
		if (!status && fnmatch(pattern, names[i]->d_name, 0) == 0)
			status = file_add(&found, directory, names[i]->d_name, why);
		free(names[i]);
	}
	free(names);
	if (status)
		parts_free(&found);
	else
		*parts = found;
	return status;
}

void parts_free(struct parts *parts)
{
	for (size_t i = 0; i < parts->n; i++)
		free(parts->path[i]);
	free(parts->path);
	*parts = (struct parts){0};
}
