package dev.topo.visualizer.structure;

import dev.topo.model.Link;
import dev.topo.model.MachineFormat;
import dev.topo.model.Node;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Topology;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.List;
import java.util.stream.IntStream;

/** A machine as JSON: {@code nodes[]} and {@code links[]}. */
public final class MachineJson {
  private static final Fields<Node> NODE =
      Fields.of(Node.class).field("id", Node::label).field("type", Node::type);

  private static final Fields<GpuNode> GPU =
      Fields.of(GpuNode.class)
          .including(gpu -> gpu, NODE)
          .field("busId", gpu -> gpu.busId().text())
          .components("dev", "rank", "sm", "gdr");

  private static final Fields<CpuNode> CPU =
      Fields.of(CpuNode.class)
          .including(cpu -> cpu, NODE)
          .components("numaId")
          .field("arch", cpu -> cpu.arch().xmlName())
          .field("name", MachineFormat::cpuName);

  private static final Fields<NetNode> NET =
      Fields.of(NetNode.class)
          .including(net -> net, NODE)
          .components("name", "dev", "port")
          .field("bandwidthGBps", NetNode::bwGBps)
          .components("latencyUs", "gdr", "collNet");

  private MachineJson() {}

  /** The nodes with their facts and the links between them. */
  public static Answer of(String name, Topology topology) {
    return Json.document(
        "show",
        Fields.of(Topology.class)
            .field("job", all -> new JobSummary(name, 1, all.gpus().size()))
            .field("nodes", all -> all.nodes().stream().map(MachineJson::node).toList())
            .list("links", MachineJson::links, link(topology)),
        topology);
  }

  private static List<Link> links(Topology topology) {
    return IntStream.range(0, topology.size())
        .boxed()
        .flatMap(node -> topology.links(node).stream())
        .toList();
  }

  private static Fields<Link> link(Topology topology) {
    return Fields.of(Link.class)
        .field("from", link -> topology.node(link.from()).label())
        .field("to", link -> topology.node(link.to()).label())
        .components("type")
        .field("bandwidthGBps", Link::bwGBps);
  }

  private static Object node(Node node) {
    if (node instanceof GpuNode gpu) {
      return GPU.json(gpu);
    }
    if (node instanceof CpuNode cpu) {
      return CPU.json(cpu);
    }
    return node instanceof NetNode net ? NET.json(net) : NODE.json(node);
  }
}
