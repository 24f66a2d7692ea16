package dev.topo.workload.compare;

import java.util.Optional;

/**
 * What the model says of a call.
 *
 * @param expected what it expects; empty where it does not know the call
 * @param reason why it does not; empty where it does
 */
public record CallForecast(Optional<Expected> expected, String reason) {
  static CallForecast of(Expected expected) {
    return new CallForecast(Optional.of(expected), "");
  }

  static CallForecast unknown(String reason) {
    return new CallForecast(Optional.empty(), reason);
  }
}
