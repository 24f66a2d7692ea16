package dev.topo.visualizer.structure;

import dev.topo.model.CpuNode;
import dev.topo.model.GpuNode;
import dev.topo.model.Link;
import dev.topo.model.LinkType;
import dev.topo.model.MachineFormat;
import dev.topo.model.NetNode;
import dev.topo.model.Node;
import dev.topo.model.NodeType;
import dev.topo.model.Topology;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.ArrayList;
import java.util.List;

/** A machine as JSON: {@code nodes[]} and {@code links[]}. */
public final class MachineJson {
  private record Show(JobSummary job, List<NodeEntry> nodes, List<LinkEntry> links) {}

  private sealed interface NodeEntry {}

  private record Gpu(String id, NodeType type, String busId, int dev, int rank, int sm, boolean gdr)
      implements NodeEntry {}

  private record Cpu(String id, NodeType type, int numaId, String arch, String name)
      implements NodeEntry {}

  private record Net(
      String id,
      NodeType type,
      String name,
      int dev,
      int port,
      float bandwidthGBps,
      float latencyUs,
      boolean gdr,
      boolean collNet)
      implements NodeEntry {}

  private record Other(String id, NodeType type) implements NodeEntry {}

  private record LinkEntry(String from, String to, LinkType type, float bandwidthGBps) {}

  private MachineJson() {}

  /** The nodes with their facts and the links between them. */
  public static Answer of(String name, Topology topology) {
    List<LinkEntry> links = new ArrayList<>();
    for (int node = 0; node < topology.size(); node++) {
      for (Link link : topology.links(node)) {
        links.add(
            new LinkEntry(
                topology.node(link.from()).label(),
                topology.node(link.to()).label(),
                link.type(),
                link.bwGBps()));
      }
    }
    return Json.document(
        "show",
        new Show(
            new JobSummary(name, 1, topology.gpus().size()),
            topology.nodes().stream().map(MachineJson::node).toList(),
            links));
  }

  private static NodeEntry node(Node node) {
    if (node instanceof GpuNode gpu) {
      return new Gpu(
          gpu.label(), gpu.type(), gpu.busId().text(), gpu.dev(), gpu.rank(), gpu.sm(), gpu.gdr());
    }
    if (node instanceof CpuNode cpu) {
      return new Cpu(
          cpu.label(), cpu.type(), cpu.numaId(), cpu.arch().xmlName(), MachineFormat.cpuName(cpu));
    }
    if (node instanceof NetNode net) {
      return new Net(
          net.label(),
          net.type(),
          net.name(),
          net.dev(),
          net.port(),
          net.bwGBps(),
          net.latencyUs(),
          net.gdr(),
          net.collNet());
    }
    return new Other(node.label(), node.type());
  }
}
