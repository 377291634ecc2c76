/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn completion: what a shell needs to complete command lines of nxn. */
#include "src/commands/command.h"
#include "src/commands/completion.h"
#include "src/cli/options.h"

#include <string.h>

static void shell_take(struct argp_state *state, char *shell, void *input)
{
	bool *known = input;
	if (*known)
		option_error(state, "unexpected argument '%s'", shell);
	if (strcmp(shell, "bash") != 0)
		option_error(state, "no shell '%s': expected bash", shell);
	*known = true;
}

static const char doc[] =
    "Prints a script for bash, made from the program's own tables, that completes commands, "
    "options, agents with their parameters, boards, experiments and files.\v"
    "Where nxn is installed the script is installed too, and bash loads it by itself if the "
    "package bash-completion is there. Otherwise: eval \"$(nxn completion bash)\".\n\n"
    "EXAMPLES\n"
    "  nxn completion bash\n";

const struct command_line completion_line = {
    .arguments = "bash",
    .missing = "the shell is missing: expected bash",
    .argument = shell_take,
    .doc = doc,
};

int cmd_completion(int argc, char **argv)
{
	bool known = false;
	struct why why;
	command_line_parse(&completion_line, argc, argv, &known);
	return command_exit(argv[0], completion_print(stdout, &why), &why);
}
