package dev.topo.cli;

import dev.topo.cli.option.Format;

/** The formats of {@code topo memory}. */
enum MemoryFormat implements Format {
  text,
  json,
  csv,
  svg,
  png;

  @Override
  public boolean needsItsEnding() {
    return isPicture();
  }

  boolean isPicture() {
    return this == svg || this == png;
  }

  boolean hasSavings() {
    return this == text || this == json;
  }
}
