# Sourced by the scripts beside it: several ranks of NCCL on the one GPU of a machine.

# second_gpu FOLDER [RANKS]: FOLDER/machine.xml has as many GPUs on NVSwitch, two by default, by the bus ids ${ids[@]}; MPS lets as
# many processes use the GPU at once, until the shell ends.
# (NCCL from 2.30 on refuses two ranks by the id of the GPU, unless NCCL_MULTI_RANK_GPU_ENABLE.)
# ${same[@]} are the variables of a process that is a host of its own (NCCL_HOSTID).
# ${both[@]} are the variables of a process that is a rank of one host, by its RANK; it also needs second-gpu.c preloaded.
second_gpu() {
  local real other rank
  real=$(nvidia-smi --query-gpu=pci.bus_id --format=csv,noheader | head -n 1 | tr 'A-F' 'a-f')
  real=${real:4} # NVML writes eight digits of the domain
  ids=("$real")
  for ((rank = 1; rank < ${2-2}; rank++)); do
    other=${real%:*.*}:$(printf '%02x' $((31 - rank))).0
    [[ ! -e /sys/bus/pci/devices/$other ]] || return 1
    ids+=("$other")
  done
  gpus_on_nvswitch "${ids[@]}" >"$1/machine.xml"
  same=(SECOND_GPU="$real,$real")
  both=(SECOND_GPU="$(IFS=, && printf '%s' "${ids[*]}")" NCCL_TOPO_FILE="$1/machine.xml" NCCL_IGNORE_DISABLED_P2P=2 NCCL_MULTI_RANK_GPU_ENABLE=1)
  mps=$(mktemp -d)
  export CUDA_MPS_PIPE_DIRECTORY=$mps CUDA_MPS_LOG_DIRECTORY=$mps
  nvidia-cuda-mps-control -d
}

# gpus_on_nvswitch BUS_ID...: a topology file.
gpus_on_nvswitch() {
  local bus rank=0
  printf '<system version="1">\n  <cpu numaid="-1" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="207">\n'
  for bus; do
    cat <<GPU
    <pci busid="$bus" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="0">
      <gpu dev="$rank" sm="90" rank="$rank" gdr="1">
        <nvlink target="fffffff:ff:ff.0" count="18" tclass="0x068000"/>
      </gpu>
    </pci>
GPU
    rank=$((rank + 1))
  done
  printf '  </cpu>\n</system>\n'
}

end_mps() {
  [[ -n ${mps-} ]] || return 0
  echo quit | nvidia-cuda-mps-control >"$mps/end"
  rm -rf "$mps"
}
