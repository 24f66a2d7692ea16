package dev.topo.visualizer.structure;

import dev.topo.model.Alike;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.model.job.Job;
import dev.topo.model.nic.HostList;
import dev.topo.model.nic.SwitchMap;
import dev.topo.search.connect.Connection;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.network.FabricReport;
import dev.topo.simulator.network.FabricReport.ChannelHops;
import dev.topo.simulator.network.FabricReport.HopCount;
import dev.topo.simulator.network.NodeOrder;
import dev.topo.visualizer.view.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Describes how the channels of a job use the switches between its nodes, and whether another order
 * of nodes would cross fewer switches.
 */
public final class FabricText {
  private final TextWriter out = new TextWriter();

  private FabricText() {}

  /**
   * Returns the report on a job.
   *
   * @param evaluator connects the job with its nodes in another order
   * @param hosts the name of each node in rank order
   * @param job the job, to be tried in another order of nodes
   */
  public static Answer of(
      JobEvaluator evaluator,
      Connection connection,
      SwitchMap switches,
      List<String> hosts,
      Job job) {
    FabricText text = new FabricText();
    FabricReport report = new FabricReport(connection, switches, hosts);
    text.summary(report, switches);
    text.channels(report);
    text.places("rail", report.byRail());
    text.places("leaf switch", report.bySwitch());
    text.better(evaluator, connection.profile(), report, switches, hosts, job);
    return Answer.of(text.out);
  }

  private void summary(FabricReport report, SwitchMap switches) {
    HopCount total = report.total();
    out.line(
        "\nhops between nodes: %d in all channels; %d leave their leaf switch%s; %d change rail",
        total.hops(),
        total.crossSwitch(),
        switches.isByNode() ? " (the map knows nodes, not ports)" : "",
        total.crossRail());
    if (total.unknown() > 0) {
      out.line("  %d hops have an end that is not in the switch map", total.unknown());
    }
    if (!report.idlePorts().isEmpty()) {
      out.line("  ports that no channel uses: %s", String.join(" ", report.idlePorts()));
    }
  }

  private void channels(FabricReport report) {
    TextTable table =
        TextTable.indented()
            .header("channel,ring hops,cross rail,cross switch,tree hops,cross rail,cross switch");
    Alike.by(report.channels(), hops -> List.of(hops.ring(), hops.tree()), ChannelHops::channel)
        .forEach(
            (counts, channels) ->
                row(table, QuantityFormat.ranges(channels), counts.toArray(HopCount[]::new)));
    out.table(table);
  }

  /** Writes the hops by rail or by switch; places with equal counts share a line. */
  private void places(String title, Map<String, HopCount> counts) {
    TextTable table = TextTable.indented().row(title, "hops", "cross rail", "cross switch");
    Alike.by(counts.entrySet(), Map.Entry::getValue, Map.Entry::getKey)
        .forEach((count, places) -> row(table, HostList.fold(places), count));
    out.table(table);
  }

  private static void row(TextTable table, String name, HopCount... counts) {
    List<Object> cells = new ArrayList<>(List.of(name));
    for (HopCount count : counts) {
      cells.addAll(List.of(count.hops(), count.crossRail(), count.crossSwitch()));
    }
    table.row(cells.toArray());
  }

  private void better(
      JobEvaluator evaluator,
      NcclProfile profile,
      FabricReport report,
      SwitchMap switches,
      List<String> hosts,
      Job job) {
    List<Integer> order = NodeOrder.bySwitch(switches, hosts);
    List<String> reordered = order.stream().map(hosts::get).toList();
    HopCount now = report.total();
    HopCount improved =
        new FabricReport(evaluator.connect(job.inOrder(order), profile), switches, reordered)
            .total();
    if (improved.crossSwitch() >= now.crossSwitch()) {
      out.line("no order of nodes by switch leaves fewer hops across switches");
      return;
    }
    out.line(
        "an order of nodes with %d hops across switches instead of %d:\n  %s",
        improved.crossSwitch(), now.crossSwitch(), HostList.fold(reordered));
  }
}
