package dev.topo.visualizer.serve;

/** A request that gets no answer, with the status of HTTP and a message for people. */
final class RefusedRequest extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;

  RefusedRequest(int status, String message) {
    super(message);
    this.status = status;
  }

  /** A request that is wrong whoever sends it. */
  static RefusedRequest bad(String message) {
    return new RefusedRequest(400, message);
  }

  int status() {
    return status;
  }
}
