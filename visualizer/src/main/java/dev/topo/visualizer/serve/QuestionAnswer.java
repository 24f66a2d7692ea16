package dev.topo.visualizer.serve;

import dev.topo.inspect.edit.Edit;
import dev.topo.model.QuantityFormat;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.Inputs.Invocation;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Operation;
import dev.topo.search.explain.Explanation;
import dev.topo.simulator.evaluate.CommunicatorPredictions;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.variant.TracedCommunicator;
import dev.topo.simulator.variant.WhatIfOutcome;
import dev.topo.simulator.verdict.JobExplainer;
import dev.topo.visualizer.serve.DrawnPart.PartEdit;
import dev.topo.visualizer.structure.ExplanationOutput;
import dev.topo.visualizer.structure.ExplanationSentence;
import dev.topo.visualizer.study.EditedCallRow;
import dev.topo.visualizer.study.WhatIfJson;
import dev.topo.visualizer.times.PredictionRow;
import dev.topo.visualizer.times.PredictionSentence;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Envelope;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.SplitAnswer;
import dev.topo.visualizer.view.SplitAnswer.Part;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Builds the documents about a question: the one that a page shows, the one of {@code topo whatif},
 * and the explanation of a call.
 */
final class QuestionAnswer {
  private static final Fields<PartEdit> EDIT =
      Fields.of(PartEdit.class)
          .components("label")
          .field("edit", PartEdit::text)
          .text("place", PartEdit::place);

  private static final Fields<DrawnPart> PART =
      Fields.of(DrawnPart.class).components("id", "title").list("edits", DrawnPart::edits, EDIT);

  private static final Fields<ChannelGraph> GRAPH =
      Fields.of(ChannelGraph.class).components("kind").field("channels", ChannelGraph::nChannels);

  private QuestionAnswer() {}

  /**
   * Returns the document for the page.
   *
   * @param made the command line that gives the same answer
   */
  static Answer of(EvaluatedQuestion answered, JobEvaluator evaluator, Invocation made) {
    Envelope envelope = new Envelope(answered.rules(), answered.caveats(), made);
    String verdict = answered.verdict();
    MachinePicture picture = MachinePicture.of(answered, evaluator);
    MachineParts parts = picture.parts();
    Fields<EvaluatedQuestion> fields =
        Fields.of(EvaluatedQuestion.class)
            .field("equalCommand", question -> made.commandLine())
            .field("machine", question -> question.machine().name())
            .field("edits", QuestionAnswer::edits)
            .components("notes")
            .list("communicators", QuestionAnswer::communicators, communicator(answered))
            .field("communicator", EvaluatedQuestion::communicator)
            .field("starts", question -> question.outcome().isPresent())
            .field("rows", QuestionAnswer::rows)
            .field("limits", question -> limits(question, picture, parts))
            .list("graphs", QuestionAnswer::graphs, GRAPH)
            .field("drawing", question -> picture.controls(parts))
            .list("parts", question -> parts.all(), PART);
    return rendered(Json.document("serve", fields, answered).saying(verdict), envelope);
  }

  /** Returns the document of {@code topo whatif}; for a split, with all its communicators. */
  static Answer whatIf(EvaluatedQuestion answered, Invocation made) {
    Answer answer =
        SplitAnswer.of(
            answered.reports().entrySet().stream()
                .map(
                    entry ->
                        new Part(
                            entry.getKey(),
                            WhatIfJson.of(entry.getValue())
                                .saying(answered.verdict(entry.getKey()))))
                .toList(),
            "json",
            true);
    return rendered(answer, new Envelope(answered.rules(), answered.caveats(), made));
  }

  /**
   * Returns the explanation of NCCL's choice for a call of the job after its edits: its time by the
   * prediction and by NCCL's own model, then the sentences of {@code topo explain}. If NCCL does
   * not start, before the edits.
   */
  static Answer why(EvaluatedQuestion answered, Call call, JobEvaluator evaluator) {
    WhatIfOutcome outcome = answered.shown();
    TracedCommunicator traced = TracedCommunicator.of(evaluator, outcome.result().request());
    List<Explanation> explanations =
        new JobExplainer(
                traced,
                answered.shownMachine().settings(),
                rank -> answered.machineOf(outcome, rank))
            .explain(call, Set.of(), List.of());
    boolean isEdited = outcome != answered.report().before();
    String title = answered.title() + (isEdited ? " after the edits" : "");
    String expected =
        PredictionSentence.of(CommunicatorPredictions.of(title, outcome.result(), List.of(call)));
    String byNccl = ExplanationSentence.of(title, traced.communicator(), call, true, explanations);
    Operation operation = call.operation();
    return Json.document(
        "serve-why",
        Fields.of(Call.class)
            .field(
                "title", one -> operation.label() + " of " + QuantityFormat.size(one.sizeBytes()))
            .field("expected", one -> expected)
            .field("byNccl", one -> byNccl)
            .list("sections", one -> explanations, ExplanationOutput.SENTENCES),
        call);
  }

  private static List<String> communicators(EvaluatedQuestion answered) {
    return answered.question().split().isPresent()
        ? List.copyOf(answered.reports().keySet())
        : List.of();
  }

  /** The communicators of a split, each with its sentence. */
  private static Fields<String> communicator(EvaluatedQuestion answered) {
    return Fields.of(String.class)
        .field("label", label -> label)
        .field("answer", answered::verdict);
  }

  private static Answer rendered(Answer answer, Envelope envelope) {
    return answer.under(envelope).render(envelope, "json", message -> {});
  }

  private static List<String> edits(EvaluatedQuestion answered) {
    return answered.report().variants().stream()
        .flatMap(variant -> variant.variant().edits().stream())
        .map(Edit::text)
        .toList();
  }

  private static List<EditedCallRow> rows(EvaluatedQuestion answered) {
    return answered
        .outcome()
        .map(after -> EditedCallRow.of(answered.report(), after))
        .orElse(List.of());
  }

  /** The names of the drawn parts that limit the largest call. */
  private static List<String> limits(
      EvaluatedQuestion answered, MachinePicture picture, MachineParts parts) {
    WhatIfOutcome shown = answered.shown();
    return shown.prediction(answered.report().mainCall()).stream()
        .map(predicted -> PredictionRow.of(shown.result(), predicted))
        .flatMap(row -> picture.limits(row, parts).stream())
        .toList();
  }

  private static List<ChannelGraph> graphs(EvaluatedQuestion answered) {
    return Arrays.stream(GraphKind.values())
        .map(answered.shown()::graph)
        .filter(graph -> graph.nChannels() > 0)
        .toList();
  }
}
