#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The tests of the command line with --all: what takes long, of which make check does one of each kind.
tests=$(dirname "$0")/..
bad=0
for test in $(grep -l '[$]all\|[$]{all' "$tests"/lib/*.sh "$tests"/src/*/cli_*.sh | grep -v cli_lib); do
	echo "== $test"
	sh "$test" --all
	case $? in 0 | 77) ;; *) bad=1 ;; esac
done
exit $bad
