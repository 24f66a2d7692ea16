package dev.topo.cli;

import dev.topo.cli.terminal.Streams;
import dev.topo.hw.run.MemoryUse;
import dev.topo.hw.run.Row;
import dev.topo.hw.run.RunEvent;
import dev.topo.hw.run.RunEvent.Started;
import dev.topo.visualizer.hardware.NcclTestsReport;
import dev.topo.visualizer.hardware.RunSummary;
import java.time.LocalDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * Prints the output lines of nccl-tests while a run is in progress.
 *
 * @param text formats the lines
 * @param collective name of the collective
 * @param isFirst whether this is the first process, which prints them
 * @param streams destination of the lines
 */
record RunPrinter(NcclTestsReport text, String collective, boolean isFirst, Streams streams) {
  /** Format of dates with time. */
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss", Locale.ROOT);

  /** The current local date and time. */
  static String now() {
    return LocalDateTime.now().format(TIME);
  }

  /** Prints an event. Every process reports its own wrong results. */
  void print(RunEvent event) {
    if (event instanceof Started started) {
      print(text.head(started));
    } else if (event instanceof RunEvent.Measured measured) {
      Row row = measured.row();
      print(text.row(row, now()));
      row.outOfPlace().firstWrong().ifPresent(where -> reportWrong(row, "out of place", where));
      row.inPlace().firstWrong().ifPresent(where -> reportWrong(row, "in place", where));
    }
  }

  /** Prints the summary of a run. */
  void print(RunSummary summary, MemoryUse memory) {
    print(text.foot(summary, memory));
  }

  private void print(String lines) {
    if (isFirst) {
      streams.print(lines);
    }
  }

  private void reportWrong(Row row, String how, String where) {
    streams.message(
        "wrong result: " + collective + " of " + row.sizeBytes() + " B " + how + ", " + where);
  }
}
