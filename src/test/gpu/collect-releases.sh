#!/usr/bin/env bash
#
# Builds releases of NCCL from their source and records what each does on the one GPU of a machine, for docs/accuracy.md.
#
#   collect-releases.sh build SOURCES NCCL_TESTS WORK      SOURCES/VERSION: a release; NCCL_TESTS: source of nccl-tests
#   collect-releases.sh run WORK FOLDER VERSION...         writes FOLDER/logs-VERSION.tar.gz and FOLDER/peers-VERSION.tar.gz
#
# Built is what the recorded calls need: sends and receives, and the collectives for float32 sums. Needs nvcc and Open MPI.
# Building takes a minute or two for each release, running three.

set -uo pipefail
here=$(cd -P -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
cuda=$(cd -P -- "$(dirname -- "$(readlink -f "$(command -v nvcc)")")/.." && pwd -P)
functions='SendRecv|AllReduce Sum f32 * *|AllGather * *|ReduceScatter Sum f32 * *|Broadcast * *|Reduce Sum f32 * *'
arch=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)
options=(-j "$(($(nproc) / 2))" CUDA_HOME="$cuda" NVCC_GENCODE="-gencode=arch=compute_$arch,code=sm_$arch")

case $1 in
  build)
    sources=$2 tests=$3 work=$4
    mkdir -p "$work"
    versions=$(find "$sources" -mindepth 1 -maxdepth 1 -type d -printf '%f\n' | sort -V)
    for version in $versions; do
      {
        make -C "$sources/$version/src" "${options[@]}" ONLY_FUNCS="$functions" BUILDDIR="$work/$version" lib \
          >"$work/$version.log" 2>&1 && echo "$version: built in $SECONDS s" || {
          echo "$version: not built"
          grep -m 3 -i 'error' "$work/$version.log"
          rm -rf "${work:?}/$version"
        }
      } &
    done
    wait
    # What the oldest release has is in all; its library alone exports symbols of C++ that programs are not to take from it.
    versions=$(cd "$work" && ls -d 2.*/ | sort -V)
    mkdir -p "$work/home"
    ln -sfn "../${versions%%/*}/include" "$work/home/include"
    ln -sfn "../$(tail -n 1 <<<"$versions")lib" "$work/home/lib"
    mpi=$(mpicc --showme:incdirs | awk '{ print $1 }')
    mpi=${mpi%/include*}
    make -C "$tests/src" "${options[@]}" MPI=1 MPI_HOME="$mpi" NCCL_HOME="$work/home" BUILDDIR="$work/nccl-tests" \
      >"$work/nccl-tests.log" 2>&1 || tail -n 5 "$work/nccl-tests.log"
    echo "nccl-tests: $SECONDS s"
    ;;
  run)
    work=$2 folder=$3
    shift 3
    for version; do
      export LD_LIBRARY_PATH=$work/$version/lib:$cuda/lib64
      EVERY=${EVERY:-3} "$here/collect-logs.sh" - "$work/nccl-tests" "$folder/logs-$version.tar.gz"
      EVERY=${EVERY:-3} "$here/collect-peers.sh" "$work/$version" "$folder/peers-$version.tar.gz"
      echo "$version: recorded after $SECONDS s"
    done
    ;;
esac
