package dev.topo.simulator.diagnosis;

import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditParser;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.topology.TopologySource;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.simulator.evaluate.JobEvaluator;
import dev.topo.simulator.evaluate.JobPart;
import dev.topo.simulator.evaluate.JobResult;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The job of a diagnosed run, on equal nodes.
 *
 * @param machine the node
 * @param gpus GPUs of the node that take part
 * @param nodes number of nodes
 * @param rules rules of the NCCL release
 * @param gpusPerProcess GPUs for which one process launches kernels
 */
record DiagnosedJob(
    XmlDocument machine,
    GpuSelection gpus,
    int nodes,
    NcclSettings settings,
    ReleaseRules rules,
    int gpusPerProcess) {
  private static final String SOURCE = "cause";

  /** Topology of the node. */
  Topology topology() {
    return TopologySource.build(
        machine, UnknownElements.IGNORED, gpus, rules.profile(), new Diagnostics());
  }

  /** This job with additional settings. */
  DiagnosedJob with(NcclSettings others) {
    return new DiagnosedJob(machine, gpus, nodes, settings.with(others), rules, gpusPerProcess);
  }

  /** This job with one process for all GPUs of a node. */
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
        JobPart.ofEqual(new Machine(topology(), settings), nodes),
        rules.profile(),
        Optional.empty(),
        gpusPerProcess);
  }

  /**
   * Rejects an edit that names a file. No cause replaces a file, but text of a log ends up in edits
   * and could look like one that does.
   */
  private static XmlDocument rejectFile(Path file) {
    throw new TopologyFormatException(
        file.toString(), "is named by a cause, expected none that names a file");
  }

  /** This job with some edits. */
  DiagnosedJob edited(String edits) {
    EditedMachine after =
        new EditApplier(DiagnosedJob::rejectFile, document -> {})
            .apply(EditedMachine.of(machine, settings), EditParser.parse(edits, SOURCE));
    return new DiagnosedJob(
        after.machine(), gpus, nodes, after.settings(), after.nccl().orElse(rules), gpusPerProcess);
  }
}
