package dev.topo.run.job;

/** A required library or GPU is missing; the message has the name and the remedy. */
public final class MissingHardwareException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MissingHardwareException(String message) {
    super(message);
  }
}
