package dev.topo.visualizer.serve;

import org.jspecify.annotations.Nullable;

/** What the thread of a question does now, in words for the page that waits for it. */
final class QuestionStage {
  private static final ThreadLocal<@Nullable QuestionStage> OF_THREAD = new ThreadLocal<>();

  private volatile String words = "waiting for other questions";

  /** Work of this thread belongs to the question from now on. */
  void begin() {
    OF_THREAD.set(this);
    enter("reading the question");
  }

  /** Work of this thread belongs to no question. */
  static void end() {
    OF_THREAD.remove();
  }

  /**
   * The question of this thread comes to another part of its work; without one nobody is told.
   *
   * @throws java.util.concurrent.CancellationException if it was cancelled
   */
  static void enter(String words) {
    StoppableSearch.stopIfInterrupted();
    QuestionStage stage = OF_THREAD.get();
    if (stage != null) {
      stage.words = words;
    }
  }

  String words() {
    return words;
  }
}
