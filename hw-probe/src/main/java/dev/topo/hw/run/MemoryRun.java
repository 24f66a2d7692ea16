package dev.topo.hw.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Measures the memory that each step of a plan adds. Single use.
 *
 * @param hostSharedKib shared resident memory of this process, in KiB
 * @param steps receives the name of each step before it runs
 */
record MemoryRun(
    MemoryPlan plan, MemoryGpu gpu, LongSupplier hostSharedKib, Consumer<String> steps) {
  private static final String SHARED = "RssShmem:";

  List<TakenMemory> run() {
    List<TakenMemory> taken = new ArrayList<>();
    taken.add(measured(MemoryPlan.INIT, gpu::join));
    for (MemoryPlan.Call call : plan.calls()) {
      taken.add(measured(call.step(), () -> gpu.call(call)));
    }
    return taken;
  }

  private TakenMemory measured(String step, Runnable work) {
    steps.accept(step);
    long free = gpu.freeBytes();
    long shared = hostSharedKib.getAsLong();
    work.run();
    return new TakenMemory(step, free - gpu.freeBytes(), hostSharedKib.getAsLong() - shared);
  }

  /** Shared resident memory from the lines of {@code /proc/self/status}, in KiB; 0 if missing. */
  static long sharedKib(List<String> status) {
    return status.stream()
        .filter(line -> line.startsWith(SHARED))
        .map(line -> line.substring(SHARED.length()).replace("kB", "").strip())
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElse(0);
  }
}
