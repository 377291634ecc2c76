# SPDX-License-Identifier: GPL-3.0-or-later
# What the command-line tests share; to be sourced. Runs in a folder of its own, with nxn on PATH.
# Needs NXN=/path/to/nxn and srcdir=/path/to/source; end the test with `exit $bad`.
set -u
nxn_path=${NXN:-$PWD/nxn}
source=$(cd "${srcdir:-.}" && pwd) || exit 99
export srcdir="$source"
work=$(mktemp -d) || exit 99
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 99
mkdir bin && ln -s "$nxn_path" bin/nxn && PATH=$work/bin:$PATH
# The interpreter that configure has found, where python3 is a script that looks for one.
[ ! -x "${TESTS_PYTHON:-}" ] || ln -s "$TESTS_PYTHON" bin/python3
unset ARGP_HELP_FMT
bad=0

# With --all, a test also does what takes long: tests/long/commands.sh. Else it does one of each kind.
all=
[ "${1-}" != --all ] || all=1

# Tests of what sanitizers have nothing new to say about, and why; they are not run with them.
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

# sanity_choose: sets `sanity`, what ASAN_OPTIONS is to be for a command. What takes a sanitizer five times as long to begin
# and end a program, leaks and the bounds of globals, it looks for in every fourth command; with --all, and in tests of
# functions, always.
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

# lighter [NXN]: from now on `nxn` draws only where it is asked for nothing else, takes a fifth of a second for
# each budget of one or two, estimates no times and verifies little. For documentation, whose subject are the commands.
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

# gnuplot_idle [PATTERN]: from now on gnuplot draws only what PATTERN of case has, as FORMAT:SCRIPT, and small pictures
# of nothing in a tenth of its time for all else: for tests of what becomes of figures. What is drawn is the subject of
# cli_figures.sh and tests/src/report/test_figures.c.
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

# blocks_read PAGE...: every block between fences becomes a file: block001.sh, block002.text, ...
blocks_read()
{
	awk '
	/^```/ { kind = kind ? "" : substr($0, 4) ? substr($0, 4) : "other"; file = ""; next }
	kind && !file { file = sprintf("block%03d.%s", ++blocks, kind) }
	file { print >file }
	' "$@"
}

# block_shown BLOCK: its lines are in the file stdout, but for times at their ends.
block_shown()
{
	sed -E -i 's/ +([0-9.]+ [num]?s|per move)( +[0-9]+| +games)?$//' stdout "$1"
	grep -vxF -f stdout "$1" && complain 'not in the output: the lines above'
}

# tutorial_end: what there is when the blocks of docs/tutorial.md have run.
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
	# Commands in the text are those that there are.
	nxn --help >help
	grep -o '`nxn [a-z][a-z]*' "$source/docs/tutorial.md" | sed 's/`nxn //' | sort -u >named
	while read -r command; do
		grep -q "^  $command " help || [ "$command" = help ] || complain "no command '$command'"
	done <named
}

# Every line under "EXAMPLES" of each command's --help, but for --watch, which needs a terminal, and for those like
# $elsewhere, which the test runs in another place.
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

# figures_open FOLDER: every figure in it can be read by what people look at figures with, where that is
# installed: SVG by librsvg, PDF by poppler, both by Inkscape.
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

# inkscape_opens FOLDER: the same for Inkscape, in one process for all of them.
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

# games LOG: its rows in an order that does not depend on threads.
games()
{
	grep -v '^#' "$1" | sort
}

# rows_wait LOG N: waits until LOG has N lines, provenance included.
rows_wait()
{
	"${nxn_path%/*}/tests/src/commands/rows_wait" "$1" "$2" || complain "$1 does not grow"
}

# waits SECONDS CONDITION WORDS: until the shell command CONDITION succeeds; after so many seconds it complains and fails.
waits()
{
	waited=0
	until eval "$2"; do
		sleep 0.02
		waited=$((waited + 1))
		[ $waited -lt $((50 * $1)) ] || { complain "$3"; return 1; }
	done
}

# signals_wait PID: waits until that nxn handles SIGTERM and the others; before that a signal would kill it, but for
# SIGINT, which a shell lets programs in the background ignore.
signals_wait()
{
	waits 100 "grep -qs '^SigCgt:.*[4-7c-f]...\$' /proc/$1/status" "process $1 handles no signals"
}

# budgets COMMAND WORD...: with a budget of time that grows until the command ends by itself, so that it is stopped
# where it is fast, and ends where it is slow.
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

# json_agrees JSON TSV TABLE [COLUMN...]: JSON Lines hold the table of that name: provenance first and once,
# then its rows with the columns of TSV in their order and the same values, but for those of COLUMNs.
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
