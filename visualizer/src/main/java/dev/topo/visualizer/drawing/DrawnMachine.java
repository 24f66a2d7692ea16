package dev.topo.visualizer.drawing;

import dev.topo.model.Topology;
import java.util.List;
import java.util.Optional;

/**
 * A machine with the hosts and the channel that its picture shows.
 *
 * @param name its name
 * @param topology the machine
 * @param fold which hosts are drawn
 * @param route the channel to show on it, if any
 * @param orders the channels whose visiting orders are drawn below the machine
 */
public record DrawnMachine(
    String name,
    Topology topology,
    HostFold fold,
    Optional<ChannelRoute> route,
    List<VisitOrder> orders) {
  public DrawnMachine {
    orders = List.copyOf(orders);
  }
}
