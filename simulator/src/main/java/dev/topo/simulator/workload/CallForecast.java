package dev.topo.simulator.workload;

import java.util.Optional;

/**
 * The predicted time of a call.
 *
 * @param expected the prediction; empty if the model does not know the call
 * @param reason why there is none; empty if there is one
 * @param isOfMachine whether the reason is the machine or its settings, so that another machine may
 *     run the call; otherwise the trace lacks information, or the call takes no time
 * @param isRefused whether NCCL refuses the call on this machine with these settings
 */
public record CallForecast(
    Optional<Expected> expected, String reason, boolean isOfMachine, boolean isRefused) {
  static CallForecast of(Expected expected) {
    return new CallForecast(Optional.of(expected), "", false, false);
  }

  /** No time, whatever the machine. */
  public static CallForecast unknown(String reason) {
    return new CallForecast(Optional.empty(), reason, false, false);
  }

  /** No time on this machine. */
  static CallForecast impossible(String reason) {
    return new CallForecast(Optional.empty(), reason, true, false);
  }

  /** No time because NCCL refuses the call. */
  static CallForecast refused(String reason) {
    return new CallForecast(Optional.empty(), reason, true, true);
  }
}
