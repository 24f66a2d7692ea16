package dev.topo.cli;

import dev.topo.cli.option.BriefOption;
import dev.topo.cli.option.CallOptions;
import dev.topo.cli.option.EvaluationOptions;
import dev.topo.cli.option.PairOptions;
import dev.topo.cli.terminal.Progress;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.log.RunMismatches;
import dev.topo.inspect.measured.MeasuredRun;
import dev.topo.model.QuantityFormat;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.MachineName;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.CallSizes;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.CollectiveCall;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.connect.Connection;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.TunerCsv;
import dev.topo.simulator.evaluate.ChoiceComparison;
import dev.topo.simulator.evaluate.Forecast;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.PeerPrediction;
import dev.topo.simulator.evaluate.PeerPredictor;
import dev.topo.simulator.evaluate.PredictedCall;
import dev.topo.simulator.evaluate.Predictor;
import dev.topo.simulator.evaluate.RecommendedRules;
import dev.topo.simulator.evaluate.RecommendedRules.Recommendation;
import dev.topo.simulator.evaluate.Scaling;
import dev.topo.simulator.network.ConcurrentGroups;
import dev.topo.simulator.network.ConcurrentGroups.Group;
import dev.topo.simulator.verdict.MeasurementVerdict;
import dev.topo.simulator.verdict.PeerVerdict;
import dev.topo.simulator.verdict.Verdict;
import dev.topo.visualizer.times.PredictionBrief;
import dev.topo.visualizer.times.PredictionData;
import dev.topo.visualizer.times.PredictionHeadline;
import dev.topo.visualizer.times.PredictionText;
import dev.topo.visualizer.times.ScalingBrief;
import dev.topo.visualizer.times.ScalingHeadline;
import dev.topo.visualizer.times.ScalingText;
import dev.topo.visualizer.times.VerdictBrief;
import dev.topo.visualizer.times.VerdictHeadline;
import dev.topo.visualizer.times.VerdictOutput;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topo predict}: how long collectives take on real hardware. */
@Command(
    name = "predict",
    description =
        "Time, algbw and busbw by size on calibrated hardware, what limits them, and what would be faster than NCCL's"
            + " choice.",
    footer = {
      "",
      "The text shows 1 MiB to 1 GiB of all_reduce, or what --sizes and --collective name; --sizes all",
      "shows all sizes, -v everything. JSON and CSV have all sizes of all collectives.",
      "The range contains 90 of 100 measurements that were not used for the fit. As in nccl-tests,",
      "calls are repeated on the same buffers, and sizes are those of its column size.",
      "",
      "Example: topo predict topologies/hgx-h200-4nic.xml --env NCCL_NVLS_ENABLE=0 --collective all_reduce",
      "Example: topo predict system.xml --algorithm each --sizes 1M,64M,1G --format csv",
      "Example: topo predict system.xml --nodes 1:1024:2 --collective all_reduce,alltoall --sizes 1M,1G",
      "Example: topo predict system.xml --nodes 64 --fabric leaves.conf --hosts n[0-63] --collective all_reduce",
      "Example: topo predict declared.xml --actual system.xml --sizes 1G",
      "Example: topo predict topologies/gh200-4.xml --nodes 8 --network slingshot --sizes 1M:1G:4",
      "Example: topo predict system.xml --collective alltoall,sendrecv --buffers registered",
      "Example: topo predict system.xml --nodes 8 --split \"MOD 8\" --groups-at-once split --collective all_gather",
      "Example: topo predict system.xml --against all_reduce_perf.txt",
      "Example: topo predict system.xml --format tuner -o tuner.csv"
    })
final class PredictCommand extends JobCommand {
  /** For several numbers of nodes: few enough that a table for each size can be read. */
  private static final List<Long> SCALING_SIZES = CallSizes.parse("64K,1M,16M,256M,1G");

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private CallFormat format = CallFormat.text;

  @Option(
      names = "--actual",
      paramLabel = "FILE",
      description = "The actual machine, if NCCL uses another topology: FILE, as NCCL_TOPO_FILE.")
  private @Nullable Path actual;

  private static final List<Long> BRIEF_SIZES = CallSizes.parse("1M,16M,256M,1G");

  /** On more numbers of nodes than that, only the larger half of the sizes fits a screen. */
  private static final int SOME_COUNTS = 4;

