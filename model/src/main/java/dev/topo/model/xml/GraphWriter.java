package dev.topo.model.xml;

import dev.topo.model.PrintfNumber;
import dev.topo.model.Topology;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.graph.Channel;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.graph.NodeGraphs;
import dev.topo.model.node.GpuNode;
import dev.topo.model.node.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes graphs in the format of NCCL_GRAPH_DUMP_FILE, which NCCL_GRAPH_FILE takes ({@code
 * ncclTopoGetXmlFromGraphs}, {@code nccl:src/graph/search.cc}).
 */
public final class GraphWriter {
  private static final SourceLocation NOWHERE = SourceLocation.of("");

  private GraphWriter() {}

  /** The text of a graph file for the graphs of one node with this topology. */
  public static String write(NodeGraphs graphs, Topology topology) {
    Map<Integer, NodeId> devices = new LinkedHashMap<>();
    for (GpuNode gpu : topology.gpus()) {
      devices.put(gpu.rank(), new NodeId(gpu.id().systemId(), gpu.dev()));
    }
    List<XmlElement> elements = graphs.all().stream().map(graph -> graph(graph, devices)).toList();
    return XmlWriter.write(
        new XmlElement("graphs", Map.of("version", "1"), List.copyOf(elements), NOWHERE));
  }

  private static XmlElement graph(ChannelGraph graph, Map<Integer, NodeId> devices) {
    Map<String, String> attributes = new LinkedHashMap<>();
    attributes.put("id", String.valueOf(graph.kind().id()));
    attributes.put("pattern", String.valueOf(graph.pattern().number()));
    attributes.put("crossnic", String.valueOf(graph.crossNic()));
    attributes.put("nchannels", String.valueOf(graph.nChannels()));
    attributes.put("speedintra", PrintfNumber.general(graph.bwIntra()));
    attributes.put("speedinter", PrintfNumber.general(graph.bwInter()));
    attributes.put("latencyinter", PrintfNumber.general(graph.latencyInter()));
    attributes.put("typeintra", graph.typeIntra().name());
    attributes.put("typeinter", graph.typeInter().name());
    attributes.put("samechannels", graph.sameChannels() ? "1" : "0");
    List<XmlElement> channels =
        graph.channels().stream().map(channel -> channel(channel, graph.kind(), devices)).toList();
    return new XmlElement("graph", attributes, List.copyOf(channels), NOWHERE);
  }

  private static XmlElement channel(Channel channel, GraphKind kind, Map<Integer, NodeId> devices) {
    List<XmlNode> ends = new ArrayList<>();
    channel.nets().ifPresent(nets -> ends.add(device("net", nets.in())));
    // NCCL writes the head of an NVLS channel only.
    List<Integer> ranks = kind == GraphKind.NVLS ? channel.ranks().subList(0, 1) : channel.ranks();
    for (int rank : ranks) {
      NodeId id = devices.get(rank);
      if (id == null) {
        throw new IllegalArgumentException("the topology has no GPU of rank " + rank);
      }
      ends.add(device("gpu", id));
    }
    channel.nets().ifPresent(nets -> ends.add(device("net", nets.out())));
    return new XmlElement("channel", Map.of(), ends, NOWHERE);
  }

  private static XmlElement device(String name, NodeId id) {
    return new XmlElement(name, Map.of("dev", PrintfNumber.hex(id.packed())), List.of(), NOWHERE);
  }
}
