package dev.topo.simulator.variant;

import dev.topo.inspect.difference.Difference;
import dev.topo.inspect.difference.MachineDifferences;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.simulator.variant.DiffJob.DiffMonitor;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Compares two machines and evaluates each difference separately on the first. */
public final class PairDiff {
  private PairDiff() {}

  /**
   * The differences between two machines and the effect of each on the job, or on the communicators
   * of a split by label.
   */
  public static Map<String, DiffResult> of(
      DiffJob job, DiffMonitor monitor, Path fileA, Path fileB) {
    Machine a = job.machine(fileA);
    Machine b = job.machine(fileB);
    XmlElement treeA = job.tree(fileA);
    List<Difference> differences = MachineDifferences.of(treeA, job.tree(fileB)).list();
    DiffJob.Trial trial = job.new Trial(fileA, a);
    try (DiffMonitor.Task task = monitor.begin("difference", differences.size())) {
      for (Difference difference : differences) {
        task.next();
        trial.tryAll(difference.applyTo(treeA));
      }
    }
    trial.tryAll(fileB);
    Map<String, DiffResult> results = new LinkedHashMap<>();
    for (SplitChanges.Changed changed : trial.changed()) {
      List<DiffResult.Tried> tried =
          IntStream.range(0, differences.size())
              .mapToObj(i -> new DiffResult.Tried(differences.get(i), changed.changes().get(i)))
              .toList();
      results.put(
          changed.label(),
          new DiffResult(
              new DiffResult.Side(MachineName.of(fileA), fileA, a.topology()),
              new DiffResult.Side(MachineName.of(fileB), fileB, b.topology()),
              trial.describe(changed, List.of(a, b)),
              tried,
              changed.changes().get(differences.size())));
    }
    return results;
  }
}
