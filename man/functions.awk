# SPDX-License-Identifier: GPL-3.0-or-later
# Makes the man pages of libnxn from the comments of its header:
#     awk -f functions.awk -v page=nxn_moves.3 [-v version=VERSION] lib/nxn.h    prints that page
#     awk -f functions.awk lib/nxn.h                                             prints the names of all pages
# A page describes the functions that are declared together, below one comment; all but the first have a page that
# refers to it. nxn.3 has the comment at the top of the header and a list of all functions. Exits 1 if a function has no
# comment.

function trimmed(line) {
	sub(/^ *\/?\*+\/?[ \t]?/, "", line)
	sub(/ *\*\/$/, "", line)
	return line
}

# TEXT as a page has it: no line of it is a request.
function plain(text) {
	gsub(/\\/, "\\e", text)
	gsub(/-/, "\\-", text)
	gsub(/'/, "\\(aq", text)
	gsub(/`/, "\\(ga", text)
	gsub(/\^/, "\\(ha", text)
	gsub(/~/, "\\(ti", text)
	return text ~ /^\./ ? "\\&" text : text
}

# Ends a function: with those above it, or with a comment of its own.
function function_end(   name) {
	name = declaration
	sub(/\(.*/, "", name)
	sub(/.*[ *]/, "", name)
	if (!joined) {
		if (!comment)
			lacking = lacking " " name
		first = name
		about[first] = comment
		part[first] = section
	}
	sub(/^NXN_API /, "", declaration)
	lead[name] = first
	group[first] = group[first] (joined ? " " : "") name
	prototypes[first] = prototypes[first] (joined ? "\n" : "") declaration
	names[++count] = name
	joined = 1
	comment = declaration = ""
}

# A comment: that of the header, of a section, or of what follows.
/^\/\*/ { inside = 1; comment = ""; own = "" }
inside {
	line = trimmed($0)
	comment = comment (comment == "" ? "" : "\n") line
	if (!/\*\/$/)
		next
	inside = 0
	sub(/\n$/, "", comment)
	if (!header && comment ~ /^libnxn: /)
		header = comment
	if (sub(/^---- /, "", comment)) {
		section = comment
		sub(/[.:,].*/, "", section)
		sub(/^[^.:,]*[.:,][ \n]*/, "", comment)
		parts[++part_count] = section
		introduction[section] = toupper(substr(comment, 1, 1)) substr(comment, 2)
		comment = ""
	}
	next
}
/^NXN_API / { declaring = 1 }
declaring {
	line = $0
	gsub(/[ \t]+/, " ", line)
	declaration = declaration line
	if (/;$/) {
		declaring = 0
		function_end()
	}
	next
}
# A type that is defined here, with its comment.
/^(struct|enum) nxn_[a-z_]+ \{/ { type = $1 " " $2; defined[type] = ""; type_about[type] = comment; comment = "" }
type {
	line = $0
	while (tab = index(line, "\t"))
		line = substr(line, 1, tab - 1) sprintf("%*s", 8 - (tab - 1) % 8, "") substr(line, tab + 1)
	defined[type] = defined[type] (defined[type] == "" ? "" : "\n") line
	if (/\};$/)
		type = ""
	next
}
/^$/ { joined = 0; if (!declaring) comment = "" }

function heading(title, summary) {
	printf ".TH %s 3 \"%s\" \"nxn %s\" \"libnxn\"\n.SH NAME\n%s\n", toupper(title), date, version, summary
}

# Text in paragraphs; names of arguments and functions stand out.
function paragraphs(text, arguments,   lines, n, i, code) {
	n = split(text, lines, "\n")
	for (i = 1; i <= n; i++) {
		if (lines[i] ~ /^    /) {
			if (!code) print ".PP\n.RS 4\n.nf"
			code = 1
			sub(/^    /, "", lines[i])
			print plain(lines[i])
			continue
		}
		if (code) print ".fi\n.RE"
		code = 0
		if (lines[i] == "") {
			if (lines[i + 1] !~ /^    /) print ".PP"
		} else
			print emphasised(plain(lines[i]), arguments)
	}
	if (code) print ".fi\n.RE"
}

function emphasised(line, arguments,   out, word) {
	out = ""
	while (match(line, /[A-Za-z_][A-Za-z_0-9]*(\(\))?/)) {
		word = substr(line, RSTART, RLENGTH)
		out = out substr(line, 1, RSTART - 1)
		line = substr(line, RSTART + RLENGTH)
		# An escape such as \(aq is no word.
		if (out ~ /\\\(?$/)
			out = out word
		else if (word ~ /^nxn_.*\(\)$/ && (substr(word, 1, length(word) - 2) in lead)) {
			word = substr(word, 1, length(word) - 2)
			mentioned[word] = 1
			out = out "\\fB" word "\\fP(3)"
		} else if (word ~ /^[A-Z]/ && word == toupper(word) && index(arguments, " " tolower(word) " "))
			out = out "\\fI" tolower(word) "\\fP"
		else
			out = out word
	}
	return out line
}

# Lines of code, bold.
function code_print(text,   lines, n, i) {
	n = split(text, lines, "\n")
	for (i = 1; i <= n; i++)
		print lines[i] == "" ? ".PP" : "\\fB" plain(lines[i]) "\\fP"
}

# A prototype in lines of up to 78 columns.
function prototype_print(text,   at, pad, words, n, i, line) {
	at = index(text, "(")
	pad = sprintf("%*s", at < 40 ? at : 8, "")
	n = split(text, words, ", ")
	line = words[1]
	for (i = 2; i <= n; i++)
		if (length(line) + length(words[i]) > 74) {
			code_print(line ",")
			line = pad words[i]
		} else
			line = line ", " words[i]
	code_print(line)
}

function see_also(list,   names_of, n, i, line) {
	n = split(list, names_of, " ")
	print ".SH SEE ALSO"
	for (i = 1; i <= n; i++)
		printf ".BR %s (3)%s\n", names_of[i], i < n ? "," : ""
}

function compile_print(package) {
	printf ".PP\ncc program.c $(pkg\\-config \\-\\-cflags \\-\\-libs %s)\n.fi\n", package
}

function page_print(name,   list, lines, n, i, arguments, summary, types, also, t) {
	n = split(group[name], list, " ")
	summary = about[name]
	gsub(/\n/, " ", summary)
	if (match(summary, /[^ .][.;:]( |$)/))
		summary = substr(summary, 1, RSTART)
	gsub(/\[[a-z_0-9]+\]/, "", summary)
	for (i = 1; i <= n; i++)
		also = also (i > 1 ? ", " : "") list[i]
	arguments = prototypes[name]
	gsub(/[^a-z_0-9]+/, " ", arguments)
	arguments = arguments " "
	summary = emphasised(plain(tolower(substr(summary, 1, 1)) substr(summary, 2)), arguments)
	gsub(/\\f[BIP]/, "", summary)
	heading(name, also " \\- " summary)
	print ".SH SYNOPSIS\n.nf\n\\fB#include <nxn.h>\\fP\n.PP"
	n = split(prototypes[name], lines, "\n")
	for (i = 1; i <= n; i++)
		prototype_print(lines[i])
	compile_print(name ~ /^nxn_estimate/ ? "nxn\\-stats" : "nxn")
	print ".SH DESCRIPTION"
	paragraphs(about[name], arguments)
	types = prototypes[name]
	for (t in defined)
		if (t != "enum nxn_status" && t != "struct nxn_why" && match(types, t "[^a-z_]")) {
			print ".SS " t
			if (type_about[t]) {
				paragraphs(type_about[t], "")
				print ".PP"
			}
			print ".nf"
			code_print(defined[t])
			print ".fi"
		}
	also = "nxn"
	for (i = 1; i <= count; i++)
		if (lead[names[i]] != name && names[i] in mentioned)
			also = also " " names[i]
	see_also(also)
}

function overview_print(   i, j, summary, n, list) {
	summary = header
	gsub(/\n/, " ", summary)
	sub(/\..*/, "", summary)
	sub(/^libnxn: /, "", summary)
	heading("nxn", "nxn \\- " plain(summary))
	print ".SH SYNOPSIS\n.nf\n\\fB#include <nxn.h>\\fP\n.PP"
	code_print(defined["enum nxn_status"] "\n\n" defined["struct nxn_why"])
	compile_print("nxn")
	print ".SH DESCRIPTION"
	paragraphs(header, "")
	print ".SH FUNCTIONS"
	for (i = 0; i <= part_count; i++) {
		if (i) {
			print ".SS " parts[i]
			if (introduction[parts[i]]) {
				paragraphs(introduction[parts[i]], "")
				print ".PP"
			}
		}
		n = 0
		for (j = 1; j <= count; j++)
			if (part[lead[names[j]]] == (i ? parts[i] : ""))
				list[++n] = names[j]
		for (j = 1; j <= n; j++)
			printf ".BR %s (3)%s\n", list[j], j < n ? "," : ""
	}
	print ".SH SEE ALSO\n.BR nxn (1)"
}

END {
	if (lacking) {
		print FILENAME ": no comment above" lacking >"/dev/stderr"
		exit 1
	}
	name = page
	sub(/\.3$/, "", name)
	"date -u ${SOURCE_DATE_EPOCH:+-d \"@$SOURCE_DATE_EPOCH\"} +%Y-%m-%d" | getline date
	if (page == "") {
		print "man/nxn.3"
		for (i = 1; i <= count; i++)
			print "man/" names[i] ".3"
	} else if (name == "nxn")
		overview_print()
	else if (lead[name] == name)
		page_print(name)
	else if (name in lead)
		print ".so man3/" lead[name] ".3"
	else {
		print FILENAME ": declares no " name >"/dev/stderr"
		exit 1
	}
}
