package dev.topo.visualizer.drawing;

import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeId;
import dev.topo.model.Topology;

/** Names of network ports. */
public final class PortName {
  private PortName() {}

  /** Returns the name of a port: that of its device if known, otherwise its label in NCCL's log. */
  public static String of(NetNode net) {
    return net.name().isEmpty() ? net.label() : net.name();
  }

  /** Returns the name of a port, with its host if the machine has several. */
  public static String of(Topology topology, NetNode net) {
    return topology.nHosts() < 2 ? of(net) : of(net) + " of host " + net.systemId();
  }

  /** Returns the name of the port with an id; the id if there is no such port. */
  public static String of(Topology topology, NodeId id) {
    return topology.nets().stream()
        .filter(net -> net.id().equals(id))
        .findFirst()
        .map(net -> of(topology, net))
        .orElse("NET " + id);
  }
}
