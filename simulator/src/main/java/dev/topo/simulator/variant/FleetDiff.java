package dev.topo.simulator.variant;

import dev.topo.inspect.difference.Difference;
import dev.topo.inspect.difference.Fleet;
import dev.topo.inspect.difference.MachineDifferences;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.simulator.variant.DiffJob.DiffMonitor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** Compares the groups of a fleet with the largest one and evaluates one node of each in a job. */
public final class FleetDiff {
  private FleetDiff() {}

  /** A group with a usable machine, from its first file. */
  private record Usable(Fleet.Group group, Machine machine) {
    Path file() {
      return group.files().get(0);
    }
  }

  /**
   * The groups of a fleet and the cost of its odd nodes, for the job or for the communicators of a
   * split by label.
   */
  public static Map<String, FleetResult> of(
      DiffJob job, DiffMonitor monitor, Optional<Path> folder, Fleet fleet) {
    List<Fleet.Unreadable> unreadable = new ArrayList<>(fleet.unreadable());
    List<Usable> usable = new ArrayList<>();
    for (Fleet.Group group : fleet.groups()) {
      try {
        usable.add(new Usable(group, job.machine(group.files().get(0))));
      } catch (TopologyFormatException e) {
        for (Path file : group.files()) {
          unreadable.add(new Fleet.Unreadable(file, String.valueOf(e.getMessage())));
        }
      }
    }
    if (usable.isEmpty()) {
      return Map.of(
          "", new FleetResult(folder, fleet.size(), Optional.empty(), List.of(), unreadable));
    }
    Usable first = usable.get(0);
    DiffJob.Trial trial = job.new Trial(first.file(), first.machine);
    XmlElement tree = job.tree(first.file());
    List<Usable> others = usable.subList(1, usable.size());
    List<List<Difference>> differences = new ArrayList<>();
    try (DiffMonitor.Task task = monitor.begin("odd node", others.size())) {
      for (Usable other : others) {
        task.next();
        differences.add(MachineDifferences.of(tree, job.tree(other.file())).list());
        trial.tryOne(other.file());
      }
    }
    List<Machine> machines = usable.stream().map(Usable::machine).toList();
    Map<String, FleetResult> results = new LinkedHashMap<>();
    for (SplitChanges.Changed changed : trial.changed()) {
      List<FleetResult.Odd> odd =
          IntStream.range(0, others.size())
              .mapToObj(
                  i ->
                      new FleetResult.Odd(
                          others.get(i).group.files(),
                          differences.get(i),
                          changed.changes().get(i)))
              .toList();
      FleetResult.Reference reference =
          new FleetResult.Reference(
              first.group.files(),
              new DiffResult.Side(
                  MachineName.of(first.file()), first.file(), first.machine.topology()),
              trial.describe(changed, machines));
      results.put(
          changed.label(),
          new FleetResult(folder, fleet.size(), Optional.of(reference), odd, unreadable));
    }
    return results;
  }
}
