package dev.topo.hw.run;

import dev.topo.model.job.RankSplit;
import java.util.Optional;

/**
 * Placement of this process in a run.
 *
 * @param localIndex its index among the processes of its host
 * @param host identity of its host: its name, or NCCL_HOSTID
 * @param firstDevice its first CUDA device, if not given by {@code localIndex}
 */
public record ProcessPlacement(
    int index,
    int size,
    int localIndex,
    String host,
    String announcement,
    Optional<Integer> firstDevice,
    Optional<RankSplit> split) {
  /** Placement of the only process. */
  public static final ProcessPlacement ALONE =
      new ProcessPlacement(0, 1, 0, "localhost", "", Optional.empty(), Optional.empty());

  public ProcessPlacement {
    if (size < 1 || index < 0 || index >= size || localIndex < 0) {
      throw new IllegalArgumentException(
          "process " + index + " of " + size + ", " + localIndex + " on its host");
    }
  }

  public ProcessPlacement announcing(String text) {
    return new ProcessPlacement(index, size, localIndex, host, text, firstDevice, split);
  }

  public int color() {
    return split.map(colors -> colors.color(index)).orElse(0);
  }
}
