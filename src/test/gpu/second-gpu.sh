# Sourced by the scripts beside it: two ranks of NCCL on the one GPU of a machine.

# second_gpu FOLDER: FOLDER/machine.xml has two GPUs on NVSwitch; MPS lets two processes use the GPU at once, until the shell ends.
# (NCCL from 2.30 on refuses two ranks by the id of the GPU, unless NCCL_MULTI_RANK_GPU_ENABLE.)
# ${same[@]} are the variables of a process that is a host of its own (NCCL_HOSTID).
# ${both[@]} are the variables of a process that is a rank of one host, by its RANK; it also needs second-gpu.c preloaded.
second_gpu() {
  local bus real other
  real=$(nvidia-smi --query-gpu=pci.bus_id --format=csv,noheader | head -n 1 | tr 'A-F' 'a-f')
  real=${real:4} # NVML writes eight digits of the domain
  other=${real%:*.*}:1e.0
  [[ ! -e /sys/bus/pci/devices/$other ]] || return 1
  {
    printf '<system version="1">\n  <cpu numaid="-1" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="207">\n'
    for bus in "$real,0" "$other,1"; do
      cat <<GPU
    <pci busid="${bus%,*}" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="0">
      <gpu dev="${bus#*,}" sm="90" rank="${bus#*,}" gdr="1">
        <nvlink target="fffffff:ff:ff.0" count="18" tclass="0x068000"/>
      </gpu>
    </pci>
GPU
    done
    printf '  </cpu>\n</system>\n'
  } >"$1/machine.xml"
  same=(SECOND_GPU="$real,$real")
  both=(SECOND_GPU="$real,$other" NCCL_TOPO_FILE="$1/machine.xml" NCCL_IGNORE_DISABLED_P2P=2 NCCL_MULTI_RANK_GPU_ENABLE=1)
  mps=$(mktemp -d)
  export CUDA_MPS_PIPE_DIRECTORY=$mps CUDA_MPS_LOG_DIRECTORY=$mps
  nvidia-cuda-mps-control -d
}

end_mps() {
  [[ -n ${mps-} ]] || return 0
  echo quit | nvidia-cuda-mps-control >"$mps/end"
  rm -rf "$mps"
}
