package dev.topo.model.xml;

import java.util.Objects;

/**
 * A comment.
 *
 * @param text what stands between the marks
 */
public record XmlComment(String text) implements XmlNode {
  /** Checks that the text is there. */
  public XmlComment {
    Objects.requireNonNull(text, "text");
  }
}
