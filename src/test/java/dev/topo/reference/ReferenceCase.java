package dev.topo.reference;

import dev.topo.model.Topology;
import dev.topo.model.diagnostic.Diagnostics;
import dev.topo.model.xml.GpuSelection;
import dev.topo.model.xml.TopologyReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A topology file with what NCCL's own code answers for it.
 *
 * @param folder where the answers are
 * @param topologyFile the topology
 */
record ReferenceCase(Path folder, Path topologyFile) {
  String name() {
    return folder.getFileName().toString();
  }

  boolean has(String file) {
    return Files.exists(folder.resolve(file));
  }

  String text(String file) {
    try {
      return Files.readString(folder.resolve(file));
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
