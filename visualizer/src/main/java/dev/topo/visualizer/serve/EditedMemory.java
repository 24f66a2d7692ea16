package dev.topo.visualizer.serve;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Inputs.Invocation;
import dev.topo.model.operation.Call;
import dev.topo.simulator.evaluate.JobResult;
import dev.topo.simulator.memory.JobMemory;
import dev.topo.simulator.memory.MemoryAnswer;
import dev.topo.simulator.memory.MemoryModel;
import dev.topo.simulator.memory.MemoryPart;
import dev.topo.simulator.memory.MemoryPlace;
import dev.topo.simulator.memory.StepMemory;
import dev.topo.simulator.variant.WhatIfOutcome;
import dev.topo.visualizer.structure.MemorySentence;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * The memory that NCCL takes before and after the edits of a question, as computed by {@code topo
 * memory}: by step and by part, each for the rank on whose GPU NCCL takes most.
 *
 * @param title the machines before the edits
 * @param made the command line that gives the answer before the edits
 */
record EditedMemory(String title, MemoryAnswer before, MemoryAnswer after, Invocation made) {
  /** Number of parts that are listed. */
  private static final int MAX_PARTS = 8;

  private static final Fields<Part> PART =
      Fields.of(Part.class)
          .field("what", part -> part.like.what())
          .field("where", part -> part.like.place().label())
          .field("before", part -> QuantityFormat.size(part.before))
          .field("after", part -> QuantityFormat.size(part.after));

  private static final Fields<Step> STEP =
      Fields.of(Step.class)
          .field("step", Step::name)
          .field("gpuBefore", step -> size(step.before, MemoryPlace.GPU))
          .field("gpuAfter", step -> size(step.after, MemoryPlace.GPU))
          .field("hostBefore", step -> size(step.before, MemoryPlace.HOST_SHARED))
          .field("hostAfter", step -> size(step.after, MemoryPlace.HOST_SHARED));

  private static final Fields<EditedMemory> TABLE =
      Fields.of(EditedMemory.class)
          .field("before", table -> sentence(table.title, table.before))
          .field(
              "after",
              table ->
                  sentence(
                      table.after == table.before ? table.title : table.title + " with the edits",
                      table.after))
          .list("steps", EditedMemory::steps, STEP)
          .list("parts", EditedMemory::parts, PART)
          .field("notes", EditedMemory::notes)
          .field("equalCommand", table -> table.made.commandLine());

  /** The bytes that a step adds, by place. */
  private record Step(
      String name, ToLongFunction<MemoryPlace> before, ToLongFunction<MemoryPlace> after) {}

  /** The bytes of a part before and after the edits. */
  private record Part(MemoryPart like, long before, long after) {}

  /**
   * Returns the document for a question.
   *
   * @param made the command line that gives the answer before the edits
   * @throws RefusedRequest if NCCL does not start, or the job is too large for a page
   */
  static Answer of(EvaluatedQuestion answered, Invocation made) {
    WhatIfOutcome after =
        answered
            .outcome()
            .orElseThrow(() -> RefusedRequest.bad("NCCL does not start after these edits"));
    List<Call> calls = answered.question().calls();
    MemoryAnswer was = answer(answered.report().before(), calls);
    StoppableSearch.stopIfInterrupted();
    MemoryAnswer is = after == answered.report().before() ? was : answer(after, calls);
    return Json.document("serve-memory", TABLE, new EditedMemory(answered.title(), was, is, made));
  }

  /** The memory for all steps, which are the same before and after the edits. */
  private static MemoryAnswer answer(WhatIfOutcome outcome, List<Call> calls) {
    JobResult result = outcome.result();
    if (!JobMemory.isModelled(result, calls)) {
      throw RefusedRequest.bad("the memory of sends and receives is not known by these rules");
    }
    int ranks = result.connection().nRanks();
    if (JobMemory.isTooLarge(ranks)) {
      throw RefusedRequest.bad(
          "%s GPUs: the page answers for at most %s, topo memory for more"
              .formatted(ranks, JobMemory.MOST_RANKS));
    }
    return new MemoryModel(result.communicator(), List::of)
        .answer(JobMemory.steps(result.request().context().buffers(), calls));
  }

  private static String sentence(String title, MemoryAnswer answer) {
    return MemorySentence.of(title, answer);
  }

  private static String size(ToLongFunction<MemoryPlace> bytes, MemoryPlace place) {
    return QuantityFormat.size(bytes.applyAsLong(place));
  }

  private List<Step> steps() {
    List<StepMemory> was = before.ofRank(before.fullestRank());
    List<StepMemory> is = after.ofRank(after.fullestRank());
    List<Step> rows = new ArrayList<>();
    for (int i = 0; i < is.size(); i++) {
      StepMemory old = was.get(i);
      StepMemory now = is.get(i);
      if (old.gpuBytes() + old.hostSharedBytes() + now.gpuBytes() + now.hostSharedBytes() > 0) {
        rows.add(new Step(now.step().label(), old::bytes, now::bytes));
      }
    }
    rows.add(
        new Step(
            "all, without buffers of the application",
            place -> before.total(before.fullestRank(), place),
            place -> after.total(after.fullestRank(), place)));
    return rows;
  }

  /** The largest parts after the edits, then large parts that the edits remove. */
  private List<Part> parts() {
    List<MemoryPart> was = before.parts(before.fullestRank());
    List<MemoryPart> is = after.parts(after.fullestRank());
    return Stream.concat(
            is.stream().limit(MAX_PARTS),
            was.stream().limit(MAX_PARTS).filter(part -> bytes(is, part) == 0))
        .map(part -> new Part(part, bytes(was, part), bytes(is, part)))
        .toList();
  }

  private static long bytes(List<MemoryPart> parts, MemoryPart like) {
    return parts.stream()
        .filter(part -> part.what().equals(like.what()) && part.place() == like.place())
        .findFirst()
        .map(MemoryPart::bytes)
        .orElse(0L);
  }

  private List<String> notes() {
    List<String> notes = new ArrayList<>(after.notes());
    before.notes().stream().filter(note -> !notes.contains(note)).forEach(notes::add);
    return notes;
  }
}
