package dev.topo.run.javacpp;

import static dev.topo.run.javacpp.Native.cuda;

import dev.topo.run.job.MemoryUse;
import java.util.List;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.javacpp.SizeTPointer;

/** Watches the free memory of the GPUs from step to step. */
final class MemoryGauge {
  private final List<NcclGpu> gpus;
  private final long[] atStart;
  private long smallestTotal = Long.MAX_VALUE;
  private long[] initialized;
  private long[] allocated;

  MemoryGauge(List<NcclGpu> gpus) {
    this.gpus = gpus;
    this.atStart = free();
    this.initialized = atStart;
    this.allocated = atStart;
  }

  long smallestTotal() {
    return smallestTotal;
  }

  void initialized() {
    initialized = free();
  }

  void allocated() {
    allocated = free();
  }

  MemoryUse use() {
    return new MemoryUse(
        most(atStart, initialized), most(initialized, allocated), most(allocated, free()));
  }

  private static long most(long[] before, long[] after) {
    long most = 0;
    for (int i = 0; i < before.length; i++) {
      most = Math.max(most, before[i] - after[i]);
    }
    return most;
  }

  private long[] free() {
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
