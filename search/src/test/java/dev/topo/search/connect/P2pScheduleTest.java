package dev.topo.search.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.search.rules.NcclProfile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class P2pScheduleTest {
  private static P2pSchedule schedule(String version, int... sizes) {
    List<List<Integer>> nodes = new ArrayList<>();
    int rank = 0;
    for (int size : sizes) {
      List<Integer> ranks = new ArrayList<>();
      while (ranks.size() < size) {
        ranks.add(rank++);
      }
      nodes.add(ranks);
    }
    return new P2pSchedule(nodes, 8, NcclProfile.of(version).connect());
  }

  private static List<Integer> sends(P2pSchedule schedule, int node, int local) {
    return schedule.rounds(node, local).stream().map(P2pSchedule.Round::sendTo).toList();
  }

  @Test
  void until2283TurnsOfAMeetingGrowAsThoseOfNodes() {
    assertEquals(List.of(1, 2, 3, 0), sends(schedule("2.28.7", 4), 0, 1));
    assertEquals(List.of(1, 2, 0, 3), sends(schedule("2.28.3", 4), 0, 1));
  }

  @Test
  void theOnlyNodeIsOneGroupBut2287DividesIt() {
    assertEquals(16, schedule("2.28.9", 16).groupSize());
    assertEquals(8, schedule("2.28.7", 16).groupSize());
    assertEquals(
        List.of(8, 9, 10, 11, 12, 13, 14, 15), sends(schedule("2.28.7", 16), 0, 0).subList(8, 16));
    assertEquals(4, schedule("2.28.7", 12).groupSize());
  }

  @Test
  void groupsOfEqualSizeFollowNodesOfEqualSize() {
    assertEquals(
        List.of(0, 1, 2, 3, 4, 5),
        sends(schedule("2.28.9", 4, 2), 0, 0).stream().sorted().toList());
    assertEquals(2, schedule("2.28.9", 4, 2).groupSize());
    // Without nodes of one size all ranks are a group.
    assertEquals(List.of(0, 1, 3, 2, 5, 4), sends(schedule("2.28.3", 4, 2), 0, 0));
  }

  /** Distances 0, 4, 1, 7, 3, 5, 2, 6 of eight nodes; one GPU has no empty turns. */
  @Test
  void until221NearAndFarNodesAlternate() {
    int[] eight = {1, 1, 1, 1, 1, 1, 1, 1};
    assertEquals(List.of(0, 4, 1, 7, 3, 5, 2, 6), sends(schedule("2.21.5", eight), 0, 0));
    assertEquals(List.of(0, 1, 3, 6, 2, 7, 5, 4), sends(schedule("2.23.4", eight), 0, 0));
  }

  @Test
  void until221TurnsFillBatches() {
    assertEquals(List.of(2, -1, 0, 1), sends(schedule("2.21.5", 3), 0, 2));
    assertEquals(List.of(0, 1, 2, -1), sends(schedule("2.21.5", 3, 4), 0, 0).subList(0, 4));
    assertEquals(16, sends(schedule("2.21.5", 9), 0, 0).size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"2.19.3", "2.23.4", "2.28.3", "2.28.9"})
  void everyRankSendsToEachOnceAndTheOtherReceivesInThatRound(String version) {
    int[] sizes = {8, 4, 8, 4, 4};
    P2pSchedule schedule = schedule(version, sizes);
    List<List<P2pSchedule.Round>> rounds = new ArrayList<>();
    for (int node = 0; node < sizes.length; node++) {
      for (int local = 0; local < sizes[node]; local++) {
        rounds.add(schedule.rounds(node, local));
      }
    }
    for (int rank = 0; rank < rounds.size(); rank++) {
      List<Integer> sent = new ArrayList<>();
      for (int round = 0; round < rounds.get(rank).size(); round++) {
        int to = rounds.get(rank).get(round).sendTo();
        if (to != P2pSchedule.NONE) {
          sent.add(to);
          assertEquals(rank, rounds.get(to).get(round).receiveFrom());
        }
      }
      assertEquals(rounds.size(), sent.size());
      assertEquals(rounds.size(), new HashSet<>(sent).size());
    }
  }
}
