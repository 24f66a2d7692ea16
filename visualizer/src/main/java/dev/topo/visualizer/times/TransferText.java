package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.PeerOperation;
import dev.topo.search.connect.Connection;
import dev.topo.search.path.Transport;
import dev.topo.search.transfer.TransferRow;
import dev.topo.visualizer.view.Answer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/** Sends and receives, for people: a line for each run of listed sizes with the same protocol. */
public final class TransferText {
  private TransferText() {}

  /**
   * The rows of a job.
   *
   * @param rows operation by operation in ascending sizes
   */
  public static Answer of(String title, Connection connection, List<TransferRow> rows) {
    TextWriter out = new TextWriter();
    out.line(
        "%s: %s on %s; sizes as nccl-tests counts them, channels and chunks of a transfer, blocks of a kernel",
        title, QuantityFormat.count(connection.nRanks(), "rank"), connection.nodeWords());
    Map<PeerOperation, TextTable> tables = new TreeMap<>();
    List<List<TransferRow>> groups = groups(rows);
    groups.sort(Comparator.comparing(alike -> alike.get(0).transport()));
    for (List<TransferRow> alike : groups) {
      row(tables.computeIfAbsent(alike.get(0).collective(), op -> TextTable.indented()), alike);
    }
    tables.forEach((operation, table) -> out.line("\n%s", operation.label()).table(table));
    return Answer.of(out.toString());
  }

  /** Rows of an operation and transport with neighbouring sizes and the same protocol. */
  private static List<List<TransferRow>> groups(List<TransferRow> rows) {
    Map<String, List<TransferRow>> last = new TreeMap<>();
    List<List<TransferRow>> groups = new ArrayList<>();
    for (TransferRow row : rows) {
      String place = row.collective() + " " + row.transport();
      List<TransferRow> group = last.get(place);
      if (group == null || group.get(0).protocol() != row.protocol()) {
        group = new ArrayList<>();
        last.put(place, group);
        groups.add(group);
      }
      group.add(row);
    }
    return groups;
  }

  private static void row(TextTable table, List<TransferRow> alike) {
    TransferRow first = alike.get(0);
    TransferRow last = alike.get(alike.size() - 1);
    String sizes = QuantityFormat.size(first.bytes());
    table.row(
        (first == last ? sizes : sizes + " to " + QuantityFormat.size(last.bytes())) + ":",
        (first.transport() == Transport.COPY
                ? "copy"
                : first.transport() + "/" + first.protocol().label())
            + ",",
        count(alike, TransferRow::channels, "channel") + ",",
        "chunks of " + range(alike, TransferRow::chunkBytes, true) + ",",
        count(alike, TransferRow::blocks, "block")
            + " of "
            + first.threads()
            + " threads"
            + (last.kernels() > 1 ? "," : ""),
        last.kernels() > 1 ? count(alike, TransferRow::kernels, "kernel") : "");
  }

  private static String count(
      List<TransferRow> alike, ToIntFunction<TransferRow> number, String noun) {
    int most = alike.stream().mapToInt(number).max().orElseThrow();
    return range(alike, number, false) + " " + noun + (most == 1 ? "" : "s");
  }

  private static String range(
      List<TransferRow> alike, ToIntFunction<TransferRow> number, boolean isSize) {
    int least = alike.stream().mapToInt(number).min().orElseThrow();
    int most = alike.stream().mapToInt(number).max().orElseThrow();
    return isSize ? QuantityFormat.sizes(least, most) : QuantityFormat.span(least, most);
  }
}
