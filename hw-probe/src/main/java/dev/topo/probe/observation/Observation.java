package dev.topo.probe.observation;

import java.util.Optional;
import java.util.function.Function;

/**
 * A value that was found, or its absence with the reason. A missing library is an ordinary case,
 * not an error.
 *
 * @param <T> what was looked for
 */
public sealed interface Observation<T> {
  static <T> Observation<T> of(T value) {
    return new Present<>(value);
  }

  /** An absent value with the reason. */
  static <T> Observation<T> absent(String reason) {
    return new Absent<>(reason);
  }

  /** The value, if it was found. */
  Optional<T> value();

  /** Why there is none; empty if there is one. */
  String reason();

  /** The same about something made of the value. */
  <R> Observation<R> map(Function<? super T, ? extends R> function);

  /** Found. */
  record Present<T>(T present) implements Observation<T> {
    @Override
    public Optional<T> value() {
      return Optional.of(present);
    }

    @Override
    public String reason() {
      return "";
    }

    @Override
    public <R> Observation<R> map(Function<? super T, ? extends R> function) {
      return new Present<>(function.apply(present));
    }
  }

  /** Not found. */
  record Absent<T>(String reason) implements Observation<T> {
    @Override
    public Optional<T> value() {
      return Optional.empty();
    }

    @Override
    public <R> Observation<R> map(Function<? super T, ? extends R> function) {
      return new Absent<>(reason);
    }
  }
}
