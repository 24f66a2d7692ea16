package dev.topo.cli;

import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.search.explain.Explanation;
import dev.topo.search.kernel.CallPaths;
import dev.topo.search.tuning.Communicator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.variant.TracedCommunicator;
import dev.topo.simulator.variant.WhyNot;
import dev.topo.simulator.verdict.BoundReport;
import dev.topo.simulator.verdict.JobExplainer;
import dev.topo.simulator.verdict.JobExplainer.Topic;
import dev.topo.visualizer.structure.ExplanationOutput;
import dev.topo.visualizer.structure.ExplanationSentence;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.JobSummary;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topo explain}: explains why NCCL does what it does. */
@Command(
    name = "explain",
    description =
        "Explains NCCL's decisions: the choice for a call, the channels, the NICs of sends, the"
            + " search, GDR and PXN; and the lower bound of the time.")
final class ExplainCommand extends Subcommand {
  @Mixin private FileAnswers files = new FileAnswers();

  @Mixin
  private JobQuestion question =
      new JobQuestion(
          this, () -> true, settings -> this.options.buffers().withoutModelled(settings));

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private TextOrJson format = TextOrJson.text;

  @Mixin private ExplainOptions options = new ExplainOptions();
  @Mixin private BriefOption brief = new BriefOption();

  @Override
  public Integer call() {
    return files.write(question, format, this::answer);
  }

  private Answer answer(AskedJob asked) {
    Call call = options.call();
    List<JobPart> jobParts = asked.parts();
    List<JobPart> parts =
        options.isAboutCalls()
            ? question.communicating(jobParts, ", or --about search,devices")
            : jobParts;
    Set<String> shown = new LinkedHashSet<>();
    Answer answer = asked.answered(parts, format, part -> explained(asked, part, call, shown));
    if (options.alternatives().stream().anyMatch(WhyNot::isAboutOneMachine)) {
      shown.forEach(
          machine ->
              message(
                  "note: graphs, rings and ports of --why-not are those of %s, node 0; select another machine with its FILE and --nodes"
                      .formatted(machine)));
    }
    return answer;
  }

  /**
   * Explains a communicator. If it has several nodes, adds the machine of its first node to {@code
   * shown}.
   */
  private Answer explained(AskedJob asked, JobPart part, Call call, Set<String> shown) {
    TracedCommunicator traced = TracedCommunicator.of(evaluator(), asked.request(part));
    List<Explanation> explanations = new ArrayList<>();
    Optional<BoundReport> bound = Optional.empty();
    if (options.alternatives().isEmpty() || options.hasTopics()) {
      JobExplainer explainer = new JobExplainer(traced, asked.settings(), part::machineOf);
      bound = options.wants(Topic.BOUND) ? explainer.bound(call) : Optional.empty();
      explanations.addAll(explain(explainer, traced, call));
    }
    if (call instanceof CollectiveCall collective) {
      WhyNot whyNot =
          new WhyNot(
              evaluator(),
              traced.communicator(),
              collective,
              asked.settings(),
              asked.rules(),
              profile -> asked.request(asked.samePart(part, profile), profile));
      options.alternatives().forEach(alternative -> explanations.add(whyNot.answer(alternative)));
    }
    if (options.wants(Topic.CHOICE) && options.alternatives().isEmpty()) {
      files.checkFailedIf(traced.predictor().refused(call).isPresent());
    }
    if (traced.nodes().size() > 1) {
      shown.add(part.machineOf(0));
    }
    Answer answer =
        format == TextOrJson.json
            ? ExplanationOutput.json(
                new JobSummary(part.title(), part.job().machines().size(), part.job().nRanks()),
                explanations,
                bound)
            : ExplanationOutput.text(
                part.title(), explanations, question.isVerbose() || options.hasTopics());
    boolean explainsChoice =
        options.alternatives().isEmpty()
            && options.wants(Topic.CHOICE)
            && !options.buffers().isGiven();
    return answer.saying(
        ExplanationSentence.of(
            part.title(), traced.communicator(), call, explainsChoice, explanations));
  }

  /** Explains a call of a communicator. */
  private List<Explanation> explain(JobExplainer explainer, TracedCommunicator traced, Call call) {
    Communicator communicator = traced.communicator();
    return explainer.explain(
        call,
        options.topics(),
        options.wants(Topic.CHOICE) && call instanceof CollectiveCall
            ? options.buffers().kindsOf(CallPaths.of(communicator))
            : List.of());
  }
}
