package dev.topo.visualizer.structure;

import dev.topo.model.QuantityFormat;
import dev.topo.simulator.memory.MemoryAnswer;
import dev.topo.simulator.memory.MemoryPart;
import dev.topo.simulator.memory.MemoryPlace;
import java.util.OptionalLong;

/**
 * The memory that NCCL takes, in one sentence: of which GPU most, of what most, and whether it
 * fits.
 */
public final class MemoryHeadline {
  private MemoryHeadline() {}

  /**
   * The sentence.
   *
   * @param limit most bytes of a GPU that NCCL may take
   */
  public static String of(MemoryAnswer answer, OptionalLong limit) {
    int rank = answer.fullestRank();
    long gpu = answer.total(rank, MemoryPlace.GPU);
    String most =
        answer.parts(rank).stream()
            .filter(part -> part.place() == MemoryPlace.GPU)
            .findFirst()
            .map(MemoryHeadline::most)
            .orElse("");
    return "NCCL allocates %s%s on the fullest GPU, of rank %d, in these steps%s, and %s of shared memory on its host%s."
        .formatted(
            answer.isMeasuredBuild() ? "" : "about ",
            QuantityFormat.size(gpu),
            rank,
            most,
            QuantityFormat.size(answer.total(rank, MemoryPlace.HOST_SHARED)),
            limit.isPresent() ? fit(gpu, limit.getAsLong()) : "");
  }

  private static String most(MemoryPart part) {
    return ", the largest part (%s) for %s"
        .formatted(QuantityFormat.size(part.bytes()), part.what());
  }

  private static String fit(long gpu, long limit) {
    return gpu <= limit
        ? "; it fits into " + QuantityFormat.size(limit)
        : "; that is %s more than the limit of %s"
            .formatted(QuantityFormat.size(gpu - limit), QuantityFormat.size(limit));
  }
}
