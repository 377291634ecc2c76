/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shortest text of a number; see number.h. 17 digits always suffice for a double. */
#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>

void real_format(double x, char text[REAL_TEXT_MAX])
{
	for (int digits = 6; digits <= 17; digits++) {
		snprintf(text, REAL_TEXT_MAX, "%.*g", digits, x);
		if (strtod(text, NULL) == x)
			return;
	}
}
