package dev.topo.simulator.workload;

import java.util.List;

/**
 * Orders of the hosts of a job, with their prices.
 *
 * @param orders the order given, that of the scheduler, a random one, and the best found
 * @param bound times that no order is below: those of switches that limit nothing
 * @param isExhaustive whether every order of the hosts was priced, those that are equal by symmetry
 *     of the switches once
 */
public record PlacementAnswer(List<Order> orders, Order bound, boolean isExhaustive) {
  public PlacementAnswer {
    orders = List.copyOf(orders);
  }

  /** The first order: that of the user. */
  public Order given() {
    return orders.get(0);
  }

  /** The order with the least time. */
  public Order best() {
    return orders.get(orders.size() - 1);
  }

  /**
   * An order of hosts.
   *
   * @param name what it is, in words
   * @param hosts the host of each node of the job, in rank order
   * @param groups what it means for each kind of group
   */
  public record Order(String name, List<String> hosts, List<Share> groups) {
    public Order {
      hosts = List.copyOf(hosts);
      groups = List.copyOf(groups);
    }

    /** Time of the communication of a step, one kind of group after another, in microseconds. */
    public double timeUs() {
      return groups.stream().mapToDouble(Share::timeUs).sum();
    }
  }

  /**
   * A kind of group in an order.
   *
   * @param name its name
   * @param timeUs time of its calls in a step; infinite if the switches have no path for one
   * @param communicators number of its communicators
   * @param crossing number of those with hosts at several leaf switches
   */
  public record Share(String name, double timeUs, int communicators, int crossing) {}
}
