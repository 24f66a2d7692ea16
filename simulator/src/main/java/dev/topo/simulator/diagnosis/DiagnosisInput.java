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
 * Known facts about a bad measurement.
 *
 * @param texts files of one job: measurements and NCCL logs
 * @param collective collective of rows without one in their text; empty if the user names none
 * @param machine machine of the job; empty to derive it from the texts
 * @param gpus GPUs of a node that take part
 * @param nodes number of nodes; empty for that of the files, or as many as the ranks need
 * @param gpusPerProcess GPUs for which one process launches kernels; empty for the number in the
 *     files
 * @param settings NCCL settings from the user
 * @param rules rules of the release from the user; empty for that of the files
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
