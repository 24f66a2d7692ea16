package dev.topo.cli;

import dev.topo.cli.option.OutputFile;
import dev.topo.cli.option.OutputOptions.BriefOption;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.hw.library.ElfFormatException;
import dev.topo.hw.library.PythonEnvironmentException;
import dev.topo.hw.probe.Doctor;
import dev.topo.hw.probe.DoctorReport;
import dev.topo.hw.probe.DoctorRequest;
import dev.topo.hw.sysfs.FileTree;
import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.search.rules.NcclProfile;
import dev.topo.visualizer.hardware.DoctorOutput;
import dev.topo.visualizer.view.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code topo doctor}: shows which NCCL would run on a machine, and what is wrong there. */
@Command(
    name = "doctor",
    description = {
      "Which NCCL would be loaded here and why, and what is wrong.",
      "Also shows driver and CUDA, plugins, settings and their effects, GPUs and NICs, GPUDirect RDMA",
      "and limits. Neither loads NCCL nor starts a program; a GPU is not required."
    })
final class DoctorCommand extends Subcommand {
  /** Home folder of root, the default user of processes in a container image. */
  private static final String ROOT_HOME = "/root";

  @Option(
      names = "--program",
      paramLabel = "FILE",
      description = "Show which NCCL this program would load; may be repeated.")
  private List<String> programs = new ArrayList<>();

  @Option(
      names = "--python",
      paramLabel = "PATH",
      description =
          "Show which NCCL PyTorch would load: an interpreter, the folder of a virtual or Conda environment, or a"
              + " site-packages folder; may be repeated.")
  private List<String> pythons = new ArrayList<>();

  @Mixin private ProcessVariables variables = new ProcessVariables();
  @Mixin private BriefOption brief = new BriefOption();

  @Option(
      names = "--root",
      paramLabel = "DIR",
      description =
          "Examine the file system in this folder, such as a container image: paths are those inside, and only --env sets"
              + " variables.")
  private @Nullable Path root;

  @Option(names = "--strict", description = "Warnings are errors: exit status 1.")
  private boolean strict;

  @Option(
      names = {"-v", "--verbose"},
      description = "Show all that was found: libraries, devices, limits.")
  private boolean verbose;

  @Option(
      names = "--format",
      description =
          "${COMPLETION-CANDIDATES} (default: by the ending of -o, else ${DEFAULT-VALUE}).")
  private TextOrJson format = TextOrJson.text;

  @Mixin private OutputFile output = new OutputFile();

  @Override
  public Integer call() {
    DoctorReport report;
    try {
      report = doctor().examine(request());
    } catch (ElfFormatException e) {
      message(e.getMessage() + ", expected a program");
      return ExitStatus.BAD_INPUT;
    } catch (PythonEnvironmentException e) {
      message(e.getMessage());
      return ExitStatus.BAD_INPUT;
    }
    Answer answer = DoctorOutput.of(report, format.name(), verbose, NcclProfile.DEFAULT.version());
    OutputPlan plan = output.plan(context());
    plan.write(Path.of("this machine"), rendered(answer, envelope(), format));
    if (!report.missing().isEmpty()) {
      return ExitStatus.MISSING;
    }
    Severity threshold = strict ? Severity.WARNING : Severity.ERROR;
    return ExitStatus.of(
        report.findings().stream()
            .allMatch(finding -> finding.severity().compareTo(threshold) > 0));
  }

  private Doctor doctor() {
    if (root == null) {
      return Doctor.ofThisMachine(inputs());
    }
    if (!Files.isDirectory(root)) {
      throw unusable(root, "no such folder, expected the root of a file system");
    }
    try {
      return Doctor.ofFolder(root, inputs());
    } catch (IllegalArgumentException e) {
      throw unusable(root, String.valueOf(e.getMessage()));
    }
  }

  private DoctorRequest request() {
    // Java reads it from the user database of the system, as NCCL does.
    String home = root == null ? System.getProperty("user.home", ROOT_HOME) : ROOT_HOME;
    return new DoctorRequest(
        variables.over(root == null ? environment() : Map.of()),
        home,
        programs.stream().map(this::pathInTree).toList(),
        pythons.stream().map(this::pathInTree).toList(),
        NcclProfile.DEFAULT.version());
  }

  private String pathInTree(String path) {
    return FileTree.normal(root == null ? Path.of(path).toAbsolutePath().toString() : path);
  }
}
