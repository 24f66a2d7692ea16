package dev.topo.inspect.lint;

import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.model.io.ResourceTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Entry of the resource {@code rules.txt}: everything about a lint rule except its check. The head
 * of that file describes its format.
 */
record RuleText(
    Subject subject,
    Severity severity,
    NcclOutcome outcome,
    boolean isReportedOnce,
    String title,
    String nccl,
    String fix,
    String source) {
  private static final String RESOURCE = "rules.txt";

  /** Entries by rule id, in the order of the file. */
  static final Map<String, RuleText> ALL = read();

  static RuleText of(String id) {
    RuleText text = ALL.get(id);
    if (text == null) {
      throw new IllegalStateException(RESOURCE + ": has no rule " + id);
    }
    return text;
  }

  private static Map<String, RuleText> read() {
    Map<String, RuleText> texts = new LinkedHashMap<>();
    for (String block : ResourceTable.text(RuleText.class, RESOURCE).split("\n\n", -1)) {
      if (!block.startsWith("#")) {
        String[] head = block.lines().findFirst().orElse("").split(": |, ", -1);
        texts.put(
            head[0],
            new RuleText(
                Subject.valueOf(head[1].toUpperCase(Locale.ROOT)),
                Severity.valueOf(head[2].toUpperCase(Locale.ROOT)),
                NcclOutcome.valueOf(head[3].toUpperCase(Locale.ROOT)),
                List.of(head).contains("once"),
                field(block, "title"),
                field(block, "nccl"),
                field(block, "fix"),
                field(block, "source")));
      }
    }
    return texts;
  }

  private static String field(String block, String name) {
    return block
        .lines()
        .filter(line -> line.startsWith("  " + name + " "))
        .findFirst()
        .map(line -> line.substring(2 + name.length()).strip())
        .orElseThrow(() -> new IllegalStateException(RESOURCE + ": no " + name + " in " + block));
  }
}
