package dev.topo.cli.output.run;

import dev.topo.cli.output.Answer;
import dev.topo.cli.output.TextTable;
import dev.topo.cli.output.TextWriter;
import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Collective;
import dev.topo.verify.MeasuredCall;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was measured, size by size: NCCL's choice with the estimate of its tuning model, and the
 * best of the forced algorithms and protocols.
 */
public final class SweepText {
  /** Differences below that are noise. */
  private static final double NOISE = 0.02;

  private SweepText() {}

  /** A table for each collective and a summary. */
  public static Answer of(List<MeasuredCall> measured) {
    if (measured.isEmpty()) {
      return Answer.of("");
    }
    TextWriter out = new TextWriter();
    Map<Collective, List<MeasuredCall>> chosen = new LinkedHashMap<>();
    measured.stream()
        .filter(one -> !one.forced())
        .forEach(one -> chosen.computeIfAbsent(one.collective(), c -> new ArrayList<>()).add(one));
    int near = 0;
    int sizes = 0;
    for (Map.Entry<Collective, List<MeasuredCall>> entry : chosen.entrySet()) {
      TextTable table = TextTable.indented();
      table.header(
          entry.getKey().label()
              + ",NCCL's choice,channels,time us,busbw GB/s,predicted us,NCCL's model us,best,time us,lost %");
      for (MeasuredCall one : entry.getValue()) {
        Optional<MeasuredCall> best = best(measured, one);
        double lost = best.map(other -> one.timeUs() / other.timeUs() - 1).orElse(0.0);
        sizes++;
        near += lost <= NOISE ? 1 : 0;
        row(table, one, best.filter(other -> lost > NOISE), lost);
      }
      out.line("").table(table);
    }
    return out.line(
            "\nNCCL's choice is within 2 %% of the best measured in %d of %d sizes", near, sizes)
        .answer();
  }

  private static void row(
      TextTable table, MeasuredCall one, Optional<MeasuredCall> better, double lost) {
    double busbw = one.row().outOfPlace().busbwGBps();
    table.row(
        QuantityFormat.size(one.row().sizeBytes()),
        pair(one),
        one.channels(),
        number(one.timeUs()),
        number(Math.max(busbw, one.row().inPlace().busbwGBps())),
        one.predictedUs().isPresent() ? number(one.predictedUs().getAsDouble()) : "",
        number(one.modelUs()),
        better.map(SweepText::pair).orElse(""),
        better.map(other -> number(other.timeUs())).orElse(""),
        better.map(other -> TextWriter.format("%.1f", lost * 100)).orElse(""));
  }

  private static Optional<MeasuredCall> best(List<MeasuredCall> measured, MeasuredCall like) {
    return measured.stream()
        .filter(MeasuredCall::forced)
        .filter(one -> one.collective() == like.collective())
        .filter(one -> one.row().sizeBytes() == like.row().sizeBytes())
        .min(Comparator.comparingDouble(MeasuredCall::timeUs));
  }

  private static String pair(MeasuredCall one) {
    return one.algorithm().label() + "/" + one.protocol().label();
  }

  private static String number(double value) {
    return TextWriter.format("%.2f", value);
  }
}
