package dev.topo.cli;

import dev.topo.cli.option.Format;

/** The formats of most commands. */
enum TextOrJson implements Format {
  text,
  json
}
