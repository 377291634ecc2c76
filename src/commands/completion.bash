# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# What is above are tables; this reads them. Candidates go into `found`; `head` is what of the word
# being completed stands before them.

# Splits the line up to the cursor into `words`: bash has broken them at '=' and ':' as well.
_nxn_read()
{
	local line=${COMP_LINE:0:COMP_POINT} word i
	words=()
	for ((i = 0; i <= COMP_CWORD; i++)); do
		[[ $i -eq 0 || $line == [[:space:]]* ]] && words+=("")
		line=${line#"${line%%[![:space:]]*}"}
		word=${COMP_WORDS[i]}
		word=${word:0:${#line}}
		words[-1]+=$word
		line=${line:${#word}}
	done
}

# WORDS TEXT: those that begin with TEXT.
_nxn_add()
{
	local word
	for word in $1; do
		[[ $word == "$2"* ]] && found+=("$word")
	done
}

# FLAG TEXT: files (-f) or folders (-d) that begin with TEXT; folders are gone on with.
_nxn_files()
{
	local path
	while IFS= read -r path; do
		[[ -d $path ]] && path+=/
		found+=("$path")
	done < <(compgen "$1" -- "$2")
}

# PIECES AGENT VALUE: sets `agent`, and `value` to what it evaluates by, from settings already written.
_nxn_settings()
{
	local rest=$1, piece name
	while [[ $rest ]]; do
		piece=${rest%%,*}
		rest=${rest:${#piece}}
		rest=${rest#,}
		name=${piece%%:*}
		if [[ $name != *=* ]] && _nxn_keys "$name" >/dev/null; then
			agent=$name value=$(_nxn_value "$name")
			piece=${piece:${#name}} piece=${piece#:}
		fi
		[[ $piece == value=* ]] && value=${piece#value=} value=${value%%:*}
	done
}

# TEXT LIST: an agent, NAME:KEY=VALUE,..., or a LIST of them between commas or semicolons.
_nxn_agent()
{
	local text=$1 agent='' value='' before='' last choices
	last=$text
	[[ $2 ]] && last=${last##*;}
	if [[ $last == *,* ]]; then
		before=${last%,*} last=${last##*,}
		_nxn_settings "$before"
	fi
	if [[ ${last%%:*} != *=* && $last == *:* ]]; then
		_nxn_settings "${last%%:*}"
		last=${last#*:}
		choices=$(_nxn_choices "$agent ") && _nxn_files -f "$last"
	elif [[ $last != *=* ]] && [[ ! $agent || ( $2 && $text != *';'* ) ]]; then
		_nxn_add "$(_nxn_words SPEC)" "$last"
	fi
	if [[ $last == *=* ]]; then
		choices=$(_nxn_choices "$agent ${last%%=*}") ||
			choices=$(_nxn_choices "value=$value ${last%%=*}") || return
		last=${last#*=}
		# A value can be told a file: value=ntuple:FILE.
		if [[ $choices == VALUE && $last == *:* ]]; then
			choices=$(_nxn_choices "value=${last%%:*} ") || return
			last=${last#*:}
		fi
		_nxn_find "$choices" "$last"
		return
	fi
	head=${whole:0:${#whole}-${#last}}
	[[ $agent ]] || return
	_nxn_add "$(_nxn_keys "$agent")" "$last"
	[[ $value ]] && _nxn_add "$(_nxn_keys "value=$value")" "$last"
}

# METAVARIABLE TEXT: what an argument that begins with TEXT can be, where --help calls it so.
_nxn_find()
{
	local kind text=$2 seen=' '
	head=${whole:0:${#whole}-${#text}}
	for kind in ${1//[][|]/ }; do
		[[ $kind == *,... ]] || kind=${kind%...}
		[[ $seen == *" $kind "* ]] && continue
		seen+="$kind "
		case $kind in
		SPEC,...) _nxn_agent "$text" list ;;
		SPEC | AGENT) _nxn_agent "$text" '' ;;
		RxC,...)
			[[ $text == *,* ]] && head+=${text%,*}, text=${text##*,}
			_nxn_add "$(_nxn_words RxC)" "$text"
			;;
		FILE | LOG | MODEL) _nxn_files -f "$text" ;;
		RUN)
			_nxn_add "$(_nxn_words EXPERIMENT)" "$text"
			_nxn_files -f "$text"
			;;
		DIR) _nxn_files -d "$text" ;;
		COMMAND) mapfile -t found < <(compgen -c -- "$text") ;;
		TOPIC)
			kind="$(_nxn_words SPEC) $(_nxn_words VALUE)"
			_nxn_add "program boards agents values ${kind//:/}" "$text"
			_nxn_files -f "$text"
			;;
		*=*) _nxn_add "${kind%%=*}=" "$text" ;;
		[a-z]*) _nxn_add "$kind" "$text" ;;
		*) _nxn_add "$(_nxn_words "$kind")" "$text" ;;
		esac
	done
}

# Finds candidates for the last one of `words`.
_nxn_complete()
{
	local whole=${words[-1]} command=${words[1]} before=${words[-2]} kind
	if [[ ${#words[@]} -eq 2 ]]; then
		_nxn_add "$(_nxn_words COMMAND) --help --version" "$whole"
	elif [[ $command == help ]]; then
		_nxn_add "$(_nxn_words COMMAND)" "$whole"
	elif [[ $whole == --*=* ]]; then
		kind=$(_nxn_argument "$command ${whole%%=*}") ||
			kind=$(_nxn_argument "$command ${whole%%=*}=") || return
		_nxn_find "$kind" "${whole#*=}"
	elif kind=$(_nxn_argument "$command $before"); then
		_nxn_find "$kind" "$whole"
	elif [[ $whole == -* ]]; then
		_nxn_add "$(_nxn_options "$command")" "$whole"
	elif kind=$(_nxn_argument "$command"); then
		_nxn_find "$kind" "$whole"
	fi
}

# WORD...: prints what the last one of these can be, for other shells.
_nxn_print()
{
	local words=("$@") found=() head='' word
	_nxn_complete
	for word in "${found[@]}"; do
		printf '%s\n' "$head$word"
	done
}

_nxn()
{
	local words found=() head='' cut='' word
	_nxn_read
	# Inside quotes bash replaces the whole word; outside, what is behind the last break.
	if [[ ${words[-1]} == [\'\"]* ]]; then
		words[-1]=${words[-1]:1}
	elif [[ $COMP_WORDBREAKS == *:* ]]; then
		cut=${words[-1]%"${words[-1]##*[:=]}"}
	elif [[ $COMP_WORDBREAKS == *=* ]]; then
		cut=${words[-1]%"${words[-1]##*=}"}
	fi
	_nxn_complete
	COMPREPLY=()
	for word in "${found[@]}"; do
		word=$head$word
		COMPREPLY+=("${word#"$cut"}")
		# There is more to come behind these.
		[[ $word == *[=:/] ]] && compopt -o nospace 2>/dev/null
	done
	return 0
}

complete -F _nxn nxn nxn-mpi
