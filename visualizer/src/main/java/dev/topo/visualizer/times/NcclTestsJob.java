package dev.topo.visualizer.times;

import dev.topo.model.QuantityFormat;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.Operation;
import java.util.List;

/**
 * How nccl-tests measures the calls of a job.
 *
 * @param nodes number of nodes, with equally many ranks
 * @param ranks number of ranks
 * @param perProcess GPUs of a process, as nccl-tests' -g
 * @param settings settings of NCCL
 * @param sizes the options for sizes and repeats
 */
public record NcclTestsJob(
    int nodes, int ranks, int perProcess, NcclSettings settings, String sizes) {
  /** The command line for Open MPI. */
  String mpirun(Operation operation) {
    return "mpirun -np %s --map-by ppr:%s:node %s%s"
        .formatted(ranks / perProcess, perNode(), settings("-x "), test(operation));
  }

  /** The command line for Slurm. */
  String srun(Operation operation) {
    return "%ssrun -N %s --ntasks-per-node %s %s"
        .formatted(settings(""), nodes, perNode(), test(operation));
  }

  /** The settings, each after an option of its own. */
  private String settings(String option) {
    return QuantityFormat.joined(
        "",
        settings.values().entrySet(),
        entry -> "%s%s=%s ".formatted(option, entry.getKey(), entry.getValue()));
  }

  private int perNode() {
    return ranks / nodes / perProcess;
  }

  private String test(Operation operation) {
    return "%s_perf %s%s"
        .formatted(operation.ncclTestsName(), sizes, perProcess == 1 ? "" : " -g " + perProcess);
  }

  /**
   * The runs that {@code topo check} wants, as commands.
   *
   * @param check the command that judges them
   */
  public String gate(List<Operation> operations, String check) {
    return QuantityFormat.joined(
            "",
            operations,
            operation -> "%s > %s.txt\n".formatted(mpirun(operation), operation.ncclTestsName()))
        + "# with Slurm: %s\n%s\n".formatted(srun(operations.get(0)), check);
  }
}
