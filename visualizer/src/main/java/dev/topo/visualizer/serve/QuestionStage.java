package dev.topo.visualizer.serve;

/** The current step of a question, in words for the page that waits for it. */
final class QuestionStage {
  private volatile String label = "waiting for other questions";

  /**
   * Enters the next step of the question.
   *
   * @throws java.util.concurrent.CancellationException if it was cancelled
   */
  void enter(String part) {
    StoppableSearch.stopIfInterrupted();
    label = part;
  }

  String label() {
    return label;
  }
}
