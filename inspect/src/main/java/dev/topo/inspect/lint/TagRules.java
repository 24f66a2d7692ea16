package dev.topo.inspect.lint;

import dev.topo.inspect.lint.finding.LintRule;
import dev.topo.inspect.lint.text.Findings;
import dev.topo.inspect.lint.text.LintAttribute;
import dev.topo.inspect.lint.text.LintElement;
import dev.topo.inspect.lint.text.NcclXmlReader;
import dev.topo.model.xml.Vocabulary;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Elements and attributes that NCCL ignores: their place and their spelling. */
final class TagRules {
  private static final Pattern REFERENCE = Pattern.compile("&(#[0-9]+|#x[0-9a-fA-F]+|[a-z]+);");

  private final Vocabulary kinds;
  private final Findings findings;

  TagRules(Vocabulary kinds, Findings findings) {
    this.kinds = kinds;
    this.findings = findings;
  }

  /**
   * Checks what is inside an element, or in the file.
   *
   * @param parent name of the element; empty for the file
   */
  void check(String parent, List<LintElement> elements) {
    for (LintElement element : elements) {
      if (element.read()) {
        attributes(element);
        check(element.name(), element.children());
      } else {
        ignored(parent, element);
      }
    }
  }

  private void ignored(String parent, LintElement element) {
    Set<String> read = kinds.childrenOf(parent);
    String expected =
        (parent.isEmpty() ? "outside of all elements" : "inside <" + parent + ">")
            + " NCCL reads "
            + (read.isEmpty() ? "nothing" : String.join(", ", read));
    if (kinds.isElement(element.name())) {
      findings.add(
          LintRule.MISPLACED_ELEMENT,
          element,
          (parent.isEmpty() ? "" : "is in <" + parent + ">; ") + expected);
    } else {
      findings.add(LintRule.UNKNOWN_ELEMENT, element, "is not an element of NCCL; " + expected);
    }
  }

  private void attributes(LintElement element) {
    Set<String> seen = new HashSet<>();
    List<LintAttribute> attributes = element.attributes();
    for (int i = 0; i < attributes.size(); i++) {
      LintAttribute attribute = attributes.get(i);
      int from = attribute.offset();
      int to = Math.max(from + 1, attribute.valueEnd() + 1);
      if (!attribute.kept()) {
        findings.add(
            LintRule.TOO_MANY_ATTRIBUTES,
            from,
            to,
            "<"
                + element.name()
                + ">: has "
                + attributes.size()
                + " attributes, NCCL drops those behind the "
                + NcclXmlReader.MAX_ATTRIBUTES
                + "th, "
                + attribute.name()
                + " first");
        return;
      }
      if (attribute.name().isEmpty()) {
        if (i + 1 < attributes.size()) {
          findings.add(
              LintRule.EXTRA_BLANK,
              from - 1,
              from,
              "<" + element.name() + ">: more than one blank before an attribute",
              findings.edit(from - 1, from, ""));
        }
      } else if (!seen.add(attribute.name())) {
        findings.add(
            LintRule.DUPLICATE_ATTRIBUTE,
            from,
            to,
            "<" + element.name() + ">: " + attribute.name() + " is a duplicate");
      } else {
        attribute(element, attribute, from, to);
      }
    }
  }

  private void attribute(LintElement element, LintAttribute attribute, int from, int to) {
    if (!kinds.isAttribute(element.name(), attribute.name())) {
      findings.add(
          LintRule.UNKNOWN_ATTRIBUTE,
          from,
          to,
          "<"
              + element.name()
              + ">: NCCL does not know the attribute "
              + attribute.name()
              + ", expected one of "
              + String.join(", ", kinds.attributesOf(element.name())));
    }
    if (REFERENCE.matcher(attribute.value()).find()) {
      findings.add(
          LintRule.CHARACTER_REFERENCE,
          from,
          to,
          "<" + element.name() + ">: " + attribute.name() + " has an entity in its value");
    }
  }
}
