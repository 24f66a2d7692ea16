package dev.topo.cli;

import dev.topo.cli.option.OutputOptions;
import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * The topology files of a command, with an answer about each of them, or one about a job of them. A
 * file that cannot be used does not prevent the output for the others, but is reflected in the exit
 * status.
 */
final class FileAnswers {
  /** Name of an answer about a job of several files. */
  private static final Path JOB = Path.of("job");

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "Topology files in the format of NCCL_TOPO_FILE and NCCL_TOPO_DUMP_FILE.")
  private List<Path> files = new ArrayList<>();

  @Mixin private OutputOptions output = new OutputOptions();
  private boolean isNo;

  /** Where the answers go. */
  OutputOptions output() {
    return output;
  }

  /** To be called if a check failed or nothing was found, which sets the exit status. */
  void checkFailedIf(boolean isFailed) {
    isNo |= isFailed;
  }

  /** Writes the answers about machines; returns the exit status. */
  int writeMachines(
      MachineQuestion question, Format format, Function<AskedMachine, Answer> answering) {
    NcclSettings settings = question.settings();
    return write(
        question,
        false,
        format,
        asked -> answering.apply(new AskedMachine(question, asked, settings, question.rules())));
  }

  /** Writes the answers about jobs; returns the exit status. */
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
    if (files.isEmpty() && !isListed) {
      throw new SettingException("expected a topology FILE (--help shows an example)");
    }
    Subcommand command = question.command();
    List<Path> questions = isListed ? List.of(JOB) : files;
    OutputPlan plan =
        output.plan(
            questions, format.extension(), format.isText(), command.inputs(), command.streams());
    int status = ExitStatus.DONE;
    boolean first = true;
    try (Progress.Task task = command.begin("file", questions.size())) {
      for (Path file : questions) {
        task.next();
        try {
          Answer answer = answering.apply(isListed ? files : List.of(file));
          boolean gap = plan.isShared() && !first;
          plan.write(file, gap ? Answer.join(List.of(Answer.of(""), answer), "\n") : answer);
          first = false;
        } catch (TopologyFormatException | UnusableTopologyException | NothingFoundException e) {
          if (isListed) {
            throw e;
          }
          status = Math.max(status, command.failed(file, e));
        }
      }
    }
    return status == ExitStatus.DONE && isNo ? ExitStatus.NO : status;
  }
}
