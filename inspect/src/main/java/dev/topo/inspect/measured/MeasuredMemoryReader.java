package dev.topo.inspect.measured;

import dev.topo.inspect.log.RunOrigin;
import dev.topo.inspect.measured.CsvTable.Row;
import dev.topo.model.io.TopologyFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads the output of {@code topo run --memory-steps}, or CSV with the columns {@code step} and
 * {@code gpu_bytes}, and optionally {@code rank}, {@code host_shmem_kib}, {@code nccl} and {@code
 * case}.
 */
public final class MeasuredMemoryReader {
  private static final int KIB_SHIFT = 10;

  private static final String CASE = "case";
  private static final String GPU = "gpu_bytes";
  private static final String HOST = "host_shmem_kib";
  private static final String RANK = "rank";
  private static final String NCCL = "nccl";

  /** First line of the printed form. */
  private static final Pattern HEAD = Pattern.compile("NCCL (\\d[\\d.]{0,20}) took \\d.*");

  /** Line of a step: its name, GPU memory in MiB, host memory in KiB and GPU memory in bytes. */
  private static final Pattern STEP =
      Pattern.compile(" +(\\S.{0,200}?) {2,}(-?\\d{1,12}) +(-?\\d{1,12}) +(-?\\d{1,18})");

  private MeasuredMemoryReader() {}

  /**
   * Reads the memory in a text.
   *
   * @param file name of the file for messages
   * @throws TopologyFormatException if the text has no step, or several cases
   */
  public static MeasuredMemory read(String text, String file) {
    Matcher head = HEAD.matcher(text.lines().findFirst().orElse(""));
    return head.matches()
        ? printed(text, file, head.group(1))
        : csv(new CsvTable(text, file), file);
  }

  private static MeasuredMemory printed(String text, String file, String release) {
    List<MeasuredMemory.Row> rows = new ArrayList<>();
    text.lines()
        .map(STEP::matcher)
        .filter(Matcher::matches)
        .forEach(
            step ->
                rows.add(
                    new MeasuredMemory.Row(
                        step.group(1),
                        0,
                        Long.parseLong(step.group(4)),
                        OptionalLong.of(Long.parseLong(step.group(3)) << KIB_SHIFT))));
    return measured(file, RunOrigin.ofVersion(release), rows);
  }

  private static MeasuredMemory csv(CsvTable table, String file) {
    List<MeasuredMemory.Row> rows = new ArrayList<>();
    Set<String> cases = new TreeSet<>();
    Set<String> releases = new TreeSet<>();
    for (Row row : table.rows()) {
      table.checkWidth(row);
      cases.add(table.cellIfAny(row, CASE));
      releases.add(table.cellIfAny(row, NCCL));
      if (cases.size() > 1) {
        throw table.wrong(
            row,
            CASE,
            "a second case, '%s': expected the rows of one".formatted(table.cellIfAny(row, CASE)));
      }
      rows.add(
          new MeasuredMemory.Row(
              table.cell(row, "step"),
              table.has(RANK)
                  ? (int) table.integer(row, RANK, 0, Integer.MAX_VALUE, "0 or more")
                  : 0,
              bytes(table, row, GPU),
              table.cellIfAny(row, HOST).isEmpty()
                  ? OptionalLong.empty()
                  : OptionalLong.of(bytes(table, row, HOST) << KIB_SHIFT)));
    }
    return measured(
        file,
        releases.size() == 1 ? RunOrigin.ofVersion(releases.iterator().next()) : RunOrigin.UNKNOWN,
        rows);
  }

  /** Whole number of bytes, negative if memory was released. */
  private static long bytes(CsvTable table, Row row, String column) {
    long max = 1L << 50;
    return table.integer(row, column, -max, max, "of bytes or KiB");
  }

  private static MeasuredMemory measured(
      String file, RunOrigin origin, List<MeasuredMemory.Row> rows) {
    if (rows.isEmpty()) {
      throw new TopologyFormatException(
          file, "has no step: expected what topo run measures of memory, or CSV");
    }
    return new MeasuredMemory(origin, rows);
  }
}
