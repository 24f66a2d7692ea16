package dev.topo.model.job;

/** A topology on which NCCL gives up with an internal error. The message says what it lacks. */
public final class UnusableTopologyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** An exception with a message of one line. */
  public UnusableTopologyException(String message) {
    super(message);
  }
}
