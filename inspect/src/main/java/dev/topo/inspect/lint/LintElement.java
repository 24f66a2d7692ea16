package dev.topo.inspect.lint;

import java.util.List;
import java.util.Optional;

/**
 * An element as NCCL's reader found it, with the children that it ignores.
 *
 * @param name its tag
 * @param attributes its attributes, in order
 * @param children the elements inside, in order
 * @param offset first byte, that of {@code <}
 * @param read whether NCCL reads it; else it ignores it with everything inside
 */
record LintElement(
    String name,
    List<LintAttribute> attributes,
    List<LintElement> children,
    int offset,
    boolean read) {
  public LintElement {
    attributes = List.copyOf(attributes);
    children = List.copyOf(children);
  }

  /** The attribute that NCCL finds under a name: the first one. */
  Optional<LintAttribute> attribute(String attributeName) {
    return attributes.stream()
        .filter(attribute -> attribute.kept() && attribute.name().equals(attributeName))
        .findFirst();
  }

  /** The value of an attribute; empty if it is missing. */
  Optional<String> value(String attributeName) {
    return attribute(attributeName).map(LintAttribute::value);
  }

  /** The value of an attribute as NCCL reads a number; the given one if it is missing. */
  int number(String attributeName, int missing) {
    return value(attributeName).map(text -> CNumber.parse(text).value()).orElse(missing);
  }

  /** The value of an attribute; an empty text if it is missing. */
  String text(String attributeName) {
    return value(attributeName).orElse("");
  }

  /** The elements inside that NCCL reads. */
  List<LintElement> elements() {
    return children.stream().filter(LintElement::read).toList();
  }

  /** The elements inside that NCCL reads and that have this name. */
  List<LintElement> elements(String childName) {
    return elements().stream().filter(child -> child.name().equals(childName)).toList();
  }
}
