package dev.topo.cli;

import dev.topo.cli.option.OutputOptions.Format;

/** The formats of most commands. */
enum TextOrJson implements Format {
  text,
  json
}
