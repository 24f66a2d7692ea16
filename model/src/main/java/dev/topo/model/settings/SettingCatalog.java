package dev.topo.model.settings;

import dev.topo.model.settings.NcclSetting.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The settings that NCCL 2.28.9 reads: every name in an {@code NCCL_PARAM} or {@code ncclGetEnv} of
 * its source, and those that this project models in more detail.
 */
public final class SettingCatalog {
  private static final String NOT_MODELLED =
      """
      ALLOC_P2P_NET_LL_BUFFERS CGA_CLUSTER_SIZE CHECK_POINTERS COMM_BLOCKING COMM_SHRINK_SHARE_RESOURCES
      COMM_SPLIT_SHARE_RESOURCES CONF_FILE CONNECT_ROUND_MAX_PEERS CREATE_THREAD_CONTEXT CTA_POLICY CUMEM_ENABLE
      CUMEM_HOST_ENABLE DEBUG DEBUG_FILE DEBUG_SUBSYS DEBUG_TIMESTAMP_FORMAT DEBUG_TIMESTAMP_LEVELS ENV_PLUGIN
      GDRCOPY_ENABLE GDRCOPY_FIFO_ENABLE GDRCOPY_FLUSH_ENABLE GDRCOPY_SYNC_ENABLE GDR_FLUSH_DISABLE
      GIN_COUNTER_POOL_SIZE GIN_ENABLE GIN_ERROR_QUERY_SEC GIN_GDAKI_NIC_HANDLER GIN_GDAKI_QP_DEPTH GIN_NCONTEXTS
      GIN_PROXY_QUEUE_SIZE GIN_SIGNAL_POOL_SIZE GIN_TYPE GRAPH_DUMP_FILE GRAPH_DUMP_FILE_RANK GRAPH_HELPER_DISABLE
      GRAPH_MIXING_SUPPORT GRAPH_REGISTER GROUP_CUDA_STREAM HOSTID IB_ADAPTIVE_ROUTING IB_ADDR_FAMILY IB_ADDR_RANGE
      IB_AR_THRESHOLD IB_DATA_DIRECT IB_ECE_ENABLE IB_FIFO_TC IB_GID_INDEX IB_MQP_RETRY_ALL IB_MQP_RETRY_CNT
      IB_MQP_RETRY_SLEEP_MSEC IB_PCI_RELAXED_ORDERING IB_PKEY IB_QPS_PER_CONNECTION IB_RETRY_CNT
      IB_RETURN_ASYNC_EVENTS IB_ROCE_VERSION_NUM IB_ROUTABLE_FLID_GID_INDEX IB_SL IB_SPLIT_DATA_ON_QPS IB_TC
      IB_TIMEOUT IB_USE_INLINE IB_WARN_RAIL_LOCAL IGNORE_CPU_AFFINITY IGNORE_DISABLED_P2P L1_SHARED_MEMORY_CARVEOUT
      LAUNCH_MODE LAUNCH_ORDER_IMPLICIT LAUNCH_RACE_FATAL LEGACY_CUDA_REGISTER LOCAL_REGISTER MEM_SYNC_DOMAIN
      MNNVL_CLIQUE_ID MNNVL_ENABLE MNNVL_UUID NET_FORCE_FLUSH NET_OPTIONAL_RECV_COMPLETION NET_PLUGIN_REF_COUNT
      NET_SHARED_BUFFERS NET_SHARED_COMMS NSOCKS_PERTHREAD NVB_PRECONNECT NVLINK_UTIL_CENTRIC_SCHED_ENABLE
      NVTX_DISABLE OOB_NET_ENABLE OOB_NET_IFNAME P2P_READ_ENABLE P2P_SCHEDULE_GROUP_SIZE P2P_USE_CUDA_MEMCPY
      PROFILER_PLUGIN PROGRESS_APPENDOP_FREQ PROXY_APPEND_BATCH_SIZE PROXY_CPUSET PROXY_DUMP_SIGNAL RAS_ADDR
      RAS_ENABLE RAS_TIMEOUT_FACTOR REPORT_CONNECT_PROGRESS RUNTIME_CONNECT SET_CPU_STACK_SIZE SET_STACK_SIZE
      SET_THREAD_NAME SHM_LOCALITY SHM_MEMCPY_MODE SHM_USE_CUDA_MEMCPY SINGLE_PROC_MEM_REG_ENABLE SOCKET_INLINE
      SOCKET_MIN_TASKSIZE SOCKET_NTHREADS SOCKET_RCVBUF SOCKET_RETRY_CNT SOCKET_RETRY_SLEEP_MSEC SOCKET_SNDBUF
      SYM_CTAS SYM_KERNEL TOPO_DUMP_FILE TOPO_DUMP_FILE_RANK TUNER_CONFIG_FILE TUNER_PLUGIN UID_STAGGER_RATE
      UID_STAGGER_THRESHOLD UNPACK_DOUBLE_NCHANNELS WIN_ENABLE WIN_STRIDE WORK_FIFO_BYTES\
      """;

