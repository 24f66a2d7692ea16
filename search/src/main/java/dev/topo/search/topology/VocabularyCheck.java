package dev.topo.search.topology;

import dev.topo.model.diagnostic.Diagnostics;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.xml.Vocabulary;
import dev.topo.model.xml.XmlElement;

/**
 * Looks for elements and attributes that NCCL ignores silently. A tag that NCCL knows nowhere is
 * most likely a slip and an error unless the caller wants NCCL's silence; a known tag in the wrong
 * place and an unknown attribute, which newer versions add, become diagnostics.
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
            "<"
                + element.name()
                + ">: attribute "
                + attribute
                + " means nothing to NCCL "
                + version);
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
    String expected =
        "inside <"
            + parent.name()
            + "> NCCL reads "
            + String.join(", ", Vocabulary.TOPOLOGY.childrenOf(parent.name()));
    if (Vocabulary.TOPOLOGY.childrenOf(parent.name()).isEmpty()) {
      expected = "inside <" + parent.name() + "> NCCL reads nothing";
    }
    if (!Vocabulary.TOPOLOGY.isElement(child.name()) && !ignoreUnknownElements) {
      throw new TopologyFormatException(
          child.location(), "<" + child.name() + ">: unknown element; " + expected);
    }
    diagnostics.warn(
        "ignored-element",
        child.location(),
        "<" + child.name() + ">: NCCL ignores this element; " + expected);
  }
}
