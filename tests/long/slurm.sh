#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The jobs of docs/cluster/ under a real Slurm of two nodes, both on this machine: an array, tasks of srun, and MPI. They
# are stopped by Slurm's signal, by their time limit with SIGTERM and with SIGKILL, and by kill -9 of one process, and
# submitted again. Each time the merged log is that of one process. Most of the time, two or three minutes, the jobs wait
# for the time limit, which is at least a minute.
for tool in munged slurmctld slurmd sbatch srun; do
	command -v $tool >/dev/null || { echo "no $tool (Debian: slurm-wlm, munge)"; exit 77; }
done
# The script runs as process 1 in namespaces for processes and network, so all processes end with the script.
if [ "${NXN_SLURM_WORLD-}" != "$PPID" ]; then
	world='unshare --pid --mount-proc --net --uts --ipc --fork --kill-child'
	$world ip link show lo >/dev/null 2>&1 || { echo 'only root can test this, with ip (Debian: iproute2)'; exit 77; }
	NXN_SLURM_WORLD=0 exec timeout 360 $world sh "$0" "$@"
fi
trap 'exit 1' HUP INT TERM
. "${srcdir:-.}/tests/src/commands/cli_lib.sh"
mpi_path=$(dirname "$nxn_path")/nxn-mpi
[ -x "$mpi_path" ] || { echo 'nxn-mpi was not built'; exit 77; }
ln -s "$mpi_path" bin/nxn-mpi
for variable in $(env | sed -n 's/^\(SLURM_[^=]*\|SBATCH_[^=]*\|OMPI_[^=]*\)=.*/\1/p'); do
	unset "$variable"
done

# Slurm. It looks up names only where there is another address than 127.0.0.1. Each node has a name and a folder for
# PMIx; between the nodes there is TCP, as on a cluster of plain machines.
hostname localhost && ip address add 10.0.0.1/8 dev lo && ip link set lo up || exit 99
export SLURM_CONF="$work/slurm.conf" OMPI_MCA_btl_tcp_if_include=lo
mkdir munge state pmix pmix.one pmix.two
head -c 1024 /dev/urandom >munge/key
chmod 600 munge/key
chmod 711 munge
cat >slurm.conf <<END
ClusterName=nxn
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge/socket,cred_expire=5
StateSaveLocation=$work/state
SlurmctldPidFile=$work/slurmctld.pid
SlurmdSpoolDir=$work/spool.%n
SlurmdPidFile=$work/slurmd.%n.pid
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0
KillWait=5
NodeName=one NodeHostname=localhost NodeAddr=127.0.0.1 Port=6821 CPUs=16
NodeName=two NodeHostname=localhost NodeAddr=127.0.0.1 Port=6822 CPUs=16
PartitionName=all Nodes=ALL Default=YES
END
echo "PMIxCliTmpDirBase=$work/pmix" >mpi.conf
munged -F --force --socket="$work/munge/socket" --key-file="$work/munge/key" --pid-file="$work/munge/pid" \
	--log-file="$work/munge/log" --seed-file="$work/munge/seed" >munge.log 2>&1 &
tries=0
until [ -S munge/socket ] || [ $((tries += 1)) -gt 100 ]; do sleep 0.1; done
slurmctld -D -i >slurmctld.log 2>&1 &
for node in one two; do
	unshare --mount --uts sh -c "hostname $node && mount --bind pmix.$node pmix && exec slurmd -D -N $node" \
		>slurmd.$node.log 2>&1 &
done
tries=0
until [ "$(sinfo -h -N -t idle 2>/dev/null | wc -l)" -eq 2 ]; do
	sleep 0.5
	[ $((tries += 1)) -lt 60 ] || { tail -n 5 *.log; echo 'FAILED: Slurm does not start'; exit 1; }
done

# What the jobs play.
cat >demo.yaml <<'YAML'
boards: [3x3, 2x3]
sequences:
  - agents: ["expectimax:depth=4,cutoff=0", corners]
    games: 400
  - agents: [qlearn, ntuple]
    train: 40
    evaluate: 5
    games: 20
YAML
play='compare demo.yaml --no-figures --no-times'
gives 0 "nxn $play --threads 1 --out whole"
games whole/games.tsv >whole.rows
nxn report --tsv=games whole | grep -v '^#' | sort >whole.report
[ "$(wc -l <whole.rows)" -gt 1600 ] && [ "$(wc -l <whole.report)" -gt 1600 ] || complain 'too few games'

# submit RUN FILE OPTION...: submits a job of docs/cluster/ that writes in the folder RUN; RUN.id has its number.
submit()
{
	run=$1 file=$2
	shift 2
	sbatch --parsable --cpus-per-task=1 --output="$run.%A.out" "$@" "$source/docs/cluster/$file.sbatch" $play --out "$run" \
		>"$run.id" 2>stderr || complain "sbatch refuses $file.sbatch"
}

# states RUN: the state of its job, or those of the tasks of its array.
states()
{
	scontrol -o show job "$(cat "$1.id")" 2>/dev/null | sed 's/.* JobState=\([A-Z_]*\) .*/\1/' | sort -u | tr '\n' ' '
}

