package dev.topo.simulator.workload;

import java.util.Optional;

/**
 * The forecast of a call.
 *
 * @param expected what it expects; empty where it does not know the call
 * @param reason why it does not; empty where it does
 * @param isOfMachine whether the reason is the machine or its settings: another one may run the
 *     call; else the trace has too little of it, or it takes no time
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

  /** No time, as NCCL refuses the call. */
  static CallForecast refused(String reason) {
    return new CallForecast(Optional.empty(), reason, true, true);
  }
}
