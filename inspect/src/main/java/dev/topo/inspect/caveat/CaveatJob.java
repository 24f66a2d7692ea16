package dev.topo.inspect.caveat;

import dev.topo.model.Topology;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlElement;
import dev.topo.search.rules.ReleaseRules;
import java.util.List;

/**
 * The job that an answer is about.
 *
 * @param machines its machines, equal ones once
 * @param nodes nodes of its largest communicator
 * @param scope what the answer covers
 * @param settings the settings of its processes
 * @param rules the rules of their NCCL
 */
public record CaveatJob(
    List<Subject> machines, int nodes, Scope scope, NcclSettings settings, ReleaseRules rules) {
  public CaveatJob {
    machines = List.copyOf(machines);
  }

  /** The part of a job that an answer covers. */
  public enum Scope {
    /** One machine, with its network ports, whatever the job. */
    MACHINE,
    /** One communicator at a time. */
    COMMUNICATOR,
    /** Communicators that share nodes. */
    SHARED_NODES
  }

  /**
   * A machine.
   *
   * @param name what to call it
   * @param topology its devices that take part
   * @param file its {@code <system>} element
   * @param isWired whether NVLinks are as the user states them, even where there are none
   */
  public record Subject(String name, Topology topology, XmlElement file, boolean isWired) {
    /** True if the file is that of a domain of several hosts. */
    boolean hasSeveralHosts() {
      return topology.cpus().stream().map(cpu -> cpu.id().systemId()).distinct().count() > 1;
    }
  }

  boolean usesNetwork() {
    return scope == Scope.MACHINE
        || nodes > 1
        || !settings.sharedMemory()
        || machines.stream().anyMatch(Subject::hasSeveralHosts);
  }
}
