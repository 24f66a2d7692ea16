package dev.topo.simulator.network;

import dev.topo.search.connect.Connection;
import java.util.List;

/**
 * Communicators that share machines and run equal calls at the same time. Each has its own GPUs;
 * ports, links inside machines and uplinks of switches are shared.
 *
 * @param groups the communicators; equal ones form one group
 * @param own index of the group whose time is predicted
 */
public record ConcurrentGroups(List<Group> groups, int own) {
  /**
   * Equal communicators.
   *
   * @param connection the connection of one of them
   * @param machines for each communicator, the machine of each of its nodes; machines are numbered
   *     over the whole job
   */
  public record Group(Connection connection, List<List<Integer>> machines) {
    public Group {
      machines = machines.stream().map(List::copyOf).toList();
      for (List<Integer> nodes : machines) {
        if (nodes.size() != connection.nNodes()) {
          throw new IllegalArgumentException(
              "%s machines for %s nodes: expected one for each"
                  .formatted(nodes.size(), connection.nNodes()));
        }
      }
    }
  }

  public ConcurrentGroups {
    groups = List.copyOf(groups);
  }

  /** Number of communicators. */
  public int count() {
    return groups.stream().mapToInt(group -> group.machines().size()).sum();
  }

  /** The same communicators, for the prediction of another group. */
  public ConcurrentGroups of(int other) {
    return new ConcurrentGroups(groups, other);
  }
}
