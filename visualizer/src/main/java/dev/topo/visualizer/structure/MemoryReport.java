package dev.topo.visualizer.structure;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.TextWriter;
import dev.topo.simulator.memory.MemoryAnswer;
import dev.topo.simulator.memory.MemoryPart;
import dev.topo.simulator.memory.MemoryPlace;
import dev.topo.simulator.memory.MemorySaving;
import dev.topo.simulator.memory.MulticastNeed;
import dev.topo.simulator.memory.StepMemory;
import dev.topo.visualizer.chart.ChartSheet;
import dev.topo.visualizer.chart.StepChart;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.BasisFooter;
import dev.topo.visualizer.view.Columns;
import dev.topo.visualizer.view.Csv;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.OptionWords.Hint;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * The memory that NCCL takes for a job, with the multicast objects it needs and the settings that
 * save memory.
 *
 * @param title what to call the machines of the job
 * @param multicast the multicast objects that the job needs
 * @param savings settings that reduce the memory; empty if the user did not ask for them
 * @param limit the maximum number of bytes that NCCL may take on a GPU
 */
public record MemoryReport(
    String title,
    MemoryAnswer answer,
    MulticastNeed multicast,
    List<MemorySaving> savings,
    OptionalLong limit) {
  /** Number of parts and settings listed by default. */
  private static final int LISTED = 3;

  /** Number of steps listed by default. */
  private static final int STEPS = 5;

  /** Steps that add less than this fraction of the memory have no row of their own. */
  private static final double MIN_FRACTION = 0.04;

  private static final Columns<MemoryPart> PART =
      Columns.of(MemoryPart.class)
          .column("what", "what", MemoryPart::what)
          .column("where", "where", part -> part.place().label())
          .column("size", "bytes", MemoryPart::bytes, QuantityFormat::size);

  private static final Columns<StepMemory> STEP =
      Columns.of(StepMemory.class)
          .column("step", "step", step -> step.step().label())
          .field("rank", StepMemory::rank)
          .column("GPU MiB", "gpuBytes", StepMemory::gpuBytes, bytes -> bytes >> 20)
          .column(
              "host shared KiB",
              "hostSharedBytes",
              StepMemory::hostSharedBytes,
              bytes -> bytes >> 10);

  private static final Columns<MemorySaving> SAVING =
      Columns.of(MemorySaving.class)
          .column("setting", "setting", MemorySaving::setting)
          .column("saves", "savedBytes", MemorySaving::savedBytes, QuantityFormat::size)
          .column(
              "busbw of the slowest call",
              "slowestChange",
              MemorySaving::slowestChange,
              MemoryReport::change);

  /** The JSON fields; {@code total} describes the GPU on which NCCL takes most. */
  static final Fields<MemoryReport> FIELDS =
      Fields.of(MemoryReport.class)
          .list(
              "steps",
              report -> report.answer.steps(),
              STEP.fields().list("parts", StepMemory::parts, PART.fields()))
          .field("total", MemoryReport::total)
          .field("ranks", MemoryReport::ranks)
          .components("multicast")
          .list("savings", MemoryReport::savings, SAVING.fields());

  private static final Fields<PartOfStep> ROW =
      Fields.of(PartOfStep.class)
          .including(PartOfStep::step, STEP.fields())
          .including(PartOfStep::part, PART.fields());

  /** Memory of a rank, summed over all steps. */
  private record RankTotal(int rank, long gpuBytes, long hostSharedBytes, long hostBytes) {}

  private record PartOfStep(StepMemory step, MemoryPart part) {}

  public MemoryReport {
    savings = List.copyOf(savings);
  }

  /**
   * Returns the report in a format.
   *
   * @param format {@code text}, {@code json}, {@code csv}, {@code svg} or {@code png}
   * @param isVerbose whether the text shows all steps and parts instead of the largest
   */
  public Answer in(String format, boolean isVerbose) {
    String sentence = MemorySentence.of(title, answer, limit, savings);
    return switch (format) {
      case "text" -> text(isVerbose).saying(sentence);
      case "json" -> Json.document("memory", answer.gaps(), FIELDS, this).saying(sentence);
      case "csv" -> csv();
      default -> ChartSheet.of(StepChart.of(sentence, title, answer)).in(format);
    };
  }

  private Answer text(boolean isVerbose) {
    int rank = answer.fullestRank();
    TextWriter out = new TextWriter();
    out.line("%s: rank %d, on whose GPU NCCL allocates most", title, rank);
    List<StepMemory> listed = new ArrayList<>();
    List<String> small = new ArrayList<>();
    int free = 0;
    List<StepMemory> large = largest(answer.ofRank(rank), answer.total(rank, MemoryPlace.GPU));
    for (StepMemory step : answer.ofRank(rank)) {
      if (!isVerbose && step.gpuBytes() == 0 && step.hostSharedBytes() == 0) {
        free++;
      } else if (!isVerbose && !large.contains(step)) {
        small.add("%s %s".formatted(step.step().label(), step.gpuBytes() >> 20));
      } else {
        listed.add(step);
      }
    }
    out.line("").table(STEP.shown(listed));
    List<String> others = new ArrayList<>();
    if (!small.isEmpty()) {
      others.add("less, in MiB of the GPU: " + String.join(", ", small));
    }
    if (free > 0) {
      others.add("nothing more for " + QuantityFormat.count(free, "other step"));
    }
    if (!others.isEmpty()) {
      out.paragraph("  " + String.join("; ", others), "    ");
    }
    table(out, PART, answer.parts(rank), isVerbose);
    if (multicast.needed() > 0) {
      out.line(
          "multicast objects of a node or NVLink domain: %d needed, %s available",
          multicast.needed(),
          multicast.available().isPresent()
              ? String.valueOf(multicast.available().getAsInt())
              : "not known");
    }
    if (!savings.isEmpty()) {
      table(out, SAVING, savings, isVerbose);
    }
    BasisFooter.write(out, answer.gaps(), isVerbose);
    return Answer.of(out);
  }

  /** The steps that have a row: those that take most, except for negligible ones. */
  private static List<StepMemory> largest(List<StepMemory> steps, long total) {
    return steps.stream()
        .filter(step -> step.gpuBytes() >= MIN_FRACTION * total || step.hostSharedBytes() > 0)
        .sorted(Comparator.comparingLong(StepMemory::gpuBytes).reversed())
        .limit(STEPS)
        .toList();
  }

  private static <T> void table(
      TextWriter out, Columns<T> columns, List<T> rows, boolean isVerbose) {
    int shown = isVerbose ? rows.size() : Math.min(LISTED, rows.size());
    out.line("").table(columns.shown(rows.subList(0, shown)));
    if (shown < rows.size()) {
      out.line("  … and %d more (%s)", rows.size() - shown, Hint.LISTS_ALL);
    }
  }

  private static String change(OptionalDouble change) {
    return change.isPresent() ? QuantityFormat.change(change.getAsDouble(), 0) : "not known";
  }

  /** One row for each step, rank and part; steps that take nothing have a row without a part. */
  private Answer csv() {
    return Csv.table(
        "step,rank,gpu_bytes,host_shared_bytes,what,where,bytes",
        answer.gaps(),
        ROW,
        answer.steps().stream()
            .flatMap(
                step ->
                    (step.parts().isEmpty()
                            ? List.of(new MemoryPart("", MemoryPlace.GPU, 0))
                            : step.parts())
                        .stream().map(part -> new PartOfStep(step, part))));
  }

  private Object total() {
    return Fields.ofRecord(RankTotal.class)
        .list("parts", total -> answer.parts(total.rank), PART.fields())
        .json(ranks().get(answer.fullestRank()));
  }

  private List<RankTotal> ranks() {
    long[] gpu = answer.totals(MemoryPlace.GPU);
    long[] shared = answer.totals(MemoryPlace.HOST_SHARED);
    long[] host = answer.totals(MemoryPlace.HOST);
    return IntStream.range(0, answer.nRanks())
        .mapToObj(rank -> new RankTotal(rank, gpu[rank], shared[rank], host[rank]))
        .toList();
  }
}
