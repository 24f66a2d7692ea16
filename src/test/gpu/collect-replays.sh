#!/usr/bin/env bash
#
# Makes traces of jobs of two ranks and replays them with topo run --workload, for docs/accuracy.md. The ranks have a GPU
# each where there are two, else both have one.
#
#   collect-replays.sh TOPO ARCHIVE.tar.gz
#
# TOPO is the command. Needs a GPU, PyTorch, and LD_LIBRARY_PATH with NCCL and CUDA's runtime; with one GPU also MPS
# (nvidia-cuda-mps-control) and a C compiler. Takes about three minutes.

set -uo pipefail
topo=$1 archive=$2
here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
work=$(mktemp -d)
runs=$work/runs
mkdir "$runs" "$work/traces"
unset "${!NCCL_@}"

if (($(nvidia-smi --list-gpus | wc -l) > 1)); then
  trap 'rm -rf "$work"' EXIT
  both=(env NCCL_NVLS_ENABLE=0)
  gpus=(0 1)
else
  . "$here/second-gpu.sh"
  trap 'end_mps; rm -rf "$work"' EXIT
  second_gpu "$runs" || exit 1
  cc -shared -fPIC -O1 -o "$work/second-gpu.so" "$here/second-gpu.c" -ldl || exit 1
  both=(env "${both[@]}" LD_PRELOAD="$work/second-gpu.so" NCCL_NVLS_ENABLE=0)
  gpus=(0 0)
fi

{
  nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
  python3 -c 'import torch; print("PyTorch", torch.__version__, "NCCL", *torch.cuda.nccl.version())'
  date -u +%F
} >"$runs/machine.txt"
"${both[@]}" NCCL_DEBUG=INFO NCCL_DEBUG_FILE="$work/nccl.%p" python3 "$here/replay-traces.py" "$work/traces" || exit 1
# Which transport the ranks had.
sed -n 's/.*\(Channel [0-9/]* *: 0\[0\] -> 1\[[01]\] via .*\)/\1/p' "$work"/nccl.* | sort | uniq -c >"$runs/transports.txt"

port=29700
for replay in 1 2 gaps; do
  for job in tensor sequence pipeline mix; do
    options=(-n 20 -T 60)
    [[ $replay != gaps ]] || options+=(--gaps)
    port=$((port + 2))
    for rank in 0 1; do
      (cd "$work/traces" && RANK=$rank WORLD_SIZE=2 LOCAL_RANK=${gpus[rank]} MASTER_ADDR=127.0.0.1 MASTER_PORT=$port timeout 60 "${both[@]}" \
        "$topo" run --workload $job.rank0.json.gz $job.rank1.json.gz "${options[@]}" --format json \
        >"$work/$job.$replay.$rank.json" 2>"$runs/$job.$replay.$rank.err") &
    done
    wait
    cp "$work/$job.$replay.0.json" "$runs/$job.$replay.json"
  done
done
find "$runs" -empty -delete
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner -czf "$archive" runs
