package dev.topo.visualizer.structure;

import dev.topo.simulator.memory.MemoryAnswer;
import dev.topo.simulator.memory.MemoryComparison;
import dev.topo.simulator.memory.MemoryPart;
import dev.topo.simulator.memory.MemoryPlace;
import dev.topo.simulator.memory.MemorySaving;
import dev.topo.simulator.memory.MulticastNeed;
import dev.topo.simulator.memory.StepMemory;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import java.util.List;
import java.util.stream.IntStream;

/** The memory that NCCL takes, as JSON and CSV. */
public final class MemoryData {
  private static final Fields<MemoryPart> PART =
      Fields.of(MemoryPart.class)
          .field("what", MemoryPart::what)
          .field("where", part -> part.place().label())
          .field("bytes", MemoryPart::bytes);

  private static final Fields<StepMemory> STEP =
      Fields.of(StepMemory.class)
          .field("step", step -> step.step().label())
          .field("rank", StepMemory::rank)
          .field("gpuBytes", StepMemory::gpuBytes)
          .field("hostSharedBytes", StepMemory::hostSharedBytes)
          .list("parts", StepMemory::parts, PART);

  private static final Fields<RankTotal> RANK_TOTAL =
      Fields.of(RankTotal.class)
          .field("rank", RankTotal::rank)
          .field("gpuBytes", RankTotal::gpu)
          .field("hostSharedBytes", RankTotal::hostShared)
          .field("hostBytes", RankTotal::host);

  private static final Fields<RankTotal> TOTAL = RANK_TOTAL.list("parts", RankTotal::parts, PART);

  private static final Fields<MemorySaving> SAVING =
      Fields.of(MemorySaving.class)
          .field("setting", MemorySaving::setting)
          .field("savedBytes", MemorySaving::savedBytes)
          .field("slowestChange", MemorySaving::slowestChange);

  private static final Fields<MulticastNeed> MULTICAST =
      Fields.of(MulticastNeed.class)
          .field("needed", MulticastNeed::needed)
          .field("available", MulticastNeed::available);

  private static final Fields<Result> RESULT =
      Fields.of(Result.class)
          .list("steps", result -> result.answer.steps(), STEP)
          .object("total", result -> total(result.answer), TOTAL)
          .list("ranks", result -> ranks(result.answer), RANK_TOTAL)
          .object("multicast", Result::multicast, MULTICAST)
          .list("savings", Result::savings, SAVING);

  private static final Fields<MemoryComparison.Row> COMPARED =
      Fields.of(MemoryComparison.Row.class)
          .field("step", MemoryComparison.Row::step)
          .field("rank", MemoryComparison.Row::rank)
          .field("gpuBytes", row -> row.gpu().predicted())
          .field("measuredGpuBytes", row -> row.gpu().measured())
          .field("hostSharedBytes", row -> row.hostShared().map(MemoryComparison.Pair::predicted))
          .field(
              "measuredHostSharedBytes",
              row -> row.hostShared().map(MemoryComparison.Pair::measured));

  private static final Fields<MemoryComparison> COMPARISON =
      Fields.of(MemoryComparison.class)
          .field("equal", MemoryComparison::isEqual)
          .list("steps", MemoryComparison::rows, COMPARED);

  private static final Fields<Against> AGAINST =
      Fields.of(Against.class)
          .including(Against::result, RESULT)
          .object("against", Against::comparison, COMPARISON);

  private static final Fields<Row> ROW =
      Fields.of(Row.class)
          .field("step", row -> row.step.step().label())
          .field("rank", row -> row.step.rank())
          .field("gpuBytes", row -> row.step.gpuBytes())
          .field("hostSharedBytes", row -> row.step.hostSharedBytes())
          .field("what", row -> row.part.what())
          .field("where", row -> row.part.place().label())
          .field("bytes", row -> row.part.bytes());

  /** Memory of a rank in all steps together. */
  private record RankTotal(
      int rank, long gpu, long hostShared, long host, List<MemoryPart> parts) {}

  private record Result(MemoryAnswer answer, MulticastNeed multicast, List<MemorySaving> savings) {}

  private record Against(Result result, MemoryComparison comparison) {}

  private record Row(StepMemory step, MemoryPart part) {}

  private MemoryData() {}

  /** The document; {@code total} is that of the GPU of which NCCL takes most. */
  public static Answer json(
      MemoryAnswer answer, MulticastNeed multicast, List<MemorySaving> savings) {
    return Json.document("memory", answer.gaps(), RESULT, new Result(answer, multicast, savings));
  }

  /** The document with the measured memory beside the predicted. */
  public static Answer json(
      MemoryAnswer answer, MulticastNeed multicast, MemoryComparison comparison) {
    return Json.document(
        "memory",
        answer.gaps(),
        AGAINST,
        new Against(new Result(answer, multicast, List.of()), comparison));
  }

  /** A row for each step and rank with predicted and measured memory. */
  public static Answer csv(MemoryComparison comparison) {
    return Csv.table(
        "step,rank,gpu_bytes,measured_gpu_bytes,host_shared_bytes,measured_host_shared_bytes",
        COMPARED,
        comparison.rows().stream());
  }

  /** A row for each step, rank and part; one without a part where a step takes nothing. */
  public static Answer csv(MemoryAnswer answer) {
    return Csv.table(
        "step,rank,gpu_bytes,host_shared_bytes,what,where,bytes",
        ROW,
        answer.steps().stream()
            .flatMap(
                step ->
                    (step.parts().isEmpty()
                            ? List.of(new MemoryPart("", MemoryPlace.GPU, 0))
                            : step.parts())
                        .stream().map(part -> new Row(step, part))));
  }

  private static RankTotal total(MemoryAnswer answer) {
    int rank = answer.fullestRank();
    RankTotal total = ranks(answer).get(rank);
    return new RankTotal(rank, total.gpu, total.hostShared, total.host, answer.parts(rank));
  }

  private static List<RankTotal> ranks(MemoryAnswer answer) {
    long[] gpu = answer.totals(MemoryPlace.GPU);
    long[] shared = answer.totals(MemoryPlace.HOST_SHARED);
    long[] host = answer.totals(MemoryPlace.HOST);
    return IntStream.range(0, answer.nRanks())
        .mapToObj(rank -> new RankTotal(rank, gpu[rank], shared[rank], host[rank], List.of()))
        .toList();
  }
}
