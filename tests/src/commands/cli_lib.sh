# SPDX-License-Identifier: GPL-3.0-or-later
# Functions of the command-line tests; to be sourced. Enters a temporary folder, with nxn on PATH.
# Needs NXN=/path/to/nxn and srcdir=/path/to/source; end the test with `exit $bad`.
set -u
nxn_path=${NXN:-$PWD/nxn}
source=$(cd "${srcdir:-.}" && pwd) || exit 99
export srcdir="$source"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
mkdir bin && ln -s "$nxn_path" bin/nxn && PATH=$work/bin:$PATH
# The interpreter that configure found; python3 may be a script that searches for one.
[ ! -x "${TESTS_PYTHON:-}" ] || ln -s "$TESTS_PYTHON" bin/python3
unset ARGP_HELP_FMT
bad=0

# With --all (tests/long/commands.sh), a test runs all of its cases; else one of each kind.
all=
[ "${1-}" != --all ] || all=1

# Tests that are not run with sanitizers, which would find nothing new in them, and why.
sanitized()
{
	grep -qs '^CFLAGS.*-fsanitize' "${nxn_path%/*}/Makefile"
}
! sanitized || while read -r name why; do
	[ "${0##*/}" != "$name.sh" ] || { echo "not run with sanitizers: $why"; exit 77; }
done <<'END'
cli_bench times say nothing with sanitizers
cli_built_in other tests train and play
cli_completion the scripts are text
cli_contents other tests write these files
cli_counted other tests stop commands and read what they have left
cli_data other tests write the same tables, and pandas reads them
cli_documents other tests run these commands
cli_figures other tests run the same code; gnuplot draws
cli_format tests/src/report/test_formats prints every table in every format
cli_install the program that is installed is a plain build
cli_leaderboard a script calls commands of other tests
cli_man the pages are text
cli_page cli_paper.sh makes pages, and gnuplot draws
cli_readme other tests run these commands, with fewer games
cli_sizes cli_compare.sh and cli_crossover.sh print players by boards
cli_tutorial other tests run the same code
cli_vectors cli_verify.sh makes the same checks
cli_width other tests print the same
reference other tests run the same code
END

complain()
{
	echo "FAILED: $*"
	sed 's/^/  stderr: /' stderr 2>/dev/null
	bad=1
}

# sanity_choose: sets `sanity`, the ASAN_OPTIONS of a command. Checks for leaks and for bounds of
# globals make the start and end of a program take five times as long, so every fourth command has
# them; with --all, and in tests of functions, all do.
light=detect_leaks=0:report_globals=0
runs=0
sanity_choose()
{
	runs=$((runs + 1)) sanity=${ASAN_OPTIONS-}
	[ "$all" ] || [ $((runs % 4)) -eq 0 ] || sanity="${sanity:+$sanity:}$light"
}

# gives STATUS SHELL-COMMAND: runs it and keeps its output in the files stdout and stderr.
gives()
{
	sanity_choose
	ASAN_OPTIONS=$sanity sh -c "$2" >stdout 2>stderr
	got=$?
	[ "$got" -eq "$1" ] || complain "exit status $got instead of $1: $2"
}

# fails STATUS WORDS SHELL-COMMAND: one line on standard error, which names the command and has
# WORDS in it.
fails()
{
	gives "$1" "$3"
	{ IFS= read -r line && ! read -r more; } <stderr || complain "more or less than one line: $3"
	case $line in "nxn: "* | "nxn "[a-z]*": "*) ;; *) complain "no line with the command's name: $3" ;; esac
	case $line in *"$2"*) ;; *) complain "expected '$2' of: $3" ;; esac
}

has()
{
	grep -qF -e "$1" "${2:-stdout}" || complain "no '$1' in ${2:-stdout}"
}

