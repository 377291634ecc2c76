/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Learning curves, which nxn train goes on with, at a model of 1000 games. */
#include "src/learn/curve.h"

#include "tests/fuzz/fuzz.h"

#include <string.h>
#include <unistd.h>

/* The curve is renamed while it is opened, so it needs a folder. */
static const char *curve_file(const uint8_t *data, size_t size)
{
	static char path[64];
	if (!path[0])
		snprintf(path, sizeof path, "%s/nxn-fuzz-curve-%d",
			 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (int)getpid());
	FILE *out = fopen(path, "we");
	FUZZ_CHECK(out && fwrite(data, 1, size, out) == size && fclose(out) == 0);
	return path;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* A head is believed, or held against these lines, which one of the corpus has. */
	static char configuration[] = "configuration: 56d85727ddbe3544", seed[] = "seed: 1";
	static const struct provenance provenance[] = {{.line = {NULL}},
						       {.line = {configuration, seed}}};
	const char *path = curve_file(data, size);
	struct game game;
	struct curve curve;
	struct training_point at = {.trained = 1000};
	const struct tally block = {0};
	struct why why = {""};
	FUZZ_CHECK(!game_init(&game, &(struct game_options){.shape = "3x3"}, &why));
	enum status status =
	    curve_open(&curve, path, &game, &provenance[size % 2], false, &at, &why);
	if (!status)
		status = curve_row(&curve, &at, &block, &why);
	if (!status)
		status = curve_close(&curve, &why);
	fuzz_fine(status, &why);
	unlink(path);
	return 0;
}
