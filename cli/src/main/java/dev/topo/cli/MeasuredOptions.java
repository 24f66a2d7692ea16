package dev.topo.cli;

import dev.topo.cli.option.CallOptions;
import dev.topo.cli.option.MeasurementFile;
import dev.topo.cli.option.PairOptions;
import dev.topo.cli.option.VersionOptions;
import dev.topo.cli.terminal.Streams;
import dev.topo.inspect.measured.JobMeasurements;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.inspect.measured.PeerMeasurement;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.CallSizes;
import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.evaluate.MeasuredChoices;
import dev.topo.simulator.evaluate.Predictor;
import dev.topo.simulator.verdict.MeasurementVerdict;
import dev.topo.simulator.verdict.PeerVerdict;
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

  /** The part of the predicted time below which a measured one is doubted. */
  private static final double LEAST_PART = 1.0 / 3;

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
    List<Long> sizes = calls.hasSizes() ? calls.sizes() : List.of();
    List<PeerMeasurement> requested =
        run.peers().stream()
            .filter(one -> !calls.isNamed() || calls.peers().contains(one.operation()))
            .filter(one -> CallSizes.areAround(sizes, one.sizeBytes()))
            .toList();
    return PeerVerdict.of(requested, predictor, part());
  }

  private OptionalDouble part() {
    return tolerance == null ? OptionalDouble.empty() : OptionalDouble.of(tolerance / PERCENT);
  }

  /**
   * Whether the requested collectives and sizes are as fast as predicted; prints on stderr which
   * measurements are ignored, and which cannot be compared.
   *
   * @param hasOthers whether the file has something else to judge
   */
  public List<MeasurementVerdict> verdicts(
      MeasuredRun run, Predictor predictor, CallOptions calls, boolean hasOthers, Streams streams) {
    JobMeasurements.check(run, predictor.planner().communicator().job());
    List<Long> sizes = calls.hasSizes() ? calls.sizes() : List.of();
    MeasuredRun requested =
        run.only(
            one ->
                calls.collectives().contains(one.collective())
                    && CallSizes.areAround(sizes, one.sizeBytes()));
    List<MeasurementVerdict> verdicts =
        MeasurementVerdict.of(
            requested, one -> calls.call(one.collective(), one.sizeBytes()), predictor, part());
    int left = requested.measurements().size() + requested.wrong().size() - verdicts.size();
    if (verdicts.isEmpty() && !hasOthers) {
      throw left > 0 ? JobMeasurements.noneOfTheJob(run) : JobMeasurements.noneAskedFor(run);
    }
    if (left > 0) {
      streams.message(
          "note: %s: %s ignored: other numbers of GPUs, forced channels, or what NCCL would not run here"
              .formatted(run.file(), QuantityFormat.count(left, "row")));
    }
    long tooFast = verdicts.stream().filter(verdict -> verdict.excess() < LEAST_PART - 1).count();
    if (tooFast > 0) {
      streams.message(
          "note: %s: %s of %s took less than a third of the predicted time: are they in microseconds and from this machine?"
              .formatted(run.file(), tooFast, verdicts.size()));
    }
    return verdicts;
  }

  /** What was fastest. */
  public MeasuredChoices choices(MeasuredRun run, Communicator communicator) {
    JobMeasurements.check(run, communicator.job());
    MeasuredChoices choices =
        new MeasuredChoices(
            communicator.tuner(), JobMeasurements.of(run, communicator.facts().nRanks()));
    if (!choices.hasAny()) {
      throw new TopologyFormatException(
          SourceLocation.of(run.file()),
          "has no measurement with a forced algorithm and protocol to compare");
    }
    return choices;
  }
}
