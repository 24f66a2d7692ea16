package dev.topo.simulator.evaluate;

import dev.topo.model.Topology;
import dev.topo.model.diagnostic.Diagnostics;
import dev.topo.model.job.GpuSelection;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.node.GpuNode;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Replaces the machines of a job by the topologies that NCCL_TOPO_FILE declares for them. NCCL
 * takes the GPUs of the job from that file.
 */
final class DeclaredMachines {
  private static final String SETTING = "NCCL_TOPO_FILE";

  private DeclaredMachines() {}

  /** The request for the declared machines; the given machine becomes the actual one. */
  static JobRequest declared(JobRequest request, NcclProfile profile) {
    if (request.actual().isPresent()) {
      return request;
    }
    Job declared = declared(request.job(), profile);
    return declared.equals(request.job())
        ? request
        : new JobRequest(
            declared,
            request.calls(),
            request.selected(),
            request.network(),
            request.gpusPerProcess(),
            Optional.of(request.job().machines().get(0)));
  }

  /** The job as NCCL sees it. */
  static Job declared(Job job, NcclProfile profile) {
    if (job.machines().stream().noneMatch(machine -> isDeclared(machine))) {
      return job;
    }
    // Equal machines stay one object.
    Map<Machine, Machine> known = new IdentityHashMap<>();
    List<Machine> machines =
        job.machines().stream()
            .map(machine -> known.computeIfAbsent(machine, one -> declared(one, profile)))
            .toList();
    return new Job(machines);
  }

  private static boolean isDeclared(Machine machine) {
    return machine.settings().text(SETTING).isPresent();
  }

  /** The machine as NCCL sees it. */
  static Machine declared(Machine machine, NcclProfile profile) {
    return machine
        .settings()
        .text(SETTING)
        .map(file -> new Machine(topology(file, machine.topology(), profile), machine.settings()))
        .orElse(machine);
  }

  private static Topology topology(String file, Topology actual, NcclProfile profile) {
    Set<Integer> devs = new HashSet<>();
    actual.gpus().stream().map(GpuNode::dev).forEach(devs::add);
    GpuSelection selection =
        devs.size() == actual.gpus().size() ? GpuSelection.of(devs) : GpuSelection.ALL;
    Topology declared =
        new TopologyReader(false, profile)
            .map(new XmlReader().read(Path.of(file)), selection, new Diagnostics());
    DeclaredGpuCheck.requireEqual(
        declared.gpus().size(), file, actual.gpus().size(), "the actual machine");
    return declared;
  }
}
