package dev.topo.inspect.lint;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Kinds of files that lint reads. */
public enum FileKind {
  /** For NCCL_TOPO_FILE. */
  TOPOLOGY,
  /** For NCCL_GRAPH_FILE. */
  GRAPH,
  /** Configuration like {@code /etc/nccl.conf}. */
  CONF,
  /** For NCCL's example tuner plugin. */
  TUNER;

  /** Number of leading bytes from which the kind is detected. */
  private static final int HEAD_BYTES = 4096;

  /** Most likely kind of a file, by its name and its first bytes; a topology if in doubt. */
  public static FileKind of(String name, byte[] content) {
    String head =
        new String(content, 0, Math.min(content.length, HEAD_BYTES), StandardCharsets.ISO_8859_1);
    if (head.contains("<graphs") || head.contains("<graph ")) {
      return GRAPH;
    }
    if (head.lines().anyMatch(TunerFileRules::isRow)) {
      return TUNER;
    }
    boolean isConfName = name.toLowerCase(Locale.ROOT).endsWith(".conf");
    boolean hasAssignments =
        head.lines().anyMatch(line -> line.matches("(export )?NCCL_[A-Z0-9_]+ *=.*"));
    return !head.contains("<") && (isConfName || hasAssignments) ? CONF : TOPOLOGY;
  }
}
