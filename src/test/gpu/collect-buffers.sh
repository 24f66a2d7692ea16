#!/usr/bin/env bash
#
# Records what NCCL runs on registered buffers and symmetric windows, for docs/accuracy.md.
#
#   collect-buffers.sh TOPO ARCHIVE.tar.gz
#
# TOPO is the command; NCCL is the one that LD_LIBRARY_PATH names. Each run leaves a folder with the kind of its buffers,
# its settings, NCCL's dump of the machine and one log for each collective; names and addresses of the host are replaced.
# Needs two or more GPUs. Takes some minutes.

set -uo pipefail
topo=$1 archive=$2
here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
. "$here/names.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
runs=$work/runs
mkdir "$runs"
gpus=$(nvidia-smi --list-gpus | wc -l)
unset "${!NCCL_@}"
export NCCL_NVLS_ENABLE=0 NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,GRAPH,TUNING

{
  nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
  date -u +%F
} >"$runs/machine.txt"

# one_run FOLDER KIND NAME=VALUE...
one_run() {
  local folder=$1 kind=$2 mode=1 collective
  shift 2
  [[ $kind == symmetric ]] && mode=2
  mkdir -p "$folder"
  echo "$kind" >"$folder/buffers.txt"
  printf '%s\n' NCCL_NVLS_ENABLE=0 "$@" | grep = >"$folder/settings.txt"
  for collective in all_reduce all_gather reduce_scatter broadcast reduce; do
    env "$@" NCCL_TOPO_DUMP_FILE="$folder/topology.xml" NCCL_DEBUG_FILE="$folder/$collective.log" timeout 120 \
      "$topo" run "$collective" -b 8 -e 256M -f 2 -n 1 -w 0 -c 1 -R "$mode" -g "$gpus" >"$folder/$collective.out" 2>&1 </dev/null
    printf '%s %s\n' "$collective" "$?" >>"$folder/status.txt"
  done
}

number=0
while IFS= read -r line; do
  [[ $line == '#'* ]] && continue
  number=$((number + 1))
  # shellcheck disable=SC2086 # a line is a kind and several settings
  one_run "$runs/$(printf '%02d' "$number")" $line &
  ((number % 4)) || wait
done <"$here/settings-buffers.txt"
wait

hide_names "$runs"
sed -i "s/$(hostname)/host/g" "$runs"/*/*.out
pack "$work" "$archive"
