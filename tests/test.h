/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tests that put themselves on the list of their program:
 *
 *	TEST(its_name_is_a_sentence)
 *	{
 *		...
 *	}
 *
 *	TESTS(setup, teardown)
 *
 * runs all of a file, in its order, and makes its main(). One header of a program, for one file.
 */
#ifndef NXN_TESTS_TEST_H
#define NXN_TESTS_TEST_H

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

/* Places that no test has are passed over by cmocka. */
static struct CMUnitTest tests[64];

#define TEST(name) TEST_LISTED(name, __COUNTER__)

#define TEST_LISTED(name, place)                                                                   \
	static void name(void **);                                                                 \
	__attribute__((constructor)) static void name##_list(void)                                 \
	{                                                                                          \
		tests[place] = (struct CMUnitTest)cmocka_unit_test(name);                          \
	}                                                                                          \
	static void name(void **state __attribute__((unused)))

/* SETUP and TEARDOWN of all tests together, or NULL. */
#define TESTS(setup, teardown)                                                                     \
	int main(void)                                                                             \
	{                                                                                          \
		return cmocka_run_group_tests(tests, setup, teardown);                             \
	}

#endif
