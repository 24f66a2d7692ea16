package dev.topo.model.job;

import dev.topo.model.MachineKind;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The machines of a communicator in rank order, with one rank per GPU: the ranks of each machine
 * follow those of the previous one. Equal machines should be the same object, listed several times,
 * so that a job of ten thousand of them needs the memory of one.
 *
 * @param machines the machines
 */
public record Job(List<Machine> machines) {
  /** More machines than any job has; prevents a typing error from exhausting the memory. */
  public static final int MOST_MACHINES = 1_000_000;

  /** Copies the list and checks that there is a machine. */
  public Job {
    machines = List.copyOf(machines);
    if (machines.isEmpty()) {
      throw new IllegalArgumentException("a job needs at least one machine");
    }
  }

  /** A job of {@code count} equal machines. */
  public static Job ofEqual(Machine machine, int count) {
    return new Job(Collections.nCopies(count, machine));
  }

  /** The job with its machines in another order, given by their indexes. */
  public Job inOrder(List<Integer> order) {
    return new Job(order.stream().map(machines::get).toList());
  }

  /** The job with each machine replaced. Equal machines stay one object. */
  public Job map(UnaryOperator<Machine> change) {
    Map<Machine, Machine> changed = new IdentityHashMap<>();
    return new Job(
        machines.stream().map(machine -> changed.computeIfAbsent(machine, change)).toList());
  }

  /** The job with the settings of each machine replaced. Equal machines stay one object. */
  public Job withSettings(UnaryOperator<NcclSettings> change) {
    return map(machine -> new Machine(machine.topology(), change.apply(machine.settings())));
  }

  /**
   * The settings of the first machine, which apply to all ranks: NCCL does not work if they differ.
   */
  public NcclSettings settings() {
    return first().settings();
  }

  /**
   * The first machine; properties that differ between machines are taken from all {@link #kinds}.
   */
  public Machine first() {
    return machines.get(0);
  }

  /** Its distinct machines, by object identity. */
  public List<Machine> kinds() {
    Set<Machine> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    return machines.stream().filter(seen::add).toList();
  }

  /** True if its machines are of several kinds, for which no joint measurements exist. */
  public boolean isMixed() {
    return MachineKind.differ(kinds().stream().map(Machine::topology).toList());
  }

  public int nRanks() {
    return machines.stream().mapToInt(Machine::nRanks).sum();
  }

  /** Number of hosts: a machine that is an NVLink domain has several. */
  public int nHosts() {
    return machines.stream().mapToInt(machine -> machine.topology().nHosts()).sum();
  }
}
