package dev.topo.cli;

/** A valid request without a result: exit status 1. The message contains the reason. */
final class NothingFoundException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception with this message. */
  NothingFoundException(String message) {
    super(message);
  }
}
