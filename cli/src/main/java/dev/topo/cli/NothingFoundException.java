package dev.topo.cli;

/** A valid request without a result: exit status 1. The message contains the reason. */
final class NothingFoundException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** An exception with this message. */
  NothingFoundException(String message) {
    super(message);
  }

  /**
   * A job that has one rank and so sends nothing; of several files others have an answer.
   *
   * @param title what to call the job
   * @param otherwise what may be asked of one rank, as in {@code , or --about devices}; may be
   *     empty
   */
  static NothingFoundException ofOneRank(String title, String otherwise) {
    return new NothingFoundException(
        "%s is one rank, which sends nothing: expected a job of two or more (--nodes)%s"
            .formatted(title, otherwise));
  }
}
