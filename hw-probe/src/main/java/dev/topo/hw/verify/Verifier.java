package dev.topo.hw.verify;

import dev.topo.hw.run.AlternatingRun;
import dev.topo.hw.run.CompletedRun;
import dev.topo.hw.run.Row;
import dev.topo.hw.run.RunCollective;
import dev.topo.hw.run.RunFailure;
import dev.topo.hw.run.RunRequest;
import dev.topo.hw.run.SizeSweep;
import dev.topo.hw.run.WorkerCommand;
import dev.topo.hw.run.WorkerProcess;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.log.Fact;
import dev.topo.inspect.log.Fact.Topic;
import dev.topo.inspect.log.FileComparison;
import dev.topo.inspect.log.LogComparison;
import dev.topo.inspect.log.NcclLog;
import dev.topo.inspect.log.NcclLogReader;
import dev.topo.inspect.log.RunMismatches;
import dev.topo.inspect.log.RunOrigin;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Job;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import dev.topo.model.xml.GraphWriter;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.connect.Connection;
import dev.topo.search.kernel.CallPaths;
import dev.topo.search.path.Domain;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.tuning.ChannelShare;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.Tuner.Decision;
import dev.topo.simulator.evaluate.CallPredictor;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.Prediction.CollectivePrediction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Verifies a prediction: compares it with NCCL's dumps and logs, and measures each algorithm and
 * protocol. Under a launcher each process compares the log of its own ranks.
 *
 * @param command returns the command of a process with an environment
 * @param machine returns this host with the GPUs of these NVML numbers, as probed
 * @param evaluator predicts graphs, choices and times
 * @param inputs reads NCCL's files
 * @param progress receives each step
 */
