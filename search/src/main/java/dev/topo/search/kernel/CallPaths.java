package dev.topo.search.kernel;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingScope;
import dev.topo.model.operation.CollectiveCall;
import dev.topo.search.rules.RegistrationRules;
import dev.topo.search.rules.SymmetricRules;
import dev.topo.search.tuning.CommFacts;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Decision;
import java.util.Optional;

/**
 * Decides by what NCCL runs the calls of a communicator: copy engine, symmetric kernel or algorithm
 * ({@code taskAppend} and {@code ncclPrepareTasks}, {@code nccl:src/enqueue.cc}). Immutable.
 */
public final class CallPaths {
  private final Communicator communicator;
  private final SymmetricTuner symmetric;
  private final RegisteredTuner registered;

  private CallPaths(Communicator communicator, NcclSettings settings, RegistrationFacts facts) {
    this.communicator = communicator;
    this.symmetric =
        new SymmetricTuner(SymmetricFacts.of(communicator.facts(), facts.directPeers()), settings);
    this.registered = new RegisteredTuner(communicator, settings, facts);
  }

  /** The paths of a communicator whose GPUs have a process each. */
  public static CallPaths of(Communicator communicator) {
    return of(communicator, settings(communicator), 1);
  }

  /**
   * The paths of a communicator under other settings of buffers, and with several GPUs in a
   * process.
   *
   * @param settings those of the communicator, with other {@link SettingScope#BUFFERS}
   */
  public static CallPaths of(Communicator communicator, NcclSettings settings, int gpusPerProcess) {
    return new CallPaths(
        communicator, settings, RegistrationFacts.of(communicator, gpusPerProcess));
  }

  public static NcclSettings settings(Communicator communicator) {
    return communicator.job().machines().get(0).settings();
  }

  public Communicator communicator() {
    return communicator;
  }

  /** The facts that the paths rest on. */
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
   * The path of a call. Windows are registered buffers, too, where no symmetric kernel runs.
   *
   * @param inPlace whether it reads and writes the same buffer
   */
  public CallPath of(CollectiveCall call, Buffers buffers, boolean inPlace) {
    Decision plain = communicator.tuner().decide(call);
    boolean hasRules = buffers != Buffers.PLAIN && isKnown();
    return new CallPath(
        call,
        buffers,
        symmetric.decide(SymmetricCall.of(call), buffers),
        hasRules ? Optional.of(registered.decide(call, inPlace)) : Optional.empty(),
        plain,
        unknown(buffers));
  }

  private boolean isKnown() {
    return communicator.profile().registration().knowledge == RegistrationRules.Knowledge.KNOWN;
  }

  /** Why the paths of calls on such buffers are not known in this version; empty where they are. */
  public Optional<String> unknown(Buffers buffers) {
    if (buffers == Buffers.PLAIN || isKnown()) {
      return Optional.empty();
    }
    String version = "NCCL " + communicator.profile();
    boolean before = communicator.profile().symmetric().knowledge == SymmetricRules.Knowledge.NONE;
    return Optional.of(
        buffers == Buffers.SYMMETRIC && before
            ? version + " has no symmetric windows, 2.27 is the first"
            : "what " + version + " runs on them is not known, only for 2.27 and 2.28");
  }
}
