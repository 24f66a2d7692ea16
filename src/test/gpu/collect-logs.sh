#!/usr/bin/env bash
#
# Records what NCCL does on this machine under many settings, for docs/accuracy.md.
#
#   [EVERY=N] collect-logs.sh TOPO NCCL_TESTS ARCHIVE.tar.gz
#
# TOPO is the command, or - without a probe, NCCL_TESTS the folder of nccl-tests' programs, built with MPI=1. NCCL is the one
# that LD_LIBRARY_PATH names. With EVERY each N-th setting is used. Each run leaves a folder with its settings, NCCL's dumps
# and one log for each collective; names and addresses of the host are replaced. Needs mpirun and two or more GPUs, or one for
# two ranks (second-gpu.sh). Takes some minutes.

set -uo pipefail
topo=$1 tests=$2 archive=$3
here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
. "$here/names.sh"
. "$here/second-gpu.sh"
work=$(mktemp -d)
trap 'end_mps; rm -rf "$work"' EXIT
runs=$work/runs
mkdir "$runs"
gpus=$(nvidia-smi --list-gpus | wc -l)
if ((gpus == 1)); then
  second_gpu "$work" && cc -shared -fPIC -O1 -o "$work/second-gpu.so" "$here/second-gpu.c" -ldl || exit 1
fi
sizes=(-b 8 -e 256M -f 4 -n 1 -w 0 -c 0)
collectives='all_reduce all_gather reduce_scatter broadcast reduce'
unset "${!NCCL_@}"
export NCCL_NVLS_ENABLE=0 NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,GRAPH,TUNING
((gpus > 1)) || export NCCL_TESTS_DEVICE=0

{
  nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
  date -u +%F
  "$tests/all_reduce_perf" -b 8 -e 8 -g 1 2>/dev/null | grep -o 'nccl-[a-z]*=[0-9]*' | sort -u
} >"$runs/machine.txt"
[[ $topo == - ]] || "$topo" probe >"$runs/probe.xml"

# one_host FOLDER NAME=VALUE...
one_host() {
  local folder=$1 collective
  shift
  mkdir -p "$folder"
  printf '%s\n' NCCL_NVLS_ENABLE=0 "$@" | grep = >"$folder/settings.txt"
  for collective in $collectives; do
    export NCCL_TOPO_DUMP_FILE=$folder/topology.xml NCCL_GRAPH_DUMP_FILE=$folder/graphs.xml
    if ((gpus > 1)); then
      env "$@" NCCL_DEBUG_FILE="$folder/$collective.log" timeout 60 \
        "$tests/${collective}_perf" "${sizes[@]}" -g "$gpus" >"$folder/$collective.out" 2>&1 </dev/null
    else
      # shellcheck disable=SC2016 # the shell of each process sets these
      timeout 90 mpirun --allow-run-as-root --oversubscribe -np 2 env "${both[@]}" "$@" bash -c '
        export RANK=$OMPI_COMM_WORLD_RANK LD_PRELOAD=$1 NCCL_DEBUG_FILE=$0.$OMPI_COMM_WORLD_RANK.log
        shift
        exec "$@"' "$folder/$collective" "$work/second-gpu.so" "$tests/${collective}_perf" "${sizes[@]}" -g 1 \
        >"$folder/$collective.out" 2>&1 </dev/null
    fi
    printf '%s %s\n' "$collective" "$?" >>"$folder/status.txt"
  done
}

# two_hosts FOLDER NAME=VALUE...
two_hosts() {
  local folder=$1 collective
  shift
  mkdir -p "$folder"
  printf '%s\n' NCCL_NVLS_ENABLE=0 "$@" | grep = >"$folder/settings.txt"
  for collective in $collectives; do
    # shellcheck disable=SC2016 # the shell of each process sets these
    timeout 90 mpirun --allow-run-as-root --oversubscribe -np 2 env "$@" bash -c '
      rank=$OMPI_COMM_WORLD_RANK
      export NCCL_HOSTID=host$rank NCCL_TOPO_DUMP_FILE=$0/topology.$rank.xml
      export NCCL_GRAPH_DUMP_FILE=$0/graphs.$rank.xml NCCL_DEBUG_FILE=$0/$1.$rank.log
      shift
      exec "$@"' "$folder" "$collective" "$tests/${collective}_perf" "${sizes[@]}" -g 1 \
      >"$folder/$collective.out" 2>&1 </dev/null
    printf '%s %s\n' "$collective" "$?" >>"$folder/status.txt"
  done
}

# each FUNCTION PREFIX FILE: runs each line of the file, four at a time: nothing here is timed.
each() {
  local number=0 line
  while IFS= read -r line; do
    number=$((number + 1))
    [[ $line == - ]] && line='NCCL_NVLS_ENABLE=0'
    # shellcheck disable=SC2086 # a line is several settings
    "$1" "$runs/$2-$(printf '%02d' "$number")" $line &
    ((number % 4)) || wait
  done < <(chosen "$3")
  wait
}

each one_host one-host "$here/settings.txt"
each two_hosts two-hosts "$here/settings-two-hosts.txt"

find "$runs" -name '*.out' -delete
hide_names "$runs"
pack "$work" "$archive"
