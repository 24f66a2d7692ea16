package dev.topo.visualizer.study;

import dev.topo.hw.verify.TriedCall;
import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.tuning.CommFacts;
import dev.topo.simulator.advice.AdviceReport;
import dev.topo.simulator.advice.Alternative;
import dev.topo.simulator.advice.BetterGraph;
import dev.topo.simulator.advice.BetterGraph.CallGain;
import dev.topo.simulator.advice.CallAdvice;
import dev.topo.simulator.advice.CallAdvice.Candidate;
import dev.topo.simulator.advice.Check;
import dev.topo.simulator.advice.Gain;
import dev.topo.simulator.advice.GraphAnswer;
import dev.topo.simulator.advice.HowTo;
import dev.topo.simulator.advice.Instruction;
import dev.topo.simulator.advice.Lever;
import dev.topo.simulator.advice.Permission;
import dev.topo.simulator.advice.Plan;
import dev.topo.simulator.advice.Setup;
import dev.topo.visualizer.times.PredictionOutput;
import dev.topo.visualizer.times.PredictionRow;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Columns;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.JobSummary;
import dev.topo.visualizer.view.Json;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Advice as JSON and CSV: {@code advice[]} with the best alternative for each call, {@code plan}
 * for all calls together.
 */
public final class AdviceFields {
  private static final String HEADER =
      "collective,bytes,ctas,algorithm,protocol,kernel,time_us,best_ctas,best_algorithm,best_protocol,best_kernel,"
          + "best_buffers,best_settings,best_time_us,gain_percent,gain_low_percent,gain_high_percent,levers";

  /** The kinds of buffers that programs have to register. */
  static final List<Buffers> REGISTRATIONS = List.of(Buffers.REGISTERED, Buffers.SYMMETRIC);

  private static final Fields<Alternative> ALTERNATIVE =
      Fields.of(Alternative.class)
          .components("ctas", "algorithm", "protocol")
          .field("kernel", alternative -> alternative.kernel().map(SymmetricKernel::label))
          .field("buffers", alternative -> alternative.setup().buffers().label())
          .field("settings", alternative -> alternative.setup().settings().values())
          .components("timeUs")
          .column(
              "settings",
              alternative ->
                  QuantityFormat.joined(
                      " ",
                      alternative.setup().settings().values().entrySet(),
                      Map.Entry::toString));

  private static final Fields<Gain> RANGE =
      Fields.of(Gain.class)
          .field("gainLowPercent", Gain::leastPercent)
          .field("gainHighPercent", Gain::mostPercent);

  static final Fields<Gain> GAIN =
      Fields.of(Gain.class).field("gainPercent", Gain::percent).including(gain -> gain, RANGE);

  static final Columns<CallGain> GRAPH_CALL =
      Columns.of(CallGain.class)
          .column("call", gain -> PredictionRow.call(gain.call()))
          .fields(fields -> fields.including(CallGain::call, PredictionOutput.CALL))
          .column("now", "nowUs", CallGain::beforeUs, QuantityFormat::time)
          .column("with the file", "timeUs", CallGain::afterUs, QuantityFormat::time)
          .column(
              "faster by",
              "gainPercent",
              CallGain::gainPercent,
              gain -> AdviceText.percent(gain / 100));

  private static final Fields<GraphAnswer.None> NO_GRAPH =
      Fields.of(GraphAnswer.None.class)
          .components("reason")
          .field("channels", none -> Optional.empty())
          .field("sameOrders", none -> Optional.empty())
          .field("calls", none -> List.of())
          .field("file", none -> Optional.empty());

  private static final Fields<BetterGraph> GRAPH =
      Fields.of(BetterGraph.class)
          .field("reason", graph -> Optional.empty())
          .field("channels", BetterGraph::channelsAfter)
          .components("sameOrders")
          .list("calls", BetterGraph::calls, GRAPH_CALL.fields())
          .components("file");

  /** Results of trial runs on this machine. */
  static final Columns<TriedCall> TRIED =
      Columns.of(TriedCall.class)
          .column("call", call -> PredictionRow.call(call.way().call()))
          .fields(
              fields ->
                  fields
                      .including(call -> call.way().call(), PredictionOutput.CALL)
                      .object("way", TriedCall::way, ALTERNATIVE))
          .field("advised", TriedCall::advised)
          .column("as it is", "nowUs", TriedCall::nowUs, QuantityFormat::time)
          .column("with", call -> AdviceText.how(call.way()))
          .column("time", "timeUs", TriedCall::wayUs, QuantityFormat::time)
          .column("faster by", call -> AdviceText.percent(call.ratio() - 1))
          .field("gainPercent", call -> 100 * (call.ratio() - 1))
          .column("predicted", call -> AdviceText.percent(call.predicted() - 1))
          .field("predictedPercent", call -> 100 * (call.predicted() - 1))
          .field("scatterPercent", call -> 100 * call.scatter())
          .column("held", "held", TriedCall::held, held -> held ? "yes" : "no");

  private static final Fields<CallAdvice> CALL =
      Fields.of(CallAdvice.class).including(CallAdvice::call, PredictionOutput.CALL);

  private static final Fields<CallAdvice> PLANNED =
      CALL.object("best", CallAdvice::best, ALTERNATIVE).including(advice -> advice, gain());

  /** The commands that measure a call before and after a change. */
  private record Checks(Check topo, Check ncclTests) {}

  /** What a change costs. */
  private record CallCost(int multiprocessors, long memoryBytes) {}

  private final AdviceReport report;
  private final CommFacts facts;

