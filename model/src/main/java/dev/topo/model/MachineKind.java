package dev.topo.model;

import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeType;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The properties of a machine that decide which measurements apply to it. There are no measurements
 * of jobs whose machines differ in them.
 *
 * @param sms compute capabilities of its GPUs
 * @param models models of its GPUs, where their device ids are known
 * @param hasNvSwitch whether its GPUs are connected by NVSwitches
 * @param archs architectures of its CPUs
 * @param portGBps bandwidth of its fastest port; 0 without ports
 */
public record MachineKind(
    Set<Integer> sms,
    Set<Optional<String>> models,
    boolean hasNvSwitch,
    Set<CpuArch> archs,
    double portGBps) {
  private static MachineKind of(Topology topology) {
    return new MachineKind(
        distinct(topology.gpus(), GpuNode::sm),
        distinct(topology.gpus(), gpu -> SwitchedGpu.modelOf(gpu.device())),
        topology.hasNvSwitch(),
        distinct(topology.cpus(), CpuNode::arch),
        topology.nets().stream().mapToDouble(NetNode::bwGBps).max().orElse(0));
  }

  private static <T, V> Set<V> distinct(Collection<T> nodes, Function<T, V> property) {
    return nodes.stream().map(property).collect(Collectors.toSet());
  }

  /**
   * True if the machines of a job are of several kinds, or if some of them link their GPUs by
   * NVLink or C2C and others do not. Machines with one GPU do not count for the latter.
   */
  public static boolean differ(Collection<Topology> machines) {
    return machines.size() > 1
        && (distinct(machines, MachineKind::of).size() > 1
            || machines.stream()
                    .filter(machine -> machine.gpus().size() > 1)
                    .map(MachineKind::isLinked)
                    .distinct()
                    .count()
                > 1);
  }

  /** True if a GPU of the machine has an NVLink or C2C link. */
  public static boolean isLinked(Topology topology) {
    return Arrays.stream(topology.indexes(NodeType.GPU))
        .boxed()
        .flatMap(gpu -> topology.links(gpu).stream())
        .anyMatch(link -> link.type() == LinkType.NVL || link.type() == LinkType.C2C);
  }
}
