/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Provenance lines; see provenance.h. The build generates src/cli/built.h. */
#include "src/cli/provenance.h"

#include "base/text.h"
#include "base/xalloc.h"
#include "boards/simd/isa.h"
#include "config.h"
#include "src/cli/built.h"

#include <assert.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

const char version_text[] = PACKAGE_VERSION COMMIT_TEXT;

#ifdef __clang__
const char compiler_text[] = __VERSION__;
#else
const char compiler_text[] = "gcc " __VERSION__;
#endif

/* Uses no heap, so that the name does not depend on memory. */
void processor_name(char *name, size_t size)
{
	static const char key[] = "\nmodel name";
	char text[4096];
	struct utsname system;
	snprintf(name, size, "%s", uname(&system) ? "unknown" : system.machine);
	const int in = open("/proc/cpuinfo", O_RDONLY | O_CLOEXEC);
	const ssize_t length = in >= 0 ? read(in, text, sizeof text - 1) : -1;
	if (in >= 0)
		close(in);
	text[length > 0 ? length : 0] = '\0';
	const char *line = strstr(text, key);
	const char *colon = line ? strchr(line + 1, ':') : NULL;
	if (colon && colon[1] == ' ')
		snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
}

void provenance_add(struct provenance *p, const char *format, ...)
{
	int i = 0;
	va_list args;
	while (p->line[i])
		i++;
	assert(i < PROVENANCE_LINES);
	va_start(args, format);
	if (vasprintf(&p->line[i], format, args) < 0)
		xalloc_fail();
	va_end(args);
	text_sanitize(p->line[i], '\0');
}

enum status provenance_init(struct provenance *provenance, const char *command, uint64_t config,
			    const char *seed, const char *title, struct why *why)
{
	char cpu[256];
	enum isa isa;
	enum status status = isa_choose(&isa, why);
	if (status)
		return status;
	processor_name(cpu, sizeof cpu);
	struct provenance p = {.config = config};
	provenance_add(&p, "nxn %s", version_text);
	provenance_add(&p, "command: %s", command);
	if (seed) {
		provenance_add(&p, "configuration: %016" PRIx64, config);
		provenance_add(&p, "seed: %s", seed);
	}
	provenance_add(&p, "instruction set: %s", isa_name(isa));
	provenance_add(&p, "compiler: %s", compiler_text);
	provenance_add(&p, "processor: %s", cpu);
	if (title)
		provenance_add(&p, "title: %s", title);
	*provenance = p;
	return STATUS_OK;
}

void provenance_fini(struct provenance *provenance)
{
	for (int i = 0; i < PROVENANCE_LINES; i++)
		free(provenance->line[i]);
	*provenance = (struct provenance){0};
}

enum status result_print(const struct invocation *call, const struct tables *tables,
			 const void *data, struct why *why)
{
	struct provenance provenance = {0};
	const bool text = call->printer.format == FORMAT_TEXT;
	enum status status =
	    text ? STATUS_OK : provenance_init(&provenance, call->provenance, 0, NULL, NULL, why);
	if (status)
		return status;
	tables_print(&call->printer, tables, tables->table->name, data, false,
		     provenance_lines(&provenance));
	provenance_fini(&provenance);
	return STATUS_OK;
}

enum status record_print(const struct invocation *call, struct record *record, struct why *why)
{
	struct tables tables;
	record_tables(record, &tables);
	enum status status = result_print(call, &tables, record, why);
	record_fini(record);
	return status;
}
