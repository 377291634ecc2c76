#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The container of the Containerfile is built and used. Its instructions are read and carried out here, in root folders
# of their own, since tests cannot rely on podman, and "debian:12" is what debootstrap makes.
# DEBIAN=FOLDER: a tree of debootstrap to be copied, in place of a new one.
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
unshare --mount true 2>/dev/null || { echo 'only root can test this: it makes root folders'; exit 77; }
command -v debootstrap >/dev/null || [ "${DEBIAN-}" ] || { echo 'no debootstrap'; exit 77; }
if [ ! "${DEBIAN-}" ]; then
	DEBIAN=$work/debian
	debootstrap --variant=minbase bookworm "$DEBIAN" >debootstrap.log 2>&1 || { tail -n 3 debootstrap.log; exit 77; }
fi

# within ROOT SHELL-COMMAND: runs it in ROOT; what is mounted for it goes when it ends.
within()
{
	ROOT=$1 unshare --mount sh -c 'mkdir -p "$ROOT/proc" "$ROOT/dev" && mount --rbind /proc "$ROOT/proc" &&
		mount --rbind /dev "$ROOT/dev" && exec chroot ${user:+--userspec="$user"} "$ROOT" "$@"' sh \
		/bin/sh -c "${folder:+cd $folder && }${environment:+export $environment && }$2"
}

# What is built is the checkout, without what was built in it.
mkdir context stages
(cd "$source" && { git ls-files 2>/dev/null || find . -type f ! -path './build*'; } | xargs -d '\n' cp --parents -t "$work/context")

# instruction WORD ARGUMENTS
instruction()
{
	word=$1 arguments=$2
	set -- $2
	case $word in
	FROM)
		stage=$work/stages/${3:-last} folder='' environment='' entry=''
		case $1 in
		scratch) mkdir "$stage" ;;
		debian:12) cp -a "$DEBIAN" "$stage" && cp -L /etc/resolv.conf "$stage/etc" ;;
		*) complain "FROM $1"; return 1 ;;
		esac
		;;
	COPY)
		case $1 in
		--from=*) cp -a "$work/stages/${1#--from=}$2/." "$stage$3" ;;
		.) mkdir -p "$stage$2" && cp -a context/. "$stage$2" ;;
		*) cp -a "context/$1" "$stage$2" ;;
		esac
		;;
	RUN) within "$stage" "$arguments" >run.log 2>&1 || { tail -n 20 run.log; return 1; } ;;
	ENV) environment="$environment $arguments" ;;
	WORKDIR) folder=$1 && mkdir -p "$stage$1" ;;
	ENTRYPOINT) entry=$(echo "$arguments" | tr -d '[]",') ;;
	*) return 1 ;;
	esac
}
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
sed -e '/^#/d; /^$/d' -e ':more' -e '/\\$/{N; s/\\\n//; b more' -e '}' "$source/Containerfile" >instructions
while read -r line <&3; do
	started=$(date +%s)
	instruction "${line%% *}" "${line#* }" || { complain "$line"; exit 1; }
	echo "# $(($(date +%s) - started)) s: $line" | cut -c 1-100
done 3<instructions

# What is there at the end.
bytes=$(du -sb "$stage" | cut -f 1)
echo "# the container takes $bytes bytes"
[ "$bytes" -lt 120000000 ] || complain 'the container is larger than 120 MB'
# As podman runs it, and Apptainer, where it has the user's number.
chmod 777 "$stage/data"
export user=65534:65534
play='compare --boards 3x3 --agents random,corners --games 20 --out out'
within "$stage" "exec $entry $play" >stdout 2>stderr || complain "$play"
[ -s stderr ] && complain 'complaints'
grep -q '<svg' "$stage/data/out/figures/means.svg" || complain 'no figure'
[ -s "$stage/data/out/figures/means.pdf" ] && [ -s "$stage/data/out/index.html" ] || complain 'no page'
# The table without times, and without the names of files.
sed 's/ *[0-9.]* [num]s$//; /\.tsv/d' stdout >played
gives 0 "nxn $play --no-figures"
sed 's/ *[0-9.]* [num]s$//; /\.tsv/d' stdout >wanted
[ "$(wc -l <wanted)" -ge 5 ] && diff wanted played || complain 'other games than those of the built program'
exit $bad
