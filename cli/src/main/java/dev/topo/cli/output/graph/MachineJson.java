package dev.topo.cli.output.graph;

import dev.topo.cli.output.Json;
import dev.topo.model.Link;
import dev.topo.model.MachineFormat;
import dev.topo.model.Topology;
import dev.topo.model.node.CpuNode;
import dev.topo.model.node.GpuNode;
import dev.topo.model.node.NetNode;
import dev.topo.model.node.Node;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A machine as JSON: {@code machine}, {@code nodes[]}, {@code links[]}. */
public final class MachineJson {
  private MachineJson() {}

  /** The nodes with their facts and the links between them. */
  public static String of(String name, Topology topology) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("machine", name);
    tree.put("nodes", topology.nodes().stream().map(MachineJson::node).toList());
    List<Map<String, Object>> links = new ArrayList<>();
    for (int node = 0; node < topology.size(); node++) {
      for (Link link : topology.links(node)) {
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("from", topology.node(link.from()).label());
        entry.put("to", topology.node(link.to()).label());
        entry.put("type", link.type().name());
        entry.put("bwGBps", Json.number(link.bwGBps()));
        links.add(entry);
      }
    }
    tree.put("links", links);
    return Json.write(tree);
  }

  private static Map<String, Object> node(Node node) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("id", node.label());
    entry.put("type", node.type().name());
    if (node instanceof GpuNode gpu) {
      entry.put("busId", gpu.busId().text());
      entry.put("dev", gpu.dev());
      entry.put("rank", gpu.rank());
      entry.put("sm", gpu.sm());
      entry.put("gdr", gpu.gdr());
    } else if (node instanceof CpuNode cpu) {
      entry.put("numaId", cpu.numaId());
      entry.put("arch", cpu.arch().xmlName());
      entry.put("name", MachineFormat.cpuName(cpu));
    } else if (node instanceof NetNode net) {
      entry.put("name", net.name());
      entry.put("dev", net.dev());
      entry.put("port", net.port());
      entry.put("bwGBps", Json.number(net.bwGBps()));
      entry.put("latencyUs", Json.number(net.latencyUs()));
      entry.put("gdr", net.gdr());
      entry.put("collNet", net.collNet());
    }
    return entry;
  }
}
