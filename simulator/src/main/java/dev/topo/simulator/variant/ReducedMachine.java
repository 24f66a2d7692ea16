package dev.topo.simulator.variant;

import dev.topo.model.Link;
import dev.topo.model.Node;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Topology;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds edits that only remove something from a machine: devices, links, or their speed. */
final class ReducedMachine {
  private ReducedMachine() {}

  /**
   * True if the second machine has only devices and links of the first, with the same abilities,
   * and no faster link.
   */
  static boolean isReduced(Topology before, Topology after) {
    Map<List<Object>, Float> links = links(before);
    return devices(before).containsAll(devices(after))
        && links(after).entrySet().stream()
            .allMatch(
                link ->
                    link.getValue() <= links.getOrDefault(link.getKey(), Float.NEGATIVE_INFINITY));
  }

  private static Set<Object> devices(Topology topology) {
    return topology.nodes().stream().map(ReducedMachine::identity).collect(Collectors.toSet());
  }

  /** The bandwidths of links by the identities of their ends and their type. */
  private static Map<List<Object>, Float> links(Topology topology) {
    Map<List<Object>, Float> links = new HashMap<>();
    for (int node = 0; node < topology.size(); node++) {
      for (Link link : topology.links(node)) {
        links.merge(
            List.of(
                identity(topology.node(link.from())),
                identity(topology.node(link.to())),
                link.type()),
            link.bwGBps(),
            Float::sum);
      }
    }
    return links;
  }

  /** The identity of a device, without its numbers in the job, its speed and its latency. */
  private static Object identity(Node node) {
    if (node instanceof GpuNode gpu) {
      return List.of(gpu.id(), gpu.sm(), gpu.gdr());
    }
    if (node instanceof NetNode net) {
      return List.of(
          net.systemId(), net.name(), net.port(), net.gdr(), net.collNet(), net.maxChannels());
    }
    if (node instanceof CpuNode cpu) {
      return List.of(cpu.id(), cpu.arch(), cpu.vendor(), cpu.model());
    }
    return node;
  }
}
