package dev.topo.simulator.sweep;

import dev.topo.model.io.PlainNumber;
import dev.topo.simulator.workload.ExpectedStep;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The answer to one question about one variant: a row of the table of results.
 *
 * @param variant number of the variant
 * @param key hash of the content of the variant
 * @param machine name of the machine
 * @param values names of the values, in the order of the axes
 * @param fabric name of the switches between the nodes
 * @param nodes number of nodes
 * @param ranks number of ranks
 * @param nics network cards of a node
 * @param nicGbps rate of all network ports of a node in Gb/s
 * @param workload name of the workload; empty for a single call
 * @param collective the operation as nccl-tests spells it; empty for a workload
 * @param bytes size of the call; 0 for a workload
 * @param edits the edits of the machine, as {@code topo whatif} reads them
 * @param basis basis of the times, in words
 * @param caveats limits of the model for this variant, in words
 */
public record ResultRow(
    long variant,
    String key,
    String machine,
    List<String> values,
    String fabric,
    int nodes,
    int ranks,
    int nics,
    double nicGbps,
    String workload,
    String collective,
    long bytes,
    Outcome outcome,
    String edits,
    String basis,
    String caveats) {
  private static final List<String> COLUMNS_BEFORE_AXES = List.of("variant", "key", "machine");
  private static final List<String> COLUMNS_AFTER_AXES =
      List.of(
          ("fabric,nodes,ranks,node_nics,node_gbps,workload,collective,bytes,algorithm,protocol,channels,time_us,"
                  + "time_low_us,time_high_us,algbw_gbps,busbw_gbps,source,edits,error,basis,caveats,gpu_memory_bytes")
              .split(",", -1));

  public ResultRow {
    values = List.copyOf(values);
  }

  /**
   * A prediction.
   *
   * @param algorithm NCCL's choice; empty for a workload and for sends and receives
   * @param protocol NCCL's choice; empty for a workload
   * @param channels channels of the call; 0 for a workload
   * @param timeUs the time; empty if there is none
   * @param timeLowUs the time that 95 of 100 measurements exceed; empty if no range is known
   * @param timeHighUs the time that 5 of 100 measurements exceed; empty if no range is known
   * @param algbwGBps size divided by time; empty for a workload
   * @param busbwGBps nccl-tests' busbw; empty for a workload
   * @param source source of the time
   * @param error why there is no time; empty if there is a time
   * @param gpuBytes GPU memory that NCCL takes; empty if not requested or unknown
   */
  public record Outcome(
      String algorithm,
      String protocol,
      int channels,
      OptionalDouble timeUs,
      OptionalDouble timeLowUs,
      OptionalDouble timeHighUs,
      OptionalDouble algbwGBps,
      OptionalDouble busbwGBps,
      String source,
      String error,
      OptionalLong gpuBytes) {
    private static final OptionalDouble NONE = OptionalDouble.empty();

    /** No answer, for a reason. */
    static Outcome error(String why) {
      return new Outcome("", "", 0, NONE, NONE, NONE, NONE, NONE, "", why, OptionalLong.empty());
    }

    /** This outcome with the GPU memory that NCCL takes, in bytes. */
    Outcome withMemory(long bytes) {
      return new Outcome(
          algorithm,
          protocol,
          channels,
          timeUs,
          timeLowUs,
          timeHighUs,
          algbwGBps,
          busbwGBps,
          source,
          error,
          OptionalLong.of(bytes));
    }

    /** The time of a workload. */
    static Outcome ofWorkload(ExpectedStep step, Set<String> sources) {
      return new Outcome(
          "",
          "",
          0,
          OptionalDouble.of(step.timeUs()),
          step.hasRange() ? OptionalDouble.of(step.lowUs()) : NONE,
          step.hasRange() ? OptionalDouble.of(step.highUs()) : NONE,
          NONE,
          NONE,
          String.join("+", sources),
          "",
          OptionalLong.empty());
    }
  }

  /** Names of the columns. */
  static List<String> header(List<String> axes) {
    List<String> header = new ArrayList<>(COLUMNS_BEFORE_AXES);
    header.addAll(axes);
    header.addAll(COLUMNS_AFTER_AXES);
    return header;
  }

  /** The cells of this row, in the order of {@link #header}. */
  List<String> cells() {
    List<String> cells = new ArrayList<>(List.of(String.valueOf(variant), key, machine));
    cells.addAll(values);
    cells.addAll(
        List.of(
            fabric,
            String.valueOf(nodes),
            String.valueOf(ranks),
            String.valueOf(nics),
            PlainNumber.of(nicGbps).toPlainString(),
            workload,
            collective,
            unlessZero(bytes),
            outcome.algorithm,
            outcome.protocol,
            unlessZero(outcome.channels),
            cell(outcome.timeUs),
            cell(outcome.timeLowUs),
            cell(outcome.timeHighUs),
            cell(outcome.algbwGBps),
            cell(outcome.busbwGBps),
            outcome.source,
            edits,
            outcome.error,
            basis,
            caveats,
            outcome.gpuBytes.isPresent() ? String.valueOf(outcome.gpuBytes.getAsLong()) : ""));
    return cells;
  }

  private static String unlessZero(long number) {
    return number == 0 ? "" : String.valueOf(number);
  }

  private static String cell(OptionalDouble value) {
    return value.isPresent() ? PlainNumber.of(value.getAsDouble()).toPlainString() : "";
  }

  /**
   * Parses the cells of a row.
   *
   * @param axes number of axes
   * @throws IllegalArgumentException if the number of cells is wrong, a number is malformed, or
   *     there is not exactly one of a time and an error
   */
  static ResultRow ofCells(List<String> cells, int axes) {
    int after = COLUMNS_BEFORE_AXES.size() + axes;
    if (cells.size() != after + COLUMNS_AFTER_AXES.size()) {
      throw new IllegalArgumentException(cells.size() + " columns");
    }
    List<String> rest = cells.subList(after, cells.size());
    return new ResultRow(
        Long.parseLong(cells.get(0)),
        cells.get(1),
        cells.get(2),
        cells.subList(COLUMNS_BEFORE_AXES.size(), after),
        rest.get(0),
        Integer.parseInt(rest.get(1)),
        Integer.parseInt(rest.get(2)),
        Integer.parseInt(rest.get(3)),
        number(rest.get(4)).orElse(0),
        rest.get(5),
        rest.get(6),
        whole(rest.get(7)).orElse(0),
        outcome(rest),
        rest.get(17),
        rest.get(19),
        rest.get(20));
  }

  private static Outcome outcome(List<String> rest) {
    OptionalDouble timeUs = number(rest.get(11));
    String error = rest.get(18);
    if (timeUs.isPresent() != error.isEmpty() || !(timeUs.orElse(1) > 0)) {
      throw new IllegalArgumentException(
          "time_us '%s', error '%s': expected a time above 0, or the reason why there is none"
              .formatted(rest.get(11), error));
    }
    return new Outcome(
        rest.get(8),
        rest.get(9),
        (int) whole(rest.get(10)).orElse(0),
        timeUs,
        number(rest.get(12)),
        number(rest.get(13)),
        number(rest.get(14)),
        number(rest.get(15)),
        rest.get(16),
        error,
        whole(rest.get(21)));
  }

  private static OptionalLong whole(String cell) {
    return cell.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(cell));
  }

  private static OptionalDouble number(String cell) {
    if (cell.isEmpty()) {
      return OptionalDouble.empty();
    }
    double value = Double.parseDouble(cell);
    if (!Double.isFinite(value)) {
      throw new NumberFormatException(cell + " is not a number");
    }
    return OptionalDouble.of(value);
  }
}
