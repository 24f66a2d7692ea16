package dev.topo.visualizer.html;

import java.util.Objects;

/** A part of a page. */
public sealed interface Markup permits Element, Markup.Text, Markup.Written {
  /**
   * Text, which is escaped when it is written.
   *
   * @param text the text as people read it
   */
  record Text(String text) implements Markup {
    /** Checks that it is there. */
    public Text {
      Objects.requireNonNull(text, "text");
    }
  }

  /**
   * Markup that is written as it stands: pictures, style and scripts of our own. Never made of what
   * comes from a file.
   *
   * @param markup the markup
   */
  record Written(String markup) implements Markup {
    /** Checks that it is there. */
    public Written {
      Objects.requireNonNull(markup, "markup");
    }
  }

  /** Some text. */
  static Markup text(String text) {
    return new Text(text);
  }

  /** Markup that is written as it stands. */
  static Markup written(String markup) {
    return new Written(markup);
  }
}