  /** On more than that, only the largest. */
  private static final int MANY_COUNTS = 8;

  private List<PeerOperation> peers = List.of();

  @Mixin private CallOptions calls = new CallOptions();
  @Mixin private PeerOptions peerOptions = new PeerOptions();
  @Mixin private EvaluationOptions evaluation = new EvaluationOptions();
  @Mixin private PairOptions pairs = new PairOptions();
  @Mixin private BriefOption brief = new BriefOption();
  @Mixin private MeasuredOptions measured = new MeasuredOptions();

  @Override
  NcclSettings marking(NcclSettings settings) {
    return evaluation.withoutModelled(settings);
  }

  @Override
  Answer answer(List<Path> topologyFiles, NcclSettings settings) {
    check();
    if (job().counts().size() > 1) {
      return scaling(topologyFiles, settings);
    }
    MeasuredJob job =
        measured(
            topologyFiles,
            settings,
            whole -> measured.read(whole.nRanks(), calls, pairs, version(), inputs(), streams()));
    Optional<ConcurrentGroups> concurrent = concurrent(job.parts());
    return ofEach(
        communicating(job.parts(), ""),
        part -> answer(part, concurrent.map(all -> all.of(job.parts().indexOf(part))), job.run()));
  }

  /** Times then hold what communicators share. */
  @Override
  boolean hasTimes() {
    return !evaluation.runsGroupsOfSplit();
  }

  /** The communicators of a split, where their calls run at the same time. */
  private Optional<ConcurrentGroups> concurrent(List<JobPart> parts) {
    if (!evaluation.runsGroupsOfSplit()) {
      return Optional.empty();
    }
    if (!job().hasSplit()) {
      throw new SettingException(
          "--groups-at-once split: the groups are those of --split, expected --split");
    }
    List<Group> groups = new ArrayList<>();
    for (JobPart part : parts) {
      Connection connection = evaluator().connect(part.job(), version().profile());
      if (connection.nNodes() != part.job().machines().size()) {
        throw new SettingException(
            "--groups-at-once split: %s is %d nodes, expected one for each machine"
                .formatted(part.title(), connection.nNodes()));
      }
      groups.add(new Group(connection, part.places()));
    }
    return Optional.of(new ConcurrentGroups(groups, 0));
  }

  private void check() {
    boolean tuner = format == CallFormat.tuner;
    peers = calls.peers();
    peerOptions.check(peers, calls);
    if (!peers.isEmpty() && (tuner || pairs.isGiven())) {
      throw new SettingException(
          "--collective %s: sends and receives have no algorithms, and --algorithm, --protocol and"
                  .formatted(peers.get(0).ncclTestsName())
              + " --format tuner are for collectives");
    }
    if (tuner && (measured.isAgainst() || pairs.isGiven() || calls.hasSizes())) {
      throw new SettingException(
          "--format tuner recommends for all sizes: --against, --algorithm, --protocol and --sizes cannot be combined with it");
    }
    if (!tuner && measured.isMeasured()) {
      throw new SettingException(
          "--measured makes a file for NCCL's tuner plugin, expected --format tuner");
    }
  }

  /** The calls on several numbers of nodes. */
  private Answer scaling(List<Path> topologyFiles, NcclSettings settings) {
    if (format == CallFormat.tuner
        || measured.isAgainst()
        || actual != null
        || job().hasSplit()
        || job().hasNodeList()) {
      throw new SettingException(
          "several --nodes compare predictions for one FILE: --node, --split, --against, --actual and --format tuner cannot be combined with them");
    }
    if (peerOptions.hasMatrix()) {
      throw new SettingException(
          "--traffic is a matrix of one number of ranks: expected one number of --nodes, or --skew");
    }
    List<Long> sizes = scalingSizes();
    List<CollectiveCall> all = calls.calls(sizes);
    List<Forecast> forecasts = new ArrayList<>();
    caveats().clear();
    try (Progress.Task task = begin("prediction", job().counts().size())) {
      for (int count : job().counts()) {
        task.next();
        JobPart part = parts(job().layout(topologyFiles, count), settings).get(0);
        if (part.job().nRanks() < 2) {
          message("note: no prediction for " + part.title() + ": one rank has nothing to send");
          continue;
        }
        JobResult result =
            evaluation.known(
                evaluator()
                    .evaluate(
                        evaluation.request(
                            version().profile(),
                            part,
                            Optional.empty(),
                            Optional.empty(),
                            Optional.empty(),
                            inputs(),
                            streams())));
        forecasts.add(
            new Forecast(
                part.title(),
                result,
                all.stream()
                    .map(call -> PredictedCall.of(result.predictor(), call, pairs.selection()))
                    .toList(),
                List.of(),
                peers(result.predictor(), sizes)));
      }
    }
    if (forecasts.stream()
        .allMatch(
            forecast ->
                forecast.peers().isEmpty()
                    && forecast.calls().stream().allMatch(call -> call.shown().isEmpty()))) {
      checkFailed();
    }
    Scaling scaling = new Scaling(MachineName.of(topologyFiles), forecasts);
    return switch (format) {
      case text ->
          (input().isVerbose()
                  ? ScalingText.of(scaling)
                  : ScalingBrief.of(scaling, calls.isNamed()))
              .saying(ScalingHeadline.of(scaling));
      case json -> PredictionData.json(scaling).saying(ScalingHeadline.of(scaling));
      default -> PredictionData.csv(scaling);
    };
  }

