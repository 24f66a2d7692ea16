package dev.topo.inspect.edit;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.xml.XmlDocument;
import dev.topo.search.rules.ReleaseRules;
import java.util.Optional;

/**
 * A machine and the settings of its processes after edits.
 *
 * @param machine the machine that is there
 * @param declared what NCCL_TOPO_FILE declares it to be, if an edit sets that
 * @param settings the settings
 * @param nccl the release of NCCL, if an edit sets that
 */
public record EditedMachine(
    XmlDocument machine,
    Optional<XmlDocument> declared,
    NcclSettings settings,
    Optional<ReleaseRules> nccl) {
  /** A machine without edits. */
  public static EditedMachine of(XmlDocument machine, NcclSettings settings) {
    return new EditedMachine(machine, Optional.empty(), settings, Optional.empty());
  }

  /** The machine as NCCL sees it. */
  public XmlDocument seen() {
    return declared.orElse(machine);
  }
}
