package dev.topo.visualizer.report;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.simulator.workload.CallTimeline;
import dev.topo.simulator.workload.Workload;
import dev.topo.simulator.workload.WorkloadChange;
import dev.topo.simulator.workload.WorkloadComparison;
import dev.topo.simulator.workload.WorkloadMemory;
import java.util.List;
import java.util.Optional;

/**
 * The content of a page about the communication of a job.
 *
 * @param machines a description of the machines of the job
 * @param place where its ranks run, in words
 * @param rules the rules of NCCL that expected times follow
 * @param comparison the measured calls with their expected times
 * @param timeline the timeline of these calls
 * @param change the effect of a change, if one is requested
 * @param memory the memory that NCCL takes for its groups, if requested
 * @param caveats what the model does not cover
 */
public record WorkloadSubject(
    String machines,
    String place,
    ReleaseRules rules,
    WorkloadComparison comparison,
    CallTimeline timeline,
    Optional<WorkloadChange> change,
    Optional<WorkloadMemory> memory,
    List<Caveat> caveats) {
  /** Copies the list. */
  public WorkloadSubject {
    caveats = List.copyOf(caveats);
  }

  Workload workload() {
    return comparison.workload();
  }
}
