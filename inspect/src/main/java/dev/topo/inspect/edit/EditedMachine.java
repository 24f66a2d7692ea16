package dev.topo.inspect.edit;

import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.topology.DeclaredTopology;
import java.util.Optional;

/**
 * Machine and the settings of its processes after edits.
 *
 * @param machine the actual machine
 * @param declared the file of NCCL_TOPO_FILE, if an edit sets it
 * @param settings the settings
 * @param nccl the release of NCCL, if an edit sets it
 */
public record EditedMachine(
    XmlDocument machine,
    Optional<XmlDocument> declared,
    NcclSettings settings,
    Optional<ReleaseRules> nccl) {
  /** Machine without edits. */
  public static EditedMachine of(XmlDocument machine, NcclSettings settings) {
    return new EditedMachine(machine, Optional.empty(), settings, Optional.empty());
  }

  /** Machine as NCCL sees it. */
  public XmlDocument seen() {
    return declared
        .map(
            file ->
                new XmlDocument(
                    file.before(),
                    DeclaredTopology.of(file.root(), machine.root(), GpuSelection.ALL).system(),
                    file.after()))
        .orElse(machine);
  }
}
