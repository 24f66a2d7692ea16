package dev.topo.workload.compare;

import java.util.Optional;

/**
 * What the model says of a call.
 *
 * @param expected what it expects; empty where it does not know the call
 * @param reason why it does not; empty where it does
 */
public record Forecast(Optional<Expected> expected, String reason) {
  static Forecast of(Expected expected) {
    return new Forecast(Optional.of(expected), "");
  }

  static Forecast unknown(String reason) {
    return new Forecast(Optional.empty(), reason);
  }
}
