package dev.topo.run.bench;

import dev.topo.run.call.Average;
import java.util.List;

/** The processes of a run. Every one of them calls the same methods in the same order. */
public interface Peers {
  void meet();

  /** The combined value of all processes. */
  double combine(double value, Average average);

  long sum(long value);

  List<String> gather(String text);

  /** No other process. */
  Peers ALONE =
      new Peers() {
        @Override
        public void meet() {}

        @Override
        public double combine(double value, Average average) {
          return value;
        }

        @Override
        public long sum(long value) {
          return value;
        }

        @Override
        public List<String> gather(String text) {
          return List.of(text);
        }
      };
}
