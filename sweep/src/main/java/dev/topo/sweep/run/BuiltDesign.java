package dev.topo.sweep.run;

import dev.topo.inspect.caveat.CaveatJob.Subject;
import dev.topo.inspect.edit.EditApplier;
import dev.topo.inspect.edit.EditedMachine;
import dev.topo.model.Topology;
import dev.topo.model.diagnostic.Diagnostics;
import dev.topo.model.job.GpuSelection;
import dev.topo.model.job.Machine;
import dev.topo.model.node.NetNode;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlElement;
import dev.topo.search.rules.NcclProfile;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.topology.TopologyReader;
import dev.topo.sweep.plan.Design;
import dev.topo.sweep.plan.SpecFiles;
import dev.topo.tuning.cost.EnablingRules;

/**
 * A design as NCCL sees it.
 *
 * @param design the design
 * @param rules the rules of its NCCL
 * @param machine its machine
 * @param before its machine before edits, as caveats have it
 * @param after its machine after edits, likewise
 * @param nics network cards
 */
record BuiltDesign(
    Design design, ReleaseRules rules, Machine machine, Subject before, Subject after, int nics) {
  private static final int GBPS_PER_GIGABYTE = 8;

  /**
   * Edits the machine of a design.
   *
   * @param usual the rules where no edit names a release
   * @throws dev.topo.model.diagnostic.TopologyFormatException if an edit does not fit the machine
   * @throws dev.topo.model.settings.SettingException if a setting cannot be used
   * @throws dev.topo.model.job.UnusableTopologyException if NCCL would not start
   */
  static BuiltDesign of(Design design, SpecFiles files, ReleaseRules usual) {
    XmlDocument asRead = files.document(design.machine().file());
    EditedMachine after =
        new EditApplier(files::document, document -> read(document, usual.profile()))
            .apply(EditedMachine.of(asRead, NcclSettings.DEFAULTS), design.edits());
    ReleaseRules rules = after.nccl().orElse(usual);
    EnablingRules.check(rules.profile(), after.settings());
    Topology topology = read(after.machine(), rules.profile());
    String name = design.machine().name();
    XmlElement root = after.machine().root();
    return new BuiltDesign(
        design,
        rules,
        new Machine(topology, after.settings()),
        new Subject(name, read(asRead, rules.profile()), asRead.root(), false),
        new Subject(name, topology, root, statesNvlinks(design)),
        cards(root));
  }

  private static Topology read(XmlDocument document, NcclProfile profile) {
    return new TopologyReader(false, profile).map(document, GpuSelection.ALL, new Diagnostics());
  }

  /** Whether NVLinks are as the user states them, even where there are none. */
  private static boolean statesNvlinks(Design design) {
    return design.edits().stream().anyMatch(edit -> edit.text().contains("nvlink"));
  }

  private static int cards(XmlElement element) {
    boolean isCard = element.name().equals("nic") && !element.elements("net").isEmpty();
    return (isCard ? 1 : 0) + element.elements().stream().mapToInt(BuiltDesign::cards).sum();
  }

  /** The rate of all network ports in Gb/s. */
  double nicGbps() {
    return GBPS_PER_GIGABYTE
        * machine.topology().nets().stream().mapToDouble(NetNode::bwGBps).sum();
  }
}
