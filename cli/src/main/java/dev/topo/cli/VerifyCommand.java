package dev.topo.cli;

import dev.topo.cli.option.AddedSettings;
import dev.topo.cli.option.LaunchOptions;
import dev.topo.cli.option.OptionValue;
import dev.topo.cli.terminal.OutputPlan;
import dev.topo.cli.terminal.Progress;
import dev.topo.hw.run.Blocking;
import dev.topo.hw.run.ProcessLayout;
import dev.topo.hw.run.ProcessPlacement;
import dev.topo.hw.run.Registration;
import dev.topo.hw.run.Repetition;
import dev.topo.hw.run.Reporting;
import dev.topo.hw.run.RunCalls;
import dev.topo.hw.run.RunCollective;
import dev.topo.hw.run.RunFailure;
import dev.topo.hw.run.RunRequest;
import dev.topo.hw.run.SizeSweep;
import dev.topo.hw.verify.Verification;
import dev.topo.hw.verify.Verifier;
import dev.topo.hw.verify.VerifyRequest;
import dev.topo.inspect.log.LogComparison;
import dev.topo.model.io.FileFault;
import dev.topo.model.io.OutputException;
import dev.topo.model.io.TemporaryFiles;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.operation.ByteSize;
import dev.topo.model.xml.XmlElement;
import dev.topo.search.kernel.Buffers;
import dev.topo.visualizer.hardware.ComparisonText;
import dev.topo.visualizer.hardware.ResultJson;
import dev.topo.visualizer.hardware.SizeSweepText;
import dev.topo.visualizer.view.Envelope;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code topo verify}: what was predicted against what NCCL does and reaches here. */
@Command(
    name = "verify",
    description = {
      "Runs NCCL on this machine and compares it with the predictions.",
      "Graphs, rings, trees, tuner table and choices are compared with what NCCL dumps and logs; then",
      "NCCL's choice and each algorithm and protocol are measured in turns, in 5 rounds by the same",
      "processes. NCCL's choice is reported as slower only if its median time exceeds another by more than",
      "the noise of the rounds. With FILE, NCCL runs with NCCL_TOPO_FILE=FILE instead of the detected topology.",
      "Under mpirun, srun or torchrun the job consists of all processes; each compares the output of its",
      "own ranks."
    },
    footer = {
      "",
      "Exit status: 1 something disagrees, results are wrong, or NCCL failed or hung; 4 no GPU or no NCCL.",
      "",
      "Example: topo verify",
      "Example: topo verify declared.xml --no-sweep",
      "Example: topo verify --buffers symmetric",
      "Example: topo verify -g 4 -b 8 -e 4G -f 2 -o result.json",
      "Example: mpirun -np 4 topo verify --no-sweep"
    })
final class VerifyCommand extends Subcommand {
  private static final String TOPOLOGY_FILE = "NCCL_TOPO_FILE";
  private static final String VISIBLE_DEVICES = "CUDA_VISIBLE_DEVICES";

  /** What the command sets itself. */
  private static final List<String> OWN =
      List.of(
          "NCCL_TOPO_DUMP_FILE",
          "NCCL_GRAPH_DUMP_FILE",
          "NCCL_DEBUG",
          "NCCL_DEBUG_SUBSYS",
          "NCCL_DEBUG_FILE");

  @Parameters(
      paramLabel = "FILE",
      arity = "0..1",
      description = "A topology file for NCCL_TOPO_FILE.")
  private @Nullable Path declared;

  @Option(
      names = {"-g", "--ngpus"},
      paramLabel = "N",
      description = "GPUs of a process (default: all, or 1 under a launcher).")
  private @Nullable Integer gpus;

  @Option(
      names = {"-b", "--minbytes"},
      paramLabel = "SIZE",
      description = "First measured size (default: 8).")
  private String minBytes = "8";

  @Option(
      names = {"-e", "--maxbytes"},
      paramLabel = "SIZE",
      description = "Last size (default: 1G).")
  private String maxBytes = "1G";

  @Option(
      names = {"-f", "--stepfactor"},
      paramLabel = "N",
      description = "Multiplication factor between sizes (default: 4).")
  private long factor = 4;

  @Option(
      names = {"-n", "--iters"},
      paramLabel = "N",
      description = "Measured calls per size and round (default: 20).")
  private int iterations = Repetition.DEFAULTS.iterations();

  @Option(
      names = {"-w", "--warmup_iters"},
      paramLabel = "N",
      description = "Warm-up calls per size, not measured (default: 5).")
  private int warmUps = 5;

  @Option(
      names = {"-T", "--timeout"},
      paramLabel = "SECONDS",
      description = "Abort a collective that makes no progress for this time (default: 120).")
  private int timeLimitSeconds = 120;

  @Option(names = "--no-sweep", description = "Compare what NCCL reports, without measurements.")
  private boolean noSweep;

  @Option(
      names = "--buffers",
      paramLabel = "KIND",
      description =
          "Register the buffers: plain (default), registered (ncclCommRegister) or symmetric (windows); compares without"
              + " measurements what NCCL runs.")
  private String buffers = "plain";

  @Option(
      names = {"-v", "--verbose"},
      description = "Show details, and what agrees.")
  private boolean verbose;

