package dev.topo.visualizer.study;

import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.variant.WhatIfOutcome;
import dev.topo.visualizer.structure.GraphsText;
import dev.topo.visualizer.times.BusbwWords;
import java.util.ArrayList;
import java.util.List;

/** The graphs of a job before and after edits. */
record EditedGraphs(WhatIfOutcome before, WhatIfOutcome after) {
  /** Returns the bandwidths of the graphs and the number of channels in one line. */
  String line() {
    List<String> words = new ArrayList<>();
    for (GraphKind kind : GraphKind.values()) {
      double was = before.bandwidthGBps(kind);
      double is = after.bandwidthGBps(kind);
      if (was > 0 || is > 0) {
        words.add("%s %s GB/s".formatted(kind.label(), ChangeWords.arrow(number(was), number(is))));
      }
    }
    return "graphs%s: %s; channels %s"
        .formatted(
            after.crossesNetwork() ? " between nodes" : "",
            String.join(", ", words),
            ChangeWords.arrow(before.connection().nChannels(), after.connection().nChannels()));
  }

  /** Returns a table with a row for each kind of graph and one for the channels. */
  TextTable table() {
    TextTable table = TextTable.atMargin().header(",before,after,change");
    for (GraphKind kind : GraphKind.values()) {
      if (before.graph(kind).nChannels() + after.graph(kind).nChannels() > 0) {
        table.row(
            kind.label(),
            cell(before, kind),
            cell(after, kind),
            change(before.bandwidthGBps(kind), after.bandwidthGBps(kind)));
      }
    }
    return table.row(
        "channels", before.connection().nChannels(), after.connection().nChannels(), "");
  }

  private static String cell(WhatIfOutcome outcome, GraphKind kind) {
    ChannelGraph graph = outcome.graph(kind);
    if (graph.nChannels() == 0) {
      return "none";
    }
    if (GraphsText.isFallback(graph)) {
      return "none fits, GPUs in file order";
    }
    String types = graph.typeIntra().toString();
    if (outcome.crossesNetwork()) {
      types +=
          " " + graph.typeInter() + (graph.crossNic() == 0 ? "" : " crossNic " + graph.crossNic());
    }
    return bandwidth(outcome, kind) + " GB/s " + types;
  }

  /** The change of a bandwidth in percent; empty if there is no such graph on a side. */
  private static String change(double before, double after) {
    if (before <= 0 || after <= 0) {
      return "";
    }
    return before == after ? "=" : BusbwWords.percent(after / before - 1);
  }

  /** Returns channels times bandwidth: {@code 8 x 48 = 384}. */
  static String bandwidth(WhatIfOutcome outcome, GraphKind kind) {
    return bandwidth(outcome.graph(kind), outcome.crossesNetwork(), outcome.bandwidthGBps(kind));
  }

  /**
   * Returns channels times bandwidth.
   *
   * @param crossesNetwork whether the bandwidth is that of a channel between nodes
   * @param totalGBps the bandwidth of all channels
   */
  static String bandwidth(ChannelGraph graph, boolean crossesNetwork, double totalGBps) {
    return TextWriter.format(
        "%d x %s = %s",
        graph.nChannels(),
        number(crossesNetwork ? graph.bwInter() : graph.bwIntra()),
        number(totalGBps));
  }

  private static String number(double gbps) {
    return PrintfNumber.general((float) gbps);
  }
}
