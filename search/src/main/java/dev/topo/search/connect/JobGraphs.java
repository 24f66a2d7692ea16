package dev.topo.search.connect;

import dev.topo.model.io.Inputs;
import dev.topo.model.job.Machine;
import dev.topo.model.job.UnusableTopologyException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A job with the graphs of its domains: the second stage of its answer.
 *
 * @param domains the job and the domains of its machines
 * @param ofMachine the graphs of the domains of each machine; those of equal machines are the same
 *     objects
 */
public record JobGraphs(JobDomains domains, Map<Machine, List<DomainGraphs>> ofMachine) {
  public JobGraphs {
    ofMachine = Collections.unmodifiableMap(new LinkedHashMap<>(ofMachine));
  }

  /**
   * Takes the graphs of each domain from a source, usually a search.
   *
   * @param inputs reads the files that settings name
   * @throws UnusableTopologyException where NCCL would not start
   */
  public static JobGraphs of(JobDomains domains, GraphSource source, Inputs inputs) {
    Map<Machine, List<DomainGraphs>> ofMachine = new LinkedHashMap<>();
    domains
        .ofMachine()
        .forEach(
            (machine, split) ->
                ofMachine.put(machine, DomainGraphs.of(split, machine.settings(), source, inputs)));
    return new JobGraphs(domains, ofMachine);
  }
}
