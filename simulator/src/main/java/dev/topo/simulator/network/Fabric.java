package dev.topo.simulator.network;

import dev.topo.model.nic.SwitchMap;
import java.util.List;

/**
 * The switches between the nodes of a job.
 *
 * @param switches the switches and their uplinks
 * @param hosts the name of each node in the map, in rank order
 * @param adaptive whether switches spread the traffic evenly over equal links; else each flow stays
 *     on one of them, as by a hash of its addresses
 */
public record Fabric(SwitchMap switches, List<String> hosts, boolean adaptive) {
  public Fabric {
    hosts = List.copyOf(hosts);
  }

  /** The fabric between some of the machines, by their places among the hosts. */
  public Fabric of(List<Integer> machines) {
    return new Fabric(switches, machines.stream().map(hosts::get).toList(), adaptive);
  }
}
