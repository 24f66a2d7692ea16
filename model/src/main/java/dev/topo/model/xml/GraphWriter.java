package dev.topo.model.xml;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.ChannelGraph.Channel;
import dev.topo.model.graph.ChannelGraph.NodeGraphs;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes graphs in the format of NCCL_GRAPH_DUMP_FILE, which NCCL reads from NCCL_GRAPH_FILE
 * ({@code ncclTopoGetXmlFromGraphs}, {@code nccl:src/graph/search.cc}).
 */
public final class GraphWriter {
  private static final SourceLocation NOWHERE = SourceLocation.of("");

  private final GraphFormat format;
  private final Map<Integer, NodeId> devices = new LinkedHashMap<>();

  private GraphWriter(Topology topology, GraphFormat format) {
    this.format = format;
    for (GpuNode gpu : topology.gpus()) {
      devices.put(gpu.rank(), new NodeId(gpu.systemId(), gpu.dev()));
    }
  }

  /** The text of a graph file for the graphs of one node with this topology. */
  public static String write(NodeGraphs graphs, Topology topology, GraphFormat format) {
    return new GraphWriter(topology, format).write(graphs);
  }

  private String write(NodeGraphs graphs) {
    List<XmlElement> elements =
        format.graphs().stream().map(kind -> graph(graphs.get(kind))).toList();
    return XmlWriter.write(
        new XmlElement("graphs", Map.of("version", "1"), List.copyOf(elements), NOWHERE));
  }

  private XmlElement graph(ChannelGraph graph) {
    Map<String, String> attributes =
        Attributes.inOrder(
            "id", format.id(graph.kind()),
            "pattern", graph.pattern().number(),
            "crossnic", graph.crossNic(),
            "nchannels", graph.nChannels(),
            "speedintra", PrintfNumber.general(graph.bwIntra()),
            "speedinter", PrintfNumber.general(graph.bwInter()),
            "latencyinter", PrintfNumber.general(graph.latencyInter()),
            "typeintra", graph.typeIntra(),
            "typeinter", graph.typeInter(),
            "samechannels", graph.sameChannels() ? 1 : 0);
    List<XmlElement> channels =
        graph.channels().stream().map(channel -> channel(channel, graph.kind())).toList();
    return new XmlElement("graph", attributes, List.copyOf(channels), NOWHERE);
  }

  private XmlElement channel(Channel channel, GraphKind kind) {
    List<XmlNode> ends = new ArrayList<>();
    channel.nets().ifPresent(nets -> ends.add(net(nets.in())));
    for (int rank : kind == GraphKind.NVLS ? nvlsRanks(channel) : channel.ranks()) {
      ends.add(gpu(rank));
    }
    channel.nets().ifPresent(nets -> ends.add(net(nets.out())));
    return new XmlElement("channel", Map.of(), ends, NOWHERE);
  }

  /** NCCL's search sets only the head of an NVLS channel; the other entries are 0. */
  private List<Integer> nvlsRanks(Channel channel) {
    List<Integer> ranks = new ArrayList<>(channel.ranks().subList(0, 1));
    if (!format.headsOnly()) {
      ranks.addAll(Collections.nCopies(devices.size() - 1, 0));
    }
    return ranks;
  }

  private XmlElement gpu(int rank) {
    NodeId id = devices.get(rank);
    if (id == null) {
      throw new IllegalArgumentException("the topology has no GPU of rank " + rank);
    }
    Map<String, String> attributes = Attributes.inOrder("dev", format.device(id.packed()));
    if (format.ranks()) {
      attributes.put("rank", String.valueOf(rank));
    }
    return new XmlElement("gpu", attributes, List.of(), NOWHERE);
  }

  private XmlElement net(NodeId id) {
    return new XmlElement("net", Map.of("dev", format.device(id.packed())), List.of(), NOWHERE);
  }
}
