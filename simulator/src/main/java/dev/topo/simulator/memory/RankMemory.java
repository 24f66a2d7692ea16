package dev.topo.simulator.memory;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The account of a rank, which is a process with one GPU: what CUDA gives it, and in which pieces.
 * Keeps what the current step takes.
 */
final class RankMemory {
  /** Pages of a GPU ({@code cuMemGetAllocationGranularity}). */
  static final long GRAIN = 2L << 20;

  /** Pages of the host. */
  static final long PAGE = 4096;

  /** A new chunk of pinned memory ({@code cudaHostAlloc}). */
  private static final long PINNED_CHUNK = 2L << 20;

  /** Grain of small allocations ({@code cudaMalloc}). */
  private static final long SMALL_GRAIN = 512;

  private final LibraryBuild build;
  private final boolean cuMem;
  private final ChunkPool pinned = new ChunkPool(PINNED_CHUNK, PAGE);
  private final ChunkPool small = new ChunkPool(GRAIN, GRAIN);
  private final Map<MemoryPlace, Map<String, Long>> taken = new LinkedHashMap<>();
  private long localBytes;
  private int multicastObjects;
  private boolean hasCommunicator;
  private boolean hasLaunched;
  private boolean hasPeer;

  RankMemory(LibraryBuild build, boolean cuMem) {
    this.build = build;
    this.cuMem = cuMem;
  }

  /**
   * {@code ncclCudaMalloc}: pages of the GPU, or a part of some ({@code nccl:src/include/alloc.h}).
   */
  void gpu(String what, long bytes) {
    if (bytes > 0) {
      long size = Rounding.up(bytes, SMALL_GRAIN);
      add(what, MemoryPlace.GPU, cuMem ? Rounding.up(bytes, GRAIN) : small.take(size));
    }
  }

  /**
   * A communicator with streams of its own. What CUDA keeps for the first is in that of the
   * kernels.
   */
  void ofCommunicator(long streamBytes) {
    if (hasCommunicator) {
      add("streams and events (CUDA)", MemoryPlace.GPU, small.take(streamBytes));
    } else {
      add("kernels and their context (CUDA)", MemoryPlace.GPU, LibraryBuild.KERNEL_BYTES);
      add("cudaMalloc (CUDA)", MemoryPlace.GPU, cuMem ? 0 : GRAIN);
      add(
          "pinned memory of the context (CUDA)",
          MemoryPlace.HOST_SHARED,
          LibraryBuild.INIT_HOST_BYTES);
      hasCommunicator = true;
    }
  }

  /** {@code ncclCudaHostCalloc}. */
  void pinned(String what, long bytes) {
    add(what, MemoryPlace.HOST_SHARED, pinned.take(bytes));
  }

  void add(String what, MemoryPlace place, long bytes) {
    if (bytes != 0) {
      taken.computeIfAbsent(place, key -> new LinkedHashMap<>()).merge(what, bytes, Long::sum);
    }
  }

  /** A kernel runs: CUDA makes its local memory as large as the largest kernel so far needs. */
  void launch(LibraryBuild.KernelKind kernel) {
    long needed = build.localBytes(kernel);
    add("local memory of kernels (CUDA)", MemoryPlace.GPU, Math.max(0, needed - localBytes));
    localBytes = Math.max(localBytes, needed);
    if (!hasLaunched) {
      add("launch of kernels (CUDA)", MemoryPlace.HOST_SHARED, LibraryBuild.LAUNCH_HOST_BYTES);
      hasLaunched = true;
    }
  }

  /** The process maps memory of another GPU; returns whether it is the first time. */
  boolean mapPeer() {
    boolean first = !hasPeer;
    hasPeer = true;
    return first;
  }

  /** The rank creates a multicast object ({@code cuMulticastCreate}). */
  void createMulticast() {
    multicastObjects++;
  }

  int multicastObjects() {
    return multicastObjects;
  }

  /** Memory taken since the last time, largest part first. */
  List<MemoryPart> drain() {
    List<MemoryPart> parts = new ArrayList<>();
    taken.forEach(
        (place, ofPlace) ->
            ofPlace.forEach((what, bytes) -> parts.add(new MemoryPart(what, place, bytes))));
    taken.clear();
    parts.sort(
        Comparator.comparing(MemoryPart::place)
            .thenComparing(Comparator.comparingLong(MemoryPart::bytes).reversed())
            .thenComparing(MemoryPart::what));
    return parts;
  }
}
