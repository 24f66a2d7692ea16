package dev.topo.hw.probe;

import dev.topo.model.io.Diagnostic;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.List;

/**
 * Topology of a machine.
 *
 * @param system the topology, as NCCL writes it to the file of {@code NCCL_TOPO_DUMP_FILE}
 */
public record ProbeResult(
    XmlElement system, List<Diagnostic> diagnostics, MachineObservation observation) {
  public ProbeResult {
    diagnostics = List.copyOf(diagnostics);
  }
}
