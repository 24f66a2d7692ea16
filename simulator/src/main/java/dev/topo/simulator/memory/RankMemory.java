package dev.topo.simulator.memory;

import dev.topo.model.Rounding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Memory account of a rank, which is a process with one GPU: follows how CUDA rounds and divides
 * allocations. Collects the parts of the current step.
 */
final class RankMemory {
  /** Page size of a GPU in bytes ({@code cuMemGetAllocationGranularity}). */
  static final long GRAIN = 2L << 20;

  /** Page size of the host in bytes. */
  static final long PAGE = 4096;

  /** Chunk of pinned memory in bytes ({@code cudaHostAlloc}). */
  private static final long PINNED_CHUNK = 2L << 20;

  /** Grain of small allocations in bytes ({@code cudaMalloc}). */
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
   * Allocates with {@code ncclCudaMalloc}: whole pages of the GPU, or a part of one ({@code
   * nccl:src/include/alloc.h}).
   */
  void gpu(String what, long bytes) {
    if (bytes > 0) {
      long size = Rounding.up(bytes, SMALL_GRAIN);
      add(what, MemoryPlace.GPU, cuMem ? Rounding.up(bytes, GRAIN) : small.take(size));
    }
  }

  /**
   * Adds a communicator with streams of its own. For the first one of a process, CUDA's memory is
   * that of the kernels and their context.
   */
  void addCommunicator(long streamBytes) {
    if (hasCommunicator) {
      add("streams and events (CUDA)", MemoryPlace.GPU, small.take(streamBytes));
    } else {
      add("kernels and their context (CUDA)", MemoryPlace.GPU, build.kernelBytes());
      add("cudaMalloc (CUDA)", MemoryPlace.GPU, cuMem ? 0 : GRAIN);
      add(
          "pinned memory of the context (CUDA)",
          MemoryPlace.HOST_SHARED,
          LibraryBuild.INIT_HOST_BYTES);
      hasCommunicator = true;
    }
  }

  /** Allocates with {@code ncclCudaHostCalloc}. */
  void pinned(String what, long bytes) {
    add(what, MemoryPlace.HOST_SHARED, pinned.take(bytes));
  }

  /** Adds memory of a fixed size. */
  void add(String what, MemoryPlace place, long bytes) {
    if (bytes != 0) {
      taken.computeIfAbsent(place, key -> new LinkedHashMap<>()).merge(what, bytes, Long::sum);
    }
  }

  /** Runs a kernel: CUDA's local memory is as large as the most demanding kernel so far needs. */
  void launch(LibraryBuild.KernelKind kernel) {
    long needed = build.localBytes(kernel);
    add("local memory of kernels (CUDA)", MemoryPlace.GPU, Math.max(0, needed - localBytes));
    localBytes = Math.max(localBytes, needed);
    if (!hasLaunched) {
      add("launch of kernels (CUDA)", MemoryPlace.HOST_SHARED, LibraryBuild.LAUNCH_HOST_BYTES);
      hasLaunched = true;
    }
  }

  /** Maps memory of another GPU; returns true the first time. */
  boolean mapPeer() {
    boolean first = !hasPeer;
    hasPeer = true;
    return first;
  }

  /** Creates a multicast object ({@code cuMulticastCreate}). */
  void createMulticast() {
    multicastObjects++;
  }

  int multicastObjects() {
    return multicastObjects;
  }

  /** Returns and clears the memory taken since the last call, largest part first. */
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
