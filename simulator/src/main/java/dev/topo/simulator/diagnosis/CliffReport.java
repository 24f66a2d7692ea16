package dev.topo.simulator.diagnosis;

import dev.topo.search.tuning.TunerRule;
import java.util.List;

/**
 * The sizes at which NCCL's choice loses.
 *
 * @param cliffs in the order of collective and size
 * @param unconfirmed sizes below 1 MiB that seem to lose by one pair of times only
 * @param rules what mends them, as lines of NCCL's example tuner plugin; they belong before the
 *     lines of {@code topo tune --format tuner}, as the plugin runs calls without a line on one
 *     channel
 * @param noisePercent the deviation (one standard deviation) of calls below 1 MiB and of larger
 *     ones
 * @param noiseOrigin where it comes from
 */
public record CliffReport(
    List<Cliff> cliffs,
    List<Cliff> unconfirmed,
    List<TunerRule> rules,
    Noise noisePercent,
    String noiseOrigin) {
  /**
   * Deviations of times.
   *
   * @param small of calls below 1 MiB
   * @param large of larger calls
   */
  public record Noise(double small, double large) {}

  public CliffReport {
    cliffs = List.copyOf(cliffs);
    unconfirmed = List.copyOf(unconfirmed);
    rules = List.copyOf(rules);
  }
}
