package dev.topo.model.job;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * Splits the ranks of a job into communicators. Equal machines with the same remaining GPUs are
 * represented by one object.
 */
public final class JobSplitter {
  private final Job job;
  private final BiFunction<Integer, List<GpuNode>, Topology> subset;
  private final Map<List<Object>, Machine> partialMachines = new HashMap<>();

  /** The lowest rank of each machine. */
  private final int[] firstRank;

  /**
   * A group of equal communicators of a split.
   *
   * @param colors the colours of the communicators
   * @param places for each communicator, the indexes of its machines in the whole job
   * @param job the job of one communicator
   */
  public record Part(List<Integer> colors, List<List<Integer>> places, Job job) {
    public Part {
      colors = List.copyOf(colors);
      places = places.stream().map(List::copyOf).toList();
    }

    /** The indexes of the machines of the first communicator in the whole job. */
    public List<Integer> machines() {
      return places.get(0);
    }
  }

  private JobSplitter(Job job, BiFunction<Integer, List<GpuNode>, Topology> subset) {
    this.job = job;
    this.subset = subset;
    this.firstRank = new int[job.machines().size()];
    for (int place = 1; place < firstRank.length; place++) {
      firstRank[place] = firstRank[place - 1] + job.machines().get(place - 1).nRanks();
    }
  }

  /**
   * The communicators of a split, equal ones grouped.
   *
   * @param subset builds the topology of a machine, given its index in the job, from the remaining
   *     GPUs in rank order
   */
  public static List<Part> split(
      Job job, GroupRule split, BiFunction<Integer, List<GpuNode>, Topology> subset) {
    return new JobSplitter(job, subset).parts(split);
  }

  /** True if two communicators of a split, each with several ranks, have ranks on the same host. */
  public static boolean sharesHosts(Job job, GroupRule split) {
    int[] hostOf = new int[job.nRanks()];
    int firstRank = 0;
    int firstHost = 0;
    for (Machine machine : job.machines()) {
      int hosts = 0;
      for (GpuNode gpu : machine.topology().gpus()) {
        hostOf[firstRank + gpu.rank()] = firstHost + gpu.id().systemId();
        hosts = Math.max(hosts, gpu.id().systemId() + 1);
      }
      firstRank += machine.nRanks();
      firstHost += hosts;
    }
    BitSet taken = new BitSet();
    for (List<Integer> ranks : split.groups(job.nRanks()).values()) {
      BitSet hosts = new BitSet();
      ranks.forEach(member -> hosts.set(hostOf[member]));
      if (ranks.size() > 1 && taken.intersects(hosts)) {
        return true;
      }
      if (ranks.size() > 1) {
        taken.or(hosts);
      }
    }
    return false;
  }

  private List<Part> parts(GroupRule split) {
    Map<List<Machine>, List<Integer>> colors = new LinkedHashMap<>();
    Map<List<Machine>, List<List<Integer>>> places = new HashMap<>();
    split
        .groups(job.nRanks())
        .forEach(
            (color, ranks) -> {
              List<Integer> used = new ArrayList<>();
              List<Machine> machines = machines(ranks, used);
              colors.computeIfAbsent(machines, key -> new ArrayList<>()).add(color);
              places.computeIfAbsent(machines, key -> new ArrayList<>()).add(used);
            });
    List<Part> parts = new ArrayList<>();
    colors.forEach(
        (machines, group) ->
            parts.add(
                new Part(group, places.getOrDefault(machines, List.of()), new Job(machines))));
    return parts;
  }

  private List<Machine> machines(List<Integer> ranks, List<Integer> places) {
    List<Machine> machines = new ArrayList<>();
    for (int at = 0; at < ranks.size(); ) {
      int place = machineOf(ranks.get(at));
      int next = firstRank[place] + job.machines().get(place).nRanks();
      List<Integer> local = new ArrayList<>();
      while (at < ranks.size() && ranks.get(at) < next) {
        local.add(ranks.get(at++) - firstRank[place]);
      }
      machines.add(part(place, local));
      places.add(place);
    }
    return machines;
  }

  private int machineOf(int rank) {
    int found = Arrays.binarySearch(firstRank, rank);
    return found < 0 ? -found - 2 : found;
  }

  private Machine part(int place, List<Integer> localRanks) {
    Machine machine = job.machines().get(place);
    return localRanks.size() == machine.nRanks()
        ? machine
        : partialMachines.computeIfAbsent(
            List.of(machine, localRanks), key -> newPart(place, machine, localRanks));
  }

  private Machine newPart(int place, Machine machine, List<Integer> localRanks) {
    List<GpuNode> byRank =
        machine.topology().gpus().stream().sorted(Comparator.comparingInt(GpuNode::rank)).toList();
    return new Machine(
        subset.apply(place, localRanks.stream().map(byRank::get).toList()), machine.settings());
  }
}
