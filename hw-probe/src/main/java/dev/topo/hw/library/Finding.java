package dev.topo.hw.library;

import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.model.io.ResourceTable;
import java.util.List;
import java.util.Locale;

/**
 * Problem or note about a machine or its settings. The texts are in the table {@code findings.txt}.
 *
 * @param code stable name of the kind of finding, {@code driver-too-old}
 * @param advice the remedy, in one line; may be empty
 */
public record Finding(Severity severity, String code, String text, String advice) {
  private static final List<List<String>> TEXTS =
      ResourceTable.rows(Finding.class, "findings.txt", "finding");

  /** Finding with a code of the table and values for its text and advice. */
  public static Finding of(String code, Object... values) {
    List<String> row =
        TEXTS.stream().filter(texts -> texts.get(0).equals(code)).findFirst().orElseThrow();
    String[] parts = String.join(" ", row.subList(2, row.size())).split(" -> ", 2);
    return new Finding(
        Severity.valueOf(row.get(1).toUpperCase(Locale.ROOT)),
        code,
        parts[0].formatted(values),
        parts.length == 1 ? "" : parts[1].formatted(values));
  }
}
