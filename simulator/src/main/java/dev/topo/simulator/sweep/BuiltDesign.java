package dev.topo.simulator.sweep;

import dev.topo.inspect.caveat.CaveatCollector.CaveatJob.Subject;
import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Topology;
import dev.topo.model.io.Diagnostic;
import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.job.Machine;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingCatalog.SettingScope;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.rules.SettingVersions;
import dev.topo.search.topology.TopologySource;
import dev.topo.search.topology.TopologySource.UnknownElements;
import dev.topo.search.tuning.EnablingRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A design as NCCL sees it: its machine after edits.
 *
 * @param rules rules of the design's NCCL release
 * @param file contents of the topology file after edits
 * @param before the machine before edits, for caveats
 * @param after the machine after edits, for caveats
 * @param nics network cards of a node; in an NVLink domain the mean, rounded up
 * @param warnings warnings about the topology file and the settings
 */
record BuiltDesign(
    Design design,
    ReleaseRules rules,
    XmlDocument file,
    Machine machine,
    Subject before,
    Subject after,
    int nics,
    List<String> warnings) {
  private static final int GBPS_PER_GIGABYTE = 8;

  BuiltDesign {
    warnings = List.copyOf(warnings);
  }

  /**
   * Edits the machine of a design and builds its topology.
   *
   * @param usual the rules to use unless an edit names a release
   * @throws dev.topo.model.io.TopologyFormatException if an edit does not fit the machine
   * @throws dev.topo.model.job.SettingException if a setting cannot be used
   * @throws dev.topo.model.job.UnusableTopologyException if NCCL would not start
   */
  static BuiltDesign of(Design design, SpecFiles files, ReleaseRules usual) {
    int hosts = design.machine().hosts();
    XmlDocument asRead = files.document(design.machine().file(), hosts);
    EditedMachine after =
        new EditApplier(
                other -> files.document(other, hosts), document -> read(document, usual.profile()))
            .apply(EditedMachine.of(asRead, NcclSettings.DEFAULTS), design.edits());
    ReleaseRules rules = after.nccl().orElse(usual);
    EnablingRules.check(rules.profile(), after.settings());
    Diagnostics found = new Diagnostics();
    Topology topology = read(after.machine(), rules.profile(), GpuSelection.ALL, found);
    String name = design.machine().name();
    XmlElement root = after.machine().root();
    return new BuiltDesign(
        design,
        rules,
        after.machine(),
        new Machine(topology, after.settings()),
        new Subject(name, read(asRead, rules.profile()), asRead.root(), false),
        new Subject(name, topology, root, statesNvlinks(design)),
        (cards(root) + hosts - 1) / hosts,
        warnings(found, after.settings(), rules));
  }

  /** Warnings about the file, and the settings that the release ignores. */
  private static List<String> warnings(
      Diagnostics found, NcclSettings settings, ReleaseRules rules) {
    List<String> warnings = new ArrayList<>();
    for (Diagnostic diagnostic : found.list()) {
      if (diagnostic.severity() == Severity.WARNING) {
        warnings.add(diagnostic.message());
      }
    }
    for (String name : new TreeSet<>(settings.values().keySet())) {
      SettingVersions.absence(name, rules.profile())
          .ifPresent(
              why ->
                  warnings.add(
                      "%s ignored: NCCL %s has no such setting, it %s"
                          .formatted(name, rules.named(), why)));
    }
    for (String name : settings.names(Set.of(SettingScope.NO_INFLUENCE))) {
      warnings.add(name + " ignored: no effect on what topo models");
    }
    return warnings;
  }

  private static Topology read(XmlDocument document, NcclProfile profile) {
    return read(document, profile, GpuSelection.ALL, new Diagnostics());
  }

  private static Topology read(
      XmlDocument document, NcclProfile profile, GpuSelection gpus, Diagnostics found) {
    return TopologySource.build(document, UnknownElements.REJECTED, gpus, profile, found);
  }

  /** True if edits state the NVLinks, even if there are none. */
  private static boolean statesNvlinks(Design design) {
    return design.edits().stream().anyMatch(edit -> edit.text().contains("nvlink"));
  }

  private static int cards(XmlElement element) {
    boolean isCard = element.name().equals("nic") && !element.elements("net").isEmpty();
    return (isCard ? 1 : 0) + element.elements().stream().mapToInt(BuiltDesign::cards).sum();
  }

  /** The machine with only the GPUs of the given device numbers. */
  Topology only(Set<Integer> devices) {
    return read(file, rules.profile(), GpuSelection.of(devices), new Diagnostics());
  }

  /** Total rate of the network ports of a node in Gb/s; in an NVLink domain the mean. */
  double nicGbps() {
    return GBPS_PER_GIGABYTE
        / (double) design.machine().hosts()
        * machine.topology().nets().stream().mapToDouble(NetNode::bwGBps).sum();
  }
}
