package dev.topo.search.peer;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * The order in which ranks send to and receive from each other ({@code ncclP2pSchedule}, {@code
 * nccl:src/init.cc}). Ranks are in groups of equal size that do not cross nodes; groups meet in an
 * order by quadratic steps, and inside a meeting every rank takes its turn with each of the other
 * group. Immutable.
 */
public final class P2pSchedule {
  private final List<List<Integer>> ranksOfNodes;
  private final int groupSize;
  private final int nGroups;

  /**
   * A round of a rank.
   *
   * @param sendTo the rank that it sends to
   * @param receiveFrom the rank that it receives from
   */
  public record Round(int sendTo, int receiveFrom) {}

  /**
   * The schedule of a job.
   *
   * @param ranksOfNodes the ranks of each node, in order
   * @param wantedGroup ranks of a group of a job of several nodes; smaller where nodes cannot be
   *     divided into such groups
   */
  public P2pSchedule(List<List<Integer>> ranksOfNodes, int wantedGroup) {
    this.ranksOfNodes = ranksOfNodes.stream().map(List::copyOf).toList();
    int size = ranksOfNodes.size() > 1 ? wantedGroup : ranksOfNodes.get(0).size();
    int nRanks = 0;
    for (List<Integer> ranks : ranksOfNodes) {
      size = BigInteger.valueOf(size).gcd(BigInteger.valueOf(ranks.size())).intValue();
      nRanks += ranks.size();
    }
    this.groupSize = size;
    this.nGroups = nRanks / size;
  }

  /** Ranks of a group. */
  public int groupSize() {
    return groupSize;
  }

  /**
   * The rounds of a rank, in order; in the first it sends to itself.
   *
   * @param node its node
   * @param local its place among the ranks of the node
   */
  public List<Round> rounds(int node, int local) {
    int group = local / groupSize;
    for (int before = 0; before < node; before++) {
      group += ranksOfNodes.get(before).size() / groupSize;
    }
    int place = local % groupSize;
    List<Round> rounds = new ArrayList<>();
    for (int step : steps()) {
      int sendGroup = (group + step) % nGroups;
      int receiveGroup = Math.floorMod(group - step, nGroups);
      for (int turn = 0; turn < groupSize; turn++) {
        rounds.add(
            new Round(
                member(sendGroup, (place + turn) % groupSize),
                member(receiveGroup, Math.floorMod(place - turn, groupSize))));
      }
    }
    return rounds;
  }

  /**
   * Each distance of two groups once: the sums of 1, 2, 3 and so on, which reach every number below
   * a power of two if taken modulo it.
   */
  private List<Integer> steps() {
    int modulus = nGroups <= 1 ? 1 : Integer.highestOneBit(nGroups - 1) << 1;
    List<Integer> steps = new ArrayList<>();
    int step = 0;
    for (int round = 1; round <= modulus; round++) {
      if (step < nGroups) {
        steps.add(step);
      }
      step = (step + round) & (modulus - 1);
    }
    return steps;
  }

  private int member(int group, int place) {
    int left = group;
    int node = 0;
    while (left >= ranksOfNodes.get(node).size() / groupSize) {
      left -= ranksOfNodes.get(node).size() / groupSize;
      node++;
    }
    return ranksOfNodes.get(node).get(left * groupSize + place);
  }
}
