package dev.topo.visualizer.view;

/** A part of an HTML page. */
public sealed interface Markup permits Element, Markup.Text, Markup.Written {
  /**
   * Text, which is escaped when it is written.
   *
   * @param text the text as people read it
   */
  record Text(String text) implements Markup {}

  /**
   * Markup that is written unescaped: our own pictures, style sheets and scripts. Must never
   * contain data from a file.
   *
   * @param markup the markup
   */
  record Written(String markup) implements Markup {}

  /** Some text. */
  static Markup text(String text) {
    return new Text(text);
  }

  /** Markup that is written unescaped. */
  static Markup written(String markup) {
    return new Written(markup);
  }
}
