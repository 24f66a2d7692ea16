package dev.topo.simulator.advice;

import dev.topo.model.operation.Call;
import java.util.Optional;

/**
 * The best alternative for a call.
 *
 * @param now the call in the present job
 * @param best the alternative with the largest certain gain, or {@code now} if nothing is advised
 * @param gain gain of the best alternative; {@link Gain#NONE} if nothing is advised
 * @param candidate an alternative that is predicted to be faster, but not by more than the range of
 *     its gain; empty if something is advised
 */
public record CallAdvice(
    Alternative now, Alternative best, Gain gain, Optional<Candidate> candidate) {
  /**
   * An alternative that only a measurement can judge.
   *
   * @param variant the alternative
   * @param gain its gain; empty if its range is unknown
   */
  public record Candidate(Alternative variant, Optional<Gain> gain) {}

  /** The call. */
  public Call call() {
    return now.call();
  }

  /** True if an alternative is advised. */
  public boolean isAdvised() {
    return !best.equals(now);
  }
}
