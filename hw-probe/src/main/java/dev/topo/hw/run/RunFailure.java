package dev.topo.hw.run;

import dev.topo.model.QuantityFormat;
import java.util.List;

/** Failure of a run; the message has the reason and, if there is one, the remedy. */
public final class RunFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Kinds of failures. */
  public enum Reason {
    /** A library or a GPU is missing. */
    MISSING,
    /** CUDA or NCCL returned an error. */
    NATIVE,
    /** A collective exceeded the time limit and may still be running. */
    STALLED,
    /** The process ended without an event. */
    CRASHED,
    /** A bug of this project. */
    BUG
  }

  private final Reason reason;

  public RunFailure(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** Failure of some ranks to make progress within the time limit in {@code step}. */
  public static RunFailure stalled(List<Integer> ranks, int seconds, String step) {
    return new RunFailure(
        Reason.STALLED,
        "rank%s %s waited %s s in %s"
            .formatted(
                ranks.size() == 1 ? "" : "s",
                QuantityFormat.joined(", ", ranks, number -> number),
                seconds,
                step));
  }

  public Reason reason() {
    return reason;
  }
}
