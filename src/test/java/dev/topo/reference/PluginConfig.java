package dev.topo.reference;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a file as NCCL's example tuner plugin does, written from the plugin's rules and not from
 * our writer: lines end after 255 characters, {@code #} is a comment only in the first column,
 * empty fields do not count as fields, unknown names count as AllReduce, Ring and Simple, and the
 * first entry that fits a call counts ({@code nccl:ext-tuner/example/plugin.c}, NCCL 2.28.9).
 */
final class PluginConfig {
  private static final int LINE_LENGTH = 255;
  private static final int MIN_FIELDS = 8;
  private static final int MAX_FIELDS = 10;

  private static final Map<String, String> COLLECTIVES =
      Map.of(
          "broadcast", "BROADCAST",
          "reduce", "REDUCE",
          "allgather", "ALL_GATHER",
          "reducescatter", "REDUCE_SCATTER",
          "allreduce", "ALL_REDUCE");

  private static final Map<String, String> ALGORITHMS =
      Map.of(
          "tree", "TREE",
          "ring", "RING",
          "collnet_direct", "COLLNET_DIRECT",
          "collnet_chain", "COLLNET_CHAIN",
          "nvls", "NVLS",
          "nvls_tree", "NVLS_TREE",
          "pat", "PAT");

  private static final Map<String, String> PROTOCOLS =
      Map.of("ll", "LL", "ll128", "LL128", "simple", "SIMPLE");

  record Entry(
      String collective,
      long minBytes,
      long maxBytes,
      String algorithm,
      String protocol,
      int channels,
      int nNodes,
      int nRanks,
      int numPipeOps,
      int regBuff) {
    private boolean fits(String wanted, long bytes, int nodes, int ranks) {
      return collective.equals(wanted)
          && Long.compareUnsigned(bytes, minBytes) >= 0
          && Long.compareUnsigned(bytes, maxBytes) <= 0
          && (nNodes == -1 || nNodes == nodes)
          && (nRanks == -1 || nRanks == ranks)
          && (numPipeOps == -1 || numPipeOps == 1)
          && (regBuff == -1 || regBuff == 0);
    }
  }

  private final List<Entry> entries = new ArrayList<>();

  PluginConfig(String text) {
    for (String line : text.split("(?<=\n)", -1)) {
      if (line.length() > LINE_LENGTH) {
        throw new IllegalArgumentException("the plugin would cut this line: " + line);
      }
      if (!line.startsWith("#") && !line.isBlank()) {
        add(line.replace("\n", ""));
      }
    }
  }

  private void add(String line) {
    List<String> fields = new ArrayList<>();
    for (String field : line.split(",", -1)) {
      if (!field.isEmpty() && fields.size() < MAX_FIELDS) {
        fields.add(field.strip());
      }
    }
    if (fields.size() < MIN_FIELDS) {
      throw new IllegalArgumentException("the plugin would pass over this line: " + line);
    }
    entries.add(
        new Entry(
            COLLECTIVES.getOrDefault(fields.get(0), "ALL_REDUCE"),
            Long.parseUnsignedLong(fields.get(1)),
            Long.parseUnsignedLong(fields.get(2)),
            ALGORITHMS.getOrDefault(fields.get(3), "RING"),
            PROTOCOLS.getOrDefault(fields.get(4), "SIMPLE"),
            Integer.parseInt(fields.get(5)),
            Integer.parseInt(fields.get(6)),
            Integer.parseInt(fields.get(7)),
            fields.size() > 8 ? Integer.parseInt(fields.get(8)) : -1,
            fields.size() > 9 ? Integer.parseInt(fields.get(9)) : -1));
  }

  List<Entry> entries() {
    return entries;
  }

  /** The entry that counts for a lone call with buffers that are not registered. */
  Optional<Entry> find(String collective, long bytes, int nNodes, int nRanks) {
    return entries.stream().filter(e -> e.fits(collective, bytes, nNodes, nRanks)).findFirst();
  }
}
