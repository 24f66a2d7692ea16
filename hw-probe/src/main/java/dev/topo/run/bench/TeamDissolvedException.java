package dev.topo.run.bench;

/** Another thread of this process failed, and says why; this one has nothing to add. */
public final class TeamDissolvedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  TeamDissolvedException() {
    super("another thread failed");
  }
}
