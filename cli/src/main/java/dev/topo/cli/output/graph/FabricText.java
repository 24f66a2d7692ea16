package dev.topo.cli.output.graph;

import dev.topo.cli.output.Answer;
import dev.topo.cli.output.TextTable;
import dev.topo.model.QuantityFormat;
import dev.topo.model.fabric.HostList;
import dev.topo.model.fabric.SwitchMap;
import dev.topo.model.job.Job;
import dev.topo.search.connect.Connection;
import dev.topo.search.fabric.FabricReport;
import dev.topo.search.fabric.FabricReport.ChannelHops;
import dev.topo.search.fabric.FabricReport.HopCount;
import dev.topo.search.fabric.NodeOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How the channels of a job lie on the switches between its nodes, and in which order of nodes they
 * would lie better.
 */
public final class FabricText {
  private final StringBuilder out = new StringBuilder();

  private FabricText() {}

  /**
   * The report on a job.
   *
   * @param hosts the name of each node in rank order
   * @param job its machines, to try them in another order
   */
  public static Answer of(Connection connection, SwitchMap switches, List<String> hosts, Job job) {
    FabricText text = new FabricText();
    FabricReport report = new FabricReport(connection, switches, hosts);
    text.summary(report, switches);
    text.channels(report);
    text.places("  rail", report.byRail());
    text.places("  leaf switch", report.bySwitch());
    text.better(report, switches, hosts, job);
    return Answer.of(text.out.toString());
  }

  private void summary(FabricReport report, SwitchMap switches) {
    HopCount total = report.total();
    out.append("\nhops between nodes: ").append(total.hops()).append(" in all channels; ");
    out.append(total.crossSwitch()).append(" leave their leaf switch");
    if (switches.isByNode()) {
      out.append(" (the map knows nodes, not ports)");
    }
    out.append("; ").append(total.crossRail()).append(" change rail\n");
    if (total.unknown() > 0) {
      out.append("  ")
          .append(total.unknown())
          .append(" hops have an end that is not in the switch map\n");
    }
    List<String> idle = report.idlePorts();
    if (!idle.isEmpty()) {
      out.append("  ports that no channel uses: ").append(String.join(" ", idle)).append('\n');
    }
  }

  private void channels(FabricReport report) {
    Map<List<HopCount>, List<Integer>> alike = new LinkedHashMap<>();
    for (ChannelHops hops : report.channels()) {
      alike
          .computeIfAbsent(List.of(hops.ring(), hops.tree()), key -> new ArrayList<>())
          .add(hops.channel());
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(
        List.of(
            "  channel",
            "ring hops",
            "cross rail",
            "cross switch",
            "tree hops",
            "cross rail",
            "cross switch"));
    alike.forEach((counts, channels) -> rows.add(row(counts.get(0), counts.get(1), channels)));
    TextTable.append(out, rows);
  }

  /** Hops by rail or by switch, places with equal counts in one line. */
  private void places(String title, Map<String, HopCount> counts) {
    Map<HopCount, List<String>> alike = new LinkedHashMap<>();
    counts.forEach(
        (place, count) -> alike.computeIfAbsent(count, key -> new ArrayList<>()).add(place));
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of(title, "hops", "cross rail", "cross switch"));
    alike.forEach(
        (count, places) ->
            rows.add(
                List.of(
                    "  " + HostList.fold(places),
                    String.valueOf(count.hops()),
                    String.valueOf(count.crossRail()),
                    String.valueOf(count.crossSwitch()))));
    TextTable.append(out, rows);
  }

  private static List<String> row(HopCount ring, HopCount tree, List<Integer> channels) {
    return List.of(
        "  " + QuantityFormat.ranges(channels),
        String.valueOf(ring.hops()),
        String.valueOf(ring.crossRail()),
        String.valueOf(ring.crossSwitch()),
        String.valueOf(tree.hops()),
        String.valueOf(tree.crossRail()),
        String.valueOf(tree.crossSwitch()));
  }

  private void better(FabricReport report, SwitchMap switches, List<String> hosts, Job job) {
    List<Integer> order = NodeOrder.bySwitch(switches, hosts);
    List<String> reordered = order.stream().map(hosts::get).toList();
    Job other = new Job(order.stream().map(job.machines()::get).toList());
    HopCount now = report.total();
    HopCount then = new FabricReport(Connection.of(other), switches, reordered).total();
    if (then.crossSwitch() >= now.crossSwitch()) {
      out.append("no order of nodes by switch leaves fewer hops across switches\n");
      return;
    }
    out.append("an order of nodes with ")
        .append(then.crossSwitch())
        .append(" hops across switches instead of ");
    out.append(now.crossSwitch()).append(":\n  ").append(HostList.fold(reordered)).append('\n');
  }
}
