package dev.topo.cli;

import dev.topo.cli.option.OutputOptions.Format;

/** Output formats of verdicts on runs. */
enum CheckFormat implements Format {
  text,
  json,
  csv,
  /** JUnit XML. */
  junit,
  /** For the textfile collector of node_exporter. */
  openmetrics,
  /** Annotations of a GitHub workflow. */
  github,
  /** A JSON object for each run. */
  jsonl
}
