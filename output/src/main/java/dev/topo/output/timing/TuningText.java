package dev.topo.output.timing;

import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Collective;
import dev.topo.model.text.TextTable;
import dev.topo.model.text.TextWriter;
import dev.topo.output.Answer;
import dev.topo.tuning.communicator.Communicator;
import dev.topo.tuning.cost.CommFacts;
import dev.topo.tuning.launch.Decision;
import dev.topo.tuning.launch.SizeRange;
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
    ranges.forEach(
        (collective, list) -> {
          TextTable table = TextTable.indented();
          SizeRange.byPair(list)
              .forEach(alike -> row(table, communicator.facts(), collective, alike));
          out.line("\n%s", collective.label()).table(table);
        });
    return Answer.of(out.toString());
  }

  private static void row(
      TextTable table, CommFacts facts, Collective collective, List<SizeRange> ranges) {
    SizeRange first = ranges.get(0);
    SizeRange last = ranges.get(ranges.size() - 1);
    String sizes =
        first.minBytes() == last.maxBytes()
            ? QuantityFormat.size(first.minBytes())
            : QuantityFormat.size(first.minBytes()) + " to " + QuantityFormat.size(last.maxBytes());
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
        channels(
            facts, first.channelsAtMin(facts, collective), last.channelsAtMax(facts, collective)),
        range(from.threads(), to.threads()) + " threads,",
        QuantityFormat.times(from.timeUs(), to.timeUs()));
  }

  private static String channels(CommFacts facts, int from, int to) {
    // A single rank copies: nothing is launched on channels.
    return facts.nRanks() == 1
        ? "no channels,"
        : range(from, to) + (to == 1 ? " channel," : " channels,");
  }

  private static String range(int from, int to) {
    return from == to ? String.valueOf(from) : from + " to " + to;
  }
}
