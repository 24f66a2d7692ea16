package dev.topo.visualizer.study;

import dev.topo.inspect.trace.CallKind;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.workload.CallSite;
import dev.topo.simulator.workload.GroupSpread;
import dev.topo.simulator.workload.SiteTitles;
import dev.topo.simulator.workload.WorkloadComparison;
import dev.topo.visualizer.report.WorkloadWords;

/** How the groups of one kind differ, as people read it. */
final class GroupSpreadText {
  private GroupSpreadText() {}

  /** Writes a line for each call of several groups; nothing where there is none. */
  static void write(TextWriter out, SiteTitles titles, WorkloadComparison comparison, int most) {
    TextTable table = TextTable.indented();
    table.header("call,size,groups,first ranks,median,90 %,slowest,its ranks,");
    for (CallSite site : comparison.calls().stream().limit(most).toList()) {
      GroupSpread.of(site).ifPresent(spread -> row(table, titles.of(site), site, spread));
    }
    if (table.size() > 1) {
      out.line("\ngroups of one kind, by the median of each").table(table);
    }
  }

  private static void row(TextTable table, String title, CallSite site, GroupSpread spread) {
    CallKind kind = site.kind();
    table.row(
        title,
        QuantityFormat.size(kind.bytes()),
        spread.groups() + " of " + kind.group().title() + " (" + kind.group().size() + ")",
        kind.group().rankText(),
        QuantityFormat.time(spread.medianUs()),
        QuantityFormat.time(spread.p90Us()),
        QuantityFormat.time(spread.slowestUs()),
        spread.slowest().rankText(),
        WorkloadWords.remark(spread));
  }
}
