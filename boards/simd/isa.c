/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Detects the instruction sets of the processor; see isa.h. */
#include "boards/simd/isa.h"

#include <stdlib.h>
#include <string.h>

const char *isa_name(enum isa isa)
{
	static const char *const names[] = {"portable", "avx2", "avx512"};
	return names[isa];
}

/* Checks every extension that configure.ac enables for the compiler. */
bool isa_available(enum isa isa)
{
	switch (isa) {
#if defined NXN_X86_64
	case ISA_AVX512:
		return isa_available(ISA_AVX2) && __builtin_cpu_supports("avx512f") &&
		       __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
		       __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512vbmi") &&
		       __builtin_cpu_supports("avx512vbmi2");
	case ISA_AVX2:
		return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
		       __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
#endif
	default:
		return isa == ISA_PORTABLE;
	}
}

enum status isa_choose(enum isa *isa, struct why *why)
{
	const char *asked = getenv("NXN_ISA");
	if (asked && !asked[0])
		asked = NULL;
	for (int i = ISAS - 1; i >= 0; i--) {
		if (asked && strcmp(asked, isa_name((enum isa)i)) != 0)
			continue;
		if (isa_available((enum isa)i)) {
			*isa = (enum isa)i;
			return STATUS_OK;
		}
		if (asked)
			return why_set(why, STATUS_INPUT, "NXN_ISA=%s: not on this machine", asked);
	}
	return why_set(why, STATUS_INPUT, "NXN_ISA=%.40s: expected portable, avx2 or avx512",
		       asked ? asked : "");
}
