package dev.topo.visualizer.hardware;

import dev.topo.hw.run.RunEvent.Started;
import dev.topo.hw.run.TakenMemory;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.search.rules.ReleaseRules.NcclRelease;
import dev.topo.visualizer.view.Answer;
import java.util.List;

/** Writes the measured memory of NCCL by step. */
public final class TakenMemoryText {
  private static final int MIB_SHIFT = 20;

  private TakenMemoryText() {}

  /**
   * Returns the text, with the command that compares it with a prediction.
   *
   * @param started the start of the run, with the library and the GPU of rank 0
   * @param nRanks the number of ranks of the job
   * @param steps the memory that each step took
   */
  public static Answer of(Started started, int nRanks, List<TakenMemory> steps) {
    long gpu = steps.stream().mapToLong(TakenMemory::gpuBytes).sum();
    String sentence =
        "NCCL %s took %s MiB of the GPU of rank 0 (%s) of %s in these steps."
            .formatted(
                NcclRelease.parse(String.valueOf(started.ncclVersion())),
                gpu >> MIB_SHIFT,
                started.devices().get(0).name(),
                nRanks);
    TextWriter out = new TextWriter();
    TextTable table = TextTable.indented().header("step,GPU MiB,host shared KiB,GPU bytes");
    steps.forEach(
        step ->
            table.row(
                step.step(), step.gpuBytes() >> MIB_SHIFT, step.hostSharedKib(), step.gpuBytes()));
    out.table(table);
    out.line(
        "\ncompare with: topo memory system.xml --gpus 0-%d --steps \"%s\",\nor --against FILE with this output as FILE",
        nRanks - 1, QuantityFormat.joined(",", steps, TakenMemory::step));
    return Answer.of(out).saying(sentence);
  }
}
