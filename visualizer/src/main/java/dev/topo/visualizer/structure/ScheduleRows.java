package dev.topo.visualizer.structure;

import dev.topo.search.connect.Connection;
import dev.topo.search.connect.P2pSchedule;
import dev.topo.search.connect.P2pSchedule.Round;
import dev.topo.search.transfer.PeerPlanner;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The rounds of sends and receives of each rank, with ranks numbered in the job, and the channels
 * of each round.
 */
final class ScheduleRows {
  private final Connection connection;
  private final P2pSchedule schedule;
  private final Optional<PeerPlanner> planner;
  private final Map<Object, List<List<Integer>>> channels = new HashMap<>();

  ScheduleRows(Connection connection) {
    this.connection = connection;
    this.schedule = connection.p2pSchedule();
    this.planner =
        PeerPlanner.covers(connection.profile())
            ? Optional.of(new PeerPlanner(connection))
            : Optional.empty();
  }

  int groupSize() {
    return schedule.groupSize();
  }

  /** True if the channels of a round are modelled for the NCCL release. */
  boolean hasChannels() {
    return planner.isPresent();
  }

  List<Round> rounds(int rank) {
    int node = connection.nodeOf(rank);
    return schedule.rounds(node, connection.ranksOf(node).indexOf(rank));
  }

  /**
   * The channels of each round, at most as many as a peer has; empty lists if they are not
   * modelled.
   */
  List<List<Integer>> channels(int rank, int rounds) {
    return channels.computeIfAbsent(
        connection.domain(connection.nodeOf(rank)),
        key ->
            IntStream.range(0, rounds)
                .mapToObj(
                    round -> planner.map(plan -> plan.channels(rank, round)).orElse(List.of()))
                .toList());
  }
}
