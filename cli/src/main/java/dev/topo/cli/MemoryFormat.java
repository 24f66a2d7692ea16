package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.model.job.SettingException;

/** Output formats of {@code topo memory}. */
enum MemoryFormat implements Format {
  text,
  json,
  csv,
  svg,
  png;

  /**
   * Refuses to draw several kinds of communicators in one picture.
   *
   * @throws SettingException if the format is a picture and there are several kinds
   */
  void check(int communicators) {
    refuseIf(
        isPicture() && communicators > 1,
        "--format %s is of one kind of communicator: expected no --split".formatted(this));
  }

  boolean hasSavings() {
    return this == text || this == json;
  }
}
