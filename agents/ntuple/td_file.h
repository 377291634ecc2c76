/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Training under way, to and from a section of a model file. */
#ifndef NXN_TD_FILE_H
#define NXN_TD_FILE_H

#include "agents/model.h"
#include "agents/ntuple/td.h"

/*
 * Training under way as a section of FILE, while nobody learns. It is read into a new TD, which is good
 * for td_fini() alone after a failure.
 */
void td_sections(struct td *td, struct model_file *file);

#endif
