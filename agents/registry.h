/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Declares every class of agents.def; a class's own file includes this. */
#ifndef NXN_REGISTRY_H
#define NXN_REGISTRY_H

#include "agents/agent.h"

#define AGENT(name) extern const struct agent_class name##_agent;
#define VALUE(name) extern const struct value_class name##_value;
#include "agents/agents.def"

#endif
