package dev.topo.simulator.compare;

import dev.topo.inspect.compare.Difference;
import dev.topo.inspect.compare.MachineDifferences;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.job.Machine;
import dev.topo.model.xml.XmlElement;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Compares two machines and tries each difference by itself on the first. */
public final class PairDiff {
  private final DiffJob job;
  private final DiffMonitor monitor;

  /** Compares in a job and reports the progress. */
  public PairDiff(DiffJob job, DiffMonitor monitor) {
    this.job = job;
    this.monitor = monitor;
  }

  /** What differs between two machines, and what each difference changes. */
  public DiffResult of(Path fileA, Path fileB) {
    Machine a = job.files().machine(fileA);
    Machine b = job.files().machine(fileB);
    XmlElement treeA = job.files().tree(fileA);
    MachineDifferences differences = MachineDifferences.of(treeA, job.files().tree(fileB));
    int nodes = job.nodes(a);
    DifferenceCost cost = job.cost(a);
    List<DiffResult.Tried> tried = new ArrayList<>();
    try (DiffMonitor.Task task = monitor.begin("difference", differences.list().size())) {
      for (Difference difference : differences.list()) {
        task.next();
        tried.add(new DiffResult.Tried(difference, change(difference.applyTo(treeA), cost)));
      }
    }
    JobChange together = cost.ofAll(b);
    return new DiffResult(
        new DiffResult.Side(job.files().name(fileA), fileA, a.topology()),
        new DiffResult.Side(job.files().name(fileB), fileB, b.topology()),
        job.describe(nodes, cost.before(), changes(tried, together), List.of(a, b)),
        tried,
        together);
  }

  private JobChange change(XmlElement edited, DifferenceCost cost) {
    Machine machine;
    try {
      machine = job.files().machine(edited);
    } catch (TopologyFormatException e) {
      return JobChange.failed("not possible by itself: " + e.getMessage());
    }
    return cost.ofAll(machine);
  }

  private static List<JobChange> changes(List<DiffResult.Tried> tried, JobChange together) {
    List<JobChange> changes = new ArrayList<>(List.of(together));
    tried.forEach(one -> changes.add(one.change()));
    return changes;
  }
}
