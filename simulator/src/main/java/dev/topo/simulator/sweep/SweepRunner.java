package dev.topo.simulator.sweep;

import dev.topo.model.io.OutputException;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.search.connect.GraphCache;
import dev.topo.search.engine.GraphSearch;
import dev.topo.simulator.evaluate.JobEvaluator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * Evaluates chunks of a plan on several threads and writes each as a part of a folder. Each thread
 * holds one chunk in memory. The results depend neither on the number of threads nor on existing
 * parts. An instance makes one run.
 */
public final class SweepRunner {
  /** Number of variants that are evaluated for an estimate. */
  private static final int SAMPLE_SIZE = 8;

  private final SweepPlan plan;
  private final JobEvaluator evaluator;
  private final Function<SpecText, String> words;
  private final GraphCache graphs = new GraphCache(GraphSearch::findAll);
  private final AtomicLong failed = new AtomicLong();
  private Optional<ResultRow> firstFailed = Optional.empty();

  /**
   * A runner for a plan. Graphs are searched once for equal machines.
   *
   * @param words renders texts with the names of their fields
   */
  public SweepRunner(SweepPlan plan, JobEvaluator evaluator, Function<SpecText, String> words) {
    this.plan = plan;
    this.words = words;
    this.evaluator = evaluator.with(graphs);
  }

  /**
   * Summary of a run.
   *
   * @param rows number of rows written
   * @param failed number of rows without a time
   * @param searches number of graph searches
   * @param reason error of the first row without a time; empty if all rows have a time
   */
  public record Done(long rows, long failed, long searches, String reason) {}

  /**
   * Evaluates chunks.
   *
   * @param chunks numbers of the chunks
   * @param threads number of threads
   * @param afterChunk called by a thread each time it has written a chunk
   */
  public Done run(List<Integer> chunks, ResultFolder folder, int threads, Runnable afterChunk) {
    AtomicInteger next = new AtomicInteger();
    AtomicBoolean isStopped = new AtomicBoolean();
    AtomicLong rows = new AtomicLong();
    Runnable work =
        () -> {
          try {
            VariantEvaluator variants = new VariantEvaluator(plan, evaluator, words);
            int at = next.getAndIncrement();
            while (at < chunks.size() && !isStopped.get()) {
              List<ResultRow> chunkRows = rows(chunks.get(at), variants, folder);
              folder.write(chunks.get(at), chunkRows);
              rows.addAndGet(chunkRows.size());
              afterChunk.run();
              at = next.getAndIncrement();
            }
          } catch (RuntimeException | Error e) {
            isStopped.set(true);
            throw e;
          }
        };
    runAll(work, folder, Math.max(1, Math.min(threads, chunks.size())));
    return new Done(rows.get(), failed.get(), graphs.searches(), reason());
  }

  private List<ResultRow> rows(int chunk, VariantEvaluator variants, ResultFolder into) {
    List<ResultRow> rows = new ArrayList<>();
    long first = (long) chunk * plan.chunkSize();
    for (int i = 0; i < plan.sizeOf(chunk); i++) {
      if (Thread.currentThread().isInterrupted()) {
        throw new OutputException("cannot write " + into.part(chunk) + ": interrupted");
      }
      rows.addAll(variants.rows(plan.variant(first + i)));
    }
    countFailures(rows);
    return rows;
  }

  private String reason() {
    return firstFailed.map(row -> row.outcome().error()).orElse("");
  }

  /** Counts the rows without a time, and remembers the first one. */
  private synchronized void countFailures(List<ResultRow> rows) {
    List<ResultRow> withoutTime =
        rows.stream().filter(row -> row.outcome().timeUs().isEmpty()).toList();
    failed.addAndGet(withoutTime.size());
    if (withoutTime.isEmpty()) {
      return;
    }
    if (firstFailed.isEmpty() || withoutTime.get(0).variant() < firstFailed.get().variant()) {
      firstFailed = Optional.of(withoutTime.get(0));
    }
  }

  /**
   * The evaluation of some variants on one thread.
   *
   * @param nanos time for each variant, in nanoseconds
   * @param failed number of rows without a time
   * @param reason error of the first row without a time; empty if all rows have a time
   */
  public record Sample(List<Long> nanos, long failed, String reason) {
    public Sample {
      nanos = List.copyOf(nanos);
    }

    /** The mean time of a variant, in seconds. */
    public double meanSeconds() {
      return nanos.stream().mapToLong(time -> time).average().orElse(0) * 1e-9;
    }
  }

  /**
   * Evaluates a few variants of a plan, spread evenly, to estimate the time of a run. The first
   * variant of a design includes its graph search; the sampled variants are usually of different
   * designs.
   *
   * @param words renders texts with the names of their fields
   */
  public static Sample sample(
      SweepPlan plan, JobEvaluator evaluator, Function<SpecText, String> words) {
    long step = Math.max(1, plan.size() / SAMPLE_SIZE);
    List<Long> numbers =
        LongStream.range(0, SAMPLE_SIZE)
            .map(i -> i * step)
            .filter(i -> i < plan.size())
            .boxed()
            .toList();
    // Warms up: loading classes takes time once, not for each variant.
    new SweepRunner(plan, evaluator, words).sample(numbers.subList(0, 1));
    return new SweepRunner(plan, evaluator, words).sample(numbers);
  }

  /**
   * Evaluates some variants as a run would, but writes nothing.
   *
   * @param numbers numbers of the variants
   */
  Sample sample(List<Long> numbers) {
    VariantEvaluator variants = new VariantEvaluator(plan, evaluator, words);
    List<Long> times = new ArrayList<>();
    for (long number : numbers) {
      long start = System.nanoTime();
      countFailures(variants.rows(plan.variant(number)));
      times.add(System.nanoTime() - start);
    }
    return new Sample(times, failed.get(), reason());
  }

  private static void runAll(Runnable work, ResultFolder into, int threads) {
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> futures = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        futures.add(pool.submit(work));
      }
      for (Future<?> future : futures) {
        future.get();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new OutputException("cannot write " + into.folder() + ": interrupted", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      pool.shutdownNow();
      awaitEnd(pool);
    }
  }

  /** Waits until all threads have ended, as another process may use the folder next. */
  private static void awaitEnd(ExecutorService pool) {
    boolean isInterrupted = Thread.interrupted();
    boolean isEnded = false;
    while (!isEnded) {
      try {
        isEnded = pool.awaitTermination(1, TimeUnit.HOURS);
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
