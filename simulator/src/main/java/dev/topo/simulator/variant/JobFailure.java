package dev.topo.simulator.variant;

import dev.topo.model.job.UnusableTopologyException;

/**
 * The reason why there is no answer for a job.
 *
 * @param kind the source of the failure
 */
public record JobFailure(Kind kind, String reason) {
  /** Sources of a failure. */
  public enum Kind {
    /** NCCL does not start. */
    NCCL("NCCL fails: "),
    /** topo has no rules of the release for the job: the behaviour of NCCL is unknown. */
    RULES("topo has no rules: "),
    /** The job cannot be built. */
    JOB("");

    private final String prefix;

    Kind(String prefix) {
      this.prefix = prefix;
    }
  }

  /** The failure of an evaluation. */
  public static JobFailure of(UnusableTopologyException e) {
    return new JobFailure(
        e.isWithoutRules() ? Kind.RULES : Kind.NCCL, String.valueOf(e.getMessage()));
  }

  /** True if it is not known that NCCL fails. */
  boolean isOfRules() {
    return kind == Kind.RULES;
  }

  /** The failure as a sentence. */
  public String sentence() {
    return kind.prefix + reason;
  }

  /** The reason, with the source of the failure unless it is NCCL. */
  public String text() {
    return kind == Kind.NCCL ? reason : sentence();
  }
}
