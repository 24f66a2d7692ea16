package dev.topo.simulator.sweep;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.caveat.CaveatCollector.CaveatJob;
import dev.topo.inspect.caveat.CaveatFinder;
import dev.topo.inspect.caveat.ModelLimit;
import dev.topo.inspect.measured.FabricReader;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Job;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.nic.JobHosts;
import dev.topo.model.nic.SwitchMap;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResolver.MissingPorts;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.evaluate.TimeResolver;
import dev.topo.simulator.network.Fabric;
import dev.topo.simulator.sweep.ResultRow.Outcome;
import dev.topo.simulator.workload.GroupEvaluator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Evaluates the questions of a sweep for variants, one by one, as {@code topo predict} does for one
 * machine. Caches the last design, because the next variant usually has the same one. Not
 * thread-safe.
 */
final class VariantEvaluator {
  private final SweepPlan plan;
  private final SpecFiles files;
  private final JobEvaluator evaluator;
  private final Function<SpecText, String> words;
  private final TimeResolver times;
  private Optional<BuiltDesign> last = Optional.empty();

  VariantEvaluator(SweepPlan plan, JobEvaluator evaluator, Function<SpecText, String> words) {
    this.plan = plan;
    this.files = plan.files();
    this.evaluator = evaluator;
    this.words = words;
    this.times = new TimeResolver(plan.times(), files.inputs(), note -> {});
  }

  /** The rows of a variant, one for each question, in the order of the questions. */
  List<ResultRow> rows(SweepVariant variant) {
    BuiltDesign design;
    int machines;
    try {
      machines = variant.design().machine().machines(variant.nodes());
      design = design(variant);
    } catch (UnusableTopologyException | SettingException | TopologyFormatException e) {
      return plan.spec().questions().stream()
          .map(
              question ->
                  row(
                      variant,
                      question,
                      Optional.empty(),
                      JobAnswers.Answer.error(String.valueOf(e.getMessage())),
                      ""))
          .toList();
    }
    Job job = JobPart.ofEqual(design.machine(), machines).job();
    boolean hasMemory = plan.spec().memory();
    GroupEvaluator groups = groups(variant, design, job);
    JobAnswers answers = new JobAnswers(job, groups, hasMemory);
    TraceAnswers traces = new TraceAnswers(job, groups, design.rules(), hasMemory);
    List<String> caveats = caveats(design, machines);
    List<ResultRow> rows = new ArrayList<>();
    for (Question question : plan.spec().questions()) {
      JobAnswers.Answer answer;
      if (question instanceof Question.OneCall call) {
        answer = answers.answer(call);
      } else if (question instanceof Question.Workload workload) {
        answer = answers.answer(workload);
      } else {
        Question.Traces traced = (Question.Traces) question;
        answer = traces.answer(traced, files.traces().job(traced));
      }
      List<String> allCaveats = new ArrayList<>(caveats);
      allCaveats.addAll(answer.caveats());
      rows.add(row(variant, question, Optional.of(design), answer, String.join(" | ", allCaveats)));
    }
    return rows;
  }

  private BuiltDesign design(SweepVariant variant) {
    if (last.filter(built -> built.design().equals(variant.design())).isEmpty()) {
      last = Optional.of(BuiltDesign.of(variant.design(), files, plan.rules()));
    }
    return last.orElseThrow();
  }

  private GroupEvaluator groups(SweepVariant variant, BuiltDesign design, Job job) {
    return new GroupEvaluator(
        job,
        design::only,
        (part, nodes) ->
            evaluated(
                part,
                design,
                nodes.size() > 1
                    ? fabric(variant.fabric(), job).map(all -> all.of(nodes))
                    : Optional.empty()),
        !(variant.fabric() instanceof Switches.Wide));
  }

  private JobResult evaluated(Job job, BuiltDesign design, Optional<Fabric> fabric) {
    JobRequest request = times.request(design.rules().profile(), JobPart.alone(job));
    return evaluator.evaluate(fabric.map(request::withFabric).orElse(request));
  }

  private Optional<Fabric> fabric(Switches switches, Job job) {
    int nodes = job.machines().size();
    if (switches instanceof Switches.Leaves leaves) {
      return Optional.of(
          new Fabric(
              LeafSwitches.of(leaves, job.first().topology(), nodes),
              LeafSwitches.hosts(nodes),
              leaves.adaptive()));
    }
    if (switches instanceof Switches.Listed listed) {
      SwitchMap map = FabricReader.read(files.resolve(listed.file()), files.inputs());
      return Optional.of(
          new Fabric(
              map, JobHosts.of(map).of(job, map, listed.file().toString()), listed.adaptive()));
    }
    return Optional.empty();
  }

  private List<String> caveats(BuiltDesign design, int nodes) {
    List<Caveat> found = new ArrayList<>(CaveatFinder.ofRelease(design.rules()));
    found.addAll(
        CaveatFinder.find(
            new CaveatJob(
                List.of(design.after()),
                nodes,
                CaveatJob.Scope.COMMUNICATOR,
                design.machine().settings(),
                design.rules())));
    found.addAll(CaveatFinder.ofDomains(List.of(design.after()), design.rules()));
    found.addAll(CaveatFinder.ofChange(design.before(), design.machine().topology(), nodes));
    List<String> warnings = new ArrayList<>(design.warnings());
    new MissingPorts()
        .note(Map.of(design.design().machine().name(), design.machine()), nodes)
        .ifPresent(note -> warnings.add(words.apply(note).replaceFirst("^note: ", "")));
    // Not needed if the specification states which nodes NVLink joins.
    found.removeIf(
        caveat ->
            design.design().machine().nvlinkDomain().isPresent()
                && caveat.id().equals(ModelLimit.NVLINK_DOMAIN.id()));
    CaveatFinder.grouped(found).forEach(caveat -> warnings.add(words.apply(caveat.text())));
    return warnings;
  }

  private ResultRow row(
      SweepVariant variant,
      Question question,
      Optional<BuiltDesign> design,
      JobAnswers.Answer answer,
      String caveats) {
    Optional<Question.OneCall> call =
        question instanceof Question.OneCall oneCall ? Optional.of(oneCall) : Optional.empty();
    String error = answer.outcome().error();
    return new ResultRow(
        variant.number(),
        plan.key(variant),
        variant.design().machine().name(),
        variant.design().values(),
        variant.fabric().name(),
        variant.nodes(),
        design
            .map(BuiltDesign::machine)
            .map(machine -> machine.nRanks() * variant.design().machine().machines(variant.nodes()))
            .orElse(0),
        design.map(BuiltDesign::nics).orElse(0),
        design.map(BuiltDesign::nicGbps).orElse(0.0),
        call.isPresent() ? "" : question.label(),
        call.map(known -> known.operation().ncclTestsName()).orElse(""),
        call.map(Question.OneCall::bytes).orElse(0L),
        error.isEmpty() ? answer.outcome() : Outcome.error(files.withoutFolder(error)),
        variant.design().text(),
        answer.basis(),
        files.withoutFolder(caveats));
  }
}
