package dev.topo.cli;

import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.hw.verify.TriedCall;
import dev.topo.model.job.SettingException;
import dev.topo.simulator.advice.AdviceReport;
import dev.topo.simulator.advice.BetterGraph;
import dev.topo.simulator.advice.GraphAnswer;
import dev.topo.visualizer.study.AdviceData;
import dev.topo.visualizer.study.AdviceHeadline;
import dev.topo.visualizer.study.AdviceText;
import dev.topo.visualizer.view.Answer;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The formats of advice. */
enum AdviceFormat implements Format {
  text,
  json,
  csv,
  /** Rules for NCCL's tuner plugin. */
  tuner,
  /** A file for NCCL_GRAPH_FILE. */
  xml;

  @Override
  public String extension() {
    return this == tuner ? ".csv" : Format.super.extension();
  }

  /**
   * The advice for a communicator.
   *
   * @param tried what was measured of the advice; asked where the format has a place for it
   * @param isVerbose whether a text has all that is known
   * @param commandLine the command line by which a text is made
   * @throws NothingFoundException if there is no better graph for a file of graphs
   */
  Answer of(
      AdviceReport report,
      Function<AdviceReport, List<TriedCall>> tried,
      boolean isVerbose,
      String commandLine) {
    return switch (this) {
      case text ->
          AdviceText.of(report, tried.apply(report), isVerbose, commandLine)
              .saying(AdviceHeadline.of(report));
      case json -> AdviceData.json(report, tried.apply(report)).saying(AdviceHeadline.of(report));
      case csv -> AdviceData.csv(report);
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
   * The rules for all communicators: a rule names the numbers of nodes and ranks.
   *
   * @throws NothingFoundException if there is nothing for a tuner plugin
   */
  static Answer rules(List<AdviceReport> reports) {
    String rules = reports.stream().map(AdviceReport::tunerFile).collect(Collectors.joining());
    if (rules.isEmpty()) {
      throw new NothingFoundException(
          "no algorithm or protocol is known to be faster than NCCL's choice: there is nothing for a tuner plugin"
              + reports.stream()
                  .flatMap(report -> AdviceHeadline.ofTuner(report).stream())
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
