package dev.topo.cli.diff;

import dev.topo.cli.job.MachineName;
import dev.topo.cli.terminal.Progress;
import dev.topo.inspect.compare.MachineDifferences;
import dev.topo.inspect.fleet.Fleet;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.job.Machine;
import dev.topo.model.xml.XmlElement;
import dev.topo.simulator.compare.DiffResult;
import dev.topo.simulator.compare.DifferenceCost;
import dev.topo.simulator.compare.FleetResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Compares the groups of a fleet with the largest and tries one node of each in a job. */
public final class FleetDiff {
  private final DiffJob job;
  private final Progress progress;

  /** Compares in a job, saying how far it is. */
  public FleetDiff(DiffJob job, Progress progress) {
    this.job = job;
    this.progress = progress;
  }

  /** A group whose machine can be built, from its first file. */
  private record Usable(Fleet.Group group, Machine machine) {
    Path file() {
      return group.files().get(0);
    }
  }

  /** The groups of a fleet, and what its odd nodes cost. */
  public FleetResult of(Optional<Path> folder, Fleet fleet) {
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
      return new FleetResult(folder, fleet.size(), Optional.empty(), List.of(), unreadable);
    }
    Usable first = usable.get(0);
    int nodes = job.nodes(first.machine);
    DifferenceCost cost = job.cost(first.machine);
    XmlElement tree = job.input().tree(first.file());
    List<FleetResult.Odd> odd = new ArrayList<>();
    try (Progress.Task task = progress.begin("odd node", usable.size() - 1)) {
      for (Usable other : usable.subList(1, usable.size())) {
        task.next();
        odd.add(
            new FleetResult.Odd(
                other.group.files(),
                MachineDifferences.of(tree, job.input().tree(other.file())).list(),
                cost.ofOne(other.machine)));
      }
    }
    FleetResult.Reference reference =
        new FleetResult.Reference(
            first.group.files(),
            new DiffResult.Side(
                MachineName.of(first.file()), first.file(), first.machine.topology()),
            job.describe(
                nodes,
                cost.before(),
                odd.stream().map(FleetResult.Odd::change).toList(),
                usable.stream().map(one -> one.machine).toList()));
    return new FleetResult(folder, fleet.size(), Optional.of(reference), odd, unreadable);
  }
}