  private static final String MACHINE =
      """
      COMM_ID DMABUF_ENABLE IB_DISABLE IB_HCA IB_MERGE_NICS IB_MERGE_VFS NET NET_FORCE_MERGE NET_MERGE_LEVEL NET_PLUGIN
      SOCKET_FAMILY SOCKET_IFNAME TOPO_FILE\
      """;

  private static final Map<String, NcclSetting> BY_NAME = new TreeMap<>();

  static {
    define(
        Kind.INTEGER,
        SettingScope.PATHS,
        "NCCL_P2P_DISABLE",
        "1 to send nothing from GPU to GPU directly, or 0");
    define(
        Kind.PATH_LEVEL,
        SettingScope.PATHS,
        "NCCL_P2P_LEVEL",
        "the farthest path for direct GPU to GPU traffic: LOC, NVL, NVB, C2C, PIX, PXB, P2C, PXN, PHB or SYS");
    define(
        Kind.INTEGER,
        SettingScope.PATHS,
        "NCCL_P2P_DIRECT_DISABLE",
        "1 to use no direct pointers between GPUs of one process, or 0");
    define(Kind.INTEGER, SettingScope.PATHS, "NCCL_SHM_DISABLE", "1 to use no shared memory, or 0");
    define(
        Kind.PATH_LEVEL,
        SettingScope.PATHS,
        "NCCL_NET_GDR_LEVEL",
        "the farthest path for GPUDirect RDMA: LOC, NVL, NVB, C2C, PIX, PXB, P2C, PXN, PHB or SYS");
    define(
        Kind.INTEGER,
        SettingScope.PATHS,
        "NCCL_NET_GDR_READ",
        "1 to let the NIC read GPU memory, or 0");
    define(
        Kind.INTEGER,
        SettingScope.PATHS,
        "NCCL_NET_GDR_C2C",
        "1 to use GPUDirect RDMA over C2C, or 0");
    define(
        Kind.INTEGER,
        SettingScope.PATHS,
        "NCCL_NET_DISABLE_INTRA",
        "1 to use no network inside a node, or 0");
    define(
        Kind.INTEGER,
        SettingScope.PATHS,
        "NCCL_NVB_DISABLE",
        "1 to route nothing through another GPU, or 0");
    define(
        Kind.INTEGER,
        SettingScope.PATHS,
        "NCCL_PXN_DISABLE",
        "1 to reach no NIC through another GPU, or 0");
    define(Kind.INTEGER, SettingScope.PATHS, "NCCL_PXN_C2C", "1 to use PXN over C2C, or 0");
    define(
        Kind.INTEGER,
        SettingScope.CONNECT,
        "NCCL_P2P_PXN_LEVEL",
        "0 never, 1 where needed, 2 as much as possible");
    define(
        Kind.INTEGER,
        SettingScope.SEARCH,
        "NCCL_CROSS_NIC",
        "0 never, 1 always, 2 where it is better");
    define(
        Kind.INTEGER,
        SettingScope.SEARCH,
        "NCCL_NVLS_ENABLE",
        "0 never, 1 always, 2 where multicast is there");
    define(
        Kind.INTEGER,
        SettingScope.SEARCH,
        "NCCL_COLLNET_ENABLE",
        "1 to use in-network reduction, or 0");
    define(Kind.TEXT, SettingScope.SEARCH, "NCCL_GRAPH_FILE", "a file with graphs");
    define(Kind.TEXT, SettingScope.SEARCH, "NCCL_NETDEVS_POLICY", "AUTO, ALL or MAX:n");
    define(Kind.INTEGER, SettingScope.SEARCH, "NCCL_MNNVL_SCATTER_NETS_ENABLE", "1 or 0");
    define(Kind.INTEGER, SettingScope.SEARCH, "NCCL_MNNVL_RAIL_PER_HOST", "1 or 0");
    for (String name :
        List.of(
            "NCCL_MIN_NCHANNELS",
            "NCCL_MAX_NCHANNELS",
            "NCCL_MIN_NRINGS",
            "NCCL_MAX_NRINGS",
            "NCCL_MIN_CTAS",
            "NCCL_MAX_CTAS",
            "NCCL_NVLS_NCHANNELS",
            "NCCL_MIN_P2P_NCHANNELS",
            "NCCL_MAX_P2P_NCHANNELS",
            "NCCL_NCHANNELS_PER_NET_PEER")) {
      define(Kind.INTEGER, SettingScope.CONNECT, name, "a number of channels");
    }
    define(Kind.INTEGER, SettingScope.CONNECT, "NCCL_COLLNET_NODE_THRESHOLD", "a number of nodes");
    define(Kind.INTEGER, SettingScope.CONNECT, "NCCL_WORK_ARGS_BYTES", "a number of bytes");
    define(Kind.TEXT, SettingScope.TUNING, "NCCL_ALGO", "a list of algorithms");
    define(Kind.TEXT, SettingScope.TUNING, "NCCL_PROTO", "a list of protocols");
    define(Kind.TEXT, SettingScope.TUNING, "NCCL_THREAD_THRESHOLDS", "a list of numbers");
    for (String name :
        List.of(
            "NCCL_NTHREADS",
            "NCCL_LL128_NTHREADS",
            "NCCL_BUFFSIZE",
            "NCCL_LL_BUFFSIZE",
            "NCCL_LL128_BUFFSIZE",
            "NCCL_LL128_C2C",
            "NCCL_NET_OVERHEAD",
            "NCCL_PAT_ENABLE",
            "NCCL_P2P_NET_CHUNKSIZE",
            "NCCL_P2P_PCI_CHUNKSIZE",
            "NCCL_P2P_NVL_CHUNKSIZE",
            "NCCL_P2P_LL_THRESHOLD",
            "NCCL_CHUNK_SIZE",
            "NCCL_NVLS_CHUNKSIZE",
            "NCCL_NVLSTREE_MAX_CHUNKSIZE")) {
      define(Kind.INTEGER, SettingScope.TUNING, name, "a number");
    }
    defineTexts(SettingScope.MACHINE, MACHINE);
    defineTexts(SettingScope.NOT_MODELLED, NOT_MODELLED);
  }

