package dev.topo.hw.run;

import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Time that passes by steps that a test chooses, not by itself. Waits end by what is waited for
 * only, unless the test chooses that it does not happen.
 */
final class PretendTime implements WorkerTime {
  private static final long SECOND_NS = 1_000_000_000;

  private final AtomicLong nowNs = new AtomicLong();
  private final AtomicInteger pauses = new AtomicInteger();
  private long perReadingNs;
  private long perLineNs;
  private Optional<String> last = Optional.empty();
  private boolean isSilent;

  private PretendTime() {}

  /** Time that does not pass. */
  static PretendTime standing() {
    return new PretendTime();
  }

  /** Time of which a second passes with each line of a worker. */
  static PretendTime perLine() {
    PretendTime time = new PretendTime();
    time.perLineNs = SECOND_NS;
    return time;
  }

  /** Time that passes in vain after a line with a text: nothing that is waited for happens. */
  static PretendTime inVainAfter(String text) {
    PretendTime time = new PretendTime();
    time.last = Optional.of(text);
    return time;
  }

  /** Time of which a millisecond passes with each look at the clock. */
  static PretendTime perReading() {
    PretendTime time = new PretendTime();
    time.perReadingNs = 1_000_000;
    return time;
  }

  /** The same with some pauses that end at once. */
  PretendTime withPauses(int count) {
    pauses.set(count);
    return this;
  }

  @Override
  public long nowNs() {
    return nowNs.addAndGet(perReadingNs);
  }

  @Override
  public void pause(long ms) throws InterruptedException {
    if (pauses.getAndDecrement() <= 0) {
      new CountDownLatch(1).await();
    }
  }

  @Override
  public <T> Optional<T> next(BlockingQueue<T> queue, long ms) throws InterruptedException {
    if (isSilent) {
      nowNs.addAndGet(SECOND_NS);
      return Optional.empty();
    }
    T next = queue.take();
    nowNs.addAndGet(perLineNs);
    isSilent = last.filter(next.toString()::contains).isPresent();
    return Optional.of(next);
  }

  @Override
  public void end(Process process, long ms) throws InterruptedException {
    if (!isSilent) {
      process.waitFor();
    }
  }

  @Override
  public void end(Thread thread, long ms) throws InterruptedException {
    thread.join();
  }
}
