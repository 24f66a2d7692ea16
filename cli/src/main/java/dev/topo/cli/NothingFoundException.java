package dev.topo.cli;

/** A valid request without a result: exit status 1. The message contains the reason. */
final class NothingFoundException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with this message. */
  NothingFoundException(String message) {
    super(message);
  }

  /**
   * Creates the exception for a job of one rank, which sends nothing. If the command has several
   * files, the others may still have an answer.
   *
   * @param title what to call the job
   * @param otherwise text for the message on what may be asked about one rank, as in {@code , or
   *     --about devices}; may be empty
   */
  static NothingFoundException ofOneRank(String title, String otherwise) {
    return new NothingFoundException(
        "%s is one rank, which sends nothing: expected a job of two or more (--nodes)%s"
            .formatted(title, otherwise));
  }
}
