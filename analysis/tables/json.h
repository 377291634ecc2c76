/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of tables as JSON. */
#ifndef NXN_TABLES_JSON_H
#define NXN_TABLES_JSON_H

#include <jansson.h>

/* TEXT; if it is no UTF-8, with a question mark for each byte that is not ASCII. */
json_t *json_text(const char *text);

/* X; null for what is not finite. */
json_t *json_number(double x);

#endif
