/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SHA-256 against the examples of NIST (FIPS 180-4; SHA256.pdf, and the million a of FIPS 180-2). */
#include "base/sha256.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
	const char *text, *sum;
} examples[] = {
    {"", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnop"
     "qrs"
     "mnopqrstnopqrstu",
     "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1"},
};

static void sums_are_those_of_the_standard(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
		char sum[SHA256_TEXT];
		struct sha256 hash;
		sha256_init(&hash);
		sha256_add(&hash, examples[i].text, strlen(examples[i].text));
		sha256_end(&hash, sum);
		assert_string_equal(sum, examples[i].sum);
	}
}

/* A million times "a", in pieces of every size up to 130, which end everywhere in a block. */
static void pieces_make_no_difference(void **state)
{
	(void)state;
	char sum[SHA256_TEXT], letters[131];
	struct sha256 hash;
	memset(letters, 'a', sizeof letters);
	sha256_init(&hash);
	for (size_t left = 1000000, size = 0; left > 0; size = (size + 1) % sizeof letters) {
		size_t n = size < left ? size : left;
		sha256_add(&hash, letters, n);
		left -= n;
	}
	sha256_end(&hash, sum);
	assert_string_equal(sum,
			    "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

static void a_file_has_the_sum_of_its_bytes(void **state)
{
	(void)state;
	struct why why;
	char sum[SHA256_TEXT], path[] = "sha256-XXXXXX";
	int fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "abc", 3), 3);
	close(fd);
	assert_int_equal(sha256_file(path, sum, &why), STATUS_OK);
	assert_string_equal(sum, examples[1].sum);
	unlink(path);
	assert_int_equal(sha256_file(path, sum, &why), STATUS_SYSTEM);
	assert_non_null(strstr(why.text, path));
	assert_int_equal(sha256_file(".", sum, &why), STATUS_SYSTEM);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(sums_are_those_of_the_standard),
	    cmocka_unit_test(pieces_make_no_difference),
	    cmocka_unit_test(a_file_has_the_sum_of_its_bytes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
