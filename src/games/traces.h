/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traces: a game move by move as a table, with a row of quoted column names and a row per move.
 *
 * Columns: trained (training games before) and game, the same in all rows; move (from 1); score,
 * max_tile, empty (points so far, largest tile and number of empty cells of the position before the
 * move); direction (0 up, 1 right, 2 down, 3 left); value and chance (of the move made, as the
 * player reports them); uncertainty (the move's distance to certainty, decision_uncertainty());
 * legal (the number of legal moves). NaN where the player reports nothing.
 *
 * The file appears complete or not at all. If its name is a symbolic link, the target is replaced.
 */
#ifndef NXN_TRACES_H
#define NXN_TRACES_H

#include "agents/play.h"
#include "base/file.h"
#include "src/games/experiment.h"

/*
 * STATUS_INPUT if PATH exists and is not a trace, so that no other file, folder or device is lost.
 */
MUST_USE enum status trace_check(const char *path, struct why *why);

/*
 * Plays a game with play_game() and writes its trace to PATH, after PROVENANCE (lines without "# ",
 * ending with NULL; or NULL). TRAINED is the number of training games before it. WATCH is called as
 * in play_game(), whose result is *FINISHED; if that is false, no file is left. No other process
 * may write PATH. STATUS_SYSTEM if the file cannot be written; errors of agent_check().
 */
MUST_USE enum status traces_play(const char *path, const char *const *provenance,
				 struct agent *agent, uint64_t trained, uint64_t seed,
				 uint64_t index, const struct play_watch *watch,
				 struct outcome *outcome, bool *finished, struct why *why);

/* ---- Traces of an experiment. */

/*
 * `traces: N` traces the first N games of every player, at each point of training; for a learner
 * also N games before its training, which no log has. Each game has its own file,
 * traces/BOARD-LABEL-TRAINED-GAME-HASH.tsv, which appears complete or not at all, before the game
 * is logged. So after an interruption a game either has both its trace and its row or is played
 * again.
 *
 * traces_path() writes the path of the trace of game INDEX of ENTRY after TRAINED training games,
 * in the folder TRACES.
 */
MUST_USE enum status traces_path(const char *traces, const struct experiment_entry *entry,
				 uint64_t trained, uint64_t index, char path[FOLDER_PATH_MAX],
				 struct why *why);

/*
 * Writes all traces of EXPERIMENT in its output folder DIRECTORY to DIRECTORY/tables/moves.tsv:
 * after the lines of PROVENANCE a row per move, with board, label and the columns above, by entry,
 * training games and game. STATUS_SYSTEM.
 */
MUST_USE enum status traces_write(const struct experiment *experiment, const char *directory,
				  const char *const *provenance, struct why *why);

#endif
