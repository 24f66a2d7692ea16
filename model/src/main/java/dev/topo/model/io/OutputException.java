package dev.topo.model.io;

import java.io.IOException;

/** Output that cannot be written to the requested place. The message is one line. */
public final class OutputException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public OutputException(String message) {
    super(message);
  }

  public OutputException(String message, Throwable cause) {
    super(message, cause);
  }

  /** What cannot be done with a file, and why. */
  public static OutputException of(String failure, IOException cause) {
    return new OutputException(failure + ": " + FileFault.text(cause), cause);
  }
}
