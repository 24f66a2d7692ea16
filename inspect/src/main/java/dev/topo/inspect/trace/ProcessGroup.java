package dev.topo.inspect.trace;

import dev.topo.model.QuantityFormat;
import java.util.List;

/**
 * A communicator of a job.
 *
 * @param name its name in the framework; several groups may have the same ranks
 * @param description what the framework says it is for; empty if nothing
 * @param ranks its ranks in the job, in the order of its own ranks; empty if they are not known
 */
public record ProcessGroup(String name, String description, List<Integer> ranks) {
  /** Copies the list; one that has a rank twice says nothing. */
  public ProcessGroup {
    ranks = ranks.stream().distinct().count() == ranks.size() ? List.copyOf(ranks) : List.of();
  }

  /** By its name and size: a group of thousands of ranks is looked up for each kind of calls. */
  @Override
  public int hashCode() {
    return 31 * name.hashCode() + ranks.size();
  }

  public int size() {
    return ranks.size();
  }

  /** Its ranks in short, as in {@code 8-15} or {@code 0,8,…,56}. */
  public String rankText() {
    return QuantityFormat.steps(ranks.stream().sorted().toList());
  }

  /** The name for people. */
  public String title() {
    return description.isEmpty() || description.equals("undefined") ? name : description;
  }
}
