package dev.topo.search.kernel;

import dev.topo.model.Labels;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingCatalog.SettingScope;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Protocol;
import dev.topo.search.kernel.Exclusion.Condition;
import dev.topo.search.rules.LaunchRules.RegistrationRules;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.tuning.CommFacts;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Tuner.Decision;
import java.util.List;
import java.util.Optional;

/**
 * Decides how NCCL runs the calls of a communicator: by copy engine, symmetric kernel or algorithm
 * ({@code taskAppend} and {@code ncclPrepareTasks}, {@code nccl:src/enqueue.cc}). Immutable.
 */
public final class CallPaths {
  private final Communicator communicator;
  private final SymmetricTuner symmetric;
  private final RegisteredTuner registered;
  private final boolean sharedProcesses;

  private CallPaths(Communicator communicator, NcclSettings settings, RegistrationFacts facts) {
    this.communicator = communicator;
    this.symmetric = new SymmetricTuner(SymmetricFacts.of(communicator.facts(), facts), settings);
    this.sharedProcesses = facts.sharedProcesses();
    this.registered = new RegisteredTuner(communicator, settings, facts);
  }

  /** The paths of a communicator with one process per GPU. */
  public static CallPaths of(Communicator communicator) {
    return of(communicator, communicator.job().settings(), 1);
  }

  /**
   * The paths of a communicator with other buffer settings or several GPUs per process.
   *
   * @param settings the communicator's settings; those of scope {@link SettingScope#BUFFERS} may
   *     differ
   */
  public static CallPaths of(Communicator communicator, NcclSettings settings, int gpusPerProcess) {
    return new CallPaths(
        communicator, settings, RegistrationFacts.of(communicator, gpusPerProcess));
  }

  public Communicator communicator() {
    return communicator;
  }

  /** The facts on which the paths depend. */
  public CommFacts facts() {
    return communicator.facts();
  }

  public SymmetricTuner symmetric() {
    return symmetric;
  }

  /** The path of a call that does not read and write the same buffer. */
  public CallPath of(CollectiveCall call, Buffers buffers) {
    return of(call, buffers, false);
  }

  /**
   * The path of a call. Without a symmetric kernel, windows count as registered buffers.
   *
   * @param inPlace whether the call reads and writes the same buffer
   */
  public CallPath of(CollectiveCall call, Buffers buffers, boolean inPlace) {
    Decision plain = communicator.tuner().decide(call);
    boolean hasRules = buffers != Buffers.PLAIN && isRegistrationKnown(communicator.profile());
    SymmetricDecision decision =
        symmetric.decide(
            SymmetricCall.of(call.whole(facts().nRanks())),
            buffers,
            isByLl(plain) && !sharedProcesses,
            inPlace);
    return new CallPath(
        call,
        buffers,
        decision,
        hasRules
            ? Optional.of(registered.decide(call.whole(facts().nRanks()), inPlace))
            : Optional.empty(),
        plain,
        unknown(buffers).or(() -> unknown(decision, buffers, plain)));
  }

  private static boolean isByLl(Decision plain) {
    return plain.choice().filter(choice -> choice.protocol() == Protocol.LL).isPresent();
  }

  private static boolean isRegistrationKnown(NcclProfile profile) {
    return profile.registration().knowledge == RegistrationRules.Knowledge.KNOWN;
  }

  /** The reason if the version's paths are unknown for all calls on such buffers; else empty. */
  public Optional<String> unknown(Buffers buffers) {
    return buffers.unknown(communicator.profile());
  }

  /** The reason if the path of this call is unknown although others of the version are known. */
  private Optional<String> unknown(SymmetricDecision decision, Buffers buffers, Decision plain) {
    if (decision.execution() instanceof Execution.NotKnown notKnown) {
      return Optional.of(notKnown.reason());
    }
    boolean isByAlgorithm =
        buffers == Buffers.SYMMETRIC
            && decision.execution() instanceof Execution.Ordinary
            && decision.notKernel().stream()
                .noneMatch(exclusion -> exclusion.condition() == Exclusion.Condition.EMPTY);
    // Lists of kernels exclude algorithms on any buffers.
    boolean isRefused =
        plain.choice().isEmpty() && communicator.profile().tuning().algorithms.listsKernels();
    return isByAlgorithm && !isRegistrationKnown(communicator.profile()) && !isRefused
        ? Optional.of(
            "NCCL %s runs it by an algorithm on registered buffers, whose rules are known for 2.27 and 2.28 only"
                .formatted(communicator.profile()))
        : Optional.empty();
  }

