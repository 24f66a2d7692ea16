package dev.topo.model.io;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Does a function on many inputs, on all cores. Inputs are taken and results are handed on by the
 * calling thread, in the order of the inputs, so that only the function must be ready for several
 * threads. Few inputs are taken ahead: memory does not grow with their number.
 */
public final class OrderedWork {
  /** Inputs per thread that are taken ahead, so that a long one does not leave threads idle. */
  private static final int AHEAD = 8;

  private OrderedWork() {}

  /**
   * Does a function on all inputs.
   *
   * <p>An exception of the function is thrown by this method as it is, that of the first input
   * whose function fails; the results of the inputs before it have been handed on. An interrupt
   * does not end the work: the thread is interrupted when this method returns, and what it does
   * next with a file says so.
   */
  public static <T, R> void run(Iterator<T> inputs, Function<T, R> work, Consumer<R> results) {
    int cores = Runtime.getRuntime().availableProcessors();
    ExecutorService threads = Executors.newFixedThreadPool(cores);
    Deque<Future<R>> begun = new ArrayDeque<>();
    boolean isInterrupted = Thread.interrupted();
    try {
      while (inputs.hasNext() || !begun.isEmpty()) {
        while (inputs.hasNext() && begun.size() < AHEAD * cores) {
          T input = inputs.next();
          begun.add(threads.submit(() -> work.apply(input)));
        }
        try {
          R result = begun.element().get();
          begun.remove();
          results.accept(result);
        } catch (InterruptedException e) {
          isInterrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw asItIs(e);
    } finally {
      threads.shutdownNow();
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The exception that the function threw, which is no failure of the thread. */
  private static RuntimeException asItIs(ExecutionException e) {
    if (e.getCause() instanceof Error error) {
      throw error;
    }
    return e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
  }
}
