package dev.topo.model.job;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The places of the ranks of a job: the machine of each rank, and its local rank there. */
public final class RankPlaces {
  private final Job job;
  private final int nRanks;

  /** The lowest rank of each machine. */
  private final int[] firstRank;

  /**
   * The places of the ranks of a communicator in their machines. Communicators of the same shape
   * have the same graphs and times if nothing else uses the machines.
   *
   * @param machines the machine of each node that has some of its ranks, in rank order
   * @param localRanks for each of these nodes, the local ranks in it
   */
  public record Shape(List<Machine> machines, List<List<Integer>> localRanks) {
    public Shape {
      machines = List.copyOf(machines);
      localRanks = List.copyOf(localRanks);
    }
  }

  public RankPlaces(Job job) {
    this.job = job;
    this.nRanks = job.nRanks();
    this.firstRank = new int[job.machines().size()];
    for (int place = 1; place < firstRank.length; place++) {
      firstRank[place] = firstRank[place - 1] + job.machines().get(place - 1).nRanks();
    }
  }

  /**
   * The local ranks of some ranks, by the index of their machine in the job, in the order in which
   * the machines appear.
   *
   * @throws IllegalArgumentException if the job has no such rank
   */
  public Map<Integer, List<Integer>> byMachine(List<Integer> ranks) {
    Map<Integer, List<Integer>> byMachine = new LinkedHashMap<>();
    for (int rank : ranks) {
      if (rank < 0 || rank >= nRanks) {
        throw new IllegalArgumentException("rank " + rank + " of " + nRanks);
      }
      int found = Arrays.binarySearch(firstRank, rank);
      int place = found < 0 ? -found - 2 : found;
      byMachine.computeIfAbsent(place, key -> new ArrayList<>()).add(rank - firstRank[place]);
    }
    return byMachine;
  }

  /**
   * The shape of a communicator of some ranks.
   *
   * @throws IllegalArgumentException if the job has no such rank
   */
  public Shape shape(List<Integer> ranks) {
    Map<Integer, List<Integer>> byMachine = byMachine(ranks);
    return new Shape(
        byMachine.keySet().stream().map(job.machines()::get).toList(),
        List.copyOf(byMachine.values()));
  }
}
