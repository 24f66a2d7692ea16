package dev.topo.simulator.diagnosis;

import dev.topo.search.tuning.TunerRule;
import java.util.List;

/**
 * Sizes at which NCCL's choice loses.
 *
 * @param cliffs in the order of collective and size
 * @param unconfirmed sizes below 1 MiB for which only one pair of times shows a loss
 * @param rules rules that avoid the losses, as lines for NCCL's example tuner plugin. They belong
 *     before the lines of {@code topo tune --format tuner}: the plugin runs a call that no line
 *     matches on one channel
 * @param noisePercent standard deviation of calls below 1 MiB and of larger ones, in percent
 * @param noiseOrigin origin of the noise figures
 */
public record CliffReport(
    List<Cliff> cliffs,
    List<Cliff> unconfirmed,
    List<TunerRule> rules,
    Noise noisePercent,
    String noiseOrigin) {
  /** The report on nothing measured. */
  public static final CliffReport NONE =
      new CliffReport(List.of(), List.of(), List.of(), new Noise(0, 0), "");

  /**
   * Standard deviations of times.
   *
   * @param small that of calls below 1 MiB
   * @param large that of larger calls
   */
  public record Noise(double small, double large) {}

  public CliffReport {
    cliffs = List.copyOf(cliffs);
    unconfirmed = List.copyOf(unconfirmed);
    rules = List.copyOf(rules);
  }
}
