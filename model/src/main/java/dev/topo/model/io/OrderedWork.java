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
 * Applies a function to many inputs on all cores. The calling thread reads the inputs and delivers
 * the results in input order: only the function must be thread-safe. Few inputs are read ahead:
 * memory does not grow with their number.
 */
public final class OrderedWork {
  /** Inputs per thread that are read ahead, so that a slow one does not leave threads idle. */
  private static final int READ_AHEAD = 8;

  private OrderedWork() {}

  /**
   * Applies a function to all inputs.
   *
   * <p>Rethrows the exception for the first failing input unchanged; the results of earlier inputs
   * have been delivered. An interrupt does not end the work: the interrupt status is set again on
   * return, so that the thread's next file operation fails.
   */
  public static <T, R> void run(Iterator<T> inputs, Function<T, R> work, Consumer<R> results) {
    int cores = Runtime.getRuntime().availableProcessors();
    ExecutorService threads = Executors.newFixedThreadPool(cores);
    Deque<Future<R>> pending = new ArrayDeque<>();
    boolean isInterrupted = Thread.interrupted();
    try {
      while (inputs.hasNext() || !pending.isEmpty()) {
        while (inputs.hasNext() && pending.size() < READ_AHEAD * cores) {
          T input = inputs.next();
          pending.add(threads.submit(() -> work.apply(input)));
        }
        try {
          R result = pending.element().get();
          pending.remove();
          results.accept(result);
        } catch (InterruptedException e) {
          isInterrupted = true;
        }
      }
    } catch (ExecutionException e) {
      throw unwrapped(e);
    } finally {
      threads.shutdownNow();
      if (isInterrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The exception thrown by the function, without the wrapper of the thread. */
  private static RuntimeException unwrapped(ExecutionException e) {
    if (e.getCause() instanceof Error error) {
      throw error;
    }
    return e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
  }
}
