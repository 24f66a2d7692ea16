package dev.topo.simulator.network;

import dev.topo.model.Node.NodeId;
import dev.topo.model.nic.SwitchMap;
import dev.topo.search.connect.Connection;
import java.util.List;
import java.util.Optional;

/** The leaf switch of each port of a job. */
final class PortLeaves {
  private final Connection connection;
  private final SwitchMap switches;
  private final List<String> hosts;

  /**
   * The leaf switches of a job's ports.
   *
   * @param hosts name of each node of the connection in the switch map, in rank order
   */
  PortLeaves(Connection connection, SwitchMap switches, List<String> hosts) {
    if (hosts.size() != connection.nNodes()) {
      throw new IllegalArgumentException(
          "%s host names for %s nodes, expected one for each"
              .formatted(hosts.size(), connection.nNodes()));
    }
    this.connection = connection;
    this.switches = switches;
    this.hosts = List.copyOf(hosts);
  }

  /**
   * Leaf switch of a port; empty if the map does not have the port. The map may identify the port
   * by the name that NCCL uses or by its number.
   */
  Optional<String> leaf(int node, NodeId port) {
    String host = hosts.get(node);
    Optional<String> byName = switches.leaf(host, connection.portName(node, port));
    return byName.isPresent() ? byName : switches.leaf(host, String.valueOf(port.localId()));
  }
}
