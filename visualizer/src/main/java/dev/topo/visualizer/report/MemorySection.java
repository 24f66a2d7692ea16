package dev.topo.visualizer.report;

import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.search.transfer.PeerPlanner;
import dev.topo.simulator.memory.JobMemory;
import dev.topo.simulator.memory.MemoryAnswer;
import dev.topo.simulator.memory.MemoryModel;
import dev.topo.simulator.memory.MemoryPart;
import dev.topo.simulator.memory.MemoryPlace;
import dev.topo.simulator.memory.MemoryStep;
import dev.topo.simulator.memory.StepMemory;
import dev.topo.visualizer.structure.MemorySentence;
import dev.topo.visualizer.view.DataTable;
import dev.topo.visualizer.view.Element;
import java.util.List;

/**
 * The section with the memory that NCCL takes on the GPU where it takes most: for initialization
 * and for the calls of the report.
 */
final class MemorySection {
  private MemorySection() {}

  static Element of(ReportSubject subject) {
    if (JobMemory.isTooLarge(subject.communicator().nRanks())) {
      return section(
          Element.paragraph(
              "Not added up for more than %s: topo memory does."
                  .formatted(QuantityFormat.count(JobMemory.MOST_RANKS, "rank"))));
    }
    MemoryAnswer answer = new MemoryModel(subject.communicator(), List::of).brief(steps(subject));
    DataTable table =
        new DataTable("Memory that NCCL takes, by step")
            .texts("step")
            .numbers("of the GPU")
            .hinted("of the host", "shared memory of a process")
            .texts("most of it for");
    for (StepMemory step : answer.ofRank(answer.fullestRank())) {
      table.row(
          step.step().label(),
          size(step.gpuBytes()),
          size(step.hostSharedBytes()),
          step.parts().stream()
              .filter(part -> part.place() == MemoryPlace.GPU)
              .findFirst()
              .map(MemoryPart::what)
              .orElse("–"));
    }
    return section(
        Element.paragraph(
            MemorySentence.of(subject.title(), answer)
                + " Rank "
                + answer.fullestRank()
                + ", steps in this order, each with what it adds; topo memory has all parts."
                + omissions(answer)),
        table.element());
  }

  private static String omissions(MemoryAnswer answer) {
    return answer.omissions().isEmpty()
        ? ""
        : " Not in the figures: " + String.join(", ", answer.omissions()) + ".";
  }

  private static Element section(Element... parts) {
    return Element.section("memory", "Memory", parts);
  }

  private static Element size(long bytes) {
    return DataTable.number(bytes == 0 ? "0" : QuantityFormat.size(bytes), bytes);
  }

  private static List<MemoryStep> steps(ReportSubject subject) {
    boolean hasPeers = PeerPlanner.covers(subject.communicator().profile());
    return JobMemory.steps(
        subject.predictor().planner().context().buffers(),
        subject.calls().all().stream()
            .filter(call -> hasPeers || call instanceof CollectiveCall)
            .toList());
  }
}
