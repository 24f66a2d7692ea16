package dev.topo.simulator.advice;

import java.util.Optional;

/**
 * A call before and after a change of the settings of all processes.
 *
 * @param now the call in the present job
 * @param then the call after the change
 * @param gain gain, or loss below 1; empty if its range is unknown
 */
public record CallChange(Alternative now, Alternative then, Optional<Gain> gain) {
  /** True if NCCL runs the call differently. */
  public boolean isChanged() {
    return !isSame(now, then);
  }

  static boolean isSame(Alternative alternative, Alternative two) {
    return alternative.timeUs() == two.timeUs()
        && alternative.ctas() == two.ctas()
        && alternative.launchName().equals(two.launchName())
        && alternative.setup().buffers() == two.setup().buffers();
  }
}
