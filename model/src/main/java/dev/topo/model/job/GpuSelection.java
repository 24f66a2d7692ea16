package dev.topo.model.job;

import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which GPUs of a machine take part in a job. NCCL does not see the others; every network port
 * remains.
 *
 * @param devs device numbers of the GPUs, or empty for all
 */
public record GpuSelection(Optional<Set<Integer>> devs) {
  public static final GpuSelection ALL = new GpuSelection(Optional.empty());

  /** Copies the set, in ascending order. */
  public GpuSelection {
    devs = devs.map(numbers -> Collections.unmodifiableSet(new TreeSet<>(numbers)));
  }

  public static GpuSelection of(Set<Integer> devs) {
    return new GpuSelection(Optional.of(devs));
  }

  /** True if the GPU with a {@code dev} takes part. */
  public boolean contains(int dev) {
    return devs.isEmpty() || devs.get().contains(dev);
  }
}
