package dev.topo.simulator.evaluate;

import dev.topo.model.GpuNode;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.GpuSelection;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologySource;
import dev.topo.search.topology.UnknownElements;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Replaces the machines of a job by what NCCL sees: the topologies that NCCL_TOPO_FILE declares for
 * them, from which NCCL takes the GPUs of the job, with merged ports.
 */
final class DeclaredMachines {
  private static final String SETTING = "NCCL_TOPO_FILE";

  private DeclaredMachines() {}

  /** The request for the machines that NCCL sees; a machine with a file becomes the actual one. */
  static JobRequest declared(JobRequest request, Inputs inputs) {
    Job job = request.job();
    boolean isActual = request.actual().isPresent();
    Job seen =
        isActual ? job.map(Machine::withMergedPorts) : declared(job, request.profile(), inputs);
    Optional<Machine> actual =
        !isActual && job.machines().stream().anyMatch(DeclaredMachines::isDeclared)
            ? Optional.of(job.machines().get(0))
            : request.actual();
    return seen.equals(job) ? request : request.withJob(seen).withActual(actual);
  }

  /** The job as NCCL sees it. */
  static Job declared(Job job, NcclProfile profile, Inputs inputs) {
    return job.map(machine -> declared(machine, profile, inputs));
  }

  private static boolean isDeclared(Machine machine) {
    return machine.settings().text(SETTING).isPresent();
  }

  /** The machine as NCCL sees it. */
  static Machine declared(Machine machine, NcclProfile profile, Inputs inputs) {
    return machine
        .settings()
        .text(SETTING)
        .map(
            file ->
                new Machine(
                    topology(file, machine.topology(), profile, inputs), machine.settings()))
        .orElse(machine)
        .withMergedPorts();
  }

  private static Topology topology(
      String file, Topology actual, NcclProfile profile, Inputs inputs) {
    Set<Integer> devs = new HashSet<>();
    actual.gpus().stream().map(GpuNode::dev).forEach(devs::add);
    GpuSelection selection =
        devs.size() == actual.gpus().size() ? GpuSelection.of(devs) : GpuSelection.ALL;
    Topology declared =
        TopologySource.build(
            new XmlReader().read(Path.of(file), inputs),
            UnknownElements.REJECTED,
            selection,
            profile,
            new Diagnostics());
    DeclaredGpuCheck.requireEqual(
        declared.gpus().size(), file, actual.gpus().size(), "the actual machine");
    return declared;
  }
}
