package dev.topo.cli.output.timing;

import dev.topo.cli.output.Answer;
import dev.topo.cli.output.TextTable;
import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Collective;
import dev.topo.search.communicator.Communicator;
import dev.topo.search.cost.CommFacts;
import dev.topo.search.launch.Decision;
import dev.topo.search.launch.SizeRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Choices as people read them: a line for each range of sizes. */
public final class TuningText {
  private TuningText() {}

  /** The choices for a job, collective by collective. */
  public static Answer of(
      String title, Communicator communicator, Map<Collective, List<SizeRange>> ranges) {
    StringBuilder out = new StringBuilder();
    out.append(title).append(": ");
    out.append(QuantityFormat.count(communicator.connection().nRanks(), "rank")).append(" on ");
    out.append(QuantityFormat.count(communicator.connection().nNodes(), "node"));
    out.append(", times of NCCL's own model\n");
    ranges.forEach(
        (collective, list) -> {
          out.append('\n').append(collective.label()).append('\n');
          List<List<String>> rows = new ArrayList<>();
          SizeRange.byPair(list)
              .forEach(alike -> rows.add(row(communicator.facts(), collective, alike)));
          TextTable.append(out, rows);
        });
    return Answer.of(out.toString());
  }

  private static List<String> row(CommFacts facts, Collective collective, List<SizeRange> ranges) {
    SizeRange first = ranges.get(0);
    SizeRange last = ranges.get(ranges.size() - 1);
    String sizes =
        first.minBytes() == last.maxBytes()
            ? QuantityFormat.size(first.minBytes())
            : QuantityFormat.size(first.minBytes()) + " to " + QuantityFormat.size(last.maxBytes());
    if (first.choice().isEmpty() || last.atMax().choice().isEmpty()) {
      String reason = first.atMin() instanceof Decision.Refusal refusal ? refusal.reason() : "";
      return List.of("  " + sizes + ":", "NCCL refuses", reason);
    }
    Decision.Choice from = first.choice().get();
    Decision.Choice to = last.atMax().choice().get();
    return List.of(
        "  " + sizes + ":",
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
