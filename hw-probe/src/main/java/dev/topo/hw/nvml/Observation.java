package dev.topo.hw.nvml;

import java.util.Optional;
import java.util.function.Function;

/**
 * Value, or the reason for its absence. A missing library is an ordinary case, not an error.
 *
 * @param <T> type of the value
 * @param reason why there is no value; empty if there is one
 */
public record Observation<T>(Optional<T> value, String reason) {
  public static <T> Observation<T> of(T value) {
    return new Observation<>(Optional.of(value), "");
  }

  static <T> Observation<T> absent(String reason) {
    return new Observation<>(Optional.empty(), reason);
  }

  /** Observation of a value derived from this one. */
  public <R> Observation<R> map(Function<? super T, ? extends R> function) {
    return new Observation<>(value.map(function), reason);
  }
}
