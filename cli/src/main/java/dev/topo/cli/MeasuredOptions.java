package dev.topo.cli;

import dev.topo.cli.option.CallOptions;
import dev.topo.cli.option.MeasurementFile;
import dev.topo.cli.option.PairOptions;
import dev.topo.cli.option.VersionOptions;
import dev.topo.cli.terminal.Streams;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.SettingException;
import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.evaluate.MeasuredChoices;
import dev.topo.simulator.evaluate.Predictor;
import dev.topo.simulator.verdict.MeasurementVerdict;
import dev.topo.simulator.verdict.PeerVerdict;
import dev.topo.simulator.verdict.RunJudge;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that bring measured times beside predicted ones. */
final class MeasuredOptions {
  private static final int PERCENT = 100;

  @Option(
      names = "--against",
      paramLabel = "FILE",
      description =
          "Measured times to compare with: text or JSON of nccl-tests or topo run, a result of topo verify, or CSV. PASS, FAIL or INCONCLUSIVE"
              + " for each size; exit status 1 unless all pass.")
  private @Nullable Path against;

  @Option(
      names = "--tolerance",
      paramLabel = "PERCENT",
      description =
          "Tolerated slowdown compared with the prediction (default: twice the error of 90 of 100 predictions).")
  private @Nullable Double tolerance;

  @Option(
      names = "--measured",
      paramLabel = "FILE",
      description =
          "With --format tuner: recommend what was fastest in these measurements with forced algorithm and protocol.")
  private @Nullable Path measured;

  /** Whether measurements are to be judged. */
  public boolean isAgainst() {
    return against != null;
  }

  /** Whether measurements are to be followed. */
  public boolean isMeasured() {
    return measured != null;
  }

  /** The measurements, if there are any, of a job of so many ranks. */
  public Optional<MeasuredRun> read(
      int nRanks,
      CallOptions calls,
      PairOptions pairs,
      VersionOptions version,
      Inputs inputs,
      Streams streams) {
    if (tolerance != null && against == null) {
      throw new SettingException("--tolerance needs --against FILE");
    }
    if (tolerance != null && !(tolerance >= 0)) {
      throw new SettingException("--tolerance " + tolerance + ": expected 0 or more");
    }
    Path file = against == null ? measured : against;
    if (file == null) {
      return Optional.empty();
    }
    RunHints unsaid = RunHints.of(calls.collectives(), OptionalInt.of(nRanks), pairs.forced());
    MeasuredRun run = MeasurementFile.readAny(file, unsaid, version, inputs, streams);
    boolean isEmpty = run.measurements().isEmpty() && run.wrong().isEmpty();
    if (isEmpty && (run.peers().isEmpty() || !isAgainst())) {
      throw new TopologyFormatException(SourceLocation.of(run.file()), run.emptyReason());
    }
    return Optional.of(run);
  }

  /** The verdicts on the requested sends and receives; none where no model covers them. */
  public List<PeerVerdict> peers(MeasuredRun run, Predictor predictor, CallOptions calls) {
    return judge(run, predictor, calls)
        .peers(operation -> !calls.isNamed() || calls.peers().contains(operation));
  }

  /**
   * Whether the requested collectives and sizes are as fast as predicted; prints on stderr which
   * measurements are ignored, and which cannot be compared.
   *
   * @param hasOthers whether the file has something else to judge
   */
  public List<MeasurementVerdict> verdicts(
      MeasuredRun run, Predictor predictor, CallOptions calls, boolean hasOthers, Streams streams) {
    return judge(run, predictor, calls)
        .collectives(
            calls.collectives(),
            one -> calls.call(one.collective(), one.sizeBytes()),
            hasOthers,
            note -> streams.message("note: " + note));
  }

  private RunJudge judge(MeasuredRun run, Predictor predictor, CallOptions calls) {
    return new RunJudge(
        run,
        predictor,
        tolerance == null ? OptionalDouble.empty() : OptionalDouble.of(tolerance / PERCENT),
        calls.hasSizes() ? calls.sizes() : List.of());
  }

  /** What was fastest. */
  public MeasuredChoices choices(MeasuredRun run, Communicator communicator) {
    return MeasuredChoices.of(run, communicator);
  }
}
