package dev.topo.visualizer.report;

import dev.topo.model.Last;
import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Collective;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.tuning.CommFacts;
import dev.topo.search.tuning.SizeRange;
import dev.topo.search.tuning.SwitchPoints;
import dev.topo.search.tuning.Tuner.Decision;
import dev.topo.visualizer.times.TuningText;
import dev.topo.visualizer.view.DataTable;
import dev.topo.visualizer.view.Element;
import java.util.List;

/** The section with the algorithm and protocol that NCCL chooses, by size. */
final class ChoicesSection {
  private ChoicesSection() {}

  static Element of(ReportSubject subject) {
    DataTable table =
        new DataTable("NCCL's choice by size, to the byte")
            .texts("collective")
            .numbers("from", "to")
            .texts("algorithm", "protocol")
            .numbers("channels", "threads")
            .hinted("time at first", "as NCCL estimates")
            .hinted("time at last", "as NCCL estimates");
    for (Collective collective : subject.calls().collectives()) {
      for (List<SizeRange> range : ranges(subject, collective)) {
        row(table, subject.communicator().facts(), collective, range);
      }
    }
    return Element.section(
        "choices",
        "Choices",
        Element.paragraph(
            (subject.predictor().planner().context().buffers() == Buffers.PLAIN
                    ? "What NCCL runs for a call of each size."
                    : "What NCCL runs for a call of each size with plain buffers; Predictions have what it runs with"
                        + " those of the calls.")
                + " Times are those of NCCL's own tuning model, which ranks"
                + " algorithms; expected times are under Predictions."),
        table.element());
  }

  /**
   * The size ranges of a collective; consecutive ones with the same algorithm and protocol are
   * grouped.
   */
  static List<List<SizeRange>> ranges(ReportSubject subject, Collective collective) {
    List<Long> sizes = subject.calls().sizes();
    return SizeRange.byPair(
        new SwitchPoints(subject.communicator().tuner())
            .ranges(CollectiveCall.of(collective, 0L), sizes.get(0), Last.of(sizes)));
  }

  private static void row(
      DataTable table, CommFacts facts, Collective collective, List<SizeRange> ranges) {
    SizeRange first = ranges.get(0);
    SizeRange last = Last.of(ranges);
    Element from = DataTable.size(first.minBytes());
    Element to = DataTable.size(last.maxBytes());
    if (first.choice().isEmpty() || last.atMax().choice().isEmpty()) {
      Element none = DataTable.none();
      if (first.atMin() instanceof Decision.Refusal refusal) {
        table.row(
            collective.label(),
            from,
            to,
            refusal.label(),
            refusal.reason(),
            none,
            none,
            none,
            none);
      }
      return;
    }
    Decision.Choice a = first.choice().get();
    Decision.Choice b = last.atMax().choice().get();
    table.row(
        collective.label(),
        from,
        to,
        a.algorithm().label(),
        a.protocol().label(),
        channels(facts, collective, first, last),
        range(a.threads(), b.threads()),
        DataTable.time(a.timeUs()),
        DataTable.time(b.timeUs()));
  }

  private static Element channels(
      CommFacts facts, Collective collective, SizeRange first, SizeRange last) {
    return DataTable.number(
        TuningText.channels(facts, collective, first, last), last.channelsAtMax(facts, collective));
  }

  private static Element range(int from, int to) {
    return DataTable.number(QuantityFormat.span(from, to), to);
  }
}
