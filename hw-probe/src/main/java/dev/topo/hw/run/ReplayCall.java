package dev.topo.hw.run;

import java.util.List;

/**
 * A call of a job: what its ranks call together.
 *
 * @param name the name for people
 * @param group the place of its communicator in the plan
 * @param parts of each rank of the communicator what it calls between ncclGroupStart and
 *     ncclGroupEnd; nothing for one that takes no part
 */
public record ReplayCall(String name, int group, List<List<ReplayPart>> parts) {
  public ReplayCall {
    parts = parts.stream().map(List::copyOf).toList();
  }

  /** The size of its largest buffer. */
  public long bufferBytes() {
    return parts.stream()
        .flatMap(List::stream)
        .mapToLong(part -> part.endBytes(parts.size()))
        .max()
        .orElse(0);
  }
}
