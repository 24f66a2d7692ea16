package dev.topo.cli;

import dev.topo.cli.option.OutputOptions.Format;

/** Output formats of tables. */
enum TableFormat implements Format {
  text,
  tsv,
  json
}
