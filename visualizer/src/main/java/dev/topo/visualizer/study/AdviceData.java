package dev.topo.visualizer.study;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.topo.hw.verify.TriedCall;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.Protocol;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.search.kernel.Buffers;
import dev.topo.search.tuning.CommFacts;
import dev.topo.simulator.advice.AdviceReport;
import dev.topo.simulator.advice.Alternative;
import dev.topo.simulator.advice.BetterGraph;
import dev.topo.simulator.advice.CallAdvice;
import dev.topo.simulator.advice.CallAdvice.Candidate;
import dev.topo.simulator.advice.Check;
import dev.topo.simulator.advice.Gain;
import dev.topo.simulator.advice.GraphAnswer;
import dev.topo.simulator.advice.HowTo;
import dev.topo.simulator.advice.Instruction;
import dev.topo.simulator.advice.Lever;
import dev.topo.simulator.advice.MeasuredSetting;
import dev.topo.simulator.advice.Permission;
import dev.topo.simulator.advice.Plan;
import dev.topo.simulator.advice.Setup;
import dev.topo.visualizer.times.PredictionData.Basis;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Advice as data: {@code advice[]} with what is best for each call, {@code plan} for all. */
public final class AdviceData {
  private static final String HEADER =
      "collective,bytes,ctas,algorithm,protocol,kernel,time_us,best_ctas,best_algorithm,best_protocol,best_kernel,"
          + "best_buffers,best_settings,best_time_us,gain_percent,gain_low_percent,gain_high_percent,levers";

  private record Document(
      JobSummary job,
      @JsonUnwrapped Basis basis,
      List<String> may,
      List<Entry> advice,
      PlanEntry plan,
      Optional<GraphEntry> graph,
      List<TriedEntry> tried,
      List<String> tries,
      List<MeasuredSetting> notAdvised)
      implements Json.Caveated {
    @Override
    public Document with(List<String> caveats) {
      return new Document(
          job, basis.with(caveats), may, advice, plan, graph, tried, tries, notAdvised);
    }
  }

  private record Entry(
      Operation collective,
      long bytes,
      Way now,
      OptionalDouble boundUs,
      Way best,
      double gainPercent,
      OptionalDouble gainLowPercent,
      OptionalDouble gainHighPercent,
      List<String> levers,
      Optional<CostEntry> cost,
      List<String> how,
      Optional<CheckEntry> check,
      Optional<CandidateEntry> candidate) {}

  private record Way(
      int ctas,
      Optional<Algorithm> algorithm,
      Optional<Protocol> protocol,
      Optional<String> kernel,
      String buffers,
      Map<String, String> settings,
      double timeUs) {}

  /** What a change costs. */
  private record CostEntry(int multiprocessors, long memoryBytes) {}

  private record CheckEntry(Commands topo, Commands ncclTests) {}

  private record Commands(String before, String after) {}

  private record CandidateEntry(
      Way way,
      double gainPercent,
      OptionalDouble gainLowPercent,
      OptionalDouble gainHighPercent,
      CheckEntry check) {}

  private record PlanEntry(
      Map<String, String> settings,
      List<String> tuner,
      List<BuffersEntry> buffers,
      long memoryBytes,
      double gainPercent,
      List<PlannedCall> calls) {}

  /** The operations whose buffers are to be of a kind, and the lines of a program. */
  private record BuffersEntry(String kind, List<Operation> collectives, List<String> program) {}

  /** Better graphs; without a file there are none, for the reason. */
  private record GraphEntry(
      Optional<String> reason,
      Optional<Integer> channels,
      Optional<Boolean> sameOrders,
      List<GraphCall> calls,
      Optional<String> file) {}

  /** What was measured on this machine. */
  private record TriedEntry(
      Operation collective,
      long bytes,
      Way way,
      boolean advised,
      double nowUs,
      double timeUs,
      double gainPercent,
      double predictedPercent,
      double scatterPercent,
      boolean held) {}

  private record GraphCall(
      Operation collective, long bytes, double nowUs, double timeUs, double gainPercent) {}

  private record PlannedCall(
      Operation collective,
      long bytes,
      Way best,
      double gainPercent,
      OptionalDouble gainLowPercent,
      OptionalDouble gainHighPercent) {}

  private final AdviceReport report;
  private final CommFacts facts;

  private AdviceData(AdviceReport report) {
    this.report = report;
    this.facts = report.now().communicator().facts();
  }

  /**
   * The advice as JSON.
   *
   * @param tried what was measured of it on this machine
   */
  public static Answer json(AdviceReport report, List<TriedCall> tried) {
    AdviceData data = new AdviceData(report);
    List<String> forecast = report.forecast().caveats();
    return Json.document(
        "advise",
        new Document(
            new JobSummary(report.title(), data.facts.nNodes(), data.facts.nRanks()),
            Basis.of(report.forecast())
                .withAfter(
                    report.caveats().stream().filter(one -> !forecast.contains(one)).toList()),
            Stream.of(Permission.values())
                .filter(report.advice().may()::contains)
                .map(Permission::label)
                .toList(),
            report.advice().calls().stream().map(data::entry).toList(),
            data.plan(report.advice().plan()),
            report.advice().graph().map(AdviceData::graph),
            tried.stream().map(AdviceData::tried).toList(),
            report.tries(),
            report.notAdvised()));
  }

