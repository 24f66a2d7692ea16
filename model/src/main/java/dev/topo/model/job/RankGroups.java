package dev.topo.model.job;

import dev.topo.model.Last;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Communicators given by their ranks: {@code 0-7;8-15}. Other ranks do not take part. The colour of
 * a communicator is its index in the list.
 *
 * @param lists the ranks of each, in ascending order
 */
record RankGroups(List<List<Integer>> lists) implements GroupRule {
  RankGroups {
    lists = lists.stream().map(List::copyOf).toList();
    Set<Integer> seen = new HashSet<>();
    for (List<Integer> list : lists) {
      for (int rank : list) {
        if (!seen.add(rank)) {
          throw new IllegalArgumentException(
              "rank " + rank + " is in two groups, expected it in one");
        }
      }
    }
  }

  /** True if a text is a list of groups rather than an operation and a number. */
  static boolean isList(String text) {
    return text.strip().matches("\\d.*");
  }

  /**
   * Parses lists such as {@code 0-7;8-14/2}.
   *
   * @throws IllegalArgumentException if a list is malformed
   */
  static RankGroups parse(String text) {
    List<List<Integer>> lists = new ArrayList<>();
    for (String list : text.split(";", -1)) {
      lists.add(RankList.parse(list).ranks().stream().sorted().toList());
    }
    return new RankGroups(lists);
  }

  @Override
  public Map<Integer, List<Integer>> groups(int nRanks) {
    Map<Integer, List<Integer>> groups = new TreeMap<>();
    for (List<Integer> list : lists) {
      int last = Last.of(list);
      if (last >= nRanks) {
        throw new IllegalArgumentException(
            "rank %s: expected ranks from 0 to %s".formatted(last, nRanks - 1));
      }
      groups.put(groups.size(), list);
    }
    return groups;
  }
}