  private Answer answer(
      JobPart part, Optional<ConcurrentGroups> concurrent, Optional<MeasuredRun> run) {
    JobResult result =
        evaluation.known(
            evaluator()
                .evaluate(
                    evaluation.request(
                        version().profile(),
                        part,
                        concurrent,
                        run,
                        actual(part),
                        inputs(),
                        streams())));
    if (format == CallFormat.tuner) {
      if (run.isEmpty()) {
        new Forecast(part.title(), result, List.of(), List.of())
            .caveats()
            .forEach(caveat -> message("note: " + caveat));
      }
      return tuner(result, run);
    }
    if (run.isPresent()) {
      List<PeerVerdict> others = measured.peers(run.get(), result.predictor(), calls);
      List<MeasurementVerdict> verdicts =
          measured.verdicts(run.get(), result.predictor(), calls, !others.isEmpty(), streams());
      List<PeerPrediction> predicted = others.stream().map(PeerVerdict::prediction).toList();
      return judged(
          new Forecast(
              part.title(),
              result,
              List.of(),
              verdicts.stream().map(MeasurementVerdict::prediction).toList(),
              predicted),
          verdicts,
          others,
          part.job(),
          run.get());
    }
    return predictions(
        new Forecast(
            part.title(),
            result,
            predicted(result.predictor()),
            List.of(),
            requirePeers(result.predictor())));
  }

  private Optional<Machine> actual(JobPart part) {
    if (actual != null && part.job().machines().size() > 1) {
      throw new SettingException("--actual is for one node: there is no calibration between nodes");
    }
    Optional<Machine> there =
        machines()
            .actual(
                actual,
                part.job().machines().get(0),
                part.files().get(0).toString(),
                version().profile());
    Path file = actual;
    if (file != null) {
      there.ifPresent(
          machine ->
              caveats().addJob(Map.of(file, machine.topology()), 1, false, machine.settings()));
    }
    return there;
  }

  private Answer predictions(Forecast forecast) {
    if (forecast.peers().isEmpty()
        && forecast.calls().stream().allMatch(call -> call.shown().isEmpty())) {
      checkFailed();
    }
    if (format == CallFormat.text) {
      Answer text =
          input().isVerbose()
              ? PredictionText.of(forecast)
              : PredictionBrief.of(forecast, calls.isNamed());
      return text.saying(PredictionHeadline.of(forecast));
    }
    if (format == CallFormat.json) {
      return PredictionData.json(forecast).saying(PredictionHeadline.of(forecast));
    }
    // A table has no place for what is not in it.
    for (Collective collective : calls.collectives()) {
      for (String why : forecast.obstacles(collective)) {
        message("note: " + collective.label() + ": " + why);
      }
    }
    return PredictionData.csv(forecast);
  }

