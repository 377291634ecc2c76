#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Which lines the tests reach: `make coverage`, in the folder coverage of a build. TESTS names some
# of the tests; by default it is all of make check. Prints lines, functions and branches of each
# folder; coverage/untested.txt has the lines that nothing reached, file by file. Needs lcov.
set -u
source=$(cd "${srcdir:-.}" && pwd) || exit 99
jobs=${JOBS:-$(nproc)}
command -v lcov >/dev/null || { echo '# lcov is not installed: no coverage'; exit 0; }
mkdir -p coverage && cd coverage || exit 1

# What threads count must add up.
[ -f Makefile ] ||
	"$source/configure" --quiet --disable-werror CFLAGS='-O1 -g --coverage -fprofile-update=atomic' || exit 1
{
	if [ "${TESTS:-}" ]; then
		make --silent -j "$jobs" nxn $(echo "$TESTS" | tr ' ' '\n' | grep -v '[.]sh$') &&
			make --silent -j "$jobs" check-TESTS TESTS="$TESTS"
	else
		make --silent -j "$jobs" check
	fi
} >check.log 2>&1 || echo "# some tests fail: coverage/check.log"

lcov --quiet --capture --directory boards --directory agents --directory analysis --directory src --base-directory . --rc lcov_branch_coverage=1 --output-file all.info 2>lcov.log || {
	cat lcov.log
	exit 1
}
# What several files include has a record for each of them: it was reached if it was in one.
awk -F '[:,]' -v source="$source/" '
/^SF:/ { file = substr($0, 4); ours = index(file, source) == 1; file = substr(file, length(source) + 1)
	ours = ours && file ~ /^(boards|agents|analysis|src)\// }
!ours { next }
/^DA:/ { line[file ":" $2] += $3 }
/^FNDA:/ { function_[file ":" $3] += $2 }
/^BRDA:/ { branch[file ":" $2 ":" $3 ":" $4] += $5 == "-" ? 0 : $5 }
function folder_of(place) { sub(/\/.*/, "", place); return place }
END {
	for (place in line) {
		lines[folder_of(place)]++
		reached[folder_of(place)] += line[place] > 0
		if (!line[place]) print place >"missed"
	}
	for (place in function_) { functions[folder_of(place)]++; called[folder_of(place)] += function_[place] > 0 }
	for (place in branch) { branches[folder_of(place)]++; taken[folder_of(place)] += branch[place] > 0 }
	printf "%-10s %18s %18s %18s\n", "folder", "lines", "functions", "branches"
	for (f in lines)
		printf "%-10s %7d %9.1f%% %7d %9.1f%% %7d %9.1f%%\n", f, lines[f], 100 * reached[f] / lines[f],
			functions[f], 100 * called[f] / functions[f], branches[f], 100 * taken[f] / (branches[f] ? branches[f] : 1)
}' all.info | sort

# Runs of lines, with what stands in the first of them.
sort -t : -k 1,1 -k 2,2n missed | awk -F : '
function show() { if (file) print file ":" first (last > first ? "-" last : "") }
$1 != file || $2 > last + 1 { show(); file = $1; first = $2 }
{ last = $2 }
END { show() }' >untested.txt
echo "# coverage/untested.txt: $(wc -l <missed) lines in $(wc -l <untested.txt) places"
rm -f missed
