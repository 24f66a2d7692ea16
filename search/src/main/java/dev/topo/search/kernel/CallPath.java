package dev.topo.search.kernel;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.CollectiveCall;
import dev.topo.search.kernel.Exclusion.Condition;
import dev.topo.search.tuning.Decision;
import java.util.List;
import java.util.Optional;

/**
 * By what NCCL runs a call.
 *
 * @param call the call
 * @param buffers how NCCL knows its buffers
 * @param symmetric whether a symmetric kernel or the copy engine runs it, and why not
 * @param registered what an algorithm does with the buffers otherwise; empty where they are plain,
 *     or where the rules of the version are not known
 * @param plain what NCCL does with plain buffers
 * @param unknown why the path is not known; empty where it is
 */
public record CallPath(
    CollectiveCall call,
    Buffers buffers,
    SymmetricDecision symmetric,
    Optional<RegisteredDecision> registered,
    Decision plain,
    Optional<String> unknown) {
  /** The kinds of paths. */
  public enum Kind {
    /** An algorithm: rings, trees, NVLS, in-network reduction or PAT. */
    ALGORITHM("algorithm"),
    /** A kernel for symmetric windows. */
    SYMMETRIC_KERNEL("symmetric kernel"),
    /** The copy engines of the GPUs. */
    COPY_ENGINE("copy engine"),
    /** NCCL ignores the call: it has no data. */
    EMPTY("none"),
    /** NCCL refuses the call. */
    REFUSED("refused"),
    /** The rules of the version are not known. */
    NOT_KNOWN("not known");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    public String label() {
      return label;
    }
  }

  public Kind kind() {
    if (unknown.isPresent()) {
      return Kind.NOT_KNOWN;
    }
    if (symmetric.notKernel().stream()
        .anyMatch(exclusion -> exclusion.condition() == Condition.EMPTY)) {
      return Kind.EMPTY;
    }
    Execution execution = symmetric.execution();
    if (execution instanceof Execution.Kernel) {
      return Kind.SYMMETRIC_KERNEL;
    }
    if (execution instanceof Execution.CopyEngine) {
      return Kind.COPY_ENGINE;
    }
    return execution instanceof Execution.Refused || decision().choice().isEmpty()
        ? Kind.REFUSED
        : Kind.ALGORITHM;
  }

  /** The symmetric kernel that runs it, if one does. */
  public Optional<Execution.Kernel> kernel() {
    return symmetric.execution() instanceof Execution.Kernel kernel
        ? Optional.of(kernel)
        : Optional.empty();
  }

  /** NCCL's estimate of the copies, if the copy engine runs it and the version makes one. */
  public Optional<CopyEstimate> copies() {
    return symmetric.execution() instanceof Execution.CopyEngine engine
        ? engine.copies()
        : Optional.empty();
  }

  /** Algorithm, protocol, channels and threads, if an algorithm runs it. */
  public Optional<Decision.Choice> choice() {
    return kind() == Kind.ALGORITHM ? decision().choice() : Optional.empty();
  }

  private Decision decision() {
    return registered.map(RegisteredDecision::decision).orElse(plain);
  }

  /** Who accesses registered buffers directly, if an algorithm runs it. */
  public List<RegisteredPart> parts() {
    return kind() == Kind.ALGORITHM
        ? registered.stream().flatMap(decision -> decision.parts().stream()).sorted().toList()
        : List.of();
  }

  /** The reason why NCCL refuses the call; empty where it does not. */
  public Optional<String> refusal() {
    if (symmetric.execution() instanceof Execution.Refused refused) {
      return Optional.of(refused.reason());
    }
    return kind() == Kind.REFUSED && decision() instanceof Decision.Refusal refusal
        ? Optional.of(refusal.reason())
        : Optional.empty();
  }

  /** In words: {@code Ring/Simple}, {@code AllReduce_AGxLL_R}, {@code copy engine}. */
  public String label() {
    return switch (kind()) {
      case ALGORITHM -> choice().map(CallPath::pair).orElseThrow();
      case SYMMETRIC_KERNEL -> kernel().orElseThrow().kernel().label();
      case COPY_ENGINE, EMPTY, REFUSED, NOT_KNOWN -> kind().label();
    };
  }

  private static String pair(Decision.Choice choice) {
    Algorithm algorithm = choice.algorithm();
    return algorithm.label() + "/" + choice.protocol().label();
  }
}
