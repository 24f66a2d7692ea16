package dev.topo.simulator.advice;

import java.util.Optional;

/**
 * A call before and after a change of the settings of all processes.
 *
 * @param now the call in the present job
 * @param then the call after the change
 * @param gain gain; a ratio below 1 is a loss; empty if its range is unknown
 */
public record CallChange(Alternative now, Alternative then, Optional<Gain> gain) {
  /** True if NCCL runs the call differently. */
  public boolean isChanged() {
    return !isSame(now, then);
  }

  /** True if two alternatives run a call in the same way, in the same time. */
  static boolean isSame(Alternative one, Alternative other) {
    return one.timeUs() == other.timeUs()
        && one.ctas() == other.ctas()
        && one.launchName().equals(other.launchName())
        && one.setup().buffers() == other.setup().buffers();
  }
}
