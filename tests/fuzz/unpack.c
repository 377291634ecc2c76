/* SPDX-License-Identifier: GPL-3.0-or-later */
/* unpack MODEL >INPUT: what the targets of model files start from (tests/fuzz/corpus.sh). */
#include "tests/fuzz/model.h"

int main(int argc, char **argv)
{
	return argc == 2 && model_unpack(argv[1], stdout) ? 0 : 1;
}
