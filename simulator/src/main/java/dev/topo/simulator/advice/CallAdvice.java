package dev.topo.simulator.advice;

import dev.topo.model.operation.Call;
import java.util.Optional;

/**
 * The best alternative for a call.
 *
 * @param now the call as the job makes it
 * @param best the way to run it whose gain is largest at the lower end of its range, or {@code now}
 * @param gain of the best; none where nothing is advised
 * @param candidate what is predicted to be faster, but not by more than the range of its gain;
 *     empty where something is advised
 */
public record CallAdvice(
    Alternative now, Alternative best, Gain gain, Optional<Candidate> candidate) {
  /**
   * A way to run a call that only a measurement can judge.
   *
   * @param variant the way
   * @param gain its gain; empty where no range of it is known
   */
  public record Candidate(Alternative variant, Optional<Gain> gain) {}

  /** The call. */
  public Call call() {
    return now.call();
  }

  public boolean isAdvised() {
    return !best.equals(now);
  }
}
