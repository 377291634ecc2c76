/* SPDX-License-Identifier: GPL-3.0-or-later */
/* nxn completion: the scripts of shells, which ask `nxn __complete` (complete.c). */
#include "src/commands/command.h"

#include <stdio.h>
#include <string.h>

static const struct {
	const char *name, *script;
} shells[] = {
    {"bash",
     "# Completion of nxn for bash, which asks the program.\n"
     "_nxn()\n"
     "{\n"
     "\tlocal line=${COMP_LINE:0:COMP_POINT} program=${COMP_WORDS[0]/#\\~/$HOME} cut='' word\n"
     "\tlocal last=${line##*[[:space:]]}\n"
     "\t# Inside quotes bash replaces the whole word; outside, what is behind the last break.\n"
     "\tif [[ ${COMP_WORDS[COMP_CWORD]} == [\\'\\\"]* ]]; then\n"
     "\t\t:\n"
     "\telif [[ $COMP_WORDBREAKS == *:* ]]; then\n"
     "\t\tcut=${last%\"${last##*[:=]}\"}\n"
     "\telif [[ $COMP_WORDBREAKS == *=* ]]; then\n"
     "\t\tcut=${last%\"${last##*=}\"}\n"
     "\tfi\n"
     "\tCOMPREPLY=()\n"
     "\twhile IFS= read -r word; do\n"
     "\t\tCOMPREPLY+=(\"${word#\"$cut\"}\")\n"
     "\t\t# There is more to come behind these.\n"
     "\t\t[[ $word == *[=:/] ]] && compopt -o nospace 2>/dev/null\n"
     "\tdone < <(\"${program%-mpi}\" __complete \"$line\" 2>/dev/null)\n"
     "\treturn 0\n"
     "}\n"
     "\n"
     "complete -F _nxn nxn nxn-mpi\n"},
    {"zsh",
     "#compdef nxn nxn-mpi\n"
     "# Completion of nxn for zsh, which asks the program.\n"
     "_nxn()\n"
     "{\n"
     "\tlocal -a found more\n"
     "\tfound=(${(f)\"$(nxn __complete \"${(j: :)words[1,CURRENT-1]} $PREFIX\" 2>/dev/null)\"})\n"
     "\t# There is more to come behind these.\n"
     "\tmore=(${(M)found:#*[=:/]})\n"
     "\tfound=(${found:#*[=:/]})\n"
     "\tcompadd -Q -a found\n"
     "\tcompadd -Q -S '' -a more\n"
     "}\n"
     "\n"
     "# As a file of fpath it is run in place of the function that it defines.\n"
     "if [[ $funcstack[1] == _nxn ]]; then\n"
     "\t_nxn \"$@\"\n"
     "else\n"
     "\tcompdef _nxn nxn nxn-mpi\n"
     "fi\n"},
    {"fish", "# Completion of nxn for fish, which asks the program.\n"
	     "function __nxn_complete\n"
	     "\tnxn __complete (commandline -cp | string collect) 2>/dev/null\n"
	     "end\n"
	     "\n"
	     "complete -c nxn -f -a '(__nxn_complete)'\n"
	     "complete -c nxn-mpi -f -a '(__nxn_complete)'\n"},
};

static enum status completion_run(void *input, const struct invocation *call, struct why *why)
{
	const char *name = *(const char *const *)input;
	(void)call;
	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
		if (strcmp(name, shells[i].name) == 0) {
			fputs(shells[i].script, stdout);
			return STATUS_OK;
		}
	return why_set(why, STATUS_INPUT, "no shell '%s': expected bash, zsh or fish", name);
}

static const char doc[] =
    "Prints a script for bash, zsh or fish that completes commands, options, agents with their "
    "parameters, boards, experiments and files.\v"
    "make install installs the scripts. bash loads its own automatically if the package "
    "bash-completion is installed. Otherwise run eval \"$(nxn completion bash)\" in bash, the same "
    "with zsh in zsh, or nxn completion fish | source in fish. The scripts ask nxn for the "
    "words.\n"
    "\n"
    "EXAMPLES\n"
    "  nxn completion bash\n"
    "  nxn completion zsh\n"
    "  nxn completion fish\n";

static const char *const no_shell;

const struct command cmd_completion = {
    .arguments = "bash|zsh|fish",
    .missing = "the shell is missing: expected bash, zsh or fish",
    .argument = argument_keep,
    .doc = doc,
    COMMAND_INPUT(no_shell),
    .run = completion_run,
};
