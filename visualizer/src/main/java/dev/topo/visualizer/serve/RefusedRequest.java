package dev.topo.visualizer.serve;

/** A request that is refused, with an HTTP status and a message for people. */
final class RefusedRequest extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  RefusedRequest(int status, String message) {
    super(message);
    this.status = status;
  }

  /** A request that is invalid whoever sends it (status 400). */
  static RefusedRequest bad(String message) {
    return new RefusedRequest(400, message);
  }

  int status() {
    return status;
  }
}
