package dev.topo.reference;

import dev.topo.model.Topology;
import dev.topo.model.diagnostic.Diagnostics;
import dev.topo.model.xml.GpuSelection;
import dev.topo.model.xml.TopologyReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;

/**
 * A topology file with what NCCL's own code answers for it.
 *
 * @param folder where the answers are
 * @param topologyFile the topology
 */
record ReferenceCase(Path folder, Path topologyFile) {
  private static final String COMPRESSED = ".gz";

  String name() {
    return folder.getFileName().toString();
  }

  /** Whether there is a file of this name, compressed or not. */
  boolean has(String file) {
    return Files.exists(folder.resolve(file)) || Files.exists(folder.resolve(file + COMPRESSED));
  }

  /** The text of a file that may be compressed. */
  String text(String file) {
    Path compressed = folder.resolve(file + COMPRESSED);
    try {
      if (!Files.exists(compressed)) {
        return Files.readString(folder.resolve(file));
      }
      try (InputStream in = new GZIPInputStream(Files.newInputStream(compressed))) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  List<String> lines(String file) {
    return text(file).lines().toList();
  }

  Topology topology(GpuSelection selection) {
    return new TopologyReader().read(topologyFile, selection, new Diagnostics());
  }
}
