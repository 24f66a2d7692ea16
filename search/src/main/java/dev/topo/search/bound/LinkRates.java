package dev.topo.search.bound;

import dev.topo.model.CpuModel;
import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.CpuModel.CpuVendor;
import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Node;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NicNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.io.ResourceTable;
import dev.topo.search.bound.OperationBound.LinkScope;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Paths;
import dev.topo.search.rules.NcclProfile;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The raw rates of links in one direction, in GB/s, from the table {@code link-rates.txt}. The
 * overhead of the line code is subtracted, that of protocols is not; limits of memory and GPUs are
 * not considered.
 */
public final class LinkRates {
  /** Marks an unlimited rate; above the rate of any link. */
  public static final double UNLIMITED_GBPS = 1e6;

  /** NCCL gives links inside a device a bandwidth above this value ({@code LOC_BW}). */
  private static final double INSIDE_DEVICE_GBPS = 4000;

  private static final int MAX_LANES = 16;

  /** Tolerance for rounding errors in NCCL's bandwidths. */
  private static final double ROUNDING = 1.001;

  /** The bandwidth that NCCL assumes for a PCI link whose speed the file does not state. */
  private static final float UNSTATED_PCI_GBPS = 12;

  /** Compute capability of the A100, the first GPU with PCIe 4.0 (16 GT/s). */
  private static final int FIRST_SM_OF_GEN4 = 80;

  private static final NavigableMap<Integer, Double> NVLINK = new TreeMap<>();
  private static final List<Double> C2C =
      rows("c2c").stream().map(row -> Double.valueOf(row.get(0))).sorted().toList();
  private static final int REDUCING_SWITCH_SM =
      Integer.parseInt(rows("switch-reduces").get(0).get(0));
  private static final Map<String, Double> CPU =
      rows("cpu").stream()
          .collect(
              Collectors.toUnmodifiableMap(row -> row.get(0), row -> Double.valueOf(row.get(1))));

  /** The bandwidth of a PCI lane of one generation, in NCCL's table and raw. */
  private record Lane(double ncclGBps, double rawGBps) {}

  private static final List<Lane> LANES =
      rows("pci").stream()
          .map(row -> new Lane(Double.parseDouble(row.get(0)), Double.parseDouble(row.get(1))))
          .toList();

  static {
    rows("nvlink")
        .forEach(row -> NVLINK.put(Integer.valueOf(row.get(0)), Double.valueOf(row.get(1))));
  }

  private LinkRates() {}

  private static List<List<String>> rows(String kind) {
    return ResourceTable.rows(LinkRates.class, "link-rates.txt", kind);
  }

  /** The raw rate of one NVLink of a GPU with this compute capability. */
  static double nvlinkGBps(int sm) {
    return NVLINK.floorEntry(Math.max(sm, NVLINK.firstKey())).getValue();
  }

  /** The raw rate of a PCI link to which NCCL assigns this bandwidth. */
  static double pciGBps(double ncclGBps) {
    if (ncclGBps > INSIDE_DEVICE_GBPS) {
      return UNLIMITED_GBPS;
    }
    double widest = ncclGBps * LANES.get(0).rawGBps / LANES.get(0).ncclGBps;
    return LANES.stream()
        .filter(lane -> ncclGBps / lane.ncclGBps <= MAX_LANES * ROUNDING)
        .mapToDouble(lane -> ncclGBps / lane.ncclGBps * lane.rawGBps)
        .max()
        .orElse(widest);
  }

  /**
   * True if the file does not state the speed of a PCI link, so that NCCL assumes 16 lanes of 8
   * GT/s ({@code ncclTopoAddPci}), less than the GPU or the port at its end supports.
   */
  public static boolean isUnstated(Topology topology, Link link) {
    return link.type() == LinkType.PCI
        && link.bwGBps() == UNSTATED_PCI_GBPS
        && (isFastAndUnstated(topology, link.from()) || isFastAndUnstated(topology, link.to()));
  }

  private static boolean isFastAndUnstated(Topology topology, int node) {
    Node device = topology.node(node);
    return device instanceof GpuNode gpu && !gpu.isLinkStated() && gpu.sm() >= FIRST_SM_OF_GEN4
        || device instanceof NicNode card
            && !card.isLinkStated()
            && topology.links(node).stream()
                .anyMatch(link -> link.type() == LinkType.NET && link.bwGBps() > UNSTATED_PCI_GBPS);
  }

  /** True if NVSwitches of GPUs with this compute capability reduce and multicast. */
  public static boolean switchesReduce(int sm) {
    return sm >= REDUCING_SWITCH_SM;
  }