  private AdviceFields(AdviceReport report) {
    this.report = report;
    this.facts = report.now().communicator().facts();
  }

  /**
   * The advice as a JSON document.
   *
   * @param tried the trial runs on this machine
   */
  public static Answer json(AdviceReport report, List<TriedCall> tried) {
    return Json.document("advise", new AdviceFields(report).fields(tried), report);
  }

  private Fields<AdviceReport> fields(List<TriedCall> tried) {
    return Fields.of(AdviceReport.class)
        .field("job", report -> new JobSummary(report.title(), facts.nNodes(), facts.nRanks()))
        .including(AdviceReport::forecast, PredictionOutput.BASIS)
        .caveats(AdviceFields::caveats)
        .field("may", report -> labels(report.advice().may()))
        .list("advice", report -> report.advice().calls(), advice())
        .object("plan", report -> report.advice().plan(), plan())
        .field("graph", report -> report.advice().graph().map(AdviceFields::graph))
        .list("tried", report -> tried, TRIED.fields())
        .field("tries", AdviceReport::tries)
        .field("notAdvised", AdviceReport::notAdvised);
  }

  private static List<String> caveats(AdviceReport report) {
    List<String> forecast = report.forecast().caveats();
    return Stream.concat(
            forecast.stream(),
            report.caveats().stream().filter(caveat -> !forecast.contains(caveat)))
        .toList();
  }

  /** The labels of the permissions, in the order of declaration. */
  static List<String> labels(Collection<Permission> may) {
    return Stream.of(Permission.values()).filter(may::contains).map(Permission::label).toList();
  }

  private static Fields<CallAdvice> gain() {
    return Fields.of(CallAdvice.class)
        .field("gainPercent", advice -> advice.gain().percent())
        .includingOptional(advice -> advised(advice).map(CallAdvice::gain), RANGE);
  }

  private static Optional<CallAdvice> advised(CallAdvice advice) {
    return Optional.of(advice).filter(CallAdvice::isAdvised);
  }

  private static List<String> levers(CallAdvice advice) {
    return advice.isAdvised()
        ? advice.best().levers().stream().map(Lever::label).toList()
        : List.of();
  }

  private Fields<CallAdvice> advice() {
    return CALL.object("now", CallAdvice::now, ALTERNATIVE)
        .field("boundUs", advice -> report.advice().boundUs(advice.call()))
        .object("best", CallAdvice::best, ALTERNATIVE)
        .including(advice -> advice, gain())
        .field("levers", AdviceFields::levers)
        .field("cost", advice -> advised(advice).map(this::cost))
        .field("how", this::how)
        .field("check", advice -> advised(advice).map(call -> check(call.now(), call.best())))
        .field(
            "candidate",
            advice -> advice.candidate().map(other -> candidate(advice.now()).json(other)));
  }

  private CallCost cost(CallAdvice call) {
    return new CallCost(
        call.best().ctas() - call.now().ctas(),
        AdviceCost.memoryBytes(report.now(), call.best().setup()));
  }

  private List<String> how(CallAdvice advice) {
    return advice.isAdvised()
        ? HowTo.of(advice.best(), facts).stream().map(Instruction::toString).toList()
        : List.of();
  }

  private Fields<Candidate> candidate(Alternative now) {
    return Fields.of(Candidate.class)
        .object("way", Candidate::variant, ALTERNATIVE)
        .field("gainPercent", candidate -> 100 * (now.timeUs() / candidate.variant().timeUs() - 1))
        .includingOptional(Candidate::gain, RANGE)
        .field("check", candidate -> check(now, candidate.variant()));
  }

  private static Object graph(GraphAnswer answer) {
    return answer instanceof GraphAnswer.None none
        ? NO_GRAPH.json(none)
        : GRAPH.json((BetterGraph) answer);
  }

  private Checks check(Alternative now, Alternative best) {
    return new Checks(
        Check.byRun(now, best, report.ownSettings(), facts.nRanks()),
        Check.byNcclTests(now, best, report.ownSettings(), facts.nRanks()));
  }

  private Fields<Plan> plan() {
    return Fields.of(Plan.class)
        .field("settings", plan -> settings(plan).settings().values())
        .field("tuner", plan -> report.tunerFile().lines().toList())
        .field("buffers", AdviceFields::buffers)
        .field("memoryBytes", plan -> AdviceCost.memoryBytes(report.now(), settings(plan)))
        .field("gainPercent", plan -> 100 * plan.gain())
        .list("calls", Plan::calls, PLANNED);
  }

  private static Setup settings(Plan plan) {
    return plan.settings().orElseGet(() -> Setup.of(Buffers.PLAIN));
  }

  /**
   * The operations whose buffers need registration, by kind of buffer, each with the lines of a
   * program that does it.
   */
  private static List<Object> buffers(Plan plan) {
    return Fields.of(Buffers.class)
        .field("kind", Buffers::label)
        .field("collectives", plan::operations)
        .field("program", HowTo::pytorch)
        .json(REGISTRATIONS.stream().filter(kind -> !plan.operations(kind).isEmpty()).toList());
  }

  /** The advice as CSV, one row for each call. */
  public static Answer csv(AdviceReport report) {
    Fields<CallAdvice> row =
        CALL.including(CallAdvice::now, ALTERNATIVE)
            .columns("best_", CallAdvice::best, ALTERNATIVE)
            .including(advice -> advice, gain())
            .column("levers", advice -> String.join("+", levers(advice)));
    return Csv.table(HEADER, caveats(report), row, report.advice().calls().stream());
  }
}
