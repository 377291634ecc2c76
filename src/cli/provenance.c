/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where numbers come from; see provenance.h. src/cli/built.h is made by the build. */
#include "src/cli/provenance.h"

#include "boards/simd/isa.h"
#include "config.h"
#include "src/cli/built.h"

#include <ctype.h>
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

/* Without the heap: what there is no memory for would be another name. */
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

/* Sets line I, on the heap; what is not printable (a newline in a path) becomes '?'. */
__attribute__((format(printf, 3, 4))) static void line_set(struct provenance *p, int i,
							   const char *format, ...)
{
	va_list args;
	va_start(args, format);
	if (vasprintf(&p->line[i], format, args) < 0)
		p->line[i] = NULL;
	va_end(args);
	for (char *c = p->line[i]; c && *c; c++)
		if (iscntrl((unsigned char)*c))
			*c = '?';
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
	line_set(&p, 0, "nxn %s", version_text);
	line_set(&p, 1, "command: %s", command);
	line_set(&p, 2, "configuration: %016" PRIx64, config);
	line_set(&p, 3, "seed: %s", seed);
	line_set(&p, 4, "instruction set: %s", isa_name(isa));
	line_set(&p, 5, "compiler: %s", compiler_text);
	line_set(&p, 6, "processor: %s", cpu);
	if (title)
		line_set(&p, 7, "title: %s", title);
	for (int i = 0; i < PROVENANCE_LINES - !title; i++) {
		if (p.line[i])
			continue;
		provenance_fini(&p);
		return why_set(why, STATUS_SYSTEM, "provenance: out of memory");
	}
	*provenance = p;
	return STATUS_OK;
}

void provenance_fini(struct provenance *provenance)
{
	for (int i = 0; i < PROVENANCE_LINES; i++)
		free(provenance->line[i]);
}