# ended RUN STATES...: waits for the end of its job, with one of these sets of states.
ended()
{
	tries=0 run=$1
	shift
	while state=$(states "$run") && [ $((tries += 1)) -lt 300 ]; do
		case $state in *PENDING* | *RUNNING* | *COMPLETING* | *REQUEUED*) sleep 0.5 ;; *) break ;; esac
	done
	echo "# $(($(date +%s) - started)) s: $run: $state"
	for expected; do
		[ "$state" != "$expected " ] || return 0
	done
	complain "$run: its job is $state"
	tail -n 20 "$run".*out
}

# processes RUN: those of nxn that write in the folder RUN.
processes()
{
	for process in $(grep -lxs 'nxn\|nxn-mpi' /proc/[0-9]*/comm | cut -d / -f 3); do
		{ tr '\0' ' ' </proc/"$process"/cmdline; } 2>/dev/null | grep -q -e "--out $1 " && echo "$process"
	done
}

# thaw RUN: its processes go on.
thaw()
{
	kill -CONT $(processes "$1") 2>/dev/null
}

# freeze RUN N: stops its N processes when all have started and some games are played, as if the games took long.
freeze()
{
	tries=0 run=$1 number=$2
	set --
	until [ $# -eq "$number" ] || [ $((tries += 1)) -gt 1000 ]; do
		sleep 0.02
		set -- $(processes "$run")
		[ $# -eq 0 ] || kill -STOP "$@"
	done
	until [ "$(cat "$run"/games*.tsv 2>/dev/null | wc -l)" -ge 30 ] || [ $((tries += 1)) -gt 1000 ]; do
		kill -CONT "$@"
		sleep 0.05
		kill -STOP "$@"
	done
	echo "# $(($(date +%s) - started)) s: $run: stopped with $(cat "$run"/games*.tsv | wc -l) lines"
	[ $tries -le 1000 ] || { complain "$run: not $number processes that play"; tail -n 20 "$run".*out; }
}

# same RUN: its log is that of one process.
same()
{
	games "$1/games.tsv" | cmp - whole.rows || complain "$1: the log is not that of one process"
	nxn report --tsv=games "$1" | grep -v '^#' | sort | cmp - whole.report || complain "$1: the report is not that of one process"
	[ "$(ls "$1"/games*)" = "$1/games.tsv" ] || complain "$1: parts are left"
}

# merge RUN: a job that waits for the array of RUN merges its shares.
merge()
{
	id=$(sbatch --parsable --dependency="afterok:$(cat "$1.id")" --output="$1.merge.out" --wrap "nxn $play --out $1")
	echo "$id" >"$1.merge.id"
	ended "$1.merge" COMPLETED
	same "$1"
}

started=$(date +%s)
# A time limit of one minute; the nxn of "deaf" does not get SIGTERM, so that SIGKILL ends it.
mkdir deaf.bin
printf '#!/bin/sh\nexec env --block-signal=TERM %s "$@"\n' "$work/bin/nxn" >deaf.bin/nxn
chmod +x deaf.bin/nxn
kept_path=$PATH PATH=$work/deaf.bin:$PATH
submit deaf array --array=1-3 --time=1 --signal=URG@1
PATH=$kept_path
freeze deaf 3
# Slurm continues stopped processes before it sends SIGTERM. The loop stops them again, so that none finishes before SIGKILL.
for process in $(processes deaf); do
	while kill -STOP "$process" 2>/dev/null; do sleep 0.05; done &
done
submit limit mpi --ntasks-per-node=2 --time=1 --signal=URG@1
freeze limit 4
# Slurm's signal some time before the limit: the job is started again by itself.
submit tasks tasks --ntasks=3 --nodes=2 --time=1 --signal=USR1@5
freeze tasks 3

# One process of an array and one rank are killed.
submit array array --array=1-3
freeze array 3
kill -KILL "$(processes array | head -n 1)"
thaw array
ended array 'COMPLETED FAILED'
submit array array --array=1-3
merge array
submit rank mpi --ntasks-per-node=2
freeze rank 4
kill -KILL "$(processes rank | tail -n 1)"
thaw rank
ended rank FAILED
submit rank mpi
ended rank COMPLETED
same rank

# signal_waits RUN: whether all its processes have SIGUSR1 waiting for them.
signal_waits()
{
	for process in $(processes "$1"); do
		awk '/^ShdPnd/ { found = substr($2, length($2) - 2, 1) ~ /[2367abefABEF]/ } END { exit !found }' /proc/"$process"/status || return
	done
}
tries=0
until signal_waits tasks; do
	sleep 0.2
	[ $((tries += 1)) -lt 450 ] || { complain 'Slurm sends no signal before the time limit'; break; }
done
thaw tasks

ended deaf TIMEOUT
# SIGTERM at the limit: nxn-mpi saves its state and ends with 75, and if Slurm lets the job live, it starts itself again.
ended limit TIMEOUT COMPLETED
submit deaf array --array=1-3
merge deaf
submit limit mpi
ended limit COMPLETED
same limit
ended tasks COMPLETED
same tasks
scontrol show job "$(cat tasks.id)" | grep -q 'Restarts=1 ' || complain 'tasks.sbatch was not started again'
exit $bad
