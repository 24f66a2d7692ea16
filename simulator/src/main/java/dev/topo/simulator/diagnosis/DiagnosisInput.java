package dev.topo.simulator.diagnosis;

import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Collective;
import dev.topo.model.xml.XmlDocument;
import dev.topo.search.rules.ReleaseRules;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The known facts of a bad measurement.
 *
 * @param texts files of one job: measurements, and logs of NCCL
 * @param collective the collective of rows that no text names; empty if the user names none
 * @param machine the machine of the job; empty if it is to be derived from the texts
 * @param gpus the GPUs of a node that take part
 * @param nodes number of nodes; empty for that of the files, or as many as the ranks need
 * @param gpusPerProcess GPUs that one process launches kernels for; empty for that of the files
 * @param settings NCCL's settings that the user names
 * @param rules the rules of the release that the user names; empty for that of the files
 */
public record DiagnosisInput(
    List<RunText> texts,
    Optional<Collective> collective,
    Optional<XmlDocument> machine,
    GpuSelection gpus,
    OptionalInt nodes,
    OptionalInt gpusPerProcess,
    NcclSettings settings,
    Optional<ReleaseRules> rules) {
  public DiagnosisInput {
    texts = List.copyOf(texts);
  }
}
