package dev.topo.hw.library;

/** A path does not lead to a Python environment. The message is one line. */
public final class PythonEnvironmentException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  PythonEnvironmentException(String message) {
    super(message);
  }
}
