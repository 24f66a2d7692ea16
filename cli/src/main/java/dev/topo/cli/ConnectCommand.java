package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.EvaluationOptions.CalibrationOptions.FabricOptions;
import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.search.connect.Connection;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.TimeResolver.FabricResolver;
import dev.topo.visualizer.structure.AbsenceReason;
import dev.topo.visualizer.structure.ConnectPart;
import dev.topo.visualizer.structure.ConnectionRows;
import dev.topo.visualizer.structure.ConnectionSentence;
import dev.topo.visualizer.structure.ConnectionText;
import dev.topo.visualizer.structure.Excerpt;
import dev.topo.visualizer.structure.FabricText;
import dev.topo.visualizer.view.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topo connect}: shows the position of every rank in the channels of a job. */
@Command(
    name = "connect",
    description =
        "The rings and trees of a job over all its ranks, and its NVLS, CollNet and peer-to-peer"
            + " channels.")
final class ConnectCommand extends Subcommand {
  @Mixin private FileAnswers files = new FileAnswers();
  @Mixin private JobQuestion question = JobQuestion.withoutTimes(this);

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private TableFormat format = TableFormat.text;

  @Mixin private ConnectOptions options = new ConnectOptions();

  @Mixin private FabricOptions fabric = new FabricOptions();

  @Mixin private BriefOption brief = new BriefOption();

  @Override
  public Integer call() {
    return files.write(question, format, this::answer);
  }

  private Answer answer(AskedJob asked) {
    refuseIf(fabric.isGiven() && format != TableFormat.text, "--fabric: expected --format text");
    Set<ConnectPart> parts = options.parts(format == TableFormat.tsv);
    List<Answer> answers = new ArrayList<>();
    List<Object> communicators = new ArrayList<>();
    List<AbsenceReason> absences = new ArrayList<>();
    String sentence = "";
    List<JobPart> communicatorParts = asked.parts();
    for (JobPart part : communicatorParts) {
      Connection connection = evaluator().connect(part.job(), asked.profile());
      Excerpt excerpt = options.excerpt(connection, parts);
      AbsenceReason absence = new AbsenceReason(connection, asked.settings());
      absences.add(absence);
      sentence = sentence.isEmpty() ? ConnectionSentence.of(part.title(), connection) : sentence;
      switch (format) {
        case text -> answers.add(text(part, excerpt, parts, absence));
        case tsv ->
            answers.add(
                ConnectionRows.tsv(
                    parts.iterator().next(),
                    excerpt,
                    question.job().hasSplit(),
                    part.label(),
                    answers.isEmpty()));
        case json ->
            communicators.add(ConnectionRows.communicator(part.title(), excerpt, parts, absence));
      }
    }
    requireAny(parts, absences);
    Answer answer =
        switch (format) {
          case json -> ConnectionRows.of(communicators).saying(sentence);
          case text -> question.joined(communicatorParts, answers, format.name()).saying(sentence);
          case tsv -> Answer.join(answers, "");
        };
    return asked.answered(answer, format);
  }

  /** Fails with the reasons if no communicator has any of the requested parts. */
  private static void requireAny(Set<ConnectPart> parts, List<AbsenceReason> absences) {
    List<String> reasons = new ArrayList<>();
    for (AbsenceReason absence : absences) {
      for (ConnectPart part : parts) {
        Optional<String> reason = absence.of(part);
        if (reason.isEmpty()) {
          return;
        }
        reasons.add(reason.get());
      }
    }
    throw new NothingFoundException(reasons.stream().distinct().collect(Collectors.joining("; ")));
  }

  private Answer text(
      JobPart part, Excerpt excerpt, Set<ConnectPart> parts, AbsenceReason absence) {
    Answer text = ConnectionText.of(part.title(), excerpt, parts, absence, question.isVerbose());
    if (!fabric.isGiven()) {
      return text;
    }
    FabricResolver between = fabric.resolver(inputs());
    Answer hops =
        FabricText.of(
            evaluator(),
            excerpt.connection(),
            between.switches(),
            between.hosts(excerpt.connection(), part.job()),
            part.job());
    return Answer.join(List.of(text, hops), "");
  }
}
