package dev.topo.simulator.network;

import dev.topo.model.nic.SwitchMap;
import java.util.List;

/**
 * The switches between the nodes of a job.
 *
 * @param switches the switches and their uplinks
 * @param hosts name of each node in the switch map, in rank order
 * @param adaptive whether switches spread the traffic evenly over equal links; otherwise each flow
 *     stays on one link, chosen by a hash of its addresses
 */
public record Fabric(SwitchMap switches, List<String> hosts, boolean adaptive) {
  public Fabric {
    hosts = List.copyOf(hosts);
  }

  /**
   * The same switches between a subset of the nodes.
   *
   * @param machines indices into {@link #hosts}
   */
  public Fabric of(List<Integer> machines) {
    return new Fabric(switches, machines.stream().map(hosts::get).toList(), adaptive);
  }
}
