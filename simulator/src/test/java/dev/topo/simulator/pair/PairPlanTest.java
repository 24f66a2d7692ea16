package dev.topo.simulator.pair;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PairPlanTest {
  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5, 16, 63, 512})
  void eachRoundHasEveryHostOnceAndNoPairComesTwice(int n) {
    List<String> hosts = IntStream.range(0, n).mapToObj(i -> "n" + i).toList();
    Set<List<String>> all = new HashSet<>();
    PairPlan plan = PairPlan.of(hosts);
    for (List<List<String>> round : plan.rounds()) {
      List<String> used = round.stream().flatMap(List::stream).toList();
      assertEquals(n / 2 * 2, used.size());
      assertEquals(used.size(), new HashSet<>(used).size());
      all.addAll(round);
    }
    assertEquals(3, plan.rounds().size());
    assertEquals(3 * (n / 2), all.size());
  }
}
