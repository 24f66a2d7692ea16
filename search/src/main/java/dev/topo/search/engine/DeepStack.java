package dev.topo.search.engine;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * Runs a search where its recursion fits. A search is as deep as all GPUs of all channels together,
 * which on large NVLink domains is more than the stack of an ordinary thread takes.
 */
final class DeepStack {
  /** GPUs with which a search fits any thread. */
  private static final int SHALLOW_GPUS = 16;

  /** Enough for NCCL's 576 GPUs in 64 channels; memory that is not used is not taken. */
  private static final long STACK_BYTES = 512L << 20;

  private DeepStack() {}

  /**
   * Runs {@code search} on this thread or, for many GPUs, on one with a deep stack, and returns or
   * throws what it does.
   */
  static <T> T call(int gpus, Supplier<T> search) {
    if (gpus <= SHALLOW_GPUS) {
      return search.get();
    }
    FutureTask<T> task = new FutureTask<>(search::get);
    Thread thread = new Thread(null, task, "topo-search", STACK_BYTES);
    thread.setDaemon(true);
    thread.start();
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while searching", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      if (e.getCause() instanceof Error failure) {
        throw failure;
      }
      throw new IllegalStateException("the search failed", e.getCause());
    }
  }
}
