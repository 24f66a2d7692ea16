package dev.topo.simulator.sweep;

import dev.topo.model.io.PlainNumber;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one question about one variant: a line of the table.
 *
 * @param key hash of the content of the variant
 * @param machine what the machine is called
 * @param values the names of the values of the axes, in their order
 * @param fabric what the switches between the nodes are called
 * @param nodes number of nodes
 * @param ranks number of ranks
 * @param nics network cards of a node
 * @param nicGbps rate of all network ports of a node in Gb/s
 * @param workload name of the workload; empty for a single call
 * @param collective the operation as nccl-tests spells it; empty for a workload
 * @param bytes size of the call; 0 for a workload
 * @param edits the edits of the machine, as {@code topo whatif} reads them
 * @param basis what the times rest on, for people
 * @param caveats what is not modelled for this variant, for people
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
  private static final List<String> BEFORE = List.of("variant", "key", "machine");
  private static final List<String> AFTER =
      List.of(
          ("fabric,nodes,ranks,node_nics,node_gbps,workload,collective,bytes,algorithm,protocol,channels,time_us,"
                  + "time_low_us,time_high_us,algbw_gbps,busbw_gbps,source,edits,error,basis,caveats,gpu_memory_bytes")
              .split(",", -1));

  /** Digits of a number in a cell: more than any that is written. */
  private static final int LONGEST_NUMBER = 40;

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
   * @param algbwGBps size by time; empty for a workload
   * @param busbwGBps nccl-tests' busbw; empty for a workload
   * @param source what the time rests on
   * @param error why there is no time; empty if there is one
   * @param gpuBytes memory that NCCL takes of a GPU; empty where it is not asked for, or not known
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
    public static Outcome error(String why) {
      return new Outcome("", "", 0, NONE, NONE, NONE, NONE, NONE, "", why, OptionalLong.empty());
    }

    /** With another reason. */
    Outcome withError(String why) {
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
          why,
          gpuBytes);
    }

    /** With the memory that NCCL takes of a GPU. */
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
    static Outcome ofWorkload(
        double timeUs, OptionalDouble lowUs, OptionalDouble highUs, String source) {
      return new Outcome(
          "",
          "",
          0,
          OptionalDouble.of(timeUs),
          lowUs,
          highUs,
          NONE,
          NONE,
          source,
          "",
          OptionalLong.empty());
    }
  }

  /** The names of the columns. */
  static List<String> header(List<String> axes) {
    List<String> header = new ArrayList<>(BEFORE);
    header.addAll(axes);
    header.addAll(AFTER);
    return header;
  }

  /** The cells of a line. */
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
   * The row of some cells.
   *
   * @throws IllegalArgumentException if there are too few, a number is none or one that no row has,
   *     or there is neither a time nor a reason
   */
  static ResultRow ofCells(List<String> cells, int axes) {
    int after = BEFORE.size() + axes;
    if (cells.size() != after + AFTER.size()) {
      throw new IllegalArgumentException(cells.size() + " columns");
    }
    List<String> rest = cells.subList(after, cells.size());
    return new ResultRow(
        whole("variant", cells.get(0), Long.MAX_VALUE),
        cells.get(1),
        cells.get(2),
        cells.subList(BEFORE.size(), after),
        rest.get(0),
        count(rest, 1),
        count(rest, 2),
        count(rest, 3),
        number(rest, 4).orElse(0),
        rest.get(5),
        rest.get(6),
        rest.get(7).isEmpty() ? 0 : whole(AFTER.get(7), rest.get(7), Long.MAX_VALUE),
        outcome(rest),
        rest.get(17),
        rest.get(19),
        rest.get(20));
  }

  private static Outcome outcome(List<String> rest) {
    OptionalDouble timeUs = number(rest, 11);
    String error = rest.get(18);
    if (timeUs.isPresent() != error.isEmpty() || timeUs.orElse(1) == 0) {
      throw new IllegalArgumentException(
          "time_us '%s', error '%s': expected a time above 0, or the reason why there is none"
              .formatted(rest.get(11), error));
    }
    return new Outcome(
        rest.get(8),
        rest.get(9),
        rest.get(10).isEmpty() ? 0 : count(rest, 10),
        timeUs,
        number(rest, 12),
        number(rest, 13),
        number(rest, 14),
        number(rest, 15),
        rest.get(16),
        error,
        rest.get(21).isEmpty()
            ? OptionalLong.empty()
            : OptionalLong.of(whole(AFTER.get(21), rest.get(21), Long.MAX_VALUE)));
  }

  private static int count(List<String> rest, int column) {
    return (int) whole(AFTER.get(column), rest.get(column), Integer.MAX_VALUE);
  }

  private static long whole(String column, String cell, long most) {
    try {
      long value = Long.parseLong(cell);
      if (value >= 0 && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw noNumber(column, cell, "a whole number", e);
    }
    throw noNumber(column, cell, "a number from 0 to " + most, null);
  }

  private static OptionalDouble number(List<String> rest, int column) {
    String cell = rest.get(column);
    if (cell.isEmpty()) {
      return OptionalDouble.empty();
    }
    double value = cell.length() > LONGEST_NUMBER ? Double.NaN : parsed(cell);
    if (value >= 0 && value <= Double.MAX_VALUE) {
      return OptionalDouble.of(value);
    }
    throw noNumber(AFTER.get(column), cell, "a number from 0 on", null);
  }

  private static double parsed(String cell) {
    try {
      return Double.parseDouble(cell);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  private static IllegalArgumentException noNumber(
      String column, String cell, String expected, @Nullable NumberFormatException cause) {
    return new IllegalArgumentException(
        "%s '%s', expected %s".formatted(column, cell, expected), cause);
  }
}
