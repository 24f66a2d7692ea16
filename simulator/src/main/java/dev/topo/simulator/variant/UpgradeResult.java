package dev.topo.simulator.variant;

import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.memory.JobMemory;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A job under the rules of two releases.
 *
 * @param name the machines of the job in words
 * @param nodes number of machines
 * @param from the rules before
 * @param to the rules after
 * @param before the answer under the rules before
 * @param after the answer under the rules after
 * @param change the differences of graphs, choices and busbw
 * @param memoryBefore the memory that NCCL allocates for the calls under the rules before; empty if
 *     unknown
 * @param memoryAfter the same under the rules after
 * @param points the most important change of each kind, the most important kind first
 */
public record UpgradeResult(
    String name,
    int nodes,
    ReleaseRules from,
    ReleaseRules to,
    JobAnswer before,
    JobAnswer after,
    JobChange change,
    Optional<JobMemory> memoryBefore,
    Optional<JobMemory> memoryAfter,
    List<UpgradePoint> points) {
  /** Number of points to read first. */
  public static final int MAIN = 3;

  public UpgradeResult {
    points = List.copyOf(points);
  }

  /** The points to read first. */
  public List<UpgradePoint> main() {
    return points.subList(0, Math.min(MAIN, points.size()));
  }

  /** True if the job is known to be the same under both rules. */
  public boolean isEqual() {
    return isWithoutChange() && unknown().isEmpty();
  }

  /** True if no change is known, though there may be one. */
  public boolean isUnknown() {
    return isWithoutChange() && unknown().isPresent();
  }

  private boolean isWithoutChange() {
    return change.isNone() && points.isEmpty();
  }

  /** Reasons why not all changes are known; empty where both releases have rules for the job. */
  public Optional<String> unknown() {
    List<String> reasons =
        Stream.concat(
                withoutRules().stream(),
                Stream.of(from, to)
                    .filter(rules -> !rules.isOwn())
                    .map(rules -> "NCCL %s has no rules of its own".formatted(rules.release())))
            .distinct()
            .toList();
    return reasons.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", reasons));
  }

  /** The releases whose rules come from reading the source, without a comparison of answers. */
  public List<String> readOnly() {
    return Stream.of(from, to)
        .filter(rules -> rules.fit() == ReleaseRules.Fit.READ)
        .map(ReleaseRules::named)
        .toList();
  }

  /** Features of this job that a release has no rules for, each once. */
  public List<String> withoutRules() {
    return Stream.of(before, after)
        .flatMap(answer -> answer.failure().stream())
        .filter(JobFailure::isOfRules)
        .map(JobFailure::reason)
        .distinct()
        .toList();
  }

  /** True if some times are those of NCCL's own model, which differs between releases. */
  boolean hasNcclTimes() {
    return after.predictions().values().stream()
        .anyMatch(prediction -> !prediction.source().predictsTimes());
  }
}
