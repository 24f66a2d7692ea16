package dev.topo.visualizer.hardware;

import dev.topo.hw.run.LaunchTime;
import dev.topo.hw.run.RunEvent;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.search.rules.ReleaseRules.NcclRelease;
import java.util.Locale;

/** The time that a host was measured to take for the launch of a kernel. */
public final class LaunchTimeText {
  private LaunchTimeText() {}

  /**
   * The text.
   *
   * @param started the library and the GPU of rank 0
   * @param launchedBy how the GPUs are driven, as in {@code a process for each GPU}
   */
  public static String of(
      RunEvent.Started started, int nRanks, String launchedBy, LaunchTime launch) {
    TextWriter out = new TextWriter();
    out.line(
        "A launch by NCCL %s takes %.1f us here (median of %d starts, %.1f to %.1f).",
        NcclRelease.parse(String.valueOf(started.ncclVersion())),
        launch.medianUs(),
        launch.startsUs().size(),
        launch.leastUs(),
        launch.mostUs());
    out.line("");
    out.line(
        "%d x %s, %s; AllReduce of 8 B, the slowest rank",
        nRanks, started.devices().get(0).name(), launchedBy);
    TextTable table = TextTable.indented().header("start,median us,shortest,longest");
    for (int i = 0; i < launch.startsUs().size(); i++) {
      LaunchTime.Start start = launch.startsUs().get(i);
      table.row(i + 1, us(start.medianUs()), us(start.shortestUs()), us(start.longestUs()));
    }
    out.table(table);
    return out.toString();
  }

  private static String us(double time) {
    return String.format(Locale.ROOT, "%.2f", time);
  }
}
