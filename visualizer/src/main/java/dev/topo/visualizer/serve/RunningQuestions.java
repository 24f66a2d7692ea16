package dev.topo.visualizer.serve;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * Runs questions: a few at once, with a bounded queue. A new question of a tab cancels the previous
 * one of that tab.
 */
final class RunningQuestions implements AutoCloseable {
  private static final int MIN_AT_ONCE = 2;
  private static final int MAX_WAITING = 32;

  private final long limitMs;
  private final ThreadPoolExecutor threads;
  private final Map<String, Running> byTab = new ConcurrentHashMap<>();

  /** A question with its current step. */
  private record Running(Future<?> answer, QuestionStage stage) {}

  /**
   * Creates a runner without questions.
   *
   * @param limitMs the maximum time that a question may take, in milliseconds
   */
  RunningQuestions(long limitMs) {
    int atOnce = Math.max(MIN_AT_ONCE, Runtime.getRuntime().availableProcessors());
    this.limitMs = limitMs;
    this.threads =
        new ThreadPoolExecutor(
            atOnce,
            atOnce,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            PageServer.daemons("question"));
  }

  /**
   * Answers a question when its turn comes.
   *
   * @param tab the tab of the page; empty if no later question replaces this one
   * @throws RefusedRequest if too many questions wait, or if this one is cancelled or takes too
   *     long
   */
  <T> T answer(String tab, Function<QuestionStage, T> question) {
    QuestionStage stage = new QuestionStage();
    FutureTask<T> running =
        new FutureTask<>(
            () -> {
              stage.enter("reading the question");
              return question.apply(stage);
            });
    Running mine = new Running(running, stage);
    // Registered before it starts, so that whoever sees it running can stop it.
    if (!tab.isEmpty()) {
      cancel(Optional.ofNullable(byTab.put(tab, mine)));
    }
    try {
      threads.execute(running);
      return running.get(limitMs, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      throw new RefusedRequest(503, "too many questions wait: ask again in a moment");
    } catch (TimeoutException e) {
      throw new RefusedRequest(
          503, "no answer within %s s: the question was cancelled".formatted(limitMs / 1000));
    } catch (CancellationException e) {
      throw cancelled();
    } catch (ExecutionException e) {
      throw cause(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw cancelled();
    } finally {
      cancel(Optional.of(mine));
      byTab.remove(tab, mine);
    }
  }

  /** The current step of the question of a tab; empty if there is none. */
  String stage(String tab) {
    return Optional.ofNullable(byTab.get(tab)).map(running -> running.stage().label()).orElse("");
  }

  private static RuntimeException cause(ExecutionException e) {
    if (e.getCause() instanceof CancellationException) {
      return cancelled();
    }
    return e.getCause() instanceof RuntimeException known
        ? known
        : new IllegalStateException(e.getCause());
  }

  private static RefusedRequest cancelled() {
    return new RefusedRequest(409, "the question was cancelled");
  }

  /** Stops the question of a tab, if there is one. */
  void cancel(String tab) {
    cancel(Optional.ofNullable(byTab.remove(tab)));
  }

  private void cancel(Optional<Running> question) {
    if (question.filter(running -> running.answer().cancel(true)).isPresent()) {
      threads.purge();
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
