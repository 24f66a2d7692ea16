package dev.topo.probe.settings;

import dev.topo.model.settings.SettingScope;
import java.util.Map;
import java.util.Optional;

/**
 * What settings change, in a few words, for those that people set most; after NCCL's user guide,
 * "Environment Variables", and the use of each in the source.
 */
final class SettingEffects {
  private static final Map<String, String> EFFECTS =
      Map.ofEntries(
          Map.entry("CUDA_VISIBLE_DEVICES", "which GPUs the process sees, and in which order"),
          Map.entry("CUDA_DEVICE_ORDER", "how CUDA numbers the GPUs"),
          Map.entry("LD_LIBRARY_PATH", "where the dynamic loader looks for libraries"),
          Map.entry("LD_PRELOAD", "which libraries come before all others"),
          Map.entry("NCCL_ALGO", "which algorithms NCCL may choose"),
          Map.entry("NCCL_PROTO", "which protocols NCCL may choose"),
          Map.entry("NCCL_COMM_ID", "the address at which the ranks meet"),
          Map.entry("NCCL_CONF_FILE", "the file to read in place of ~/.nccl.conf"),
          Map.entry("NCCL_CUMEM_ENABLE", "whether buffers come from CUDA's cuMem functions"),
          Map.entry("NCCL_DEBUG", "how much NCCL logs"),
          Map.entry("NCCL_DEBUG_FILE", "the file that NCCL logs to"),
          Map.entry("NCCL_DEBUG_SUBSYS", "which parts of NCCL log"),
          Map.entry("NCCL_DMABUF_ENABLE", "whether NICs may reach GPU memory through DMA-BUF"),
          Map.entry("NCCL_IB_DISABLE", "1 uses sockets in place of InfiniBand and RoCE"),
          Map.entry("NCCL_IB_GID_INDEX", "which address RoCE uses; a wrong one cannot connect"),
          Map.entry("NCCL_IB_HCA", "which InfiniBand and RoCE devices are used"),
          Map.entry("NCCL_IB_MERGE_NICS", "whether ports of one card are used as one"),
          Map.entry("NCCL_IB_SL", "the service level of InfiniBand traffic"),
          Map.entry("NCCL_IB_TC", "the traffic class of InfiniBand and RoCE traffic"),
          Map.entry("NCCL_IB_TIMEOUT", "how long InfiniBand waits before it sends again"),
          Map.entry("NCCL_LAUNCH_MODE", "how kernels of several GPUs of one process start"),
          Map.entry("NCCL_MNNVL_ENABLE", "whether NVLink between nodes is used"),
          Map.entry("NCCL_NET", "which network NCCL uses: IB, Socket or that of a plugin"),
          Map.entry("NCCL_NET_GDR_LEVEL", "how far a NIC may be from a GPU for GPUDirect RDMA"),
          Map.entry("NCCL_NET_GDR_READ", "whether NICs read GPU memory directly when sending"),
          Map.entry("NCCL_NET_PLUGIN", "which network plugin is loaded"),
          Map.entry("NCCL_NVLS_ENABLE", "whether NVLink multicast (NVLS) is used"),
          Map.entry("NCCL_P2P_DISABLE", "1 sends nothing from GPU to GPU directly"),
          Map.entry("NCCL_P2P_LEVEL", "how far GPUs may be apart to send to each other directly"),
          Map.entry("NCCL_PROFILER_PLUGIN", "which profiler plugin is loaded"),
          Map.entry("NCCL_SHM_DISABLE", "1 uses no shared memory between processes"),
          Map.entry("NCCL_SOCKET_FAMILY", "whether sockets use IPv4 or IPv6"),
          Map.entry("NCCL_SOCKET_IFNAME", "which network interfaces are used"),
          Map.entry("NCCL_TOPO_DUMP_FILE", "the file that NCCL writes the topology to"),
          Map.entry("NCCL_TOPO_FILE", "the topology that NCCL begins with"),
          Map.entry("NCCL_TUNER_CONFIG_FILE", "what NCCL's example tuner plugin reads"),
          Map.entry("NCCL_TUNER_PLUGIN", "which tuner plugin is loaded"));

  private SettingEffects() {}

  static Optional<String> of(String name) {
    return Optional.ofNullable(EFFECTS.get(name));
  }

  static String of(SettingScope scope) {
    return switch (scope) {
      case MACHINE -> "which devices NCCL sees";
      case PATHS -> "which links NCCL is willing to use";
      case SEARCH -> "the search for channels";
      case CONNECT -> "the number of channels and how nodes are connected";
      case TUNING -> "the choice of algorithm and protocol";
      case NOT_MODELLED -> "neither topology nor tuning";
    };
  }
}
