/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn completion: what a shell needs to complete command lines of nxn. */
#include "src/commands/command.h"
#include "src/commands/completion.h"
#include "src/cli/options.h"

#include <string.h>

static error_t parse(int key, char *arg, struct argp_state *state)
{
	bool *known = state->input;
	switch (key) {
	case ARGP_KEY_ARG:
		if (*known)
			option_error(state, "unexpected argument '%s'", arg);
		if (strcmp(arg, "bash") != 0)
			option_error(state, "no shell '%s': expected bash", arg);
		*known = true;
		return 0;
	case ARGP_KEY_NO_ARGS:
		option_error(state, "the shell is missing: expected bash");
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const char doc[] =
    "Prints a script for bash, made from the program's own tables, that completes commands, "
    "options, agents with their parameters, boards, experiments and files."
    "\v"
    "Where nxn is installed the script is installed too, and bash loads it by itself if the "
    "package "
    "bash-completion is there. Otherwise: eval \"$(nxn completion bash)\".\n\n"
    "EXAMPLES\n"
    "  nxn completion bash\n";

const struct argp completion_argp = {.parser = parse, .args_doc = "bash", .doc = doc};

int cmd_completion(int argc, char **argv)
{
	bool known = false;
	struct why why;
	options_parse(&completion_argp, argc, argv, 0, &known);
	return command_exit(argv[0], completion_print(stdout, &why), &why);
}
