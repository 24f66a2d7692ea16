package dev.topo.simulator.verdict;

import dev.topo.inspect.lint.LintFinding;
import dev.topo.inspect.lint.LintRule;
import dev.topo.inspect.lint.SourceText;
import dev.topo.inspect.lint.Subject;
import dev.topo.inspect.lint.TextEdit;
import dev.topo.model.Topology;
import dev.topo.model.graph.ChannelGraph;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.TopologySource;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.simulator.evaluate.JobEvaluator;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The cost of a finding. It compares the rings that NCCL finds with the file as it is with those of
 * the fixed file or of the machine's own topology, and adds the busbw where a calibration fits.
 * There is no cost if the rings are equal or one of the topologies cannot be searched.
 *
 * @param machine the machine's own topology, if known
 * @param allFixes the way to apply all safe fixes, for messages
 */
public record FindingCost(
    Optional<SourceText> machine, NcclProfile profile, JobEvaluator evaluator, String allFixes) {
  /**
   * Adds the total cost to the findings where it can be determined: that of differences from the
   * machine to the first such finding, and that of errors with safe fixes to the first of those.
   */
  public List<LintFinding> add(SourceText source, List<LintFinding> findings) {
    Optional<LintFinding> against = first(findings, FindingCost::isAgainstMachine);
    Optional<LintFinding> fixable = first(findings, FindingCost::isFixable);
    if (against.isEmpty() && fixable.isEmpty()) {
      return findings;
    }
    Optional<Topology> file = topology(source);
    if (file.isEmpty()) {
      return findings;
    }
    String machineCost = against.isEmpty() ? "" : machineDifference(file.get());
    Optional<Topology> fixed =
        fixable.isEmpty() ? Optional.empty() : topology(source.edited(edits(findings)));
    String fixCost =
        fixed.map(other -> difference(file.get(), "with " + allFixes, other)).orElse("");
    List<LintFinding> priced = new ArrayList<>();
    for (LintFinding finding : findings) {
      String cost =
          (against.equals(Optional.of(finding)) ? machineCost : "")
              + (fixable.equals(Optional.of(finding)) ? fixCost : "");
      priced.add(cost.isEmpty() ? finding : finding.withNccl(finding.nccl() + cost));
    }
    return priced;
  }

  /** Adds the time changes by the rows of a tuner file to its findings, if a machine is known. */
  List<LintFinding> withTimes(SourceText source, List<LintFinding> findings) {
    Set<Integer> dead =
        findings.stream()
            .filter(finding -> finding.rule() == LintRule.TUNER_DEAD)
            .map(finding -> finding.place().line())
            .collect(Collectors.toSet());
    return Stream.concat(findings.stream(), times(source, dead).stream())
        .sorted(Comparator.comparingInt(finding -> finding.place().line()))
        .toList();
  }

  private List<LintFinding> times(SourceText source, Set<Integer> dead) {
    try {
      return machine
          .flatMap(this::topology)
          .map(topology -> new TunerFileCost(topology, profile, evaluator).of(source, dead))
          .orElse(List.of());
    } catch (UnusableTopologyException e) {
      return List.of();
    }
  }

  private String machineDifference(Topology file) {
    Optional<Topology> actual = machine.flatMap(this::topology);
    if (actual.isEmpty()) {
      return "";
    }
    return difference(file, "with the machine's own topology", actual.get())
        + new DeclaredFileCost(evaluator, profile).of(file, actual.get());
  }

  private String difference(Topology file, String with, Topology other) {
    String ofFile = rings(file);
    String ofOther = rings(other);
    return ofFile.isEmpty() || ofOther.isEmpty() || ofFile.equals(ofOther)
        ? ""
        : "; rings with this file: " + ofFile + "; " + with + ": " + ofOther;
  }

  private static Optional<LintFinding> first(
      List<LintFinding> findings, Predicate<LintFinding> condition) {
    return findings.stream().filter(condition).findFirst();
  }

  private static List<TextEdit> edits(List<LintFinding> findings) {
    return findings.stream().flatMap(finding -> finding.edits().stream()).toList();
  }

  private static boolean isAgainstMachine(LintFinding finding) {
    return finding.rule().subject() == Subject.MACHINE;
  }

  private static boolean isFixable(LintFinding finding) {
    return finding.rule().subject() == Subject.TOPOLOGY && !finding.edits().isEmpty();
  }

  /** Builds the topology of a file; empty if the file is unusable. */
  Optional<Topology> topology(SourceText source) {
    try {
      return Optional.of(
          TopologySource.build(
              new XmlReader().read(source.bytes(), source.file()),
              UnknownElements.IGNORED,
              GpuSelection.ALL,
              profile,
              new Diagnostics()));
    } catch (TopologyFormatException e) {
      return Optional.empty();
    }
  }

  /**
   * Describes the rings of one node and, if it has ports, of several nodes; empty if they cannot be
   * searched.
   */
  private String rings(Topology topology) {
    try {
      String one = ring(topology, false);
      return topology.nets().isEmpty()
          ? one
          : one + " on one node, " + ring(topology, true) + " between nodes";
    } catch (UnusableTopologyException e) {
      return "";
    }
  }

  private String ring(Topology topology, boolean manyNodes) {
    ChannelGraph ring =
        evaluator
            .graphs(topology, NcclSettings.DEFAULTS, manyNodes, profile)
            .get(0)
            .graphs()
            .get(GraphKind.RING);
    float bw = manyNodes ? ring.bwInter() : ring.bwIntra();
    return ring.nChannels()
        + " x "
        + new BigDecimal(Float.toString(bw)).stripTrailingZeros().toPlainString()
        + " GB/s over "
        + (manyNodes ? ring.typeInter() : ring.typeIntra());
  }
}
