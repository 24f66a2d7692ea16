package dev.topo.visualizer.serve;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Inputs.Invocation;
import dev.topo.simulator.memory.JobMemory;
import dev.topo.simulator.memory.MemoryAnswer;
import dev.topo.simulator.memory.MemoryModel;
import dev.topo.simulator.memory.MemoryPart;
import dev.topo.simulator.memory.MemoryPlace;
import dev.topo.simulator.memory.StepMemory;
import dev.topo.simulator.variant.WhatIfOutcome;
import dev.topo.visualizer.structure.MemoryHeadline;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * The memory that NCCL takes before and after the edits of a question, as {@code topo memory}
 * answers: by step and by part, each of the rank of whose GPU NCCL takes most.
 */
final class MemoryTable {
  /** Parts that are listed. */
  private static final int LISTED = 8;

  private static final Fields<Row> ROW =
      Fields.of(Row.class)
          .field("what", Row::what)
          .field("where", Row::where)
          .field("before", Row::before)
          .field("after", Row::after);

  private static final Fields<Step> STEP =
      Fields.of(Step.class)
          .field("step", Step::step)
          .field("gpuBefore", Step::gpuBefore)
          .field("gpuAfter", Step::gpuAfter)
          .field("hostBefore", Step::hostBefore)
          .field("hostAfter", Step::hostAfter);

  private static final Fields<MemoryTable> TABLE =
      Fields.of(MemoryTable.class)
          .field("before", table -> MemoryTable.sentence(table.title, table.before))
          .field("after", table -> MemoryTable.sentence(table.titleAfter(), table.after))
          .list("steps", MemoryTable::steps, STEP)
          .list("parts", MemoryTable::parts, ROW)
          .field("notes", MemoryTable::notes)
          .field("equalCommand", table -> table.made.commandLine());

  private final String title;
  private final MemoryAnswer before;
  private final MemoryAnswer after;
  private final Invocation made;

  /** Sizes that a step adds on the GPU and in shared memory of the host, for people. */
  private record Step(
      String step, String gpuBefore, String gpuAfter, String hostBefore, String hostAfter) {}

  /** Sizes before and after, for people. */
  private record Row(String what, String where, String before, String after) {}

  private MemoryTable(String title, MemoryAnswer before, MemoryAnswer after, Invocation made) {
    this.title = title;
    this.before = before;
    this.after = after;
    this.made = made;
  }

  /**
   * The table of a question.
   *
   * @param made the command line that answers it before the edits
   * @throws RefusedRequest if NCCL does not start, or the job is too large for a page
   */
  static Answer of(EvaluatedQuestion answered, Invocation made) {
    WhatIfOutcome after =
        answered
            .outcome()
            .orElseThrow(() -> RefusedRequest.bad("NCCL does not start after these edits"));
    MemoryAnswer was = answer(answered.report().before());
    StoppableSearch.stopIfInterrupted();
    MemoryAnswer is = after == answered.report().before() ? was : answer(after);
    return Json.document("serve-memory", TABLE, new MemoryTable(answered.title(), was, is, made));
  }

  private static MemoryAnswer answer(WhatIfOutcome outcome) {
    int ranks = outcome.result().connection().nRanks();
    if (JobMemory.isTooLarge(ranks)) {
      throw RefusedRequest.bad(
          "%d GPUs: the page answers for at most %d, topo memory for more"
              .formatted(ranks, JobMemory.MOST_RANKS));
    }
    MemoryModel model =
        new MemoryModel(
            outcome.result().communicator(),
            () -> {
              throw new IllegalStateException("no usual step splits by halves");
            });
    return model.answer(MemoryModel.usualSteps());
  }

  /** The machine of the file is not the one that the edits make of it. */
  private String titleAfter() {
    return after == before ? title : title + " with the edits";
  }

  private static String sentence(String title, MemoryAnswer answer) {
    return MemoryHeadline.of(title, answer, OptionalLong.empty());
  }

  private List<Step> steps() {
    List<StepMemory> was = before.ofRank(before.fullestRank());
    List<StepMemory> is = after.ofRank(after.fullestRank());
    List<Step> rows = new ArrayList<>();
    for (int at = 0; at < is.size(); at++) {
      StepMemory old = was.get(at);
      StepMemory now = is.get(at);
      if (old.gpuBytes() + old.hostSharedBytes() + now.gpuBytes() + now.hostSharedBytes() > 0) {
        rows.add(step(now.step().label(), place -> old.bytes(place), place -> now.bytes(place)));
      }
    }
    rows.add(
        step(
            "all, without buffers of the application",
            place -> total(before, place),
            place -> total(after, place)));
    return rows;
  }

  private static Step step(
      String name, ToLongFunction<MemoryPlace> before, ToLongFunction<MemoryPlace> after) {
    return new Step(
        name,
        QuantityFormat.size(before.applyAsLong(MemoryPlace.GPU)),
        QuantityFormat.size(after.applyAsLong(MemoryPlace.GPU)),
        QuantityFormat.size(before.applyAsLong(MemoryPlace.HOST_SHARED)),
        QuantityFormat.size(after.applyAsLong(MemoryPlace.HOST_SHARED)));
  }

  private static long total(MemoryAnswer answer, MemoryPlace place) {
    return answer.total(answer.fullestRank(), place);
  }

  /** The largest parts after the edits, with those that the edits take away. */
  private List<Row> parts() {
    List<MemoryPart> was = before.parts(before.fullestRank());
    List<MemoryPart> is = after.parts(after.fullestRank());
    List<Row> rows = new ArrayList<>();
    is.stream()
        .limit(LISTED)
        .forEach(part -> rows.add(row(part.what(), part.place(), bytes(was, part), part.bytes())));
    was.stream()
        .limit(LISTED)
        .filter(part -> bytes(is, part) == 0)
        .forEach(part -> rows.add(row(part.what(), part.place(), part.bytes(), 0)));
    return rows;
  }

  private static long bytes(List<MemoryPart> parts, MemoryPart like) {
    Optional<MemoryPart> same =
        parts.stream()
            .filter(part -> part.what().equals(like.what()) && part.place() == like.place())
            .findFirst();
    return same.map(MemoryPart::bytes).orElse(0L);
  }

  private static Row row(String what, MemoryPlace place, long before, long after) {
    return new Row(what, place.label(), QuantityFormat.size(before), QuantityFormat.size(after));
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>(after.notes());
    before.notes().stream().filter(note -> !notes.contains(note)).forEach(notes::add);
    return notes;
  }
}
