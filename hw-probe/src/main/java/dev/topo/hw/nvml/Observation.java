package dev.topo.hw.nvml;

import java.util.Optional;
import java.util.function.Function;

/**
 * A value that was found, or its absence with the reason. A missing library is an ordinary case,
 * not an error.
 *
 * @param <T> what was looked for
 * @param reason why there is no value; empty if there is one
 */
public record Observation<T>(Optional<T> value, String reason) {
  public static <T> Observation<T> of(T value) {
    return new Observation<>(Optional.of(value), "");
  }

  public static <T> Observation<T> absent(String reason) {
    return new Observation<>(Optional.empty(), reason);
  }

  /** An observation of something made of the value. */
  public <R> Observation<R> map(Function<? super T, ? extends R> function) {
    return new Observation<>(value.map(function), reason);
  }
}