  private SettingCatalog() {}

  private static void define(Kind kind, SettingScope scope, String name, String expected) {
    BY_NAME.put(name, new NcclSetting(name, kind, scope, expected));
  }

  private static void defineTexts(SettingScope scope, String names) {
    for (String suffix :
        names.lines().flatMap(line -> Arrays.stream(line.split(" ", -1))).toList()) {
      define(Kind.TEXT, scope, "NCCL_" + suffix, "any value");
    }
  }

  /** All settings, by name. */
  public static Collection<NcclSetting> all() {
    return List.copyOf(BY_NAME.values());
  }

  /** The setting with this name. */
  public static Optional<NcclSetting> find(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  /** Up to three settings whose names are closest to a misspelled one; empty if none is close. */
  public static List<String> similarTo(String name) {
    record Ranked(String name, int distance) {}
    String upper = name.toUpperCase(Locale.ROOT);
    String wanted = upper.startsWith("NCCL_") ? upper : "NCCL_" + upper;
    int limit = Math.max(2, wanted.length() / 4);
    List<Ranked> ranked = new ArrayList<>();
    for (String known : BY_NAME.keySet()) {
      int distance = editDistance(wanted, known);
      if (distance <= limit) {
        ranked.add(new Ranked(known, distance));
      }
    }
    ranked.sort(Comparator.comparingInt(Ranked::distance).thenComparing(Ranked::name));
    int best = ranked.isEmpty() ? 0 : ranked.get(0).distance();
    return ranked.stream()
        .filter(r -> r.distance() <= best + 1)
        .limit(3)
        .map(Ranked::name)
        .toList();
  }

  /**
   * Insertions, deletions, replacements and swaps of neighbours that turn {@code a} into {@code b}.
   */
  private static int editDistance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int replace = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        cost[i][j] = Math.min(replace, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
      }
    }
    return cost[a.length()][b.length()];
  }
}
