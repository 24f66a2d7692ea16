package dev.topo.search.rules;

import dev.topo.model.CpuModel;
import dev.topo.model.Node;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.nic.PortMerging;
import dev.topo.search.rules.RuleTable.Rules;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** How NCCL builds a topology from a file ({@code nccl:src/graph/topo.cc}). */
public final class TopologyRules extends Rules {
  /** How NCCL searches for the CPU of a GPU. */
  public enum CpuSearch {
    /** Up the PCI tree. */
    UPWARD,
    /** Over bridges, also back: endless where a bridge lists another one before its CPU. */
    OVER_BRIDGES,
    /** Over all PCI links, also back: endless where a bridge lists a device before its CPU. */
    OVER_PCI_LINKS
  }

  public final CpuSearch cpuSearch = table.one("topology.cpu-search", CpuSearch.class);

  public final int maxLinks = table.integer("topology.max-links");

  /** Links from a GPU to itself, which no path uses. */
  public final int linksOfGpuToItself = table.integer("topology.links-of-gpu-to-itself");

  /** Treatment of NUMA id -1, which virtual machines report. */
  public enum NumaIds {
    /** It is truncated to the bits of a local number. */
    CUT,
    /** It changes the host number of the CPU. */
    WITH_HOST,
    /** Ids have no host. */
    WHOLE
  }

  public final NumaIds numaIds = table.one("topology.numa-ids", NumaIds.class);

  /** The newest compute capability that the release has kernels for. */
  public final int newestSm = table.limit("topology.newest-sm");

  /** True if each rank keeps its own GPU of a file and the trees of the ranks are joined. */
  public final boolean joinsTreesOfRanks =
      table.isFirst("topology.device-order", "joined-trees", "file");

  /** True if each {@code <gpu>} of a {@code <pci>} is a rank; otherwise only the first. */
  public final boolean readsAllGpus = table.isFirst("topology.gpus-of-device", "all", "first");

  /** True if the functions of a network card are one card. */
  public final boolean joinsNicFunctions =
      table.isFirst("topology.nic-functions", "joined", "apart");

  /** True if links between PCI switches are read. */
  public final boolean readsPciLinks = table.isFirst("topology.pci-links", "read", "ignored");

  /** How ports are merged; empty where that is not modelled. */
  public final Optional<PortMerging> portMerging =
      table.text("topology.port-merging").equals("other")
          ? Optional.empty()
          : Optional.of(table.one("topology.port-merging", PortMerging.class));

  /** Generations of Broadcom switches whose two levels are joined. */
  public final List<Integer> joinedBroadcomGenerations =
      table.words("topology.joined-broadcom-generations").stream().map(Integer::valueOf).toList();

  /** True if Broadcom switches are only joined if all their ids are equal. */
  public final boolean joinsEqualBroadcomOnly =
      table.isFirst("topology.joined-broadcom-ids", "equal", "alike");

  TopologyRules(RuleTable table) {
    super(table);
  }

  /** A node as NCCL's log names it, host first. */
  public String label(Node node) {
    return numaIds == NumaIds.WHOLE && node instanceof CpuNode cpu
        ? "CPU %x-%s".formatted(cpu.systemId(), Long.toHexString(cpu.numaId()))
        : node.label();
  }

  /**
   * The bandwidths that NCCL assumes for links, in GB/s and per direction ({@code
   * nccl:src/graph/topo.h} and {@code topo.cc}). These are NCCL's planning numbers, not
   * measurements.
   */
  public static final class LinkBandwidths extends Rules {
    private static final double MBPS_PER_GBPS = 8000;
    private static final double HUNDRED_MBPS_PER_GBPS = 80.0;
    private static final double MBYTEPS_PER_GBPS = 1000.0;

    /**
     * True if NCCL distinguishes generations of AMD CPUs, and fails without their family: from 2.31
     * on.
     */
    public final boolean knowsAmd = table.isFirst("topology.amd-generations", "by-family", "one");

    private final CpuModel graniteRapids = table.one("topology.granite-rapids-as", CpuModel.class);
    private final CpuModel newestIntel = table.one("topology.newest-intel", CpuModel.class);
    private final float local = table.single("link.local");
    private final BySm<Double> nvlink = table.numbersBySm("link.nvlink");
    private final int nvlinkKnownBelowSm = table.limit("link.nvlink-known-below-sm");
    private final int netDefaultMbps = table.integer("link.net-default-mbps");
    private final Map<String, Integer> pciSpeeds = new LinkedHashMap<>();
    private final int pciDefaultSpeed = table.integer("link.pci-default-speed");
    private final int pciDefaultWidth = table.integer("link.pci-default-width");
    private final float power = table.single("link.cpu.power");
    private final float arm = table.single("link.cpu.arm");
    private final float amd = table.single("link.cpu.amd");
    private final float amdZen3 = table.single("link.cpu.amd-zen-3");
    private final float amdZen5 = table.single("link.cpu.amd-zen-5");
    private final float emeraldRapids = table.single("link.cpu.intel-emerald-rapids");
    private final float sapphireRapids = table.single("link.cpu.intel-sapphire-rapids");
    private final float skylake = table.single("link.cpu.intel-skylake");
    private final float intel = table.single("link.cpu.intel");
    private final float yongfeng = table.single("link.cpu.zhaoxin-yongfeng");
    private final float zhaoxin = table.single("link.cpu.zhaoxin");

