package dev.topo.search.engine;

import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.CpuModel.CpuVendor;
import dev.topo.model.Last;
import dev.topo.model.Link;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Link.PathType;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Paths.NodePath;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The load of each link by the channels of a graph, counted as in the search: a channel takes its
 * bandwidth from every link of its path, in the direction of the ring or away from the root of the
 * tree.
 */
public final class GraphLoad {
  private final Domain domain;
  private final Topology topology;
  private final Map<Integer, Integer> gpuByRank;
  private final Map<NodeId, Integer> portById;
  private final Map<Link, Double> loads = new LinkedHashMap<>();
  private final Map<Link, BitSet> channels = new HashMap<>();
  private int channel;

  public GraphLoad(Domain domain, ChannelGraph graph) {
    this.domain = domain;
    this.topology = domain.topology();
    this.gpuByRank = topology.gpuByRank();
    this.portById = topology.portById();
    for (Channel next : graph.channels()) {
      add(graph, next);
      channel++;
    }
  }

  /**
   * A link and its load.
   *
   * @param link the link
   * @param usedGBps total bandwidth of the channels on it in GB/s
   * @param channels the numbers of these channels, ascending
   */
  public record LoadedLink(Link link, double usedGBps, List<Integer> channels) {
    public LoadedLink {
      channels = List.copyOf(channels);
    }

    /** The used fraction of the link's bandwidth; 1 if all of it is used. */
    public double share() {
      return link.bwGBps() == 0 ? Double.POSITIVE_INFINITY : usedGBps / link.bwGBps();
    }
  }

  /** The links that carry something, fullest first. */
  public List<LoadedLink> fullestFirst() {
    return loads.entrySet().stream()
        .map(entry -> new LoadedLink(entry.getKey(), entry.getValue(), channels(entry.getKey())))
        .sorted(
            Comparator.comparingDouble(LoadedLink::share)
                .reversed()
                .thenComparing(loaded -> loaded.link().from())
                .thenComparing(loaded -> loaded.link().to()))
        .toList();
  }

  private List<Integer> channels(Link link) {
    return Optional.ofNullable(channels.get(link)).stream()
        .flatMap(numbers -> numbers.stream().boxed())
        .toList();
  }

  /** The fullest link; empty if no link carries anything. */
  public Optional<LoadedLink> fullest() {
    return fullestFirst().stream().findFirst();
  }

  private void add(ChannelGraph graph, Channel channel) {
    List<Integer> gpus = channel.ranks().stream().map(this::gpu).toList();
    if (graph.kind() == GraphKind.NVLS) {
      addMulticast(graph, gpus);
    } else if (graph.pattern() == Pattern.COLLNET_DIRECT) {
      addDirect(graph, gpus);
    } else {
      addChain(graph, channel, gpus);
    }
    channel.nets().ifPresent(nets -> addNetwork(graph, gpus, nets));
  }

  private int gpu(int rank) {
    Integer gpu = gpuByRank.get(rank);
    if (gpu == null) {
      throw new IllegalArgumentException("the topology has no GPU of rank " + rank);
    }
    return gpu;
  }

  private void addChain(ChannelGraph graph, Channel channel, List<Integer> gpus) {
    for (int i = 1; i < gpus.size(); i++) {
      put(gpus.get(i - 1), gpus.get(i), graph.bwIntra());
    }
    if (graph.pattern() == Pattern.RING && channel.nets().isEmpty() && gpus.size() > 1) {
      put(Last.of(gpus), gpus.get(0), graph.bwIntra());
    }
  }

  /** Each GPU sends to the NVSwitch and receives from it once, the head twice. */
  private void addMulticast(ChannelGraph graph, List<Integer> gpus) {
    for (int nvs : topology.indexes(NodeType.NVS)) {
      for (int i = 0; i < gpus.size(); i++) {
        float bw = (i == 0 ? 2 : 1) * graph.bwIntra();
        put(gpus.get(i), nvs, bw);
        put(nvs, gpus.get(i), bw);
      }
    }
  }

  /** The head exchanges an equal part with every other GPU. */
  private void addDirect(ChannelGraph graph, List<Integer> gpus) {
    float part = graph.bwIntra() / Math.max(1, gpus.size() - 1);
    for (int i = 1; i < gpus.size(); i++) {
      put(gpus.get(0), gpus.get(i), part);
      put(gpus.get(i), gpus.get(0), part);
    }
  }

  private void addNetwork(ChannelGraph graph, List<Integer> gpus, Channel.Nets nets) {
    Integer in = portById.get(nets.in());
    Integer out = portById.get(nets.out());
    if (in == null || out == null) {
      return;
    }
    float bw = graph.bwInter();
    int first = gpus.get(0);
    int second = gpus.get(Math.min(1, gpus.size() - 1));
    put(in, first, bw);
    switch (graph.pattern()) {
      case RING -> put(Last.of(gpus), out, bw);
      case SPLIT_TREE -> put(second, out, bw);
      case BALANCED_TREE -> {
        put(first, out, bw / 2);
        put(second, out, bw / 2);
      }
      default -> put(first, out, bw);
    }
  }

  private void put(int from, int to, float bw) {
    NodePath path = domain.paths().path(from, to);
    float pciBw = hasIntelOverhead(path) ? domain.profile().search().withIntelOverhead(bw) : bw;
    for (Link link : path.links()) {
      loads.merge(link, (double) (link.type() == LinkType.PCI ? pciBw : bw), Double::sum);
      channels.computeIfAbsent(link, first -> new BitSet()).set(channel);
    }
  }

  /** Traffic of a GPU through an Intel host bridge costs a fifth more on PCI. */
  private boolean hasIntelOverhead(NodePath path) {
    return path.type() == PathType.PHB
        && topology.node(path.from()).type() == NodeType.GPU
        && path.links().stream()
            .anyMatch(
                link ->
                    topology.node(link.to()) instanceof CpuNode cpu
                        && cpu.arch() == CpuArch.X86
                        && cpu.vendor() == CpuVendor.INTEL);
  }
}
