package dev.topo.simulator.variant;

import dev.topo.inspect.difference.Difference;
import dev.topo.inspect.difference.MachineDifferences;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine;
import dev.topo.model.xml.XmlElement;
import dev.topo.simulator.variant.DiffJob.DiffMonitor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Compares two machines and tries each difference by itself on the first. */
public final class PairDiff {
  private PairDiff() {}

  /** The differences between two machines and the effect of each. */
  public static DiffResult of(DiffJob job, DiffMonitor monitor, Path fileA, Path fileB) {
    Machine a = job.files().machine(fileA);
    Machine b = job.files().machine(fileB);
    XmlElement treeA = job.files().tree(fileA);
    MachineDifferences differences = MachineDifferences.of(treeA, job.files().tree(fileB));
    DiffJob.Trial trial = job.new Trial(a);
    List<DiffResult.Tried> tried = new ArrayList<>();
    try (DiffMonitor.Task task = monitor.begin("difference", differences.list().size())) {
      for (Difference difference : differences.list()) {
        task.next();
        tried.add(new DiffResult.Tried(difference, change(job, difference.applyTo(treeA), trial)));
      }
    }
    JobChange together = trial.ofAll(b);
    List<JobChange> changes =
        Stream.concat(Stream.of(together), tried.stream().map(DiffResult.Tried::change)).toList();
    return new DiffResult(
        new DiffResult.Side(job.files().name(fileA), fileA, a.topology()),
        new DiffResult.Side(job.files().name(fileB), fileB, b.topology()),
        trial.describe(changes, List.of(a, b)),
        tried,
        together);
  }

  private static JobChange change(DiffJob job, XmlElement edited, DiffJob.Trial trial) {
    Machine machine;
    try {
      machine = job.files().machine(edited);
    } catch (TopologyFormatException e) {
      return JobChange.failed("not possible by itself: " + e.getMessage());
    }
    return trial.ofAll(machine);
  }
}
