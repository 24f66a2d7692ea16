package dev.topo.hw.run;

import java.util.List;

/**
 * Processes of a run, which all call the same methods in the same order. The defaults are those of
 * a single process.
 */
public interface Peers {
  /** No other processes. */
  Peers ALONE = new Peers() {};

  default void meet() {}

  /** Combined value of all processes. */
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
