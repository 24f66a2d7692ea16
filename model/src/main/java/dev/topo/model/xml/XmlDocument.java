package dev.topo.model.xml;

import java.util.List;

/**
 * A whole file: its root and the comments around it.
 *
 * @param before comments before the root
 * @param root the root
 * @param after comments after the root
 */
public record XmlDocument(List<XmlComment> before, XmlElement root, List<XmlComment> after) {
  public XmlDocument {
    before = List.copyOf(before);
    after = List.copyOf(after);
  }
}
