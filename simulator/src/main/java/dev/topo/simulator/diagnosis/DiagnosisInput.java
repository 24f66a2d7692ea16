package dev.topo.simulator.diagnosis;

import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Operation;
import dev.topo.model.xml.XmlDocument;
import dev.topo.search.rules.ReleaseRules;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Input of a diagnosis: the files of a run and what the user states about it.
 *
 * @param texts files of one job: measurements and NCCL logs
 * @param operation operation of the rows whose file names none; empty if the user names none
 * @param machine node of the job; empty to derive it from the texts
 * @param gpus GPUs of a node that take part
 * @param nodes number of nodes; if empty, that of the files or as many as the ranks need
 * @param gpusPerProcess GPUs for which one process launches kernels; if empty, the number in the
 *     files
 * @param settings NCCL settings from the user
 * @param rules rules of the release that the user states; if empty, that of the files
 */
public record DiagnosisInput(
    List<RunText> texts,
    Optional<Operation> operation,
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
