package dev.topo.run.bench;

/** Another thread of this process failed and reports the reason. */
public final class TeamDissolvedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TeamDissolvedException() {
    super("another thread failed");
  }
}
