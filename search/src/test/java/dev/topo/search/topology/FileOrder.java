package dev.topo.search.topology;

import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.xml.XmlDocument;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologySource.UnknownElements;
import java.nio.file.Path;

/** Reads files whose devices are in NCCL's order although no rank order gives it. */
public final class FileOrder {
  private FileOrder() {}

  /** The topology of a file with its devices in the order of the file. */
  public static Topology read(Path file, GpuSelection selection, NcclProfile profile) {
    return new TopologyReader(UnknownElements.REJECTED, profile)
        .inFileOrder()
        .read(file, selection, new Diagnostics());
  }

  /** The topology of a document with its devices in its order. */
  public static Topology map(XmlDocument document, GpuSelection selection, NcclProfile profile) {
    return new TopologyReader(UnknownElements.REJECTED, profile)
        .inFileOrder()
        .map(document, selection, new Diagnostics());
  }
}
