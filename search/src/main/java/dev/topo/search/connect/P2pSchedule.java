package dev.topo.search.connect;

import dev.topo.model.Rounding;
import dev.topo.search.rules.ConnectRules;
import dev.topo.search.rules.ConnectRules.Schedule;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The order in which ranks send to and receive from each other ({@code ncclP2pSchedule} and, up to
 * 2.28.3, {@code initTransportsRank}, {@code nccl:src/init.cc}). Ranks form groups that do not
 * cross nodes; groups are paired in an order that depends on the version, and within a pair every
 * rank takes its turn with each rank of the other group. Immutable.
 */
public final class P2pSchedule {
  /** No peer: in this round, a rank does not send or receive. */
  public static final int NONE = -1;

  private final List<List<Integer>> ranksOfNodes;
  private final List<List<Integer>> groups;
  private final List<Integer> steps;
  private final List<Integer> turns;

  /** Number of slots of each group, one per turn; some may be empty. */
  private final int slots;

  /** The group of each rank. */
  private final int[] groupOf;

  /** The slot of each rank in its group. */
  private final int[] slotOf;

  /**
   * A round of a rank.
   *
   * @param sendTo the rank that it sends to, or {@link #NONE}
   * @param receiveFrom the rank that it receives from, or {@link #NONE}
   */
  public record Round(int sendTo, int receiveFrom) {}

  /**
   * Creates the schedule of a job.
   *
   * @param ranksOfNodes the ranks of each node, in order
   * @param wantedGroup requested number of ranks per group; reduced if nodes cannot be divided into
   *     groups of this size. Some releases ignore it for jobs of one node
   */
  P2pSchedule(List<List<Integer>> ranksOfNodes, int wantedGroup, ConnectRules rules) {
    this.ranksOfNodes = ranksOfNodes.stream().map(List::copyOf).toList();
    switch (rules.schedule) {
      case GROUPS, GROUPS_ON_ONE_NODE_TOO -> {
        boolean isOneGroup = ranksOfNodes.size() == 1 && rules.schedule == Schedule.GROUPS;
        this.groups = equalGroups(isOneGroup ? ranksOfNodes.get(0).size() : wantedGroup);
        this.slots = groups.get(0).size();
        this.steps = growingSteps(groups.size());
        this.turns = IntStream.range(0, slots).boxed().toList();
      }
      case NODES -> {
        this.groups = equalNodes();
        this.slots = groups.get(0).size();
        this.steps = growingSteps(groups.size());
        this.turns = growingSteps(slots);
      }
      default -> {
        this.groups = this.ranksOfNodes;
        this.slots =
            slotsInBatches(groups.stream().mapToInt(List::size).max().orElseThrow(), wantedGroup);
        this.steps = distances(groups.size());
        this.turns = IntStream.range(0, slots).boxed().toList();
      }
    }
    int nRanks = groups.stream().mapToInt(List::size).sum();
    this.groupOf = new int[nRanks];
    this.slotOf = new int[nRanks];
    for (int group = 0; group < groups.size(); group++) {
      for (int slot = 0; slot < groups.get(group).size(); slot++) {
        groupOf[groups.get(group).get(slot)] = group;
        slotOf[groups.get(group).get(slot)] = slot;
      }
    }
  }

  private List<List<Integer>> equalGroups(int wanted) {
    int size = wanted;
    for (List<Integer> ranks : ranksOfNodes) {
      size = BigInteger.valueOf(size).gcd(BigInteger.valueOf(ranks.size())).intValue();
    }
    List<List<Integer>> equal = new ArrayList<>();
    for (List<Integer> ranks : ranksOfNodes) {
      for (int from = 0; from < ranks.size(); from += size) {
        equal.add(ranks.subList(from, from + size));
      }
    }
    return equal;
  }

  /** The nodes, or all ranks as one group if the nodes are not of one size. */
  private List<List<Integer>> equalNodes() {
    return ranksOfNodes.stream().mapToInt(List::size).distinct().count() == 1
        ? ranksOfNodes
        : List.of(ranksOfNodes.stream().flatMap(List::stream).sorted().toList());
  }

  /**
   * The smallest multiple of {@code batch} that is not below {@code ranks}; for fewer ranks than a
   * batch has operations, {@code batch} divided by a whole number, and not below {@code ranks}.
   */
  private static int slotsInBatches(int ranks, int batch) {
    return ranks > batch ? (ranks + batch - 1) / batch * batch : batch / (batch / ranks);
  }

  public int groupSize() {
    return slots;
  }

  /**
   * The rounds of a rank, in order. In the first one it sends to itself.
   *
   * @param node the node of the rank
   * @param local index of the rank among the ranks of the node
   */
  public List<Round> rounds(int node, int local) {
    int rank = ranksOfNodes.get(node).get(local);
    int group = groupOf[rank];
    int slot = slotOf[rank];
    List<Round> rounds = new ArrayList<>(steps.size() * slots);
    for (int step : steps) {
      List<Integer> receivers = groups.get((group + step) % groups.size());
      List<Integer> senders = groups.get(Math.floorMod(group - step, groups.size()));
      for (int turn : turns) {
        rounds.add(
            new Round(
                member(receivers, (slot + turn) % slots),
                member(senders, (slot - turn + slots) % slots)));
      }
    }
    return rounds;
  }

  private static int member(List<Integer> group, int slot) {
    return slot < group.size() ? group.get(slot) : NONE;
  }

  /**
   * A permutation of the numbers below {@code limit}: the partial sums of 1, 2, 3 and so on, modulo
   * a power of two. These reach every number below the power of two exactly once.
   */
  private static List<Integer> growingSteps(int limit) {
    int modulus = Rounding.powerOfTwoUp(limit);
    List<Integer> steps = new ArrayList<>();
    int step = 0;
    for (int round = 1; round <= modulus; round++) {
      if (step < limit) {
        steps.add(step);
      }
      step = (step + round) & (modulus - 1);
    }
    return steps;
  }

  /** Every distance between two nodes once, alternating near and far ones, in both directions. */
  private static List<Integer> distances(int nodes) {
    Set<Integer> distances = new LinkedHashSet<>();
    for (int near = 0; near <= nodes / 4; near++) {
      int far = nodes / 2 - near;
      Stream.of(near, nodes - near, far, nodes - far).forEach(d -> distances.add(d % nodes));
    }
    return List.copyOf(distances);
  }
}
