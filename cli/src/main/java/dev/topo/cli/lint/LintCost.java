package dev.topo.cli.lint;

import dev.topo.model.Topology;
import dev.topo.model.diagnostic.Diagnostics;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.lint.finding.LintFinding;
import dev.topo.model.lint.finding.Outcome;
import dev.topo.model.lint.finding.Subject;
import dev.topo.model.lint.text.SourceText;
import dev.topo.model.path.Domain;
import dev.topo.model.path.DomainFinder;
import dev.topo.model.path.UnusableTopologyException;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.xml.GpuSelection;
import dev.topo.model.xml.TopologyReader;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.GraphSearch;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/**
 * What a finding costs: the rings that NCCL would find with the file as it is, and with the file
 * mended or the machine's own topology. Nothing is said where both are equal or one cannot be
 * searched.
 */
public final class LintCost {
  private final Optional<SourceText> machine;

  /** Costs beside those of a machine, if one is known. */
  public LintCost(Optional<SourceText> machine) {
    this.machine = machine;
  }

  /** The findings, with what they cost where that can be told. */
  public List<LintFinding> add(SourceText source, List<LintFinding> findings) {
    if (findings.stream().noneMatch(this::mayCost)) {
      return findings;
    }
    String own = rings(source);
    if (own.isEmpty()) {
      return findings;
    }
    String there = machine.map(LintCost::rings).orElse("");
    return findings.stream()
        .map(finding -> mayCost(finding) ? withCost(finding, source, own, there) : finding)
        .toList();
  }

  private boolean mayCost(LintFinding finding) {
    Outcome outcome = finding.rule().outcome();
    boolean counts = outcome != Outcome.FAILS && outcome != Outcome.ACCEPTS;
    return counts
        && (finding.rule().subject() == Subject.MACHINE
            || (finding.rule().subject() == Subject.TOPOLOGY && !finding.edits().isEmpty()));
  }

  private static LintFinding withCost(
      LintFinding finding, SourceText source, String own, String machine) {
    boolean isMachine = finding.rule().subject() == Subject.MACHINE;
    String other = isMachine ? machine : rings(source.edited(finding.edits()));
    if (other.isEmpty() || other.equals(own)) {
      return finding;
    }
    return finding.withNccl(
        finding.nccl()
            + "; rings with this file: "
            + own
            + (isMachine ? "; with the machine's own topology: " : "; mended: ")
            + other);
  }

  /** The rings of one node and of two, in a few words; empty if they cannot be searched. */
  private static String rings(SourceText source) {
    try {
      Topology topology =
          new TopologyReader(true)
              .map(
                  new XmlReader().read(source.bytes(), source.file()),
                  GpuSelection.ALL,
                  new Diagnostics());
      String one = ring(topology, false);
      return topology.nets().isEmpty()
          ? one
          : one + " on one node, " + ring(topology, true) + " between nodes";
    } catch (TopologyFormatException | UnusableTopologyException e) {
      return "";
    }
  }

  private static String ring(Topology topology, boolean manyNodes) {
    List<Domain> domains = DomainFinder.find(topology, NcclSettings.DEFAULTS, manyNodes);
    ChannelGraph ring =
        GraphSearch.findAll(domains.get(0), NcclSettings.DEFAULTS).get(GraphKind.RING);
    float bw = manyNodes ? ring.bwInter() : ring.bwIntra();
    return ring.nChannels()
        + " x "
        + new BigDecimal(Float.toString(bw)).stripTrailingZeros().toPlainString()
        + " GB/s over "
        + (manyNodes ? ring.typeInter() : ring.typeIntra());
  }
}
