package dev.topo.inspect.lint;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The purpose of a file. */
public enum FileKind {
  /** For NCCL_TOPO_FILE. */
  TOPOLOGY,
  /** For NCCL_GRAPH_FILE. */
  GRAPH,
  /** As {@code /etc/nccl.conf}. */
  CONF;

  /** The kind is detected from this many bytes. */
  private static final int BEGINNING = 4096;

  /** The most likely kind of a file, by its name and how it begins; a topology in doubt. */
  public static FileKind of(String name, byte[] content) {
    String begin =
        new String(content, 0, Math.min(content.length, BEGINNING), StandardCharsets.ISO_8859_1);
    if (begin.contains("<graphs") || begin.contains("<graph ")) {
      return GRAPH;
    }
    boolean conf = name.toLowerCase(Locale.ROOT).endsWith(".conf");
    boolean assigns =
        begin.lines().anyMatch(line -> line.matches("(export )?NCCL_[A-Z0-9_]+ *=.*"));
    return !begin.contains("<") && (conf || assigns) ? CONF : TOPOLOGY;
  }
}
