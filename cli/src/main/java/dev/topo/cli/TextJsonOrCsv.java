package dev.topo.cli;

import dev.topo.cli.option.OutputOptions.Format;

/** Output formats of answers that can also be written as rows. */
enum TextJsonOrCsv implements Format {
  text,
  json,
  csv
}
