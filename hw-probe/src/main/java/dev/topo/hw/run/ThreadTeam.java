package dev.topo.hw.run;

import java.util.Arrays;
import java.util.concurrent.Phaser;
import java.util.function.ToDoubleBiFunction;

/**
 * Threads of this process. The last one to arrive at a barrier communicates with the other
 * processes. If a thread fails, {@link #dissolve} ends the waits of the others.
 */
final class ThreadTeam {
  private static final ToDoubleBiFunction<double[], Peers> NOTHING = (values, peers) -> 0;

  private final Peers peers;
  private final double[] values;
  private final double[][] times;
  private final Phaser barrier;

  /** Operation of the last thread to arrive. */
  private volatile ToDoubleBiFunction<double[], Peers> exchange = NOTHING;

  private volatile double result;
  private volatile IterationTimes gathered = IterationTimes.NONE;

  /** Another thread of this process has failed and reports the reason. */
  public static final class Dissolved extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private Dissolved() {
      super("another thread failed");
    }
  }

  ThreadTeam(int threads, Peers peers) {
    this.peers = peers;
    this.values = new double[threads];
    this.times = new double[threads][];
    this.barrier =
        new Phaser(threads) {
          @Override
          protected boolean onAdvance(int phase, int registered) {
            result = exchange.applyAsDouble(values, ThreadTeam.this.peers);
            return false;
          }
        };
  }

  Member member(int thread) {
    return new Member(thread);
  }

  /** Ends all current and future waits. */
  void dissolve() {
    barrier.forceTermination();
  }

  /**
   * Thread of the team. All threads call the same methods in the same order; each call waits for
   * the others.
   */
  public final class Member {
    private final int thread;

    private Member(int thread) {
      this.thread = thread;
    }

    void meet() {
      exchange(
          0,
          (all, processes) -> {
            processes.meet();
            return 0;
          });
    }

    double average(double seconds, Average average) {
      return exchange(seconds, (all, processes) -> processes.combine(average.of(all), average));
    }

    long sum(long value) {
      return (long)
          exchange(value, (all, processes) -> processes.sum((long) Arrays.stream(all).sum()));
    }

    /** Times of all processes, each the longest of its threads. */
    IterationTimes gather(double[] timesUs) {
      times[thread] = timesUs;
      exchange(
          0,
          (all, processes) -> {
            gathered = IterationTimes.parse(processes.gather(IterationTimes.text(times)));
            return 0;
          });
      return gathered;
    }

    /** Exchanges values; all threads pass the same step. */
    private double exchange(double value, ToDoubleBiFunction<double[], Peers> step) {
      values[thread] = value;
      exchange = step;
      await();
      double answer = result;
      // No thread may set the next value before all have read the current one.
      if (values.length > 1) {
        exchange = NOTHING;
        await();
      }
      return answer;
    }

    private void await() {
      if (barrier.arriveAndAwaitAdvance() < 0) {
        throw new Dissolved();
      }
    }
  }
}
