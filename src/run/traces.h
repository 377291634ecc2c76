/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The traced games of an experiment (`traces: N`): the first N games of every player, each time
 * that it plays, and of one that learns as many before it has learned anything, which are in no
 * log.
 *
 * A game has a file of its own, traces/BOARD-LABEL-TRAINED-GAME-HASH.tsv, which appears complete or
 * not at all, and before the game is logged. So after any interruption a game is either there in
 * both or played again.
 */
#ifndef NXN_TRACES_H
#define NXN_TRACES_H

#include "agents/play.h"
#include "src/run/experiment.h"
#include "base/file.h"

/* The file of game INDEX of ENTRY after TRAINED training games, in the folder TRACES. */
MUST_USE enum status traces_path(const char *traces, const struct entry *entry, uint64_t trained,
				 uint64_t seed, uint64_t index, char path[FOLDER_PATH_MAX],
				 struct why *why);

/*
 * play_game() into the file PATH; WATCH is asked as there. FINISHED is what that returns; nothing
 * is left behind if it is false. STATUS_SYSTEM if the file cannot be written.
 */
MUST_USE enum status traces_play(const char *path, struct agent *agent, uint64_t trained,
				 uint64_t seed, uint64_t index, const struct play_watch *watch,
				 struct outcome *outcome, bool *finished, struct why *why);

/*
 * Writes the traced games of EXPERIMENT in its output folder DIRECTORY as
 * DIRECTORY/tables/moves.tsv: a block an entry, "# block N: BOARD LABEL", with the columns of
 * src/run/trace.h, games in the order in which they were played; after the lines of PROVENANCE.
 * STATUS_SYSTEM.
 */
MUST_USE enum status traces_write(const struct experiment *experiment, const char *directory,
				  const char *const *provenance, struct why *why);

#endif
