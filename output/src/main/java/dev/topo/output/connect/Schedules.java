package dev.topo.output.connect;

import dev.topo.search.connect.Connection;
import dev.topo.search.peer.P2pSchedule;
import dev.topo.search.peer.P2pSchedule.Round;
import java.util.List;

/** The rounds of a rank by its number in the job. */
final class Schedules {
  private Schedules() {}

  static List<Round> rounds(P2pSchedule schedule, Connection connection, int rank) {
    int node = connection.nodeOf(rank);
    return schedule.rounds(node, connection.ranksOf(node).indexOf(rank));
  }
}
