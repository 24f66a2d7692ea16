package dev.topo.search.topology;

import dev.topo.model.diagnostic.Diagnostics;
import dev.topo.model.xml.Vocabulary;
import dev.topo.model.xml.XmlElement;

/**
 * Reports elements and attributes that NCCL ignores silently. A tag that NCCL does not know is
 * probably a typing mistake: an error, or a warning if the caller ignores unknown elements. A known
 * tag in the wrong place and an unknown attribute, which newer versions add, become diagnostics.
 */
final class VocabularyCheck {
  private final boolean ignoreUnknownElements;
  private final Diagnostics diagnostics;
  private final String version;

  VocabularyCheck(boolean ignoreUnknownElements, Diagnostics diagnostics, String version) {
    this.ignoreUnknownElements = ignoreUnknownElements;
    this.diagnostics = diagnostics;
    this.version = version;
  }

  void check(XmlElement element) {
    for (String attribute : element.attributes().keySet()) {
      if (!Vocabulary.TOPOLOGY.isAttribute(element.name(), attribute)) {
        diagnostics.note(
            "unknown-attribute",
            element.location(),
            "<%s>: attribute %s means nothing to NCCL %s"
                .formatted(element.name(), attribute, version));
      }
    }
    for (XmlElement child : element.elements()) {
      if (Vocabulary.TOPOLOGY.isReadInside(element.name(), child.name())) {
        check(child);
      } else {
        misplaced(element, child);
      }
    }
  }

  private void misplaced(XmlElement parent, XmlElement child) {
    String known = String.join(", ", Vocabulary.TOPOLOGY.childrenOf(parent.name()));
    String expected =
        "inside <%s> NCCL reads %s".formatted(parent.name(), known.isEmpty() ? "nothing" : known);
    if (!Vocabulary.TOPOLOGY.isElement(child.name()) && !ignoreUnknownElements) {
      throw child.error("unknown element; " + expected);
    }
    diagnostics.warn(
        "ignored-element",
        child.location(),
        "<" + child.name() + ">: NCCL ignores this element; " + expected);
  }
}
