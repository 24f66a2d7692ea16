package dev.topo.search.topology;

import dev.topo.model.NicMerging;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.nic.PortMerging;
import dev.topo.model.xml.Attributes;
import dev.topo.model.xml.Vocabulary;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologySource.UnknownElements;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads a topology file of NCCL to a {@link Topology} for a job with one process per GPU: branches
 * of the PCI tree without a selected GPU or a network port are dropped, and numbers that NCCL would
 * fill in at run time are filled in. Ports are separate, and can be merged ({@link
 * Topology#merged}). Reusable, not thread-safe.
 */
public final class TopologyReader {

  private final XmlReader xml = new XmlReader();
  private final UnknownElements unknown;
  private final NcclProfile profile;
  private final boolean joinsTrees;

  /** A reader that rejects unknown elements. */
  public TopologyReader() {
    this(UnknownElements.REJECTED, NcclProfile.DEFAULT);
  }

  /** A reader that follows the rules of a version. */
  public TopologyReader(UnknownElements unknown, NcclProfile profile) {
    this(unknown, profile, profile.topology().joinsTreesOfRanks);
  }

  private TopologyReader(UnknownElements unknown, NcclProfile profile, boolean joinsTrees) {
    this.unknown = unknown;
    this.profile = profile;
    this.joinsTrees = joinsTrees;
  }

  /** A reader that keeps devices in file order. */
  TopologyReader inFileOrder() {
    return new TopologyReader(unknown, profile, false);
  }

  /**
   * Reads a file.
   *
   * @throws TopologyFormatException if it cannot be used, with line, column, element and the
   *     expected content
   */
  public Topology read(Path file, GpuSelection selection, Diagnostics diagnostics) {
    return map(xml.readUnpacked(file, new Inputs()), selection, diagnostics);
  }

  /**
   * Maps a document to a topology.
   *
   * @throws TopologyFormatException as {@link #read}
   */
  public Topology map(XmlDocument document, GpuSelection selection, Diagnostics diagnostics) {
    XmlElement system = document.root();
    if (!system.name().equals("system")) {
      throw system.error("expected <system> as the outermost element");
    }
    int version = new Attributes(system).integer("version");
    int known = profile.xml().version;
    if (version != known) {
      throw system.error("attribute version=\"" + version + "\", expected " + known);
    }
    long elements = system.all().count();
    int limit = profile.xml().maxElements;
    if (elements > limit && !NvlinkDomain.hasSeveralHosts(system)) {
      diagnostics.warn(
          "too-many-elements",
          system.location(),
          "<system>: has %s elements, NCCL reads %s of a file at most and fails"
              .formatted(elements, limit));
    }
    RankedTopology built = build(system, selection, diagnostics);
    return built.topology.madeFrom(new SystemSource(this, system, selection, built.isMoved));
  }

  /** A topology, and whether its devices are in another order than in the file. */
  private record RankedTopology(Topology topology, boolean isMoved) {}

  private RankedTopology build(XmlElement system, GpuSelection selection, Diagnostics diagnostics) {
    checkNames(system, diagnostics);
    JobDevices devices = JobDevices.find(system, selection);
    if (devices.hasNoGpu()) {
      throw system.error("has no gpu, expected at least one <gpu> inside a <pci>");
    }
    if (selection.devs().isPresent() && NvlinkDomain.hasSeveralHosts(system)) {
      XmlElement withRanks = NvlinkDomain.only(system, gpu -> selection.contains(gpu.dev()));
      return ofRanks(
          withRanks, GpuSelection.ALL, JobDevices.find(withRanks, GpuSelection.ALL), diagnostics);
    }
    return ofRanks(system, selection, devices, diagnostics);
  }

  /** Maps the file in its own order first, to report its errors. */
  private RankedTopology ofRanks(
      XmlElement system, GpuSelection selection, JobDevices devices, Diagnostics diagnostics) {
    Topology ofFile = new SystemMapper(system, devices, diagnostics, profile).map();
    if (!joinsTrees) {
      return new RankedTopology(ofFile, false);
    }
    XmlElement joined = RankFusion.inRankOrder(system, selection, devices);
    JobDevices ranks = JobDevices.find(joined, GpuSelection.ALL);
    Topology ofRanks = new SystemMapper(joined, ranks, new Diagnostics(), profile).map();
    boolean isMoved = !ofRanks.nodes().equals(ofFile.nodes());
    return new RankedTopology(isMoved ? ofRanks : ofFile, isMoved);
  }

  /**
   * Reports elements and attributes that NCCL ignores silently. An unknown tag is probably a typing
   * mistake: an error, or a warning if the caller ignores unknown elements. A known tag in the
   * wrong place and an unknown attribute, which newer versions add, become diagnostics.
   */
  private void checkNames(XmlElement element, Diagnostics diagnostics) {
    for (String attribute : element.attributes().keySet()) {
      if (!isRead(element.name(), attribute)) {
        diagnostics.note(
            "unknown-attribute",
            element.location(),
            "<%s>: attribute %s means nothing to NCCL %s"
                .formatted(element.name(), attribute, profile.version()));
      }
    }
    for (XmlElement child : element.elements()) {
      if (Vocabulary.TOPOLOGY.isReadInside(element.name(), child.name())) {
        checkNames(child, diagnostics);
      } else {
        misplaced(element, child, diagnostics);
      }
    }
  }

  private boolean isRead(String element, String attribute) {
    return Vocabulary.TOPOLOGY.isAttribute(element, attribute)
        || profile.xml().readsFurther(element, attribute);
  }

  private void misplaced(XmlElement parent, XmlElement child, Diagnostics diagnostics) {
    String known = String.join(", ", Vocabulary.TOPOLOGY.childrenOf(parent.name()));
    String expected =
        "inside <%s> NCCL reads %s".formatted(parent.name(), known.isEmpty() ? "nothing" : known);
    if (!Vocabulary.TOPOLOGY.isElement(child.name()) && unknown == UnknownElements.REJECTED) {
      throw child.error("unknown element; " + expected);
    }
    diagnostics.warn(
        "ignored-element",
        child.location(),
        "<" + child.name() + ">: NCCL ignores this element; " + expected);
  }

  /**
   * The {@code <system>} element from which a topology was built.
   *
   * @param reader builds the topology
   * @param selection the GPUs that take part
   */
  record SystemSource(
      TopologyReader reader, XmlElement system, GpuSelection selection, boolean isMoved)
      implements Topology.Source {
    @Override
    public Optional<Topology> seen(
        Topology separate, Optional<NicMerging> merging, Optional<String> hcas) {
      Optional<XmlElement> filtered = hcas.flatMap(list -> HcaFilter.apply(system, list, separate));
      Optional<Topology> merged =
          merging
              .flatMap(rules -> PortMerger.merge(filtered.orElse(system), rules, portMerging()))
              .map(this::merged);
      return merged.isPresent() ? merged : filtered.map(this::made);
    }

    /**
     * The version's merging; if it is unknown, one that shows whether any ports would be merged.
     */
    private PortMerging portMerging() {
      return reader.profile.topology().portMerging.orElse(PortMerging.WIDENED);
    }

    private Topology merged(XmlElement after) {
      if (reader.profile.topology().portMerging.isEmpty()) {
        throw UnusableTopologyException.withoutRules(
            "merged ports are not modelled for NCCL "
                + reader.profile.version()
                + ": expected 2.19.3 to 2.31.2, or NCCL_IB_MERGE_NICS=0");
      }
      return made(after);
    }

    /** The topology in the order of the file. */
    Topology ofFile() {
      return reader.inFileOrder().build(system, selection, new Diagnostics()).topology;
    }

    private Topology made(XmlElement after) {
      return reader.build(after, selection, new Diagnostics()).topology;
    }
  }
}
