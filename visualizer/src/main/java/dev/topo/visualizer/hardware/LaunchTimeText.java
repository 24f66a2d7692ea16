package dev.topo.visualizer.hardware;

import dev.topo.hw.run.LaunchTime;
import dev.topo.hw.run.RunEvent.Started;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.search.rules.ReleaseRules.NcclRelease;
import dev.topo.visualizer.view.Answer;

/** Writes the measured time of a kernel launch on a host. */
public final class LaunchTimeText {
  private LaunchTimeText() {}

  /**
   * Returns the text, with the option that makes predictions use the time.
   *
   * @param started the start of the run, with the library and the GPU of rank 0
   * @param launchedBy how the GPUs are driven, such as {@code a process for each GPU}
   */
  public static Answer of(Started started, int nRanks, String launchedBy, LaunchTime launch) {
    String sentence =
        TextWriter.format(
            "A launch by NCCL %s takes %.1f us here (median of %d starts, %.1f to %.1f).",
            NcclRelease.parse(String.valueOf(started.ncclVersion())),
            launch.medianUs(),
            launch.startsUs().size(),
            launch.leastUs(),
            launch.mostUs());
    TextWriter out = new TextWriter();
    out.line(
        "%d x %s, %s; AllReduce of 8 B, the slowest rank",
        nRanks, started.devices().get(0).name(), launchedBy);
    TextTable table = TextTable.indented().header("start,median us,shortest,longest");
    for (int i = 0; i < launch.startsUs().size(); i++) {
      LaunchTime.Start start = launch.startsUs().get(i);
      table.row(i + 1, us(start.medianUs()), us(start.shortestUs()), us(start.longestUs()));
    }
    out.table(table);
    out.line("\nstate it with: topo predict system.xml --launch-us %.1f", launch.medianUs());
    return Answer.of(out).saying(sentence);
  }

  private static String us(double time) {
    return TextWriter.format("%.2f", time);
  }
}
