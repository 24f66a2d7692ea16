package dev.topo.search.connect;

import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A job whose machines are split into the groups of GPUs that reach each other without the network,
 * with their paths: the first stage of its answer.
 *
 * @param job the job
 * @param profile the rules
 * @param ofMachine the domains of each machine; those of equal machines are the same objects
 */
public record JobDomains(Job job, NcclProfile profile, Map<Machine, List<Domain>> ofMachine) {
  public JobDomains {
    ofMachine = Collections.unmodifiableMap(new LinkedHashMap<>(ofMachine));
  }

  /**
   * Splits the machines of a job, whose topologies were built by the rules.
   *
   * @throws UnusableTopologyException where NCCL fails with an internal error
   */
  public static JobDomains of(Job job, NcclProfile profile) {
    Map<Machine, List<Domain>> ofMachine = new LinkedHashMap<>();
    for (Machine machine : job.machines()) {
      ofMachine.computeIfAbsent(
          machine,
          key -> DomainFinder.find(key.topology(), key.settings(), crossesNetwork(job), profile));
    }
    return new JobDomains(job, profile, ofMachine);
  }

  private static boolean crossesNetwork(Job job) {
    return job.machines().size() > 1;
  }

  /** True if there are hosts that NVLink does not join to one node. */
  boolean hasSeveralHosts() {
    return crossesNetwork(job)
        || ofMachine.keySet().stream()
            .anyMatch(
                machine ->
                    DomainFinder.separatesHosts(machine.topology(), machine.settings(), profile));
  }
}
