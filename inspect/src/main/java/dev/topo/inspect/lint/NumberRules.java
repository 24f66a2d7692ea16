package dev.topo.inspect.lint;

import dev.topo.inspect.lint.CNumber.Form;
import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.model.xml.Vocabulary;
import java.util.Set;
import java.util.regex.Pattern;

/** Rules for values that NCCL reads as numbers but that are malformed or misleading. */
final class NumberRules {
  private static final Pattern HEX = Pattern.compile("(0[xX])?[0-9a-fA-F]{1,16}");
  private static final Pattern DECIMAL =
      Pattern.compile("[-+]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][-+]?[0-9]+)?");

  /**
   * Numeric attributes of a kind of file, as {@code element.attribute}.
   *
   * @param integers attributes read by {@code xmlGetAttrInt} or {@code strtol} with base 0
   * @param hexes attributes read as hexadecimal numbers of 64 bits, for comparison only
   * @param badHex severity of a malformed hexadecimal number
   * @param decimals attributes read by {@code strtof}
   */
  private record Numbers(
      Set<String> integers, Set<String> hexes, Severity badHex, Set<String> decimals) {}

  private static final Numbers OF_TOPOLOGY =
      new Numbers(
          words(
              "system.version cpu.numaid cpu.familyid cpu.modelid pci.link_width pci.vendor"
                  + " pci.device pci.subsystem_vendor pci.subsystem_device gpu.dev gpu.sm gpu.rank"
                  + " gpu.gdr net.dev net.speed net.port net.gdr net.maxconn net.coll nvlink.count"
                  + " c2c.bw c2c.count"),
          words("net.guid"),
          Severity.WARNING,
          words("net.latency"));

  private static final Numbers OF_GRAPHS =
      new Numbers(
          words(
              "graphs.version graph.id graph.pattern graph.crossnic graph.nchannels"
                  + " graph.samechannels"),
          words("net.dev gpu.dev"),
          Severity.ERROR,
          words("graph.speedintra graph.speedinter graph.latencyinter"));

  private final Numbers numbers;
  private final Findings findings;

  NumberRules(Vocabulary kinds, Findings findings) {
    this.numbers = kinds == Vocabulary.GRAPH ? OF_GRAPHS : OF_TOPOLOGY;
    this.findings = findings;
  }

  private static Set<String> words(String text) {
    return Set.of(text.split(" ", -1));
  }

  void check(LintElement element) {
    for (LintAttribute attribute : element.attributes()) {
      String name = element.name() + "." + attribute.name();
      if (attribute.kept() && numbers.integers.contains(name)) {
        integer(element, attribute);
      } else if (attribute.kept()
          && numbers.hexes.contains(name)
          && !HEX.matcher(attribute.value()).matches()) {
        String message = "is no hexadecimal number of 64 bits";
        findings.add(LintRule.NOT_A_NUMBER, numbers.badHex, element, attribute.name(), message);
      } else if (attribute.kept()
          && numbers.decimals.contains(name)
          && !DECIMAL.matcher(attribute.value()).matches()) {
        findings.add(LintRule.NOT_A_NUMBER, element, attribute.name(), "is no number");
      }
    }
    element.elements().forEach(this::check);
  }

  private void integer(LintElement element, LintAttribute attribute) {
    CNumber number = CNumber.parse(attribute.value());
    String name = attribute.name();
    int read = number.value();
    if (name.equals("link_width") && number.form() == Form.EMPTY) {
      return;
    }
    switch (number.form()) {
      case NUMBER -> {}
      case OCTAL ->
          findings.add(LintRule.OCTAL_NUMBER, element, name, "begins with 0, NCCL reads " + read);
      case TOO_LARGE -> {
        String message = "does not fit into 32 bits, NCCL keeps " + read;
        findings.add(LintRule.NUMBER_TOO_LARGE, element, name, message);
      }
      case EMPTY, NONE, WITH_TAIL -> {
        String message = "is not an integer, NCCL reads " + read;
        findings.add(LintRule.NOT_A_NUMBER, element, name, message);
      }
    }
  }
}
