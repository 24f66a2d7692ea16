package dev.topo.cli.explain;

import dev.topo.cli.option.StatedGraphs;
import dev.topo.model.job.Job;
import dev.topo.model.path.Domain;
import dev.topo.search.communicator.Communicator;
import dev.topo.search.explain.SearchTrace;
import java.util.IdentityHashMap;
import java.util.Objects;

/**
 * A communicator and what the search on the node of rank 0 did.
 *
 * @param communicator the communicator
 * @param trace the search
 */
public record TracedCommunicator(Communicator communicator, SearchTrace trace) {
  /** Searches, connects and tunes a job, once, and watches. */
  public static TracedCommunicator of(Job job) {
    IdentityHashMap<Domain, SearchTrace> traces = new IdentityHashMap<>();
    Communicator communicator =
        Communicator.of(
            job,
            (domain, settings) -> {
              SearchTrace trace = new SearchTrace();
              traces.put(domain, trace);
              return StatedGraphs.search(domain, settings, trace);
            });
    SearchTrace first = Objects.requireNonNull(traces.get(communicator.connection().domain(0)));
    return new TracedCommunicator(communicator, first);
  }
}
