package dev.topo.visualizer.drawing;

import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.engine.GraphSearch;
import dev.topo.search.path.Domain;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.NvlinkDomain;
import dev.topo.search.topology.NvlinkDomain.HostGpu;
import dev.topo.search.topology.TopologyReader;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;

/** NVLink domains of GB200 trays for tests of pictures. */
public final class NvlinkDomains {
  private static final Path TRAY =
      Path.of(System.getProperty("topo.root"), "topologies/gb200-tray.xml");

  private NvlinkDomains() {}

  /** A domain of some trays, with the GPUs that are taken. */
  public static Domain of(int trays, Predicate<HostGpu> taken, boolean crossesNetwork) {
    XmlElement tray = new XmlReader().read(TRAY, new Inputs()).root();
    XmlElement domain =
        NvlinkDomain.only(NvlinkDomain.fuse(Collections.nCopies(trays, tray)), taken);
    XmlDocument document = new XmlDocument(List.of(), domain, List.of());
    return DomainFinder.find(
            new TopologyReader().map(document, GpuSelection.ALL, new Diagnostics()),
            NcclSettings.DEFAULTS,
            crossesNetwork,
            NcclProfile.DEFAULT)
        .get(0);
  }

  /** A graph that the search finds on a domain. */
  static ChannelGraph graph(Domain domain, GraphKind kind) {
    return GraphSearch.findAll(domain, NcclSettings.DEFAULTS, new Inputs()).get(kind);
  }
}
