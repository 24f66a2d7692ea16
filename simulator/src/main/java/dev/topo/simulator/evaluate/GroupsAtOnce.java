package dev.topo.simulator.evaluate;

import dev.topo.model.io.SpecField;
import dev.topo.model.job.SpecException;

/**
 * Groups whose equal calls run at the same time, as stated.
 *
 * @param label the number of groups of the same GPUs, or {@code split} for the communicators of a
 *     split
 */
public record GroupsAtOnce(String label) {
  /** One group by itself. */
  public static final GroupsAtOnce ONE = new GroupsAtOnce("1");

  /** With more, channels would wait for multiprocessors, which the model does not know. */
  private static final int MOST = 4;

  private static final String OF_SPLIT = "split";

  /** Whether they are the communicators of a split. */
  public boolean isOfSplit() {
    return label.equals(OF_SPLIT);
  }

  /**
   * The groups of the same GPUs.
   *
   * @throws SpecException if it is no number from 1 to 4
   */
  int count() {
    if (isOfSplit()) {
      return 1;
    }
    if (!label.matches("[1-" + MOST + "]")) {
      throw new SpecException(
          SpecField.GROUPS_AT_ONCE, " %s: expected 1 to %d, or %s", label, MOST, OF_SPLIT);
    }
    return Integer.parseInt(label);
  }
}
