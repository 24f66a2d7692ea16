#!/bin/bash
# Prolog= of slurm.conf on nodes with GPUs: a few seconds of nccl-tests; another status than 0 drains the node and requeues the job.
set -u
[[ -n ${SLURM_JOB_GPUS:-} ]] || exit 0
out=$(mktemp -d) && trap 'rm -rf "$out"' EXIT
timeout 60 all_reduce_perf -b 64M -e 1G -f 4 -g "${GPUS:-8}" >"$out/run.txt"
topo check "$out/run.txt" "${TOPOLOGY:-/etc/topo/system.xml}" --format jsonl | logger -t topo
case ${PIPESTATUS[0]} in 1 | 5) exit 1 ;; esac
