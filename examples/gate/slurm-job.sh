#!/bin/bash
# A node of the fleet runs nccl-tests alone; a node that is SLOW or WRONG is drained. sbatch --nodes=1 --exclusive slurm-job.sh system.xml
set -u
out=$(mktemp -d)
srun --ntasks-per-node="${GPUS:-8}" all_reduce_perf -b 1M -e 8G -f 2 -g 1 > "$out/$(hostname).txt"
topo check "$out" "$1" --ranks-per-process 1 --format openmetrics -o "${METRICS:-/var/lib/node_exporter}/topo.prom"
status=$?
case $status in 1 | 5) scontrol update NodeName="$(hostname)" State=DRAIN Reason="topo check: $status" ;; esac
exit $status
