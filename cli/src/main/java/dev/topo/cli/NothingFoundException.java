package dev.topo.cli;

/** A question that is understood and has no answer here: exit status 1. The message says why. */
class NothingFoundException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** An exception with this message. */
  NothingFoundException(String message) {
    super(message);
  }
}
