package dev.topo.visualizer.hardware;

import dev.topo.hw.run.Blocking;
import dev.topo.hw.run.CallResult;
import dev.topo.hw.run.LibraryLimits;
import dev.topo.hw.run.MemoryUse;
import dev.topo.hw.run.Repetition;
import dev.topo.hw.run.Row;
import dev.topo.hw.run.RunEvent.Started;
import dev.topo.hw.run.RunRequest;
import dev.topo.hw.run.SizeSweep;
import dev.topo.hw.run.UsedDevice;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.io.TextWriter;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Prints a run line by line as nccl-tests 2.19.6 does ({@code nccl-tests:src/util.cu}), so that
 * parsers of its output can read it. Estimates are an additional last column.
 *
 * @param timestamps whether each row ends with the time of its measurement
 */
public record NcclTestsReport(RunRequest request, boolean timestamps) {
  private static final String ROW_HEAD = "%12d  %12d  %8s  %6s  %6d";
  private static final String HEADER = "# %10s  %12s  %8s  %6s  %6s";
  private static final String MEASURED = "  %7s  %6s  %6s  %6s";
  private static final String ITERATIONS = "  %7s  %7s  %7s  %7s";
  private static final List<String> ITERATION_NAMES = List.of("i_min", "i_max", "i_p99", "i_cv%");
  private static final List<String> ITERATION_UNITS = List.of("(us)", "(us)", "(us)", "(%)");
  private static final Object[] CALL_NAMES = {"size", "count", "type", "redop", "root"};
  private static final Object[] CALL_UNITS = {"(B)", "(elements)", "", "", ""};
  private static final String SIDES =
      "           out-of-place                       in-place          ";
  private static final String SIDES_OF_ITERATIONS =
      "              out-of-place (+ per-iteration)                                in-place (+ per-iteration)";
  private static final Object[] BLANKS = {"", "", "", "", ""};
  private static final int TIME_WIDTH = 7;
  private static final int BANDWIDTH_WIDTH = 6;
  private static final double KIB = 1024;

  private static final String TIMESTAMP = "%Y-%m-%d %H:%M:%S";

  /** Returns the lines above the rows. */
  public String head(Started started) {
    TextWriter out = new TextWriter();
    SizeSweep sweep = request.calls().sweep();
    Repetition repetition = request.repetition();
    boolean factor = sweep.factor() > 1;
    out.line("# NCCL %s %s", LibraryLimits.text(started.ncclVersion()), started.library());
    out.line("# Collective test starting: %s_perf", request.calls().collectives().get(0).label());
    out.line(
        "# nThread %d nGpus %d minBytes %d maxBytes %d step: %d(%s) warmup iters: %d iters: %d"
            + " agg iters: %d validation: %d graph: %d unalign: %d",
        request.use().threads(),
        request.use().gpusPerThread(),
        sweep.minBytes(),
        sweep.maxBytes(),
        factor ? sweep.factor() : sweep.stepBytes(),
        factor ? "factor" : "bytes",
        repetition.warmUps(),
        repetition.iterations(),
        repetition.aggregated(),
        repetition.checks(),
        repetition.graphLaunches(),
        request.use().misalignment());
    String blocking = blocking(repetition.blocking());
    if (!blocking.isEmpty()) {
      out.line("# Blocking Enabled: %s", blocking);
    }
    if (request.reporting().iterations()) {
      int skipped = request.reporting().skippedIterations();
      out.line(
          "# Per-Iteration Report: CUDA event timing; i_* uses max over process rows%s ",
          skipped > 0 ? "; summary skips first " + skipped + " iterations" : "");
    }
    out.line("#");
    out.line("# Using devices");
    for (UsedDevice device : started.devices()) {
      out.line(
          "#  Rank %2d Group %2d Pid %6d on %10s device %2d [%s] %s",
          device.rank(),
          device.color(),
          device.pid(),
          device.host(),
          device.device(),
          device.cardBusId(),
          device.name());
    }
    if (started.bufferBytes() < sweep.maxBytes()) {
      out.line("#");
      out.line("# Reducing maxBytes to %d due to memory limitation", started.bufferBytes());
    }
    header(out);
    return out.toString();
  }

  private static String blocking(Blocking blocking) {
    return switch (blocking) {
      case NONE -> "";
      case EACH_CALL_AND_MEET -> "wait and barrier after each inner iteration (-m) ";
      case EACH_CALL -> "wait after each inner iteration (-m), no barrier ";
      case EACH_ITERATION_AND_MEET ->
          "wait and barrier after each outer iteration (-n); time excludes barrier ";
    };
  }

