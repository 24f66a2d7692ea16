package dev.topo.visualizer.times;

import dev.topo.model.io.TextWriter;
import dev.topo.simulator.verdict.RunVerdict;
import dev.topo.simulator.verdict.RunVerdict.Grade;
import dev.topo.simulator.verdict.Verdict;
import dev.topo.visualizer.drawing.SvgWriter;
import dev.topo.visualizer.view.Answer;
import java.util.List;
import java.util.function.Function;

/**
 * Verdicts on runs in the formats of gates, a line or a few for each run: JUnit XML, OpenMetrics
 * for the textfile collector of node_exporter, GitHub annotations, and JSON Lines.
 *
 * @param sentence sums up a run
 */
record CheckLines(List<RunVerdict> runs, Function<RunVerdict, String> sentence) {
  Answer in(String format) {
    TextWriter out = new TextWriter();
    switch (format) {
      case "junit" -> {
        out.line("<testsuite name=\"topo check\" tests=\"%s\">", runs.size());
        runs.forEach(run -> out.line("%s", testCase(run)));
        out.line("</testsuite>");
      }
      case "openmetrics" -> {
        out.line("# TYPE topo_check_verdict gauge");
        runs.forEach(
            run ->
                out.line(
                    "topo_check_verdict{run=\"%s\",verdict=\"%s\"} 1",
                    label(run.file()), run.grade()));
        out.line("# TYPE topo_check_slowdown gauge");
        runs.forEach(run -> run.bands().forEach(band -> out.line("%s", slowdown(run, band))));
        out.line("# EOF");
      }
      case "github" ->
          runs.stream()
              .filter(run -> run.grade() != Grade.PASS)
              .forEach(
                  run ->
                      out.line(
                          "::error title=topo check::%s",
                          sentence.apply(run).replace("%", "%25").replace("\n", "%0A")));
      default ->
          runs.forEach(
              run ->
                  out.line(
                      "{\"file\": \"%s\", \"verdict\": \"%s\", \"answer\": \"%s\"}",
                      label(run.file()), run.grade(), label(sentence.apply(run))));
    }
    return Answer.of(out);
  }

  private String testCase(RunVerdict run) {
    String name = run.grade() == Grade.NOT_JUDGED ? "error" : "failure";
    return "<testcase classname=\"topo.check\" name=\"%s\">%s</testcase>"
        .formatted(
            SvgWriter.escape(run.file()),
            run.grade() == Grade.PASS
                ? ""
                : "<%s message=\"%s\"/>".formatted(name, SvgWriter.escape(sentence.apply(run))));
  }

  private static String slowdown(RunVerdict run, Verdict band) {
    return TextWriter.format(
        "topo_check_slowdown{run=\"%s\",collective=\"%s\",bytes=\"%s\"} %.4f",
        label(run.file()),
        band.prediction().operation().ncclTestsName(),
        band.prediction().sizeBytes(),
        band.excess());
  }

  /** A label of OpenMetrics or a string of JSON. */
  private static String label(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
  }
}
