package dev.topo.simulator.variant;

import dev.topo.model.DeviceName;
import dev.topo.model.Node;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.Topology;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The GPUs and network ports of a machine that edits change, by name.
 *
 * @param removed the removed devices
 * @param added the added devices
 * @param altered the devices with changed properties, such as the speed of a port
 */
public record ChangedDevices(List<String> removed, List<String> added, List<String> altered) {
  /** Copies the lists. */
  public ChangedDevices {
    removed = List.copyOf(removed);
    added = List.copyOf(added);
    altered = List.copyOf(altered);
  }

  /** Compares two states of a machine. Devices correspond by name. */
  public static ChangedDevices between(Topology before, Topology after) {
    Map<String, Node> old = devices(before);
    Map<String, Node> now = devices(after);
    List<String> removed = new ArrayList<>(old.keySet());
    removed.removeAll(now.keySet());
    List<String> added = new ArrayList<>(now.keySet());
    added.removeAll(old.keySet());
    List<String> altered =
        old.entrySet().stream()
            .filter(
                entry ->
                    isOther(entry.getValue(), now.getOrDefault(entry.getKey(), entry.getValue())))
            .map(Map.Entry::getKey)
            .toList();
    return new ChangedDevices(removed, added, altered);
  }

  private static Map<String, Node> devices(Topology topology) {
    DeviceName names = new DeviceName(topology);
    Map<String, Node> devices = new LinkedHashMap<>();
    for (NodeType type : List.of(NodeType.GPU, NodeType.NET)) {
      for (int index : topology.indexes(type)) {
        devices.putIfAbsent(names.of(index), topology.node(index));
      }
    }
    return devices;
  }

  /** Ignores ranks and positions in the machine. */
  private static boolean isOther(Node before, Node after) {
    if (before instanceof NetNode net) {
      return !net.withId(after.id()).equals(after);
    }
    return before instanceof GpuNode gpu
        && after instanceof GpuNode now
        && (gpu.sm() != now.sm() || gpu.gdr() != now.gdr());
  }
}
