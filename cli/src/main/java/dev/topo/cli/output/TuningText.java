package dev.topo.cli.output;

import dev.topo.model.collective.Collective;
import dev.topo.search.communicator.Communicator;
import dev.topo.search.tuning.Decision;
import dev.topo.search.tuning.SizeRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Choices as people read them: a line for each range of sizes. */
public final class TuningText {
  private TuningText() {}

  /** The choices for a job, collective by collective. */
  public static Answer of(
      String title, Communicator communicator, Map<Collective, List<SizeRange>> ranges) {
    StringBuilder out = new StringBuilder();
    out.append(title).append(": ").append(communicator.connection().nRanks()).append(" ranks on ");
    out.append(communicator.connection().nNodes())
        .append(communicator.connection().nNodes() == 1 ? " node" : " nodes");
    out.append(", times as NCCL's own model has them\n");
    ranges.forEach(
        (collective, list) -> {
          out.append('\n').append(collective.label()).append('\n');
          List<List<String>> rows = new ArrayList<>();
          folded(list).forEach(alike -> rows.add(row(alike)));
          TextTable.append(out, rows);
        });
    return Answer.of(out.toString());
  }

  /**
   * Neighbouring ranges that run the same algorithm and protocol, whatever their channels and
   * threads.
   */
  private static List<List<SizeRange>> folded(List<SizeRange> ranges) {
    List<List<SizeRange>> groups = new ArrayList<>();
    for (SizeRange range : ranges) {
      List<SizeRange> last = groups.isEmpty() ? List.of() : groups.get(groups.size() - 1);
      if (last.isEmpty() || !runsLike(last.get(0), range)) {
        last = new ArrayList<>();
        groups.add(last);
      }
      last.add(range);
    }
    return groups;
  }

  private static boolean runsLike(SizeRange a, SizeRange b) {
    return a.choice()
        .map(choice -> choice.algorithm() + "/" + choice.protocol())
        .equals(b.choice().map(choice -> choice.algorithm() + "/" + choice.protocol()));
  }

  private static List<String> row(List<SizeRange> ranges) {
    SizeRange first = ranges.get(0);
    SizeRange last = ranges.get(ranges.size() - 1);
    String sizes =
        first.minBytes() == last.maxBytes()
            ? SizeText.of(first.minBytes())
            : SizeText.of(first.minBytes()) + " to " + SizeText.of(last.maxBytes());
    if (first.choice().isEmpty() || last.atMax().choice().isEmpty()) {
      String reason = first.atMin() instanceof Decision.Refusal refusal ? refusal.reason() : "";
      return List.of("  " + sizes + ":", "NCCL refuses", reason);
    }
    Decision.Choice from = first.choice().get();
    Decision.Choice to = last.atMax().choice().get();
    return List.of(
        "  " + sizes + ":",
        from.algorithm().label() + "/" + from.protocol().label() + ",",
        range(from.channels(), to.channels()) + (to.channels() == 1 ? " channel," : " channels,"),
        range(from.threads(), to.threads()) + " threads,",
        time(from.timeUs()) + " to " + time(to.timeUs()));
  }

  private static String range(int from, int to) {
    return from == to ? String.valueOf(from) : from + " to " + to;
  }

  private static String time(float us) {
    if (us < 1000) {
      return String.format(Locale.ROOT, "%.1f us", us);
    }
    return us < 1_000_000
        ? String.format(Locale.ROOT, "%.2f ms", us / 1000)
        : String.format(Locale.ROOT, "%.2f s", us / 1_000_000);
  }
}
