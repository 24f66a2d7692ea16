package dev.topo.visualizer.times;

import dev.topo.model.Alike;
import dev.topo.model.Last;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Collective;
import dev.topo.search.connect.Connection;
import dev.topo.search.path.Transport;
import dev.topo.search.transfer.TransferRow;
import dev.topo.search.tuning.CommFacts;
import dev.topo.search.tuning.Communicator;
import dev.topo.search.tuning.SizeRange;
import dev.topo.search.tuning.Tuner.Decision.Choice;
import dev.topo.search.tuning.Tuner.Decision.Refusal;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.JobSummary;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/**
 * Writes the choices, and how sends and receives are divided, as text: a line for each range of
 * sizes.
 */
public final class TuningText {
  private TuningText() {}

  /** Returns the choices for a job by collective. */
  public static Answer of(
      String title, Communicator communicator, Map<Collective, List<SizeRange>> ranges) {
    TextWriter out = new TextWriter();
    out.line(
        "%s: %s, times of NCCL's own model", title, JobSummary.ranks(communicator.connection()));
    Alike.by(
            ranges.entrySet(),
            of -> table(communicator.facts(), of.getKey(), of.getValue()),
            of -> of.getKey().label())
        .forEach(
            (table, collectives) -> out.line("\n%s", String.join(", ", collectives)).text(table));
    return Answer.of(out);
  }

  private static String table(CommFacts facts, Collective collective, List<SizeRange> ranges) {
    TextTable table = TextTable.indented();
    SizeRange.byPair(ranges).forEach(range -> row(table, facts, collective, ranges, range));
    return table.toString();
  }

  private static void row(
      TextTable table,
      CommFacts facts,
      Collective collective,
      List<SizeRange> all,
      List<SizeRange> ranges) {
    SizeRange first = ranges.get(0);
    SizeRange last = Last.of(ranges);
    String sizes = QuantityFormat.sizes(first.minBytes(), last.maxBytes());
    if (first.choice().isEmpty() || last.atMax().choice().isEmpty()) {
      if (first.atMin() instanceof Refusal refusal) {
        boolean isAll = !refusal.isDiscarded() || all.size() == ranges.size();
        table.row(sizes + ":", refusal.verb(), isAll ? refusal.reason() : "");
      }
      return;
    }
    Choice from = first.choice().get();
    Choice to = last.atMax().choice().get();
    table.row(
        sizes + ":",
        from.algorithm().label() + "/" + from.protocol().label() + ",",
        last.channelsAtMax(facts, collective) == 0
            ? channels("0")
            : channels(channels(facts, collective, first, last)),
        QuantityFormat.span(from.threads(), to.threads()) + " threads,",
        QuantityFormat.briefTimes(from.timeUs(), to.timeUs()));
  }

  /** Returns the launched channels of a range of sizes and the maximum its calls may use. */
  public static String channels(
      CommFacts facts, Collective collective, SizeRange first, SizeRange last) {
    int from = first.channelsAtMin(facts, collective);
    int to = last.channelsAtMax(facts, collective);
    int maxFrom = first.choice().map(Choice::channels).orElse(from);
    int maxTo = last.choice().map(Choice::channels).orElse(to);
    return QuantityFormat.ofMost(from, to, maxFrom, maxTo);
  }

  /**
   * A number or range of channels in words, with a comma. A single rank only copies, on no
   * channels.
   */
  static String channels(String number) {
    return switch (number) {
      case "0" -> "no channels,";
      case "1" -> "1 channel,";
      default -> number + " channels,";
    };
  }

  /**
   * Returns how sends and receives are divided.
   *
   * @param rows the rows by operation, in ascending size
   */
  static Answer ofTransfers(String title, Connection connection, List<TransferRow> rows) {
    TextWriter out = new TextWriter();
    out.line(
        "%s: %s; sizes as nccl-tests counts them, channels and chunks of a transfer, blocks of a kernel",
        title, JobSummary.ranks(connection));
    List<TransferRow> sorted =
        rows.stream()
            .sorted(
                Comparator.comparing(TransferRow::collective).thenComparing(TransferRow::transport))
            .toList();
    Alike.by(sorted, TransferRow::collective)
        .forEach(
            (operation, some) -> {
              TextTable table = TextTable.indented();
              Alike.runs(some, row -> List.of(row.transport(), row.protocol()))
                  .forEach(alike -> row(table, alike));
              out.line("\n%s", operation.label()).table(table);
            });
    return Answer.of(out);
  }

  private static void row(TextTable table, List<TransferRow> rows) {
    TransferRow first = rows.get(0);
    TransferRow last = Last.of(rows);
    table.row(
        QuantityFormat.sizes(first.bytes(), last.bytes()) + ":",
        (first.transport() == Transport.COPY
                ? "copy"
                : first.transport() + "/" + first.protocol().label())
            + ",",
        count(rows, TransferRow::channels, "channel") + ",",
        "chunks of " + range(rows, TransferRow::chunkBytes, true) + ",",
        count(rows, TransferRow::blocks, "block")
            + " of "
            + first.threads()
            + " threads"
            + (last.kernels() > 1 ? "," : ""),
        last.kernels() > 1 ? count(rows, TransferRow::kernels, "kernel") : "");
  }

  private static String count(
      List<TransferRow> alike, ToIntFunction<TransferRow> number, String noun) {
    int max = alike.stream().mapToInt(number).max().orElseThrow();
    return range(alike, number, false) + " " + noun + (max == 1 ? "" : "s");
  }

  static <T> String range(List<T> alike, ToIntFunction<T> number, boolean isSize) {
    int min = alike.stream().mapToInt(number).min().orElseThrow();
    int max = alike.stream().mapToInt(number).max().orElseThrow();
    return isSize ? QuantityFormat.sizes(min, max) : QuantityFormat.span(min, max);
  }
}
