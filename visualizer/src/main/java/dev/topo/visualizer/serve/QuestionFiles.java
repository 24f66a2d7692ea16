package dev.topo.visualizer.serve;

import dev.topo.model.io.Inputs.Invocation;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CallSizes;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.xml.XmlWriter;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.variant.EditedNodes;
import dev.topo.simulator.variant.WhatIfOutcome;
import dev.topo.visualizer.chart.Chart;
import dev.topo.visualizer.chart.ChartSheet;
import dev.topo.visualizer.chart.PredictedCharts;
import dev.topo.visualizer.drawing.SvgWriter;
import dev.topo.visualizer.report.FileFindings;
import dev.topo.visualizer.report.ReportPage;
import dev.topo.visualizer.report.ReportSubject;
import dev.topo.visualizer.report.ReportSubject.Basis;
import dev.topo.visualizer.report.ReportSubject.Calls;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The files that a page can save for a question: what {@code topo draw}, {@code topo chart} and
 * {@code topo report} write for the job after the edits.
 *
 * @param answered the evaluated question
 * @param evaluator evaluates jobs
 * @param made the command line that gives the answer
 */
record QuestionFiles(EvaluatedQuestion answered, JobEvaluator evaluator, Invocation made) {

  /** The edited machine as a topology file, which has no place for settings. */
  String xml() {
    return XmlWriter.write(answered.after().seen());
  }

  /** The drawing with the selected channel. */
  String drawing() {
    return SvgWriter.write(MachinePicture.of(answered, evaluator).drawing());
  }

  /** Busbw by size, before the edits and, next to it with the same axis, after them. */
  String chart() {
    List<Call> calls = answered.report().calls();
    String job = answered.report().job();
    boolean isEdited = !answered.report().variants().isEmpty();
    List<Chart> charts = new ArrayList<>();
    chart(job + (isEdited ? " as it is" : ""), answered.report().before(), calls)
        .ifPresent(charts::add);
    if (isEdited) {
      answered
          .outcome()
          .flatMap(after -> chart(job + " after the edits", after, calls))
          .ifPresent(charts::add);
    }
    if (charts.isEmpty()) {
      throw RefusedRequest.bad("nothing is predicted of these calls: there is no chart");
    }
    return new ChartSheet(charts).svg();
  }

  private static Optional<Chart> chart(String title, WhatIfOutcome outcome, List<Call> calls) {
    return PredictedCharts.bySize(title, outcome.result(), calls);
  }

  /** The page of {@code topo report}. */
  String report() {
    WhatIfOutcome outcome =
        answered
            .outcome()
            .orElseThrow(
                () -> RefusedRequest.bad("NCCL does not start after these edits: no report"));
    Calls calls = calls();
    String title = answered.report().job();
    ReportSubject subject =
        new ReportSubject(
            "",
            title,
            machineNames(outcome),
            assumed(),
            answered.rulesAfter(),
            outcome.result(),
            calls,
            Basis.of(title, outcome.result(), calls),
            Optional.empty(),
            List.of(findings()),
            answered.caveats());
    return ReportPage.of(List.of(subject), made);
  }

  private List<String> machineNames(WhatIfOutcome outcome) {
    List<String> names = answered.layout().machineNames();
    // With a split, all machines are equal, and a communicator has some of them.
    return names.subList(0, outcome.result().request().job().machines().size());
  }

  /** The operation; for one made of sends and receives, AllReduce is added. */
  private Calls calls() {
    Operation operation = answered.question().operation();
    List<Long> sizes = CallSizes.parse(CallSizes.USUAL);
    return operation instanceof Collective collective
        ? new Calls(List.of(collective), List.of(), sizes)
        : new Calls(List.of(Collective.ALL_REDUCE), List.of((PeerOperation) operation), sizes);
  }

  private List<String> assumed() {
    EditedNodes nodes = answered.report().nodes();
    String where =
        nodes.edited() < nodes.all()
            ? " on %s of %s nodes".formatted(nodes.edited(), nodes.all())
            : "";
    return answered.report().variants().stream()
        .map(variant -> "Edited%s: %s.".formatted(where, variant.variant().name()))
        .toList();
  }

  /** The findings of lint in the machine after the edits. */
  private FileFindings findings() {
    Path file = Optional.ofNullable(answered.machine().file().getFileName()).orElse(Path.of(""));
    return FileFindings.of(
        file,
        source().getBytes(StandardCharsets.UTF_8),
        answered.rulesAfter().profile(),
        answered.question().domain() > 1);
  }

  /**
   * The unchanged file of one host if there are no edits, as the command reads it; otherwise the
   * edited machine.
   */
  private String source() {
    return answered.report().variants().isEmpty()
        ? XmlWriter.write(answered.machine().document())
        : xml();
  }
}
