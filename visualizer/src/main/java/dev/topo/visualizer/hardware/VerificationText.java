package dev.topo.visualizer.hardware;

import dev.topo.hw.verify.MeasuredCall;
import dev.topo.hw.verify.MeasuredChoice;
import dev.topo.hw.verify.MeasuredChoice.Result;
import dev.topo.hw.verify.Verification;
import dev.topo.model.Alike;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Collective;
import dev.topo.visualizer.view.Answer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Writes a verification as text: what agrees with NCCL, then the measurements size by size. Times
 * are medians of the rounds.
 */
public final class VerificationText {
  private VerificationText() {}

  /**
   * Returns the text.
   *
   * @param isVerbose whether to list what agrees as well
   */
  public static Answer of(Verification verification, boolean isVerbose) {
    String results =
        verification.wrongResults() == 0
            ? "  all results are correct\n"
            : "  ! " + verification.wrongResults() + " results are wrong, see topo run\n";
    return Answer.join(
        List.of(
            LogComparisonText.of("NCCL on this machine", verification.comparison(), isVerbose),
            Answer.of(results),
            sizes(verification.choices())),
        "");
  }

  /**
   * Returns a table of the measurements for each collective and a summary: NCCL's choice with the
   * estimate of its tuning model, and a faster forced algorithm and protocol if there is one.
   */
  public static Answer sizes(List<MeasuredChoice> choices) {
    if (choices.isEmpty()) {
      return Answer.of("");
    }
    TextWriter out = new TextWriter();
    Map<Collective, List<MeasuredChoice>> byCollective =
        Alike.by(choices, choice -> choice.chosen().collective());
    byCollective.forEach(
        (collective, measuredChoices) -> {
          TextTable table = TextTable.indented();
          table.header(
              collective.label()
                  + ",NCCL's choice,channels,time us,noise us,busbw GB/s,predicted us,"
                  + "NCCL's model us,faster,time us,lost %");
          measuredChoices.forEach(choice -> row(table, choice));
          out.line("").table(table);
        });
    out.line(
            "\nNCCL's choice is the fastest measured in %d of %d sizes, not distinguishable from it"
                + " in %d and slower in %d",
            count(choices, Result.FASTEST),
            choices.size(),
            count(choices, Result.NOT_DISTINGUISHABLE),
            count(choices, Result.SLOWER))
        .line(
            "Times are medians of %d rounds in which NCCL's choice and all forced pairs were"
                + " measured in turns",
            choices.get(0).chosen().rounds().size());
    return Answer.of(out.toString());
  }

  private static long count(List<MeasuredChoice> choices, Result result) {
    return choices.stream().filter(choice -> choice.result() == result).count();
  }

  private static void row(TextTable table, MeasuredChoice choice) {
    MeasuredCall call = choice.chosen();
    Optional<MeasuredCall> faster = choice.faster();
    table.row(
        QuantityFormat.size(call.sizeBytes()),
        pair(call),
        call.channels(),
        number(call.timeUs()),
        number(choice.noiseUs()),
        number(Math.max(call.outOfPlace().busbwGBps(), call.inPlace().busbwGBps())),
        call.predictedUs().isPresent() ? number(call.predictedUs().getAsDouble()) : "",
        number(call.modelUs()),
        faster.map(VerificationText::pair).orElse(""),
        faster.map(other -> number(other.timeUs())).orElse(""),
        choice
            .lostPercent()
            .map(lost -> TextWriter.format("%.1f", lost))
            .orElse(faster.isPresent() ? choice.result().toString() : ""));
  }

  private static String pair(MeasuredCall call) {
    return call.algorithm().label() + "/" + call.protocol().label();
  }

  private static String number(double value) {
    return TextWriter.format("%.2f", value);
  }
}
