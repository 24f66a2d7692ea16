package dev.topo.cli;

import dev.topo.cli.option.InputMachines;
import dev.topo.cli.option.InputOptions;
import dev.topo.cli.option.OutputOptions;
import dev.topo.cli.option.OutputOptions.Format;
import dev.topo.cli.option.SettingOptions;
import dev.topo.cli.option.VersionOptions;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress;
import dev.topo.inspect.caveat.CaveatCollector;
import dev.topo.model.Topology;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/**
 * A command about each of several machines, or about a job of them. A file that cannot be used does
 * not prevent the output for the others, but is reflected in the exit status.
 */
abstract class MachineCommand extends Subcommand {
  /** Name of an answer about a job of several files. */
  private static final Path JOB = Path.of("job");

  @Parameters(
      paramLabel = "FILE",
      arity = "0..*",
      description = "Topology files in the format of NCCL_TOPO_FILE and NCCL_TOPO_DUMP_FILE.")
  private List<Path> files = new ArrayList<>();

  @Mixin private InputOptions input = new InputOptions();
  @Mixin private VersionOptions version = new VersionOptions();
  @Mixin private SettingOptions setting = new SettingOptions();
  @Mixin private OutputOptions output = new OutputOptions();

  private @Nullable CaveatCollector caveats;
  private boolean isNo;

  /** The format of the answer, the value of the command's {@code --format}. */
  Format format() {
    return spec().findOption("--format").getValue();
  }

  /**
   * The answer about one file, or about the job that the options describe.
   *
   * @param topologyFiles one file, or none where the job is described by options alone
   */
  abstract Answer answer(List<Path> topologyFiles, NcclSettings settings);

  /** True if options describe a job without a file. */
  boolean needsNoFile() {
    return false;
  }

  /** To be called if a check failed or nothing was found, which sets the exit status. */
  void checkFailedIf(boolean isFailed) {
    isNo |= isFailed;
  }

  /** True if it is about a job, in which NCCL follows NCCL_TOPO_FILE. */
  boolean isAboutJob() {
    return false;
  }

  /** The caveats of the answer, which are put into it. */
  CaveatCollector caveats() {
    if (caveats == null) {
      caveats = machines().caveats(version::rules);
    }
    return caveats;
  }

  VersionOptions version() {
    return version;
  }

  /** The topology of a file with the selected GPUs, by the rules that the answer follows. */
  Topology topology(Path file) {
    return machines().topology(file, version.profile());
  }

  InputOptions input() {
    return input;
  }

  /** The machines of the files. */
  InputMachines machines() {
    return input.machines(inputs(), streams());
  }

  OutputOptions output() {
    return output;
  }

  /** Settings that its answers follow although those of other commands do not. */
  Set<String> followed() {
    return Set.of();
  }

  @Override
  public Integer call() {
    NcclSettings settings =
        isAboutJob()
            ? setting.forJob(environment(), version.rules(), streams(), followed())
            : setting.forModel(environment(), version.rules(), streams());
    if (files.isEmpty() && !needsNoFile()) {
      throw new SettingException("expected a topology FILE (--help shows an example)");
    }
    boolean isOne = files.isEmpty() || needsNoFile();
    List<Path> questions = isOne ? List.of(JOB) : files;
    OutputPlan plan =
        output.plan(questions, format().extension(), format().isText(), inputs(), streams());
    int status = ExitStatus.DONE;
    boolean first = true;
    try (Progress.Task task = begin("file", questions.size())) {
      for (Path question : questions) {
        task.next();
        try {
          caveats().clear();
          Answer bare = answer(isOne ? files : List.of(question), settings);
          Answer answer =
              rendered(bare, envelope(version.rules(), caveats().list()), format().name());
          boolean gap = plan.isShared() && !first;
          plan.write(question, gap ? Answer.join(List.of(Answer.of(""), answer), "\n") : answer);
          first = false;
        } catch (TopologyFormatException | UnusableTopologyException | NothingFoundException e) {
          if (isOne) {
            throw e;
          }
          status = Math.max(status, failed(question, e));
        }
      }
    }
    return status == ExitStatus.DONE && isNo ? ExitStatus.NO : status;
  }
}
