#!/usr/bin/env bash
#
# Records the memory that NCCL takes of GPUs and of the host, step by step, as a table (docs/memory.md).
#
#   collect-memory.sh NCCL CASES OUT.csv
#
# NCCL is the folder with NCCL's include and lib, CASES a file such as memory-cases.txt: a case on each line, its name, the ranks, the settings and the steps,
# separated by |. A setting RANK:NAME=VALUE is that of one rank. Needs a GPU for each rank, or one for all ranks (second-gpu.sh),
# whose gpu_bytes are then those of all ranks together; nvcc and a C compiler.

set -uo pipefail
nccl=$1 cases=$2 out=$3
here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
. "$here/second-gpu.sh"
cuda=$(cd -P -- "$(dirname -- "$(readlink -f "$(command -v nvcc)")")/.." && pwd -P)
work=$(mktemp -d)
trap 'end_mps; rm -rf "$work"' EXIT
unset "${!NCCL_@}"
export NCCL_NVLS_ENABLE=0 NCCL_DEBUG=WARN
export LD_LIBRARY_PATH=$nccl/lib:$cuda/lib64:${LD_LIBRARY_PATH-}
ln -s "$nccl/lib/libnccl.so.2" "$work/libnccl.so"
nvcc -O1 -I"$nccl/include" -o "$work/memory-steps" "$here/memory-steps.c" -L"$work" -lnccl || exit 1

gpus=$(nvidia-smi --list-gpus | wc -l)
if ((gpus == 1)); then
  second_gpu "$work" 8 && cc -shared -fPIC -O1 -o "$work/second-gpu.so" "$here/second-gpu.c" -ldl || exit 1
fi

# hosts RANKS SETTINGS: the host of each rank, by NCCL_HOSTID, in ${host[@]} and its place there in ${place[@]}.
hosts() {
  local rank one
  local -A count=()
  host=() place=()
  for ((rank = 0; rank < $1; rank++)); do
    host[rank]=one
    for one in $2; do
      [[ $one != "$rank:NCCL_HOSTID="* ]] || host[rank]=${one#*=}
    done
    place[rank]=${count[${host[rank]}]:-0}
    count[${host[rank]}]=$((place[rank] + 1))
  done
  for ((rank = 0; rank < $1; rank++)); do
    gpus_on_nvswitch "${ids[@]:0:${count[${host[rank]}]}}" >"$work/run/${host[rank]}.xml"
  done
}

echo case,env,rank,step,gpu_bytes,host_rss_kib,host_shmem_kib >"$out"
while IFS='|' read -r name ranks settings steps; do
  [[ -n $name && $name != \#* ]] || continue
  rm -rf "$work/run" && mkdir "$work/run"
  ((gpus > 1)) || hosts "$ranks" "$settings"
  processes=() failed=0
  for ((rank = 0; rank < ranks; rank++)); do
    device=$rank own=()
    if ((gpus == 1)); then
      device=0 own=("${both[@]}" NCCL_TOPO_FILE="$work/run/${host[rank]}.xml" RANK="${place[rank]}" LD_PRELOAD="$work/second-gpu.so")
    fi
    for setting in $settings; do
      case $setting in
        "$rank":*) own+=("${setting#*:}") ;;
        [0-9]:*) ;;
        *) own+=("$setting") ;;
      esac
    done
    env "${own[@]}" timeout 25 "$work/memory-steps" "$work/run" "$rank" "$ranks" "$device" "$steps" \
      >"$work/run/$rank.csv" 2>"$work/run/$rank.err" &
    processes+=($!)
  done
  for process in "${processes[@]}"; do
    wait "$process" || failed=1
  done
  if ((failed)); then
    echo "$name: not all steps ran" >&2
    ((gpus > 1)) || { end_mps && second_gpu "$work" 8; } # its server may not survive a process that was ended
  fi
  cat "$work"/run/*.err >&2
  sed "s|^|$name,$settings,|" "$work"/run/[0-9].csv >>"$out"
done <"$cases"
