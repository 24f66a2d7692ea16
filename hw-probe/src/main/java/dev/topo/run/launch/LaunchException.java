package dev.topo.run.launch;

/**
 * What a launcher left in the environment does not make a run; the message says what is missing.
 */
public final class LaunchException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** With what is wrong, and what was expected. */
  public LaunchException(String message) {
    super(message);
  }
}
