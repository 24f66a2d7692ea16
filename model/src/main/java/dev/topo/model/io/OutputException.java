package dev.topo.model.io;

/** Output that cannot be written to the requested place. The message is one line. */
public final class OutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public OutputException(String message) {
    super(message);
  }

  public OutputException(String message, Throwable cause) {
    super(message, cause);
  }
}
