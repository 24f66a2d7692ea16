package dev.topo.simulator.diagnosis;

import java.util.List;

/** Commands and settings that confirm or refute a cause. */
final class Confirmation {
  private static final String LOG =
      "run with NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH and ";

  private Confirmation() {}

  /** Returns the steps for a kind of cause. */
  static List<String> of(CauseKind kind) {
    return switch (kind) {
      case WRONG_RESULTS ->
          List.of(
              "run again, with NCCL_ALGO=Ring NCCL_PROTO=Simple and with NCCL_NVLS_ENABLE=0: which of them is wrong; topo lint on the settings",
              "each host and each GPU alone, ECC errors and Xid (dmesg, nvidia-smi -q -d ECC); another release of NCCL");
      case FAILED_RUN ->
          List.of(
              "look at the output of all ranks with NCCL_DEBUG=WARN: the first error; dmesg of its host");
      case MISSING_RANKS ->
          List.of(
              "on these ranks: py-spy dump --pid PID, where the process is instead (another branch, data loading, a dead process)",
              "on their host: dmesg (Xid, out of memory), nvidia-smi; the first error in the log of these ranks");
      case NCCL_WARNING -> List.of("read the lines around it, on all ranks (NCCL_DEBUG=INFO)");
      case UNEVEN_SIZES ->
          List.of(
              "measure these sizes again, and some between them (nccl-tests -b, -e and -i): what comes again is no interruption",
              "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=TUNING: whether algorithm, protocol or channels change there");
      case WRONG_NETWORK ->
          List.of(
              LOG + "look for \"Using network\": expected IB, or the plugin of the network",
              "topo doctor on a node: which ports NCCL would use; unset NCCL_NET and NCCL_IB_DISABLE; check that libibverbs or the plugin (NCCL_NET_PLUGIN) is installed in the container");
      case FEWER_NICS ->
          List.of(
              LOG + "count the ports behind \"NET/IB : Using\": expected all of the node",
              "unset NCCL_IB_HCA; ibstat: every port Active; topo doctor on a node");
      case NO_GPUDIRECT ->
          List.of(
              LOG
                  + "look for \"via NET/IB/0/GDRDMA\": without GDRDMA data is copied through the host",
              "lsmod | grep nvidia_peermem (or DMA-BUF: driver with open kernel modules); NCCL_NET_GDR_LEVEL=SYS to see whether the distance is why; ACS off in the PCIe switches");
      case NVLS_OFF ->
          List.of(
              "NCCL_NVLS_ENABLE=1: fails with the reason where multicast is not available; unset NCCL_NVLS_ENABLE",
              "nvidia-smi -q -d FABRIC: State Completed; nvidia-fabricmanager running, of the driver's version");
      case NO_NVLINK ->
          List.of(
              "nvidia-smi topo -m: expected NV, not PIX, PHB or SYS; nvidia-smi nvlink -s",
              "nvidia-fabricmanager running, of the driver's version; in a container or VM, all GPUs of the board passed through");
      case P2P_OFF ->
          List.of(
              LOG + "look for \"via SHM\" or \"Could not enable P2P\": expected \"via P2P\"",
              "unset NCCL_P2P_DISABLE and NCCL_P2P_LEVEL; nvidia-smi topo -p2p r; IOMMU and ACS off; --ipc=host in containers");
      case SLOW_PCIE ->
          List.of(
              "under load: nvidia-smi -q -d PCIE (link width and generation), lspci -vv: LnkSta against LnkCap",
              "NCCL_TOPO_DUMP_FILE, then topo lint on it: link_width and link_speed");
      case SLOW_PATH ->
          List.of(
              "pairs of nodes, then topo diagnose on their files: mpirun -np 16 -H A:8,B:8 all_reduce_perf -b 1G -e 1G; slow pairs share a node or uplink, NCCL_IB_HCA=PORT tells the port",
              LOG + "look for \"GDRDMA\": in all connections, or GPUDirect is the cause",
              "ibstat and the error counters of every port (rdma statistic, ethtool -S): rate, symbol errors, link downed");
      case SLOW_NIC ->
          List.of(
              "ibstat: Rate of every port; ethtool for RoCE; ib_write_bw between two nodes, for each port",
              "lspci -vv of the NIC: LnkSta against LnkCap");
      case FEW_CHANNELS ->
          List.of(
              LOG + "look for \"coll channels\"",
              "unset NCCL_MAX_NCHANNELS, NCCL_MAX_CTAS and NCCL_NCHANNELS_PER_NET_PEER; ncclConfig maxCTAs of the program");
      case BUFFERS ->
          List.of(
              "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=ENV: every setting that is read, also of nccl.conf",
              "unset NCCL_BUFFSIZE, NCCL_LL_BUFFSIZE, NCCL_LL128_BUFFSIZE, NCCL_NTHREADS, NCCL_LL128_NTHREADS and NCCL_P2P_*_CHUNKSIZE");
      case FORCED_CHOICE ->
          List.of(
              "unset NCCL_ALGO and NCCL_PROTO; check nccl.conf and NCCL_TUNER_PLUGIN",
              "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=TUNING: algorithm and protocol of each size");
      case SLOW_LAUNCHES ->
          List.of(
              "nccl-tests with -G 1 (CUDA graph), or -m 20: faster where launches were the cause",
              "one process for each GPU, bound to the GPU's NUMA node; CPU governor performance; no profiler, no CUDA_LAUNCH_BLOCKING");
      case OTHER_VERSION ->
          List.of(
              "NCCL_DEBUG=VERSION prints the release that runs; topo doctor: which libnccl a process loads",
              "topo upgrade FILE --from V --to V: what the releases do differently");
      case WRONG_FILE ->
          List.of(
              "unset NCCL_TOPO_FILE and NCCL_GRAPH_FILE (also in /etc/nccl.conf and ~/.nccl.conf) and run again",
              "topo lint FILE --machine PROBE: whether the file fits the machine");
      case TOO_FAST ->
          List.of(
              "topo probe > system.xml on a node of the run, for --machine; --nodes and --gpus as in the run",
              "NCCL_DEBUG=VERSION prints the release that ran; symmetric windows (-R 2) and network reduction (SHARP) need --env and --machine that have them",
              "columns: time in us, then algbw, then busbw; busbw is algbw times 2 (n - 1) / n for all_reduce of n ranks; no -C (cputime), whose times end when calls are queued");
      case UNKNOWN ->
          List.of(
              "NCCL_DEBUG=INFO NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH,ENV,TUNING: settings, transports and choices of the run, for --log",
              "nvidia-smi -q -d CLOCK,PERFORMANCE under load: clocks below their maximum and why; nvidia-smi, top: other work on the GPUs and cores",
              "topo predict FILE --against MEASURED: what is expected of each size");
      case CONGESTION ->
          List.of(
              "run again when the network is idle, and on nodes of one leaf switch: faster if other traffic or uplinks are the cause",
              "counters of the ports (ibqueryerrors, PFC pause frames, ECN marks); topo connect --fabric FILE: hops between switches");
    };
  }
}
