#!/usr/bin/env bash
#
# Measures the collectives by nccl-tests and by topo run in turn, three times, for docs/accuracy.md.
#
#   compare-runs.sh TOPO NCCL_TESTS ARCHIVE.tar.gz
#
# The arguments are those of collect-logs.sh. The machine should be idle. Takes some minutes.

set -uo pipefail
topo=$1 tests=$2 archive=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
folder=$work/runs
mkdir "$folder"
gpus=$(nvidia-smi --list-gpus | wc -l)
unset "${!NCCL_@}"
export NCCL_NVLS_ENABLE=0

# both COLLECTIVE SIZES ROUND OPTION...
both() {
  local name=$1 options=("${@:4}" -g "$gpus" -c 0)
  "$tests/${name}_perf" "${options[@]}" >"$folder/$name.$2.$3.nccl-tests" 2>&1
  "$topo" run "$name" "${options[@]}" >"$folder/$name.$2.$3.topo" 2>&1
}

for round in 1 2 3; do
  for name in all_reduce all_gather reduce_scatter broadcast reduce alltoall gather scatter sendrecv; do
    both "$name" small "$round" -b 8 -e 8M -f 4 -n 100 -w 20
    both "$name" large "$round" -b 16M -e 1G -f 4 -n 20 -w 5
  done
done
sed -i "s/ $(hostname) / host /" "$folder"/*
tar -C "$work" --sort=name --mtime='2026-01-01' --owner=0 --group=0 --numeric-owner -cf - runs | gzip -9n >"$archive"
