package dev.topo.simulator.evaluate;

import dev.topo.model.Alike;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Topology;
import dev.topo.model.job.GroupRule;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.RankPlaces;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
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
  private final RankPlaces places;
  private final Map<List<Object>, Machine> partialMachines = new HashMap<>();

  /**
   * A splitter of a job.
   *
   * @param subset builds the topology of a machine, given its index in the job, from the remaining
   *     GPUs in rank order
   */
  public JobSplitter(Job job, BiFunction<Integer, List<GpuNode>, Topology> subset) {
    this.job = job;
    this.subset = subset;
    this.places = new RankPlaces(job);
  }

  /** True if two communicators of a split, each with several ranks, have ranks on the same host. */
  public static boolean sharesHosts(Job job, GroupRule split) {
    int[] hostOf = new int[job.nRanks()];
    int firstRank = 0;
    int firstHost = 0;
    for (Machine machine : job.machines()) {
      int hosts = 0;
      for (GpuNode gpu : machine.topology().gpus()) {
        hostOf[firstRank + gpu.rank()] = firstHost + gpu.systemId();
        hosts = Math.max(hosts, gpu.systemId() + 1);
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

  /** The communicators of a split without their files, equal ones grouped. */
  List<JobPart> parts(GroupRule split) {
    record Colored(int color, JobPart part) {}
    List<Colored> communicators = new ArrayList<>();
    split
        .groups(job.nRanks())
        .forEach((color, ranks) -> communicators.add(new Colored(color, part(ranks))));
    List<JobPart> parts = new ArrayList<>();
    Alike.by(communicators, colored -> colored.part.job())
        .forEach(
            (communicator, alike) ->
                parts.add(
                    new JobPart(
                        alike.stream().map(Colored::color).toList(),
                        List.of(),
                        communicator,
                        "",
                        job,
                        alike.stream().map(colored -> colored.part.machines()).toList())));
    return parts;
  }

  /**
   * The communicator of some ranks, without a colour and files.
   *
   * @throws IllegalArgumentException if the job has no such rank
   */
  public JobPart part(List<Integer> ranks) {
    Map<Integer, List<Integer>> byMachine = places.byMachine(ranks);
    List<Machine> machines = new ArrayList<>();
    byMachine.forEach((place, localRanks) -> machines.add(machine(place, localRanks)));
    return JobPart.some(job, List.copyOf(byMachine.keySet()), machines);
  }

  private Machine machine(int place, List<Integer> localRanks) {
    Machine machine = job.machines().get(place);
    return localRanks.size() == machine.nRanks()
        ? machine
        : partialMachines.computeIfAbsent(
            List.of(machine, localRanks), key -> newPart(place, machine, localRanks));
  }

  private Machine newPart(int place, Machine machine, List<Integer> localRanks) {
    List<GpuNode> byRank = machine.topology().gpusByRank();
    return new Machine(
        subset.apply(place, localRanks.stream().map(byRank::get).toList()), machine.settings());
  }
}
