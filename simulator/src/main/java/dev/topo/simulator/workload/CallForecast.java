package dev.topo.simulator.workload;

import java.util.Optional;

/**
 * The predicted time of a call.
 *
 * @param expected the prediction; empty if there is none
 * @param reason reason why there is no prediction; empty if there is one
 * @param isOfMachine whether the reason is the machine or its settings, so that there may be a
 *     prediction for another machine; otherwise the trace lacks information, or the call takes no
 *     time
 * @param isRefused whether NCCL refuses the call on this machine with these settings
 */
public record CallForecast(
    Optional<Expected> expected, String reason, boolean isOfMachine, boolean isRefused) {
  static CallForecast of(Expected expected) {
    return new CallForecast(Optional.of(expected), "", false, false);
  }

  /** No prediction, whatever the machine. */
  public static CallForecast unknown(String reason) {
    return new CallForecast(Optional.empty(), reason, false, false);
  }

  /** No prediction on this machine. */
  static CallForecast impossible(String reason) {
    return new CallForecast(Optional.empty(), reason, true, false);
  }

  /** No prediction because NCCL refuses the call. */
  static CallForecast refused(String reason) {
    return new CallForecast(Optional.empty(), reason, true, true);
  }
}