  @Mixin private AddedSettings added = new AddedSettings();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      description = "Write everything as one JSON file, for chart, calibrate and report.")
  private @Nullable Path file;

  @Mixin private LaunchOptions launch = new LaunchOptions();

  @Override
  List<String> fileEndings() {
    return List.of(".json");
  }

  @Override
  public Integer call() throws IOException {
    Map<String, String> variables = new HashMap<>(environment());
    variables.putAll(added.values());
    if (declared != null) {
      variables.put(TOPOLOGY_FILE, declared.toAbsolutePath().toString());
    }
    OWN.forEach(variables::remove);
    run(gpus == null ? 1 : gpus); // reports wrong options before the machine is examined
    LaunchOptions.addFiles(variables, inputs());
    OutputPlan result = plan(file); // fails before the run if the file cannot be written
    ProcessPlacement alone = launch.placement(variables, Optional.empty());
    NcclSettings settings = ThisHost.settings(variables);
    ThisHost host = ThisHost.of(settings, inputs());
    if (host.seen().nvml().value().isEmpty()) {
      message("no NVIDIA driver: " + host.seen().nvml().reason());
      return ExitStatus.MISSING;
    }
    ProcessPlacement placement = alone.announcing(host.announcement());
    VerifyRequest request =
        new VerifyRequest(
            variables,
            settings,
            placement,
            run(gpus == null ? defaultGpus(placement, host) : gpus),
            !noSweep && registration() == Registration.NONE);
    Path folder = temporaryFolder();
    try {
      return answer(verify(request, host, folder), placement, settings, result);
    } catch (RunFailure e) {
      message(e.getMessage());
      return RunCommand.status(e.reason());
    } finally {
      delete(folder);
    }
  }

  private RunRequest run(int gpusOfProcess) {
    return OptionValue.accepted(
        "",
        () ->
            RunRequest.of(
                RunCalls.ofFloatSums(
                    List.of(
                        RunCollective.ALL_REDUCE,
                        RunCollective.ALL_GATHER,
                        RunCollective.REDUCE_SCATTER,
                        RunCollective.BROADCAST,
                        RunCollective.REDUCE),
                    new SizeSweep(ByteSize.parse(minBytes), ByteSize.parse(maxBytes), 0, factor)),
                new Repetition(iterations, 1, warmUps, 1, 0, Blocking.NONE, 0),
                Reporting.DEFAULTS,
                ProcessLayout.of(1, gpusOfProcess, registration()),
                timeLimitSeconds,
                Optional.empty()));
  }

  private Registration registration() {
    return switch (OptionValue.ofLabel(
        "--buffers", buffers, Buffers.values(), Buffers::label, "")) {
      case PLAIN -> Registration.NONE;
      case REGISTERED -> Registration.LOCAL;
      case SYMMETRIC -> Registration.SYMMETRIC;
    };
  }

  private int defaultGpus(ProcessPlacement placement, ThisHost host) {
    if (placement.size() > 1) {
      return 1;
    }
    String visible = environment().get(VISIBLE_DEVICES);
    return Math.max(1, count(visible == null ? host.with(host.options()) : host.withGpus(visible)));
  }

  private static int count(XmlElement element) {
    int own = element.name().equals("gpu") ? 1 : 0;
    return own + element.elements().stream().mapToInt(VerifyCommand::count).sum();
  }

  private Verification verify(VerifyRequest request, ThisHost host, Path folder)
      throws IOException {
    try (Progress.Task task = LaunchOptions.begin(streams(), request.placement())) {
      return new Verifier(
              request,
              variables -> launch.command(variables, inputs()),
              devices ->
                  host.withGpus(
                      devices.stream().map(String::valueOf).collect(Collectors.joining(","))),
              evaluator(),
              inputs(),
              step -> task.detail(() -> step))
          .verify(folder);
    }
  }

  private int answer(
      Verification verification,
      ProcessPlacement placement,
      NcclSettings settings,
      OutputPlan result)
      throws IOException {
    LogComparison comparison = verification.comparison();
    if (placement.index() == 0) {
      Envelope envelope = envelope(verification.rules(), verification.mismatches());
      envelope.report(streams()::message);
      rendered(ComparisonText.of("NCCL on this machine", comparison, verbose), envelope, "text")
          .writeBytesTo(streams().out());
      streams()
          .out()
          .print(
              verification.wrongResults() == 0
                  ? "  all results are correct\n"
                  : "  ! " + verification.wrongResults() + " results are wrong, see topo run\n");
      SizeSweepText.of(verification.choices()).writeBytesTo(streams().out());
      streams().flush();
      if (file != null) {
        result.write(file, rendered(ResultJson.of(verification, settings), envelope, "json"));
      }
    } else if (!verification.isGood()) {
      message(
          "process %s: %s of %s facts differ, first %s"
              .formatted(
                  placement.index(),
                  comparison.differences().size(),
                  comparison.facts().size(),
                  comparison.differences().stream().findFirst()));
    }
    return verification.isGood() ? ExitStatus.DONE : ExitStatus.NO;
  }

  private static Path temporaryFolder() {
    try {
      return TemporaryFiles.folder("topo-verify");
    } catch (IOException e) {
      throw new OutputException(String.valueOf(e.getMessage()), e);
    }
  }

  private void delete(Path folder) {
    try {
      TemporaryFiles.delete(folder);
    } catch (IOException e) {
      message("note: cannot delete " + folder + ": " + FileFault.words(e));
    }
  }
}
