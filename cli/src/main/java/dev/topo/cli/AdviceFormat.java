package dev.topo.cli;

import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.hw.verify.TriedCall;
import dev.topo.model.QuantityFormat;
import dev.topo.model.job.SettingException;
import dev.topo.simulator.advice.AdviceReport;
import dev.topo.simulator.advice.BetterGraph;
import dev.topo.simulator.advice.GraphAnswer;
import dev.topo.visualizer.study.AdviceFields;
import dev.topo.visualizer.study.AdviceSentence;
import dev.topo.visualizer.study.AdviceText;
import dev.topo.visualizer.view.Answer;
import java.util.List;
import java.util.function.Function;

/** Output formats of {@code topo advise}. */
enum AdviceFormat implements Format {
  text,
  json,
  csv,
  /** Rules for NCCL's tuner plugin. */
  tuner,
  /** A file for NCCL_GRAPH_FILE. */
  xml;

  /**
   * The advice for a communicator.
   *
   * @param tried measures the advice with NCCL; called only for formats that show measurements
   * @param isVerbose whether text output is complete
   * @param commandLine the user's command line, for text output
   * @throws NothingFoundException if the format is xml or tuner and there is nothing to write
   */
  Answer of(
      AdviceReport report,
      Function<AdviceReport, List<TriedCall>> tried,
      boolean isVerbose,
      String commandLine) {
    return switch (this) {
      case text ->
          AdviceText.of(report, tried.apply(report), isVerbose, commandLine)
              .saying(AdviceSentence.of(report));
      case json -> AdviceFields.json(report, tried.apply(report)).saying(AdviceSentence.of(report));
      case csv -> AdviceFields.csv(report);
      case tuner -> rules(List.of(report));
      case xml -> graph(report);
    };
  }

  private static Answer graph(AdviceReport report) {
    GraphAnswer answer =
        report
            .advice()
            .graph()
            .orElseThrow(() -> new SettingException("--format xml: expected graph among --may"));
    if (answer instanceof GraphAnswer.None none) {
      throw new NothingFoundException(none.reason());
    }
    return Answer.of(((BetterGraph) answer).file());
  }

  /**
   * The tuner rules for all communicators in one file. Each rule states the numbers of nodes and
   * ranks that it applies to.
   *
   * @throws NothingFoundException if nothing is advised for a tuner plugin
   */
  static Answer rules(List<AdviceReport> reports) {
    String rules = QuantityFormat.joined("", reports, AdviceReport::tunerFile);
    if (rules.isEmpty()) {
      throw new NothingFoundException(
          "no algorithm or protocol is known to be faster than NCCL's choice: there is nothing for a tuner plugin"
              + reports.stream()
                  .flatMap(report -> AdviceSentence.ofTuner(report).stream())
                  .findFirst()
                  .map(
                      first ->
                          "; worth measuring first: %s; without -o and --format the command that measures it is shown"
                              .formatted(first))
                  .orElse(""));
    }
    return Answer.of(rules);
  }
}
