package dev.topo.model;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Suggests known names for a misspelled one. */
public final class SimilarNames {
  private SimilarNames() {}

  /** Up to three known names closest to a misspelled one, ignoring case; empty if none is close. */
  public static List<String> of(Collection<String> known, String misspelled) {
    String wanted = misspelled.toUpperCase(Locale.ROOT);
    int maxDistance = Math.max(2, wanted.length() / 4);
    // A difference in length is a lower bound of the distance: a name of any length costs little.
    TreeMap<Integer, List<String>> byDistance =
        known.stream()
            .filter(name -> Math.abs(name.length() - wanted.length()) <= maxDistance)
            .collect(
                Collectors.groupingBy(
                    name -> editDistance(wanted, name.toUpperCase(Locale.ROOT)),
                    TreeMap::new,
                    Collectors.toList()));
    if (byDistance.isEmpty()) {
      return List.of();
    }
    return byDistance
        .headMap(Math.min(byDistance.firstKey() + 1, maxDistance), true)
        .values()
        .stream()
        .flatMap(List::stream)
        .limit(3)
        .toList();
  }

  /**
   * Insertions, deletions, replacements and swaps of neighbours that turn {@code a} into {@code b}.
   */
  private static int editDistance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int replace = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        cost[i][j] = Math.min(replace, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
      }
    }
    return cost[a.length()][b.length()];
  }
}
