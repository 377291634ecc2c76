/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Training under way, to and from a section of a model file. */
#ifndef NXN_TD_FILE_H
#define NXN_TD_FILE_H

#include "agents/model.h"
#include "agents/ntuple/td.h"

/* While nobody learns. With the errors of agents/model.h. */
MUST_USE enum status td_save(const struct td *td, struct model_writer *writer, struct why *why);

/*
 * Into a new TD, GAMES of whose games have ended. STATUS_INPUT for what td_save() does not write,
 * STATUS_SYSTEM when memory runs out; TD is then good for td_fini() alone.
 */
MUST_USE enum status td_load(struct td *td, uint64_t games, struct model_reader *reader,
			     struct why *why);

#endif
