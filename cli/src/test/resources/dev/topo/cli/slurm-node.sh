#!/bin/bash
# A Slurm cluster of this machine alone, with all its files in one folder: slurm-node.sh DIR PORT.
# Runs until its standard input ends. Prints "ready" when jobs can be submitted with SLURM_CONF=DIR/slurm.conf.
set -euo pipefail
dir=$1
port=$2
host=$(hostname -s)
mkdir -p "$dir/state" "$dir/spool"
chmod 755 "$dir"
dd if=/dev/urandom of="$dir/munge.key" bs=32 count=1 2>/dev/null
chmod 600 "$dir/munge.key"
cat > "$dir/slurm.conf" <<CONF
ClusterName=topo
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
AuthType=auth/munge
AuthInfo=socket=$dir/munge.socket
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
SlurmctldLogFile=$dir/slurmctld.log
SlurmdLogFile=$dir/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,sched_min_interval=0,bf_interval=1,batch_sched_delay=0
KillWait=1
CompleteWait=0
EpilogMsgTime=1
MinJobAge=2
ReturnToService=2
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
# Version 22.05 loads a cgroup plugin even where no cgroup is used; that of version 1 needs no systemd.
echo 'CgroupPlugin=cgroup/v1' > "$dir/cgroup.conf"
export SLURM_CONF=$dir/slurm.conf
PATH=$PATH:/usr/sbin:/sbin
pids=()
stop() { for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done; wait 2>/dev/null || true; }
trap stop EXIT
munged --foreground --force --key-file="$dir/munge.key" --socket="$dir/munge.socket" --pid-file="$dir/munged.pid" \
  --seed-file="$dir/munged.seed" --log-file="$dir/munged.log" >"$dir/munged.out" 2>&1 &
pids+=($!)
slurmctld -D -f "$SLURM_CONF" >"$dir/slurmctld.out" 2>&1 &
pids+=($!)
slurmd -D -f "$SLURM_CONF" -N "$host" >"$dir/slurmd.out" 2>&1 &
pids+=($!)
for _ in $(seq 1000); do
  if sinfo -h -o %T 2>/dev/null | grep -q idle; then
    echo ready
    cat >/dev/null
    exit 0
  fi
done
echo "not ready: $(tail -n 2 "$dir/slurmctld.out" "$dir/slurmctld.log" "$dir/slurmd.out" "$dir/slurmd.log" 2>/dev/null | tr '\n' ' ')"
