package dev.topo.model.xml;

import dev.topo.model.Link.PathType;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Reads a graph file, as NCCL writes it to NCCL_GRAPH_DUMP_FILE and reads it from NCCL_GRAPH_FILE
 * ({@code ncclTopoGetGraphFromXml}, {@code nccl:src/graph/search.cc}).
 */
public final class GraphReader {
  private static final int VERSION = 1;

  private static final List<PathType> TYPES = List.of(PathType.values());
  private final Map<Long, Integer> rankByDevice = new HashMap<>();
  private final SortedSet<Long> ports = new TreeSet<>();
  private final boolean crossesNetwork;
  private final GraphFormat format;

  /** A reader for graphs of the GPUs of this topology, with or without ports. */
  public GraphReader(Topology topology, GraphFormat format) {
    this(topology, false, format);
  }

  /**
   * A reader for graphs of the GPUs of this topology.
   *
   * @param crossesNetwork whether the channels continue over the network, with a port at each end
   */
  public GraphReader(Topology topology, boolean crossesNetwork, GraphFormat format) {
    this.crossesNetwork = crossesNetwork;
    this.format = format;
    topology.nets().forEach(net -> ports.add(net.id().packed()));
    if (ports.isEmpty()) {
      // The id that NCCL's search writes if there is no port.
      ports.add(0L);
    }
    for (GpuNode gpu : topology.gpus()) {
      rankByDevice.put(new NodeId(gpu.systemId(), gpu.dev()).packed(), gpu.rank());
    }
  }

  /**
   * Reads a file.
   *
   * @throws TopologyFormatException if it cannot be used, if it names a GPU that the topology
   *     lacks, or if a channel of a job with several nodes does not have two ports of the topology
   */
  public NodeGraphs read(Path file, Inputs inputs) {
    return map(new XmlReader().read(file, inputs));
  }

  /**
   * Maps a document that has been read.
   *
   * @throws TopologyFormatException as {@link #read}
   */
  public NodeGraphs map(XmlDocument document) {
    XmlElement root = document.root();
    if (!root.name().equals("graphs")) {
      throw root.error("expected <graphs> as the outermost element");
    }
    int version = new Attributes(root).integer("version");
    if (version != VERSION) {
      throw root.error("attribute version=\"" + version + "\", expected " + VERSION);
    }
    Map<GraphKind, ChannelGraph> graphs = new HashMap<>();
    for (XmlElement element : root.elements("graph")) {
      for (GraphKind kind : kinds(new Attributes(element))) {
        graphs.put(kind, graph(element, kind));
      }
    }
    return new NodeGraphs(List.copyOf(graphs.values()));
  }

  private ChannelGraph graph(XmlElement element, GraphKind kind) {
    Attributes attributes = new Attributes(element);
    List<Channel> channels = element.elements("channel").stream().map(this::channel).toList();
    int stated = attributes.count("nchannels", ChannelGraph.MAX_CHANNELS);
    if (stated != channels.size()) {
      throw attributes.bad(
          "nchannels",
          String.valueOf(stated),
          channels.size() + ", the number of <channel> elements");
    }
    return new ChannelGraph(
        kind,
        pattern(attributes),
        attributes.count("crossnic", 2),
        attributes.decimal("speedintra", 0),
        attributes.decimal("speedinter", 0),
        attributes.decimal("latencyinter", 0),
        pathType(attributes, "typeintra"),
        pathType(attributes, "typeinter"),
        attributes.integer("samechannels") != 0,
        channels);
  }

  private List<GraphKind> kinds(Attributes attributes) {
    int id = attributes.integer("id");
    List<GraphKind> kinds =
        Arrays.stream(GraphKind.values()).filter(kind -> format.id(kind) == id).toList();
    if (kinds.isEmpty()) {
      throw attributes.bad("id", String.valueOf(id), "a number from 0 to 4");
    }
    return kinds;
  }

  private static Pattern pattern(Attributes attributes) {
    int number = attributes.integer("pattern");
    try {
      return Pattern.ofNumber(number);
    } catch (IllegalArgumentException e) {
      throw attributes.bad("pattern", String.valueOf(number), "a number from 1 to 6");
    }
  }

  private static PathType pathType(Attributes attributes, String name) {
    String text = attributes.text(name);
    return TYPES.stream()
        .filter(type -> type.name().equals(text.toUpperCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() -> attributes.bad(name, text, "one of " + TYPES));
  }

  private Channel channel(XmlElement element) {
    List<NodeId> nets = new ArrayList<>();
    List<Integer> ranks = new ArrayList<>();
    for (XmlElement device : element.elements()) {
      Attributes attributes = new Attributes(device);
      attributes.text("dev");
      long dev = format.device(attributes);
      if (device.name().equals("net")) {
        nets.add(port(attributes, dev));
      } else if (device.name().equals("gpu")) {
        ranks.add(rank(attributes, dev));
      }
    }
    if (ranks.isEmpty()) {
      throw element.error("has no <gpu>, expected at least one");
    }
    if (crossesNetwork && nets.size() != 2) {
      throw element.error(
          "has " + nets.size() + " <net>, expected one at each end: the job has several nodes");
    }
    Optional<Channel.Nets> ends =
        nets.size() < 2
            ? Optional.empty()
            : Optional.of(new Channel.Nets(nets.get(0), nets.get(1)));
    return new Channel(ranks, ends);
  }

  private int rank(Attributes attributes, long dev) {
    if (format.ranks() && attributes.has("rank")) {
      int rank = attributes.integer("rank");
      if (!rankByDevice.containsValue(rank)) {
        throw attributes.bad("rank", String.valueOf(rank), "the rank of a GPU of the topology");
      }
      return rank;
    }
    Integer rank = rankByDevice.get(dev);
    if (rank == null) {
      throw attributes.bad(
          "dev", attributes.text("dev"), "the device number of a GPU of the topology");
    }
    return rank;
  }

  /** NCCL accepts any port here and fails when it connects ({@code ncclTopoIdToNetDev}). */
  private NodeId port(Attributes attributes, long dev) {
    if (crossesNetwork && !ports.contains(dev)) {
      String known = QuantityFormat.joined(", ", ports, Long::toHexString);
      throw attributes.bad(
          "dev",
          attributes.text("dev"),
          "the device number of a network port of the topology, one of " + known);
    }
    return NodeId.ofPacked(dev);
  }
}