public record Verifier(
    VerifyRequest request,
    Function<Map<String, String>, WorkerCommand> command,
    Function<List<Integer>, XmlElement> machine,
    JobEvaluator evaluator,
    Inputs inputs,
    Consumer<String> progress) {
  /** Number of rounds: enough for a median and a spread; more only widen the spread. */
  static final int ROUNDS = 5;

  /** Variables that a verification sets itself. */
  private static final Set<String> OWN =
      Set.of(
          "NCCL_TOPO_DUMP_FILE",
          "NCCL_GRAPH_DUMP_FILE",
          "NCCL_DEBUG",
          "NCCL_DEBUG_SUBSYS",
          "NCCL_DEBUG_FILE");

  /** Sizes at which NCCL's choice is recorded. */
  private static final SizeSweep RECORDED_SIZES = new SizeSweep(8, 256L << 20, 0, 2);

  /** Variables of a process without those that a verification sets itself. */
  public static Map<String, String> withoutOwn(Map<String, String> variables) {
    Map<String, String> others = new HashMap<>(variables);
    others.keySet().removeAll(OWN);
    return others;
  }

  /**
   * Verifies the prediction.
   *
   * @param folder an empty folder for NCCL's files
   * @throws RunFailure if NCCL does not run
   * @throws IOException if the folder cannot be used
   */
  public Verification verify(Path folder) throws IOException {
    Path dump = folder.resolve("topology.xml");
    Path graphDump = folder.resolve("graphs.xml");
    Path log = folder.resolve("nccl.log");
    Map<String, String> variables = new HashMap<>(request.variables());
    variables.put("NCCL_TOPO_DUMP_FILE", dump.toString());
    variables.put("NCCL_GRAPH_DUMP_FILE", graphDump.toString());
    variables.put("NCCL_DEBUG", "INFO");
    variables.put("NCCL_DEBUG_SUBSYS", "INIT,GRAPH,TUNING");
    variables.put("NCCL_DEBUG_FILE", log.toString());
    CompletedRun recorded =
        run("asking NCCL what it does", variables, request.asking(RECORDED_SIZES));
    RunOrigin library = RunOrigin.ofVersion(String.valueOf(recorded.started().ncclVersion()));
    ReleaseRules rules = library.rules().orElse(ReleaseRules.DEFAULT);
    JobPart job = RunJob.of(recorded.started(), request.settings(), rules.profile());
    JobResult predicted = evaluate(job, rules.profile());
    Communicator communicator = predicted.communicator();
    List<Fact> files = new ArrayList<>();
    if (Files.exists(dump)) {
      files.addAll(
          FileComparison.of(
              Topic.TOPOLOGY,
              "NCCL_TOPO_DUMP_FILE",
              read(dump),
              machine.apply(localDevices(communicator)),
              rules.profile().xml().detectedOtherwise));
    }
    if (Files.exists(graphDump)) {
      files.addAll(
          FileComparison.of(
              Topic.GRAPH_FILE, "NCCL_GRAPH_DUMP_FILE", read(graphDump), graphs(communicator)));
    }
    NcclLog ncclLog = NcclLogReader.read(log, inputs);
    LogComparison comparison =
        LogComparison.of(communicator, ncclLog, paths(communicator), request.buffers())
            .withFirst(files)
            .withNotCompared(notCompared(rules));
    List<MeasuredCall> measured = request.sweeps() ? sweeps(predicted) : List.of();
    return new Verification(
        recorded.started(),
        communicator,
        comparison,
        mismatches(ncclLog.origin().with(library), job.job(), rules),
        rules,
        wrong(recorded.rows()),
        measured);
  }

  private static List<String> notCompared(ReleaseRules rules) {
    List<String> attributes = rules.profile().xml().detectedOtherwise;
    return attributes.isEmpty()
        ? List.of()
        : List.of(
            "%s of the topology file: NCCL %s detects them otherwise than topo probe"
                .formatted(String.join(", ", attributes), rules.named()));
  }

  private CallPaths paths(Communicator communicator) {
    return CallPaths.of(communicator, request.settings(), request.run().use().gpus());
  }

  private static List<Caveat> mismatches(RunOrigin run, Job job, ReleaseRules rules) {
    List<Caveat> caveats = new ArrayList<>(CaveatFinder.ofRelease(rules));
    caveats.addAll(RunMismatches.of("NCCL on this machine", run, job, rules));
    return caveats;
  }

  private RunRequest runOf(List<RunCollective> collectives) {
    return request.run().withCalls(request.run().calls().withCollectives(collectives));
  }

  private static long wrong(List<Row> rows) {
    return rows.stream()
        .filter(row -> row.outOfPlace().wrong().orElse(0) + row.inPlace().wrong().orElse(0) > 0)
        .count();
  }

  private CompletedRun run(String what, Map<String, String> variables, RunRequest run) {
    progress.accept(what);
    WorkerProcess worker = new WorkerProcess(command.apply(variables), run, request.placement());
    return CompletedRun.of(
        events -> worker.run(events, line -> {}), step -> progress.accept(what + ", " + step));
  }

  private XmlElement read(Path file) {
    return new XmlReader().read(file, inputs).root();
  }

  /** NVML numbers of the GPUs of the first host, by rank. */
  private static List<Integer> localDevices(Communicator communicator) {
    return communicator.job().first().topology().gpusByRank().stream().map(GpuNode::dev).toList();
  }

  private static XmlElement graphs(Communicator communicator) {
    Connection connection = communicator.connection();
    Domain domain = connection.domain(0);
    String text =
        GraphWriter.write(
            connection.searchedGraphs(0), domain.topology(), domain.profile().search().graphFormat);
    return new XmlReader().read(text.getBytes(StandardCharsets.UTF_8), "predicted").root();
  }

  /** Measures NCCL's choice and each available pair, alternately in the same processes. */
  private List<MeasuredCall> sweeps(JobResult predicted) {
    Communicator communicator = predicted.communicator();
    List<RunCollective> collectives =
        request.run().calls().collectives().stream()
            .filter(collective -> collective.operation() instanceof Collective)
            .toList();
    List<AlternatingRun.Variant> variants = new ArrayList<>();
    variants.add(new AlternatingRun.Variant("NCCL's choice", Map.of(), collectives));
    addPairs(communicator, collectives, variants);
    String what =
        "measuring NCCL's choice and %s forced pairs in %s rounds"
            .formatted(variants.size() - 1, ROUNDS);
    RunRequest run = runOf(collectives).withComparison(new AlternatingRun(variants, ROUNDS));
    List<Row> rows = run(what, request.variables(), run).rows();
    List<MeasuredCall> measured = new ArrayList<>();
    for (int i = 0; i < variants.size(); i++) {
      int variant = i;
      List<Row> ofVariant = rows.stream().filter(row -> row.turn().variant() == variant).toList();
      Map<String, String> forcing = variants.get(i).settings();
      NcclSettings settings = request.settings().with(NcclSettings.of(forcing));
      JobResult expected =
          forcing.isEmpty()
              ? predicted
              : evaluate(
                  JobPart.alone(communicator.job().withSettings(unused -> settings)),
                  communicator.profile());
      add(measured, expected, ofVariant, !forcing.isEmpty());
    }
    return measured;
  }

  /** Adds each algorithm with each protocol that some of the collectives may use. */
  private static void addPairs(
      Communicator communicator,
      List<RunCollective> collectives,
      List<AlternatingRun.Variant> variants) {
    for (Algorithm algorithm : Algorithm.values()) {
      for (Protocol protocol : Protocol.values()) {
        List<RunCollective> usable =
            collectives.stream()
                .filter(collective -> usable(communicator, collective, algorithm, protocol))
                .toList();
        if (!usable.isEmpty()) {
          Algorithm.Pair pair = new Algorithm.Pair(algorithm, protocol);
          variants.add(new AlternatingRun.Variant(pair.label(), pair.settings(), usable));
        }
      }
    }
  }

  private static boolean usable(
      Communicator communicator, RunCollective run, Algorithm algorithm, Protocol protocol) {
    return communicator.tuner().model().bandwidthGBps(collective(run), algorithm, protocol) > 0;
  }

  private void add(
      List<MeasuredCall> measured, JobResult predicted, List<Row> rows, boolean forced) {
    Map<CollectiveCall, List<Row>> rounds = new LinkedHashMap<>();
    for (Row row : rows) {
      if (row.count() > 0) {
        // NCCL tunes for the larger of a rank's buffers.
        CollectiveCall call = CollectiveCall.of(collective(row.collective()), row.sizeBytes());
        rounds.computeIfAbsent(call, collectiveCall -> new ArrayList<>()).add(row);
      }
    }
    rounds.forEach(
        (call, all) ->
            predicted
                .communicator()
                .tuner()
                .decide(call)
                .choice()
                .ifPresent(choice -> measured.add(measured(predicted, all, call, choice, forced))));
  }

  private static MeasuredCall measured(
      JobResult predicted,
      List<Row> rounds,
      CollectiveCall call,
      Decision.Choice choice,
      boolean forced) {
    return new MeasuredCall(
        call.collective(),
        choice.algorithm(),
        choice.protocol(),
        ChannelShare.channels(predicted.communicator().facts(), call, choice),
        forced,
        rounds,
        choice.timeUs(),
        predictedUs(predicted.predictor(), call));
  }

  /**
   * Evaluates the job. The dumped machines already include NCCL_TOPO_FILE, which is not read again.
   */
  private JobResult evaluate(JobPart job, NcclProfile profile) {
    return evaluator.evaluate(
        job, profile, Optional.of(job.job().first()), request.run().use().gpus());
  }

  private static OptionalDouble predictedUs(CallPredictor predictor, CollectiveCall call) {
    return predictor.predict(call, false).stream()
        .filter(CollectivePrediction::isCalibrated)
        .mapToDouble(CollectivePrediction::timeUs)
        .findFirst();
  }

  private static Collective collective(RunCollective run) {
    return (Collective) run.operation();
  }
}
