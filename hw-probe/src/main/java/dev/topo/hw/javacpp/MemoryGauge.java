package dev.topo.hw.javacpp;

import static dev.topo.hw.javacpp.Native.cuda;

import dev.topo.hw.run.MemoryUse;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.SizeTPointer;

/** Measures the free memory of the GPUs from step to step. */
final class MemoryGauge {
  private final List<NcclGpu> gpus;
  private final List<long[]> marks = new ArrayList<>();
  private long smallestTotal = Long.MAX_VALUE;

  MemoryGauge(List<NcclGpu> gpus) {
    this.gpus = gpus;
    mark();
  }

  long smallestTotal() {
    return smallestTotal;
  }

  /** Ends a step. The steps are the creation of communicators and the allocation of buffers. */
  void mark() {
    marks.add(free());
  }

  MemoryUse use() {
    return new MemoryUse(
        largestDecrease(marks.get(0), marks.get(1)),
        largestDecrease(marks.get(1), marks.get(2)),
        largestDecrease(marks.get(2), free()));
  }

  private static long largestDecrease(long[] before, long[] after) {
    long most = 0;
    for (int i = 0; i < before.length; i++) {
      most = Math.max(most, before[i] - after[i]);
    }
    return most;
  }

  long[] free() {
    long[] bytes = new long[gpus.size()];
    try (SizeTPointer free = new SizeTPointer(1);
        SizeTPointer total = new SizeTPointer(1)) {
      for (int i = 0; i < bytes.length; i++) {
        gpus.get(i).select();
        cuda(cudart.cudaMemGetInfo(free, total), "cudaMemGetInfo");
        bytes[i] = free.get();
        smallestTotal = Math.min(smallestTotal, total.get());
      }
    }
    return bytes;
  }
}
