package dev.topo.simulator.variant;

import dev.topo.inspect.difference.Fleet;
import dev.topo.inspect.difference.MachineDifferences;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine;
import dev.topo.model.xml.XmlElement;
import dev.topo.simulator.variant.DiffJob.DiffMonitor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Compares the groups of a fleet with the largest and tries one node of each in a job. */
public final class FleetDiff {
  private FleetDiff() {}

  /** A group whose machine can be built, from its first file. */
  private record Usable(Fleet.Group group, Machine machine) {
    Path file() {
      return group.files().get(0);
    }
  }

  /** The groups of a fleet, and what its odd nodes cost. */
  public static FleetResult of(
      DiffJob job, DiffMonitor monitor, Optional<Path> folder, Fleet fleet) {
    List<Fleet.Unreadable> unreadable = new ArrayList<>(fleet.unreadable());
    List<Usable> usable = new ArrayList<>();
    for (Fleet.Group group : fleet.groups()) {
      try {
        usable.add(new Usable(group, job.files().machine(group.files().get(0))));
      } catch (TopologyFormatException e) {
        for (Path file : group.files()) {
          unreadable.add(new Fleet.Unreadable(file, String.valueOf(e.getMessage())));
        }
      }
    }
    if (usable.isEmpty()) {
      return new FleetResult(folder, fleet.size(), Optional.empty(), List.of(), unreadable);
    }
    Usable first = usable.get(0);
    DiffJob.Trial trial = job.new Trial(first.machine);
    XmlElement tree = job.files().tree(first.file());
    List<FleetResult.Odd> odd = new ArrayList<>();
    try (DiffMonitor.Task task = monitor.begin("odd node", usable.size() - 1)) {
      for (Usable other : usable.subList(1, usable.size())) {
        task.next();
        odd.add(
            new FleetResult.Odd(
                other.group.files(),
                MachineDifferences.of(tree, job.files().tree(other.file())).list(),
                trial.ofOne(other.machine)));
      }
    }
    FleetResult.Reference reference =
        new FleetResult.Reference(
            first.group.files(),
            new DiffResult.Side(
                job.files().name(first.file()), first.file(), first.machine.topology()),
            trial.describe(
                odd.stream().map(FleetResult.Odd::change).toList(),
                usable.stream().map(member -> member.machine).toList()));
    return new FleetResult(folder, fleet.size(), Optional.of(reference), odd, unreadable);
  }
}
