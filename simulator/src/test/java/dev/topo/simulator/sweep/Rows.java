package dev.topo.simulator.sweep;

import dev.topo.simulator.sweep.ResultRow.Outcome;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;

/** Rows of a sweep of two designs, two numbers of nodes and two questions, in two parts. */
final class Rows {
  static final SweepInfo INFO =
      new SweepInfo(
          SweepInfo.SCHEMA, "t", "0123456789abcdef", "s", List.of("a"), 4, 2, 2, List.of());

  private Rows() {}

  /** The rows of a part. */
  static List<ResultRow> part(int part) {
    List<ResultRow> rows = new ArrayList<>();
    for (int variant = 2 * part; variant < 2 * part + 2; variant++) {
      rows.add(row(variant, "", "all_reduce", 1 << 20, Outcome.error("refused, \"here\"\nthere")));
      rows.add(
          row(
              variant,
              "w",
              "",
              0,
              new Outcome(
                  "",
                  "",
                  0,
                  OptionalDouble.of(50),
                  OptionalDouble.of(40),
                  OptionalDouble.empty(),
                  OptionalDouble.empty(),
                  OptionalDouble.empty(),
                  "network",
                  "",
                  OptionalLong.empty())));
    }
    return rows;
  }

  private static ResultRow row(
      int variant, String workload, String collective, long bytes, Outcome outcome) {
    return new ResultRow(
        variant,
        "%016x".formatted(variant),
        "m",
        List.of(variant < 2 ? " x" : "y,\u00e9"),
        "wide",
        2 + variant % 2 * 2,
        16,
        4,
        1600,
        workload,
        collective,
        bytes,
        outcome,
        "",
        "",
        "");
  }

  /** The CSV text of a part. */
  static String text(int part) throws IOException {
    StringBuilder text = new StringBuilder();
    PartFile.print(true, INFO.axes(), part(part), text);
    return text.toString();
  }

  /** A text as a part. */
  static byte[] packed(String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return packed.toByteArray();
  }

  /** Reads the first part. */
  static List<ResultRow> read(byte[] packed) {
    List<ResultRow> rows = new ArrayList<>();
    PartFile.read(new ByteArrayInputStream(packed), "part", INFO.axes(), rows::add);
    return rows;
  }

  /** The lines of the first part without those of quoted cells: one for each row. */
  static List<String> lines() throws IOException {
    return text(0).replace("\nthere", "there").lines().collect(Collectors.toList());
  }

  /** Lines as a part. */
  static byte[] packed(List<String> lines) throws IOException {
    return packed(String.join("\n", lines) + "\n");
  }
}
