package dev.topo.simulator.evaluate;

import dev.topo.model.job.Job;
import java.util.List;

/**
 * A job whose machines were read.
 *
 * @param whole the machines of all ranks
 * @param parts its communicators, equal ones once; one, unless it is split
 * @param sharesHosts whether communicators with several ranks each share a host
 */
public record ResolvedJob(Job whole, List<JobPart> parts, boolean sharesHosts) {
  public ResolvedJob {
    parts = List.copyOf(parts);
  }
}
