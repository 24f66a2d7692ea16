package dev.topo.hw.run;

import java.util.List;

/**
 * Call of a job by its ranks together.
 *
 * @param name name in text
 * @param group index of its communicator in the plan
 * @param parts calls of each rank of the communicator between ncclGroupStart and ncclGroupEnd;
 *     empty for ranks that take no part
 */
public record ReplayCall(String name, int group, List<List<ReplayPart>> parts) {
  public ReplayCall {
    parts = parts.stream().map(List::copyOf).toList();
  }

  /** Size of its largest buffer. */
  public long bufferBytes() {
    return parts.stream()
        .flatMap(List::stream)
        .mapToLong(part -> part.endBytes(parts.size()))
        .max()
        .orElse(0);
  }
}
