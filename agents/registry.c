/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The tables of classes, out of agents.def. */
#include "agents/registry.h"

const struct agent_class *const agent_classes[] = {
#define AGENT(name) &name##_agent,
#include "agents/agents.def"
    NULL,
};

const struct value_class *const value_classes[] = {
#define VALUE(name) &name##_value,
#include "agents/agents.def"
    NULL,
};