  /**
   * The raw rate of a link; {@link #UNLIMITED_GBPS} inside a device and if the rate is unknown.
   *
   * @param profile the rules by which the topology was built
   */
  public static double gbps(Topology topology, Link link, NcclProfile profile) {
    return switch (link.type()) {
      case LOC -> UNLIMITED_GBPS;
      case NVL -> {
        int sm = sm(topology, link);
        float planned = profile.links().nvlink(sm);
        yield Math.max(Math.round(link.bwGBps() / planned) * nvlinkGBps(sm), link.bwGBps());
      }
      case C2C -> c2cGBps(link.bwGBps());
      case PCI -> pciGBps(link.bwGBps());
      case SYS -> betweenCpusGBps((CpuNode) topology.node(link.from())).orElse(UNLIMITED_GBPS);
      case NET -> portGBps(topology, link);
    };
  }

  private static int sm(Topology topology, Link link) {
    return topology.node(link.from()) instanceof GpuNode gpu
        ? gpu.sm()
        : ((GpuNode) topology.node(link.to())).sm();
  }

  private static double c2cGBps(double stated) {
    return C2C.stream().filter(rate -> rate >= stated).findFirst().orElse(stated);
  }

  private static double portGBps(Topology topology, Link link) {
    NetNode net =
        topology.node(link.to()) instanceof NetNode to ? to : (NetNode) topology.node(link.from());
    return net.isSpeedAssumed() ? UNLIMITED_GBPS : link.bwGBps();
  }

  private static OptionalDouble betweenCpusGBps(CpuNode cpu) {
    String name =
        cpu.arch() != CpuArch.X86
            ? cpu.arch().name()
            : cpu.vendor() == CpuVendor.INTEL ? intel(cpu.model()) : cpu.vendor().name();
    Double rate = CPU.get(name);
    return rate == null ? OptionalDouble.empty() : OptionalDouble.of(rate);
  }

  private static String intel(CpuModel model) {
    return model == CpuModel.OTHER ? CpuModel.INTEL_BROADWELL.name() : model.name();
  }

  /**
   * The links of a node with their raw rates, each direction separately, in a fixed order.
   * Immutable.
   *
   * @param domain the domain of the node
   * @param gbps the rate of each link in GB/s; {@link LinkRates#UNLIMITED_GBPS} for an unlimited or
   *     unknown rate
   */
  public record PhysicalLinks(Domain domain, SortedMap<Link, Double> gbps) {
    public PhysicalLinks {
      SortedMap<Link, Double> copy = new TreeMap<>(Link.BY_ENDS);
      copy.putAll(gbps);
      gbps = Collections.unmodifiableSortedMap(copy);
    }

    /**
     * Selects the links of a domain. Links to ports are included only if the job crosses the
     * network.
     *
     * @param multicast whether to include the paths to NVSwitches, which NVLS uses with or without
     *     P2P between GPUs ({@code ncclTopoSearchTryNvls}, {@code nccl:src/graph/search.cc}; {@code
     *     ncclNvlsInit}, {@code nccl:src/transport/nvls.cc}; 2.28.9)
     */
    static PhysicalLinks of(Domain domain, LinkScope scope, boolean multicast) {
      SortedMap<Link, Double> found = new TreeMap<>(Link.BY_ENDS);
      if (scope == LinkScope.PATHS) {
        addPaths(domain, multicast, found);
      } else {
        for (int node = 0; node < domain.topology().size(); node++) {
          domain.topology().links(node).forEach(link -> put(domain, link, found));
        }
      }
      return new PhysicalLinks(domain, found);
    }

    /** The rate of a link; 0 for a link that is not included. */
    double gbps(Link link) {
      return Objects.requireNonNull(gbps.getOrDefault(link, 0.0));
    }

    /** The links whose rate is unknown: links of ports and between CPUs. */
    public List<Link> unknown() {
      return gbps.entrySet().stream()
          .filter(entry -> entry.getValue() >= LinkRates.UNLIMITED_GBPS)
          .map(Map.Entry::getKey)
          .filter(link -> link.type() == LinkType.NET || link.type() == LinkType.SYS)
          .toList();
    }

    private static void addPaths(Domain domain, boolean multicast, SortedMap<Link, Double> found) {
      Topology topology = domain.topology();
      for (int gpu : topology.indexes(NodeType.GPU)) {
        for (int end = 0; end < topology.size(); end++) {
          boolean isUsed =
              switch (topology.node(end).type()) {
                case GPU -> true;
                case NET -> domain.crossesNetwork();
                case NVS -> multicast;
                case PCI, CPU, NIC -> false;
              };
          if (isUsed) {
            addPath(domain, gpu, end, found);
            addPath(domain, end, gpu, found);
          }
        }
      }
    }

    private static void addPath(Domain domain, int from, int to, SortedMap<Link, Double> found) {
      Paths paths = domain.paths();
      if (from != to) {
        paths.path(from, to).links().forEach(link -> put(domain, link, found));
      }
    }

    private static void put(Domain domain, Link link, SortedMap<Link, Double> found) {
      if (!found.containsKey(link)) {
        found.put(link, LinkRates.gbps(domain.topology(), link, domain.profile()));
      }
    }
  }
}
