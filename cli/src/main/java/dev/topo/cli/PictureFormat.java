package dev.topo.cli;

import dev.topo.cli.option.OutputOptions.Format;

/** Output formats of pictures. */
enum PictureFormat implements Format {
  svg,
  png
}