    LinkBandwidths(RuleTable table) {
      super(table);
      table
          .group("link.pci.")
          .keySet()
          .forEach(speed -> pciSpeeds.put(speed, table.integer("link.pci." + speed)));
    }

    /** Bandwidth of a node to itself, and from a CPU to a virtual NIC. */
    public float local() {
      return local;
    }

    /** Bandwidth of one NVLink of a GPU with this compute capability ({@code ncclTopoNVLinkBw}). */
    public float nvlink(int sm) {
      return nvlink.at(sm).floatValue();
    }

    /** True if the version knows the NVLink bandwidth of such a GPU. */
    public boolean knowsNvlink(int sm) {
      return sm < nvlinkKnownBelowSm;
    }

    /**
     * Bandwidth from one NUMA domain to another on the same host ({@code ncclTopoGetInterCpuBw}).
     */
    public float betweenCpus(CpuNode cpu) {
      return switch (cpu.arch()) {
        case POWER -> power;
        case ARM -> arm;
        case UNKNOWN -> local;
        case X86 ->
            switch (cpu.vendor()) {
              case INTEL ->
                  switch (known(cpu)) {
                    case INTEL_EMERALD_RAPIDS -> emeraldRapids;
                    case INTEL_SAPPHIRE_RAPIDS -> sapphireRapids;
                    case INTEL_SKYLAKE -> skylake;
                    default -> intel;
                  };
              case AMD -> amd(known(cpu));
              case ZHAOXIN -> cpu.model() == CpuModel.ZHAOXIN_YONGFENG ? yongfeng : zhaoxin;
              case NONE, UNKNOWN -> local;
            };
      };
    }

    /** The generation that this release assumes for a CPU, among those that it knows. */
    public CpuModel known(CpuNode cpu) {
      return switch (cpu.vendor()) {
        case INTEL -> knownIntel(cpu.model());
        case AMD -> knowsAmd ? cpu.model() : CpuModel.OTHER;
        default -> cpu.model();
      };
    }

    private CpuModel knownIntel(CpuModel model) {
      CpuModel known = model == CpuModel.INTEL_GRANITE_RAPIDS ? graniteRapids : model;
      return known.number() > newestIntel.number() ? newestIntel : known;
    }

    private float amd(CpuModel model) {
      return switch (model) {
        case AMD_ZEN_5 -> amdZen5;
        case AMD_ZEN_3 -> amdZen3;
        default -> amd;
      };
    }

    /** True if NCCL knows this PCI link speed; for any other it assumes Gen3. */
    public boolean isKnownPciSpeed(String speed) {
      return pciSpeed(speed).isPresent();
    }

    private Optional<Integer> pciSpeed(String speed) {
      return pciSpeeds.entrySet().stream()
          .filter(known -> speed.startsWith(known.getKey()))
          .map(Map.Entry::getValue)
          .findFirst();
    }

    /**
     * Bandwidth of a PCI link.
     *
     * @param speed per lane, as sysfs writes it: {@code 16.0 GT/s PCIe}
     * @param width number of lanes; 0, which virtual machines report, counts as 16
     */
    public float pci(String speed, int width) {
      int hundredMbpsPerLane = pciSpeed(speed).orElse(pciDefaultSpeed);
      int lanes = width == 0 ? pciDefaultWidth : width;
      return (float) (lanes * hundredMbpsPerLane / HUNDRED_MBPS_PER_GBPS);
    }

    /**
     * Bandwidth of a network port with this speed in Mb/s; a speed that is not positive, which some
     * NICs report, counts as 10 Gb/s.
     */
    public float net(int mbps) {
      return (float) ((mbps <= 0 ? netDefaultMbps : mbps) / MBPS_PER_GBPS);
    }

    /** Bandwidth of NVLink-C2C between GPU and CPU. */
    public float c2c(int mbpsPerLink, int links) {
      return (float) (mbpsPerLink * links / MBYTEPS_PER_GBPS);
    }
  }
}
