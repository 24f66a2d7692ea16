package dev.topo.cli;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.OutputOptions;
import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress.Task;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * The topology files of a command. Each file has an answer of its own, or all of them describe one
 * job. If a file cannot be used, the other files are still answered, and the exit status shows the
 * failure.
 */
final class FileAnswers {
  /** Stands for the input if {@code --node} lists the machines of the job. */
  private static final Path JOB = Path.of("job");

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "Topology files in the format of NCCL_TOPO_FILE and NCCL_TOPO_DUMP_FILE.")
  private List<Path> files = new ArrayList<>();

  @Mixin private OutputOptions output = new OutputOptions();
  private boolean hasFailedCheck;

  /** Sets the exit status for a failed check or an empty result if the condition is true. */
  void checkFailedIf(boolean isFailed) {
    hasFailedCheck |= isFailed;
  }

  /** Writes an answer about each machine; returns the exit status. */
  int writeMachines(
      MachineQuestion question, Format format, Function<AskedMachine, Answer> answering) {
    NcclSettings settings = question.settings();
    return write(
        question,
        false,
        format,
        asked -> answering.apply(new AskedMachine(question, asked, settings, question.rules())));
  }

  /** Writes an answer about each job; returns the exit status. */
  int write(JobQuestion question, Format format, Function<AskedJob, Answer> answering) {
    NcclSettings settings = question.settings();
    return write(
        question,
        question.job().hasNodeList(),
        format,
        asked -> answering.apply(question.asked(asked, settings)));
  }

  private int write(
      MachineQuestion question,
      boolean isListed,
      Format format,
      Function<List<Path>, Answer> answering) {
    refuseIf(files.isEmpty() && !isListed, "expected a topology FILE (--help shows an example)");
    Subcommand command = question.command();
    List<Path> inputs = isListed ? List.of(JOB) : files;
    OutputPlan plan = output.plan(inputs, format, command.context());
    int status = ExitStatus.DONE;
    boolean isFirst = true;
    try (Task task = command.begin("file", inputs.size())) {
      for (Path file : inputs) {
        task.next();
        try {
          Answer answer = answering.apply(isListed ? files : List.of(file));
          boolean needsGap = plan.isShared() && !isFirst;
          plan.write(file, needsGap ? Answer.join(List.of(Answer.of(""), answer), "\n") : answer);
          isFirst = false;
        } catch (TopologyFormatException | UnusableTopologyException | NothingFoundException e) {
          if (isListed) {
            throw e;
          }
          status = Math.max(status, command.failed(file, e));
        }
      }
    }
    return status == ExitStatus.DONE && hasFailedCheck ? ExitStatus.NO : status;
  }
}
