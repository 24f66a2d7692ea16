package dev.topo.run.bench;

/** A function of CUDA or NCCL failed; the message has its name and error. */
public final class NativeCallException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public NativeCallException(String message) {
    super(message);
  }
}
