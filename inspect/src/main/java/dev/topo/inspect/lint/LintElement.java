package dev.topo.inspect.lint;

import java.util.List;
import java.util.Optional;

/**
 * Element as found by NCCL's reader, including children that it ignores.
 *
 * @param name its tag
 * @param attributes its attributes, in order
 * @param children the elements inside, in order
 * @param offset offset of its {@code <}
 * @param read whether NCCL reads it; otherwise it ignores the element with its content
 */
record LintElement(
    String name,
    List<LintAttribute> attributes,
    List<LintElement> children,
    int offset,
    boolean read) {
  LintElement {
    attributes = List.copyOf(attributes);
    children = List.copyOf(children);
  }

  /** First attribute with a name, which is the one that NCCL finds. */
  Optional<LintAttribute> attribute(String attributeName) {
    return attributes.stream()
        .filter(attribute -> attribute.kept() && attribute.name().equals(attributeName))
        .findFirst();
  }

  /** Value of an attribute; empty if missing. */
  Optional<String> value(String attributeName) {
    return attribute(attributeName).map(LintAttribute::value);
  }

  /** Value of an attribute as NCCL reads a number; {@code missing} if there is none. */
  int number(String attributeName, int missing) {
    return value(attributeName).map(text -> CNumber.parse(text).value()).orElse(missing);
  }

  /** Value of an attribute; an empty text if missing. */
  String text(String attributeName) {
    return value(attributeName).orElse("");
  }

  /** Child elements that NCCL reads. */
  List<LintElement> elements() {
    return children.stream().filter(LintElement::read).toList();
  }

  /** Child elements with a name that NCCL reads. */
  List<LintElement> elements(String childName) {
    return elements().stream().filter(child -> child.name().equals(childName)).toList();
  }
}
