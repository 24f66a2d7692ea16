package dev.topo.verify;

import dev.topo.run.worker.RunEvent;

/** NCCL did not complete; the message has the reason. */
public final class FailedRunException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final RunEvent.Reason reason;

  FailedRunException(RunEvent.Failed failed) {
    super(failed.message());
    this.reason = failed.reason();
  }

  public RunEvent.Reason reason() {
    return reason;
  }
}
