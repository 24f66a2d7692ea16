package dev.topo.simulator.diagnosis;

import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditParser;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.topology.TopologySource;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobRequest;
import dev.topo.simulator.evaluate.JobResult;
import java.nio.file.Path;
import java.util.List;

/**
 * A job of equal nodes, as far as it is known.
 *
 * @param machine a node
 * @param gpus its GPUs that take part
 * @param nodes number of nodes
 * @param rules the rules of its release
 * @param gpusPerProcess GPUs that one process launches kernels for
 */
record DiagnosedJob(
    XmlDocument machine,
    GpuSelection gpus,
    int nodes,
    NcclSettings settings,
    ReleaseRules rules,
    int gpusPerProcess) {
  private static final String SOURCE = "cause";

  /** The node. */
  public Topology topology() {
    return TopologySource.build(
        machine, UnknownElements.IGNORED, gpus, rules.profile(), new Diagnostics());
  }

  /** With other settings besides its own. */
  public DiagnosedJob with(NcclSettings others) {
    return new DiagnosedJob(machine, gpus, nodes, settings.with(others), rules, gpusPerProcess);
  }

  /** With one process for all GPUs of a node. */
  DiagnosedJob ofOneProcess() {
    return new DiagnosedJob(machine, gpus, nodes, settings, rules, topology().gpus().size());
  }

  /**
   * Evaluates the job.
   *
   * @throws dev.topo.model.job.UnusableTopologyException if NCCL would not start
   */
  JobResult evaluated(JobEvaluator evaluator) {
    return evaluator.evaluate(
        JobRequest.of(
                Job.ofEqual(new Machine(topology(), settings), nodes), rules.profile(), List.of())
            .withGpusPerProcess(gpusPerProcess));
  }

  /** No cause is another file; a log could contain a text that looks like an edit. */
  private static XmlDocument noFile(Path file) {
    throw new TopologyFormatException(
        SourceLocation.of(file.toString()), "is named by a cause, expected none that names a file");
  }

  /** The job with some edits. */
  DiagnosedJob edited(String edits) {
    EditedMachine after =
        new EditApplier(DiagnosedJob::noFile, document -> {})
            .apply(EditedMachine.of(machine, settings), EditParser.parse(edits, SOURCE));
    return new DiagnosedJob(
        after.machine(), gpus, nodes, after.settings(), after.nccl().orElse(rules), gpusPerProcess);
  }
}
