/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A game move by move, as a table: a row of quoted column names, then a row a move.
 *
 * Columns: trained (training games behind the player) and game, the same in all rows; move (from
 * 1); score, max_tile, empty (of the position in which it is made: points so far, its largest tile,
 * the number of empty cells); direction (0 up, 1 right, 2 down, 3 left); value and chance (of the
 * move made, as the player tells them); uncertainty (the move's distance to certainty,
 * decision_uncertainty()); legal (the number of legal moves). What the player does not tell is NaN.
 *
 * The file appears complete or not at all; where its name is a symbolic link, what that leads to.
 */
#ifndef NXN_TRACES_H
#define NXN_TRACES_H

#include "agents/play.h"
#include "base/file.h"
#include "src/games/experiment.h"

/*
 * STATUS_INPUT if what is at PATH is something else than a trace, which must not be lost: another
 * file, a folder, a device.
 */
MUST_USE enum status trace_check(const char *path, struct why *why);

/*
 * play_game() into the file PATH, with PROVENANCE at its head (lines without "# "; ends with
 * NULL; may be NULL) and TRAINED games behind the player; WATCH is asked as there. FINISHED is
 * what that returns; nothing is left behind if it is false. Nobody else may write the same.
 * STATUS_SYSTEM if the file cannot be written; and as agent_check().
 */
MUST_USE enum status traces_play(const char *path, const char *const *provenance,
				 struct agent *agent, uint64_t trained, uint64_t seed,
				 uint64_t index, const struct play_watch *watch,
				 struct outcome *outcome, bool *finished, struct why *why);

/* ---- The traced games of an experiment. */

/*
 * `traces: N` are the first N games of every player, each time that it plays, and of one that
 * learns as many before it has learned anything, which are in no log. A game has a file of its own,
 * traces/BOARD-LABEL-TRAINED-GAME-HASH.tsv, which appears complete or not at all, and before the
 * game is logged. So after any interruption a game is either there in both or played again.
 *
 * The file of game INDEX of ENTRY after TRAINED training games, in the folder TRACES.
 */
MUST_USE enum status traces_path(const char *traces, const struct experiment_entry *entry,
				 uint64_t trained, uint64_t seed, uint64_t index,
				 char path[FOLDER_PATH_MAX], struct why *why);

/*
 * Writes the traced games of EXPERIMENT in its output folder DIRECTORY as
 * DIRECTORY/tables/moves.tsv: a block an entry, "# block N: BOARD LABEL", with the columns of
 * src/games/traces.h, games in the order in which they were played; after the lines of PROVENANCE.
 * STATUS_SYSTEM.
 */
MUST_USE enum status traces_write(const struct experiment *experiment, const char *directory,
				  const char *const *provenance, struct why *why);

#endif
