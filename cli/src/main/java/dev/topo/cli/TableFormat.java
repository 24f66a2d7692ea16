package dev.topo.cli;

import dev.topo.cli.option.OutputOptions.Format;

/** The formats of tables. */
enum TableFormat implements Format {
  text,
  tsv,
  json
}