  private Entry entry(CallAdvice one) {
    boolean advised = one.isAdvised();
    return new Entry(
        one.call().operation(),
        one.call().sizeBytes(),
        way(one.now()),
        report.advice().boundUs(one.call()),
        way(one.best()),
        one.gain().percent(),
        low(one),
        high(one),
        one.best().levers().stream().filter(lever -> advised).map(Lever::label).toList(),
        Optional.of(one)
            .filter(CallAdvice::isAdvised)
            .map(
                call ->
                    new CostEntry(
                        call.best().ctas() - call.now().ctas(),
                        Cost.memoryBytes(report.now(), call.best().setup()))),
        advised
            ? HowTo.of(one.best(), facts).stream().map(Instruction::toString).toList()
            : List.of(),
        Optional.of(one).filter(CallAdvice::isAdvised).map(call -> check(call.now(), call.best())),
        one.candidate().map(candidate -> candidate(one.now(), candidate)));
  }

  private static TriedEntry tried(TriedCall one) {
    return new TriedEntry(
        one.way().call().operation(),
        one.way().call().sizeBytes(),
        way(one.way()),
        one.advised(),
        one.nowUs(),
        one.wayUs(),
        100 * (one.ratio() - 1),
        100 * (one.predicted() - 1),
        100 * one.scatter(),
        one.held());
  }

  private static GraphEntry graph(GraphAnswer answer) {
    if (answer instanceof GraphAnswer.None none) {
      return new GraphEntry(
          Optional.of(none.reason()),
          Optional.empty(),
          Optional.empty(),
          List.of(),
          Optional.empty());
    }
    BetterGraph better = (BetterGraph) answer;
    return new GraphEntry(
        Optional.empty(),
        Optional.of(better.channelsAfter()),
        Optional.of(better.sameOrders()),
        better.calls().stream()
            .map(
                one ->
                    new GraphCall(
                        one.call().collective(),
                        one.call().sizeBytes(),
                        one.beforeUs(),
                        one.afterUs(),
                        one.gainPercent()))
            .toList(),
        Optional.of(better.file()));
  }

  private CandidateEntry candidate(Alternative now, Candidate candidate) {
    Optional<Gain> gain = candidate.gain();
    return new CandidateEntry(
        way(candidate.variant()),
        100 * (now.timeUs() / candidate.variant().timeUs() - 1),
        gain.map(one -> OptionalDouble.of(one.leastPercent())).orElse(OptionalDouble.empty()),
        gain.map(one -> OptionalDouble.of(one.mostPercent())).orElse(OptionalDouble.empty()),
        check(now, candidate.variant()));
  }

  private CheckEntry check(Alternative now, Alternative best) {
    Check run = Check.byRun(now, best, report.ownSettings(), facts.nRanks());
    Check tests = Check.byNcclTests(now, best, report.ownSettings(), facts.nRanks());
    return new CheckEntry(
        new Commands(run.before(), run.after()), new Commands(tests.before(), tests.after()));
  }

  private PlanEntry plan(Plan plan) {
    Setup settings = plan.settings().orElseGet(() -> Setup.of(Buffers.PLAIN));
    return new PlanEntry(
        settings.settings().values(),
        report.tunerFile().lines().toList(),
        Stream.of(Buffers.REGISTERED, Buffers.SYMMETRIC)
            .filter(kind -> !plan.operations(kind).isEmpty())
            .map(kind -> new BuffersEntry(kind.label(), plan.operations(kind), HowTo.pytorch(kind)))
            .toList(),
        Cost.memoryBytes(report.now(), settings),
        100 * plan.gain(),
        plan.calls().stream()
            .map(
                one ->
                    new PlannedCall(
                        one.call().operation(),
                        one.call().sizeBytes(),
                        way(one.best()),
                        one.gain().percent(),
                        low(one),
                        high(one)))
            .toList());
  }

  private static OptionalDouble low(CallAdvice one) {
    return one.isAdvised() ? OptionalDouble.of(one.gain().leastPercent()) : OptionalDouble.empty();
  }

  private static OptionalDouble high(CallAdvice one) {
    return one.isAdvised() ? OptionalDouble.of(one.gain().mostPercent()) : OptionalDouble.empty();
  }

  private static Way way(Alternative variant) {
    return new Way(
        variant.ctas(),
        variant.algorithm(),
        variant.protocol(),
        variant.kernel().map(SymmetricKernel::label),
        variant.setup().buffers().label(),
        variant.setup().settings().values(),
        variant.timeUs());
  }

  /** The advice as a table, a row for each call. */
  public static Answer csv(AdviceReport report) {
    return Csv.table(HEADER, report.advice().calls().stream().map(AdviceData::row));
  }

  private static List<Object> row(CallAdvice one) {
    Alternative now = one.now();
    Alternative best = one.best();
    return List.of(
        one.call().operation(),
        one.call().sizeBytes(),
        now.ctas(),
        now.algorithm(),
        now.protocol(),
        now.kernel().map(SymmetricKernel::label),
        now.timeUs(),
        best.ctas(),
        best.algorithm(),
        best.protocol(),
        best.kernel().map(SymmetricKernel::label),
        best.setup().buffers().label(),
        best.setup().settings().values().entrySet().stream()
            .map(Map.Entry::toString)
            .collect(Collectors.joining(" ")),
        best.timeUs(),
        one.gain().percent(),
        low(one),
        high(one),
        one.isAdvised()
            ? best.levers().stream().map(Lever::label).collect(Collectors.joining("+"))
            : "");
  }
}