  private Answer judged(
      Forecast forecast,
      List<MeasurementVerdict> verdicts,
      List<PeerVerdict> others,
      Job job,
      MeasuredRun run) {
    if (verdicts.stream().anyMatch(verdict -> !verdict.passes())
        || others.stream().anyMatch(verdict -> !verdict.passes())) {
      checkFailed();
    }
    String name = String.valueOf(Path.of(run.file()).getFileName());
    List<Caveat> caveats = RunMismatches.of(run.file(), run.origin(), job, version().rules());
    if (format == CallFormat.csv) {
      return VerdictOutput.csv(verdicts, others);
    }
    List<Verdict> all = new ArrayList<>(verdicts);
    all.addAll(others);
    String sentence = VerdictHeadline.of(name, forecast, all);
    if (format == CallFormat.json) {
      return VerdictOutput.json(name, caveats, forecast, verdicts, others).saying(sentence);
    }
    Answer text =
        input().isVerbose()
            ? VerdictOutput.text(name, forecast, verdicts, others)
            : VerdictBrief.of(forecast, all);
    return rendered(text.saying(sentence), envelope(version().rules(), caveats), "text");
  }

  /** A text shows the sizes that are quoted most, unless others are requested. */
  private List<Long> sizes() {
    return format == CallFormat.text && !calls.hasSizes() && !input().isVerbose()
        ? BRIEF_SIZES
        : calls.sizes();
  }

  /** Where a table for each size would be read, sizes for a table; else those that fit a screen. */
  private List<Long> scalingSizes() {
    if (calls.hasSizes()) {
      return calls.sizes();
    }
    if (format != CallFormat.text || input().isVerbose()) {
      return SCALING_SIZES;
    }
    int counts = job().counts().size();
    return BRIEF_SIZES.subList(
        counts > MANY_COUNTS ? BRIEF_SIZES.size() - 1 : counts > SOME_COUNTS ? 2 : 0,
        BRIEF_SIZES.size());
  }

  private List<PredictedCall> predicted(Predictor predictor) {
    List<PredictedCall> predicted = new ArrayList<>();
    List<CollectiveCall> all = calls.calls(sizes());
    try (Progress.Task task = begin("prediction", all.size())) {
      for (CollectiveCall call : all) {
        task.next();
        predicted.add(PredictedCall.of(predictor, call, pairs.selection()));
      }
    }
    return predicted;
  }

  private List<PeerPrediction> peers(Predictor predictor, List<Long> sizes) {
    int nRanks = predictor.planner().communicator().facts().nRanks();
    return PeerPredictor.of(predictor)
        .map(known -> peerOptions.predict(peers, sizes, known, nRanks, inputs()))
        .orElse(List.of());
  }

  private List<PeerPrediction> requirePeers(Predictor predictor) {
    List<PeerPrediction> predicted = peers(predictor, sizes());
    if (!peers.isEmpty() && predicted.isEmpty()) {
      String names =
          peers.stream().map(PeerOperation::ncclTestsName).collect(Collectors.joining(", "));
      throw new NothingFoundException(
          PeerPredictor.of(predictor).isPresent()
              ? "nothing is sent between ranks by " + names
              : "no calibration fits this machine, and without one sends and receives are not predicted: leave out %s, or give --calibration"
                  .formatted(names));
    }
    return predicted;
  }

  /** The collectives where the file keeps choices that nothing can be held against. */
  private void notComparable(Predictor predictor) {
    for (Collective collective : calls.collectives()) {
      List<Long> sizes =
          CallSizes.parse(CallSizes.USUAL).stream()
              .filter(
                  size -> {
                    ChoiceComparison comparison =
                        predictor.compare(CollectiveCall.of(collective, size));
                    return comparison.chosen().isPresent() && !comparison.isComparable();
                  })
              .toList();
      if (!sizes.isEmpty()) {
        message(
            "note: "
                + collective.label()
                + ": at "
                + sizes.stream().map(QuantityFormat::size).collect(Collectors.joining(", "))
                + " not all pairs are comparable, as only some are calibrated: none of the others is recommended");
      }
    }
  }

  private Answer tuner(JobResult result, Optional<MeasuredRun> run) {
    Communicator communicator = result.communicator();
    Recommendation recommendation = Recommendation.of(result.predictor());
    if (run.isPresent()) {
      recommendation = measured.choices(run.get(), communicator);
    } else if (result.predictor().calibration().isEmpty() || communicator.facts().nNodes() > 1) {
      message("note: no calibration for this job: the file contains NCCL's own choices");
    } else {
      notComparable(result.predictor());
    }
    TunerCsv csv = RecommendedRules.of(communicator, calls.collectives(), recommendation);
    if (calls.collectives().size() < Collective.values().length) {
      message(
          "the file has no rule for other collectives: NCCL's plugin runs these on one channel");
    }
    return Answer.of(csv.write());
  }
}
