package dev.topo.visualizer.report;

import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.simulator.verdict.BoundReport;
import dev.topo.simulator.verdict.BoundReport.PredictedShare;
import dev.topo.simulator.verdict.BoundReporter;
import dev.topo.simulator.verdict.BoundText;
import dev.topo.visualizer.view.DataTable;
import dev.topo.visualizer.view.Element;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The section with the lower bound on the time of each operation, given the links of the job,
 * compared with NCCL.
 */
final class BoundSection {
  private BoundSection() {}

  /** Returns the section; empty if no link with a known rate limits any operation. */
  static Optional<Element> of(ReportSubject subject) {
    BoundReporter reporter = new BoundReporter(subject.predictor());
    String size = QuantityFormat.size(ReportSubject.LARGE_BYTES);
    DataTable table =
        new DataTable("The bound of each operation, and how near NCCL comes")
            .texts("operation")
            .hinted("busbw", "GB/s that no schedule exceeds")
            .hinted("time", "that no schedule of " + size + " beats")
            .texts("set by the links")
            .hinted("their rate", "GB/s, raw")
            .texts("channels that NCCL finds")
            .hinted("predicted", "of " + size)
            .numbers("of the bound");
    boolean isEmpty = true;
    for (Operation operation : operations(subject)) {
      Optional<BoundReport> report = reporter.report(operation, ReportSubject.LARGE_BYTES);
      report.ifPresent(boundReport -> row(table, boundReport));
      isEmpty &= report.isEmpty();
    }
    return isEmpty
        ? Optional.empty()
        : Optional.of(
            Element.section(
                "bound",
                "Bound",
                Element.paragraph(
                    "No schedule is faster than this over the links of NCCL's paths, whose raw rates count, not the"
                        + " bandwidths that NCCL plans with. The channels that NCCL finds are compared by the raw rates, too;"
                        + " what is predicted also pays for latency, copying and protocol."),
                table.element()));
  }

  private static List<Operation> operations(ReportSubject subject) {
    List<Operation> operations = new ArrayList<>(subject.calls().collectives());
    operations.add(PeerOperation.ALLTOALL);
    operations.add(PeerOperation.SENDRECV);
    return operations;
  }

  private static void row(DataTable table, BoundReport report) {
    Optional<PredictedShare> predicted = report.predicted();
    Element none = DataTable.none();
    table.row(
        report.collective().label() + (report.inSwitchReduction() ? ", switches reduce" : ""),
        DataTable.bandwidth(report.busbwGBps()),
        DataTable.time(report.timeUs()),
        report.side(),
        DataTable.bandwidth(report.cutGBps()),
        report.graphs().isEmpty()
            ? "–"
            : QuantityFormat.joined(", ", report.graphs(), BoundText::graph),
        predicted.map(share -> DataTable.time(share.timeUs())).orElse(none),
        predicted
            .map(share -> DataTable.number(BoundText.percent(share.share()), share.share()))
            .orElse(none));
  }
}
