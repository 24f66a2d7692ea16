package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.OptionValue;
import dev.topo.cli.option.OutputOptions;
import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.simulator.sweep.AnswerReader;
import dev.topo.simulator.sweep.ResultFolder;
import dev.topo.simulator.sweep.RowDifference;
import dev.topo.simulator.sweep.SpecReader;
import dev.topo.simulator.sweep.SweepAnswer;
import dev.topo.simulator.sweep.SweepSpec;
import dev.topo.visualizer.report.SweepPage;
import dev.topo.visualizer.study.SweepOutput;
import dev.topo.visualizer.study.SweepSentence;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code topo sweep show}: compares the designs of a sweep. */
@Command(
    name = "show",
    description = {
      "Compares the designs of a sweep by its objective: the best, the Pareto front of cost and speed, and which axis"
          + " matters. CSV has all rows."
    })
final class SweepShowCommand extends Subcommand {
  @Parameters(paramLabel = "DIR", description = "A folder with results.")
  private Path folder = Path.of("");

  @Option(
      names = "--format",
      description = "${COMPLETION-CANDIDATES} (default: by the ending of -o, else text).")
  private SweepFormat format = SweepFormat.text;

  @Option(
      names = "--top",
      paramLabel = "N",
      description = "Most designs of a text or a page (default: ${DEFAULT-VALUE}).")
  private int top = 20;

  @Option(
      names = "--diff",
      paramLabel = "KEY,KEY",
      split = ",",
      description = "Compare two variants, by their keys or beginnings of them.")
  private @Nullable List<String> keys;

  @Option(
      names = "--spec",
      paramLabel = "SPEC",
      description = "Prices, objective and limits of this file (default: those of the run).")
  private @Nullable Path spec;

  @Option(
      names = {"-v", "--verbose"},
      description = "Show more scenarios, and all that the times rest on.")
  private boolean verbose;

  @Mixin private OutputOptions output = new OutputOptions();
  @Mixin private BriefOption brief = new BriefOption();

  private enum SweepFormat implements Format {
    text,
    json,
    csv,
    html
  }

  @Override
  public Integer call() {
    OptionValue.positive("--top", top);
    ResultFolder results = ResultFolder.open(folder, inputs());
    if (results.parts().isEmpty()) {
      throw new NothingFoundException(folder + ": has no part of the results yet");
    }
    OutputPlan plan = output.plan(List.of(folder), format, context());
    if (keys != null) {
      plan.write(folder, rendered(difference(results, keys), envelope(), format));
      return ExitStatus.DONE;
    }
    if (format == SweepFormat.csv) {
      plan.write(folder, SweepOutput.csv(results));
      return ExitStatus.DONE;
    }
    SweepSpec ranked =
        spec == null
            ? SpecReader.parse(results.specText(), results.spec().toString())
            : SpecReader.read(spec, inputs());
    SweepAnswer answer = AnswerReader.read(results, ranked.ranking());
    plan.write(
        folder, rendered(answer(answer).saying(SweepSentence.of(answer)), envelope(), format));
    return ExitStatus.of(!answer.ranked().isEmpty());
  }

  private Answer answer(SweepAnswer answer) {
    return switch (format) {
      case json -> SweepOutput.json(answer);
      case html ->
          Answer.of(SweepPage.of(answer, SweepSentence.of(answer), top, envelope().invocation()));
      default -> SweepOutput.of(answer, top, verbose);
    };
  }

  private Answer difference(ResultFolder results, List<String> two) {
    refuseIf(
        two.size() != 2 || format == SweepFormat.csv || format == SweepFormat.html,
        "--diff: expected two keys, as text or JSON");
    RowDifference difference = RowDifference.of(results, two.get(0), two.get(1));
    return format == SweepFormat.text ? SweepOutput.of(difference) : SweepOutput.json(difference);
  }
}
