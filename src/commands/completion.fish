# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of nxn for fish. The candidates are those of bash, which is asked for them.

function __nxn_complete
	bash -c 'eval "$(nxn completion bash)" && _nxn_print "$@"' nxn (commandline -opc) (commandline -ct) 2>/dev/null
end

complete -c nxn -f -a '(__nxn_complete)'
complete -c nxn-mpi -f -a '(__nxn_complete)'
