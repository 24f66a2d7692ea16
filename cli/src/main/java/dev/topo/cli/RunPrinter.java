package dev.topo.cli;

import dev.topo.cli.terminal.Streams;
import dev.topo.hw.run.MemoryUse;
import dev.topo.hw.run.Row;
import dev.topo.hw.run.RunEvent;
import dev.topo.visualizer.hardware.NcclTestsReport;
import dev.topo.visualizer.hardware.RunSummary;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Prints the lines of nccl-tests as a run goes on.
 *
 * @param text words them
 * @param collective what is run
 * @param isFirst whether this is the process that prints them
 * @param streams where they go
 */
record RunPrinter(NcclTestsReport text, String collective, boolean isFirst, Streams streams) {
  /** The form of the times of day. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

  /** The time of day. */
  static String now() {
    return LocalDateTime.now().format(TIME);
  }

  /** Prints an event; wrong results on every process. */
  void print(RunEvent event) {
    if (event instanceof RunEvent.Started started) {
      print(text.head(started));
    } else if (event instanceof RunEvent.Measured measured) {
      Row row = measured.row();
      print(text.row(row, now()));
      row.outOfPlace().firstWrong().ifPresent(where -> wrong(row, "out of place", where));
      row.inPlace().firstWrong().ifPresent(where -> wrong(row, "in place", where));
    }
  }

  /** Prints the end of a run. */
  void print(RunSummary summary, MemoryUse memory) {
    print(text.foot(summary, memory));
  }

  private void print(String lines) {
    if (isFirst) {
      streams.print(lines);
    }
  }

  private void wrong(Row row, String how, String where) {
    streams.message(
        "wrong result: " + collective + " of " + row.sizeBytes() + " B " + how + ", " + where);
  }
}
