package dev.topo.run.bench;

import dev.topo.run.call.Average;
import java.util.List;

/** The processes of a run. Every one of them calls the same methods in the same order. */
public interface Peers {
  void meet();

  /** What becomes of a number of each; with {@link Average#RANK_0} that of process 0. */
  double combine(double value, Average average);

  /** The sum over all. */
  long sum(long value);

  /** A text of each, in order. */
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
