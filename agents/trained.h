/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Model files of agents that learn: what all of them do alike. */
#ifndef NXN_TRAINED_H
#define NXN_TRAINED_H

#include "agents/agent.h"
#include "agents/model.h"

/*
 * HEAD for what CLASS has learned on GAME: names, spawn rule, and PARAMS of SELF, those that it was
 * trained with. The caller adds layout, games and sections.
 */
void trained_head(const struct agent_class *class, const struct game *game,
		  const struct param *params, const void *self, struct model_head *head);

/* Writes the file that HEAD begins, its sections by WRITE. Errors of agents/model.h, and WRITE's. */
MUST_USE enum status trained_save(const char *path, const struct model_head *head,
				  enum status (*write)(const void *self,
						       struct model_writer *writer,
						       struct why *why),
				  const void *self, struct why *why);

/*
 * Opens FILE, of CLASS and GAME, and takes over into SELF what it was trained with: of PARAMS, a table
 * of CLASS or the end of one. STATUS_INPUT if it is another's; or if SELF has a parameter that is
 * neither the default nor what the file says. READER is then untouched.
 */
MUST_USE enum status trained_open(const char *file, const struct agent_class *class,
				  const struct game *game, const struct param *params, void *self,
				  struct model_reader **reader, struct why *why);

#endif
