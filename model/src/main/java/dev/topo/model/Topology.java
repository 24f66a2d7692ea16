package dev.topo.model;

import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Node.NodeType;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A machine: its nodes and the directed links between them. Immutable; made by {@code
 * TopologyBuilder}.
 *
 * <p>Nodes have dense indexes, 0 to {@link #size()} minus 1, in the order in which they were added.
 * Within a type that order is NCCL's, on which the search depends. The links of a node are in the
 * order in which NCCL walks them.
 */
public final class Topology {
  private final List<Node> nodes;
  private final List<List<Link>> links;
  private final Map<NodeType, List<Node>> byType;
  private final Map<NodeType, int[]> indexesByType;
  private final List<GpuNode> gpus;
  private final List<NetNode> nets;
  private final List<CpuNode> cpus;
  private final int nHosts;
  private final @Nullable Source source;

  /** Variants of the machine by their ports, shared by all variants of one source. */
  private final Map<Ports, Topology> variants;

  public Topology(List<Node> nodes, List<List<Link>> links) {
    this(nodes, links, null, Map.of());
  }

  private Topology(
      List<Node> nodes,
      List<List<Link>> links,
      @Nullable Source source,
      Map<Ports, Topology> variants) {
    this.nodes = List.copyOf(nodes);
    this.links = links.stream().map(List::copyOf).toList();
    this.byType = new EnumMap<>(NodeType.class);
    this.indexesByType = new EnumMap<>(NodeType.class);
    for (NodeType type : NodeType.values()) {
      int[] indexes =
          IntStream.range(0, nodes.size()).filter(i -> nodes.get(i).type() == type).toArray();
      indexesByType.put(type, indexes);
      byType.put(type, Arrays.stream(indexes).mapToObj(this.nodes::get).toList());
    }
    this.gpus = only(NodeType.GPU, GpuNode.class);
    this.nets = only(NodeType.NET, NetNode.class);
    this.cpus = only(NodeType.CPU, CpuNode.class);
    this.nHosts = (int) gpus.stream().mapToInt(gpu -> gpu.systemId()).distinct().count();
    this.source = source;
    this.variants = variants;
  }

  /** The origin of a machine. Rebuilds the machine as NCCL sees it under other settings. */
  public interface Source {
    /**
     * Returns the machine with the ports that NCCL uses; empty if they are those of the file.
     *
     * @param ofFile the machine with the ports of its file
     * @param merging how ports are merged
     * @param hcas the list of NCCL_IB_HCA
     */
    Optional<Topology> seen(Topology ofFile, Optional<NicMerging> merging, Optional<String> hcas);
  }

  private record Ports(Optional<NicMerging> merging, Optional<String> hcas) {
    static final Ports OF_FILE = new Ports(Optional.empty(), Optional.empty());
  }

  /** Returns this machine, whose ports must be those of its file, with the given source. */
  public Topology madeFrom(Source origin) {
    Topology ofFile = new Topology(nodes, links, origin, new ConcurrentHashMap<>());
    ofFile.variants.put(Ports.OF_FILE, ofFile);
    return ofFile;
  }

  /** The origin of the machine; empty if it was built without a file. */
  public Optional<Source> source() {
    return Optional.ofNullable(source);
  }

  /**
   * Returns the machine with its ports merged, or separate if no merging is given. Equal arguments
   * give the same object; a machine without {@link #source} is returned unchanged.
   */
  public Topology merged(Optional<NicMerging> merging) {
    return seen(merging, Optional.empty());
  }

  /**
   * Returns the machine with the ports that NCCL uses. Equal arguments give the same object; a
   * machine without {@link #source} is returned unchanged.
   *
   * @param merging how ports are merged; empty where they are not
   * @param hcas the list of NCCL_IB_HCA; empty for all ports
   */
  public Topology seen(Optional<NicMerging> merging, Optional<String> hcas) {
    return source == null
        ? this
        : variants.computeIfAbsent(new Ports(merging, hcas), ports -> seen(source, ports));
  }

  private Topology seen(Source origin, Ports ports) {
    Topology ofFile = Objects.requireNonNull(variants.get(Ports.OF_FILE));
    return origin
        .seen(ofFile, ports.merging, ports.hcas)
        .map(changed -> new Topology(changed.nodes, changed.links, origin, variants))
        .orElse(ofFile);
  }

  private <T extends Node> List<T> only(NodeType type, Class<T> nodeClass) {
    return nodes(type).stream().map(nodeClass::cast).toList();
  }

  public int size() {
    return nodes.size();
  }

  /** All nodes, by index. */
  public List<Node> nodes() {
    return nodes;
  }

  public Node node(int index) {
    return nodes.get(index);
  }

  /** The nodes of one type, in order. */
  public List<Node> nodes(NodeType type) {
    return Objects.requireNonNull(byType.get(type));
  }

  /** The indexes of the nodes of one type, in order. */
  public int[] indexes(NodeType type) {
    return Objects.requireNonNull(indexesByType.get(type)).clone();
  }

  /** As {@link #indexes}, as a list. */
  public List<Integer> indexList(NodeType type) {
    return Arrays.stream(indexes(type)).boxed().toList();
  }

  /** The index of the GPU of each rank. */
  public Map<Integer, Integer> gpuByRank() {
    Map<Integer, Integer> gpuByRank = new HashMap<>();
    for (int gpu : indexes(NodeType.GPU)) {
      gpuByRank.put(((GpuNode) node(gpu)).rank(), gpu);
    }
    return gpuByRank;
  }

  /** The index of each network port by its id; the first for equal ids. */
  public Map<NodeId, Integer> portById() {
    Map<NodeId, Integer> portById = new HashMap<>();
    for (int port : indexes(NodeType.NET)) {
      portById.putIfAbsent(node(port).id(), port);
    }
    return portById;
  }

  public List<GpuNode> gpus() {
    return gpus;
  }

  /** The GPUs in the order of their ranks. */
  public List<GpuNode> gpusByRank() {
    return gpus.stream().sorted(Comparator.comparingInt(GpuNode::rank)).toList();
  }

  /** Whether the CPUs are those of several hosts. */
  public boolean hasCpusOfSeveralHosts() {
    return cpus.stream().mapToInt(cpu -> cpu.systemId()).distinct().count() > 1;
  }

  /** Number of hosts with GPUs; above 1 in an NVLink domain. */
  public int nHosts() {
    return nHosts;
  }

  public List<NetNode> nets() {
    return nets;
  }

  /**
   * The index of the first port with the same id as port {@code net}. It differs from {@code net}
   * only if several ports of the file have the same number: NCCL then finds the first of them.
   */
  public int firstNetLike(int net) {
    NodeId id = nets.get(net).id();
    int first = 0;
    while (!nets.get(first).id().equals(id)) {
      first++;
    }
    return first;
  }

  /** The NUMA domains, in order. */
  public List<CpuNode> cpus() {
    return cpus;
  }

  public boolean hasNvSwitch() {
    return !nodes(NodeType.NVS).isEmpty();
  }

  /** The links that leave a node, in the order in which NCCL walks them. */
  public List<Link> links(int node) {
    return links.get(node);
  }

  /** The smallest compute capability among the GPUs; empty without GPUs. */
  public OptionalInt minSm() {
    return gpus.stream().mapToInt(GpuNode::sm).min();
  }

  /**
   * The architecture, vendor and model that NCCL assumes for the whole machine: those of the first
   * CPU ({@code ncclTopoCpuType}). Fails without CPUs.
   */
  public CpuNode firstCpu() {
    if (cpus.isEmpty()) {
      throw new IllegalStateException("the topology has no CPU");
    }
    return cpus.get(0);
  }
}