# lighter [NXN]: makes `nxn` draw no figures of most runs, take 0.2 s for a budget of 1 s or 2 s,
# estimate no times and verify little. For documentation, which is about commands.
lighter()
{
	rm bin/nxn
	cat >bin/nxn <<END
#!/bin/sh
for word; do
	shift
	case \$word in
	1s | 2s) word=0.2s ;;
	perft) word=layers ;;
	--repeats | 3) [ "\${1-}" != bench ] || [ "\$word" != 3 ] || word=1 ;;
	esac
	set -- "\$@" "\$word"
done
case \${1-}:\$* in
*--help* | *--version*) ;;
*--dry-run*) set -- "\$@" --no-times ;;
verify:*--against\ *serve*) set -- "\$@" --positions 20 --steps 500 ;;
compare:*--* | compare:compare\ [!-]* | duel:*\ * | gap:*--* | sweep:*--* | tune:*--*) set -- "\$@" --no-figures ;;
esac
exec ${1:-"$nxn_path"} "\$@"
END
	chmod +x bin/nxn
}

# gnuplot_idle [PATTERN]: makes gnuplot draw only what matches the pattern of `case`, as
# FORMAT:SCRIPT, and write a small empty picture for all else in a tenth of the time. cli_figures.sh
# and tests/src/report/test_figures.c test what is drawn.
gnuplot_idle()
{
	rm -f bin/gnuplot
	# gnuplot -d -c SCRIPT FORMAT FILE TABLE...
	cat >bin/gnuplot <<END
#!/bin/sh
case \${4-}:\${3-} in svg:?* | pdf:?*) ;; *) exec $(command -v gnuplot) "\$@" ;; esac
case \$4:\$3 in ${1:-none}) exec $(command -v gnuplot) "\$@" ;; esac
END
	cat >>bin/gnuplot <<'END'
if [ "$4" = svg ]; then
	echo '<?xml version="1.0"?><svg viewBox="0 0 9 9" xmlns="http://www.w3.org/2000/svg"></svg>'
	exit
fi
echo '%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Resources<<>>>> endobj
xref
0 4
0000000000 65535 f 
0000000009 00000 n 
0000000054 00000 n 
0000000105 00000 n 
trailer <</Size 4/Root 1 0 R>>
startxref
180
%%EOF'
END
	chmod +x bin/gnuplot
}

