package dev.topo.search.connect;

import java.util.Objects;

/**
 * A step on the way to the number of channels of a communicator.
 *
 * @param channels the number after it
 * @param reason why it is that
 */
public record ChannelStep(int channels, String reason) {
  /** Checks that there is a reason. */
  public ChannelStep {
    Objects.requireNonNull(reason, "reason");
  }
}
