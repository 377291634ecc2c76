/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of tables as JSON. */
#ifndef NXN_TABLES_JSON_H
#define NXN_TABLES_JSON_H

#include <jansson.h>

/* TEXT; if it is not UTF-8, each byte that is not ASCII becomes a question mark. */
json_t *json_text(const char *text);

/* X, or null if X is not finite. */
json_t *json_number(double x);

#endif
