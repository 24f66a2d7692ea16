package dev.topo.visualizer.structure;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.memory.MemoryAnswer;
import dev.topo.simulator.memory.MemoryPart;
import dev.topo.simulator.memory.MemoryPlace;
import dev.topo.simulator.memory.MemorySaving;
import dev.topo.simulator.memory.MulticastNeed;
import dev.topo.simulator.memory.StepMemory;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Basis;
import dev.topo.visualizer.view.OptionWords;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The memory that NCCL takes, as text. */
public final class MemoryText {
  /** Parts and settings that are listed by default. */
  private static final int LISTED = 3;

  /** Steps that are listed. */
  private static final int STEPS = 5;

  /** Steps that add a smaller part of the memory have no row of their own. */
  private static final double LITTLE = 0.04;

  private MemoryText() {}

  /**
   * The text.
   *
   * @param multicast what its NVLS buffers need of multicast objects
   * @param savings settings that lower it, to be listed
   * @param isVerbose whether all steps and parts are listed, else the steps that take memory and
   *     the largest parts
   */
  public static Answer of(
      String title,
      MemoryAnswer answer,
      MulticastNeed multicast,
      List<MemorySaving> savings,
      boolean isVerbose) {
    int rank = answer.fullestRank();
    TextWriter out = new TextWriter();
    out.line("%s: rank %d, on whose GPU NCCL allocates most", title, rank);
    out.line("");
    TextTable steps = TextTable.indented().header("step,GPU MiB,host shared KiB");
    List<String> free = new ArrayList<>();
    List<String> little = new ArrayList<>();
    List<StepMemory> most = most(answer.ofRank(rank), answer.total(rank, MemoryPlace.GPU));
    for (StepMemory step : answer.ofRank(rank)) {
      if (!isVerbose && step.gpuBytes() == 0 && step.hostSharedBytes() == 0) {
        free.add(step.step().label());
      } else if (!isVerbose && !most.contains(step)) {
        little.add("%s %d".formatted(step.step().label(), step.gpuBytes() >> 20));
      } else {
        steps.row(step.step().label(), step.gpuBytes() >> 20, step.hostSharedBytes() >> 10);
      }
    }
    out.table(steps);
    List<String> others = new ArrayList<>();
    if (!little.isEmpty()) {
      others.add("less, in MiB of the GPU: " + String.join(", ", little));
    }
    if (!free.isEmpty()) {
      others.add("nothing more for " + QuantityFormat.count(free.size(), "other step"));
    }
    if (!others.isEmpty()) {
      out.paragraph("  " + String.join("; ", others), "    ");
    }
    out.line("");
    TextTable parts = TextTable.indented().header("what,where,size");
    List<MemoryPart> allParts = answer.parts(rank);
    allParts.stream()
        .limit(isVerbose ? Long.MAX_VALUE : LISTED)
        .forEach(part -> parts.row(part.what(), part.place().label(), size(part)));
    out.table(parts);
    more(out, allParts, isVerbose);
    if (multicast.needed() > 0) {
      out.line(
          "multicast objects of a node or NVLink domain: %d needed, %s available",
          multicast.needed(),
          multicast.available().isPresent()
              ? String.valueOf(multicast.available().getAsInt())
              : "not known");
    }
    if (!savings.isEmpty()) {
      out.line("");
      TextTable less = TextTable.indented().header("setting,saves,busbw of the slowest call");
      savings.stream()
          .limit(isVerbose ? Long.MAX_VALUE : LISTED)
          .forEach(
              saving ->
                  less.row(
                      saving.setting(),
                      QuantityFormat.size(saving.savedBytes()),
                      saving.slowestChange().isPresent()
                          ? QuantityFormat.change(saving.slowestChange().getAsDouble(), 0)
                          : "not known"));
      out.table(less);
      more(out, savings, isVerbose);
    }
    Basis.write(out, answer.gaps(), isVerbose);
    return Answer.of(out.toString());
  }

  /** The steps that are listed: those that take most, without those that take little. */
  private static List<StepMemory> most(List<StepMemory> steps, long total) {
    return steps.stream()
        .filter(step -> step.gpuBytes() >= LITTLE * total || step.hostSharedBytes() > 0)
        .sorted(Comparator.comparingLong(StepMemory::gpuBytes).reversed())
        .limit(STEPS)
        .toList();
  }

  private static void more(TextWriter out, List<?> rows, boolean isVerbose) {
    if (!isVerbose && rows.size() > LISTED) {
      out.line("  … and %d more (%s)", rows.size() - LISTED, OptionWords.Hint.LISTS_ALL);
    }
  }

  private static String size(MemoryPart part) {
    return QuantityFormat.size(part.bytes());
  }
}
