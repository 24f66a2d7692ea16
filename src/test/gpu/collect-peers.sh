#!/usr/bin/env bash
#
# Records how NCCL 2.25 to 2.30 sends and receives on this machine, for docs/accuracy.md: the work in each kernel's
# arguments, by size and setting.
#
#   [EVERY=N] collect-peers.sh NCCL ARCHIVE.tar.gz [NCCL_TESTS]
#
# NCCL is the folder with NCCL's include and lib, NCCL_TESTS the folder of nccl-tests' programs. With EVERY each N-th setting
# is used. Needs two GPUs, or one for both ranks (second-gpu.sh), nvcc and a C compiler. Takes about two minutes.

set -uo pipefail
nccl=$1 archive=$2 tests=${3-}
here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
. "$here/names.sh"
. "$here/second-gpu.sh"
cuda=$(cd -P -- "$(dirname -- "$(readlink -f "$(command -v nvcc)")")/.." && pwd -P)
work=$(mktemp -d)
trap 'end_mps; rm -rf "$work"' EXIT
runs=$work/peers
mkdir "$runs"
unset "${!NCCL_@}"
export NCCL_NVLS_ENABLE=0 NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,P2P,SHM,NET,GRAPH,ENV
export LD_LIBRARY_PATH=$nccl/lib:$cuda/lib64:${LD_LIBRARY_PATH-}

ln -s "$nccl/lib/libnccl.so.2" "$work/libnccl.so"
gpus=$(nvidia-smi --list-gpus | wc -l)
((gpus > 1)) || second_gpu "$work" || exit 1
build_recorder() {
  if ((gpus > 1)); then
    nvcc -O1 -I"$cuda/include" -Xcompiler -fPIC -shared -cudart none -o "$work/launches.so" "$here/launches.c" -ldl
  else
    cc -O1 -fPIC -I"$cuda/include" -Ddlsym=dlsym_of_launches -c -o "$work/launches.o" "$here/launches.c" &&
      cc -O1 -fPIC -DNEXT_DLSYM=dlsym_of_launches -shared -o "$work/launches.so" "$here/second-gpu.c" "$work/launches.o" -ldl
  fi
}
if ! { build_recorder &&
  nvcc -O1 -I"$nccl/include" -o "$work/peer-calls" "$here/peer-calls.c" -L"$work" -lnccl -ldl; } >"$runs/build.txt" 2>&1; then
  cat "$runs/build.txt" >&2
  exit 1
fi
recorder=(LD_PRELOAD="$work/launches.so")
{
  nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
  date -u +%F
} >"$runs/machine.txt"

# record FOLDER MODE MOST_BYTES all|some NAME=VALUE...
record() {
  local folder=$1 mode=$2 most=$3 sizes=$4
  shift 4
  mkdir -p "$folder"
  printf '%s\n' NCCL_NVLS_ENABLE=0 "$@" >"$folder/settings.txt"
  local of_host=()
  if ((gpus == 1)); then
    of_host=("${both[@]}")
    [[ $mode != two-hosts ]] || of_host=("${same[@]}")
  fi
  env "$@" "${of_host[@]}" "${recorder[@]}" timeout 45 "$work/peer-calls" "$mode" "$folder" "$most" "$sizes" >"$folder/output.txt" 2>&1 </dev/null
  printf '%s\n' "$?" >"$folder/status.txt"
}

# Without a record, once more by CUPTI.
record "$work/trial" one-host 1024 some
if ! grep -q '^launch' "$work"/trial/launches*.txt; then
  recorder+=(PEER_CUPTI=1 CUDA_INJECTION64_PATH="$work/launches.so")
  cupti=$(find "$cuda" "$(dirname "$nccl")" / -name libcupti.so.13 -not -path '/proc/*' 2>/dev/null | head -1)
  export LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$(dirname "$cupti")
fi
printf '%s\n' "${recorder[@]##*/}" "$(cat "$work"/trial/output.txt "$work/trial/status.txt")" >"$runs/recorder.txt"

# each MODE MOST_BYTES FILE: a run for each line of the file, four at a time: nothing here is timed.
each() {
  local number=0 line sizes
  while IFS= read -r line; do
    number=$((number + 1))
    sizes=some
    [[ $line == - ]] && line= sizes=all
    # shellcheck disable=SC2086 # a line is several settings
    record "$runs/$1-$(printf '%02d' "$number")" "$1" "$2" $sizes $line &
    ((number % 4)) || wait
  done < <(chosen "$3")
  wait
}

each one-host $((1 << 30)) "$here/peers-one-host.txt"
each two-hosts $((64 << 20)) "$here/peers-two-hosts.txt"
((gpus == 1)) || each one-process $((256 << 20)) "$here/peers-one-process.txt"

if [[ -n $tests ]]; then
  mkdir "$runs/nccl-tests"
  printf '%s\n' NCCL_NVLS_ENABLE=0 >"$runs/nccl-tests/settings.txt"
  for program in sendrecv alltoall gather scatter; do
    env "${recorder[@]}" PEER_RECORD="$runs/nccl-tests/launches.$program.txt" NCCL_DEBUG_FILE="$runs/nccl-tests/$program.log" \
      timeout 60 "$tests/${program}_perf" -b 8 -e 256M -f 2 -n 1 -w 0 -c 0 -g 2 >"$runs/nccl-tests/$program.out" 2>&1 </dev/null
  done
fi

# Only what NCCL says of sends and receives, without names, addresses and process numbers of the host.
find "$runs" -name '*.log' | while IFS= read -r log; do
  grep -E 'Channel [0-9]+(/1)? :|p2p channels|P2P Chunksize|isAllDirectP2p|NCCL version' "$log" |
    sed -E -e "s/$(hostname)/host/g" -e 's/([0-9]{1,3}\.){3}[0-9]{1,3}/0.0.0.0/g' -e 's/^([^ :]+):[0-9]+:[0-9]+ /\1:0:0 /' \
      -e 's/(commHash|commId) 0x[0-9a-f]+/\1 0x0/g' >"$log.short"
  mv "$log.short" "$log"
done
find "$runs" '(' -name '*.out' -o -name output.txt -o -name build.txt -o -name recorder.txt ')' -delete
find "$runs" -name '*.xml' -not -path '*-01/*' -delete
find "$runs" -name '*.xml' -exec sed -i -E 's/host_hash="0x[0-9a-f]+"/host_hash="0x0"/g' {} +
tar -C "$work" --sort=name --mtime='2026-01-01' --owner=0 --group=0 --numeric-owner -cf - peers | gzip -9n >"$archive"
ls -l "$archive"
