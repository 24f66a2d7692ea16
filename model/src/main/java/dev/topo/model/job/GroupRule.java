package dev.topo.model.job;

import java.util.List;
import java.util.Map;

/** Which ranks of a job form communicators. */
public sealed interface GroupRule permits RankSplit, RankGroups {
  /**
   * The ranks of each communicator by its colour, both in ascending order.
   *
   * @param nRanks ranks of the job
   * @throws IllegalArgumentException if it lists a rank that the job does not have
   */
  Map<Integer, List<Integer>> groups(int nRanks);

  /**
   * Parses a rule: an operation and a number as in NCCL_TESTS_SPLIT, or lists of ranks separated by
   * semicolons.
   *
   * @throws IllegalArgumentException if the text is neither
   */
  static GroupRule parse(String text) {
    return RankGroups.isList(text) ? RankGroups.parse(text) : RankSplit.parse(text);
  }
}
