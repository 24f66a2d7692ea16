package dev.topo.simulator.network;

import dev.topo.search.connect.Connection;
import java.util.List;

/**
 * Communicators on machines that they share, whose equal calls run at the same time. Their GPUs
 * differ; they share ports, links inside machines and uplinks of switches.
 *
 * @param groups the communicators, equal ones once
 * @param own which of them a prediction is of
 */
public record ConcurrentGroups(List<Group> groups, int own) {
  /**
   * Equal communicators.
   *
   * @param connection the connection of one of them
   * @param machines for each of them the machine of each of its nodes, as numbers in the whole job
   */
  public record Group(Connection connection, List<List<Integer>> machines) {
    public Group {
      machines = machines.stream().map(List::copyOf).toList();
      for (List<Integer> ofOne : machines) {
        if (ofOne.size() != connection.nNodes()) {
          throw new IllegalArgumentException(
              "%d machines for %d nodes: expected one for each"
                  .formatted(ofOne.size(), connection.nNodes()));
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

  /** For a prediction of another of them. */
  public ConcurrentGroups of(int other) {
    return new ConcurrentGroups(groups, other);
  }
}