# blocks_read PAGE...: writes every block between fences to a file: block001.sh, block002.text, ...
blocks_read()
{
	awk '
	/^```/ { kind = kind ? "" : substr($0, 4) ? substr($0, 4) : "other"; file = ""; next }
	kind && !file { file = sprintf("block%03d.%s", ++blocks, kind) }
	file { print >file }
	' "$@"
}

# block_shown BLOCK: checks that its lines are in the file stdout, except times at their ends.
block_shown()
{
	sed -E -i 's/ +([0-9.]+ [num]?s|per move)( +[0-9]+| +games)?$//' stdout "$1"
	grep -vxF -f stdout "$1" && complain 'not in the output: the lines above'
}

# tutorial_end: checks the results of the blocks of docs/tutorial.md.
tutorial_end()
{
	[ "$(ls block*.sh | wc -l)" -ge 8 ] || complain 'docs/tutorial.md has too few blocks'
	grep -q '<svg' out/mine/mine.svg || complain 'no figure'
	for player in corners roomy Q-learning; do
		grep -q "$player" out/mine/mine.svg || complain "the figure lacks $player"
	done
	gnuplot -d -c mine.gp out/start/tables/results.tsv 3x3 few.svg
	for player in corners roomy random; do
		grep -q "$player" few.svg || complain "the figure of 100 games lacks $player"
	done
	# Every command in the text exists.
	nxn --help >help
	grep -o '`nxn [a-z][a-z]*' "$source/docs/tutorial.md" | sed 's/`nxn //' | sort -u >named
	while read -r command; do
		grep -q "^  $command " help || [ "$command" = help ] || complain "no command '$command'"
	done <named
}

# examples COMMAND...: runs every line under "EXAMPLES" of --help, except for --watch, which needs a
# terminal, and for lines like $elsewhere, which the test runs in another place.
elsewhere=
examples()
{
	lighter
	for command; do
		gives 0 "nxn $command --help"
		sed '1,/^EXAMPLES/d' stdout | sed -n 's/^  //p' >examples
		[ -s examples ] || complain "nxn $command --help has no examples"
		while read -r example; do
			case $example in *--watch* | $elsewhere) continue ;; esac
			gives 0 "$example"
			[ -s stdout ] || complain "no output: $example"
			[ -s stderr ] && complain "complaints: $example"
		done <examples
	done
	ln -sf "$nxn_path" bin/nxn
}

# figures_open FOLDER: checks that common viewers, if installed, read every figure in it: librsvg
# SVG, poppler PDF, Inkscape both.
figures_open()
{
	command -v inkscape >/dev/null && inkscape_opens "$1"
	find "$1" -name '*.svg' >pictures.list
	[ -s pictures.list ] || complain "no figures in $1"
	while command -v rsvg-convert >/dev/null && read -r figure; do
		rsvg-convert -o opened.png "$figure" 2>stderr || complain "librsvg does not read $figure"
	done <pictures.list
	find "$1" -name '*.pdf' >pictures.list
	while command -v pdftoppm >/dev/null && read -r figure; do
		pdftoppm -r 20 -png -singlefile "$figure" opened 2>stderr && [ ! -s stderr ] ||
			complain "poppler does not read $figure"
	done <pictures.list
}

# inkscape_opens FOLDER: the same for Inkscape, in one process for all figures.
inkscape_opens()
{
	rm -rf inkscape
	mkdir inkscape
	count=0
	find "$1" -name '*.svg' -o -name '*.pdf' >pictures.list
	while read -r figure; do
		count=$((count + 1))
		cp "$figure" "inkscape/$count.${figure##*.}"
	done <pictures.list
	HOME=$work inkscape --pdf-poppler --export-type=png --export-dpi=20 inkscape/* >stdout 2>stderr
	for figure in $(seq "$count"); do
		[ -s "inkscape/$figure.png" ] || complain "Inkscape does not read $(sed -n "${figure}p" pictures.list)"
	done
	rm -r inkscape
}

# on_terminal COLUMNS STREAM COMMAND: runs it with standard output (STREAM 1) or standard error (2) on a terminal
# of so many columns, and prints what it shows there; the exit status is that of the command.
on_terminal()
{
	[ -f "$work/terminal.py" ] || cat >"$work/terminal.py" <<'END'
import fcntl, os, struct, sys, termios
columns, stream, command = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
terminal, end = os.openpty()
fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
process = os.fork()
if process == 0:
    if stream == 2:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(end, stream)
    os.execvp("sh", ["sh", "-c", command])
os.close(end)
try:
    while shown := os.read(terminal, 65536):
        sys.stdout.buffer.write(shown.replace(b"\r\n", b"\n"))
except OSError:
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
END
	python3 -IS "$work/terminal.py" "$@"
}

# games LOG: prints its rows in an order that does not depend on threads.
games()
{
	grep -v '^#' "$1" | sort
}

# column TABLE NAME [OF VALUE]: its cells, of all rows or of those that have VALUE in the column OF.
column()
{
	awk -F '\t' -v name="$2" -v of="${3-}" -v value="${4-}" '
	/^#/ { next }
	{ gsub(/"/, "") }
	!named++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
	!of || $at[of] == value { print $at[name] }' "$1"
}

# runs_same ONE OTHER LOG: these logs, sorted, and all tables but for their `#` lines, which else are complained of.
runs_same()
{
	games "$1/$3" >one.rows
	games "$2/$3" | cmp -s - one.rows || complain "$2/$3 differs from $1/$3"
	(cd "$1/tables" && grep -v '^#' -- *.tsv) >one.rows
	(cd "$2/tables" && grep -v '^#' -- *.tsv) | diff one.rows - || complain "tables of $2 differ from those of $1"
}

# rows_wait LOG N: waits until LOG has N lines, provenance included.
rows_wait()
{
	"${nxn_path%/*}/tests/src/commands/rows_wait" "$1" "$2" || complain "$1 does not grow"
}

# at_work LOG ROWS COMMAND: runs it until LOG has that many lines; its process in $pid.
at_work()
{
	sh -c "exec $3" >stdout 2>stderr &
	pid=$!
	rows_wait "$1" "$2"
}

# signalled SIGNAL: sends it to $pid, which ends; its status in $got.
signalled()
{
	kill -"$1" $pid 2>/dev/null
	wait $pid 2>/dev/null
	got=$?
}

# stops SIGNAL WORDS [late]: so ends a command that can be gone on with, as WORDS, a pattern, say;
# the file resume has the command that does. With a third word it may have ended before.
stops()
{
	signalled "$1"
	[ $# -eq 2 ] || [ $got -ne 0 ] || return 1
	case $1$got in INT130 | TERM75 | USR175) ;; *) complain "exit status $got after SIG$1: $2" ;; esac
	tail -n 2 stderr | head -n 1 | grep -q "nxn $2; to resume:\$" || complain "expected '$2' after SIG$1"
	tail -n 1 stderr >resume
}

