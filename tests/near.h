/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers that are nearly equal. */
#ifndef NXN_TESTS_NEAR_H
#define NXN_TESTS_NEAR_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

static inline void assert_near(double x, double wanted, double margin)
{
	if (!(fabs(x - wanted) <= margin))
		fail_msg("%.17g, wanted %.17g within %g", x, wanted, margin);
}

#endif
