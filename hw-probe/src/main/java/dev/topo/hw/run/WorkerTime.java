package dev.topo.hw.run;

import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** Clock and waits of a worker and its parent. Every wait ends early when its condition is met. */
public interface WorkerTime {
  /** System time. */
  WorkerTime SYSTEM =
      new WorkerTime() {
        @Override
        public long nowNs() {
          return System.nanoTime();
        }

        @Override
        public void pause(long ms) throws InterruptedException {
          Thread.sleep(ms);
        }

        @Override
        public <T> Optional<T> next(BlockingQueue<T> queue, long ms) throws InterruptedException {
          return Optional.ofNullable(queue.poll(ms, TimeUnit.MILLISECONDS));
        }

        @Override
        public void end(Process process, long ms) throws InterruptedException {
          process.waitFor(ms, TimeUnit.MILLISECONDS);
        }

        @Override
        public void end(Thread thread, long ms) throws InterruptedException {
          thread.join(ms);
        }
      };

  /** Time in ns; only differences are meaningful. */
  long nowNs();

  /** Waits for {@code ms}. */
  void pause(long ms) throws InterruptedException;

  /** Next element of a queue; empty if none is added within {@code ms}. */
  <T> Optional<T> next(BlockingQueue<T> queue, long ms) throws InterruptedException;

  /** Waits up to {@code ms} for the end of a process. */
  void end(Process process, long ms) throws InterruptedException;

  /** Waits up to {@code ms} for the end of a thread. */
  void end(Thread thread, long ms) throws InterruptedException;
}
