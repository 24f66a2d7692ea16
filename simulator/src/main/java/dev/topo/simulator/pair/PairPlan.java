package dev.topo.simulator.pair;

import java.util.ArrayList;
import java.util.List;

/**
 * Runs of pairs of hosts that find the slow ones: rounds of disjoint pairs, which can run at once
 * (the circle method of round-robin tournaments). After two rounds a slow host is the one that its
 * two slow pairs share; the third tells several slow hosts apart.
 *
 * @param rounds the pairs of each round
 */
public record PairPlan(List<List<List<String>>> rounds) {
  private static final int ROUNDS = 3;

  public PairPlan {
    rounds = List.copyOf(rounds);
  }

  /** Plans the runs of at least three hosts; of an odd number, one rests in each round. */
  public static PairPlan of(List<String> hosts) {
    int n = hosts.size() + hosts.size() % 2;
    List<List<List<String>>> rounds = new ArrayList<>();
    for (int round = 0; round < Math.min(ROUNDS, n - 1); round++) {
      List<List<String>> pairs = new ArrayList<>();
      for (int i = 0; i < n / 2; i++) {
        int one = i == 0 ? n - 1 : (round + i) % (n - 1);
        int other = (round + n - 1 - i) % (n - 1);
        if (Math.max(one, other) < hosts.size()) {
          pairs.add(List.of(hosts.get(Math.min(one, other)), hosts.get(Math.max(one, other))));
        }
      }
      rounds.add(List.copyOf(pairs));
    }
    return new PairPlan(rounds);
  }
}
