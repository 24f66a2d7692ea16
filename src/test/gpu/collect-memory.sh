#!/usr/bin/env bash
#
# Records the memory that NCCL takes of two GPUs and of the host, step by step, as a table (docs/memory.md).
#
#   collect-memory.sh NCCL CASES OUT.csv
#
# NCCL is the folder with NCCL's include and lib, CASES a file such as memory-cases.txt: a case on each line, its name, the ranks, the settings and the steps,
# separated by |. A setting RANK:NAME=VALUE is that of one rank. Needs two GPUs, nvcc and a C compiler.

set -uo pipefail
nccl=$1 cases=$2 out=$3
here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
cuda=$(cd -P -- "$(dirname -- "$(readlink -f "$(command -v nvcc)")")/.." && pwd -P)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset "${!NCCL_@}"
export NCCL_NVLS_ENABLE=0 NCCL_DEBUG=WARN
export LD_LIBRARY_PATH=$nccl/lib:$cuda/lib64:${LD_LIBRARY_PATH-}
ln -s "$nccl/lib/libnccl.so.2" "$work/libnccl.so"
nvcc -O1 -I"$nccl/include" -o "$work/memory-steps" "$here/memory-steps.c" -L"$work" -lnccl || exit 1

echo case,env,rank,step,gpu_bytes,host_rss_kib,host_shmem_kib >"$out"
while IFS='|' read -r name ranks settings steps; do
  [[ -n $name && $name != \#* ]] || continue
  rm -rf "$work/run" && mkdir "$work/run"
  for ((rank = 0; rank < ranks; rank++)); do
    own=()
    for setting in $settings; do
      case $setting in
        "$rank":*) own+=("${setting#*:}") ;;
        [0-9]:*) ;;
        *) own+=("$setting") ;;
      esac
    done
    env "${own[@]}" timeout 25 "$work/memory-steps" "$work/run" "$rank" "$ranks" "$rank" "$steps" \
      >"$work/run/$rank.csv" 2>"$work/run/$rank.err" &
  done
  wait
  cat "$work"/run/*.err >&2
  sed "s|^|$name,$settings,|" "$work"/run/[0-9].csv >>"$out"
done <"$cases"
