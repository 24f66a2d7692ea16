package dev.topo.visualizer.drawing;

import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Topology;

/** Names of network ports. */
public final class PortName {
  private PortName() {}

  /** The name of a port: that of its device, else as in NCCL's log. */
  public static String of(NetNode net) {
    return net.name().isEmpty() ? net.label() : net.name();
  }

  /** The name of a port of a machine, with its host where there are several. */
  public static String of(Topology topology, NetNode net) {
    return topology.nHosts() < 2 ? of(net) : of(net) + " of host " + net.id().systemId();
  }

  /** The name of the port of a machine with an id; the id where there is none. */
  public static String of(Topology topology, NodeId id) {
    return topology.nets().stream()
        .filter(net -> net.id().equals(id))
        .findFirst()
        .map(net -> of(topology, net))
        .orElse("NET " + id);
  }
}
