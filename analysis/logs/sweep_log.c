/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The columns of the log of a sweep; see sweep_log.h. */
#include "analysis/logs/sweep_log.h"

#include <stddef.h>

static void seconds_print(struct rowlog_line *line, const void *member)
{
	rowlog_print(line, "%.9f", *(const double *)member);
}

static const struct rowlog_type seconds_type = {"seconds", rowlog_real_read, seconds_print};

enum { CONFIG, BOARD, AGENT, POSITION, SECONDS, NODES, PROBES, HITS, DEPTH, COLUMNS };

#define ROW(member) offsetof(struct sweep_row, member)

const struct rowlog_kind sweep_log_kind = {
    .stem = "searches",
    .log = "the log of a sweep",
    .writes = "log",
    .names = "config board agent ... depth",
    .row = "a search",
    .column = {{"config", &rowlog_config, ROW(config)},
	       {"board", &rowlog_any, ROW(board)},
	       {"agent", &rowlog_any, ROW(agent)},
	       {"position", &rowlog_text, ROW(position)},
	       {"seconds", &seconds_type, ROW(seconds)},
	       {"nodes", &rowlog_number, ROW(nodes)},
	       {"probes", &rowlog_number, ROW(probes)},
	       {"hits", &rowlog_number, ROW(hits)},
	       {"depth", &rowlog_number, ROW(depth)}},
    .columns = COLUMNS,
    .key = 1 << CONFIG | 1 << POSITION,
    .size = sizeof(struct sweep_row),
};

const struct sweep_row *sweep_log_find(const struct rowlog *log, uint64_t config,
				       const char *position)
{
	return rowlog_find(log, &(struct sweep_row){.config = config, .position = position});
}
