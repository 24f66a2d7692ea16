package dev.topo.simulator.advice;

import java.util.Optional;

/**
 * A call before and after a change of the settings of all processes.
 *
 * @param now the call as the job makes it
 * @param then the call after the change
 * @param gain what that gains or, below 1, loses; empty where no range of it is known
 */
public record CallChange(Alternative now, Alternative then, Optional<Gain> gain) {
  /** True if NCCL runs the call in another way. */
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
