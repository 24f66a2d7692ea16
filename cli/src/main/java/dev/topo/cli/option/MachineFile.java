package dev.topo.cli.option;

import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.GpuSelection;
import dev.topo.model.xml.XmlDocument;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologyReader;
import java.util.HashMap;
import java.util.Map;

/**
 * A topology file that has been read, for jobs on all or some of its GPUs. The topology of a
 * selection and a version is built once. Not for several threads at once.
 */
final class MachineFile {
  private final XmlDocument document;
  private final boolean ignoreUnknownElements;
  private final Map<NcclProfile, Map<GpuSelection, Topology>> topologies = new HashMap<>();

  private MachineFile(XmlDocument document, boolean ignoreUnknownElements) {
    this.document = document;
    this.ignoreUnknownElements = ignoreUnknownElements;
  }

  /**
   * A file that has been read elsewhere, or completed.
   *
   * @param ignoreUnknownElements whether to ignore unknown elements with a warning
   */
  public static MachineFile of(XmlDocument document, boolean ignoreUnknownElements) {
    return new MachineFile(document, ignoreUnknownElements);
  }

  /** The content of the file. */
  public XmlDocument document() {
    return document;
  }

  /**
   * The topology for a job on some GPUs, under the rules of a version.
   *
   * @param diagnostics collects warnings about the file at the first request for a selection
   * @throws dev.topo.model.io.TopologyFormatException if the file cannot be used
   */
  public Topology topology(GpuSelection selection, NcclProfile profile, Diagnostics diagnostics) {
    return topologies
        .computeIfAbsent(profile, rules -> new HashMap<>())
        .computeIfAbsent(
            selection,
            gpus ->
                new TopologyReader(ignoreUnknownElements, profile)
                    .map(document, gpus, diagnostics));
  }
}
