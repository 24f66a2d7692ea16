package dev.topo.hw.run;

import java.util.List;

/**
 * The processes of a run. Every one of them calls the same methods in the same order. The defaults
 * are those of a single process.
 */
public interface Peers {
  /** No other process. */
  Peers ALONE = new Peers() {};

  default void meet() {}

  /** The combined value of all processes. */
  default double combine(double value, Average average) {
    return value;
  }

  default long sum(long value) {
    return value;
  }

  default List<String> gather(String text) {
    return List.of(text);
  }
}
