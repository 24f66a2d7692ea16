package dev.topo.cli;

import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.model.job.SettingException;

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

  /**
   * Checks that a picture is of one kind of communicator.
   *
   * @throws SettingException if it is of more
   */
  void check(int communicators) {
    if (isPicture() && communicators > 1) {
      throw new SettingException(
          "--format %s is of one kind of communicator: expected no --split".formatted(this));
    }
  }

  private boolean isPicture() {
    return this == svg || this == png;
  }

  boolean hasSavings() {
    return this == text || this == json;
  }
}
