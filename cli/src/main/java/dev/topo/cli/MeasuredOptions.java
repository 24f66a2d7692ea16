package dev.topo.cli;

import dev.topo.cli.option.CallOptions;
import dev.topo.cli.option.MeasurementFile;
import dev.topo.cli.option.VersionOptions;
import dev.topo.cli.terminal.Streams;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.SettingException;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.verdict.JudgedRun;
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

  /** Makes sure that the options fit to a file of rules, or to predictions. */
  void check(boolean isTuner, PredictedCalls calls) {
    if (isTuner && (isAgainst() || calls.pairs().isGiven() || calls.calls().hasSizes())) {
      throw new SettingException(
          "--format tuner recommends for all sizes: --against, --algorithm, --protocol and --sizes cannot be combined with it");
    }
    if (!isTuner && measured != null) {
      throw new SettingException(
          "--measured makes a file for NCCL's tuner plugin, expected --format tuner");
    }
  }

  /** The measurements, if there are any, of a job of so many ranks. */
  public Optional<MeasuredRun> read(
      int nRanks, PredictedCalls calls, VersionOptions version, Inputs inputs, Streams streams) {
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
    RunHints unsaid =
        RunHints.of(calls.calls().collectives(), OptionalInt.of(nRanks), calls.pairs().forced());
    MeasuredRun run = MeasurementFile.readAny(file, unsaid, version, inputs, streams);
    boolean isEmpty = run.measurements().isEmpty() && run.wrong().isEmpty();
    if (isEmpty && (run.peers().isEmpty() || !isAgainst())) {
      throw new TopologyFormatException(SourceLocation.of(run.file()), run.emptyReason());
    }
    return Optional.of(run);
  }

  /**
   * Whether the requested calls are as fast as predicted; prints on stderr which measurements are
   * ignored, and which cannot be compared.
   */
  JudgedRun judged(
      MeasuredRun run, String title, JobResult result, CallOptions calls, Streams streams) {
    RunJudge judge =
        new RunJudge(
            run,
            result.predictor(),
            tolerance == null ? OptionalDouble.empty() : OptionalDouble.of(tolerance / PERCENT),
            calls.hasSizes() ? calls.sizes() : List.of());
    List<PeerVerdict> peers =
        judge.peers(operation -> !calls.isNamed() || calls.peers().contains(operation));
    List<MeasurementVerdict> collectives =
        judge.collectives(
            calls.collectives(),
            one -> calls.call(one.collective(), one.sizeBytes()),
            !peers.isEmpty(),
            note -> streams.message("note: " + note));
    String name = String.valueOf(Path.of(run.file()).getFileName());
    return JudgedRun.of(name, title, result, collectives, peers);
  }
}
