#!/usr/bin/env bash
#
# Measures nine operations, launch time and planted faults on all GPUs of this machine, for docs/accuracy.md and
# docs/diagnose.md.
#
#   [ROUNDS=3] [FAULTS=5] [MOST=4G] collect-times.sh NCCL NCCL_TESTS ARCHIVE.tar.gz
#
# NCCL is the folder with NCCL's include and lib, NCCL_TESTS the folder of nccl-tests' programs, built with MPI=1. Rounds take turns: each
# measures a process for each GPU, a thread for each GPU and one thread for all. MOST is the largest size. Faults are settings of NCCL and a
# GPU that is busy beside; each is run FAULTS times, and so are healthy runs. Needs mpirun and nvcc; an idle machine. About eight minutes.

set -uo pipefail
nccl=$1 tests=$2 archive=$3
here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
. "$here/names.sh"
work=$(mktemp -d)
trap finish EXIT
trap 'exit 1' TERM INT
runs=$work/runs
mkdir -p "$runs/times" "$runs/launch" "$runs/faults"
gpus=$(nvidia-smi --list-gpus | wc -l)
unset "${!NCCL_@}"
export NCCL_NVLS_ENABLE=0 LD_LIBRARY_PATH=$nccl/lib:${LD_LIBRARY_PATH-}

# Whatever was measured is kept, also where the script is ended.
finish() {
  find "$runs" -name '*.txt' -exec sed -i "s/ $(hostname) / host /" {} +
  hide_names "$runs"
  pack "$work" "$archive"
  rm -rf "$work"
}

sizes=(-b 8 -e "${MOST:-4G}" -f 2 -n 40 -w 10 -c 0)

# measure WAY OPERATION OUT OPTION...
measure() {
  local way=$1 program=$tests/$2_perf out=$3
  shift 3
  case $way in
    processes)
      timeout 90 mpirun --allow-run-as-root --oversubscribe --bind-to none -np "$gpus" "$program" -g 1 "$@"
      ;;
    threads) timeout 90 "$program" -t "$gpus" -g 1 "$@" ;;
    one) timeout 90 "$program" -g "$gpus" "$@" ;;
  esac >"$out" 2>&1 </dev/null || echo "# exit status $?" >>"$out"
}

launch_time() {
  local start
  ln -sf "$nccl/lib/libnccl.so.2" "$work/libnccl.so"
  [[ -x $work/launch-time ]] ||
    nvcc -O1 -I"$nccl/include" -o "$work/launch-time" "$here/launch-time.c" -L"$work" -lnccl -lpthread || return
  # A start keeps its pace: several are needed.
  for start in 1 2 3 4 5 6 7; do
    timeout 60 "$work/launch-time" "$gpus" "$1" | sed "1d; s/^/$start,/"
  done >"$2" 2>&1
}

busy() {
  python3 -c '
import torch
a = torch.randn(8192, 8192, device="cuda:0", dtype=torch.bfloat16)
while True:
    for _ in range(20):
        a @ a
    torch.cuda.synchronize()' 2>/dev/null
}

{
  nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
  date -u +%F
} >"$runs/machine.txt"
NCCL_TOPO_DUMP_FILE=$runs/topology.xml "$tests/all_reduce_perf" -b 8 -e 8 -g "$gpus" >"$runs/first.txt" 2>&1

for ((round = 1; round <= ${ROUNDS:-3}; round++)); do
  for way in processes threads; do
    launch_time "$way" "$runs/launch/$way.$round.txt"
  done
  for operation in all_reduce all_gather reduce_scatter broadcast reduce alltoall sendrecv gather scatter; do
    for way in processes threads one; do
      measure "$way" "$operation" "$runs/times/$way.$operation.$round.txt" "${sizes[@]}"
    done
  done
  printf 'round %d: %d s\n' "$round" "$SECONDS"
done

# fault NAME ROUND SETTING...
fault() {
  local name=$1 round=$2 operation
  shift 2
  for operation in all_reduce all_gather; do
    (
      (($# == 0)) || export "$@"
      measure processes "$operation" "$runs/faults/$name.$operation.$round.txt" -b 1K -e 1G -f 2 -n 20 -w 5 -c 0
    )
  done
}

for ((round = 1; round <= ${FAULTS:-5}; round++)); do
  fault none "$round"
  fault buffers "$round" NCCL_BUFFSIZE=65536
  fault chunks "$round" NCCL_P2P_NVL_CHUNKSIZE=16384
  fault threads "$round" NCCL_NTHREADS=64
  fault channels "$round" NCCL_MAX_NCHANNELS=4
  fault p2p "$round" NCCL_P2P_DISABLE=1
  fault forced "$round" NCCL_PROTO=LL
  busy &
  beside=$!
  sleep 6
  fault busy "$round"
  pkill -P "$beside"
  wait "$beside" 2>/dev/null
  printf 'faults %d: %d s\n' "$round" "$SECONDS"
done
