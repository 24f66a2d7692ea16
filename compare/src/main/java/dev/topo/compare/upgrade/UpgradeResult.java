package dev.topo.compare.upgrade;

import dev.topo.compare.JobAnswer;
import dev.topo.compare.JobChange;
import dev.topo.search.rules.ReleaseRules;
import java.util.List;

/**
 * A job under the rules of two releases.
 *
 * @param name the machines of the job in words
 * @param nodes number of machines
 * @param from the rules before
 * @param to the rules after
 * @param before what NCCL does by the rules before
 * @param after what it does by those after
 * @param change what differs in graphs, choices and busbw
 * @param points the most important change of each kind, what matters most first
 */
public record UpgradeResult(
    String name,
    int nodes,
    ReleaseRules from,
    ReleaseRules to,
    JobAnswer before,
    JobAnswer after,
    JobChange change,
    List<UpgradePoint> points) {
  /** So many points are what to read first. */
  public static final int MAIN = 3;

  public UpgradeResult {
    points = List.copyOf(points);
  }

  /** What to read first. */
  public List<UpgradePoint> main() {
    return points.subList(0, Math.min(MAIN, points.size()));
  }

  /** Whether the job is the same by both rules. */
  public boolean isEqual() {
    return change.isNone() && points.isEmpty();
  }

  /**
   * Whether the times of some calls are not compared: those between nodes, and those of NCCL's own
   * model, of which each release has its own.
   */
  public boolean hasNcclTimes() {
    return after.predictions().values().stream().anyMatch(one -> !one.source().judges());
  }
}
