/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where numbers come from; see provenance.h. src/commit.h is made by the build. */
#include "src/provenance.h"

#include "config.h"
#include "src/commit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

const char version_text[] = PACKAGE_VERSION COMMIT_TEXT;

#ifdef __clang__
const char compiler_text[] = __VERSION__;
#else
const char compiler_text[] = "gcc " __VERSION__;
#endif

void processor_name(char *name, size_t size)
{
	char line[256];
	struct utsname system;
	snprintf(name, size, "%s", uname(&system) ? "unknown" : system.machine);
	FILE *in = fopen("/proc/cpuinfo", "r");
	while (in && fgets(line, sizeof line, in)) {
		char *colon = strchr(line, ':');
		if (!colon || strncmp(line, "model name", 10) != 0)
			continue;
		colon[strcspn(colon, "\n")] = '\0';
		snprintf(name, size, "%s", colon + 2);
		break;
	}
	if (in)
		fclose(in);
}

enum status provenance_new(const char *command, uint64_t config, uint64_t seed, char **text,
			   struct why *why)
{
	char cpu[256];
	struct utsname system;
	if (uname(&system))
		return why_errno(why, "uname");
	processor_name(cpu, sizeof cpu);
	char *lines;
	int length = asprintf(&lines,
			      "# nxn %s\n"
			      "# command: %s\n"
			      "# configuration: %016" PRIx64 "\n"
			      "# seed: %" PRIu64 "\n"
			      "# instruction set: %s, portable kernel\n"
			      "# compiler: %s\n"
			      "# processor: %s\n",
			      version_text, command, config, seed, system.machine, compiler_text,
			      cpu);
	if (length < 0)
		return why_errno(why, "provenance");
	*text = lines;
	return STATUS_OK;
}
