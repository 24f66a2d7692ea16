package dev.topo.model.job;

/** A topology on which NCCL fails with an internal error. The message is the reason. */
public final class UnusableTopologyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** An exception with a message of one line. */
  public UnusableTopologyException(String message) {
    super(message);
  }
}
