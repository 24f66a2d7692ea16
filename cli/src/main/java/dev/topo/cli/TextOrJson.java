package dev.topo.cli;

import dev.topo.cli.option.OutputOptions.Format;

/** The output formats of most commands. */
enum TextOrJson implements Format {
  text,
  json
}
