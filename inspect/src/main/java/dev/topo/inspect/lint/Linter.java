package dev.topo.inspect.lint;

import dev.topo.inspect.lint.LintFinding.Place;
import dev.topo.inspect.lint.NcclXmlReader.Limits;
import dev.topo.inspect.lint.NcclXmlReader.Reading;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.xml.Vocabulary;
import dev.topo.model.xml.XmlReader;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.topology.RankFusion;
import dev.topo.search.topology.TopologySource;
import dev.topo.search.topology.TopologySource.UnknownElements;
import java.util.List;
import java.util.Optional;

/**
 * Finds problems of a topology, graph, configuration or tuner file, by the rules of NCCL and by
 * experience. Where NCCL's reader would fail, the text is fixed in memory and checked further, so
 * that one call finds everything; input that NCCL's reader rejects always gives an error. Reusable.
 */
public final class Linter {
  private final NcclProfile profile;
  private final Optional<TopologyIndex> machine;

  /** Linter with the default rules and without a machine. */
  public Linter() {
    this(NcclProfile.DEFAULT);
  }

  /** Linter with the rules of a version and without a machine. */
  public Linter(NcclProfile profile) {
    this(profile, Optional.empty());
  }

  private Linter(NcclProfile profile, Optional<TopologyIndex> machine) {
    this.profile = profile;
    this.machine = machine;
  }

  /**
   * Linter that compares files with a machine.
   *
   * @param probe output of {@code topo probe} or NCCL_TOPO_DUMP_FILE on that machine
   * @throws IllegalArgumentException if NCCL could not read it as a topology
   */
  public static Linter against(SourceText probe, NcclProfile profile) {
    Reading reading = new NcclXmlReader(probe.bytes(), Vocabulary.TOPOLOGY, Limits.LOOSE).read();
    Optional<LintElement> system =
        reading.top().stream()
            .filter(element -> element.read() && element.name().equals("system"))
            .findFirst();
    if (reading.refusal().isPresent() || system.isEmpty()) {
      throw new IllegalArgumentException(
          probe.file()
              + ": expected a topology as topo probe writes it"
              + reading.refusal().map(refusal -> ", NCCL says: " + refusal.log()).orElse(""));
    }
    return new Linter(profile, system.map(TopologyIndex::of));
  }

  /** Findings in a file, in its order. */
  public List<LintFinding> lint(SourceText source) {
    return lint(source, FileKind.of(source.file(), source.bytes()));
  }

  /** Findings in a file of a given kind, in its order. */
  public List<LintFinding> lint(SourceText source, FileKind kind) {
    Findings findings = new Findings(source);
    switch (kind) {
      case CONF -> new ConfRules(source, machine, findings).check();
      case TUNER -> new TunerFileRules(machine, profile, findings).check(source);
      case GRAPH -> xml(source, Vocabulary.GRAPH, Limits.GRAPH, "graphs", findings);
      case TOPOLOGY -> xml(source, Vocabulary.TOPOLOGY, limits(source), "system", findings);
    }
    return findings.list();
  }

  /**
   * Limits on the numbers of elements: those of a topology file, or larger ones for the joined
   * topology of an NVLink domain's ranks, which NCCL dumps but never reads ({@code
   * ncclTopoGetSystem}, {@code nccl:src/graph/topo.cc}).
   */
  private Limits limits(SourceText source) {
    Limits ofFile = Limits.of(profile);
    Reading reading = new NcclXmlReader(source.bytes(), Vocabulary.TOPOLOGY, Limits.LOOSE).read();
    return reading.top().stream()
        .filter(element -> element.read() && element.name().equals("system"))
        .findFirst()
        .filter(system -> reading.refusal().isEmpty())
        .map(TopologyIndex::of)
        .filter(TopologyIndex::isNvlinkDomain)
        .map(domain -> new Limits(ofFile.elements() * domain.gpus().size(), ofFile.children()))
        .orElse(ofFile);
  }

  /** Finding for a file that cannot be opened. */
  public static LintFinding missing(String file, String why) {
    LintRule rule = LintRule.FILE_MISSING;
    return LintFinding.of(rule, rule.severity(), Place.of(file), why);
  }

  private void xml(
      SourceText source, Vocabulary kinds, Limits limits, String rootName, Findings findings) {
    SyntaxFixer fixer = new SyntaxFixer(source, kinds, limits, findings);
    Reading reading = fixer.read();
    findings.useOrigins(fixer.text().origin());
    List<LintElement> roots = reading.top().stream().filter(LintElement::read).toList();
    boolean isForeign =
        roots.isEmpty()
            && !reading.top().isEmpty()
            && !kinds.isElement(reading.top().get(0).name());
    if (!fixer.isComplete() && !isForeign) {
      return;
    }
    if (reading.top().isEmpty()) {
      findings.addWhole(LintRule.EMPTY_FILE, "has no element");
      return;
    }
    if (roots.isEmpty()) {
      findings.add(LintRule.WRONG_ROOT, reading.top().get(0), "is not <" + rootName + ">");
      if (isForeign) {
        findings.keepOneOfEachRule();
      }
      return;
    }
    new TagRules(kinds, profile, findings).check("", reading.top());
    LintElement root = roots.get(0);
    roots.forEach(each -> version(each, findings));
    if (roots.size() > 1) {
      findings.add(LintRule.SECOND_SYSTEM, roots.get(1), "is the second");
    }
    new NumberRules(kinds, findings).check(root);
    if (kinds == Vocabulary.GRAPH) {
      new GraphRules(machine, findings).check(root);
    } else {
      topology(root, reading.elements(), findings);
      String moved = reorderedDevices(source);
      if (!moved.isEmpty()) {
        findings.add(LintRule.DEVICE_ORDER, root, "changes from " + moved);
      }
    }
  }

  /**
   * Names the devices whose order changes when ranks join their topologies; empty for unusable
   * files, which have errors of their own.
   */
  private String reorderedDevices(SourceText source) {
    try {
      return RankFusion.moved(
          TopologySource.build(
              new XmlReader().read(source.bytes(), source.file()),
              UnknownElements.IGNORED,
              GpuSelection.ALL,
              profile,
              new Diagnostics()));
    } catch (TopologyFormatException | UnusableTopologyException e) {
      return "";
    }
  }

  private static void version(LintElement root, Findings findings) {
    if (root.value("version").isEmpty()) {
      int at = root.offset() + 1 + root.name().length();
      findings.add(
          LintRule.VERSION,
          root.offset(),
          at,
          "<" + root.name() + ">: has no version",
          findings.edit(at, at, " version=\"1\""));
    } else if (root.number("version", 0) != 1) {
      findings.add(LintRule.VERSION, root, "version", "expected 1");
    }
  }

  private void topology(LintElement system, int elements, Findings findings) {
    TopologyIndex index = TopologyIndex.of(system);

    new DeviceRules(index, findings, profile).check();
    new CompletenessRules(index, findings).check();
    new IdentityRules(index, findings).check();
    new LinkRules(index, findings).check();
    new MachineShapeRules(index, findings, profile).check(system, elements);
    machine.ifPresent(real -> new MachineRules(system, index, real, findings).check());
  }
}
