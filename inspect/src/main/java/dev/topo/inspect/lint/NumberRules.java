package dev.topo.inspect.lint;

import dev.topo.inspect.lint.finding.LintRule;
import dev.topo.inspect.lint.text.CNumber;
import dev.topo.inspect.lint.text.CNumber.Form;
import dev.topo.inspect.lint.text.Findings;
import dev.topo.inspect.lint.text.LintAttribute;
import dev.topo.inspect.lint.text.LintElement;
import dev.topo.model.diagnostic.Severity;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Values that NCCL reads as numbers and that are none, or others than they look like. */
final class NumberRules {
  private static final Pattern HEX = Pattern.compile("(0[xX])?[0-9a-fA-F]{1,16}");
  private static final Pattern DECIMAL =
      Pattern.compile("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?");

  /** Attributes read by {@code xmlGetAttrInt} or {@code strtol} with base 0. */
  private static final Map<String, Set<String>> INTEGERS =
      Map.of(
          "system", Set.of("version"),
          "cpu", Set.of("numaid", "familyid", "modelid"),
          "pci", Set.of("link_width", "vendor", "device", "subsystem_vendor", "subsystem_device"),
          "gpu", Set.of("dev", "sm", "rank", "gdr"),
          "net", Set.of("dev", "speed", "port", "gdr", "maxconn", "coll"),
          "nvlink", Set.of("count"),
          "c2c", Set.of("bw", "count"));

  private static final Map<String, Set<String>> GRAPH_INTEGERS =
      Map.of(
          "graphs", Set.of("version"),
          "graph", Set.of("id", "pattern", "crossnic", "nchannels", "samechannels"));

  /** Attributes read as 64 hexadecimal digits, only to be compared. */
  private static final Map<String, Set<String>> HEXES = Map.of("net", Set.of("guid"));

  private static final Map<String, Set<String>> GRAPH_HEXES =
      Map.of("net", Set.of("dev"), "gpu", Set.of("dev"));

  private static final Map<String, Set<String>> FLOATS = Map.of("net", Set.of("latency"));

  private static final Map<String, Set<String>> GRAPH_FLOATS =
      Map.of("graph", Set.of("speedintra", "speedinter", "latencyinter"));

  private final boolean graph;
  private final Findings findings;

  private NumberRules(boolean graph, Findings findings) {
    this.graph = graph;
    this.findings = findings;
  }

  static NumberRules ofTopology(Findings findings) {
    return new NumberRules(false, findings);
  }

  static NumberRules ofGraphs(Findings findings) {
    return new NumberRules(true, findings);
  }

  void check(LintElement element) {
    if (!element.read()) {
      return;
    }
    String name = element.name();
    for (LintAttribute attribute : element.attributes()) {
      if (!attribute.kept()) {
        continue;
      }
      if (has(graph ? GRAPH_INTEGERS : INTEGERS, name, attribute)) {
        integer(element, attribute);
      } else if (has(graph ? GRAPH_HEXES : HEXES, name, attribute)
          && !HEX.matcher(attribute.value()).matches()) {
        findings.add(
            LintRule.NOT_A_NUMBER,
            graph ? Severity.ERROR : Severity.WARNING,
            element,
            attribute.name(),
            "is no hexadecimal number of 64 bits");
      } else if (has(graph ? GRAPH_FLOATS : FLOATS, name, attribute)
          && !DECIMAL.matcher(attribute.value()).matches()) {
        findings.add(LintRule.NOT_A_NUMBER, element, attribute.name(), "is no number");
      }
    }
    element.children().forEach(this::check);
  }

  private static boolean has(
      Map<String, Set<String>> table, String element, LintAttribute attribute) {
    return table.getOrDefault(element, Set.of()).contains(attribute.name());
  }

  private void integer(LintElement element, LintAttribute attribute) {
    CNumber number = CNumber.parse(attribute.value());
    boolean width = attribute.name().equals("link_width");
    if (width && number.form() == Form.EMPTY) {
      return;
    }
    switch (number.form()) {
      case NUMBER -> {}
      case OCTAL ->
          findings.add(
              LintRule.OCTAL_NUMBER,
              element,
              attribute.name(),
              "begins with 0, NCCL reads " + number.value());
      case TOO_LARGE ->
          findings.add(
              LintRule.NUMBER_TOO_LARGE,
              element,
              attribute.name(),
              "does not fit into 32 bits, NCCL keeps " + number.value());
      case EMPTY, NONE, WITH_TAIL ->
          findings.add(
              LintRule.NOT_A_NUMBER,
              element,
              attribute.name(),
              "is not an integer, NCCL reads " + number.value());
    }
  }
}
