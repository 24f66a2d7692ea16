package dev.topo.model.job;

/**
 * A topology that cannot be evaluated: NCCL fails on it with an internal error, or the rules of the
 * release are not modelled for it. The message is the reason.
 */
public final class UnusableTopologyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final boolean isWithoutRules;

  private UnusableTopologyException(String message, boolean isWithoutRules) {
    super(message);
    this.isWithoutRules = isWithoutRules;
  }

  /** A failure of NCCL, with a message of one line. */
  public UnusableTopologyException(String message) {
    this(message, false);
  }

  /**
   * A topology that the modelled rules of the release do not cover: NCCL's behaviour is unknown.
   */
  public static UnusableTopologyException withoutRules(String message) {
    return new UnusableTopologyException(message, true);
  }

  /** True if NCCL's behaviour is unknown, so that it may not fail at all. */
  public boolean isWithoutRules() {
    return isWithoutRules;
  }

  /** The reason as a sentence that says whether NCCL fails. */
  public String sentence() {
    return (isWithoutRules
            ? "topo has no rules for this topology: "
            : "NCCL fails on this topology: ")
        + getMessage();
  }
}