  /**
   * How NCCL runs a call.
   *
   * @param call the call
   * @param buffers registration of its buffers
   * @param symmetric whether a symmetric kernel or the copy engine runs it, and why not
   * @param registered the decision for registered buffers if an algorithm runs the call; empty for
   *     plain buffers, or where the rules of the version are unknown
   * @param plain the decision for plain buffers
   * @param unknown why the path is unknown; empty if it is known
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
      /** NCCL discards the call: it has no data. */
      EMPTY("none"),
      /** NCCL refuses the call. */
      REFUSED("refused"),
      /** The rules of the version are unknown. */
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
      if (symmetric.notKernel().stream()
          .anyMatch(exclusion -> exclusion.condition() == Condition.EMPTY)) {
        return Kind.EMPTY;
      }
      if (unknown.isPresent()) {
        return Kind.NOT_KNOWN;
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

    /** The symmetric kernel that runs the call, if one does. */
    public Optional<Execution.Kernel> kernel() {
      return symmetric.execution() instanceof Execution.Kernel kernel
          ? Optional.of(kernel)
          : Optional.empty();
    }

    /**
     * NCCL's estimate of the copies, if the copy engine runs the call and the version has an
     * estimate.
     */
    public Optional<CopyEstimate> copies() {
      return symmetric.execution() instanceof Execution.CopyEngine engine
          ? engine.copies()
          : Optional.empty();
    }

    /** Algorithm, protocol, channels and threads, if an algorithm runs the call. */
    public Optional<Decision.Choice> choice() {
      return kind() == Kind.ALGORITHM ? decision().choice() : Optional.empty();
    }

    private Decision decision() {
      return registered.map(RegisteredDecision::decision).orElse(plain);
    }

    /** The components with direct access to registered buffers, if an algorithm runs the call. */
    public List<RegisteredPart> parts() {
      return kind() == Kind.ALGORITHM
          ? registered.stream().flatMap(decision -> decision.parts().stream()).sorted().toList()
          : List.of();
    }

    /** The refusal if NCCL refuses or discards the call; otherwise empty. */
    public Optional<Decision.Refusal> refusal() {
      return switch (kind()) {
        case EMPTY ->
            plain instanceof Decision.Refusal discarded ? Optional.of(discarded) : Optional.empty();
        case REFUSED ->
            symmetric.execution() instanceof Execution.Refused refused
                ? Optional.of(new Decision.Refusal(refused.reason()))
                : decision() instanceof Decision.Refusal refusal
                    ? Optional.of(refusal)
                    : Optional.empty();
        case ALGORITHM, SYMMETRIC_KERNEL, COPY_ENGINE, NOT_KNOWN -> Optional.empty();
      };
    }

    /** Label such as {@code Ring/Simple}, {@code AllReduce_AGxLL_R} or {@code copy engine}. */
    public String label() {
      return switch (kind()) {
        case ALGORITHM -> choice().orElseThrow().pair().label();
        case SYMMETRIC_KERNEL -> kernel().orElseThrow().kernel().label();
        case COPY_ENGINE, EMPTY, REFUSED, NOT_KNOWN -> kind().label();
      };
    }
  }

  /** Registration of the two buffers of a call with NCCL. */
  public enum Buffers {
    /** Not registered. */
    PLAIN,
    /** By {@code ncclCommRegister}, or by a window without the symmetric flag. */
    REGISTERED,
    /** Both by {@code ncclCommWindowRegister} with {@code NCCL_WIN_COLL_SYMMETRIC}. */
    SYMMETRIC;

    /** The name in options and outputs. */
    public String label() {
      return Labels.of(this);
    }

    /** The reason if the paths of a version are unknown for such buffers; else empty. */
    public Optional<String> unknown(NcclProfile profile) {
      if (this == SYMMETRIC && !profile.symmetric().hasKernels) {
        return Optional.of(
            "NCCL %s has no symmetric windows, 2.27 is the first".formatted(profile));
      }
      return this == REGISTERED && !isRegistrationKnown(profile)
          ? Optional.of(
              "what NCCL %s runs on them is not known, only for 2.27 and 2.28".formatted(profile))
          : Optional.empty();
    }
  }
}