# killed FOLDER SIGNAL SECONDS COMMAND: runs it there and ends it after a while; its status in $got.
killed()
{
	mkdir -p "$1"
	(cd "$1" && exec $4) >stdout 2>stderr &
	pid=$!
	sleep "$3"
	signalled "$2"
}

# waits SECONDS CONDITION WORDS: until CONDITION, a command, succeeds; else complains of WORDS.
waits()
{
	waited=0
	until eval "$2"; do
		sleep 0.02
		waited=$((waited + 1))
		[ $waited -lt $((50 * $1)) ] || { complain "$3"; return 1; }
	done
}

# signals_wait PID: waits until that nxn handles SIGTERM and the others. Before, a signal would kill
# it, except for SIGINT, which a program in the background ignores.
signals_wait()
{
	waits 100 "grep -qs '^SigCgt:.*[4-7c-f]...\$' /proc/$1/status" "process $1 handles no signals"
}

# budgets COMMAND WORD...: doubles the budget of time until the command ends by itself, so that it
# is stopped on a fast machine, and ends on a slow one.
budgets()
{
	tries=0 got=75
	while [ $got -eq 75 ] && [ $tries -lt 15 ]; do
		tries=$((tries + 1))
		"$@" --time-budget "$(awk "BEGIN { print 0.005 * 2 ^ $tries }")s" >stdout 2>stderr
		got=$?
	done
	[ $got -eq 0 ] || complain "exit status $got of the last of $tries runs within a budget: $*"
	[ $tries -gt 1 ] || echo "(not stopped within a budget: $*)"
}

# json_agrees JSON TSV TABLE [COLUMN...]: checks that JSON has the provenance of TABLE, once, then
# the rows of TSV with its columns in order and the same values, except in COLUMNs.
json_agrees()
{
	[ -f json_agrees.py ] || cat >json_agrees.py <<'END'
import csv, json, sys
def refuse(word):
    raise ValueError(word)
name, free = sys.argv[3], sys.argv[4:]
rows = [json.loads(line, parse_constant=refuse) for line in open(sys.argv[1])]
table = list(csv.DictReader([line for line in open(sys.argv[2]) if line[0] != "#"], delimiter="\t"))
head, rows = rows[0], rows[1:]
assert head["kind"] == "provenance" and head["table"] == name and "units" in head, head
assert any(note.startswith("command: nxn ") for note in head["notes"]), head
assert len(rows) == len(table) > 0, (len(rows), len(table))
for row, want in zip(rows, table):
    assert row.pop("kind") == name and list(row) == list(want), (list(row), list(want))
    for column, cell in want.items():
        value = row[column]
        if column in free:
            continue
        if isinstance(value, str):
            assert value.replace('"', "'") == cell, (column, value, cell)
        elif value is None:
            assert cell == "NaN", (column, cell)
        else:
            assert abs(value - float(cell)) <= 1e-9 * abs(value), (column, value, cell)
END
	gives 0 "python3 -IS json_agrees.py $*"
}
