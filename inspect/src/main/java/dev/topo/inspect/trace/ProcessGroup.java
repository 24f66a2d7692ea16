package dev.topo.inspect.trace;

import dev.topo.model.QuantityFormat;
import java.util.List;

/**
 * Communicator of a job.
 *
 * @param name its name in the framework; several groups may have the same ranks
 * @param description its purpose according to the framework; empty if not stated
 * @param ranks its ranks in the job, in the order of its own ranks; empty if unknown
 */
public record ProcessGroup(String name, String description, List<Integer> ranks) {
  /** Copies the list; one that repeats a rank is treated as unknown. */
  public ProcessGroup {
    ranks = ranks.stream().distinct().count() == ranks.size() ? List.copyOf(ranks) : List.of();
  }

  /** Hash of name and size: a group of thousands of ranks is looked up for each kind of calls. */
  @Override
  public int hashCode() {
    return 31 * name.hashCode() + ranks.size();
  }

  public int size() {
    return ranks.size();
  }

  /** Short text of its ranks, as in {@code 8-15} or {@code 0,8,…,56}. */
  public String rankText() {
    return QuantityFormat.steps(ranks.stream().sorted().toList());
  }

  /** Name to display: the description if the framework states one, otherwise the name. */
  public String title() {
    return description.isEmpty() || description.equals("undefined") ? name : description;
  }
}
