package dev.topo.cli;

/** A job that has one rank and so sends nothing; of several files others have an answer. */
final class OneRankException extends NothingFoundException {
  private static final long serialVersionUID = 1L;

  /**
   * Says what would have an answer.
   *
   * @param title what to call the job
   * @param otherwise what may be asked of one rank, as in {@code , or --about devices}; may be
   *     empty
   */
  OneRankException(String title, String otherwise) {
    super(
        title
            + " is one rank, which sends nothing: expected a job of two or more (--nodes)"
            + otherwise);
  }
}
