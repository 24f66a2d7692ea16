package dev.topo.run.job;

/** A library or a GPU that is needed is not there; the message says which and what to do. */
public final class MissingHardwareException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MissingHardwareException(String message) {
    super(message);
  }
}
