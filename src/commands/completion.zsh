#compdef nxn nxn-mpi
# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of nxn for zsh. The candidates are those of bash, which is asked for them.

_nxn()
{
	local -a found more
	found=(${(f)"$(bash -c 'eval "$(nxn completion bash)" && _nxn_print "$@"' \
		nxn "${(@)words[1,CURRENT-1]}" "$PREFIX" 2>/dev/null)"})
	# There is more to come behind these.
	more=(${(M)found:#*[=:/]})
	found=(${found:#*[=:/]})
	compadd -Q -a found
	compadd -Q -S '' -a more
}

# As a file of fpath it is run in place of the function that it defines.
if [[ $funcstack[1] == _nxn ]]; then
	_nxn "$@"
else
	compdef _nxn nxn nxn-mpi
fi
