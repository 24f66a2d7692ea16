package dev.topo.visualizer.hardware;

import dev.topo.hw.run.RunEvent;
import dev.topo.hw.run.TakenMemory;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.search.rules.ReleaseRules.NcclRelease;
import java.util.List;

/** The memory that NCCL was measured to take, by step. */
public final class TakenMemoryText {
  private static final int MIB_SHIFT = 20;

  private TakenMemoryText() {}

  /**
   * The text.
   *
   * @param started the library and the GPU of rank 0
   * @param nRanks ranks of the job
   * @param steps what its steps took
   */
  public static String of(RunEvent.Started started, int nRanks, List<TakenMemory> steps) {
    long gpu = steps.stream().mapToLong(TakenMemory::gpuBytes).sum();
    TextWriter out = new TextWriter();
    out.line(
        "NCCL %s took %d MiB of the GPU of rank 0 (%s) of %d in these steps.",
        NcclRelease.parse(String.valueOf(started.ncclVersion())),
        gpu >> MIB_SHIFT,
        started.devices().get(0).name(),
        nRanks);
    out.line("");
    TextTable table = TextTable.indented().header("step,GPU MiB,host shared KiB,GPU bytes");
    steps.forEach(
        step ->
            table.row(
                step.step(), step.gpuBytes() >> MIB_SHIFT, step.hostSharedKib(), step.gpuBytes()));
    out.table(table);
    return out.toString();
  }
}
