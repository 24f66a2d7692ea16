package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Collective;
import dev.topo.search.tuning.CommFacts;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.SizeRange;
import dev.topo.search.tuning.Tuner.Decision;
import dev.topo.visualizer.view.Answer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Choices as people read them: a line for each range of sizes. */
public final class TuningText {
  private TuningText() {}

  /** The choices for a job, collective by collective. */
  public static Answer of(
      String title, Communicator communicator, Map<Collective, List<SizeRange>> ranges) {
    TextWriter out = new TextWriter();
    out.line(
        "%s: %s on %s, times of NCCL's own model",
        title,
        QuantityFormat.count(communicator.connection().nRanks(), "rank"),
        communicator.connection().nodeWords());
    Map<String, List<String>> alike = new LinkedHashMap<>();
    ranges.forEach(
        (collective, list) -> {
          TextTable table = TextTable.indented();
          SizeRange.byPair(list)
              .forEach(range -> row(table, communicator.facts(), collective, range));
          alike
              .computeIfAbsent(new TextWriter().table(table).toString(), key -> new ArrayList<>())
              .add(collective.label());
        });
    alike.forEach(
        (table, collectives) -> out.line("\n%s", String.join(", ", collectives)).text(table));
    return Answer.of(out.toString());
  }

  private static void row(
      TextTable table, CommFacts facts, Collective collective, List<SizeRange> ranges) {
    SizeRange first = ranges.get(0);
    SizeRange last = ranges.get(ranges.size() - 1);
    String sizes = QuantityFormat.sizes(first.minBytes(), last.maxBytes());
    if (first.choice().isEmpty() || last.atMax().choice().isEmpty()) {
      String reason = first.atMin() instanceof Decision.Refusal refusal ? refusal.reason() : "";
      table.row(sizes + ":", "NCCL refuses", reason);
      return;
    }
    Decision.Choice from = first.choice().get();
    Decision.Choice to = last.atMax().choice().get();
    table.row(
        sizes + ":",
        from.algorithm().label() + "/" + from.protocol().label() + ",",
        channels(facts, collective, first, last),
        QuantityFormat.span(from.threads(), to.threads()) + " threads,",
        QuantityFormat.briefTimes(from.timeUs(), to.timeUs()));
  }

  private static String channels(
      CommFacts facts, Collective collective, SizeRange first, SizeRange last) {
    int from = first.channelsAtMin(facts, collective);
    int to = last.channelsAtMax(facts, collective);
    int mostFrom = first.choice().map(Decision.Choice::channels).orElse(from);
    int mostTo = last.choice().map(Decision.Choice::channels).orElse(to);
    return to == 0 ? channels("0") : channels(QuantityFormat.ofMost(from, to, mostFrom, mostTo));
  }

  /** A number or range of channels in words, with a comma; a single rank copies, on none. */
  static String channels(String number) {
    return switch (number) {
      case "0" -> "no channels,";
      case "1" -> "1 channel,";
      default -> number + " channels,";
    };
  }
}
