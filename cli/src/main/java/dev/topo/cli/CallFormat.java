package dev.topo.cli;

import dev.topo.cli.option.OutputOptions.Format;

/** Formats of answers about calls. */
enum CallFormat implements Format {
  text,
  json,
  csv,
  /** Rules for NCCL's tuner plugin. */
  tuner;

  @Override
  public String extension() {
    return this == tuner ? ".csv" : Format.super.extension();
  }
}