  private void header(TextWriter out) {
    String time = request.reporting().cpuTime() ? "cputime" : "time";
    boolean estimates = request.reporting().estimates();
    out.line("#");
    out.line(HEADER + (request.reporting().iterations() ? SIDES_OF_ITERATIONS : SIDES), BLANKS);
    columns(out, CALL_NAMES, ITERATION_NAMES, time, "algbw", "busbw", "#wrong");
    out.line(" %s%s", timestamp("timestamp"), estimates ? " estimate" : "");
    columns(out, CALL_UNITS, ITERATION_UNITS, "(us)", "(GB/s)", "(GB/s)", "");
    out.line(" %s%s", timestamp(TIMESTAMP), estimates ? "     (us)" : "");
  }

  private String timestamp(String text) {
    return timestamps ? TextWriter.format("%19s", text) : "";
  }

  private void columns(TextWriter out, Object[] call, List<String> iterations, Object... measured) {
    out.add(HEADER, call);
    for (int side = 0; side < 2; side++) {
      out.add(MEASURED, measured);
      if (request.reporting().iterations()) {
        out.add(ITERATIONS, iterations.toArray());
      }
    }
  }

  /**
   * Returns the row of a size.
   *
   * @param time the time of day, printed only with timestamps
   */
  public String row(Row row, String time) {
    TextWriter out = new TextWriter();
    out.add(ROW_HEAD, row.sizeBytes(), row.count(), row.type().label(), row.operator(), row.root());
    measured(out, row.outOfPlace());
    measured(out, row.inPlace());
    if (timestamps) {
      out.add("%21s", time);
    }
    OptionalDouble estimate = row.outOfPlace().estimateUs();
    if (estimate.isPresent()) {
      out.add("  %9s", number(estimate.getAsDouble(), TIME_WIDTH));
    }
    return out.line("").toString();
  }

  private void measured(TextWriter out, CallResult result) {
    out.add(
        MEASURED,
        number(request.reporting().cpuTime() ? result.cpuTimeUs() : result.timeUs(), TIME_WIDTH),
        number(result.algbwGBps(), BANDWIDTH_WIDTH),
        number(result.busbwGBps(), BANDWIDTH_WIDTH),
        result.wrong().isPresent() ? PrintfNumber.general(result.wrong().getAsLong()) : "N/A");
    if (result.iterations().areMeasured()) {
      IterationStatistics each =
          IterationStatistics.of(
              result.iterations().longestUs(request.reporting().skippedIterations()));
      out.add(
          ITERATIONS,
          number(each.min(), TIME_WIDTH),
          number(each.max(), TIME_WIDTH),
          number(each.p99(), TIME_WIDTH),
          number(each.cvPercent(), TIME_WIDTH));
    }
  }

  /** Returns the lines below the rows. */
  public String foot(RunSummary summary, MemoryUse memory) {
    TextWriter out = new TextWriter();
    out.line(
        "# %-20s : %d %s",
        "Out of bounds values",
        summary.wrongMeasurements(),
        summary.wrongMeasurements() > 0 ? "FAILED" : "OK");
    out.line(
        "# %-20s : %s %s",
        "Avg bus bandwidth",
        PrintfNumber.general(summary.averageBusbwGBps()),
        summary.belowExpected().map(below -> below ? "FAILED" : "OK").orElse(""));
    if (request.reporting().memory()) {
      out.line(
          "# %-20s : Initialization %s | User-Allocated %s | Collective %s | Total  %s",
          "GPU memory usage",
          bytes(memory.initialization()),
          bytes(memory.buffers()),
          bytes(memory.collective()),
          bytes(memory.initialization() + memory.buffers() + memory.collective()));
    }
    out.line("#");
    out.line("# Collective test concluded: %s_perf", request.calls().collectives().get(0).label());
    out.line("#");
    return out.toString();
  }

  /** Formats a number with as many decimals as fit, at most two. */
  private static String number(double value, int width) {
    for (String pattern : List.of("%.2f", "%.1f", "%.0f")) {
      String text = TextWriter.format(pattern, value);
      if (text.length() <= width) {
        return text;
      }
    }
    return TextWriter.format(width >= TIME_WIDTH ? "%.1e" : "%.0e", value);
  }

  /** Formats a size with a unit and three digits. */
  private static String bytes(long bytes) {
    List<String> units = List.of("B", "KB", "MB", "GB");
    double amount = bytes;
    int unit = 0;
    while (Math.abs(amount) >= KIB && unit < units.size() - 1) {
      amount /= KIB;
      unit++;
    }
    String pattern = Math.abs(amount) < 10 ? "%.2f" : Math.abs(amount) < 100 ? "%.1f" : "%.0f";
    return TextWriter.format(pattern, amount) + " " + units.get(unit);
  }
}
