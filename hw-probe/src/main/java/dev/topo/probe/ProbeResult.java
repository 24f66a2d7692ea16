package dev.topo.probe;

import dev.topo.model.diagnostic.Diagnostic;
import dev.topo.model.xml.XmlElement;
import java.util.List;

/**
 * A machine as NCCL sees it.
 *
 * @param system the topology, as NCCL writes it to the file of {@code NCCL_TOPO_DUMP_FILE}
 * @param diagnostics what is worth knowing about it
 */
public record ProbeResult(
    XmlElement system, List<Diagnostic> diagnostics, MachineObservation observation) {
  public ProbeResult {
    diagnostics = List.copyOf(diagnostics);
  }
}
